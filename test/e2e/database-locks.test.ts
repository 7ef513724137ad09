import { expect, test } from "bun:test";
import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { apiOf, jsonOf, mintKey, runExecutable, UNLIMITED } from "../support/executions.ts";
import { mountTmpfs } from "../support/mounts.ts";
import { startProgram } from "../support/running.ts";

/** The locks of SQLite on an open database: its share of the file, and the mark in the index that says it is in use. */
const HELD = ["handoff.db", "handoff.db-shm"];

/** The files in `folder` that the process `pid` holds fcntl(2) locks on, according to the system. */
function lockedFiles(pid: number, folder: string): string[] {
  const lines = readFileSync("/proc/locks", "utf8").split("\n");
  const inodes = lines.flatMap((line) => {
    const [, kind, , , owner, file] = line.split(/\s+/);
    return kind === "POSIX" && owner === String(pid) ? [Number(file?.split(":")[2])] : [];
  });
  return HELD.filter((name) => inodes.includes(statSync(join(folder, name)).ino));
}

async function until(condition: () => Promise<boolean> | boolean): Promise<void> {
  for (const end = performance.now() + 10_000; performance.now() < end; await Bun.sleep(50)) {
    if (await condition()) return;
  }
  throw new Error("what was waited for did not come");
}

// Closing any descriptor of a file releases all fcntl(2) locks of the process on it, including SQLite's. Without them
// the next program that closes the database considers itself the last one, and deletes the WAL under the server.
test("a server keeps SQLite's locks, whatever it does with the files of the database", async () => {
  using disk = mountTmpfs("64m");
  const folder = join(disk.path, "data");
  const filler = join(disk.path, "filler");
  const token = await mintKey(folder);
  const args = ["serve", "--listen", "127.0.0.1:0", "--data-dir", folder, "--max-ciphertext", "1MiB", ...UNLIMITED];
  await using server = await startProgram(args);
  const api = apiOf(server.url, token);
  const isReady = async () => (await fetch(`${server.url}/health/ready`)).status === 200;
  const create = async () => (await jsonOf(api.create("x".repeat(100_000)))).id as string;
  let ids: string[] = [];
  const steps: Record<string, () => unknown> = {
    start: () => isReady(),
    secrets: async () => {
      ids = await Promise.all(Array.from({ length: 8 }, create));
      await api.claim(ids.pop() ?? "");
    },
    "an admin command": () => mintKey(folder),
    "a second server": async () => expect((await runExecutable(args)).exitCode).toBe(1),
    "a hangup": () => server.kill("SIGHUP"),
    "a full disk": async () => {
      expect(() => writeFileSync(filler, new Uint8Array(64 * 1024 * 1024))).toThrow("ENOSPC");
      await until(async () => (await api.create("x".repeat(500_000))).status === 503);
      expect((await api.claim(ids.pop() ?? "")).status).toBe(200);
    },
    "an admin command on a full disk": () => runExecutable(["admin", "key", "list", "--data-dir", folder]),
    "room again": async () => {
      rmSync(filler);
      await until(isReady);
    },
    "a copied WAL": () =>
      until(() => !readFileSync(join(folder, "handoff.db-wal"), "latin1").includes("x".repeat(100))),
  };
  for (const [step, run] of Object.entries(steps)) {
    await run();
    expect({ step, held: lockedFiles(server.pid, folder) }).toEqual({ step, held: HELD });
  }
  expect(await Promise.all(ids.map(async (id) => (await api.claim(id)).status))).toEqual(ids.map(() => 200));
}, 60_000);
