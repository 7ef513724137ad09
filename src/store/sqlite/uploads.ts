import { and, eq, isNull, sql } from "drizzle-orm";
import { isLive } from "../../contract/states.ts";
import type { UploadStore } from "../../domain/ports/uploads.ts";
import { UPLOAD_OPERATIONS } from "../../domain/transactions/operations.ts";
import { createUploadStore } from "../../domain/transactions/stores.ts";
import type { Transaction } from "../../domain/transactions/transaction.ts";
import { settleUpload } from "../../domain/transactions/uploads.ts";
import type { OverUpload } from "../../domain/transactions/uploads.ts";
import { isHandedIn } from "../../domain/values/idle-uploads.ts";
import type { StoreContext } from "./engine/context.ts";
import { named, prepare, prepareSelect } from "./prepared.ts";
import { ciphertexts, requests, secrets, uploads } from "./schema.ts";
import { addOperations } from "./transactions.ts";
import type { ToTransaction } from "./transactions.ts";
import { createUploadRows } from "./upload-rows.ts";

/** The number of uploads that end in one step: meanwhile the server waits. */
const STEP_ROWS = 100;

/** The store of uploads. Their bytes are elsewhere. */
export function createUploads(context: StoreContext, toTransaction: ToTransaction): UploadStore {
  const { orm, clock } = context;
  const rows = createUploadRows(context);
  const selectAll = prepare(context, () =>
    orm
      .select(
        named({
          id: uploads.id,
          expiresAt: uploads.expiresAt,
          secretId: uploads.secretId,
          pointerSeq: ciphertexts.secretSeq,
          createdBy: uploads.createdBy,
          requestState: requests.state,
          requestExpiresAt: requests.expiresAt,
        }),
      )
      .from(uploads)
      .leftJoin(secrets, eq(secrets.id, uploads.secretId))
      .leftJoin(ciphertexts, eq(ciphertexts.secretSeq, secrets.seq))
      .leftJoin(requests, eq(requests.id, uploads.createdBy)),
  );
  const ofSender = prepareSelect(
    context,
    uploads,
    and(eq(uploads.createdBy, sql.placeholder("createdBy")), isNull(uploads.secretId)),
  );
  const selectCounts = prepare(context, () =>
    orm
      .select(
        named({
          uploads: sql<number>`count(*) - count(${uploads.secretId})`,
          secrets: sql<number>`count(${uploads.secretId})`,
          bytes: sql<number>`coalesce(sum(${uploads.bytes}), 0)`,
        }),
      )
      .from(uploads),
  );
  const ofSecret = prepareSelect(context, uploads, eq(uploads.secretId, sql.placeholder("secretId")));
  const run = addOperations(context, toTransaction, UPLOAD_OPERATIONS);
  const settle = addOperations(context, toTransaction, {
    settleUploads: {
      kind: "essential",
      run: (tx: Transaction, over: readonly OverUpload[]) => over.forEach((each) => settleUpload(tx, each)),
    },
  });

  return createUploadStore(run, {
    async findUpload(id) {
      const upload = rows.find(id);
      return upload?.secretId === null ? upload : undefined;
    },
    async listUploads(createdBy) {
      // Ids sort by time.
      return ofSender.all({ createdBy }).toSorted((one, other) => (one.id < other.id ? -1 : 1));
    },
    async countUploads() {
      return selectCounts.get({}) ?? { uploads: 0, secrets: 0, bytes: 0 };
    },
    async findUploadOf(secretId) {
      return ofSecret.get({ secretId });
    },
    // Each is one file.
    findParts: async () => [],
    async keptUploads() {
      const found = selectAll.all();
      const now = clock.now();
      type Found = (typeof found)[number];
      const isRequestOver = ({ createdBy, requestState, requestExpiresAt }: Found) =>
        isHandedIn({ createdBy }) && (requestState === null || !isLive(requestState) || (requestExpiresAt ?? 0) <= now);
      const isOver = (row: Found) =>
        row.secretId === null ? row.expiresAt <= now || isRequestOver(row) : row.pointerSeq === null;
      const over = found.filter(isOver).map((row) => ({ id: row.id, isRequestOver: isRequestOver(row) }));
      // An idle server writes nothing.
      for (let at = 0; at < over.length; at += STEP_ROWS) {
        await settle("settleUploads", over.slice(at, at + STEP_ROWS));
      }
      return new Set(found.map(({ id }) => id)).difference(new Set(over.map(({ id }) => id)));
    },
  });
}
