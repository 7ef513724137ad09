import { expect, test } from "bun:test";
import { copyFileSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { makeFaultyDisk } from "../support/disk-faults.ts";
import { apiOf, jsonOf, mintKey, runExecutable, UNLIMITED } from "../support/executions.ts";
import { startProgram } from "../support/running.ts";
import type { RunningProgram } from "../support/running.ts";
import { temporaryFolder } from "../support/temporary.ts";

const serve = (folder: string, env: Readonly<Record<string, string>> = {}) =>
  startProgram(["serve", "--listen", "127.0.0.1:0", "--data-dir", folder, ...UNLIMITED], env);

/** Resolves once `text` has been logged; rejects after a while. */
async function untilLogged(server: RunningProgram, text: string): Promise<void> {
  for (const end = performance.now() + 15_000; !server.stderr().includes(text); await Bun.sleep(50)) {
    if (performance.now() > end) throw new Error(`'${text}' was never logged: ${server.stderr()}`);
  }
}

const readiness = async (url: string) => {
  const answer = await fetch(`${url}/health/ready`);
  return { status: answer.status, codes: (await jsonOf(answer)).troubles.map(({ code }: { code: string }) => code) };
};

const db = (folder: string) => join(folder, "handoff.db");

/** What is done to the files of a running server. */
const LOSSES: readonly [what: string, lose: (folder: string) => void, lost: string][] = [
  ["deleted", (folder) => rmSync(db(folder)), "handoff.db"],
  ["renamed", (folder) => renameSync(db(folder), join(folder, "elsewhere")), "handoff.db"],
  [
    "replaced",
    (folder) => (copyFileSync(db(folder), join(folder, "copy")), renameSync(join(folder, "copy"), db(folder))),
    "handoff.db",
  ],
  ["without its WAL", (folder) => rmSync(`${db(folder)}-wal`), "handoff.db-wal"],
  ["without its index", (folder) => rmSync(`${db(folder)}-shm`), "handoff.db-shm"],
];

for (const [what, lose, lost] of LOSSES) {
  test(`a database that is ${what} under the server stops writes at once, said in log and health`, async () => {
    using folder = temporaryFolder();
    const token = await mintKey(folder.path);
    await using server = await serve(folder.path);
    const api = apiOf(server.url, token);
    const { id } = await jsonOf(api.create("kept"));
    lose(folder.path);
    for (const answer of [await api.create("lost"), await api.claim(id)]) {
      expect(answer.status).toBe(503);
      expect(await jsonOf(answer)).toMatchObject({
        code: "storage_unavailable",
        detail: expect.stringContaining("Nothing was stored or handed out"),
      });
    }
    expect(await readiness(server.url)).toEqual({ status: 503, codes: ["files_lost"] });
    await untilLogged(server, `The file ${lost} was deleted, renamed or replaced while the server ran`);
    // Putting it back does not help while the server runs: somebody else may have written to it meanwhile.
    server.kill("SIGTERM");
    expect(await server.exited).toBe(0);
  }, 30_000);
}

test("a database that was renamed has everything that was acknowledged, and hands it out once it is back", async () => {
  using folder = temporaryFolder();
  const token = await mintKey(folder.path);
  const elsewhere = join(folder.path, "elsewhere");
  let id = "";
  {
    await using server = await serve(folder.path);
    ({ id } = await jsonOf(apiOf(server.url, token).create("kept")));
    renameSync(db(folder.path), elsewhere);
    expect((await apiOf(server.url, token).claim(id)).status).toBe(503);
    server.kill("SIGTERM");
    await server.exited;
  }
  // What it leaves at the old place is empty, and so harms no database that is put there.
  expect(statSync(`${db(folder.path)}-wal`).size).toBe(0);
  renameSync(elsewhere, db(folder.path));
  await using server = await serve(folder.path);
  expect(await jsonOf(apiOf(server.url, token).claim(id))).toMatchObject({ envelope: { ciphertext: "kept" } });
}, 30_000);

test("another database with its WAL, put in the place of this one, is left alone when the server stops", async () => {
  using folder = temporaryFolder();
  using other = temporaryFolder();
  await mintKey(folder.path);
  await mintKey(other.path);
  await using server = await serve(folder.path);
  await using second = await serve(other.path);
  await apiOf(second.url, await mintKey(other.path)).create("theirs");
  for (const end of ["", "-wal", "-shm"]) {
    copyFileSync(db(other.path) + end, join(folder.path, "copy"));
    renameSync(join(folder.path, "copy"), db(folder.path) + end);
  }
  const files = ["", "-wal"].map((end) => db(folder.path) + end);
  const before = files.map((path) => Bun.hash(readFileSync(path)));
  await untilLogged(server, "was deleted, renamed or replaced");
  server.kill("SIGTERM");
  expect(await server.exited).toBe(0);
  expect(files.map((path) => existsSync(path) && Bun.hash(readFileSync(path)))).toEqual(before);
}, 30_000);

test("a read that fails is 503 and not ready, and nothing else is said of it", async () => {
  using folder = temporaryFolder();
  using disk = makeFaultyDisk();
  const token = await mintKey(folder.path);
  let ids: string[] = [];
  {
    await using server = await serve(folder.path);
    const created = Array.from({ length: 8 }, (_, n) =>
      jsonOf(apiOf(server.url, token).create(`${n}`.repeat(200_000))),
    );
    ids = (await Promise.all(created)).map(({ id }) => id);
    server.kill("SIGTERM");
    await server.exited;
  }
  await using server = await serve(folder.path, disk.env);
  const api = apiOf(server.url, token);
  expect((await api.find(ids[0] ?? "")).status).toBe(200);
  disk.start("read");
  const answers = await Promise.all(ids.map((id) => api.claim(id)));
  expect(answers.map(({ status }) => status)).toEqual(ids.map(() => 503));
  for (const answer of answers) expect(await jsonOf(answer)).toMatchObject({ code: "storage_unavailable" });
  expect(await readiness(server.url)).toEqual({ status: 503, codes: ["unreadable"] });
  await untilLogged(server, "The database could not be read");
  disk.stop("read");
  expect((await api.claim(ids[1] ?? "")).status).toBe(200);
}, 30_000);

test("a second server is kept out by the database itself, whatever else is deleted", async () => {
  using folder = temporaryFolder();
  const token = await mintKey(folder.path);
  await using server = await serve(folder.path);
  for (const name of readdirSync(folder.path)) if (!name.startsWith("handoff.db")) rmSync(join(folder.path, name));
  const second = await runExecutable(["serve", "--listen", "127.0.0.1:0", "--data-dir", folder.path]);
  expect(second.exitCode).toBe(1);
  expect(second.stderr).toContain(`another server runs on the data folder '${folder.path}'`);
  // Whoever was turned away has left the locks of the first alone, and so has the admin command.
  await mintKey(folder.path);
  const { id } = await jsonOf(apiOf(server.url, token).create("text"));
  expect(await jsonOf(apiOf(server.url, token).claim(id))).toMatchObject({ envelope: { ciphertext: "text" } });
  server.kill("SIGKILL");
  await server.exited;
  await using third = await serve(folder.path);
  expect((await apiOf(third.url, token).claim(id)).status).toBe(410);
}, 30_000);
