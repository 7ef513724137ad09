import { expect, test } from "bun:test";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { createAgeIdentity } from "../../src/crypto/age-identities.ts";
import { handoffCommand } from "../support/executable.ts";
import { jsonOf } from "../support/executions.ts";
import { mountTmpfs } from "../support/mounts.ts";
import { openPlace as openOwnPlace, runInTerminal, shareServer } from "../support/people.ts";
import type { Person, Place } from "../support/people.ts";
import { until } from "../support/polls.ts";
import { startProgram } from "../support/running.ts";

const openPlace = shareServer();

const SCOPES = ["requests:create", "requests:read", "requests:revoke", "secrets:claim"];
const LINK = /^http:\/\/127\.0\.0\.1:\d+\/r\/req_[0-9a-v]{26}#1\.[\w-]{22}\.[\w-]{22}$/;
const idOf = (link: string) => /req_[0-9a-v]{26}/.exec(link)?.[0] ?? "";
const keysOf = (person: Person) => person.files().filter((file) => file.startsWith(".local/state/handoff/requests/"));

/** Ann, who asks, and Bob, who has no account. */
async function openPair(place: Place) {
  return { ann: await place.member("ann", SCOPES), bob: place.person("bob") };
}

test("a person without an account hands a secret in, and the person who asked gets it exactly once", async () => {
  await using place = await openOwnPlace();
  const { ann, bob } = await openPair(place);
  const asked = await ann.run(["request", "--note", "the staging\u001b[2J password", "--expires", "1d"]);
  expect(asked.exitCode).toBe(0);
  const link = asked.stdout.trim();
  expect(link).toMatch(LINK);
  expect(asked.stderr).toMatch(
    /^One secret can be handed in through this link until .*\nCollect it on this machine with: handoff collect req_\w+\n$/,
  );
  const [key = ""] = keysOf(ann);
  expect(statSync(join(ann.home, key)).mode & 0o777).toBe(0o600);
  expect(await ann.must(["status", idOf(link)])).toMatch(/^open, until .*: 0 of 1 handed in$/);
  // A script that needs a secret must stop without one.
  const early = await ann.run(["collect", idOf(link)]);
  expect(early).toEqual({
    exitCode: 7,
    stdout: "",
    stderr: "handoff: Nothing has been handed in yet. Add --wait to wait for it.\n",
  });
  expect(JSON.parse((await ann.run(["collect", idOf(link), "--json"])).stderr)).toMatchObject({
    error: { code: "nothing_handed_in", exit_code: 7 },
  });

  const submitted = await bob.run(["submit", link], { stdin: "hunter2" });
  expect(submitted).toMatchObject({ exitCode: 0, stdout: "" });
  expect(submitted.stderr).toMatch(
    /^You are asked for a secret\. Each line behind a \| is from .*:\n  \| the staging�\[2J password\nYou can hand it in until .*\nHanded in, encrypted, as sec_\w+\.\n$/,
  );
  expect(bob.files()).toEqual([]);
  expect(await ann.must(["collect"])).toMatch(/^REQUEST +STATE +WAITING +NOTE\nreq_\w+ +fulfilled +1 /);
  expect(await ann.run(["collect", idOf(link)])).toEqual({ exitCode: 0, stdout: "hunter2", stderr: "" });
  // Nothing more can arrive, so the key is deleted; the record of the collection is not.
  expect(keysOf(ann)).toEqual([]);
  const second = await ann.run(["collect", idOf(link)]);
  expect(second).toMatchObject({ exitCode: 4, stdout: "" });
  expect(second.stderr).toMatch(
    /^handoff: You collected what was handed in for req_\w+ on this machine, at \d\d:\d\d\./,
  );
  const again = await bob.run(["submit", link], { stdin: "again" });
  expect(again).toMatchObject({ exitCode: 4, stdout: "" });
  expect(place.server.stderr()).not.toContain("hunter2");
  for (const name of readdirSync(join(place.folder, "data"))) {
    expect(readFileSync(join(place.folder, "data", name), "latin1")).not.toMatch(/hunter2|staging/);
  }
}, 30_000);

test("no line of a note looks like a line of the command line", async () => {
  await using place = await openPlace();
  const { ann, bob } = await openPair(place);
  const link = await ann.must(["request", "--note", `a\nHanded in, encrypted.\r\n\t${" ".repeat(200)}handoff: done`]);
  const { exitCode, stderr } = await bob.run(["submit", link], { stdin: "x" });
  expect(exitCode).toBe(0);
  const [first, ...lines] = stderr.trimEnd().split("\n");
  expect(first).toContain("is from the person who asked");
  expect(lines.slice(0, -2).filter((line) => !line.startsWith("  | ") || line.length > 76)).toEqual([]);
  expect(lines.slice(-2).map((line) => line.slice(0, 9))).toEqual(["You can h", "Handed in"]);
}, 30_000);

/** Asks as `ann`, who waits; `answer` gets the link. Resolves with the result of the wait. */
async function askAndWait(ann: Person, flags: readonly string[], answer: (link: string) => Promise<unknown>) {
  const child = Bun.spawn([...handoffCommand(), "request", "--wait", ...flags], {
    cwd: ann.home,
    env: { ...ann.env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  let said = "";
  const reading = (async () => {
    for await (const chunk of child.stderr) said += new TextDecoder().decode(chunk);
  })();
  await until(() => said.includes("\n"));
  await answer(said.split("\n")[0] ?? "");
  const [stdout, exitCode] = await Promise.all([child.stdout.text(), child.exited, reading]);
  return { exitCode, stdout, stderr: said };
}

test("with --wait the person who asks gets each secret as it is handed in", async () => {
  await using place = await openPlace();
  const { ann, bob } = await openPair(place);
  const result = await askAndWait(ann, ["--note", "a password"], (link) =>
    bob.must(["submit", link], { stdin: "handed in" }),
  );
  expect(result).toMatchObject({ exitCode: 0, stdout: "handed in" });
  expect(keysOf(ann)).toEqual([]);
}, 30_000);

test("--wait goes on through a restart of the server, and after a longer outage says how to go on", async () => {
  await using place = await openOwnPlace();
  const { ann, bob } = await openPair(place);
  let { server } = place;
  const end = async (signal: NodeJS.Signals) => {
    server.kill(signal);
    await server.exited;
  };
  try {
    for (const signal of ["SIGTERM", "SIGKILL"] as const) {
      const result = await askAndWait(ann, [], async (link) => {
        await end(signal);
        const { host } = new URL(server.url);
        server = await startProgram(["serve", "--listen", host, "--data-dir", join(place.folder, "data")]);
        await bob.must(["submit", link], { stdin: "after the restart" });
      });
      expect(result).toMatchObject({ exitCode: 0, stdout: "after the restart" });
    }
    const outage = await askAndWait(ann, ["--timeout", "2s"], () => end("SIGKILL"));
    expect(outage).toMatchObject({ exitCode: 6, stdout: "" });
    expect(outage.stderr).toContain("Can't reach the server. Trying again until it's back…\n");
    expect(outage.stderr).toMatch(/ Go on with: handoff collect req_\w+ --wait\n$/);
  } finally {
    await server[Symbol.asyncDispose]();
  }
}, 30_000);

test("with --wait a script that expects text on standard output stops when it is none", async () => {
  await using place = await openPlace();
  const { ann, bob } = await openPair(place);
  await Bun.write(join(bob.home, "file"), "content");
  const file = (link: string) => bob.must(["submit", link, "file"]);
  const files = await askAndWait(ann, [], file);
  expect(files).toMatchObject({ exitCode: 8, stdout: "", stderr: expect.stringContaining("what came is files") });
  const texts = await askAndWait(ann, ["--submissions", "2"], async (link) => {
    for (const stdin of ["one", "two"]) await bob.must(["submit", link], { stdin });
  });
  expect(texts).toMatchObject({
    exitCode: 8,
    stdout: "",
    stderr: expect.stringContaining("a new directory of its own"),
  });
  // The place of the files was printed, so that standard output is complete.
  expect(await askAndWait(ann, ["--output", "in"], file)).toMatchObject({ exitCode: 0, stdout: "" });
  expect(ann.files().filter((name) => /^(sec_\w+|in)\//.test(name))).toHaveLength(4);
  expect(keysOf(ann)).toEqual([]);
}, 30_000);

test("several people hand files in, which are collected later, each into its own folder", async () => {
  await using place = await openPlace();
  const { ann, bob } = await openPair(place);
  const link = await ann.must(["request", "--submissions", "3", "--json"]).then((text): string => JSON.parse(text).url);
  await Bun.write(join(bob.home, "link.txt"), link);
  await Bun.write(join(bob.home, "config/app.json"), "{}");
  await bob.must(["submit", "--link-file", "link.txt", "config"]);
  await bob.must(["submit", "--link-file", "link.txt", "--env", "S"], { env: { S: "from a variable" } });
  const collect = ["collect", idOf(link), "--output", "in"];
  await ann.must(collect);
  expect(
    ann
      .files()
      .filter((file) => file.startsWith("in/"))
      .map((file) => file.split("/").slice(2).join("/"))
      .toSorted(),
  ).toEqual(["config/app.json", "secret.txt"]);
  expect(keysOf(ann)).toHaveLength(1);
  await bob.must(["submit", link], { stdin: new Uint8Array([0xff, 0xfe]) });
  await ann.must(collect);
  expect(ann.files().filter((file) => file.endsWith("secret.bin"))).toHaveLength(1);
  expect(keysOf(ann)).toEqual([]);
}, 30_000);

test("after a crash between claim and delivery the collection succeeds", async () => {
  await using place = await openPlace();
  const { ann, bob } = await openPair(place);
  const link = await ann.must(["request"]);
  await bob.must(["submit", link], { stdin: "precious" });
  const full = `'${handoffCommand()[0]}' collect ${idOf(link)} > /dev/full`;
  const failed = Bun.spawn(["bash", "-c", full], {
    env: { ...ann.env },
    stdin: "ignore",
    stdout: "ignore",
    stderr: "ignore",
  });
  expect(await failed.exited).toBe(1);
  expect(keysOf(ann)).toHaveLength(1);
  expect(JSON.parse(await ann.must(["collect", "--json"]))).toMatchObject([{ state: "fulfilled", waiting: 1 }]);
  expect(await ann.must(["collect", idOf(link)])).toBe("precious");
  expect(ann.files().filter((file) => !file.includes("/ended/"))).toEqual([]);
}, 30_000);

test("a command gets a submission", async () => {
  await using place = await openPlace();
  const { ann, bob } = await openPair(place);
  const link = await ann.must(["request"]);
  const run = ["run", "--env", `S=request:${idOf(link)}`, "--", "sh", "-c", 'printf %s "$S"'];
  expect(await ann.run(run)).toMatchObject({ exitCode: 7, stdout: "" });
  await bob.must(["submit", link], { stdin: "for the deploy\n" });
  expect(await ann.run(run)).toEqual({ exitCode: 0, stdout: "for the deploy", stderr: "" });
  expect((await ann.run(run)).exitCode).toBe(4);
}, 30_000);

test("no request is created whose key cannot be kept, and no key stays without its request", async () => {
  await using place = await openPlace();
  const { ann } = await openPair(place);
  using home = mountTmpfs("1m", "ro");
  const refused = await ann.run(["request"], { env: { HOME: home.path } });
  expect(refused).toMatchObject({ exitCode: 1, stdout: "" });
  expect(refused.stderr).toMatch(/^handoff: Can't write '.*': its file system is read-only\.$/m);
  const stranger = await place.member("stranger", ["requests:read"]);
  expect((await stranger.run(["request"])).exitCode).toBe(3);
  expect(stranger.files()).toEqual([]);
  const list = fetch(`${place.server.url}/api/v1/requests`, {
    headers: { authorization: `Bearer ${ann.env["HANDOFF_API_KEY"]}` },
  });
  expect((await jsonOf(list)).data).toEqual([]);
});

test("a server that offers another recipient is detected before anything is encrypted", async () => {
  await using place = await openPlace();
  const { ann, bob } = await openPair(place);
  const link = await ann.must(["request", "--note", "a note"]);
  const { recipient } = await createAgeIdentity("hybrid");
  const submissions: string[] = [];
  // The real server, except for the recipient.
  using swapped = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const { pathname } = new URL(request.url);
      if (pathname.endsWith("/submissions")) submissions.push(await request.text());
      const answer = await fetch(`${place.server.url}${pathname}`, {
        headers: { authorization: request.headers.get("authorization") ?? "" },
      });
      const body: object = JSON.parse(await answer.text());
      return Response.json({ ...body, recipient }, { status: answer.status });
    },
  });
  const tampered = link.replace(place.server.url, swapped.url.origin);
  const result = await bob.run(["submit", tampered], { stdin: "hunter2" });
  expect(result).toMatchObject({ exitCode: 5, stdout: "" });
  expect(result.stderr).toMatch(
    /The link is damaged, or the server is trying to read what you send\. Nothing was sent/,
  );
  expect(submissions).toEqual([]);
  const otherPin = link.replace(/.$/, (last) => (last === "A" ? "Q" : "A"));
  expect((await bob.run(["submit", otherPin], { stdin: "hunter2" })).stderr).toContain("The link is damaged");
  expect(await ann.must(["status", idOf(link)])).toContain("0 of 1");
}, 30_000);

test("every failure has its exit code, and uses nothing up", async () => {
  await using place = await openOwnPlace(["--max-ciphertext", "64KiB", "--max-secret", "0"]);
  const { ann, bob } = await openPair(place);
  const link = await ann.must(["request", "--submissions", "2"]);
  const id = idOf(link);
  const stranger = await place.member("stranger", ["secrets:create"]);
  const failures: readonly (readonly [who: Person, args: string[], stdin: string, exitCode: number, says: RegExp])[] = [
    [bob, ["submit", link.slice(0, -1)], "x", 2, /incomplete/],
    [bob, ["submit", link.replace(/\.[^.]*$/, "")], "x", 2, /incomplete/],
    [bob, ["submit", link.replace("/r/req_", "/s/sec_")], "x", 2, /link to a secret/],
    [bob, ["submit"], "x", 2, /No request link/],
    [bob, ["submit", "--link-file", "absent"], "x", 2, /can't read 'absent'/],
    [bob, ["submit", link], "", 2, /standard input is empty/],
    [bob, ["submit", link, "absent-file"], "", 2, /Argument 2 isn't a file/],
    [bob, ["submit", link], "x".repeat(60_000), 1, /too large/],
    [bob, ["submit", link.replace(/#1\.../, "#1.AA")], "x", 4, /This link doesn't work/],
    [bob, ["open", "--yes", link], "", 2, /is a request link/],
    [bob, ["collect", id], "", 1, /isn't on this machine/],
    [stranger, ["request"], "", 3, /scope requests:create/],
    [ann, ["request", "--submissions", "1000"], "", 2, /must be 1 to 100/],
    [ann, ["request", "--expires", "never"], "", 2, /--expires/],
    [bob, ["submit", link, "/dev/../etc/hostname", "hunter2"], "", 2, /Argument 3 isn't a file/],
    [bob, ["submit", "--link-file", "link", "hunter2"], "", 2, /Argument 1 isn't a file/],
    [ann, ["collect", "req_"], "", 2, /This isn't the ID of a request/],
  ];
  await Bun.write(join(bob.home, "link"), link);
  for (const [who, args, stdin, exitCode, says] of failures) {
    const result = await who.run(args, { stdin });
    expect(result.stderr).not.toContain("hunter2");
    expect({ args, exitCode: result.exitCode, stdout: result.stdout }).toEqual({ args, exitCode, stdout: "" });
    expect({ args, stderr: result.stderr }).toEqual({ args, stderr: expect.stringMatching(says) });
  }
  expect(await ann.must(["status", id])).toContain("0 of 2");
  await ann.must(["revoke", id]);
  expect(await bob.run(["submit", link], { stdin: "x" })).toMatchObject({ exitCode: 4 });
  const late = await ann.run(["collect", id]);
  expect(late.exitCode).toBe(4);
  expect(late.stderr).toContain("the request is revoked");
}, 60_000);

test("on a terminal the link and the secret are asked for, and the secret is not shown", async () => {
  await using place = await openPlace();
  const { ann, bob } = await openPair(place);
  const link = await ann.must(["request", "--note", "the password"]);
  const submitted = await runInTerminal(
    bob,
    ["submit"],
    [
      ["Request link:", `${link}\r`],
      ["Secret (not shown):", "typed by hand\r"],
    ],
  );
  expect(submitted.exitCode).toBe(0);
  expect(submitted.screen).toContain("  | the password");
  expect(submitted.screen).not.toContain("typed by hand");
  expect(await ann.must(["collect", idOf(link)])).toBe("typed by hand");
}, 30_000);
