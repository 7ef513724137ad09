import { afterAll, expect, test } from "bun:test";
import { SQL } from "bun";
import type { Store } from "../../../src/domain/ports/store.ts";
import { startPostgresProxy } from "../../support/postgres-proxies.ts";
import { openOver, startPostgres } from "../../support/postgres.ts";
import {
  addIdentity,
  addRequest,
  addSecret,
  addTeam,
  callOf,
  claim,
  hashOf,
  submit,
  sweepAll,
} from "../../support/stores.ts";
import type { WorkingStore } from "../../support/stores.ts";
import { createTestClock } from "../../support/test-clocks.ts";

const cluster = await startPostgres({ autovacuum: "off" });
afterAll(() => cluster[Symbol.asyncDispose]());

const ROWS = 20_000;
/** The numbers of rows with which plans and statistics are made. */
const SMALL = [0, 300, 3000];
/** The number of the last row that is changed before that. */
const FEW = 80;
const HOUR = 3_600_000;
/** Callers each of which waits for its answer before it calls again. */
const CALLERS = 8;
const CALLS_EACH = 50;
const LARGE = [
  "teams",
  "secrets",
  "requests",
  "events",
  "idempotent_calls",
  "api_keys",
  "person_tokens",
  "sessions",
  "ciphertexts_0",
  "ciphertexts_1",
  "request_notes_0",
  "request_notes_1",
];

/**
 * Adds the rows numbered from `$4` to `$5` to all tables of a team: most secrets have ended, half belong to one ticket,
 * and half to one creator.
 */
const FILL = `
  INSERT INTO secrets SELECT 'sec_' || lpad(g::text, 9, '0'), $1, CASE g % 10 WHEN 0 THEN 'available' WHEN 1 THEN 'expired' WHEN 2 THEN 'revoked' ELSE 'claimed' END,
    1, 100, 'age', $2, $2 + ${HOUR}, 1, 0, NULL, CASE WHEN g % 2 = 0 THEN 'idn_creator' WHEN g % 9999 = 0 THEN 'idn_few' END, CASE WHEN g % 4 = 0 THEN 'req_' || lpad((g / 100)::text, 9, '0') END, NULL,
    CASE WHEN g % 2 = 0 THEN 'OPS-1' WHEN g % 9999 = 0 THEN 'OPS-2' END, sha256(('secret' || g)::bytea), $2 + ${HOUR} FROM generate_series($4, $5) AS g;
  INSERT INTO requests SELECT 'req_' || lpad(g::text, 9, '0'), $1, CASE g % 10 WHEN 0 THEN 'open' WHEN 1 THEN 'expired' ELSE 'fulfilled' END, 'age1', $2, $2 + ${HOUR}, 1, 0, NULL,
    CASE WHEN g % 2 = 0 THEN 'idn_creator' END, NULL, CASE WHEN g % 2 = 0 THEN 'OPS-1' END, sha256(('request' || g)::bytea), $2 + ${HOUR} FROM generate_series($4, $5) AS g;
  INSERT INTO events SELECT last_place + g - $4 + 1, 'evt_' || lpad(g::text, 20, '0'), $2, $1, 'secret.created', $2, 'sec_' || lpad(g::text, 9, '0'), NULL, NULL, NULL FROM clocks, generate_series($4, $5) AS g;
  UPDATE clocks SET last_place = last_place + $5 - $4 + 1;
  INSERT INTO idempotent_calls SELECT sha256(('call' || g)::bytea), sha256('x'::bytea), $1, 'sec_' || lpad(g::text, 9, '0'), $2 + ${HOUR}, NULL, NULL, NULL FROM generate_series($4, $5) AS g;
  INSERT INTO api_keys SELECT 'key_' || g, $3, sha256(('key' || g)::bytea), NULL, 'hint', $2, NULL, NULL, NULL, NULL, NULL FROM generate_series($4, $5) AS g;
  INSERT INTO person_tokens SELECT sha256(('link' || g)::bytea), $3, 'sign_in', $2, $2 + ${HOUR} FROM generate_series($4, $5) AS g;
  INSERT INTO sessions SELECT 'ses_' || g, sha256(('token' || g)::bytea), $3, 'link', NULL, NULL, $2, $2 + ${HOUR}, $2 FROM generate_series($4, $5) AS g;
  INSERT INTO ciphertexts SELECT 'sec_' || lpad(g::text, 9, '0'), repeat('x', 100), 0 FROM generate_series($4 - 1 + 10, $5, 10) AS g;
  INSERT INTO request_notes SELECT 'req_' || lpad(g::text, 9, '0'), 1, repeat('x', 100), 0 FROM generate_series($4 - 1 + 10, $5, 10) AS g`;

interface Filling {
  readonly teamId: string;
  readonly identityId: string;
  readonly now: number;
  /** The numbers of the first and last row. */
  readonly from: number;
  readonly to: number;
}

async function fill(beside: SQL, { teamId, identityId, now, from, to }: Filling): Promise<void> {
  const values = [`'${teamId}'`, `${now}::bigint`, `'${identityId}'`, String(from), String(to)];
  for (const statement of FILL.split(";")) {
    await beside.unsafe(statement.replaceAll(/\$(\d)/g, (_, number: string) => values[Number(number) - 1] ?? ""));
  }
}

interface Place extends WorkingStore {
  readonly teamId: string;
  readonly identityId: string;
}

const secretAt = (number: number) => `sec_${String(number).padStart(9, "0")}`;
const requestAt = (number: number) => `req_${String(number).padStart(9, "0")}`;
const page = { createdBy: undefined, reference: undefined, state: undefined, before: undefined, limit: 10 };

/** The calls, each of which needs a few rows. */
const CALLS: Record<string, (place: Place) => Promise<unknown>> = {
  "create a secret": (place) => addSecret(place, place.teamId, { call: callOf("made") }),
  "create a secret again": ({ store, teamId }) => store.replayCreation(teamId, callOf("made")),
  "claim a secret": (place) => claim(place, { id: secretAt(20), teamId: place.teamId }, "claimed"),
  "acknowledge a claim": ({ store }) => store.acknowledgeClaim(secretAt(20), hashOf("claimed")),
  "revoke a secret": ({ store, teamId }) => store.revokeSecret(teamId, secretAt(30), null),
  "find a secret": ({ store, teamId }) => store.findSecret(teamId, secretAt(40)),
  "find a secret by its token": ({ store }) => store.findSecretByClaimToken(hashOf("secret50"), undefined),
  "list secrets": ({ store, teamId }) => store.listSecrets({ ...page, teamId }),
  "list secrets of a state": ({ store, teamId }) =>
    store.listSecrets({ ...page, teamId, state: "available", before: secretAt(500) }),
  "list secrets of a creator of few": ({ store, teamId }) =>
    store.listSecrets({ ...page, teamId, createdBy: "idn_few" }),
  "list secrets about a ticket of few": ({ store, teamId }) =>
    store.listSecrets({ ...page, teamId, reference: "OPS-2" }),
  "list secrets of a team of none": ({ store }) => store.listSecrets({ ...page, teamId: "none" }),
  "list requests of a team of none": ({ store }) => store.listRequests({ ...page, teamId: "none", state: "expired" }),
  "list expired secrets": ({ store, teamId }) => store.listSecrets({ ...page, teamId, state: "expired" }),
  "create a request": (place) => addRequest(place, place.teamId, { call: callOf("asked") }),
  "find a request": ({ store, teamId }) => store.findRequest(teamId, requestAt(20)),
  "find a request by its token": ({ store }) => store.findRequestBySubmitToken(hashOf("request50"), undefined),
  "find a note": ({ store, teamId }) => store.findNote(teamId, requestAt(20)),
  "hand in": (place) => submit(place, { id: requestAt(30), teamId: place.teamId }),
  "list what was handed in": ({ store, teamId }) => store.listSubmissions(teamId, requestAt(40)),
  "revoke a request": ({ store, teamId }) => store.revokeRequest(teamId, requestAt(40), null),
  "list requests": ({ store, teamId }) => store.listRequests({ ...page, teamId }),
  "read events": ({ store, teamId }) => store.listEvents(teamId, `evt_${"9".padStart(20, "0")}`, 10),
  "read the latest event": ({ store, teamId }) => store.lastEventId(teamId),
  "read the events of a secret": async ({ store, teamId }) => {
    const secret = await store.findSecret(teamId, secretAt(60));
    return secret && store.listSecretEvents(secret);
  },
  "find a key": ({ store }) => store.findKeyByHash(hashOf("key10")),
  "find a key by its id": ({ store }) => store.findKey("key_20"),
  "revoke a key": ({ store }) => store.revokeKey("key_20"),
  "find a session": ({ store }) => store.findSession(hashOf("token10")),
  "find a sign-in link": ({ store }) => store.findSignInLink(hashOf("link10")),
  "end a session": ({ store }) => store.deleteSession(hashOf("token10")),
};

/** Lists that may have to skip rows of a creator or ticket, of which they read a bounded number. */
const LISTS: Record<string, (store: Store, teamId: string) => Promise<unknown>> = {
  "list secrets of a creator": (store, teamId) =>
    store.listSecrets({ ...page, teamId, createdBy: "idn_creator", state: "available" }),
  "list secrets about a ticket": (store, teamId) =>
    store.listSecrets({ ...page, teamId, reference: "OPS-1", state: "expired" }),
  "list requests of a creator": (store, teamId) =>
    store.listRequests({ ...page, teamId, createdBy: "idn_creator", state: "open" }),
  "list requests about a ticket": (store, teamId) =>
    store.listRequests({ ...page, teamId, reference: "OPS-1", state: "expired" }),
};

for (const isAnalyzed of [true, false]) {
  const when = isAnalyzed ? "with statistics" : "without statistics";
  test(`a call reads only the rows that it needs in large tables ${when}`, async () => {
    const connection = await cluster.makeDatabase();
    const beside = new SQL({ ...connection, adapter: "postgres", max: 1 });
    const time = createTestClock();
    const open = () => openOver(connection, time);
    const maker = await open();
    const teamId = await addTeam(maker);
    const { id: identityId } = await addIdentity(maker, teamId);
    await maker.store.close();
    await fill(beside, { teamId, identityId, now: time.now(), from: 1, to: ROWS });
    if (isAnalyzed) await beside.unsafe("VACUUM ANALYZE");
    const read: Record<string, number> = {};
    const idle = ["find that nothing is due", sweepAll] as const;
    const lists = Object.entries(LISTS).map(
      ([name, list]) => [name, ({ store }: Place) => list(store, teamId)] as const,
    );
    const calls = Object.entries(CALLS).filter(([name]) => isAnalyzed || !name.startsWith("list"));
    for (const [name, call] of [idle, ...calls, ...(isAnalyzed ? lists : [])]) {
      const before = await rowsRead(beside);
      const place = await open();
      await call({ ...place, teamId, identityId });
      await place.store.close();
      read[name] = (await rowsRead(beside)) - before;
    }
    await beside.close();
    // A row that is found through an index is counted twice.
    const bounds = (name: string) => (name in LISTS ? 8500 : 250);
    expect(Object.entries(read).filter(([name, rows]) => rows > bounds(name))).toEqual([]);
  }, 120_000);
}

/** Changes a few rows with every statement that creates, claims, hand-ins and revocations use. */
async function changeAll(place: Place, number: number): Promise<void> {
  const { store, teamId } = place;
  const id = secretAt(number);
  await claim(place, { id, teamId }, `claimed${number}`);
  await store.acknowledgeClaim(id, hashOf(`claimed${number}`));
  await store.revokeRequest(teamId, requestAt(number), null);
  await submit(place, { id: requestAt(number + 3), teamId });
  await addSecret(place, `team_${number}`, { call: callOf(`made${number}`) });
  store.recordKeyUse(`key_${number}`);
}

for (const small of SMALL) {
  test(`plans and statistics that were made with ${small} rows read no more rows in large tables`, async () => {
    const connection = await cluster.makeDatabase();
    const beside = new SQL({ ...connection, adapter: "postgres", max: 1 });
    const time = createTestClock();
    const open = () => openOver({ ...connection, max: 1 }, time);
    const opened = await open();
    const teamId = await addTeam(opened);
    const { id: identityId } = await addIdentity(opened, teamId);
    const place = { ...opened, teamId, identityId };
    const grow = async (from: number, to: number) => {
      await fill(beside, { teamId, identityId, now: time.now(), from, to });
      await addTeams(beside, { from, to });
    };
    await grow(1, small);
    await beside.unsafe("VACUUM ANALYZE");
    const first = Math.max(small, FEW);
    await grow(small + 1, first);
    // PostgreSQL keeps the plan that it makes at the sixth execution of a statement.
    for (let number = 10; number <= FEW; number += 10) await changeAll(place, number);
    await grow(first + 1, ROWS);
    await beside.unsafe("SELECT pg_stat_force_next_flush()");
    await beside.unsafe("SELECT pg_stat_reset()");
    for (let number = FEW + 10; number <= 2 * FEW; number += 10) await changeAll(place, number);
    await place.store.close();
    // Another process makes its plans now, with the statistics of before.
    const another = { ...(await open()), teamId, identityId };
    for (let number = 2 * FEW + 10; number <= 3 * FEW; number += 10) await changeAll(another, number);
    await another.store.close();
    // The store reads the rows that `fill` adds to events at some time, to deliver them; these calls don't.
    const tables = LARGE.filter((name) => name !== "events");
    const read = await rowsRead(beside, tables);
    await beside.close();
    // Includes the counts for the small tables, which PostgreSQL reports with a delay.
    expect(read).toBeLessThan(ROWS);
  }, 120_000);
}

test("a create and a claim take two round trips each", async () => {
  await using proxy = await startPostgresProxy(await cluster.makeDatabase());
  const place = await openOver(proxy.connection, createTestClock());
  const teamId = await addTeam(place);
  const counts: number[] = [];
  for (let times = 0; times < 8; times++) {
    const before = proxy.roundTrips();
    const { id } = await addSecret(place, teamId);
    await claim(place, { id, teamId });
    counts.push(proxy.roundTrips() - before);
  }
  await place.store.close();
  // The first ones prepare their statements, and the store looks for events at times.
  expect(Math.min(...counts)).toBe(4);
}, 30_000);

test("callers that begin at different times come to share their transactions", async () => {
  await using proxy = await startPostgresProxy(await cluster.makeDatabase());
  const place = await openOver(proxy.connection, createTestClock());
  const teamId = await addTeam(place);
  const callers: Promise<void>[] = [];
  const before = proxy.roundTrips();
  for (let caller = 0; caller < CALLERS; caller++) {
    const begun = proxy.roundTrips();
    callers.push(createMany(place, teamId));
    // The next one finds a transaction under way.
    while (proxy.roundTrips() === begun) await new Promise(setImmediate);
  }
  await Promise.all(callers);
  const roundTrips = proxy.roundTrips() - before;
  await place.store.close();
  // The least are two for each call of one caller, and some more at both ends.
  expect(roundTrips).toBeLessThan(4.4 * CALLS_EACH);
}, 30_000);

/** Creates secrets, each once the former is stored. */
async function createMany(place: WorkingStore, teamId: string): Promise<void> {
  for (let made = 0; made < CALLS_EACH; made++) await addSecret(place, teamId);
}

async function addTeams(beside: SQL, { from, to }: Pick<Filling, "from" | "to">): Promise<void> {
  await beside.unsafe(
    "INSERT INTO teams SELECT 'team_' || g, 'team ' || g, 0, 0, NULL FROM generate_series($1::integer, $2::integer) AS g",
    [from, to],
  );
}

/** Returns the rows and index entries that were ever read from large tables, once all other connections are closed. */
async function rowsRead(beside: SQL, tables = LARGE): Promise<number> {
  const others =
    "SELECT count(*)::int AS number FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()";
  while ((await beside.unsafe(others))[0].number > 0) await new Promise(setImmediate);
  const [row] = await beside.unsafe(
    `SELECT (SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0)) FROM pg_stat_user_tables WHERE relname = ANY(ARRAY(SELECT json_array_elements_text($1::text::json))))::int
       + (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes WHERE relname = ANY(ARRAY(SELECT json_array_elements_text($1::text::json))))::int AS rows`,
    [JSON.stringify(tables)],
  );
  return row.rows;
}
