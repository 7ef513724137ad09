import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startAgent } from "../support/agents.ts";
import { handoffCommand } from "../support/executable.ts";
import { UNLIMITED } from "../support/executions.ts";
import { peakMemoryOf } from "../support/peak-memory.ts";
import { openPlace } from "../support/people.ts";
import type { Person, Place } from "../support/people.ts";
import { until } from "../support/polls.ts";
import { freePort } from "../support/ports.ts";
import { startProgram } from "../support/running.ts";
import { inDatabase } from "../support/sqlite-files.ts";

const MIB = 1024 * 1024;
const LARGE = 64 * MIB;
/** What the executable takes at all is more than half of it. */
const MOST_MEMORY = 256 * MIB;

const blobsOf = (place: Place) => join(place.folder, "data/blobs");
/** The bytes of all files in a folder, also of those that are written just now. */
const bytesIn = (folder: string): number => {
  if (!existsSync(folder)) return 0;
  const names = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
  return names.reduce((sum, { parentPath, name }) => {
    return sum + (statSync(join(parentPath, name), { throwIfNoEntry: false })?.size ?? 0);
  }, 0);
};

function writeRandom(path: string, bytes = LARGE): void {
  writeFileSync(path, "");
  for (let at = 0; at < bytes; at += 65_536) {
    writeFileSync(path, crypto.getRandomValues(new Uint8Array(65_536)), { flag: "a" });
  }
}

const isSame = (one: string, other: string) => readFileSync(one).equals(readFileSync(other));

/** Starts a command of somebody, which may be killed. */
function start(person: Person, args: readonly string[], input: "ignore" | Bun.BunFile = "ignore") {
  const child = Bun.spawn([...handoffCommand(), ...args], {
    cwd: person.home,
    env: { ...person.env },
    stdin: input,
    stdout: "pipe",
    stderr: "pipe",
  });
  const output = Promise.all([child.stdout.text(), child.stderr.text()]);
  return {
    child,
    finished: async () => {
      const [stdout, stderr] = await output;
      return { exitCode: await child.exited, stdout: stdout.trim(), stderr };
    },
  };
}

test("a folder and a file of 64 MiB arrive, and the server keeps nothing", async () => {
  await using place = await openPlace();
  const ann = await place.member("ann");
  const bob = place.person("bob");
  mkdirSync(join(ann.home, "folder/empty"), { recursive: true });
  writeRandom(join(ann.home, "folder/large.bin"));
  await Bun.write(join(ann.home, "folder/notes.txt"), "notes");
  const link = await ann.must(["send", "folder"]);
  const opened = await bob.run(["open", "--yes", link]);
  expect(opened.stderr).toContain("in the new directory");
  // Files are no text, for a program that reads standard output.
  expect(opened.exitCode).toBe(8);
  const [folder = ""] = readdirSync(bob.home).filter((each) => each.startsWith("sec_"));
  const names = readdirSync(join(bob.home, folder), { recursive: true }).map(String);
  expect(new Set(names)).toEqual(new Set(["", "/empty", "/large.bin", "/notes.txt"].map((each) => `folder${each}`)));
  expect(isSame(join(ann.home, "folder/large.bin"), join(bob.home, folder, "folder/large.bin"))).toBe(true);

  // Bytes without a name come from a pipe, of which nobody knows the length.
  const sent = start(ann, ["send"], Bun.file(join(ann.home, "folder/large.bin")));
  const { exitCode, stdout } = await sent.finished();
  expect(exitCode).toBe(0);
  const printed = Bun.spawn([...handoffCommand(), "open", "--yes", "--output", "-", stdout], {
    cwd: bob.home,
    env: { ...bob.env },
    stdout: Bun.file(join(bob.home, "out.bin")),
    stderr: "ignore",
  });
  expect(await printed.exited).toBe(0);
  expect(isSame(join(ann.home, "folder/large.bin"), join(bob.home, "out.bin"))).toBe(true);
  await until(() => bytesIn(blobsOf(place)) === 0);
}, 120_000);

test("an agent can't open a large secret, and uses nothing up", async () => {
  await using place = await openPlace(["--max-ciphertext=64KiB"]);
  const ann = await place.member("ann");
  writeRandom(join(ann.home, "large.bin"), MIB);
  const link = await ann.must(["send", "large.bin"]);
  await using agent = await startAgent(ann, ["--allow-plaintext", "--allow-run"]);
  for (const [tool, more] of [
    ["open_to_file", { path: "opened" }],
    ["open_as_text", {}],
  ] as const) {
    expect(await agent.refusal(tool, { url: link, ...more })).toContain("too large");
  }
  const small = await ann.must(["send"], { stdin: "small" });
  const command = { env: { A: small, B: link }, command: ["true"] };
  expect(await agent.refusal("run_with_secret", command)).toContain("too large");
  expect(await ann.must(["status", small])).toStartWith("waiting");
  expect(await agent.refusal("send_secret", { file: "large.bin" })).toContain("with 'handoff send'");
  expect(await ann.must(["open", "--yes", "--json", link])).toContain("large.bin");
}, 60_000);

test("a server that is killed and started again is gone on with, on the way up and down", async () => {
  const port = freePort();
  const listen = ["--listen", `127.0.0.1:${port}`];
  await using place = await openPlace(listen);
  const ann = await place.member("ann");
  writeRandom(join(ann.home, "large.bin"));
  const data = join(place.folder, "data");
  const restart = () => startProgram(["serve", "--data-dir", data, ...UNLIMITED, ...listen]);

  const sending = start(ann, ["send", "large.bin"]);
  await until(() => bytesIn(blobsOf(place)) > 10 * MIB);
  place.server.kill("SIGKILL");
  await place.server.exited;
  await using second = await restart();
  const sent = await sending.finished();
  expect(sent).toMatchObject({ exitCode: 0, stderr: expect.stringContaining("Trying again") });

  const opening = start(ann, ["open", "--yes", "--output", "out", sent.stdout]);
  await until(() => bytesIn(ann.home) > LARGE + 5 * MIB);
  second.kill("SIGKILL");
  await second.exited;
  await using third = await restart();
  expect(await opening.finished()).toMatchObject({ exitCode: 0 });
  expect(isSame(join(ann.home, "large.bin"), join(ann.home, "out/large.bin"))).toBe(true);
  await until(() => bytesIn(blobsOf(place)) === 0);
  expect(third.stderr()).not.toContain('"level":"error"');
}, 120_000);

test("a command that is killed or interrupted leaves what the same command finishes", async () => {
  await using place = await openPlace();
  const ann = await place.member("ann");
  const bob = place.person("bob");
  writeRandom(join(ann.home, "large.bin"));
  for (const signal of ["SIGKILL", "SIGINT"] as const) {
    // From a pipe, so that a ciphertext is kept for a while.
    const { child, finished } = start(ann, ["send"], Bun.file(join(ann.home, "large.bin")));
    const before = bytesIn(blobsOf(place));
    await until(() => bytesIn(blobsOf(place)) > before + 5 * MIB);
    child.kill(signal);
    const { exitCode, stdout } = await finished();
    expect({ exitCode, stdout }).toEqual({ exitCode: signal === "SIGKILL" ? 137 : 130, stdout: "" });
    // No plaintext, and no ciphertext either.
    expect(bytesIn(join(ann.home, ".local"))).toBe(0);
  }

  const link = await ann.must(["send", "large.bin"]);
  for (const signal of ["SIGINT", "SIGKILL"] as const) {
    const { child, finished } = start(bob, ["open", "--yes", "--output", "out", link]);
    await until(() => bytesIn(bob.home) > 5 * MIB);
    child.kill(signal);
    const { exitCode, stderr } = await finished();
    expect(exitCode).toBe(signal === "SIGKILL" ? 137 : 130);
    expect(existsSync(join(bob.home, "out"))).toBe(false);
    if (signal === "SIGKILL") continue;
    expect(stderr).toMatch(/Interrupted\. Run the same command before \d\d:\d\d/);
    expect(bytesIn(bob.home)).toBeLessThan(1000);
  }
  expect(await bob.must(["open", "--yes", "--output", "out", link])).toBe("");
  expect(isSame(join(ann.home, "large.bin"), join(bob.home, "out/large.bin"))).toBe(true);
  expect(readdirSync(bob.home, { recursive: true }).filter((each) => String(each).includes(".part"))).toEqual([]);
  expect((await bob.run(["open", "--yes", "--output", "again", link])).exitCode).toBe(4);
}, 120_000);

test("a quota that has room for one upload is free again after every end of a sender", async () => {
  await using place = await openPlace(["--team-quota", `${LARGE * 1.5}`]);
  const ann = await place.member("ann");
  writeRandom(join(ann.home, "large.bin"));
  const blobs = () =>
    existsSync(blobsOf(place)) ? readdirSync(blobsOf(place)).map((name) => join(blobsOf(place), name)) : [];
  // Those that learn of their end take their upload along.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", "SIGKILL"] as const) {
    const before = blobs();
    const { child, finished } = start(ann, ["send", "large.bin"]);
    await until(() =>
      blobs().some(
        (path) => !before.includes(path) && (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 5 * MIB,
      ),
    );
    child.kill(signal);
    expect((await finished()).exitCode).toBeGreaterThan(128);
  }
  const refused = await ann.run(["send", "large.bin"]);
  expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("try again in 10 minutes") });

  // As if ten minutes went by.
  inDatabase(join(place.folder, "data"), (database) => {
    database.run("UPDATE uploads SET expires_at = expires_at - 600000");
  });
  const link = await ann.must(["send", "large.bin"]);
  await ann.must(["open", "--yes", "--output", "out", link]);
  expect(isSame(join(ann.home, "large.bin"), join(ann.home, "out/large.bin"))).toBe(true);
}, 60_000);

test("memory doesn't grow with the secret", async () => {
  await using place = await openPlace();
  const ann = await place.member("ann");
  const path = join(ann.home, "sparse.img");
  writeFileSync(path, "");
  truncateSync(path, 256 * MIB);
  const sending = start(ann, ["send", "sparse.img"]);
  expect(await peakMemoryOf(sending.child)).toBeLessThan(MOST_MEMORY);
  const { stdout: link } = await sending.finished();
  const opening = start(ann, ["open", "--yes", "--output", "out", link]);
  expect(await peakMemoryOf(opening.child)).toBeLessThan(MOST_MEMORY);
  expect((await opening.finished()).exitCode).toBe(0);
  expect(statSync(join(ann.home, "out/sparse.img")).size).toBe(256 * MIB);
}, 180_000);
