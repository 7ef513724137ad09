import { expect, test } from "bun:test";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { makeFaultyDisk } from "../support/disk-faults.ts";
import { apiOf, jsonOf, mintKey, runExecutable, UNLIMITED } from "../support/executions.ts";
import { until } from "../support/polls.ts";
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

/** Real time, because another program's timer has to pass. */
const untilPast = (milliseconds: number) => Bun.sleep(milliseconds);

const db = (folder: string) => join(folder, "handoff.db");

/** Changes to the files of a running server. */
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
  test(`a database that is ${what} under the server stops writes at once, and log and health report it`, async () => {
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
    // Restoring it does not help while the server runs: another program may have written to it meanwhile.
    server.kill("SIGTERM");
    expect(await server.exited).toBe(0);
  }, 30_000);
}

/** The ways to move a database away and back. To another file system it is copied, and its copy is put back. */
const WAYS: readonly [way: string, move: (from: string, to: string) => void][] = [
  ["renamed", renameSync],
  ["copied and unlinked", (from, to) => (copyFileSync(from, to), rmSync(from))],
];

for (const [way, move] of WAYS) {
  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    test(`a database that was ${way}, then put back, has everything after ${signal} and a restart`, async () => {
      using folder = temporaryFolder();
      using elsewhere = temporaryFolder();
      const token = await mintKey(folder.path);
      const away = join(elsewhere.path, "away");
      const ids: string[] = [];
      {
        await using server = await serve(folder.path);
        const api = apiOf(server.url, token);
        for (let n = 0; n < 20; n++) ids.push((await jsonOf(api.create(`text-${n}`))).id);
        await api
          .create("claimed")
          .then(jsonOf)
          .then(({ id }) => (ids.push(id), api.claim(id)));
        move(db(folder.path), away);
        const wal = readFileSync(`${db(folder.path)}-wal`);
        expect((await api.claim(ids[0] ?? "")).status).toBe(503);
        await untilLogged(server, "leave handoff.db-wal where it is");
        await untilLogged(server, "To restore a backup instead, stop the server, then delete handoff.db-wal");
        // By then the WAL would have been emptied, a second after the claim.
        await untilPast(1500);
        expect(readFileSync(`${db(folder.path)}-wal`).equals(wal)).toBe(true);
        move(away, db(folder.path));
        server.kill(signal);
        await server.exited;
        expect(readFileSync(`${db(folder.path)}-wal`).equals(wal)).toBe(true);
      }
      await using server = await serve(folder.path);
      const answers = await Promise.all(ids.map((id) => apiOf(server.url, token).claim(id)));
      expect(answers.map(({ status }) => status)).toEqual([...ids.slice(1).map(() => 200), 410]);
    }, 30_000);
  }
}

/** Losses after which only the server's own descriptors reach the data. */
const UNLINKED: readonly [what: string, lose: (database: string) => void, lost: string][] = [
  ["deleted with its WAL", (database) => [database, `${database}-wal`].forEach((path) => rmSync(path)), "handoff.db"],
  [
    "left with an empty file in the place of its WAL",
    (database) => (writeFileSync(`${database}-other`, ""), renameSync(`${database}-other`, `${database}-wal`)),
    "handoff.db-wal",
  ],
];

for (const [what, lose, lost] of UNLINKED) {
  test(`a database that is ${what} has everything after the copies that the log asks for`, async () => {
    using folder = temporaryFolder();
    using elsewhere = temporaryFolder();
    const token = await mintKey(folder.path);
    let id = "";
    {
      await using server = await serve(folder.path);
      ({ id } = await jsonOf(apiOf(server.url, token).create("kept")));
      const path = db(folder.path);
      const descriptors = `/proc/${server.pid}/fd`;
      const open = ["", "-wal"].map((end) => {
        const name = readdirSync(descriptors).find((each) => readlinkSync(join(descriptors, each)) === path + end);
        return { end, descriptor: join(descriptors, name ?? "") };
      });
      lose(path);
      await untilLogged(server, `The file ${lost} was deleted, renamed or replaced while the server ran`);
      await untilLogged(server, "copy both from /proc/<pid of the server>/fd before the server ends");
      for (const { end, descriptor } of open) copyFileSync(descriptor, join(elsewhere.path, `handoff.db${end}`));
      server.kill("SIGTERM");
      expect(await server.exited).toBe(0);
    }
    rmSync(`${db(folder.path)}-shm`);
    for (const end of ["", "-wal"]) copyFileSync(join(elsewhere.path, `handoff.db${end}`), db(folder.path) + end);
    for (const end of ["", "-wal"]) chmodSync(db(folder.path) + end, 0o600);
    await using server = await serve(folder.path);
    expect(await jsonOf(apiOf(server.url, token).claim(id))).toMatchObject({ envelope: { ciphertext: "kept" } });
  }, 30_000);
}

/** The ways to delete a WAL under a running server. */
const DELETIONS: readonly [how: string, indexFirst: "together" | "noticed" | undefined][] = [
  ["alone", undefined],
  ["with its index", "together"],
  ["once the loss of its index was noticed", "noticed"],
];

for (const [how, indexFirst] of DELETIONS) {
  test(`the content of a WAL deleted ${how} is saved in the server's own database`, async () => {
    using folder = temporaryFolder();
    const token = await mintKey(folder.path);
    let id = "";
    {
      await using server = await serve(folder.path);
      ({ id } = await jsonOf(apiOf(server.url, token).create("kept")));
      if (indexFirst) rmSync(`${db(folder.path)}-shm`);
      if (indexFirst === "noticed") await untilLogged(server, "The other files have everything. Restart the server.");
      rmSync(`${db(folder.path)}-wal`);
      await untilLogged(server, "What was in it is in handoff.db now. Restart the server.");
      server.kill("SIGTERM");
      expect(await server.exited).toBe(0);
    }
    await using server = await serve(folder.path);
    expect(await jsonOf(apiOf(server.url, token).claim(id))).toMatchObject({ envelope: { ciphertext: "kept" } });
  }, 30_000);
}

/** Changes to the WAL of a running server, in place. */
const CUTS: readonly [what: string, cut: (wal: string) => void][] = [
  ["cut to nothing", (wal) => truncateSync(wal, 0)],
  ["cut to its header", (wal) => truncateSync(wal, 32)],
  ["cut in the middle", (wal) => truncateSync(wal, statSync(wal).size - 5000)],
  ["cut and filled with zeros", (wal) => writeFileSync(wal, new Uint8Array(statSync(wal).size))],
];

for (const [what, cut] of CUTS) {
  test(`a WAL that is ${what} under the server stops writes at once, and the rest stays usable`, async () => {
    using folder = temporaryFolder();
    const token = await mintKey(folder.path);
    let old = "";
    {
      await using server = await serve(folder.path);
      ({ id: old } = await jsonOf(apiOf(server.url, token).create("old")));
      server.kill("SIGTERM");
      await server.exited;
    }
    {
      await using server = await serve(folder.path);
      const api = apiOf(server.url, token);
      for (let n = 0; n < 20; n++) expect((await api.create("latest")).status).toBe(201);
      cut(`${db(folder.path)}-wal`);
      const left = readFileSync(`${db(folder.path)}-wal`);
      expect((await api.create("refused")).status).toBe(503);
      expect(await readiness(server.url)).toEqual({ status: 503, codes: ["files_lost"] });
      await untilLogged(server, "The file handoff.db-wal was cut off or written over");
      server.kill("SIGTERM");
      expect(await server.exited).toBe(0);
      expect(readFileSync(`${db(folder.path)}-wal`).equals(left)).toBe(true);
    }
    await using server = await serve(folder.path);
    const api = apiOf(server.url, token);
    expect((await api.create("new")).status).toBe(201);
    expect(await jsonOf(api.claim(old))).toMatchObject({ envelope: { ciphertext: "old" } });
  }, 30_000);
}

for (const [what, bytes] of [
  ["to nothing", 0],
  ["in the middle", 10 * 4096],
] as const) {
  test(`a database that is cut ${what} under the server stops writes at once`, async () => {
    using folder = temporaryFolder();
    const token = await mintKey(folder.path);
    {
      await using server = await serve(folder.path);
      expect((await apiOf(server.url, token).create("old")).status).toBe(201);
      server.kill("SIGTERM");
      await server.exited;
    }
    await using server = await serve(folder.path);
    const api = apiOf(server.url, token);
    expect((await api.create("kept-in-the-WAL")).status).toBe(201);
    truncateSync(db(folder.path), bytes);
    expect((await api.create("refused")).status).toBe(503);
    expect(await readiness(server.url)).toEqual({ status: 503, codes: ["files_lost"] });
    await untilLogged(server, "The file handoff.db was cut off or written over while the server ran");
    server.kill("SIGTERM");
    expect(await server.exited).toBe(0);
    expect(statSync(db(folder.path)).size).toBe(bytes);
  }, 30_000);
}

/** Contents written into the files of a running server; `before` has the files before its latest changes. */
const OVERWRITTEN: readonly [what: string, files: (before: string, backup: string) => Record<string, string>][] = [
  ["a backup over the database", (_, backup) => ({ "handoff.db": backup })],
  ["an earlier copy over the database", (before) => ({ "handoff.db": join(before, "handoff.db") })],
  [
    "an earlier copy over all of them",
    (before) =>
      Object.fromEntries(["", "-wal", "-shm"].map((end) => [`handoff.db${end}`, join(before, `handoff.db${end}`)])),
  ],
];

for (const [what, files] of OVERWRITTEN) {
  test(`${what} of a running server, in place, stops writes at once`, async () => {
    using folder = temporaryFolder();
    using elsewhere = temporaryFolder();
    const token = await mintKey(folder.path);
    const backup = join(elsewhere.path, "backup");
    await using server = await serve(folder.path);
    const api = apiOf(server.url, token);
    await api.create("old");
    expect(await runExecutable(["admin", "backup", backup, "--data-dir", folder.path])).toMatchObject({ exitCode: 0 });
    for (const end of ["", "-wal", "-shm"])
      copyFileSync(db(folder.path) + end, join(elsewhere.path, `handoff.db${end}`));
    Bun.spawnSync(["sqlite3", "-cmd", ".timeout 5000", db(folder.path), "PRAGMA wal_checkpoint"]);
    const { id } = await jsonOf(api.create("kept"));
    for (const [name, from] of Object.entries(files(elsewhere.path, backup))) {
      expect(Bun.spawnSync(["cp", from, join(folder.path, name)]).success).toBe(true);
    }
    for (const answer of [await api.create("lost"), await api.claim(id)]) expect(answer.status).toBe(503);
    expect(await readiness(server.url)).toEqual({ status: 503, codes: ["files_lost"] });
    await untilLogged(server, "written over");
    // Reads now return old or foreign data: a valid key could seem unknown.
    expect((await api.find(id)).status).toBe(503);
    const left = readFileSync(db(folder.path));
    server.kill("SIGTERM");
    expect(await server.exited).toBe(0);
    expect(readFileSync(db(folder.path)).equals(left)).toBe(true);
  }, 30_000);
}

test("a database that is only touched is no loss", async () => {
  using folder = temporaryFolder();
  const token = await mintKey(folder.path);
  await using server = await serve(folder.path);
  expect(Bun.spawnSync(["touch", db(folder.path)]).success).toBe(true);
  expect((await apiOf(server.url, token).create("text")).status).toBe(201);
  expect(await readiness(server.url)).toEqual({ status: 200, codes: [] });
}, 30_000);

test("a WAL emptied by another process is no loss", async () => {
  using folder = temporaryFolder();
  const token = await mintKey(folder.path);
  await using server = await serve(folder.path);
  for (let n = 0; n < 20; n++) {
    expect((await apiOf(server.url, token).create("text")).status).toBe(201);
    // The server may be emptying it too, as it does soon after its start: SQLite doesn't wait for that, and says so.
    const empty = () =>
      Bun.spawnSync([
        "sqlite3",
        "-cmd",
        ".timeout 5000",
        db(folder.path),
        "PRAGMA wal_checkpoint(TRUNCATE)",
      ]).stdout.toString();
    await until(() => empty() === "0|0|0\n");
  }
  expect(await readiness(server.url)).toEqual({ status: 200, codes: [] });
}, 30_000);

/** Files that are missing or foreign when a server starts beside the WAL of another one. */
const MISFITS: readonly [what: string, misplace: (folder: string) => void, sentence: string][] = [
  ["without its database", (folder) => rmSync(db(folder)), "is missing, but its latest changes are there"],
  [
    "beside a backup",
    (folder) => (
      Bun.spawnSync(["sqlite3", db(folder), `VACUUM INTO '${join(folder, "copy")}'`]),
      chmodSync(join(folder, "copy"), 0o600),
      renameSync(join(folder, "copy"), db(folder))
    ),
    "belongs to the database from before",
  ],
];

for (const [what, misplace, sentence] of MISFITS) {
  test(`a WAL ${what} is not touched by a start or an admin command, which say what to do`, async () => {
    using folder = temporaryFolder();
    const token = await mintKey(folder.path);
    const wal = `${db(folder.path)}-wal`;
    {
      await using server = await serve(folder.path);
      await apiOf(server.url, token).create("text");
      misplace(folder.path);
      server.kill("SIGKILL");
      await server.exited;
    }
    const before = readFileSync(wal);
    expect(before.length).toBeGreaterThan(0);
    for (const command of [
      ["serve", "--listen", "127.0.0.1:0"],
      ["admin", "team", "list"],
    ]) {
      const run = await runExecutable([...command, "--data-dir", folder.path]);
      expect(run.exitCode).toBe(1);
      expect(run.stderr).toContain(sentence);
      expect(readFileSync(wal).equals(before)).toBe(true);
    }
    for (const name of readdirSync(folder.path)) if (name !== "handoff.db") rmSync(join(folder.path, name));
    await using server = await serve(folder.path);
    expect((await readiness(server.url)).status).toBe(200);
  }, 30_000);
}

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

test("a failed read is 503 and not ready, and causes no other report", async () => {
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
  // A server whose writer cannot read the database at startup ends.
  expect(await readiness(server.url)).toEqual({ status: 200, codes: [] });
  disk.start("read");
  const answers = await Promise.all(ids.map((id) => api.claim(id)));
  expect(answers.map(({ status }) => status)).toEqual(ids.map(() => 503));
  for (const answer of answers) expect(await jsonOf(answer)).toMatchObject({ code: "storage_unavailable" });
  expect(await readiness(server.url)).toEqual({ status: 503, codes: ["unreadable"] });
  await untilLogged(server, "The database could not be read");
  // Writes that need an unreadable page are refused, and all failed calls share one log line.
  expect((await api.create("refused")).status).toBe(503);
  expect(server.stderr().match(/"msg":"the storage failed a call"/g)?.length ?? 0).toBeWithin(1, 3);
  expect(server.stderr()).not.toContain('"msg":"failure"');
  expect(server.stderr().match(/sweep failed/g)?.length ?? 0).toBeLessThanOrEqual(1);
  disk.stop("read");
  expect((await api.claim(ids[1] ?? "")).status).toBe(200);
  await untilLogged(server, `"trouble":"unreadable","msg":"this trouble of the storage is over"`);
  expect(await readiness(server.url)).toEqual({ status: 200, codes: [] });
  expect((await api.create("taken")).status).toBe(201);
}, 30_000);

test("a ciphertext damaged on the disk is 503, reported in log and health, and stops nothing else", async () => {
  using folder = temporaryFolder();
  const token = await mintKey(folder.path);
  const ids: string[] = [];
  {
    await using server = await serve(folder.path);
    for (const text of ["damaged-".repeat(2000), "sound"]) {
      ids.push((await jsonOf(apiOf(server.url, token).create(text))).id);
    }
    server.kill("SIGTERM");
    await server.exited;
  }
  const bytes = readFileSync(db(folder.path));
  bytes.fill(0xff, bytes.indexOf("damaged-damaged-"), bytes.indexOf("damaged-damaged-") + 8);
  writeFileSync(db(folder.path), bytes);
  await using server = await serve(folder.path);
  const api = apiOf(server.url, token);
  const [damaged = "", sound = ""] = ids;
  const answer = await api.claim(damaged);
  expect(answer.status).toBe(503);
  expect(await jsonOf(answer)).toMatchObject({ code: "storage_unavailable" });
  expect(await readiness(server.url)).toEqual({ status: 200, codes: ["damaged"] });
  expect((await api.claim(damaged)).status).toBe(503);
  expect((await api.create("new")).status).toBe(201);
  expect(await jsonOf(api.find(damaged))).toMatchObject({ state: "available", claims: 0 });
  await untilLogged(server, "A part of the database could not be read");
  expect((await api.claim(sound)).status).toBe(200);
}, 30_000);

test("the database itself keeps a second server out, whatever else is deleted", async () => {
  using folder = temporaryFolder();
  const token = await mintKey(folder.path);
  await using server = await serve(folder.path);
  for (const name of readdirSync(folder.path)) if (!name.startsWith("handoff.db")) rmSync(join(folder.path, name));
  const second = await runExecutable(["serve", "--listen", "127.0.0.1:0", "--data-dir", folder.path]);
  expect(second.exitCode).toBe(1);
  expect(second.stderr).toContain(`another server runs on the data folder '${folder.path}'`);
  // The refused server has left the locks of the first one alone, and so has the admin command.
  await mintKey(folder.path);
  const { id } = await jsonOf(apiOf(server.url, token).create("text"));
  expect(await jsonOf(apiOf(server.url, token).claim(id))).toMatchObject({ envelope: { ciphertext: "text" } });
  server.kill("SIGKILL");
  await server.exited;
  await using third = await serve(folder.path);
  expect((await apiOf(third.url, token).claim(id)).status).toBe(410);
}, 30_000);

test("a folder in the place of the ballast is not reported as a full disk", async () => {
  using folder = temporaryFolder();
  await mintKey(folder.path);
  mkdirSync(join(folder.path, "ballast"));
  await using server = await serve(folder.path);
  const { troubles } = await jsonOf(fetch(`${server.url}/health/ready`));
  expect(troubles).toMatchObject([{ message: expect.stringContaining("'ballast' in the data folder is no file") }]);
}, 30_000);
