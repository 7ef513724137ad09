import { createIds } from "../../src/domain/ids.ts";
import type { Clock, Ids } from "../../src/domain/ports.ts";
import { systemRandom } from "../../src/domain/service.ts";
import { openOrm } from "../../src/store/sqlite/engine/context.ts";
import type { StoreContext } from "../../src/store/sqlite/engine/context.ts";
import { openDatabase } from "../../src/store/sqlite/engine/database.ts";
import { createEventWriter } from "../../src/store/sqlite/events.ts";
import { ciphertextRowBytes, fillBytes } from "../../src/store/sqlite/files/ciphertext-pages.ts";
import { prepareSecretRows } from "../../src/store/sqlite/secret-rows.ts";
import { createStoredBytes, ROW_BYTES } from "../../src/store/sqlite/stored-bytes.ts";

const ROWS_PER_TRANSACTION = 20_000;
const AGE_MS = 5 * 86_400_000;
const LIFETIME_MS = 7 * 86_400_000;

/**
 * Puts `count` available secrets of the last five days into the database in `folder`, past the writer and without
 * waiting for the disk; a server may have it open. Returns their ids, oldest first.
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
  database.close();
  return seeded;
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
  const statements = prepareSecretRows({ orm });
  const storedBytes = createStoredBytes(orm);
  const eventWriter = createEventWriter({ orm, ids, announce: () => undefined, storedBytes });
  const bytes = ciphertext.length;
  const constants = { teamId, state: "available", envelopeVersion: 1, ciphertextBytes: bytes, ciphertextFormat: "age" };
  const blanks = { maxClaims: 1, claims: 0, endedAt: null, createdBy: null, requestId: null };
  return () => {
    const id = ids.next("secret");
    const createdAt = clock.now();
    const expiresAt = createdAt + LIFETIME_MS;
    const claimTokenHash = systemRandom.bytes(32);
    const times = { createdAt, expiresAt, dueAt: expiresAt };
    const inserted = statements.insert.get({ id, ...constants, ...blanks, ...times, claimTokenHash });
    statements.insertCiphertext.run({ seq: inserted?.seq, ciphertext, fillBytes: fillBytes(bytes) });
    storedBytes.charge(teamId, ROW_BYTES.secret + ciphertextRowBytes(bytes));
    eventWriter.append("secret.created", { id, teamId, requestId: null }, createdAt, null);
    storedBytes.save();
    return id;
  };
}
