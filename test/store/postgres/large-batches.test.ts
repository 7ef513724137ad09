import { afterAll, expect, test } from "bun:test";
import { SQL } from "bun";
import { openOver } from "../../support/postgres.ts";
import { sharedPostgres } from "../../support/shared-postgres.ts";
import { addSecret, addTeam, callOf, claim } from "../../support/stores.ts";
import { createTestClock } from "../../support/test-clocks.ts";

const cluster = await sharedPostgres();
afterAll(() => cluster[Symbol.asyncDispose]());

const LARGE = 6 * 1024 * 1024;

async function openPlace() {
  const connection = await cluster.makeDatabase();
  const time = createTestClock();
  const { store, ...rest } = await openOver(connection, time);
  return {
    ...rest,
    store,
    time,
    connection,
    teamId: await addTeam({ store, ...rest }),
    [Symbol.asyncDispose]: () => store.close(),
  };
}

test("large secrets that are claimed at the same time are read a few at a time, and each is claimed once", async () => {
  await using place = await openPlace();
  const { teamId, store } = place;
  const letters = Array.from("abcdefghij");
  const secrets = [];
  for (const letter of letters) secrets.push(await addSecret(place, teamId, { ciphertext: letter.repeat(LARGE) }));
  const small = await addSecret(place, teamId, { ciphertext: "small" });
  const { writes: before } = await store.measureStorage();
  const outcomes = await Promise.all([
    ...secrets.map((secret, number) => claim(place, secret, `key-${number}`)),
    claim(place, small),
    ...secrets.map((secret) => claim(place, secret)),
  ]);
  const { writes } = await store.measureStorage();
  expect(outcomes.map((outcome) => outcome?.kind)).toEqual([
    ...letters.map(() => "claimed" as const),
    "claimed",
    ...letters.map(() => "ended" as const),
  ]);
  for (const [number, letter] of letters.entries()) {
    const outcome = outcomes[number];
    expect(outcome?.kind === "claimed" && outcome.ciphertext === letter.repeat(LARGE)).toBe(true);
  }
  // Three at a time: 16 MiB, and one more secret.
  expect((writes?.transactions ?? 0) - (before?.transactions ?? 0)).toBeGreaterThanOrEqual(4);
  expect((writes?.writes ?? 0) - (before?.writes ?? 0)).toBe(21);
  // A repeated claim gets its ciphertext too.
  const again = await claim(place, secrets[0] ?? small, "key-0");
  expect(again).toMatchObject({ kind: "replayed" });
}, 60_000);

test("expired secrets are erased a few megabytes at a time", async () => {
  await using place = await openPlace();
  const { teamId, store, time, connection } = place;
  const ciphertext = "x".repeat(1024 * 1024);
  for (let number = 0; number < 12; number++) await addSecret(place, teamId, { ciphertext, call: callOf(`${number}`) });
  await using beside = new SQL({ ...connection, adapter: "postgres", max: 1 });
  const left = async () => (await beside.unsafe("SELECT count(*)::int AS number FROM ciphertexts"))[0].number as number;
  time.advance(3_700_000);
  const steps: number[] = [];
  do steps.push(await left());
  while (await store.sweep(100));
  expect(steps).toEqual([12, 7, 2]);
  expect(await left()).toBe(0);
}, 60_000);
