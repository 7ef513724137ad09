import { expect, test } from "bun:test";
import { startSweeper } from "../../../src/domain/sweeper.ts";
import { openSqliteSecrets } from "../../support/sqlite-secrets.ts";
import type { SqliteSecrets } from "../../support/sqlite-secrets.ts";

const MINUTE = 60_000;
const MIB = 1024 * 1024;

const countOf = (secrets: SqliteSecrets, where: string) =>
  secrets.query<{ n: number }>(`SELECT count(*) AS n FROM secrets WHERE ${where}`)[0]?.n ?? NaN;

const createMany = (secrets: SqliteSecrets, count: number) =>
  Promise.all(Array.from({ length: count }, () => secrets.create("ciphertext", { expires_in: 60 })));

test("a step changes at most as many rows as its limit, and returns true when more are due", async () => {
  await using secrets = await openSqliteSecrets();
  const { store } = secrets.backend.service;
  await createMany(secrets, 250);
  expect(await store.sweep(100)).toBe(false);
  secrets.backend.clock.advance(MINUTE);
  const left: number[] = [];
  const more: boolean[] = [];
  for (let step = 0; step < 3; step++) {
    more.push(await store.sweep(100));
    left.push(countOf(secrets, "state = 'available'"));
  }
  expect({ left, more }).toEqual({ left: [150, 50, 0], more: [true, true, false] });
});

test("a step has the same limit for tombstones, events and idempotent calls", async () => {
  await using secrets = await openSqliteSecrets();
  const { store } = secrets.backend.service;
  const created = await Promise.all(Array.from({ length: 30 }, (_, n) => secrets.create("text", {}, `key-${n}`)));
  await Promise.all(created.map(({ id }) => secrets.claim(id)));
  secrets.backend.clock.advance(31 * 24 * 60 * MINUTE);
  const sizes = () =>
    ["secrets", "events", "idempotent_calls"].map(
      (table) => secrets.query<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)[0]?.n,
    );
  expect(sizes()).toEqual([30, 60, 30]);
  expect(await store.sweep(20)).toBe(true);
  expect(sizes()).toEqual([10, 40, 10]);
  expect(await store.sweep(20)).toBe(true);
  expect(await store.sweep(20)).toBe(true);
  expect(await store.sweep(20)).toBe(false);
  expect(sizes()).toEqual([0, 0, 0]);
});

test("a step ends early once it has erased many bytes", async () => {
  await using secrets = await openSqliteSecrets();
  const large = "x".repeat(MIB);
  await Promise.all(Array.from({ length: 12 }, () => secrets.create(large, { expires_in: 60 })));
  secrets.backend.clock.advance(MINUTE);
  expect(await secrets.backend.service.store.sweep(100)).toBe(true);
  expect(countOf(secrets, "state = 'expired'")).toBe(5);
  await secrets.sweep();
  expect({ expired: countOf(secrets, "state = 'expired'"), bytes: secrets.heldBytes() }).toEqual({
    expired: 12,
    bytes: 0,
  });
});

test("while thousands of rows are due, requests are served between the steps", async () => {
  await using secrets = await openSqliteSecrets();
  await createMany(secrets, 3000);
  const { id } = await secrets.create("wanted", { expires_in: 3600 });
  secrets.backend.clock.advance(MINUTE);
  const sweeper = startSweeper({
    store: secrets.backend.service.store,
    intervalMs: 60_000,
    onError: (error) => {
      throw error;
    },
  });
  const swept = sweeper.sweep();
  expect((await secrets.claim(id)).envelope.ciphertext).toBe("wanted");
  const left = countOf(secrets, "state = 'available'");
  expect(left).toBeGreaterThan(2500);
  expect(left).toBeLessThan(3001);
  await swept;
  sweeper.stop();
  expect({ left: countOf(secrets, "state = 'available'"), bytes: secrets.heldBytes() }).toEqual({
    left: 0,
    bytes: 0,
  });
});

test("an idle server writes nothing", async () => {
  await using secrets = await openSqliteSecrets();
  await secrets.create("text");
  const version = () => secrets.query<{ latest_at: number }>("SELECT latest_at FROM clocks");
  secrets.backend.clock.advance(MINUTE);
  // The creation gets its seal.
  await secrets.sweep();
  const before = version();
  secrets.backend.clock.advance(MINUTE);
  await secrets.sweep();
  expect(version()).toEqual(before);
});

test("the sweeper changes no row that isn't due", async () => {
  await using secrets = await openSqliteSecrets();
  const young = await secrets.create("young", { expires_in: 61 });
  const replayable = await secrets.create("replayable");
  await secrets.claim(replayable.id, "key");
  await createMany(secrets, 1);
  secrets.backend.clock.advance(MINUTE);
  await secrets.sweep();
  expect(await secrets.find(young.id)).toMatchObject({ state: "available" });
  expect((await secrets.claim(replayable.id, "key")).envelope.ciphertext).toBe("replayable");
  expect(secrets.heldBytes()).toBe("young".length + "replayable".length);
});
