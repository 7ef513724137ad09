import type { Database } from "bun:sqlite";
import type { BlobPart, BlobStore, UploadRecord, UploadStore } from "../../domain/ports/uploads.ts";
import { Refusal } from "../../domain/values/errors.ts";
import { ObjectStoreError } from "../blobs/object-store.ts";
import type { Connection } from "../postgres/engine/database.ts";
import { columnList, toRecordset } from "../postgres/engine/rows.ts";
import { uploadParts, uploads } from "../postgres/schema.ts";
import type { Move } from "../sqlite/files/database-header.ts";
import { DatabaseError } from "../sqlite/files/errors.ts";
import { BlobError, isDamage, notRead, piecesOf, selectLarge } from "./large-pieces.ts";
import type { LargeCiphertext } from "./large-pieces.ts";

/** Opens the blobs of an installation in an object store, of which `findParts` says what counts. Calls nobody yet. */
export type OpenBlobs = (installation: string, findParts: UploadStore["findParts"]) => BlobStore;

/** Finds the parts of an upload in the transaction of `connection`. */
export function partsIn(connection: Connection): UploadStore["findParts"] {
  return async (id) => {
    const rows = await connection.run(
      "SELECT start, bytes, key FROM upload_parts WHERE upload_id = $1 ORDER BY start",
      [id],
    );
    return rows.map(({ start, bytes, key }) => ({ start: Number(start), bytes: Number(bytes), key: String(key) }));
  };
}

/** Whether the object store that was named has the ciphertexts of moved large secrets. "none" if none was moved. */
export type MovedObjects = "none" | "found" | "missing";

/**
 * Looks for the ciphertext of one large secret that a move has copied. Without `openBlobs`, it's missing. Throws
 * DatabaseError when the store can't be used.
 */
export async function findMoved(
  connection: Connection,
  { installation }: Move,
  openBlobs: OpenBlobs | undefined,
): Promise<MovedObjects> {
  const [row] = await connection.run("SELECT id, bytes FROM uploads WHERE secret_id IS NOT NULL LIMIT 1");
  if (!row) return "none";
  if (!openBlobs) return "missing";
  try {
    await openBlobs(installation, partsIn(connection)).check(String(row["id"]), Number(row["bytes"]));
    return "found";
  } catch (error) {
    if (isDamage(error)) return "missing";
    throw explainStore(error, "Nothing was changed");
  }
}

const UPLOAD = `SELECT id, team_id AS teamId, created_by AS createdBy, address, proof, bytes, offset,
  created_at AS createdAt, expires_at AS expiresAt, secret_id AS secretId FROM uploads WHERE id = ?`;

/**
 * Copies the ciphertexts of the large secrets in `source` from one store of blobs to another, and notes in the
 * transaction of `connection` where they are. Its rows are there. Throws DatabaseError, and what the driver throws.
 * What was copied is left behind then.
 */
export async function moveLarge(
  source: Database,
  from: BlobStore,
  connection: Connection,
  to: BlobStore,
): Promise<void> {
  const findUpload = source.prepare<UploadRecord, [string]>(UPLOAD);
  const insert = (table: typeof uploads | typeof uploadParts, rows: readonly object[]) => {
    const columns = columnList(table);
    const name = table === uploads ? "uploads" : "upload_parts";
    return connection.run(
      `INSERT INTO ${name} (${columns}) SELECT ${columns} FROM json_populate_recordset(null::${name}, $1::text::json)`,
      [toRecordset(table, rows)],
    );
  };
  for (const large of source.prepare<LargeCiphertext, []>(selectLarge()).iterate()) {
    const { uploadId, bytes, secretId } = large;
    const upload = findUpload.get(uploadId);
    if (!upload)
      throw new DatabaseError(`the large secret ${secretId} has no upload. Nothing was moved. Revoke it first`);
    const parts: BlobPart[] = [];
    const onStored = async (stored: { readonly parts: readonly BlobPart[] }) => void parts.push(...stored.parts);
    try {
      await to.append(uploadId, 0, piecesOf(from, large), { isWhole: false, mayKeep: () => false, onStored });
      await insert(uploads, [upload]);
      await insert(
        uploadParts,
        parts.map((part) => ({ uploadId, ...part })),
      );
      // A store that lies has answered that it keeps what it doesn't.
      await to.check(uploadId, bytes);
    } catch (error) {
      if (error instanceof BlobError) throw notRead(large, error.cause, NOTHING);
      throw explainStore(error, "Nothing was moved or restored");
    }
  }
}

const NOTHING = "Nothing was moved or restored. If it can't be helped, revoke that secret first";

/** Erases all blobs that a move has copied. Throws DatabaseError when that fails. */
export async function eraseMoved(openBlobs: OpenBlobs, { installation }: Move): Promise<void> {
  const blobs = openBlobs(installation, async () => []);
  try {
    await blobs.eraseOthers(async () => new Set(), new AbortController().signal);
  } catch (error) {
    throw explainStore(
      error,
      "The database was emptied, but the ciphertexts of large secrets are still in the object store, and the move isn't undone yet",
    );
  }
}

/** Does `work`, and erases all blobs of an installation that has no rows yet when that throws. */
export async function orErase<T>(blobs: BlobStore | undefined, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    // What can't be erased now, a server erases at its start.
    await blobs?.eraseOthers(async () => new Set(), new AbortController().signal).catch(() => undefined);
    throw error;
  }
}

/** Returns a DatabaseError for an error of the store, and any other unchanged. `outcome` is a sentence. */
function explainStore(error: unknown, outcome: string): unknown {
  const cause = error instanceof Refusal ? error.cause : error instanceof ObjectStoreError ? error : undefined;
  if (cause === undefined) return error;
  const code = cause instanceof ObjectStoreError ? cause.code : "it doesn't keep what it has said that it keeps";
  return new DatabaseError(
    `the object store can't be used (${code}). ${outcome}. Check --object-store, its access key, certificate and network, then run this again`,
  );
}
