import { expect, test } from "bun:test";
import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { handoffCommand } from "../support/executable.ts";
import { randomBytes } from "../support/large-places.ts";
import { peakMemoryOf } from "../support/peak-memory.ts";
import { openPlace } from "../support/people.ts";
import type { Person } from "../support/people.ts";
import { startProgram } from "../support/running.ts";

const MIB = 1024 * 1024;
/** What the executable takes at all is more than half of it. */
const MOST_MEMORY = 256 * MIB;

/** Runs a command, and returns the most memory that it has taken. */
async function measured(person: Person, args: readonly string[], files: { stdin?: string; stdout?: string } = {}) {
  const child = Bun.spawn([...handoffCommand(), ...args], {
    cwd: person.home,
    env: { ...person.env },
    stdin: files.stdin === undefined ? "ignore" : Bun.file(files.stdin),
    stdout: files.stdout === undefined ? "ignore" : Bun.file(files.stdout),
    stderr: "pipe",
  });
  const [stderr, memory] = await Promise.all([child.stderr.text(), peakMemoryOf(child)]);
  return { exitCode: await child.exited, stderr, memory };
}

test("large secrets move to another machine in a backup, also through a pipe, in little memory", async () => {
  await using place = await openPlace();
  const ann = await place.member("ann");
  const admin = place.person("admin");
  const [data, there] = [join(place.folder, "data"), join(place.folder, "there")];
  const content = randomBytes(30 * MIB);
  writeFileSync(join(ann.home, "dump.bin"), content);
  truncateSync(writeNew(join(ann.home, "sparse.img")), 160 * MIB);
  const link = await ann.must(["send", "dump.bin"]);
  // A slow machine takes its time.
  expect(await measured(ann, ["send", "sparse.img"])).toMatchObject({ exitCode: 0 });
  const lost = await ann.must(["send", "dump.bin"]);
  const [idOfLost = ""] = /sec_[0-9a-v]{26}/.exec(lost) ?? [];
  const names = readdirSync(join(data, "blobs")).toSorted();
  rmSync(join(data, "blobs", names[2] ?? ""));

  const file = join(admin.home, "move.backup");
  const piped = ["admin", "backup", "-", "--with-secrets", "--data-dir", data];
  const made = await measured(admin, piped, { stdout: file });
  expect(made.stderr).toContain(`the content of the large secret ${idOfLost} is damaged. The backup doesn't have it.`);
  expect(made.stderr).toContain("secrets 3, requests 0, large secrets 2 (190.0 MiB).\n");
  expect(made).toMatchObject({ exitCode: 0 });
  expect(made.memory).toBeLessThan(MOST_MEMORY);
  expect(readdirSync(data).filter((name) => name.includes("part"))).toEqual([]);

  await place.server[Symbol.asyncDispose]();
  const keep = ["admin", "restore", "-", "--keep-secrets", "--data-dir", there];
  const restored = await measured(admin, keep, { stdin: file });
  expect(restored.stderr).toContain("large secrets 2 (190.0 MiB).\n");
  expect(restored.stderr).toContain("Only 1 large secret was revoked: the backup doesn't have its content.");
  expect(restored.exitCode).toBe(0);
  expect(restored.memory).toBeLessThan(MOST_MEMORY);
  expect(readdirSync(there).toSorted()).toEqual(["blobs", "handoff.db"]);

  await using server = await startProgram(["serve", "--listen", "127.0.0.1:0", "--data-dir", there]);
  const bob = place.person("bob");
  const [dump, gone] = [link, lost].map((each) => each.replace(/^http:\/\/[^/]+/, server.url));
  await bob.must(["open", "--yes", "--output", "one", dump ?? ""]);
  expect(readFileSync(join(bob.home, "one/dump.bin")).equals(content)).toBe(true);
  expect(await bob.run(["open", "--yes", gone ?? ""])).toMatchObject({ exitCode: 4 });
}, 180_000);

/** Makes an empty file. Returns its path. */
function writeNew(path: string): string {
  writeFileSync(path, "");
  return path;
}
