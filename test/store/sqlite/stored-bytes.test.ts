import { expect, test } from "bun:test";
import { takeBack } from "../../support/old-databases.ts";
import { requestsOf } from "../../support/requests.ts";
import { refusalOf } from "../../support/secrets.ts";
import { checkpoint, inDatabase, recountStoredBytes } from "../../support/sqlite-files.ts";
import { openSqliteSecrets } from "../../support/sqlite-secrets.ts";
import type { SqliteSecrets } from "../../support/sqlite-secrets.ts";

const DAY = 86_400_000;
const ROWS = 400;

const many = (make: (index: number) => Promise<unknown>) =>
  Promise.all(Array.from({ length: ROWS }, (_, i) => make(i)));

/** A reference of the maximum length. */
const referenceOf = (n: number) => `ABCDEFGHIJKLMNOP-${100_000_000 + n}`;

/** The rows that fill a database, by kind. */
const FILLINGS: Record<string, (secrets: SqliteSecrets) => Promise<unknown>> = {
  "secrets of one byte": (secrets) => many(() => secrets.create("x")),
  "secrets of one byte that can be repeated": (secrets) => many((index) => secrets.create("x", {}, `key-${index}`)),
  "secrets of 4,080 bytes": (secrets) => many(() => secrets.create("x".repeat(4080))),
  "secrets of 20,000 bytes": (secrets) => many(() => secrets.create("x".repeat(20_000))),
  "tombstones of claimed secrets": (secrets) => many(async () => secrets.claim((await secrets.create("x")).id)),
  "tombstones of claims that could be repeated": (secrets) =>
    many(async (index) => {
      const { id } = await secrets.create("x", {}, `key-${index}`);
      await secrets.claim(id, "claim");
      await secrets.acknowledge(id, "claim");
    }),
  "tombstones of revoked secrets": (secrets) => many(async () => secrets.revoke((await secrets.create("x")).id)),
  "requests without a note": (secrets) => many(() => requestsOf(secrets).ask()),
  "requests with a short note": (secrets) => many(() => requestsOf(secrets).ask({ note: "x".repeat(300) })),
  "requests with the longest note": (secrets) => many(() => requestsOf(secrets).ask({ note: "x".repeat(16_384) })),
  "requests with a post-quantum recipient": (secrets) => many((index) => insertPostQuantumRequest(secrets, index)),
  "events of a request that is paused and opened": async (secrets) => {
    const { id } = await requestsOf(secrets).ask();
    for (let n = 0; n < ROWS; n++) await requestsOf(secrets).turn(id, n % 2 === 0 ? "paused" : "open");
  },
  "secrets with a reference": (secrets) => many((n) => secrets.create("x", { reference: referenceOf(n) })),
  "tombstones with a reference": (secrets) =>
    many(async (n) => secrets.revoke((await secrets.create("x", { reference: referenceOf(n) })).id)),
  "requests with a reference": (secrets) => many((n) => requestsOf(secrets).ask({ reference: referenceOf(n) })),
  "events of a request with a reference": async (secrets) => {
    const { id } = await requestsOf(secrets).ask({ reference: referenceOf(1) });
    for (let n = 0; n < ROWS; n++) await requestsOf(secrets).turn(id, n % 2 === 0 ? "paused" : "open");
  },
  "what was handed in": (secrets) =>
    many(async () =>
      requestsOf(secrets).submit(
        (await requestsOf(secrets).ask({ note: "x".repeat(100) })).submitToken,
        "x".repeat(500),
      ),
    ),
};

for (const [what, fill] of Object.entries(FILLINGS)) {
  test(`${what}: the charge is at least the growth of the database file, and at most half more`, async () => {
    await using secrets = await openSqliteSecrets();
    // Every table and index gets its first page before the measurement.
    const before = { used: usedBytes(secrets), charged: secrets.storedBytes() };
    await fill(secrets);
    const grown = usedBytes(secrets) - before.used;
    const charged = secrets.storedBytes() - before.charged;
    expect(charged).toBe(recountStoredBytes(secrets.folder));
    expect(charged / grown).toBeGreaterThan(1);
    expect(charged / grown).toBeLessThan(1.5);
  }, 30_000);
}

/** Returns the used bytes of the database file. */
function usedBytes(secrets: SqliteSecrets): number {
  checkpoint(secrets.folder);
  const read = (name: string) =>
    Object.values(secrets.query<Record<string, number>>(`PRAGMA ${name}`)[0] ?? {})[0] ?? 0;
  return (read("page_count") - read("freelist_count")) * read("page_size");
}

function insertPostQuantumRequest(secrets: SqliteSecrets, index: number) {
  const { store, ids, clock } = secrets.backend.service;
  const now = clock.now();
  return store.createRequest({
    record: {
      id: ids.next("request"),
      teamId: secrets.caller.teamId,
      state: "open",
      // As long as the recipient of a hybrid identity of age.
      recipient: "age1pq1".padEnd(1960, "q"),
      createdAt: now,
      expiresAt: now + DAY,
      maxSubmissions: 1,
      submissionCount: 0,
      endedAt: null,
      createdBy: `idn_${index}`.padEnd(30, "0"),
      askerId: `idn_${index}`.padEnd(30, "0"),
      reference: null,
      addressees: null,
    },
    note: undefined,
    submitTokenHash: crypto.getRandomValues(new Uint8Array(32)),
    quotaBytes: Infinity,
    call: undefined,
  });
}

test("the charged bytes equal a recount after every change, and are 0 in the end", async () => {
  await using secrets = await openSqliteSecrets();
  const { clock } = secrets.backend;
  const { ask, submit, turn, revoke } = requestsOf(secrets);
  const check = () => expect(secrets.storedBytes()).toBe(recountStoredBytes(secrets.folder));
  const steps: (() => Promise<unknown>)[] = [
    () => secrets.create("text", { expires_in: 60 }, "same"),
    async () => secrets.revoke((await secrets.create("text", { reference: "OPS-1" })).id),
    async () => submit((await ask({ reference: "OPS-2" })).submitToken, "text"),
    // Neither a replayed answer nor a conflict is charged.
    () => Promise.all(Array.from({ length: 20 }, () => secrets.create("text", { expires_in: 60 }, "same"))),
    () => refusalOf(secrets.create("other", {}, "same")),
    async () => secrets.claim((await secrets.create("x".repeat(9000), { max_claims: 3 })).id, "claim"),
    async () => secrets.revoke((await secrets.create("x".repeat(9000))).id),
    () => ask({ note: "note".repeat(1000), idempotencyKey: "ask" }),
    () => ask({ note: "note".repeat(1000), idempotencyKey: "ask" }),
    async () => revoke((await ask({ note: "note".repeat(1000) })).id),
    async () => {
      const { id, submitToken } = await ask({ note: "note", maxSubmissions: 2 });
      await turn(id, "paused");
      await turn(id, "open");
      await submit(submitToken, "first", "key");
      await submit(submitToken, "first", "key");
      await submit(submitToken, "second");
    },
    async () => clock.advance(3_600_000),
    () => secrets.sweep(),
    async () => clock.advance(DAY),
    // A call that was made a day ago may or may not have been swept.
    () => secrets.create("text", { expires_in: 60 }, "same"),
    () => secrets.sweep(),
    () => secrets.backend.reopen(),
  ];
  for (const step of steps) {
    await step();
    check();
  }
  expect(secrets.storedBytes()).toBeGreaterThan(0);
  // Here, secrets live for seven days, and tombstones and events for thirty more.
  for (let n = 0; n < 3; n++) {
    clock.advance(40 * DAY);
    await secrets.sweep();
    check();
  }
  expect(secrets.storedBytes()).toBe(0);
});

test("a call that fails halfway isn't charged, and the rest of its batch is", async () => {
  await using secrets = await openSqliteSecrets();
  const inOwn = (statement: string) => inDatabase(secrets.folder, (database) => database.run(statement));
  inOwn(
    "CREATE TRIGGER fail AFTER INSERT ON ciphertexts WHEN new.ciphertext = 'bad' BEGIN SELECT RAISE(ABORT, 'no'); END",
  );
  const texts = ["good", "bad", "good", "bad", "good"];
  const results = await Promise.allSettled(texts.map((text) => secrets.create(text)));
  inOwn("DROP TRIGGER fail");
  expect(results.map(({ status }) => status)).toEqual(
    texts.map((text) => (text === "good" ? "fulfilled" : "rejected")),
  );
  expect(secrets.storedBytes()).toBe(recountStoredBytes(secrets.folder));
});

test("requests, notes, submissions and events count against the quota, and pausing is always possible", async () => {
  await using secrets = await openSqliteSecrets();
  const { id, submitToken } = await requestsOf(secrets).ask({ note: "note", maxSubmissions: 3 });
  const full = requestsOf(secrets, { ...secrets.backend.service.policy, teamQuotaBytes: secrets.storedBytes() });
  expect(await refusalOf(full.ask())).toBe("team_quota_exceeded");
  expect(await refusalOf(full.submit(submitToken, "text"))).toBe("team_quota_exceeded");
  expect(await refusalOf(full.turn(id, "paused"))).toBeUndefined();
  expect(await refusalOf(full.turn(id, "open"))).toBe("team_quota_exceeded");
  expect(await refusalOf(requestsOf(secrets).turn(id, "open"))).toBeUndefined();
  expect(await refusalOf(full.invitation(submitToken))).toBeUndefined();
  expect(secrets.storedBytes()).toBe(recountStoredBytes(secrets.folder));
});

test("a database from before the charge existed has the right charge once it is opened", async () => {
  await using secrets = await openSqliteSecrets();
  const { ask, submit } = requestsOf(secrets);
  await secrets.create("x".repeat(5000), {}, "key");
  await secrets.claim((await secrets.create("text")).id);
  await submit((await ask({ note: "note" })).submitToken, "x".repeat(100));
  const { key } = await secrets.backend.mint({ team: "empty" });
  const count = secrets.storedBytes();
  await secrets.backend.service.store.close();
  takeBack(secrets.folder, "0005_stored_bytes.sql");
  inDatabase(secrets.folder, (database) => database.run("UPDATE teams SET stored_bytes = 104"));
  await secrets.backend.reopen();
  expect(secrets.storedBytes()).toBe(count);
  expect(await secrets.backend.service.store.findTeamUsage(secrets.caller.teamId)).toMatchObject({
    storedBytes: count,
  });
  expect(await secrets.backend.service.store.findTeamUsage(key.identity.teamId)).toMatchObject({ storedBytes: 0 });
});
