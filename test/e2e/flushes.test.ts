import { expect, test } from "bun:test";
import { statSync } from "node:fs";
import { join } from "node:path";
import { makeFaultyDisk } from "../support/disk-faults.ts";
import type { DiskFault, FaultyDisk } from "../support/disk-faults.ts";
import { apiOf, jsonOf, mintKey, UNLIMITED } from "../support/executions.ts";
import { startProgram } from "../support/running.ts";
import type { RunningProgram } from "../support/running.ts";
import { temporaryFolder } from "../support/temporary.ts";

const BATCH = 50;

async function serve(folder: string, env: Readonly<Record<string, string>> = {}) {
  const server = await startProgram(["serve", "--listen", "127.0.0.1:0", "--data-dir", folder, ...UNLIMITED], env);
  return Object.assign(server, { folder });
}

type Server = Awaited<ReturnType<typeof serve>>;

/** Creates as many secrets as are later claimed together. Their ids, and `n`'s ciphertext is `text-n`. */
async function createBatch(server: Server, token: string, count: number): Promise<string[]> {
  const api = apiOf(server.url, token);
  const answers = Array.from({ length: count }, (_, n) => jsonOf(api.create(`text-${n}`)));
  const ids = (await Promise.all(answers)).map(({ id }) => id);
  await untilQuiet(server.folder);
  // An empty WAL first gets a header with its own flush, and the fault must hit that of a transaction.
  expect((await api.create("another")).status).toBe(201);
  return ids;
}

/** The server empties the WAL a second after its start. A fault for a claim must not hit that. */
async function untilQuiet(folder: string): Promise<void> {
  const end = performance.now() + 1500;
  while (performance.now() < end && statSync(join(folder, "handoff.db-wal")).size > 0) await Bun.sleep(20);
}

/** Claims every secret at once, and resolves with status, code and detail of each answer. */
async function claimAll(url: string, token: string, ids: readonly string[]) {
  const answers = await Promise.all(ids.map((id) => apiOf(url, token).claim(id)));
  return Promise.all(
    answers.map(async (answer) => {
      const { code, detail, outcome, envelope } = await jsonOf(answer);
      return { status: answer.status, code, detail, outcome, ciphertext: envelope?.ciphertext };
    }),
  );
}

async function stop(server: RunningProgram, signal: "SIGTERM" | "SIGKILL"): Promise<void> {
  server.kill(signal);
  await server.exited;
}

/** Restarts over the same folder with a working disk, and claims the refused secrets. */
async function expectEveryoneToGetTheirs(folder: string, token: string, ids: readonly string[]): Promise<void> {
  await using server = await serve(folder);
  const answers = await claimAll(server.url, token, ids);
  expect(answers.map(({ status, ciphertext }) => ({ status, ciphertext }))).toEqual(
    ids.map((_, n) => ({ status: 200, ciphertext: `text-${n}` })),
  );
  expect((await claimAll(server.url, token, ids)).map(({ code }) => code)).toEqual(ids.map(() => "secret_claimed"));
}

for (const fault of ["flush-once", "flush"] as const satisfies DiskFault[]) {
  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    for (const count of [1, BATCH]) {
      test(`${count} claims answered 503 by a disk with '${fault}' succeed after ${signal} and a restart`, async () => {
        using folder = temporaryFolder();
        using disk = makeFaultyDisk();
        const token = await mintKey(folder.path);
        await using server = await serve(folder.path, disk.env);
        const ids = await createBatch(server, token, count);
        disk.start(fault);
        const answers = await claimAll(server.url, token, ids);
        const refused = ids.filter((_, n) => answers[n]?.status === 503);
        // With a single failing flush the claims of later batches succeed.
        expect(refused.length).toBeGreaterThan(0);
        if (fault === "flush") expect(refused.length).toBe(count);
        expect(new Set(answers.map(({ status }) => status))).toEqual(
          refused.length === count ? new Set([503]) : new Set([200, 503]),
        );
        // The outcome is unknown while the flush fails, and known after a single failure.
        const first = answers.find(({ status }) => status === 503);
        expect(first?.outcome).toBe(fault === "flush" ? "unknown" : undefined);
        expect(first?.detail).toMatch(fault === "flush" ? /outcome is unknown/ : /^Nothing was stored or handed out/);
        await stop(server, signal);
        const claimed = new Set(ids.filter((id) => !refused.includes(id)));
        if (claimed.size === 0) await expectEveryoneToGetTheirs(folder.path, token, ids);
        else await expectOnly(folder.path, token, ids, claimed);
      }, 30_000);
    }
  }
}

async function expectOnly(folder: string, token: string, ids: readonly string[], claimed: ReadonlySet<string>) {
  await using server = await serve(folder);
  const answers = await claimAll(server.url, token, ids);
  expect(answers.map(({ status }) => status)).toEqual(ids.map((id) => (claimed.has(id) ? 410 : 200)));
}

test("while a flush hangs reads are answered and health reports it, and the writes are done afterwards", async () => {
  using folder = temporaryFolder();
  using disk = makeFaultyDisk();
  const token = await mintKey(folder.path);
  await using server = await serve(folder.path, disk.env);
  const [first = "", second = ""] = await createBatch(server, token, 2);
  const api = apiOf(server.url, token);
  disk.start("flush-hangs");
  const claim = api.claim(first);
  await disk.hanging();
  expect(await jsonOf(api.find(second))).toMatchObject({ id: second, state: "available" });
  expect(await jsonOf(api.find(first))).toMatchObject({ state: "available" });
  const health = await fetch(`${server.url}/health/ready`);
  expect({ status: health.status, troubles: (await jsonOf(health)).troubles }).toMatchObject({
    status: 503,
    troubles: [{ code: "disk_stalled" }],
  });
  disk.stop("flush-hangs");
  expect((await claim).status).toBe(200);
  await untilReady(server);
  expect(server.stderr()).toContain("The disk has been busy with the same work");
}, 30_000);

test("while a flush hangs for long, all writes get an unknown outcome, and SIGTERM ends the server", async () => {
  using folder = temporaryFolder();
  using disk = makeFaultyDisk();
  const token = await mintKey(folder.path);
  await using server = await serve(folder.path, disk.env);
  const [first = "", second = "", third = ""] = await createBatch(server, token, 3);
  const api = apiOf(server.url, token);
  const headers = { authorization: `Bearer ${token}`, "idempotency-key": "the-same" };
  const claimByKey = (url: string) => fetch(`${url}/api/v1/secrets/${first}/claim`, { method: "POST", headers });
  disk.start("flush-hangs");
  const calls = [api.claim(second)];
  await disk.hanging();
  calls.push(claimByKey(server.url), api.revoke(third), api.create("later"));
  // All of them have to arrive first, or they would find no server.
  expect(await jsonOf(api.find(first))).toMatchObject({ state: "available" });
  const signalled = performance.now();
  server.kill("SIGTERM");
  for (const answer of await Promise.all(calls)) {
    expect(answer.status).toBe(503);
    expect(await jsonOf(answer)).toMatchObject({ code: "storage_unavailable", outcome: "unknown" });
  }
  expect(await server.exited).toBe(1);
  expect(performance.now() - signalled).toBeLessThan(20_000);
  expect(server.stderr()).toContain("handoff: the storage hangs, so the server ended without closing it.");
  disk.stop("flush-hangs");
  await using again = await serve(folder.path);
  expect(await jsonOf(claimByKey(again.url))).toMatchObject({ envelope: { ciphertext: "text-0" } });
  expect(await jsonOf(apiOf(again.url, token).revoke(third))).toMatchObject({ state: "revoked" });
}, 60_000);

/** It fails for long: calls are refused without effect, and succeed by themselves once the disk works. */
test("writes are refused while flushes fail, with reports in log and health, and then resume", async () => {
  using folder = temporaryFolder();
  using disk = makeFaultyDisk();
  const token = await mintKey(folder.path);
  await using server = await serve(folder.path, disk.env);
  const [first = "", second = ""] = await createBatch(server, token, 2);
  disk.start("flush");
  expect(await claimAll(server.url, token, [first])).toMatchObject([
    { status: 503, detail: expect.stringContaining("unknown"), outcome: "unknown" },
  ]);
  expect(await claimAll(server.url, token, [second])).toMatchObject([
    { status: 503, detail: expect.stringMatching(/^Nothing was stored/) },
  ]);
  const health = await fetch(`${server.url}/health/ready`);
  expect(health.status).toBe(503);
  expect((await jsonOf(health)).troubles).toMatchObject([{ code: "flush_failed" }]);
  disk.stop("flush");
  await untilReady(server);
  // The log comes by a pipe of its own.
  await until(() => server.stderr().includes("The disk failed while a change was flushed to it"));
  expect(await claimAll(server.url, token, [first, second])).toMatchObject([
    { status: 200, ciphertext: "text-0" },
    { status: 200, ciphertext: "text-1" },
  ]);
  await stop(server, "SIGKILL");
  await using again = await serve(folder.path);
  expect(await claimAll(again.url, token, [first, second])).toMatchObject([{ status: 410 }, { status: 410 }]);
}, 30_000);

async function untilReady({ url }: RunningProgram): Promise<void> {
  for (const end = performance.now() + 15_000; (await fetch(`${url}/health/ready`)).status !== 200;) {
    if (performance.now() > end) throw new Error("the server is not ready again");
    await Bun.sleep(50);
  }
}

/** Everything fails at once, as on a file system that becomes read-only: nothing can be overwritten. */
test("a claim whose outcome is unknown can be repeated with its key after a restart", async () => {
  using folder = temporaryFolder();
  using disk = makeFaultyDisk();
  const token = await mintKey(folder.path);
  const headers = { authorization: `Bearer ${token}`, "idempotency-key": "the-same" };
  const claim = (url: string, id: string) => fetch(`${url}/api/v1/secrets/${id}/claim`, { method: "POST", headers });
  await using server = await serve(folder.path, disk.env);
  const [id = ""] = await createBatch(server, token, 1);
  await failFlushAndLaterWrites(disk, async () => {
    const answer = await claim(server.url, id);
    expect(answer.status).toBe(503);
    expect((await jsonOf(answer)).detail).toContain("outcome is unknown");
  });
  await stop(server, "SIGKILL");
  await using again = await serve(folder.path);
  const answer = await claim(again.url, id);
  expect(answer.status).toBe(200);
  expect(await jsonOf(answer)).toMatchObject({ envelope: { ciphertext: "text-0" } });
}, 30_000);

/** The flush hangs until every write fails, and then fails: the frames of the commit stay as written. */
async function failFlushAndLaterWrites(disk: FaultyDisk, act: () => Promise<void>): Promise<void> {
  disk.start("flush-hangs");
  disk.start("flush");
  const done = act();
  await disk.hanging();
  disk.start("write");
  disk.stop("flush-hangs");
  await done;
}

test("a server killed during a flush has answered nobody, and the same call gets the secret", async () => {
  using folder = temporaryFolder();
  using disk = makeFaultyDisk();
  const token = await mintKey(folder.path);
  const headers = { authorization: `Bearer ${token}`, "idempotency-key": "the-same" };
  const claim = (url: string, id: string) => fetch(`${url}/api/v1/secrets/${id}/claim`, { method: "POST", headers });
  await using server = await serve(folder.path, disk.env);
  const [id = ""] = await createBatch(server, token, 1);
  disk.start("flush-hangs");
  const unanswered = claim(server.url, id).then(
    () => "answered",
    () => "not answered",
  );
  await disk.hanging();
  await stop(server, "SIGKILL");
  expect(await unanswered).toBe("not answered");
  await using again = await serve(folder.path);
  expect(await jsonOf(claim(again.url, id))).toMatchObject({ envelope: { ciphertext: "text-0" } });
}, 30_000);

test("a creation answered 503 for a failed flush does not exist after a restart", async () => {
  using folder = temporaryFolder();
  using disk = makeFaultyDisk();
  const token = await mintKey(folder.path);
  {
    await using server = await serve(folder.path, disk.env);
    disk.start("flush-once");
    expect((await apiOf(server.url, token).create("refused")).status).toBe(503);
    expect(disk.isOn("flush-once")).toBe(false);
    await stop(server, "SIGKILL");
  }
  await using again = await serve(folder.path);
  const headers = { authorization: `Bearer ${token}` };
  expect((await jsonOf(fetch(`${again.url}/api/v1/secrets`, { headers }))).data).toEqual([]);
}, 30_000);

test("a database whose flush fails keeps claims in its WAL, reported until it works again", async () => {
  using folder = temporaryFolder();
  using disk = makeFaultyDisk();
  const token = await mintKey(folder.path);
  await using server = await serve(folder.path, disk.env);
  const wal = join(folder.path, "handoff.db-wal");
  await untilQuiet(folder.path);
  disk.start("flush-of-database");
  const { id } = await jsonOf(apiOf(server.url, token).create("text-0"));
  expect((await apiOf(server.url, token).revoke(id)).status).toBe(200);
  await until(async () => (await jsonOf(fetch(`${server.url}/health/ready`))).status !== "ready");
  const { troubles } = await jsonOf(fetch(`${server.url}/health/ready`));
  expect(troubles).toMatchObject([
    { code: "flush_failed", message: expect.stringContaining("stay in handoff.db-wal") },
  ]);
  await until(() => server.stderr().includes("The disk failed while changes were copied"));
  await until(() => server.stderr().includes('"work":"checkpoint","error":"SQLiteError","code":"SQLITE_IOERR_FSYNC"'));
  expect(statSync(wal).size).toBeGreaterThan(0);
  disk.stop("flush-of-database");
  await untilReady(server);
  expect(statSync(wal).size).toBe(0);
}, 30_000);

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = performance.now() + 15_000; !(await isSo()); await Bun.sleep(50)) {
    if (performance.now() > end) throw new Error("it never came to that");
  }
}
