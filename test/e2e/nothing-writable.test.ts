import { expect, test } from "bun:test";
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { handoffCommand } from "../support/executable.ts";
import { mintKey } from "../support/executions.ts";
import { mountTmpfs } from "../support/mounts.ts";
import { shareServer } from "../support/people.ts";
import { temporaryFolder } from "../support/temporary.ts";

const openPlace = shareServer();

/** The files of a command whose folder and home are read-only, as in a container or under cron. */
async function runReadOnly(
  folder: string,
  args: readonly string[],
  options: { readonly stdin?: string; readonly env?: Readonly<Record<string, string>> } = {},
) {
  const child = Bun.spawn([...handoffCommand(), ...args], {
    cwd: folder,
    env: { HOME: folder, PATH: process.env["PATH"] ?? "", ...options.env },
    stdin: new Blob([options.stdin ?? ""]),
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr, exitCode] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { exitCode, stdout, stderr };
}

test("text goes to standard output, with a warning that it cannot be repeated", async () => {
  await using place = await openPlace();
  const ann = await place.member("ann");
  using disk = mountTmpfs("1m", "ro");
  const open = async (env: Readonly<Record<string, string>> = {}) =>
    runReadOnly(disk.path, ["open", "--yes"], { stdin: await ann.must(["send"], { stdin: "text" }), env });
  expect(await open()).toEqual({
    exitCode: 0,
    stdout: "text",
    stderr: `If this fails, it can't be repeated: neither '${disk.path}/.local/state/handoff' nor XDG_RUNTIME_DIR can be written.\n`,
  });
  // HOME may be no folder at all.
  expect(await open({ HOME: "/dev/null" })).toMatchObject({ exitCode: 0, stdout: "text" });
  const runtime = join(ann.home, "runtime");
  mkdirSync(runtime);
  expect(await open({ XDG_RUNTIME_DIR: runtime })).toEqual({ exitCode: 0, stdout: "text", stderr: "" });
  expect(readdirSync(join(runtime, "handoff/claims"))).toEqual([]);
}, 30_000);

test("files that cannot be kept are saved with temporary files rather than dropped", async () => {
  await using place = await openPlace();
  const ann = await place.member("ann");
  await Bun.write(join(ann.home, "file"), "precious");
  using disk = mountTmpfs("1m", "ro");
  const link = await ann.must(["send", "file"]);
  const temporary = join(ann.home, "temporary");
  mkdirSync(temporary);
  const result = await runReadOnly(disk.path, ["open", "--yes"], { stdin: link, env: { TMPDIR: temporary } });
  expect(result).toMatchObject({ exitCode: 1, stdout: "" });
  const [id = ""] = /sec_\w+/.exec(link) ?? [];
  expect(result.stderr).toContain(`so it was saved in the new directory '${join(temporary, id)}'.`);
  expect(await Bun.file(join(temporary, id, "file")).text()).toBe("precious");
});

test("a submission is collected where its key is read-only", async () => {
  await using place = await openPlace();
  const ann = await place.member("ann", ["requests:create", "requests:read", "secrets:claim"]);
  using disk = mountTmpfs("1m");
  const env = { ...ann.env, HOME: disk.path };
  const link = await ann.must(["request"], { env });
  await ann.must(["submit", link], { stdin: "text" });
  await Bun.$`mount -o remount,ro ${disk.path}`;
  const result = await runReadOnly(disk.path, ["collect", /req_\w+/.exec(link)?.[0] ?? ""], { env });
  expect(result).toMatchObject({ exitCode: 0, stdout: "text" });
  expect(result.stderr).toMatch(
    /^If this fails, it can't be repeated.*\nThe private key for req_\w+ stays on this machine\. /,
  );
});

test("commands of an admin say that the file system of a stopped server is read-only, and what to do", async () => {
  using disk = mountTmpfs("64m");
  const data = join(disk.path, "data");
  await mintKey(data);
  // As after a power cut: without the server, nobody has made the index of the WAL.
  for (const end of ["wal", "shm"]) rmSync(join(data, `handoff.db-${end}`), { force: true });
  await Bun.$`mount -o remount,ro ${disk.path}`;
  const said = `the file system of '${join(data, "handoff.db")}' is mounted read-only. Mount it writable`;
  using folder = temporaryFolder();
  for (const args of [
    ["backup", join(folder.path, "new.backup")],
    ["key", "list"],
  ]) {
    const result = await runReadOnly(disk.path, ["admin", ...args, "--data-dir", data]);
    expect(result).toMatchObject({ exitCode: 1, stderr: expect.stringContaining(said) });
  }
  const { stdout } = await runReadOnly(disk.path, ["admin", "check", "--json", "--data-dir", data]);
  const findings: readonly { check: string; text: string }[] = JSON.parse(stdout);
  expect(findings.find(({ check }) => check === "database")?.text).toContain(said);
});
