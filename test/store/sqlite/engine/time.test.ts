import { expect, test } from "bun:test";
import { requestsOf } from "../../../support/requests.ts";
import type { AskedRequest, TestRequests } from "../../../support/requests.ts";
import { refusalOf } from "../../../support/secrets.ts";
import { openSqliteSecrets } from "../../../support/sqlite-secrets.ts";
import type { SqliteSecrets } from "../../../support/sqlite-secrets.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

function rows(secrets: SqliteSecrets): Record<string, number> {
  const tables = ["secrets", "ciphertexts", "idempotent_calls", "events"];
  return Object.fromEntries(
    tables.map((table) => [table, secrets.query<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)[0]?.n ?? NaN]),
  );
}

test("a tombstone is kept for 30 days and then erased, with its events and idempotent calls", async () => {
  await using secrets = await openSqliteSecrets();
  const { clock } = secrets.backend;
  const claimed = await secrets.create("claimed", {}, "create");
  await secrets.claim(claimed.id, "claim");
  const revoked = await secrets.create("revoked");
  await secrets.revoke(revoked.id);
  const expired = await secrets.create("expired", { expires_in: 60 });
  clock.advance(30 * DAY - MINUTE);
  await secrets.sweep();
  for (const { id } of [claimed, revoked, expired]) expect((await secrets.find(id)).endedAt).not.toBeNull();
  expect(rows(secrets)).toEqual({ secrets: 3, ciphertexts: 0, idempotent_calls: 0, events: 6 });
  // The sweeper recorded the expiry late, so its event is young. The tombstone's age counts from the expiry itself.
  clock.advance(2 * MINUTE);
  await secrets.sweep();
  expect(rows(secrets)).toEqual({ secrets: 0, ciphertexts: 0, idempotent_calls: 0, events: 1 });
  for (const { id } of [claimed, revoked, expired]) expect(await refusalOf(secrets.find(id))).toBe("not_found");
  clock.advance(30 * DAY);
  await secrets.sweep();
  expect(rows(secrets)).toEqual({ secrets: 0, ciphertexts: 0, idempotent_calls: 0, events: 0 });
});

test("a tombstone is erased on time, even if the secret could have lived longer", async () => {
  await using secrets = await openSqliteSecrets({ tombstoneSeconds: DAY / 1000, maxTtlSeconds: (90 * DAY) / 1000 });
  const { clock } = secrets.backend;
  const { id } = await secrets.create("claimed", { expires_in: (90 * DAY) / 1000 });
  clock.advance(HOUR);
  await secrets.claim(id);
  clock.advance(DAY - 1);
  await secrets.sweep();
  expect(await secrets.find(id)).toMatchObject({ state: "claimed" });
  clock.advance(1);
  await secrets.sweep();
  expect(rows(secrets)["secrets"]).toBe(0);
});

test("an idempotent call is forgotten after 24 hours, even before the sweeper deletes it", async () => {
  await using secrets = await openSqliteSecrets();
  const first = await secrets.create("text", {}, "key");
  secrets.backend.clock.advance(DAY - 1);
  expect((await secrets.create("text", {}, "key")).id).toBe(first.id);
  secrets.backend.clock.advance(1);
  const second = await secrets.create("text", {}, "key");
  expect(second.id).not.toBe(first.id);
  expect((await secrets.create("text", {}, "key")).id).toBe(second.id);
});

test("a repeated creation gets the same answer, whatever the state of the secret", async () => {
  await using secrets = await openSqliteSecrets();
  const created = await secrets.create("text", {}, "key");
  await secrets.claim(created.id);
  expect(await secrets.create("text", {}, "key")).toEqual(created);
});

/** Ways to learn that a secret has expired. */
const REPORTERS: Record<string, (secrets: SqliteSecrets, id: string) => Promise<unknown>> = {
  "its metadata": async (secrets, id) => expect(await secrets.find(id)).toMatchObject({ state: "expired" }),
  "a claim": async (secrets, id) => expect(await refusalOf(secrets.claim(id))).toBe("secret_expired"),
  "a revocation": async (secrets, id) => expect(await refusalOf(secrets.revoke(id))).toBe("secret_expired"),
  "the sweeper": (secrets) => secrets.sweep(),
  "a list": async (secrets) => {
    const { teamId } = secrets.caller;
    const { store } = secrets.backend.service;
    const list = await store.listSecrets({
      teamId,
      state: "expired",
      createdBy: undefined,
      limit: 5,
      before: undefined,
    });
    expect(list.items).toMatchObject([{ state: "expired" }]);
  },
};

for (const [reporter, report] of Object.entries(REPORTERS)) {
  test(`a secret stays expired once ${reporter} has said so, after a clock jump or restart too`, async () => {
    await using secrets = await openSqliteSecrets();
    const { clock } = secrets.backend;
    const { id } = await secrets.create("text", { expires_in: 60 });
    clock.advance(MINUTE);
    await report(secrets, id);
    clock.advance(-HOUR);
    expect(await secrets.find(id)).toMatchObject({ state: "expired", claims: 0 });
    expect(await refusalOf(secrets.claim(id))).toBe("secret_expired");
    await secrets.backend.reopen();
    expect(await refusalOf(secrets.claim(id))).toBe("secret_expired");
    expect(await secrets.find(id)).toMatchObject({ state: "expired", claims: 0 });
  });
}

/** Ways to learn that a request has expired. */
const REQUEST_REPORTERS: Record<
  string,
  (requests: TestRequests, asked: AskedRequest, secrets: SqliteSecrets) => Promise<unknown>
> = {
  "its metadata": async ({ find }, { id }) => expect(await find(id)).toMatchObject({ request: { state: "expired" } }),
  "its invitation": async ({ invitation }, { submitToken }) =>
    expect(await refusalOf(invitation(submitToken))).toBe("request_expired"),
  "a submission": async ({ submit }, { submitToken }) =>
    expect(await refusalOf(submit(submitToken, "late"))).toBe("request_expired"),
  "a pause": async ({ turn }, { id }) => expect(await refusalOf(turn(id, "paused"))).toBe("request_expired"),
  "a revocation": async ({ revoke }, { id }) =>
    expect(await revoke(id)).toMatchObject({ request: { state: "expired" } }),
  "a list": async ({ list }) => expect((await list()).items).toMatchObject([{ state: "expired" }]),
  "a list of what has expired": async ({ list }) => expect((await list("expired")).items).toHaveLength(1),
  "the sweeper": (_requests, _asked, secrets) => secrets.sweep(),
};

for (const [reporter, report] of Object.entries(REQUEST_REPORTERS)) {
  test(`a request stays expired once ${reporter} has said so, after a clock jump or restart too`, async () => {
    await using secrets = await openSqliteSecrets();
    const { clock } = secrets.backend;
    const requests = requestsOf(secrets);
    const asked = await requests.ask({ expiresIn: 60 });
    clock.advance(MINUTE);
    await report(requests, asked, secrets);
    for (const next of [async () => clock.advance(-HOUR), () => secrets.backend.reopen()]) {
      await next();
      expect((await requests.list("open")).items).toEqual([]);
      expect(await refusalOf(requests.submit(asked.submitToken, "late"))).toBe("request_expired");
      expect(await requests.find(asked.id)).toMatchObject({ request: { state: "expired" }, submissions: [] });
    }
  });

  test(`a request stays expired once ${reporter} has said so, even after a crash`, async () => {
    await using secrets = await openSqliteSecrets();
    const { clock } = secrets.backend;
    const asked = await requestsOf(secrets).ask({ expiresIn: 60 });
    clock.advance(MINUTE);
    await report(requestsOf(secrets), asked, secrets);
    // After a crash, only what was written is known.
    const [saved] = secrets.query<{ at: number }>("SELECT latest_at AS at FROM clocks");
    expect(saved?.at).toBeGreaterThanOrEqual(clock.now());
  });
}

test("a submission stays expired once its request's metadata has said so, even after a restart", async () => {
  await using secrets = await openSqliteSecrets({ defaultTtlSeconds: 60 });
  const { clock } = secrets.backend;
  const requests = requestsOf(secrets);
  const asked = await requests.ask({ maxSubmissions: 2 });
  const { secret } = await requests.submit(asked.submitToken, "text");
  clock.advance(MINUTE);
  expect((await requests.find(asked.id)).submissions).toMatchObject([{ state: "expired" }]);
  clock.advance(-HOUR);
  await secrets.backend.reopen();
  expect((await requests.find(asked.id)).submissions).toMatchObject([{ state: "expired" }]);
  expect(await refusalOf(secrets.claim(secret.id))).toBe("secret_expired");
});

test("a clock that jumps back reopens no replay window, and no time goes backwards", async () => {
  await using secrets = await openSqliteSecrets();
  const { clock } = secrets.backend;
  const { id } = await secrets.create("text");
  await secrets.claim(id, "key");
  clock.advance(5 * MINUTE);
  expect(await refusalOf(secrets.claim(id, "key"))).toBe("secret_claimed");
  const before = secrets.backend.service.clock.now();
  clock.advance(-HOUR);
  await secrets.backend.reopen();
  expect(await refusalOf(secrets.claim(id, "key"))).toBe("secret_claimed");
  expect((await secrets.create("later")).createdAt).toBeGreaterThanOrEqual(before);
});

test("events keep their order across restarts with a clock that stands still or jumps back", async () => {
  await using secrets = await openSqliteSecrets();
  const { clock, service } = secrets.backend;
  const { teamId } = secrets.caller;
  const made: string[] = [];
  let cursor: string | undefined;
  for (let round = 0; round < 8; round++) {
    for (let n = 0; n < 5; n++) made.push((await secrets.create("text")).id);
    const { store } = await secrets.backend.reopen();
    // A reader with a cursor misses nothing.
    const news = await store.listEvents(teamId, cursor, 100);
    expect(news.map(({ secretId }) => secretId)).toEqual(made.slice(-5));
    cursor = news.at(-1)?.id;
    if (round % 2 === 0) clock.advance(-HOUR);
  }
  expect(service).not.toBe(secrets.backend.service);
  const all = await secrets.backend.service.store.listEvents(teamId, undefined, 100);
  expect(all.map(({ secretId }) => secretId)).toEqual(made);
});
