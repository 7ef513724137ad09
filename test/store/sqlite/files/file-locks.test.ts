import { expect, test } from "bun:test";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { lockFile } from "../../../../src/store/sqlite/files/file-locks.ts";
import { mountTmpfs, remount } from "../../../support/mounts.ts";
import { temporaryFolder } from "../../../support/temporary.ts";

const SCRIPT = join(import.meta.dir, "../../../support/lock-process.ts");

function start(...args: readonly string[]) {
  const child = Bun.spawn([process.execPath, SCRIPT, ...args], { stdin: "pipe", stdout: "pipe", stderr: "pipe" });
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  const line = async () => {
    while (!text.includes("\n")) {
      const { value, done } = await reader.read();
      if (done) throw new Error(await child.stderr.text());
      text += value;
    }
    const [first = "", ...rest] = text.split("\n");
    text = rest.join("\n");
    return first;
  };
  const tell = () => {
    void child.stdin.write("\n");
    void child.stdin.flush();
  };
  return { child, line, tell };
}

test("a lock has one holder in a process, and its file is deleted with it", () => {
  using folder = temporaryFolder();
  const path = join(folder.path, "lock");
  const first = lockFile(path);
  expect(first).toBeDefined();
  expect([lockFile(path), lockFile(path)]).toEqual([undefined, undefined]);
  using other = lockFile(`${path}-other`);
  expect(other).toBeDefined();
  first?.[Symbol.dispose]();
  expect(existsSync(path)).toBe(false);
  using again = lockFile(path);
  expect(again).toBeDefined();
  expect(lockFile(path)).toBeUndefined();
});

test("a lock of a killed process is free at once", async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, "lock");
  const { child, line } = start("hold", path);
  await line();
  expect(JSON.parse(await line())).toEqual([path]);
  expect(lockFile(path)).toBeUndefined();
  child.kill("SIGKILL");
  await child.exited;
  expect(existsSync(path)).toBe(true);
  using lock = lockFile(path);
  expect(lock).toBeDefined();
});

test("of processes that try at the same time, exactly one gets each lock, even a dead process's", async () => {
  using folder = temporaryFolder();
  const paths = Array.from({ length: 200 }, (_, index) => join(folder.path, `lock-${index}`));
  const dead = start("hold", ...paths.slice(100));
  await dead.line();
  await dead.line();
  dead.child.kill("SIGKILL");
  await dead.child.exited;
  const all = [0, 1, 2, 3].map(() => start("try", ...paths));
  for (const each of all) expect(await each.line()).toBe("ready");
  for (const each of all) each.tell();
  const got = await Promise.all(all.map(async (each): Promise<string[]> => JSON.parse(await each.line())));
  expect(got.flat().toSorted()).toEqual(paths.toSorted());
  await Promise.all(
    all.map(async ({ child }) => {
      void child.stdin.end();
      expect(await child.exited).toBe(0);
    }),
  );
}, 30_000);

test("a lock that is released while others wait for it never has two holders", async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, "lock");
  const all = [0, 1, 2].map(() => start("toggle", path, "400").child);
  const ends = await Promise.all(
    all.map(async (child) => ({ code: await child.exited, said: await child.stderr.text() })),
  );
  expect(ends).toEqual(all.map(() => ({ code: 0, said: "" })));
  expect(readdirSync(folder.path)).toEqual([]);
}, 30_000);

test("a lock whose file is read-only can't be taken, and throws", () => {
  using disk = mountTmpfs("1m");
  const path = join(disk.path, "lock");
  writeFileSync(path, "");
  remount(disk.path, "ro");
  for (const _ of [1, 2]) expect(() => lockFile(path)).toThrow("EROFS");
  remount(disk.path, "rw");
  using lock = lockFile(path);
  expect(lock).toBeDefined();
});
