import type { Database } from "bun:sqlite";
import { codeOf } from "../../contract/error-traces.ts";
import { LARGE_VERSION } from "../../contract/states.ts";
import type { BlobStore, RemoteBytes } from "../../domain/ports/uploads.ts";
import { blobUnavailable } from "../../domain/storage-refusals.ts";
import { DatabaseError } from "../sqlite/files/errors.ts";

/** The length of a piece. One is in memory at a time. */
export const PIECE_BYTES = 4 * 1024 * 1024;

/**
 * The tables of a backup that has large secrets: which piece of each is its first, and the pieces of all of them, one
 * secret after another, numbered from 1. Every piece but the last of a secret has `PIECE_BYTES`.
 */
export const LARGE_TABLES = [
  {
    name: "large_ciphertexts",
    sql: "CREATE TABLE large_ciphertexts (secret_seq INTEGER PRIMARY KEY, first_piece INTEGER NOT NULL)",
  },
  { name: "large_pieces", sql: "CREATE TABLE large_pieces (id INTEGER PRIMARY KEY, bytes BLOB NOT NULL)" },
];

/** A large secret in SQLite that can be handed out, and where its ciphertext is. */
export interface LargeCiphertext {
  readonly seq: number;
  readonly secretId: string;
  /** The id of its blob. */
  readonly uploadId: string;
  readonly bytes: number;
}

/** How many large secrets were copied, and the bytes of their ciphertexts. */
export interface LargeCounts {
  readonly secrets: number;
  readonly bytes: number;
}

/** The large secrets that a backup has, and those that it has without their ciphertexts. */
export interface CopiedLarge extends LargeCounts {
  /** The ids of those whose ciphertexts aren't whole. */
  readonly damaged: readonly string[];
  /** How many are in an object store that isn't known. */
  readonly unreached: number;
}

export const NO_LARGE: CopiedLarge = { secrets: 0, bytes: 0, damaged: [], unreached: 0 };

/** Selects the large secrets in a `schema` of SQLite as `LargeCiphertext`, in their order. */
export function selectLarge(schema = "main"): string {
  return `SELECT secret_seq AS seq, id AS secretId, ciphertext AS uploadId, ciphertext_bytes AS bytes
    FROM ${schema}.ciphertexts JOIN ${schema}.secrets ON seq = secret_seq
    WHERE envelope_version = ${LARGE_VERSION} ORDER BY secret_seq`;
}

/**
 * Copies the ciphertexts of large secrets into a backup, outside of a transaction. One of which `isThere` resolves
 * false afterwards is left out: its blob may have been erased while it was read. One that is damaged is left out, too.
 * Throws DatabaseError when a blob can't be read, and SQLiteError.
 */
export async function copyLarge(
  backup: Database,
  found: readonly LargeCiphertext[],
  blobs: BlobStore,
  isThere: (large: LargeCiphertext) => boolean | Promise<boolean>,
): Promise<CopiedLarge> {
  if (found.length === 0) return NO_LARGE;
  for (const { sql } of LARGE_TABLES) backup.run(sql);
  const insert = backup.prepare("INSERT INTO large_pieces VALUES (?, ?)");
  const damaged: string[] = [];
  let [secrets, bytes, next, isShorter] = [0, 0, 1, false];
  for (const large of found) {
    const first = next;
    let failure: unknown;
    try {
      for await (const piece of piecesOf(blobs, large)) insert.run(next++, piece);
    } catch (error) {
      if (!(error instanceof BlobError)) throw error;
      failure = error.cause;
    }
    const isKept = await isThere(large);
    if (isKept && failure === undefined) {
      backup.run("INSERT INTO large_ciphertexts VALUES (?, ?)", [large.seq, first]);
      secrets += 1;
      bytes += large.bytes;
      continue;
    }
    if (isKept && !isDamage(failure)) throw notRead(large, failure, "No backup was made");
    if (isKept) damaged.push(large.secretId);
    backup.run("DELETE FROM large_pieces WHERE id >= ?", [first]);
    [next, isShorter] = [first, true];
  }
  // A deleted piece leaves its bytes in the file.
  if (isShorter) backup.query("PRAGMA incremental_vacuum").all();
  return { secrets, bytes, damaged, unreached: 0 };
}

/** After so many bytes, memory is collected. */
const COLLECTION_BYTES = 8 * PIECE_BYTES;

/** A blob that couldn't be read, for its cause. */
export class BlobError extends Error {
  override readonly name = "BlobError";
}

/** Reads a blob in pieces of `PIECE_BYTES`. Throws BlobError. */
export async function* piecesOf(blobs: BlobStore, { uploadId, bytes }: LargeCiphertext): AsyncGenerator<Uint8Array> {
  try {
    const blob = await blobs.read(uploadId, bytes);
    for (let at = 0; at < bytes; at += PIECE_BYTES) {
      const end = Math.min(bytes, at + PIECE_BYTES);
      const piece = await readPart(blob, at, end);
      if (piece.length !== end - at) throw blobUnavailable("BLOB_DAMAGED");
      yield piece;
      // Otherwise hundreds of megabytes of former pieces wait for it.
      if (end % COLLECTION_BYTES === 0) Bun.gc(true);
    }
  } catch (error) {
    throw new BlobError("a blob can't be read", { cause: error });
  }
}

async function readPart(blob: Blob | RemoteBytes, start: number, end: number): Promise<Uint8Array> {
  if (blob instanceof Blob) return blob.slice(start, end).bytes();
  return new Response(await blob.open(start, end)).bytes();
}

/** The system's code for an error of a blob; undefined when it has none. */
function blobCodeOf(error: unknown): string | undefined {
  return codeOf(error) ?? (error instanceof Error ? codeOf(error.cause) : undefined);
}

/** True when something of a blob is missing, and not only its store. */
export function isDamage(error: unknown): boolean {
  return ["BLOB_DAMAGED", "NoSuchKey", "TooShort", "TooLong"].includes(blobCodeOf(error) ?? "");
}

/** The error for a large secret that can't be read, and what that means for the command. */
export function notRead({ secretId }: LargeCiphertext, error: unknown, outcome: string): DatabaseError {
  const why = blobCodeOf(error) ?? "unknown reason";
  return new DatabaseError(
    `the content of the large secret ${secretId} can't be read (${why}). ${outcome}. Find out why, then run this again`,
    { cause: error },
  );
}

/** Counts the large secrets of `database`, of which each has a ciphertext. */
export function countLarge(database: Database): LargeCounts {
  const counts = database.query<LargeCounts, []>(
    `SELECT count(*) AS secrets, coalesce(sum(bytes), 0) AS bytes FROM (${selectLarge()})`,
  );
  return counts.get() ?? { secrets: 0, bytes: 0 };
}
