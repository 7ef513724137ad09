import { afterAll, afterEach, expect, jest, test } from "bun:test";
import { SQL } from "bun";
import type { EventRecord } from "../../../src/domain/ports/events.ts";
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
  REPLAY_MS,
  submit,
  sweepAll,
} from "../../support/stores.ts";
import type { WorkingStore } from "../../support/stores.ts";
import { createTestClock } from "../../support/test-clocks.ts";
import type { TestClock } from "../../support/test-clocks.ts";

// Several stores over one database are several processes, as far as the database can tell.

const cluster = await sharedPostgres();
afterAll(() => cluster[Symbol.asyncDispose]());
afterEach(() => void jest.useRealTimers());

interface Several extends AsyncDisposable {
  readonly stores: readonly WorkingStore[];
  readonly times: readonly TestClock[];
  /** Who holds the database beside them. */
  readonly beside: SQL;
}

/** Opens `count` stores over one empty database, each with a clock of its own. */
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

/** What `make` resolves with, called many times at once, from one store after the other. */
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

test("of claims from several processes as many win as are allowed", async () => {
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

test("of claims of many secrets in any order, from several processes, each is won once and none is lost", async () => {
  await using several = await openSeveral(3);
  const teamId = await addTeam(nth(several, 0));
  const secrets = await fromAll(several, 100, (place) => addSecret(place, teamId));
  const orders = [secrets, secrets.toReversed(), secrets.toSorted(() => Math.random() - 0.5)];
  const outcomes = await Promise.all(
    orders.flatMap((order, number) => order.map((secret) => claim(nth(several, number), secret, secret.id))),
  );
  // All come with the same key, as one caller does who tries at one address after the other.
  expect(kinds(outcomes)).toEqual({ claimed: 100, replayed: 200 });
});

test("a list has each secret once, also those that are claimed while it is read", async () => {
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

test("a creation that is repeated at several processes is made once", async () => {
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

test("of submissions at several processes as many are taken as are allowed", async () => {
  await using several = await openSeveral(3);
  const teamId = await addTeam(nth(several, 0));
  const request = await addRequest(nth(several, 0), teamId, { maxSubmissions: 4 });
  const outcomes = await fromAll(several, 30, (place) => submit(place, request));
  expect(kinds(outcomes)).toEqual({ created: 4, closed: 26 });
});

test("a quota is not exceeded by one byte, however many processes add to it, and all of it can be used", async () => {
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

test("whoever reads on after a place misses no event that another process commits late, and each hears all in one order", async () => {
  await using several = await openSeveral(3);
  const teamId = await addTeam(nth(several, 0));
  const heard = several.stores.map(({ store }) => {
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
  while (heard.some((events) => events.length < all.length)) await new Promise(setImmediate);
  for (const events of heard) expect(events.map(({ id }) => id)).toEqual(all);
});

test("an event is heard of at once by who waits at another process, and also when its notification is lost", async () => {
  // None looks whether it has lost one until it is let.
  jest.useFakeTimers();
  await using several = await openSeveral(2);
  const [one, two] = [nth(several, 0), nth(several, 1)];
  const teamId = await addTeam(one);
  const next = () => {
    const { promise, resolve } = Promise.withResolvers<string | null>();
    const end = two.store.subscribe(({ secretId }) => (end(), resolve(secretId)));
    return promise;
  };
  const told = next();
  const { id } = await addSecret(one, teamId);
  expect(await told).toBe(id);
  const untold = next();
  // As it is committed by who cannot notify.
  await several.beside.begin(async (sql) => {
    await sql`UPDATE clocks SET last_place = last_place + 1`;
    await sql`INSERT INTO events (place, id, kept_at, team_id, type, created_at, secret_id)
      SELECT last_place, handoff_event_id(latest_at, last_place), latest_at, ${teamId}, 'secret.claimed', latest_at, ${id} FROM clocks`;
  });
  jest.advanceTimersByTime(1000);
  expect(await untold).toBe(id);
});

test("what one process has told of time, none tells otherwise: neither what has expired, nor what can be repeated", async () => {
  await using several = await openSeveral(2);
  const [one, two] = [nth(several, 0), nth(several, 1)];
  const [ahead, behind] = several.times;
  const teamId = await addTeam(one);
  behind?.jump(-DAY);
  const tellers = {
    find: (id: string) => one.store.findSecret(teamId, id),
    list: () => one.store.listSecrets({ teamId, state: "expired", createdBy: undefined, limit: 5, before: undefined }),
    token: (id: string) => one.store.findSecretByClaimToken(hashOf(id), id),
    claim: (id: string) => claim(one, { id, teamId }),
    sweep: () => sweepAll(one),
  };
  for (const [teller, tell] of Object.entries(tellers)) {
    const { id, expiresAt } = await addSecret(one, teamId);
    ahead?.advance(expiresAt - one.clock.now());
    await tell(id);
    expect({ teller, secret: await two.store.findSecret(teamId, id) }).toMatchObject({
      teller,
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

test("a read that depends on the time sees the time that another process has told", async () => {
  await using several = await openSeveral(1);
  const place = nth(several, 0);
  const { store } = place;
  const key = newKey(place, await addIdentity(place, await addTeam(place)));
  await store.createKey(key, hashOf("key"));
  const reads = {
    findKeyByHash: () => store.findKeyByHash(hashOf("key")),
    findPersonToken: () => store.findPersonToken(hashOf("none"), "session"),
    countTeams: () => store.countTeams(),
    findKeyEnds: () => store.findKeyEnds(),
  };
  for (const [name, read] of Object.entries(reads)) {
    const told = place.clock.now() + MINUTE;
    await several.beside`UPDATE clocks SET latest_at = ${told}`;
    await read();
    expect({ name, isBehind: place.clock.now() < told }).toEqual({ name, isBehind: false });
  }
});

test("a key that is revoked by one process is revoked for the next request at another", async () => {
  await using several = await openSeveral(2);
  const [one, two] = [nth(several, 0), nth(several, 1)];
  const key = newKey(one, await addIdentity(one, await addTeam(one)));
  await one.store.createKey(key, hashOf("key"));
  expect((await two.store.findKeyByHash(hashOf("key")))?.revokedAt).toBeNull();
  await one.store.revokeKey(key.id);
  expect((await two.store.findKeyByHash(hashOf("key")))?.revokedAt).toBe(one.clock.now());
});

test("one process sweeps, and when its connection ends another takes over", async () => {
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
  // It waits until the connection has ended.
  await several.beside`SELECT pg_terminate_backend(pid, 10000) FROM pg_locks
    WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
  await two.store.sweep(100);
  const [after] = (await several.beside`SELECT state FROM secrets WHERE id = ${id}`) as { state: string }[];
  expect(after?.state).toBe("expired");
});

test("what expires in the same moment is told in the order in which it was created, wherever it stands", async () => {
  await using several = await openSeveral(1);
  const place = nth(several, 0);
  const teamId = await addTeam(place);
  const ends = { expiresAt: place.clock.now() + 60_000, maxClaims: 3 };
  const first = await addSecret(place, teamId, ends);
  for (let number = 0; number < 2; number++) await claim(place, first);
  const second = await addSecret(place, teamId, ends);
  // The next row takes the place of what the claims have left.
  await several.beside.unsafe("VACUUM secrets");
  const third = await addSecret(place, teamId, ends);
  several.times[0]?.advance(60_000);
  while (await place.store.sweep(2));
  const events = await place.store.listEvents(teamId, undefined, 100);
  const expired = events.filter(({ type }) => type === "secret.expired").map(({ secretId }) => secretId);
  expect(expired).toEqual([first.id, second.id, third.id]);
});

test("a call that fails in the database fails alone, and what came with it is committed", async () => {
  await using several = await openSeveral(1);
  const place = nth(several, 0);
  const teamId = await addTeam(place);
  const write = (change: object) =>
    place.store.createSecret(newSecret(place, teamId, change)).then(
      ({ kind }) => kind,
      () => "failed",
    );
  // No integer of PostgreSQL is as large.
  const outcomes = await Promise.all([write({}), write({ maxClaims: 2 ** 40 }), write({})]);
  expect(outcomes).toEqual(["created", "failed", "created"]);
  expect(await place.store.listEvents(teamId, undefined, 10)).toHaveLength(2);
});

test("two processes that start at once on an empty database bring it up to date once", async () => {
  const connection = await cluster.makeDatabase();
  const stores = await Promise.all(Array.from({ length: 4 }, () => openOver(connection, createTestClock())));
  const ids = await Promise.all(stores.map(({ store }) => store.findInstallation()));
  expect(new Set(ids).size).toBe(1);
  await Promise.all(stores.map(({ store }) => store.close()));
}, 20_000);

test("ids of events have their time, and ascend", async () => {
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
