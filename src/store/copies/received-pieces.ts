import type { Database } from "bun:sqlite";
import { statfsSync } from "node:fs";
import { LARGE_VERSION } from "../../contract/states.ts";
import { AGE_START_BYTES, startsAgeFile } from "../../domain/age-files.ts";
import type { Ids } from "../../domain/ports/sources.ts";
import type { BlobStore } from "../../domain/ports/uploads.ts";
import { fillBytes, GUARD_BYTES } from "../sqlite/files/ciphertext-pages.ts";
import { DatabaseError } from "../sqlite/files/errors.ts";
import { numberIn } from "./backup-files.ts";
import { countLarge, PIECE_BYTES, selectLarge } from "./large-pieces.ts";
import type { LargeCiphertext, LargeCounts } from "./large-pieces.ts";

/** A row of `large_ciphertexts`, and the row of its secret. */
type Owned = { readonly seq: number; readonly first: number };
interface Owner {
  readonly bytes: number;
}

/**
 * Gives the large secrets in `database` new uploads, whose ciphertexts the backup has. Looks at the backup one row at a
 * time, because a stranger may have made it, and at nothing in it but numbers, lengths and the beginnings of
 * ciphertexts. Returns what is wrong with its pieces; undefined when nothing is.
 */
export function adoptLarge(database: Database, backup: Database, ids: Ids): string | undefined {
  const findOwner = database.prepare<Owner, [number]>(
    `SELECT ciphertext_bytes AS bytes FROM secrets WHERE seq = ? AND envelope_version = ${LARGE_VERSION}
      AND ciphertext_format = 'age' AND state IN ('available', 'claimed')`,
  );
  const addUpload = database.prepare(
    `INSERT INTO uploads (id, team_id, created_by, bytes, offset, created_at, expires_at, secret_id)
      SELECT ?, team_id, coalesce(created_by, request_id, ''), ciphertext_bytes, ciphertext_bytes, created_at,
        expires_at, id FROM secrets WHERE seq = ?`,
  );
  const addPointer = database.prepare(
    `INSERT INTO ciphertexts (secret_seq, guard, ciphertext, fill) VALUES (?, zeroblob(${GUARD_BYTES}), ?, zeroblob(?))`,
  );
  const rows = backup.prepare<Owned, []>(
    "SELECT secret_seq AS seq, first_piece AS first FROM large_ciphertexts NOT INDEXED ORDER BY secret_seq",
  );
  let [next, last] = [1, -Infinity];
  for (const { seq, first } of rows.iterate()) {
    const owner = seq > last ? findOwner.get(seq) : null;
    if (!owner || first !== next) return "it has a ciphertext of no large secret";
    const wrong = findWrongPiece(backup, first, owner.bytes);
    if (wrong !== undefined) return wrong;
    const uploadId = ids.next("upload");
    addUpload.run(uploadId, seq);
    addPointer.run(seq, uploadId, fillBytes(uploadId.length));
    [next, last] = [next + piecesIn(owner.bytes), seq];
  }
  if (numberIn(backup, "SELECT count(*) FROM large_pieces NOT INDEXED") === next - 1) return undefined;
  return "it has pieces of no large secret";
}

const piecesIn = (bytes: number) => Math.ceil(bytes / PIECE_BYTES);

/** Returns what is wrong with the pieces of a ciphertext of `bytes`; undefined when nothing is. */
function findWrongPiece(backup: Database, first: number, bytes: number): string | undefined {
  // The length is in the row: nothing of a piece is read.
  const measure = backup.prepare<{ readonly bytes: number }, [number]>(
    "SELECT octet_length(bytes) AS bytes FROM large_pieces NOT INDEXED WHERE id = ? AND typeof(bytes) = 'blob'",
  );
  for (let at = 0; at < bytes; at += PIECE_BYTES) {
    const piece = measure.get(first + at / PIECE_BYTES);
    if (piece?.bytes !== Math.min(PIECE_BYTES, bytes - at)) return "a large secret isn't complete";
  }
  const start = backup
    .prepare<{ readonly start: Uint8Array }, [number]>(
      `SELECT substr(bytes, 1, ${AGE_START_BYTES}) AS start FROM large_pieces NOT INDEXED WHERE id = ?`,
    )
    .get(first)?.start;
  return start && startsAgeFile(bytes, start) ? undefined : "a large secret isn't encrypted";
}

/**
 * Writes the ciphertexts of the large secrets that `database` hands out, from a backup whose pieces were adopted.
 * Throws DatabaseError when there is no `room` for them, and what `blobs` throws.
 */
export async function writeLarge(
  database: Database,
  backup: Database,
  blobs: BlobStore,
  room: Room,
): Promise<LargeCounts> {
  refuseWantOfRoom(countLarge(database).bytes, room);
  const findFirst = backup.prepare<Pick<Owned, "first">, [number]>(
    "SELECT first_piece AS first FROM large_ciphertexts NOT INDEXED WHERE secret_seq = ?",
  );
  let [secrets, bytes] = [0, 0];
  for (const large of database.prepare<LargeCiphertext, []>(selectLarge()).iterate()) {
    const { first } = findFirst.get(large.seq) ?? {};
    if (first === undefined) throw new Error("a large secret has no pieces");
    const onStored = async () => undefined;
    const how = { isWhole: false, mayKeep: () => false, onStored };
    await blobs.append(large.uploadId, 0, readPieces(backup, first, large.bytes), how);
    await blobs.check(large.uploadId, large.bytes);
    secrets += 1;
    bytes += large.bytes;
  }
  return { secrets, bytes };
}

async function* readPieces(backup: Database, first: number, bytes: number): AsyncGenerator<Uint8Array> {
  const find = backup.prepare<{ readonly bytes: Uint8Array }, [number]>(
    "SELECT bytes FROM large_pieces NOT INDEXED WHERE id = ?",
  );
  for (let id = first; id < first + piecesIn(bytes); id++) {
    const piece = find.get(id);
    if (piece) yield piece.bytes;
  }
}

const MIB = 1024 * 1024;

/** Where something is written, and what to do when that has no room. */
export interface Room {
  readonly folder: string;
  readonly advice: string;
}

function refuseWantOfRoom(bytes: number, { folder, advice }: Room): void {
  const { bavail, bsize } = statfsSync(folder);
  if (bytes <= bavail * bsize) return;
  const [needed, free] = [Math.ceil(bytes / MIB), Math.floor((bavail * bsize) / MIB)];
  throw new DatabaseError(
    `the large secrets of the backup take ${needed} MiB more, and ${free} MiB are free on the file system of '${folder}'. Nothing was restored. ${advice}, or restore without --keep-secrets`,
  );
}
