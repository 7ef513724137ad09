import { ID_PREFIXES } from "../../contract/ids.ts";
import type { UploadStore } from "../../domain/ports/uploads.ts";
import type { Run, UPLOAD_OPERATIONS } from "../../domain/transactions/operations.ts";
import { createUploadStore } from "../../domain/transactions/stores.ts";
import { settleUpload } from "../../domain/transactions/uploads.ts";
import type { StoreContext } from "./engine/context.ts";
import { toRow } from "./engine/rows.ts";
import { raiseClock } from "./lists.ts";
import { uploadParts, uploads } from "./schema.ts";

/** The number of uploads that end in one transaction. */
const STEP_ROWS = 100;

/** The store of uploads. Their bytes are elsewhere. */
export function createUploads(context: StoreContext, run: Run<typeof UPLOAD_OPERATIONS>): UploadStore {
  const { database, writer } = context;
  const findOne = async (where: string, value: string) => {
    const [row] = await database.read(`SELECT * FROM uploads WHERE ${where}`, [value]);
    return row && toRow(uploads, row);
  };
  return createUploadStore(run, {
    findUpload: (id) => findOne("id = $1 AND secret_id IS NULL", id),
    async listUploads(createdBy) {
      const rows = await database.read(
        "SELECT * FROM uploads WHERE created_by = $1 AND secret_id IS NULL ORDER BY id",
        [createdBy],
      );
      return rows.map((row) => toRow(uploads, row));
    },
    findUploadOf: (secretId) => findOne("secret_id = $1", secretId),
    async countUploads() {
      const [row] = await database.read(
        `SELECT count(*) - count(secret_id) AS uploads, count(secret_id) AS secrets, coalesce(sum(bytes), 0) AS bytes
         FROM uploads`,
        [],
      );
      return { uploads: Number(row?.["uploads"]), secrets: Number(row?.["secrets"]), bytes: Number(row?.["bytes"]) };
    },
    async findParts(id) {
      const rows = await database.read("SELECT * FROM upload_parts WHERE upload_id = $1 ORDER BY start", [id]);
      return rows.map((row) => toRow(uploadParts, row)).map(({ start, bytes, key }) => ({ start, bytes, key }));
    },
    async keptUploads() {
      const rows = await database.read(
        `WITH found AS (
           SELECT id, secret_id, expires_at <= $1::bigint AS has_expired, starts_with(created_by, $2) AND NOT EXISTS (
             SELECT FROM requests WHERE requests.id = uploads.created_by AND state IN ('open', 'paused')
               AND requests.expires_at > $1::bigint) AS is_request_over
           FROM uploads)
         SELECT id, secret_id, is_request_over, CASE WHEN secret_id IS NULL THEN has_expired OR is_request_over
           ELSE NOT EXISTS (SELECT FROM ciphertexts WHERE ciphertexts.secret_id = found.secret_id) END AS is_over
         FROM found`,
        [await raiseClock(context), ID_PREFIXES.request],
      );
      const over = rows.filter((row) => row["is_over"] === true);
      // An idle server writes nothing.
      for (let at = 0; at < over.length; at += STEP_ROWS) {
        const step = over.slice(at, at + STEP_ROWS);
        const uploadIds = step.map((row) => String(row["id"]));
        const secretIds = step.map((row) => row["secret_id"]).filter((id) => typeof id === "string");
        await writer.write({ uploadIds, secretIds }, (tx) => {
          for (const row of step) {
            settleUpload(tx, { id: String(row["id"]), isRequestOver: row["is_request_over"] === true });
          }
        });
      }
      return new Set(rows.filter((row) => row["is_over"] !== true).map((row) => String(row["id"])));
    },
  });
}
