import { expect, test } from "bun:test";
import { chownSync, readdirSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { handoffCommand } from "../support/executable.ts";
import { shareServer } from "../support/people.ts";
import type { Person } from "../support/people.ts";

const NEIGHBOR = 65_534;
const SECRET = "hunter2";

const openShared = shareServer();

async function makePipe(folder: string, owner?: number): Promise<string> {
  const path = join(folder, "pipe");
  await Bun.$`mkfifo -m 600 ${path}`;
  if (owner !== undefined) chownSync(path, owner, owner);
  return path;
}

/** Runs a line of bash, in which `handoff` is the executable. */
async function inBash({ home, env }: Person, line: string): Promise<string> {
  const script = `handoff() { '${handoffCommand().join("' '")}' "$@"; }; ${line}`;
  const child = Bun.spawn(["bash", "-c", script], { cwd: home, env: { ...env }, stdin: "ignore", stderr: "pipe" });
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return stdout + stderr;
}

async function untilOpened(pid: number, path: string): Promise<void> {
  const folder = `/proc/${pid}/fd`;
  const isOpened = (name: string) => {
    try {
      return readlinkSync(join(folder, name)) === path;
    } catch {
      return false;
    }
  };
  while (!readdirSync(folder).some(isOpened)) await Bun.sleep(10);
}

test.if(process.getuid?.() === 0)(
  "no command waits for a pipe that another user made",
  async () => {
    await using place = await openShared();
    const ann = await place.member("ann");
    const pipe = await makePipe(ann.home, NEIGHBOR);
    const id = `sec_${"a".repeat(26)}`;
    const serve = ["serve", "--check"];
    const inData = [...serve, "--data-dir", join(ann.home, "data")];
    for (const args of [
      ["whoami"],
      ["submit", "--link-file", pipe],
      ["run", "--env", `X=@${pipe}`, "--", "true"],
      ["open", "--identity", pipe, id],
      ["send", "--passphrase-file", pipe],
      [...inData, "--config", pipe],
      [...serve, "--database-url-file", pipe],
      [...inData, "--brand-logo", pipe],
      [...inData, "--tls-cert", pipe, "--tls-key", pipe],
    ]) {
      const env = args[0] === "whoami" ? { HANDOFF_API_KEY: "", HANDOFF_API_KEY_FILE: pipe } : {};
      const { exitCode, stderr } = await ann.run(args, { stdin: SECRET, env });
      const reason = expect.stringContaining("it's a pipe of another user, who may never write to it");
      expect({ args, exitCode, stderr }).toEqual({ args, exitCode: 2, stderr: reason });
    }
  },
  60_000,
);

test.if(process.getuid?.() === 0)(
  "root doesn't use the login and keys of another user's home",
  async () => {
    await using place = await openShared();
    const ann = place.person("ann");
    const key = await place.mint();
    await ann.must(["login", "--url", place.server.url], { stdin: key });
    await Bun.$`chown -R ${NEIGHBOR} ${ann.home}`;
    const { exitCode, stderr } = await ann.run(["whoami"]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining("with sudo by 'sudo -H'") });
  },
  30_000,
);

test("what a shell puts in the place of a file is read to its end, and so is a pipe of one's own", async () => {
  await using place = await openShared();
  const ann = await place.member("ann");
  await makePipe(ann.home);
  const show = `sh -c 'echo "$X"'`;
  const key = ann.env["HANDOFF_API_KEY"];
  const send = () => ann.must(["send"], { stdin: SECRET });
  for (const [line, says] of [
    [`handoff run --env X=@<(sleep 0.1; echo '${await send()}') -- ${show}`, SECRET],
    [`echo '${await send()}' | handoff run --env X=@/dev/stdin -- ${show}`, SECRET],
    [`echo '${await send()}' > link; handoff run --env X=@/dev/fd/3 -- ${show} 3< link`, SECRET],
    [`(sleep 0.1; echo '${await send()}' > pipe) & handoff run --env X=@pipe -- ${show}`, SECRET],
    [`HANDOFF_API_KEY= HANDOFF_API_KEY_FILE=<(sleep 0.1; echo ${key}) handoff whoami --json`, '"kind":"api_key"'],
    ["handoff serve --check --config <(sleep 0.1; echo 'bogus = 1')", "there is no setting 'bogus'"],
  ] as const) {
    expect(await inBash(ann, line)).toContain(says);
  }
}, 60_000);

test("a signal ends the wait for a pipe", async () => {
  await using place = await openShared();
  const ann = await place.member("ann");
  const pipe = await makePipe(ann.home);
  for (const args of [
    ["submit", "--link-file", pipe],
    ["run", "--env", `X=@${pipe}`, "--", "true"],
    ["open", "--identity", pipe, `sec_${"a".repeat(26)}`],
  ]) {
    for (const signal of ["SIGTERM", "SIGINT"] as const) {
      const child = Bun.spawn([...handoffCommand(), ...args], {
        cwd: ann.home,
        env: { ...ann.env },
        stderr: "ignore",
        timeout: 20_000,
        killSignal: "SIGKILL",
      });
      await untilOpened(child.pid, pipe);
      child.kill(signal);
      expect({ args, signal, exitCode: await child.exited }).toEqual({ args, signal, exitCode: 130 });
    }
  }
}, 60_000);
