import { afterAll, expect, test } from "bun:test";
import { SQL } from "bun";
import { openOver, startPostgres } from "../../support/postgres.ts";
import { addRequest, addSecret, addTeam, callOf, claim, hashOf, submit, sweepAll } from "../../support/stores.ts";
import type { WorkingStore } from "../../support/stores.ts";
import { createTestClock } from "../../support/test-clocks.ts";

const cluster = await startPostgres({ autovacuum: "off", fsync: "off" });
afterAll(() => cluster[Symbol.asyncDispose]());

/** Enough rows to fill pages, in rounds with a VACUUM after each, as PostgreSQL runs it by itself. */
const [ROUNDS, ROWS] = [4, 500];
const CREATOR = "idn_0123456789abcdefghijklmnop";

interface Place extends WorkingStore {
  readonly teamId: string;
}

const referenceOf = (n: number) => `ABCDEFGHIJKLMNOP-${100_000_000 + n}`;
const random = (length: number) =>
  Buffer.from(crypto.getRandomValues(new Uint8Array(length)))
    .toString("base64url")
    .slice(0, length);
const create = (place: Place, length: number, more: object = {}) =>
  addSecret(place, place.teamId, { ciphertext: "x".repeat(length), createdBy: CREATOR, ...more });
const ask = (place: Place, more: object = {}) =>
  addRequest(place, place.teamId, { note: undefined, createdBy: CREATOR, ...more });
const noteOf = (length: number) => ({ note: { version: 1, ciphertext: "x".repeat(length) } as const });

/** The rows that fill a database, by kind. */
const FILLINGS: Record<string, (place: Place, n: number) => Promise<unknown>> = {
  "secrets of one byte": (place) => create(place, 1),
  "secrets of one byte that can be repeated": (place, n) => create(place, 1, { call: callOf(`key-${n}`) }),
  "secrets of 1,000 bytes": (place) => create(place, 1000),
  "secrets of 2,100 bytes": (place) => create(place, 2100),
  "secrets of 4,080 bytes": (place) => create(place, 4080),
  "secrets of 20,000 bytes": (place) => create(place, 20_000),
  "secrets with a reference": (place, n) => create(place, 1, { reference: referenceOf(n) }),
  "tombstones of claimed secrets": async (place) => claim(place, await create(place, 1)),
  "tombstones of claims that could be repeated": async (place, n) => {
    const { id, teamId } = await create(place, 1, { call: callOf(`key-${n}`) });
    await claim(place, { id, teamId }, `claim-${n}`);
    await place.store.acknowledgeClaim(id, hashOf(`claim-${n}`));
  },
  "requests without a note": (place) => ask(place),
  "requests with a short note": (place) => ask(place, noteOf(300)),
  "requests with the longest note": (place) => ask(place, noteOf(16_384)),
  "requests with a post-quantum recipient": (place) => ask(place, { recipient: random(1960) }),
  "requests with a reference": (place, n) => ask(place, { reference: referenceOf(n) }),
  "what was handed in": async (place) => submit(place, await ask(place, noteOf(100)), { ciphertext: "x".repeat(500) }),
};

for (const [what, fill] of Object.entries(FILLINGS)) {
  test(`${what}: the charge is at least the growth of the tables, and at most half more`, async () => {
    const connection = await cluster.makeDatabase();
    const time = createTestClock();
    const { store, ...rest } = await openOver(connection, time);
    const place = { store, ...rest, teamId: await addTeam({ store, ...rest }) };
    const beside = new SQL({ ...connection, adapter: "postgres", max: 1 });
    const measure = async () => (await beside.unsafe(USED))[0] as { used: number; charged: number };
    // Every table and index gets its first page before the measurement.
    await create(place, 1);
    await ask(place, noteOf(1));
    const before = await measure();
    for (let round = 0; round < ROUNDS; round++) {
      await Promise.all(Array.from({ length: ROWS }, (_, n) => fill(place, round * ROWS + n)));
      await beside.unsafe("VACUUM");
    }
    time.advance(60_000);
    await sweepAll(place);
    const { used, charged } = await measure();
    const ratio = (charged - before.charged) / (used - before.used);
    await store.close();
    await beside.close();
    expect(ratio).toBeGreaterThan(1);
    expect(ratio).toBeLessThan(1.5);
  }, 60_000);
}

/** Returns the used disk space and the charge. The audit log isn't charged. */
const USED = `SELECT (SELECT sum(pg_total_relation_size(oid))::int FROM pg_class
    WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND relname <> 'admin_log') AS used,
  (SELECT sum(stored_bytes)::int FROM teams) AS charged`;
