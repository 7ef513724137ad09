import { expect, test } from "bun:test";
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { handoffCommand } from "../support/executable.ts";
import { mountTmpfs } from "../support/mounts.ts";
import { openPlace as openOwnPlace, shareServer } from "../support/people.ts";
import { until } from "../support/polls.ts";

const openPlace = shareServer();

const MIB = 1024 * 1024;
const isClaim = (file: string) => file.startsWith(".local/state/handoff/claims/");

test("a disk without room for a secret is noticed before the secret is opened", async () => {
  await using place = await openPlace();
  const [ann, bob] = [await place.member("ann"), place.person("bob")];
  await Bun.write(join(ann.home, "large"), new Uint8Array(2 * MIB));
  const link = await ann.must(["send", "large"]);
  using disk = mountTmpfs("1m");
  const refused = await bob.run(["open", "--yes", "--output", join(disk.path, "out")], { stdin: link });
  expect({ exitCode: refused.exitCode, stdout: refused.stdout }).toEqual({ exitCode: 1, stdout: "" });
  expect(refused.stderr).toMatch(/^handoff: Not opened: there is no room left on the disk of .* for 2\.0 MiB\.$/m);
  expect(bob.files()).toEqual([]);
  expect(await ann.must(["status", link])).toStartWith("waiting");
}, 30_000);

test("a disk that is full when a secret arrives loses nothing: with room the same command succeeds", async () => {
  await using place = await openPlace();
  const [ann, bob] = [await place.member("ann"), place.person("bob")];
  const content = crypto.getRandomValues(new Uint8Array(60_000));
  await Bun.write(join(ann.home, "first"), content);
  await Bun.write(join(ann.home, "second"), "second");
  const link = await ann.must(["send", "first", "second"]);
  // Room for the bytes, and for only one file.
  using disk = mountTmpfs("1m", "nr_inodes=3");
  const open = ["open", "--yes", link, "--output", join(disk.path, "out")];
  const failed = await bob.run(open);
  expect({ exitCode: failed.exitCode, stdout: failed.stdout }).toEqual({ exitCode: 1, stdout: "" });
  expect(failed.stderr).toMatch(
    /no room left on the disk\. Name another directory with --output, or mend that and run the same command before \d\d:\d\d:\d\d\.$/m,
  );
  expect(readdirSync(disk.path, { recursive: true })).toEqual([]);
  expect(bob.files().filter(isClaim)).toHaveLength(1);
  expect((await bob.run(["open", "--yes", link, "-o", "elsewhere"])).exitCode).toBe(0);
  expect(new Uint8Array(readFileSync(join(bob.home, "elsewhere/first")))).toEqual(content);
  expect(bob.files()).toEqual(["elsewhere/first", "elsewhere/second"]);
  // It was acknowledged: even the same key gets it no more.
  expect((await bob.run(open)).exitCode).toBe(4);
}, 30_000);

test("a full or closed standard output loses nothing", async () => {
  await using place = await openPlace();
  const [ann, bob] = [await place.member("ann"), place.person("bob")];
  const link = await ann.must(["send"], { stdin: "text" });
  for (const [redirection, says] of [
    ["> /dev/full", /standard output is full/],
    ["| true", /standard output is closed/],
  ] as const) {
    const command = `'${handoffCommand()[0]}' open --yes '${link}' ${redirection}`;
    const child = Bun.spawn(["bash", "-o", "pipefail", "-c", command], {
      env: { ...bob.env },
      stdin: "ignore",
      stdout: "ignore",
      stderr: "pipe",
    });
    expect({ exitCode: await child.exited, said: await child.stderr.text() }).toEqual({
      exitCode: 1,
      said: expect.stringMatching(says),
    });
  }
  expect(await bob.must(["open", "--yes", link])).toBe("text");
}, 30_000);

test("after a kill at any moment, opening again succeeds", async () => {
  await using place = await openPlace();
  const [ann, bob] = [await place.member("ann"), place.person("bob")];
  const content = new Uint8Array(3 * MIB).fill(7);
  await Bun.write(join(ann.home, "file"), content);
  let resumed = 0;
  for (let delayMs = 10; delayMs <= 220; delayMs += 15) {
    const link = await ann.must(["send", "file"]);
    mkdirSync(join(bob.home, "out"));
    const child = Bun.spawn([...handoffCommand(), "open", "--yes", link, "--output", "out"], {
      cwd: bob.home,
      env: { ...bob.env },
      stdio: ["ignore", "ignore", "ignore"],
    });
    // The delay is the variable of this test.
    await Bun.sleep(delayMs);
    child.kill("SIGKILL");
    await child.exited;
    // Once the file exists, the claim may be acknowledged, and nothing is left to open.
    if (!bob.files().includes("out/file")) {
      if (bob.files().some(isClaim)) resumed++;
      await bob.must(["open", "--yes", link, "--output", "out"]);
    }
    expect(bob.files().filter((file) => !isClaim(file))).toEqual(["out/file"]);
    expect(Buffer.compare(readFileSync(join(bob.home, "out/file")), content)).toBe(0);
    rmSync(bob.home, { recursive: true });
    mkdirSync(bob.home);
  }
  expect(resumed).toBeGreaterThan(0);
}, 120_000);

test("Ctrl-C while a secret arrives leaves nothing half-written", async () => {
  await using place = await openPlace();
  const [ann, bob] = [await place.member("ann"), place.person("bob")];
  await Bun.write(join(ann.home, "file"), new Uint8Array(6 * MIB));
  const link = await ann.must(["send", "file"]);
  const child = Bun.spawn([...handoffCommand(), "open", "--yes", link, "--output", "out"], {
    cwd: bob.home,
    env: { ...bob.env },
    stdio: ["ignore", "ignore", "pipe"],
  });
  await until(() => bob.files().some(isClaim));
  child.kill("SIGINT");
  const exitCode = await child.exited;
  if (exitCode === 0) expect(bob.files()).toEqual(["out/file"]);
  else {
    expect(exitCode).toBe(130);
    expect(bob.files().filter((file) => !isClaim(file))).toEqual([]);
    await bob.must(["open", "--yes", link, "--output", "out"]);
    expect(bob.files()).toEqual(["out/file"]);
  }
}, 30_000);

test("neither an unstartable command, nor a second secret that is gone, loses the first one", async () => {
  await using place = await openPlace();
  const [ann, bob] = [await place.member("ann"), place.person("bob")];
  await Bun.write(join(bob.home, "one"), await ann.must(["send"], { stdin: "one" }));
  const gone = await ann.must(["send"], { stdin: "two" });
  await Bun.write(join(bob.home, "two"), gone);
  await ann.must(["revoke", gone]);
  await Bun.write(join(bob.home, "not-executable"), "#!/nonexistent/interpreter\n");
  await Bun.$`chmod +x ${join(bob.home, "not-executable")}`;
  expect((await bob.run(["run", "--env", "ONE=@one", "--env", "TWO=@two", "--", "true"])).exitCode).toBe(4);
  const unstartable = await bob.run(["run", "--env", "ONE=@one", "--", "./not-executable"]);
  expect(unstartable.exitCode).not.toBe(0);
  expect((await bob.run(["run", "--env", "ONE=@one", "--", "sh", "-c", 'printf %s "$ONE"'])).stdout).toBe("one");
}, 30_000);

test("a file that cannot run is reported as such, and the secret is still there", async () => {
  await using place = await openOwnPlace(["--replay-window", "0"]);
  const [ann, bob] = [await place.member("ann"), place.person("bob")];
  await Bun.write(join(bob.home, "one"), await ann.must(["send"], { stdin: "one" }));
  const cases: [name: string, content: string, mode: number, named: RegExp][] = [
    ["no-first-line.sh", "echo hello\n", 0o755, /'.\/no-first-line.sh' cannot run: .* such as #!\/bin\/sh/],
    ["empty", "", 0o755, /'.\/empty' cannot run: it is not a program/],
    ["lost", "#! /nonexistent/sh -e\n", 0o755, /its first line names '\/nonexistent\/sh', which is not there/],
    ["plain", "#!/bin/sh\n", 0o644, /'.\/plain' is not an executable file\. .*chmod \+x '.\/plain'/],
  ];
  for (const [name, content, mode, named] of cases) {
    await Bun.write(join(bob.home, name), content);
    chmodSync(join(bob.home, name), mode);
    const { exitCode, stderr } = await bob.run(["run", "--env", "ONE=@one", "--", `./${name}`]);
    expect({ name, exitCode, stderr }).toEqual({ name, exitCode: 2, stderr: expect.stringMatching(named) });
  }
  expect((await bob.run(["run", "--env", "ONE=@one", "--", "sh", "-c", 'printf %s "$ONE"'])).stdout).toBe("one");
}, 30_000);

test("a program for another machine is reported as such", async () => {
  await using place = await openPlace();
  const [ann, bob] = [await place.member("ann"), place.person("bob")];
  await Bun.write(join(bob.home, "one"), await ann.must(["send"], { stdin: "one" }));
  await Bun.write(join(bob.home, "foreign"), new Uint8Array([0x7f, 0x45, 0x4c, 0x46, 9, 9, 9, 9]));
  chmodSync(join(bob.home, "foreign"), 0o755);
  const { exitCode, stderr } = await bob.run(["run", "--env", "ONE=@one", "--", "./foreign"]);
  expect({ exitCode, stderr }).toEqual({
    exitCode: 1,
    stderr: expect.stringContaining("not a program for this machine"),
  });
  expect((await bob.run(["run", "--env", "ONE=@one", "--", "sh", "-c", 'printf %s "$ONE"'])).stdout).toBe("one");
}, 30_000);
