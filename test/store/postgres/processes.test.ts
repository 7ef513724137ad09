import { afterAll, afterEach, expect, jest, test } from "bun:test";
import { SQL } from "bun";
import type { EventRecord } from "../../../src/domain/ports/events.ts";
import { until } from "../../support/polls.ts";
import { openOver } from "../../support/postgres.ts";
import { sharedPostgres } from "../../support/shared-postgres.ts";
import {
  addIdentity,
  addRequest,
  addSecret,
  addTeam,
  callOf,
  claim,
  DAY,
  hashOf,
  MINUTE,
  newKey,
  newSecret,
  newSession,
  REPLAY_MS,
  submit,
  sweepAll,
} from "../../support/stores.ts";
import type { WorkingStore } from "../../support/stores.ts";
import { createTestClock } from "../../support/test-clocks.ts";
import type { TestClock } from "../../support/test-clocks.ts";

// For the database, several stores are the same as several processes.

const cluster = await sharedPostgres();
afterAll(() => cluster[Symbol.asyncDispose]());
afterEach(() => void jest.useRealTimers());

interface Several extends AsyncDisposable {
  readonly stores: readonly WorkingStore[];
  readonly times: readonly TestClock[];
  /** A connection beside the stores. */
  readonly beside: SQL;
}

/** Opens `count` stores over one empty database, each with its own clock. */
async function openSeveral(count: number): Promise<Several> {
  const connection = await cluster.makeDatabase();
  const times = Array.from({ length: count }, () => createTestClock());
  const stores = await Promise.all(times.map((time) => openOver(connection, time)));
  const beside = new SQL({ ...connection, adapter: "postgres", max: 2 });
  return {
    stores,
    times,
    beside,
    async [Symbol.asyncDispose]() {
      await Promise.all(stores.map(({ store }) => store.close()));
      await beside.close({ timeout: 0 });
    },
  };
}

/** The store with this number. */
function nth({ stores }: Several, number: number): WorkingStore {
  const store = stores[number % stores.length];
  if (!store) throw new Error("there is no store");
  return store;
}

/** Calls `make` many times at once, over the stores in rotation, and returns the results. */
function fromAll<T>(several: Several, count: number, make: (place: WorkingStore) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_, number) => make(nth(several, number))));
}

const kinds = (outcomes: readonly ({ readonly kind: string } | undefined)[]) =>
  Object.fromEntries(
    Object.entries(Object.groupBy(outcomes, (each) => each?.kind ?? "none")).map(([kind, list]) => [
      kind,
      list?.length,
    ]),
  );

test("as many claims from several processes succeed as are allowed", async () => {
  await using several = await openSeveral(3);
  const teamId = await addTeam(nth(several, 0));
  for (const maxClaims of [1, 3]) {
    const secrets = await fromAll(several, 20, (place) => addSecret(place, teamId, { maxClaims }));
    for (const secret of secrets) {
      const outcomes = await fromAll(several, 30, (place) => claim(place, secret));
      expect(kinds(outcomes)).toEqual({ claimed: maxClaims, ended: 30 - maxClaims });
    }
  }
});

test("when several processes claim many secrets in any order, each is claimed once and none is lost", async () => {
  await using several = await openSeveral(3);
  const teamId = await addTeam(nth(several, 0));
  const secrets = await fromAll(several, 100, (place) => addSecret(place, teamId));
  const orders = [secrets, secrets.toReversed(), secrets.toSorted(() => Math.random() - 0.5)];
  const outcomes = await Promise.all(
    orders.flatMap((order, number) => order.map((secret) => claim(nth(several, number), secret, secret.id))),
  );
  // All calls have the same key, as from one client that tries several addresses.
  expect(kinds(outcomes)).toEqual({ claimed: 100, replayed: 200 });
});

test("a list has each secret once, even one that is claimed while it is read", async () => {
  await using several = await openSeveral(2);
  const [one, other] = [nth(several, 0), nth(several, 1)];
  const teamId = await addTeam(one);
  const made = [];
  for (let number = 0; number < 60; number++) made.push(await addSecret(one, teamId));
  const ids = made.map(({ id }) => id).toReversed();
  let left = made.length;
  const claiming = (async () => {
    for (const secret of made) {
      await claim(other, secret);
      left -= 1;
    }
  })();
  let lists = 0;
  for (; left > 0; lists++) {
    const all = { state: undefined, createdBy: undefined, before: undefined };
    const { items } = await one.store.listSecrets({ ...all, teamId, limit: 100 });
    expect(items.map(({ id }) => id)).toEqual(ids);
  }
  await claiming;
  expect(lists).toBeGreaterThan(5);
});

test("a creation that is repeated at several processes stores one secret", async () => {
  await using several = await openSeveral(3);
  const teamId = await addTeam(nth(several, 0));
  for (let round = 0; round < 10; round++) {
    const outcomes = await fromAll(several, 12, (place) =>
      place.store.createSecret(newSecret(place, teamId, { call: callOf(`key ${round}`) })),
    );
    expect(kinds(outcomes)).toEqual({ created: 1, replayed: 11 });
    expect(new Set(outcomes.map((outcome) => "secret" in outcome && outcome.secret.id)).size).toBe(1);
  }
});

test("as many submissions at several processes are accepted as are allowed", async () => {
  await using several = await openSeveral(3);
  const teamId = await addTeam(nth(several, 0));
  const request = await addRequest(nth(several, 0), teamId, { maxSubmissions: 4 });
  const outcomes = await fromAll(several, 30, (place) => submit(place, request));
  expect(kinds(outcomes)).toEqual({ created: 4, closed: 26 });
});

test("a quota is never exceeded, however many processes use it, and can be used to the last byte", async () => {
  await using several = await openSeveral(3);
  const { store } = nth(several, 0);
  const teamId = await addTeam(nth(several, 0));
  await addSecret(nth(several, 0), teamId, { ciphertext: "x".repeat(1000) });
  const { storedBytes: each } = await store.findTeamUsage(teamId);
  const quotaBytes = 41 * each;
  const create = (place: WorkingStore) =>
    place.store.createSecret(newSecret(place, teamId, { ciphertext: "x".repeat(1000), quotaBytes }));
  expect(kinds(await fromAll(several, 300, create))).toEqual({ created: 40, quota_exceeded: 260 });
  expect((await store.findTeamUsage(teamId)).storedBytes).toBe(quotaBytes);
});

test("a reader with a cursor misses no late event of another process, and listeners get the same order", async () => {
  await using several = await openSeveral(3);
  const teamId = await addTeam(nth(several, 0));
  const received = several.stores.map(({ store }) => {
    const events: EventRecord[] = [];
    store.subscribe((event) => void events.push(event));
    return events;
  });
  let isOver = false;
  const read = async ({ store }: WorkingStore) => {
    const ids: string[] = [];
    for (;;) {
      const wasOver = isOver;
      const page = await store.listEvents(teamId, ids.at(-1), 7);
      ids.push(...page.map(({ id }) => id));
      if (wasOver && page.length === 0) return ids;
    }
  };
  const reading = several.stores.map(read);
  const make = async (place: WorkingStore) => claim(place, await addSecret(place, teamId));
  await Promise.all(
    several.stores.map(async (place) => {
      for (let round = 0; round < 30; round++) await Promise.all([make(place), make(place), make(place)]);
    }),
  );
  isOver = true;
  const logs = await Promise.all(reading);
  const all = (await nth(several, 0).store.listEvents(teamId, undefined, 1000)).map(({ id }) => id);
  expect(all).toHaveLength(3 * 30 * 3 * 2);
  expect(all).toEqual(all.toSorted());
  for (const log of logs) expect(log).toEqual(all);
  while (received.some((events) => events.length < all.length)) await new Promise(setImmediate);
  for (const events of received) expect(events.map(({ id }) => id)).toEqual(all);
});

test("a waiting call at another process gets an event at once, and soon after a lost notification", async () => {
  // With fake timers, polling runs only when the test advances them.
  jest.useFakeTimers();
  await using several = await openSeveral(2);
  const [one, two] = [nth(several, 0), nth(several, 1)];
  const teamId = await addTeam(one);
  const next = () => {
    const { promise, resolve } = Promise.withResolvers<string | null>();
    const end = two.store.subscribe(({ secretId }) => (end(), resolve(secretId)));
    return promise;
  };
  const announced = next();
  const { id } = await addSecret(one, teamId);
  expect(await announced).toBe(id);
  const unannounced = next();
  // Committed as if by a process whose notification is lost.
  await several.beside.begin(async (sql) => {
    await sql`UPDATE clocks SET last_place = last_place + 1`;
    await sql`INSERT INTO events (place, id, kept_at, team_id, type, created_at, secret_id)
      SELECT last_place, handoff_event_id(latest_at, last_place), latest_at, ${teamId}, 'secret.claimed', latest_at, ${id} FROM clocks`;
  });
  jest.advanceTimersByTime(1000);
  expect(await unannounced).toBe(id);
});

test("an expiry or a replay window that one process has reported holds in every other", async () => {
  await using several = await openSeveral(2);
  const [one, two] = [nth(several, 0), nth(several, 1)];
  const [ahead, behind] = several.times;
  const teamId = await addTeam(one);
  behind?.jump(-DAY);
  const reporters = {
    find: (id: string) => one.store.findSecret(teamId, id),
    list: () => one.store.listSecrets({ teamId, state: "expired", createdBy: undefined, limit: 5, before: undefined }),
    token: (id: string) => one.store.findSecretByClaimToken(hashOf(id), id),
    claim: (id: string) => claim(one, { id, teamId }),
    sweep: () => sweepAll(one),
  };
  for (const [reporter, report] of Object.entries(reporters)) {
    const { id, expiresAt } = await addSecret(one, teamId);
    ahead?.advance(expiresAt - one.clock.now());
    await report(id);
    expect({ reporter, secret: await two.store.findSecret(teamId, id) }).toMatchObject({
      reporter,
      secret: { state: "expired", endedAt: expiresAt },
    });
    expect(await claim(two, { id, teamId })).toEqual({ kind: "ended", state: "expired" });
  }
  const secret = await addSecret(one, teamId);
  await claim(one, secret, "key");
  expect(await claim(two, secret, "key")).toMatchObject({ kind: "replayed" });
  ahead?.advance(REPLAY_MS);
  expect(await claim(one, secret, "key")).toEqual({ kind: "replay_over" });
  expect(await claim(two, secret, "key")).toEqual({ kind: "replay_over" });
});

test("a read that depends on the time uses the latest time that another process has reported", async () => {
  await using several = await openSeveral(1);
  const place = nth(several, 0);
  const { store } = place;
  const key = newKey(place, await addIdentity(place, await addTeam(place)));
  await store.createKey(key, hashOf("key"));
  const reads = {
    findKeyByHash: () => store.findKeyByHash(hashOf("key")),
    findSession: () => store.findSession(hashOf("none")),
    findSignInLink: () => store.findSignInLink(hashOf("none")),
    countTeams: () => store.countTeams(),
    findKeyEnds: () => store.findKeyEnds(),
  };
  for (const [name, read] of Object.entries(reads)) {
    const latestAt = place.clock.now() + MINUTE;
    await several.beside`UPDATE clocks SET latest_at = ${latestAt}`;
    await read();
    expect({ name, isBehind: place.clock.now() < latestAt }).toEqual({ name, isBehind: false });
  }
});

test("a key that one process revokes is refused at the next request to another", async () => {
  await using several = await openSeveral(2);
  const [one, two] = [nth(several, 0), nth(several, 1)];
  const key = newKey(one, await addIdentity(one, await addTeam(one)));
  await one.store.createKey(key, hashOf("key"));
  expect((await two.store.findKeyByHash(hashOf("key")))?.revokedAt).toBeNull();
  await one.store.revokeKey(key.id);
  expect((await two.store.findKeyByHash(hashOf("key")))?.revokedAt).toBe(one.clock.now());
});

test("one process sweeps, and another takes over when its connection is lost", async () => {
  await using several = await openSeveral(2);
  const [one, two] = [nth(several, 0), nth(several, 1)];
  const teamId = await addTeam(one);
  await addSecret(one, teamId);
  for (const time of several.times) time.advance(DAY);
  expect(await one.store.sweep(100)).toBe(false);
  const { id } = await addSecret(one, teamId);
  for (const time of several.times) time.advance(DAY);
  await two.store.sweep(100);
  const [{ state } = { state: "" }] = (await several.beside`SELECT state FROM secrets WHERE id = ${id}`) as {
    state: string;
  }[];
  expect(state).toBe("available");
  // Waits until the connection is closed.
  await several.beside`SELECT pg_terminate_backend(pid, 10000) FROM pg_locks
    WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
  await two.store.sweep(100);
  const [after] = (await several.beside`SELECT state FROM secrets WHERE id = ${id}`) as { state: string }[];
  expect(after?.state).toBe("expired");
});

test("a team that is emptied while one of its secrets is claimed keeps no remembered call", async () => {
  await using several = await openSeveral(2);
  const [one, two] = [nth(several, 0), nth(several, 1)];
  const teamId = await addTeam(one);
  await addRequest(one, teamId, { call: callOf("request") });
  const { id } = await addSecret(one, teamId, { maxClaims: 2, call: callOf("secret") });
  const untilWaiting = (count: number) =>
    until(async () => {
      const [row] = (await several.beside`SELECT count(*)::int AS count FROM pg_stat_activity
        WHERE wait_event_type = 'Lock' AND datname = current_database()`) as { count: number }[];
      return row?.count === count;
    });
  const { claimed, emptied } = await several.beside.begin(async (sql) => {
    await sql`SELECT FROM secrets WHERE id = ${id} FOR UPDATE`;
    // They get the row in this order, once this transaction has ended.
    const claiming = claim(one, { id, teamId }, "claim");
    await untilWaiting(1);
    const emptying = two.store.emptyTeam(teamId);
    await untilWaiting(2);
    return { claimed: claiming, emptied: emptying };
  });
  expect(await claimed).toMatchObject({ kind: "claimed" });
  expect(await emptied).toBe(true);
  expect(await several.beside`SELECT digest FROM idempotent_calls`).toHaveLength(0);
});

test("secrets that expire in the same moment have events in creation order, wherever their rows are", async () => {
  await using several = await openSeveral(1);
  const place = nth(several, 0);
  const teamId = await addTeam(place);
  const ends = { expiresAt: place.clock.now() + 60_000, maxClaims: 3 };
  const first = await addSecret(place, teamId, ends);
  for (let number = 0; number < 2; number++) await claim(place, first);
  const second = await addSecret(place, teamId, ends);
  // The next row reuses the space of rows that the claims left behind.
  await several.beside.unsafe("VACUUM secrets");
  const third = await addSecret(place, teamId, ends);
  several.times[0]?.advance(60_000);
  while (await place.store.sweep(2));
  const events = await place.store.listEvents(teamId, undefined, 100);
  const expired = events.filter(({ type }) => type === "secret.expired").map(({ secretId }) => secretId);
  expect(expired).toEqual([first.id, second.id, third.id]);
});

test("a call that fails in the database fails alone, and the rest of its batch is committed", async () => {
  await using several = await openSeveral(1);
  const place = nth(several, 0);
  const teamId = await addTeam(place);
  const write = (change: object) =>
    place.store.createSecret(newSecret(place, teamId, change)).then(
      ({ kind }) => kind,
      () => "failed",
    );
  // Too large for an integer of PostgreSQL.
  const outcomes = await Promise.all([write({}), write({ maxClaims: 2 ** 40 }), write({})]);
  expect(outcomes).toEqual(["created", "failed", "created"]);
  expect(await place.store.listEvents(teamId, undefined, 10)).toHaveLength(2);
});

test("two processes that start on an empty database migrate it once", async () => {
  const connection = await cluster.makeDatabase();
  const stores = await Promise.all(Array.from({ length: 4 }, () => openOver(connection, createTestClock())));
  const ids = await Promise.all(stores.map(({ store }) => store.findInstallation()));
  expect(new Set(ids).size).toBe(1);
  await Promise.all(stores.map(({ store }) => store.close()));
}, 20_000);

test("the IDs of events contain their time, and ascend", async () => {
  await using several = await openSeveral(1);
  const place = nth(several, 0);
  const teamId = await addTeam(place);
  for (let n = 0; n < 3; n++) {
    await addSecret(place, teamId);
    several.times[0]?.advance(MINUTE);
  }
  const events = await place.store.listEvents(teamId, undefined, 10);
  for (const { id, createdAt } of events) {
    expect(id).toMatch(/^evt_[0-9a-v]{26}$/);
    expect(Math.floor(Number.parseInt(id.slice(4, 14), 32) / 4)).toBe(createdAt);
  }
});

test("an attempt, a passkey's counter and a session count on every server, and each is used once", async () => {
  await using several = await openSeveral(2);
  const [one, other] = [nth(several, 0), nth(several, 1)];
  const identity = await addIdentity(one, await addTeam(one), "person");
  const attempt = { purpose: "passkey_sign_in", challenge: "random", expiresAt: one.clock.now() + MINUTE } as const;
  await one.store.createAttempt(attempt, hashOf("attempt"));
  const takes = [one, other, one, other].map(({ store }) => store.takeAttempt(hashOf("attempt"), attempt.purpose));
  expect((await Promise.all(takes)).filter((taken) => taken !== undefined)).toEqual([attempt]);

  const credential = { credentialId: "name", publicKey: new Uint8Array(4), counter: 0, transports: [] };
  const passkey = { id: one.ids.next("passkey"), identity, ...credential, browser: null, system: null };
  expect(await one.store.addPasskey({ ...passkey, createdAt: one.clock.now(), lastUsedAt: null }, 20)).toBe("added");
  const use = { passkeyId: passkey.id, counter: 7 };
  const signIns = [one, other, one, other].map((at, n) =>
    at.store.signInWithPasskey(use, newSession(at, `session ${n}`)),
  );
  const results = await Promise.all(signIns);
  expect(results.filter((result) => result === "copied")).toHaveLength(3);
  const [begun] = results.filter((result) => result !== "copied" && result !== "abandoned");
  const hash = hashOf(`session ${results.indexOf(begun)}`);
  for (const { store } of several.stores) expect((await store.findSession(hash))?.id).toBe(begun?.id);
  expect(await other.store.endSessionOf(identity.id, begun?.id ?? "")).toBe(true);
  for (const { store } of several.stores) expect(await store.findSession(hash)).toBeUndefined();
});
