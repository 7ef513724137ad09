import { afterAll, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { SQL } from "bun";
import type { ConnectionOptions } from "../../../src/store/postgres/engine/database.ts";
import { openOver, startPostgres } from "../../support/postgres.ts";
import { markedCiphertext } from "../../support/secrets.ts";
import { addRequest, addSecret, addTeam, claim, sweepAll } from "../../support/stores.ts";
import { createTestClock } from "../../support/test-clocks.ts";

// Recycled segments of the write-ahead log are deleted, as the manual advises.
const cluster = await startPostgres({ wal_recycle: "off" });
afterAll(() => cluster[Symbol.asyncDispose]());

/** Ciphertexts that fit into a row, into one page of their own, and into many pages. */
const LENGTHS = [500, 5000, 300_000];

async function openPlace() {
  const connection = await cluster.makeDatabase();
  const time = createTestClock();
  const { store, ...rest } = await openOver(connection, time);
  const beside = new SQL({ ...connection, adapter: "postgres", max: 1 });
  const place = { store, ...rest };
  const close = async () => {
    await store.close();
    await beside.close({ timeout: 0 });
  };
  return { ...place, time, connection, beside, teamId: await addTeam(place), [Symbol.asyncDispose]: close };
}

/** Flushes PostgreSQL's memory to disk, and returns the files in these folders that contain `marker`. */
async function filesWith(
  place: { beside: SQL; connection: ConnectionOptions },
  folder: "base" | "pg_wal",
  marker: string,
) {
  await place.beside.unsafe("CHECKPOINT");
  const path = join(dirname(String(place.connection.path)), folder);
  const files = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.map((file) => join(file.parentPath, file.name)).filter((file) => readFileSync(file).includes(marker));
}

test("erased ciphertexts are in no table file after a minute, and available secrets can still be claimed", async () => {
  await using place = await openPlace();
  const { teamId, time, store } = place;
  const sealed = LENGTHS.flatMap((length) => [1, 2, 3].map(() => markedCiphertext(length)));
  const secrets = [];
  for (const { ciphertext } of sealed) secrets.push(await addSecret(place, teamId, { ciphertext }));
  const note = markedCiphertext(3000);
  const request = await addRequest(place, teamId, { note: { version: 1, ciphertext: note.ciphertext } });
  const inTables = async () => {
    const found = await Promise.all([...sealed, note].map(({ marker }) => filesWith(place, "base", marker)));
    return found.map((files) => files.length > 0);
  };
  // PostgreSQL does this by itself at times.
  await place.beside.unsafe("ANALYZE");
  expect(await inTables()).toEqual([true, true, true, true, true, true, true, true, true, true]);
  // Of each length, the second secret is kept, between two that are erased.
  for (const secret of secrets.filter((_, index) => index % 3 !== 1)) {
    expect(await claim(place, secret)).toMatchObject({ kind: "claimed" });
  }
  await store.revokeRequest(teamId, request.id, null);
  await place.beside.unsafe("VACUUM");
  // This makes sure that the test can fail.
  expect(await inTables()).not.toEqual([false, true, false, false, true, false, false, true, false, false]);
  await sweepAll(place);
  expect(await inTables()).toEqual([false, true, false, false, true, false, false, true, false, false]);
  for (const [index, secret] of secrets.entries()) {
    if (index % 3 !== 1) continue;
    expect(await claim(place, secret)).toMatchObject({ kind: "claimed", ciphertext: sealed[index]?.ciphertext });
  }
  await sweepAll(place);
  expect(await inTables()).toContain(true);
  time.advance(60_000);
  await sweepAll(place);
  await place.beside.unsafe("ANALYZE");
  expect(await inTables()).not.toContain(true);
  expect(await place.beside.unsafe("SELECT FROM pg_statistic AS s WHERE s::text LIKE '%marker-%'")).toBeEmpty();
  // Nothing is written while there are no erasures.
  const nextTransaction = async () =>
    (await place.beside.unsafe("SELECT pg_snapshot_xmax(pg_current_snapshot())::text AS id"))[0].id;
  const before = await nextTransaction();
  time.advance(60_000);
  await sweepAll(place);
  expect(await nextTransaction()).toBe(before);
});

test("erased ciphertexts stay in the write-ahead log until its segments are recycled and deleted", async () => {
  await using place = await openPlace();
  const { marker, ciphertext } = markedCiphertext(5000);
  await claim(place, await addSecret(place, place.teamId, { ciphertext }));
  await sweepAll(place);
  expect(await filesWith(place, "base", marker)).toEqual([]);
  expect(await filesWith(place, "pg_wal", marker)).not.toEqual([]);
  await place.beside.unsafe("SELECT pg_switch_wal()");
  await place.beside.unsafe("CHECKPOINT");
  expect(await filesWith(place, "pg_wal", marker)).toEqual([]);
});

test("a transaction with an older snapshot still finds all of its rows, and delays the erasure", async () => {
  await using place = await openPlace();
  const { store, teamId, time, beside, connection } = place;
  const { marker, ciphertext } = markedCiphertext(5000);
  const secret = await addSecret(place, teamId, { ciphertext });
  const other = await addSecret(place, teamId);
  const copy = new SQL({ ...connection, adapter: "postgres", max: 1 });
  await copy.unsafe("BEGIN ISOLATION LEVEL REPEATABLE READ");
  await copy.unsafe("SELECT 1 FROM teams");
  const behind = async () => (await store.measureStorage()).erasingBehindMs;
  expect(await behind()).toBe(0);
  await claim(place, secret);
  await sweepAll(place);
  time.advance(60_000);
  await sweepAll(place);
  expect(await behind()).toBe(60_000);
  const [seen] = await copy.unsafe("SELECT ciphertext FROM ciphertexts ORDER BY length(ciphertext) DESC LIMIT 1");
  expect(seen.ciphertext).toBe(ciphertext);
  expect(await filesWith(place, "base", marker)).not.toEqual([]);
  await copy.unsafe("COMMIT");
  // The lock blocks others only for a moment, and is retried later.
  await copy.unsafe("BEGIN");
  await copy.unsafe("LOCK TABLE ciphertexts IN ACCESS SHARE MODE");
  await sweepAll(place);
  expect(await claim(place, other)).toMatchObject({ kind: "claimed" });
  expect(await filesWith(place, "base", marker)).not.toEqual([]);
  await copy.unsafe("COMMIT");
  time.advance(10_000);
  await sweepAll(place);
  expect(await filesWith(place, "base", marker)).toEqual([]);
  expect(await behind()).toBe(0);
  await copy.close();
  expect((await beside.unsafe("SELECT count(*)::int AS number FROM ciphertexts"))[0].number).toBe(0);
});

test("many available secrets are moved in small steps, and can be claimed meanwhile", async () => {
  await using place = await openPlace();
  const { teamId, time, beside } = place;
  const ciphertext = "x".repeat(1024 * 1024);
  const claimOne = async (secret: Awaited<ReturnType<typeof addSecret>>) =>
    expect(await claim(place, secret)).toMatchObject({ kind: "claimed", ciphertext });
  // IDs ascend, and rows are moved in this order.
  const first = await addSecret(place, teamId, { ciphertext });
  await Promise.all(Array.from({ length: 37 }, () => addSecret(place, teamId, { ciphertext })));
  const last = await addSecret(place, teamId, { ciphertext });
  const gone = await addSecret(place, teamId, { ciphertext });
  const halves = async () =>
    (await beside.unsafe("SELECT half, count(*)::int AS number FROM ciphertexts GROUP BY half ORDER BY half")).map(
      ({ number }: { number: number }) => number,
    );
  await claimOne(gone);
  await sweepAll(place);
  // The amount of one minute, plus the step that was in progress.
  expect(await halves()).toEqual([24, 15]);
  for (const secret of [first, last]) await claimOne(secret);
  time.advance(1000);
  await sweepAll(place);
  expect(await halves()).toEqual([22, 15]);
  time.advance(60_000);
  await sweepAll(place);
  expect(await halves()).toEqual([7, 30]);
  time.advance(60_000);
  await sweepAll(place);
  // All of it, and the same amount in the next turn, for the erasures of this one.
  expect(await halves()).toEqual([8, 29]);
});

test("while rows are being moved, each secret is claimed once and completely", async () => {
  await using place = await openPlace();
  const { teamId, time } = place;
  await using second = await openOver(place.connection, time).then((each) => ({
    ...each,
    [Symbol.asyncDispose]: () => each.store.close(),
  }));
  let isOver = false;
  let rounds = 0;
  const turning = async () => {
    for (; !isOver; rounds++) {
      time.advance(60_000);
      await place.store.sweep(100);
    }
  };
  const turns = turning();
  const expiresAt = time.now() + 80 * 86_400_000;
  const work = async (caller: number) => {
    for (let number = 0; number < 40; number++) {
      const [maker, taker] = caller % 2 === 0 ? [place, second] : [second, place];
      const ciphertext = `${caller}-${number}-`.repeat(200);
      const secret = await addSecret(maker, teamId, { ciphertext, expiresAt });
      const claims = await Promise.all([claim(taker, secret), claim(maker, secret)]);
      expect(claims).toContainEqual(expect.objectContaining({ kind: "ended" }));
      expect(claims).toContainEqual(expect.objectContaining({ kind: "claimed", ciphertext }));
    }
  };
  await Promise.all(Array.from({ length: 16 }, (_, caller) => work(caller)));
  isOver = true;
  await turns;
  expect(rounds).toBeGreaterThan(5);
}, 120_000);
