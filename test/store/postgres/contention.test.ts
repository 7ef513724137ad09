import { afterAll, expect, test } from "bun:test";
import { SQL } from "bun";
import { until } from "../../support/polls.ts";
import { openOver, startPostgres } from "../../support/postgres.ts";
import { refusalOf } from "../../support/secrets.ts";
import { addRequest, addSecret, addTeam, claim, submit } from "../../support/stores.ts";
import type { WorkingStore } from "../../support/stores.ts";
import { createTestClock } from "../../support/test-clocks.ts";

const cluster = await startPostgres();
afterAll(() => cluster[Symbol.asyncDispose]());

/** Opens a store with two secrets, and another connection that can lock their rows. */
async function openBesideAnother(settings: Readonly<Record<string, string>>) {
  const connection = await cluster.makeDatabase();
  const place = await openOver({ ...connection, connection: settings }, createTestClock());
  const teamId = await addTeam(place);
  const made = [await addSecret(place, teamId), await addSecret(place, teamId)];
  const [first = "", second = ""] = made.map(({ id }) => id).toSorted();
  const other = new SQL({ ...connection, adapter: "postgres", max: 1, connection: { deadlock_timeout: "60000" } });
  return {
    place,
    teamId,
    first,
    second,
    other,
    claim: (id: string) => claim(place, { id, teamId }),
    begin: () => other.unsafe("BEGIN"),
    lock: (id: string) => other.unsafe("SELECT id FROM secrets WHERE id = $1 FOR UPDATE", [id]),
    end: () => other.unsafe("ROLLBACK"),
    /** Resolves once the store waits for the other connection's lock. */
    async untilItWaits() {
      const waits = "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock'";
      while ((await cluster.run(waits)).length === 0);
    },
    async [Symbol.asyncDispose]() {
      await place.store.close();
      await other.close({ timeout: 0 });
    },
  };
}

test("a deadlock is resolved by a retry, and no caller gets an error", async () => {
  await using both = await openBesideAnother({ deadlock_timeout: "50" });
  const { first, second } = both;
  await both.begin();
  await both.lock(second);
  const claims = Promise.all([both.claim(first), both.claim(second)]);
  await both.untilItWaits();
  // Each waits for the other's lock, until the store's transaction is rolled back.
  await both.lock(first);
  await both.end();
  expect((await claims).map((outcome) => outcome?.kind)).toEqual(["claimed", "claimed"]);
});

test("a call is refused after its lock timeout without any change, and other calls go on", async () => {
  await using both = await openBesideAnother({ lock_timeout: "300" });
  const { first, second } = both;
  await both.begin();
  await both.lock(first);
  expect(await refusalOf(both.claim(first))).toBe("storage_unavailable");
  expect(await both.claim(second)).toMatchObject({ kind: "claimed" });
  expect(await both.place.store.findTroubles()).toEqual([]);
  await both.end();
  expect(await both.claim(first)).toMatchObject({ kind: "claimed" });
});

test("a lock stays a reported trouble until it is released, even after all waiting calls have timed out", async () => {
  await using both = await openBesideAnother({ lock_timeout: "6000" });
  const { place, first } = both;
  const codes = async () => (await place.store.findTroubles()).map(({ code }) => code);
  await both.begin();
  await both.lock(first);
  const refused = refusalOf(both.claim(first));
  await until(async () => (await codes()).length > 0, 50);
  expect(await codes()).toEqual(["locked"]);
  expect(await refused).toBe("storage_unavailable");
  const waits = "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock'";
  expect(await cluster.run(waits)).toEqual([]);
  for (let look = 0; look < 5; look++) expect(await codes()).toEqual(["locked"]);
  await both.end();
  expect(await codes()).toEqual([]);
  expect(await both.claim(first)).toMatchObject({ kind: "claimed" });
}, 30_000);

// Each of these changes erases a ciphertext or a note. Another connection locks that row until the expiry is reported.
const LATE_CHANGES = {
  "a claim": { kind: "secret", change: ({ place, subject }) => claim(place, subject) },
  "a revocation": {
    kind: "secret",
    change: ({ place, subject: { id, teamId } }) => place.store.revokeSecret(teamId, id, null),
  },
  "a submission": { kind: "request", change: ({ place, subject }) => submit(place, subject) },
  "the revocation of a request": {
    kind: "request",
    change: ({ place, subject: { id, teamId } }) => place.store.revokeRequest(teamId, id, null),
  },
} satisfies Record<string, { kind: "secret" | "request"; change: (late: Late) => Promise<unknown> }>;

interface Late {
  readonly place: WorkingStore;
  readonly subject: { readonly id: string; readonly teamId: string };
}

for (const [name, { kind, change }] of Object.entries(LATE_CHANGES)) {
  test(`${name} does not commit after another process has reported the expiry`, async () => {
    await using both = await openBesideAnother({ lock_timeout: "20000" });
    const { place, teamId, other } = both;
    const isSecret = kind === "secret";
    const subject = isSecret ? await addSecret(place, teamId) : await addRequest(place, teamId);
    await both.begin();
    await other.unsafe(
      isSecret
        ? "SELECT FROM ciphertexts WHERE secret_id = $1 FOR UPDATE"
        : "SELECT FROM request_notes WHERE request_id = $1 FOR UPDATE",
      [subject.id],
    );
    const changed = change({ place, subject });
    await both.untilItWaits();
    await other.unsafe("UPDATE clocks SET latest_at = $1", [subject.expiresAt]);
    await other.unsafe("COMMIT");
    const outcome = await changed;
    expect(JSON.stringify(outcome)).toContain('"state":"expired"');
    const [event] = (await place.store.listEvents(teamId, undefined, 100)).slice(-1);
    expect(event?.type).toBe(isSecret ? "secret.expired" : "request.expired");
  });
}
