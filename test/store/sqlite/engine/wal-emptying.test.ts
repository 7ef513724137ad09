import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { chmodSync, copyFileSync } from "node:fs";
import { join } from "node:path";
import { watchStorage } from "../../../../src/cli/server/storage-watch.ts";
import { textOf } from "../../../../src/contract/ciphertexts.ts";
import { createMonotonicClock, systemClock } from "../../../../src/domain/values/clocks.ts";
import { createIds } from "../../../../src/domain/values/ids.ts";
import { systemRandom } from "../../../../src/domain/values/random.ts";
import { parseTrustedProxies } from "../../../../src/http/gate/addresses.ts";
import { healthRoutes } from "../../../../src/http/resources/health.ts";
import { openStore } from "../../../../src/store/sqlite/assembly/store.ts";
import { until } from "../../../support/polls.ts";
import { requestsOf } from "../../../support/requests.ts";
import type { AskedRequest, TestRequests } from "../../../support/requests.ts";
import { markedCiphertext, refusalOf } from "../../../support/secrets.ts";
import { checkpoint, filesWith, inDatabase, walBytes } from "../../../support/sqlite-files.ts";
import { openSqliteSecrets } from "../../../support/sqlite-secrets.ts";
import type { SqliteSecrets } from "../../../support/sqlite-secrets.ts";
import { temporaryFolder } from "../../../support/temporary.ts";

const MINUTE = 60_000;
/** The delay before the WAL is truncated in these tests, and the time that a test may wait for it on a busy machine. */
const DELAY_MS = 30;
const PATIENCE_MS = 10_000;
const SIZES = [60, 1400, 1024 * 1024];

const count = (secrets: SqliteSecrets) => secrets.query<{ n: number }>("SELECT count(*) AS n FROM ciphertexts")[0]?.n;

/** Ways in which a secret with one claim ends, or its replay window does. */
const ENDS: Record<string, (secrets: SqliteSecrets, id: string) => Promise<unknown>> = {
  "a claim": (secrets, id) => secrets.claim(id),
  "a revocation": (secrets, id) => secrets.revoke(id),
  "its expiry and the sweeper": async (secrets) => {
    secrets.backend.clock.advance(10 * MINUTE);
    await secrets.sweep();
  },
  "its expiry and somebody who asks for it": async (secrets, id) => {
    secrets.backend.clock.advance(10 * MINUTE);
    await secrets.find(id);
  },
  "its expiry and a claim that comes too late": async (secrets, id) => {
    secrets.backend.clock.advance(10 * MINUTE);
    expect(await refusalOf(secrets.claim(id))).toBe("secret_expired");
  },
  "the acknowledgement of its claim": async (secrets, id) => {
    await secrets.claim(id, "key");
    await secrets.acknowledge(id, "key");
  },
  "the end of the replay window": async (secrets, id) => {
    await secrets.claim(id, "key");
    secrets.backend.clock.advance(5 * MINUTE);
    await secrets.sweep();
  },
};

for (const [what, end] of Object.entries(ENDS)) {
  test(`after ${what} and a checkpoint, no file contains the ciphertext`, async () => {
    await using secrets = await openSqliteSecrets();
    const { folder } = secrets;
    for (const size of SIZES) {
      const { marker, ciphertext } = markedCiphertext(size);
      const { id } = await secrets.create(ciphertext, { expires_in: 600 });
      expect({ size, files: filesWith(folder, marker) }).not.toEqual({ size, files: [] });
      // For two of the sizes, checkpoint first: the ciphertext may be in the database file, in the WAL, or in both.
      if (size !== 1400) checkpoint(folder);
      await end(secrets, id);
      checkpoint(folder);
      expect({ size, files: filesWith(folder, marker) }).toEqual({ size, files: [] });
      expect({ rows: count(secrets), bytes: secrets.heldBytes() }).toEqual({ rows: 0, bytes: 0 });
    }
  });
}

/** Ways in which a request for one submission ends. */
const REQUEST_ENDS: Record<
  string,
  (requests: TestRequests, asked: AskedRequest, secrets: SqliteSecrets) => Promise<unknown>
> = {
  "its last submission": ({ submit }, { submitToken }) => submit(submitToken, "x"),
  "a revocation": ({ revoke }, { id }) => revoke(id),
  "its expiry and the sweeper": async (_requests, _asked, secrets) => {
    secrets.backend.clock.advance(10 * MINUTE);
    await secrets.sweep();
  },
  "its expiry while it is paused, and somebody who asks for it": async ({ turn, find }, { id }, secrets) => {
    await turn(id, "paused");
    secrets.backend.clock.advance(10 * MINUTE);
    await find(id);
  },
  "its expiry and a submission that comes too late": async ({ submit }, { submitToken }, secrets) => {
    secrets.backend.clock.advance(10 * MINUTE);
    expect(await refusalOf(submit(submitToken, "late"))).toBe("request_expired");
  },
};

for (const [what, end] of Object.entries(REQUEST_ENDS)) {
  test(`after ${what} and a checkpoint, no file contains the note of the request`, async () => {
    await using secrets = await openSqliteSecrets();
    const { folder } = secrets;
    const requests = requestsOf(secrets);
    for (const size of [60, 1400, 16_384]) {
      const { marker, ciphertext: note } = markedCiphertext(size);
      const asked = await requests.ask({ note, expiresIn: 600 });
      expect({ size, files: filesWith(folder, marker) }).not.toEqual({ size, files: [] });
      if (size !== 1400) checkpoint(folder);
      await end(requests, asked, secrets);
      checkpoint(folder);
      expect({ size, files: filesWith(folder, marker) }).toEqual({ size, files: [] });
    }
    expect(secrets.query("SELECT * FROM request_notes")).toEqual([]);
  });
}

test("the ciphertext is kept while claims are left, and erased with the last one", async () => {
  await using secrets = await openSqliteSecrets();
  const { marker, ciphertext } = markedCiphertext(5000);
  const { id } = await secrets.create(ciphertext, { max_claims: 3 });
  for (const rows of [1, 1, 0]) {
    expect((await secrets.claim(id)).envelope.ciphertext).toBe(ciphertext);
    expect({ rows: count(secrets), bytes: secrets.heldBytes() }).toEqual({ rows, bytes: rows * 5000 });
  }
  checkpoint(secrets.folder);
  expect(filesWith(secrets.folder, marker)).toEqual([]);
});

test("an open replay window outlives the last claim and the expiry, but not a revocation", async () => {
  await using secrets = await openSqliteSecrets();
  const [claimed, expired, revoked] = await Promise.all(
    [2, 5, 5].map((max_claims, index) => secrets.create(`text-${index}`, { max_claims, expires_in: 60 })),
  );
  const replay = (id = "") => secrets.claim(id, "key");
  for (const secret of [claimed, expired, revoked]) await replay(secret?.id);
  await secrets.claim(claimed?.id ?? "");
  await secrets.revoke(revoked?.id ?? "");
  secrets.backend.clock.advance(MINUTE);
  await secrets.sweep();
  expect(count(secrets)).toBe(2);
  expect(await replay(claimed?.id)).toMatchObject({ envelope: { ciphertext: "text-0" }, secret: { claims: 1 } });
  expect(await replay(expired?.id)).toMatchObject({ envelope: { ciphertext: "text-1" } });
  expect(await refusalOf(replay(revoked?.id))).toBe("secret_revoked");
  expect(await refusalOf(secrets.claim(expired?.id ?? ""))).toBe("secret_expired");
  secrets.backend.clock.advance(4 * MINUTE);
  expect(await refusalOf(replay(claimed?.id))).toBe("secret_claimed");
  await secrets.sweep();
  expect({ rows: count(secrets), bytes: secrets.heldBytes() }).toEqual({ rows: 0, bytes: 0 });
});

test("acknowledging one of two claims leaves the replay window of the other open", async () => {
  await using secrets = await openSqliteSecrets();
  const { id } = await secrets.create("text", { max_claims: 2 });
  await secrets.claim(id, "one");
  await secrets.claim(id, "two");
  await secrets.acknowledge(id, "one");
  expect(await refusalOf(secrets.claim(id, "one"))).toBe("secret_claimed");
  expect((await secrets.claim(id, "two")).envelope.ciphertext).toBe("text");
  await secrets.acknowledge(id, "two");
  await secrets.acknowledge(id, "two");
  expect(count(secrets)).toBe(0);
  expect(await refusalOf(secrets.acknowledge(id, "three"))).toBe("not_found");
});

/** Random numbers from 0 to 1, the same in every run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

test("rows that SQLite moves between pages leave no copy of later erased ciphertexts", async () => {
  await using secrets = await openSqliteSecrets();
  const random = seeded(20_261_121);
  const live: { id: string; name: string }[] = [];
  const dead: string[] = [];
  for (let round = 0; round < 50; round++) {
    const names = Array.from({ length: 100 }, (_, index) => `_${round}.${index}_`);
    const texts = names.map((name) => `begin${name}${"x".repeat(Math.floor(random() * 40))}end${name}`);
    const created = await Promise.all(texts.map((text) => secrets.create(text)));
    live.push(...created.map(({ id }, index) => ({ id, name: names[index] ?? "" })));
    const picked = Array.from({ length: 90 }, () => live.splice(Math.floor(random() * live.length), 1)).flat();
    await Promise.all(picked.map(({ id }) => secrets.claim(id)));
    dead.push(...picked.map(({ name }) => name));
  }
  checkpoint(secrets.folder);
  const file = await Bun.file(join(secrets.folder, "handoff.db")).bytes();
  const found = new Set(
    Buffer.from(file)
      .toString("latin1")
      .match(/(?<=begin|end)_\d+\.\d+_/g),
  );
  expect(live.filter(({ name }) => !found.has(name))).toEqual([]);
  expect(dead.filter((name) => found.has(name))).toEqual([]);
}, 30_000);

test("a ciphertext of any length is entirely in overflow pages, which SQLite doesn't move", async () => {
  await using secrets = await openSqliteSecrets();
  const edges = [4, 57, 58, 127, 128, 4060, 4069, 4070, 8185, 8186, 8187, 20_000, 1_048_570, 1_048_580];
  for (const length of edges) {
    const { id } = await secrets.create("Z".repeat(length));
    checkpoint(secrets.folder);
    const file = Buffer.from(await Bun.file(join(secrets.folder, "handoff.db")).bytes());
    // Pages with rows begin with the byte 13. Overflow pages begin with a page number.
    const rowPages = Array.from({ length: file.length / 4096 }, (_, page) =>
      file.subarray(page * 4096, page * 4096 + 4096),
    ).filter((page) => page[0] === 13);
    expect(rowPages.length).toBeGreaterThan(0);
    expect({ length, pages: rowPages.filter((page) => page.includes("ZZZZ")).length }).toEqual({ length, pages: 0 });
    expect(textOf((await secrets.claim(id)).envelope.ciphertext)).toBe("Z".repeat(length));
  }
});

async function untilTruncated(folder: string, milliseconds: number): Promise<boolean> {
  for (const end = performance.now() + milliseconds; performance.now() < end; await Bun.sleep(20)) {
    if (walBytes(folder) === 0) return true;
  }
  return false;
}

test("the WAL is truncated soon after an erasure, even if a reader delays it", async () => {
  await using secrets = await openSettled();
  const { folder } = secrets;
  const { marker, ciphertext } = markedCiphertext(50_000);
  const { id } = await secrets.create(ciphertext);
  const reader = new Database(join(folder, "handoff.db"));
  reader.run("BEGIN");
  reader.query("SELECT count(*) FROM secrets").get();
  await secrets.claim(id);
  expect(await untilTruncated(folder, 10 * DELAY_MS)).toBe(false);
  expect(filesWith(folder, marker)).not.toEqual([]);
  reader.run("COMMIT");
  reader.close();
  expect(await untilTruncated(folder, PATIENCE_MS)).toBe(true);
  expect(filesWith(folder, marker)).toEqual([]);
});

/** Opens a store that has nothing left to truncate. */
async function openSettled(truncationDelayMs = DELAY_MS): Promise<SqliteSecrets> {
  const secrets = await openSqliteSecrets({}, { truncationDelayMs });
  const { id } = await secrets.create("something for the WAL");
  await secrets.revoke(id);
  expect(await untilTruncated(secrets.folder, PATIENCE_MS)).toBe(true);
  return secrets;
}

test("the WAL is truncated soon after a note was erased", async () => {
  await using secrets = await openSettled();
  const { marker, ciphertext: note } = markedCiphertext(5000);
  const { id } = await requestsOf(secrets).ask({ note });
  await requestsOf(secrets).revoke(id);
  expect(filesWith(secrets.folder, marker)).toEqual(["handoff.db-wal"]);
  expect(await untilTruncated(secrets.folder, PATIENCE_MS)).toBe(true);
  expect(filesWith(secrets.folder, marker)).toEqual([]);
});

test("the WAL is checkpointed before it gets long, and its space is reused", async () => {
  await using secrets = await openSqliteSecrets({}, { truncationDelayMs: 600_000 });
  for (let n = 0; n < 16; n++) await secrets.create("x".repeat(2 * 1024 * 1024));
  // One creation can go beyond the 8 MiB at which the WAL is checkpointed.
  expect(walBytes(secrets.folder)).toBeLessThan(12 * 1024 * 1024);
});

test("a transaction that was rolled back soon leaves the WAL", async () => {
  await using secrets = await openSettled(2000);
  const { folder } = secrets;
  // Larger than SQLite's cache, so it is in the WAL before the transaction fails.
  const { marker, ciphertext } = markedCiphertext(20 * 1024 * 1024);
  const { service } = secrets.backend;
  const policy = { ...service.policy, maxCiphertextBytes: ciphertext.length };
  inDatabase(folder, (database) =>
    database.run("CREATE TRIGGER fail AFTER INSERT ON events BEGIN SELECT RAISE(ROLLBACK, 'no'); END"),
  );
  checkpoint(folder);
  const refused = secrets.create(ciphertext, {}, undefined, policy);
  expect(await refused.catch((error: unknown) => error)).toBeInstanceOf(Error);
  expect(filesWith(folder, marker)).toEqual(["handoff.db-wal"]);
  expect(await untilTruncated(folder, PATIENCE_MS)).toBe(true);
  expect(filesWith(folder, marker)).toEqual([]);
});

test("ciphertexts that a killed process had erased leave the WAL soon after the next start", async () => {
  using folder = temporaryFolder();
  await using secrets = await openSqliteSecrets();
  const { marker, ciphertext } = markedCiphertext(50_000);
  const { id } = await secrets.create(ciphertext);
  await secrets.claim(id);
  // A copy of the files, as a process that is killed now would leave them.
  for (const name of ["handoff.db", "handoff.db-wal"]) {
    copyFileSync(join(secrets.folder, name), join(folder.path, name));
  }
  expect(filesWith(folder.path, marker)).toEqual(["handoff.db-wal"]);
  const clock = createMonotonicClock(systemClock);
  const ids = createIds(clock, systemRandom);
  chmodSync(folder.path, 0o700);
  const deps = { clock, ids, tombstoneSeconds: 86_400, ballastBytes: 0, truncationDelayMs: DELAY_MS };
  const store = openStore({ ...deps, folder: folder.path });
  expect(await untilTruncated(folder.path, PATIENCE_MS)).toBe(true);
  expect(filesWith(folder.path, marker)).toEqual([]);
  await store.close();
});

test("after the store is closed, only the database file is left", async () => {
  await using secrets = await openSqliteSecrets();
  const { marker, ciphertext } = markedCiphertext(5000);
  const { id } = await secrets.create(ciphertext);
  await secrets.claim(id);
  await secrets.backend.service.store.listSecrets({
    teamId: secrets.caller.teamId,
    state: "claimed",
    createdBy: undefined,
    limit: 1,
    before: undefined,
  });
  await secrets.backend.service.store.close();
  expect([...new Bun.Glob("**").scanSync(secrets.folder)]).toEqual(["handoff.db"]);
  expect(filesWith(secrets.folder, marker)).toEqual([]);
});

test("a process with a long read is reported as a trouble until it ends, and the server stays ready", async () => {
  using folder = temporaryFolder();
  const clock = createMonotonicClock(systemClock);
  const deps = { clock, ids: createIds(clock, systemRandom), tombstoneSeconds: 86_400, ballastBytes: 0 };
  await openStore({ ...deps, folder: folder.path }).close();
  const reader = new Database(join(folder.path, "handoff.db"));
  // Goes into the WAL, which is emptied at every start.
  reader.run("CREATE TABLE more (number)");
  reader.run("BEGIN");
  reader.query("SELECT * FROM teams").all();
  const store = openStore({ ...deps, folder: folder.path, readerPatienceMs: 500, truncationDelayMs: DELAY_MS });
  const lines: string[] = [];
  const write = (_fields: object, message: string) => void lines.push(message);
  const unwatch = watchStorage(store, { info: write, warn: write, error: write }, 20);
  const options = { version: "0.0.0-test", installation: () => "", trustedProxies: parseTrustedProxies([]) };
  const health = async () => {
    const answer = await healthRoutes(store, options).handle(new Request("http://localhost/health/ready"));
    expect(answer.status).toBe(200);
    return answer.json();
  };
  expect(await health()).toEqual({ status: "ready", troubles: [] });
  await until(() => lines.length > 0, 20);
  expect(lines).toEqual([
    expect.stringContaining("Another process has been reading the database for more than a minute"),
  ]);
  expect(await health()).toMatchObject({ status: "ready", troubles: [{ code: "long_reader" }] });
  reader.run("COMMIT");
  reader.close();
  await until(() => lines.length > 1, 20);
  expect(lines[1]).toBe("this trouble of the storage is over");
  expect(await health()).toEqual({ status: "ready", troubles: [] });
  unwatch();
  await store.close();
}, 20_000);
