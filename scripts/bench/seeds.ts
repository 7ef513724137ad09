import { closeSync, fsyncSync, openSync } from "node:fs";
import { createIds } from "../../src/domain/ids.ts";
import type { SecretRecord } from "../../src/domain/ports/secrets.ts";
import type { Clock, Ids } from "../../src/domain/ports/sources.ts";
import { systemRandom } from "../../src/domain/random.ts";
import { eventOf } from "../../src/domain/secret-lifecycle.ts";
import { openOrm } from "../../src/store/sqlite/engine/context.ts";
import type { StoreContext } from "../../src/store/sqlite/engine/context.ts";
import { openDatabase } from "../../src/store/sqlite/engine/database.ts";
import { createEventWriter } from "../../src/store/sqlite/events.ts";
import { ciphertextRowBytes } from "../../src/store/sqlite/files/ciphertext-pages.ts";
import { createSecretRows } from "../../src/store/sqlite/secret-rows.ts";
import { createStoredBytes, ROW_BYTES } from "../../src/store/sqlite/stored-bytes.ts";

const ROWS_PER_TRANSACTION = 20_000;
const AGE_MS = 5 * 86_400_000;
const LIFETIME_MS = 7 * 86_400_000;

/**
 * Puts `count` available secrets of the last five days into the database in `folder`, past the writer; a server may
 * have it open. The disk has them all before this returns, or what is measured next would wait for it. Returns their ids,
 * oldest first.
 */
export function seedSecrets(folder: string, teamId: string, count: number, ciphertext: string): string[] {
  const database = openDatabase(folder);
  database.run("PRAGMA synchronous = OFF");
  const start = Date.now() - AGE_MS;
  const seeded: string[] = [];
  const clock = { now: () => start + Math.floor((seeded.length / count) * AGE_MS) };
  const ids = createIds(clock, systemRandom);
  const seed = prepareSeed({ orm: openOrm(database), ids, clock, teamId, ciphertext });
  const seedMany = database.transaction((rows: number) => {
    for (let i = 0; i < rows; i++) seeded.push(seed());
  });
  while (seeded.length < count) seedMany.immediate(Math.min(ROWS_PER_TRANSACTION, count - seeded.length));
  const checkpoint = database.query<{ busy: number }, []>("PRAGMA wal_checkpoint(TRUNCATE)").get();
  if (checkpoint?.busy !== 0) throw new Error("the seeds are still in the WAL");
  database.close();
  flushFile(database.filename);
  return seeded;
}

function flushFile(path: string): void {
  const file = openSync(path, "r+");
  fsyncSync(file);
  closeSync(file);
}

/** Returns what inserts one secret and returns its id. */
function prepareSeed(seed: {
  readonly orm: StoreContext["orm"];
  readonly ids: Ids;
  readonly clock: Clock;
  readonly teamId: string;
  readonly ciphertext: string;
}): () => string {
  const { orm, ids, clock, teamId, ciphertext } = seed;
  const rows = createSecretRows({ orm }, { truncateWal: () => undefined });
  const storedBytes = createStoredBytes({ orm });
  const tx = { tell: () => undefined, charge: storedBytes.charge };
  const eventWriter = createEventWriter({ orm, ids, clock: { ...clock, raise: () => undefined } });
  const ciphertextBytes = ciphertext.length;
  return () => {
    const createdAt = clock.now();
    const expiresAt = createdAt + LIFETIME_MS;
    const record: SecretRecord = {
      id: ids.next("secret"),
      teamId,
      state: "available",
      envelopeVersion: 1,
      ciphertextBytes,
      ciphertextFormat: "age",
      createdAt,
      expiresAt,
      maxClaims: 1,
      claims: 0,
      endedAt: null,
      createdBy: null,
      requestId: null,
      senderId: null,
      reference: null,
    };
    rows.add({ ...record, claimTokenHash: systemRandom.bytes(32), dueAt: expiresAt }, ciphertext);
    storedBytes.charge(teamId, ROW_BYTES.secret + ciphertextRowBytes(ciphertextBytes));
    eventWriter.append(tx, eventOf(undefined, record, null));
    storedBytes.save();
    return record.id;
  };
}
