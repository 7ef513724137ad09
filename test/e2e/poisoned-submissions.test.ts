import { expect, test } from "bun:test";
import { mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { packTar } from "modern-tar";
import { handoffCommand } from "../support/executable.ts";
import { submitForeign } from "../support/foreign-secrets.ts";
import { shareServer } from "../support/people.ts";
import type { Person } from "../support/people.ts";

const openPlace = shareServer();

const SCOPES = ["requests:create", "requests:read", "secrets:claim"];
const idOf = (link: string) => /req_[0-9a-v]{26}/.exec(link)?.[0] ?? "";
const writtenBy = (person: Person) => person.files().filter((file) => !file.startsWith(".local/"));

async function submitArchive(link: string, names: readonly string[]): Promise<void> {
  await submitForeign(link, await packTar(names.map((name) => ({ header: { name, size: 4 }, body: "evil" }))));
}

test("a submission with unwritable names does not keep others from being collected", async () => {
  await using place = await openPlace();
  const [ann, bob] = [await place.member("ann", SCOPES), place.person("bob")];
  const link = await ann.must(["request", "--submissions", "5"]);
  await submitArchive(link, [`${`${"A".repeat(250)}/`.repeat(16)}x`]);
  await submitArchive(
    link,
    Array.from({ length: 200 }, (_, i) => `${Array.from({ length: 60 }, (_each, at) => `${i}-${at}`).join("/")}/x`),
  );
  // These two can be written: their names are equal once cut, and cut again when numbered.
  await submitArchive(link, ["B".repeat(300), "B".repeat(301)]);
  await Bun.write(join(bob.home, "file"), "honest");
  await bob.must(["submit", link, "file"], { stdin: "" });
  const { exitCode, stderr } = await ann.run(["collect", idOf(link), "--output", "in"]);
  expect({ exitCode, stderr }).toEqual({ exitCode: 5, stderr: expect.stringContaining("It was set aside") });
  expect(stderr).not.toContain("Make it possible");
  const names = writtenBy(ann).map((file) => file.split("/").at(-1) ?? "");
  expect(new Set(names)).toEqual(new Set([`${"B".repeat(251)} (2)`, "B".repeat(255), "file"]));
  expect(readdirSync(join(ann.home, "in"))).toHaveLength(2);
  // Nothing is left in the way of the next submission.
  await bob.must(["submit", link], { stdin: "text" });
  expect((await ann.run(["collect", idOf(link), "--output", "in"])).exitCode).toBe(0);
  expect((await ann.run(["collect", idOf(link)])).exitCode).toBe(4);
}, 60_000);

test("a folder where the names are too long is named, and left unchanged", async () => {
  await using place = await openPlace();
  const [ann, bob] = [await place.member("ann"), place.person("bob")];
  const deep = Array.from({ length: 14 }, () => "d".repeat(250)).join("/");
  mkdirSync(join(bob.home, deep), { recursive: true });
  const name = `${"e".repeat(250)}/${"f".repeat(250)}/${"g".repeat(250)}/h`;
  await Bun.write(join(ann.home, name), "content");
  const link = await ann.must(["send", "e".repeat(250)]);
  for (const attempt of [1, 2]) {
    const { exitCode, stderr } = await bob.run(["open", "--yes", "-o", deep], { stdin: link });
    expect({ attempt, exitCode }).toEqual({ attempt, exitCode: 5 });
    expect(stderr).toMatch(/The names of the files are too long for .* Run the same command with another directory/);
    expect(readdirSync(join(bob.home, deep))).toEqual([]);
  }
  await bob.must(["open", "--yes", "-o", "out"], { stdin: link });
  expect(writtenBy(bob)).toEqual([`out/${name}`]);
}, 30_000);

/** More than are written before a signal arrives, as flushing each takes 20 ms. */
const MANY = 300;
const WITH_SLOW_FLUSHES = ["strace", "-D", "-f", "-qq", "--seccomp-bpf", "-o", "/dev/null", "-e", "trace=fsync"].concat(
  ["-e", "inject=fsync:delay_enter=20000"],
);

test("a signal ends the writing of many files, none of them stays, and the same command goes on", async () => {
  await using place = await openPlace();
  const [ann, bob] = [await place.member("ann", SCOPES), place.person("bob")];
  const link = await ann.must(["request"]);
  await submitArchive(
    link,
    Array.from({ length: MANY }, (_, i) => `many/${i}`),
  );
  expect(bob.files()).toEqual([]);
  const child = Bun.spawn([...WITH_SLOW_FLUSHES, ...handoffCommand(), "collect", idOf(link), "--output", "in"], {
    cwd: ann.home,
    env: { ...ann.env },
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
  });
  while (writtenBy(ann).length === 0 && child.exitCode === null) await Bun.sleep(5);
  child.kill("SIGTERM");
  expect(await child.exited).toBe(130);
  expect(await child.stderr.text()).toMatch(/^handoff: Interrupted\. Run the same command before \d\d:\d\d/);
  expect(writtenBy(ann)).toEqual([]);
  await ann.must(["collect", idOf(link), "--output", "in", "--json"]);
  expect(writtenBy(ann)).toHaveLength(MANY);
}, 60_000);

test("a script that expects text on standard output stops when it is none", async () => {
  await using place = await openPlace();
  const [ann, bob] = [await place.member("ann", [...SCOPES, "secrets:create"]), place.person("bob")];
  await Bun.write(join(bob.home, "file"), "content");
  const ask = (...flags: string[]) => ann.must(["request", ...flags]);
  const [files, several, blank] = [await ask(), await ask("--submissions", "2"), await ask()];
  await bob.must(["submit", files, "file"]);
  await bob.must(["submit", several], { stdin: "text" });
  await submitForeign(blank, new TextEncoder().encode("\n"));
  const run = await ann.run(["run", "--env", `S=request:${idOf(blank)}`, "--", "touch", "started"]);
  expect(run).toMatchObject({ exitCode: 1, stdout: "" });
  expect(run.stderr).toContain("The secret for S is an empty text.");
  for (const [link, says] of [
    [files, "what came is files"],
    [several, "in a new directory of its own"],
    [blank, "The text is empty."],
  ] as const) {
    const { exitCode, stdout, stderr } = await ann.run(["collect", idOf(link)]);
    expect({ says, exitCode, stdout: stdout.trim() }).toEqual({ says, exitCode: 8, stdout: "" });
    expect(stderr).toContain(says);
  }
  const opened = await bob.run(["open", "--yes"], { stdin: await sendFile(ann) });
  expect(opened).toMatchObject({ exitCode: 8, stdout: "" });
  expect(writtenBy(ann)).not.toContain("started");
  expect(writtenBy(ann).filter((file) => file.endsWith("/file") || file.endsWith("/secret.txt"))).toHaveLength(2);
  for (const stdin of ["", "\n", "\r\n"]) {
    for (const args of [["send"], ["submit", several]]) {
      expect(await ann.run(args, { stdin })).toMatchObject({ exitCode: 2, stdout: "" });
    }
  }
}, 60_000);

async function sendFile(person: Person): Promise<string> {
  await Bun.write(join(person.home, "sent"), "");
  return person.must(["send", "sent"]);
}

test("an output that is a symbolic link is refused before anything is opened", async () => {
  await using place = await openPlace();
  const [ann, bob] = [await place.member("ann"), place.person("bob")];
  symlinkSync("nowhere", join(bob.home, "dangling"));
  await Bun.write(join(bob.home, "target"), "mine");
  symlinkSync("target", join(bob.home, "there"));
  const link = await ann.must(["send"], { stdin: "text" });
  for (const output of ["dangling", "dangling/", "there"]) {
    for (const flags of [[], ["--force"]]) {
      const { exitCode, stderr } = await bob.run(["open", "--yes", "-o", output, ...flags], { stdin: link });
      expect({ output, flags, exitCode, stderr }).toEqual({
        output,
        flags,
        exitCode: 2,
        stderr: expect.stringContaining("is a link"),
      });
    }
  }
  expect(await ann.must(["status", /sec_\w+/.exec(link)?.[0] ?? ""])).toStartWith("waiting");
}, 30_000);
