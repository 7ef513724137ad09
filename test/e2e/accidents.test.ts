import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { handoffCommand } from "../support/executable.ts";
import { openPlace, runInTerminal } from "../support/people.ts";
import type { Person } from "../support/people.ts";

/** Runs a line of bash as `person`, with `handoff` for the executable. */
async function inShell(person: Person, line: string, env: Record<string, string> = {}) {
  const script = `handoff() { '${handoffCommand()[0]}' "$@"; }; ${line}`;
  const child = Bun.spawn(["bash", "-c", script], {
    cwd: person.home,
    env: { ...person.env, ...env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr, exitCode] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { exitCode, stdout, stderr };
}

test("without a standard output nothing is stored and nothing is used up", async () => {
  await using place = await openPlace();
  const ann = await place.member("ann");
  const link = await ann.must(["send"], { stdin: "text" });
  for (const line of [`handoff open --yes '${link}' >&-`, "echo x | handoff send >&-"]) {
    const { exitCode, stderr } = await inShell(ann, line);
    expect({ line, exitCode, stderr }).toEqual({
      line,
      exitCode: 2,
      stderr: expect.stringContaining("Standard output is closed."),
    });
  }
  expect(JSON.parse(await ann.must(["list", "--json"]))).toMatchObject([{ state: "available" }]);
});

test("a link that could not be printed is revoked", async () => {
  await using place = await openPlace();
  const ann = await place.member("ann");
  const { exitCode, stderr } = await inShell(ann, "echo x | handoff send > /dev/full");
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(/Can.t print the link: standard output is full\. The secret was revoked\. Send it again\./);
  expect(JSON.parse(await ann.must(["list", "--json"]))).toMatchObject([{ state: "revoked" }]);
});

test("a request whose link could not be printed is revoked, and its key is not kept", async () => {
  await using place = await openPlace();
  const ann = await place.member("ann", ["requests:create", "requests:read", "requests:revoke"]);
  for (const json of ["", " --json"]) {
    const { exitCode, stderr } = await inShell(ann, `handoff request${json} > /dev/full`);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/Can.t print the link: standard output is full\. The request was revoked\. Ask again\./);
  }
  const answer = await fetch(`${place.server.url}/api/v1/requests`, {
    headers: { authorization: `Bearer ${ann.env["HANDOFF_API_KEY"]}` },
  });
  expect(await answer.json()).toMatchObject({ data: [{ state: "revoked" }, { state: "revoked" }] });
  expect(ann.files().filter((path) => path.includes("/requests/"))).toEqual([]);
});

test("a link typed in the wrong place is neither repeated nor sent to the server", async () => {
  await using place = await openPlace();
  const ann = await place.member("ann");
  const link = await ann.must(["send"], { stdin: "text" });
  const seed = /#1\.([\w-]{22})/.exec(link)?.[1] ?? "";
  const calls = [
    [link],
    ["help", link],
    ["open", link, link],
    ["list", link],
    ["completion", link],
    ["run", "--env", `A=@${link}`, "--", "true"],
    ["send", "--env", `password-${seed}`],
    ["status", link.slice(link.indexOf("sec_"))],
    ["revoke", link.slice(link.indexOf("sec_"))],
  ];
  for (const args of calls) {
    const { exitCode, stdout, stderr } = await ann.run(args);
    expect({ args, exitCode, stdout }).toEqual({ args, exitCode: 2, stdout: "" });
    expect(stderr).not.toContain(seed);
  }
  expect(place.server.stderr()).not.toContain(seed);
});

test("of several secrets for a command none is claimed when one cannot be", async () => {
  await using place = await openPlace();
  const ann = await place.member("ann");
  for (const name of ["one", "two"]) await Bun.write(join(ann.home, name), await ann.must(["send"], { stdin: name }));
  const second = readFileSync(join(ann.home, "two"), "utf8");
  await ann.must(["revoke", second]);
  const run = ["run", "--env", "ONE=@one", "--env", "TWO=@two", "--", "true"];
  expect((await ann.run(run)).exitCode).toBe(4);
  await Bun.write(join(ann.home, "two"), second.slice(0, -4));
  expect((await ann.run(run)).exitCode).toBe(2);
  expect(await ann.must(["status", readFileSync(join(ann.home, "one"), "utf8")])).toStartWith("waiting");
});

test("Ctrl-D ends a prompt, and a paste of several lines is not cut to the first", async () => {
  await using place = await openPlace();
  const ann = await place.member("ann");
  expect((await runInTerminal(ann, ["send"], [["Secret (not shown):", "\u0004"]])).exitCode).toBe(130);
  const pasted = await runInTerminal(ann, ["send"], [["Secret (not shown):", "one\ntwo\nthree\n"]]);
  expect(pasted.exitCode).toBe(2);
  expect(pasted.screen).toContain("more than one line was pasted");
  expect(JSON.parse(await ann.must(["list", "--json"]))).toEqual([]);
});

test("Ctrl-C ends the reading of standard input at once", async () => {
  await using place = await openPlace();
  const ann = await place.member("ann");
  const child = Bun.spawn([...handoffCommand(), "send"], {
    cwd: ann.home,
    env: { ...ann.env },
    stdin: "pipe",
    stdout: "ignore",
    stderr: "ignore",
  });
  // Nothing shows from outside when the command has begun to read.
  await Bun.sleep(300);
  child.kill("SIGINT");
  expect(await child.exited).toBe(130);
});

test("of several commands that open the same secret at the same time one gets it", async () => {
  await using place = await openPlace();
  const [ann, bob] = [await place.member("ann"), place.person("bob")];
  const link = await ann.must(["send"], { stdin: "text" });
  const results = await Promise.all(Array.from({ length: 4 }, () => bob.run(["open", "--yes", link])));
  expect(results.filter(({ exitCode }) => exitCode === 0).length).toBeGreaterThan(0);
  for (const { exitCode, stdout } of results)
    expect({ exitCode, stdout }).toEqual(exitCode === 0 ? { exitCode, stdout: "text" } : { exitCode: 4, stdout: "" });
  expect(bob.files()).toEqual([]);
});

test("a claim that can no longer be resumed is reported, and another one is made if the link allows it", async () => {
  await using place = await openPlace(["--replay-window", "0s"]);
  const ann = await place.member("ann");
  const link = await ann.must(["send", "--claims", "2"], { stdin: "text" });
  const lose = async () => {
    expect((await inShell(ann, `handoff open --yes '${link}' > /dev/full`)).exitCode).toBe(1);
    // As if it had been killed before it kept the secret.
    for (const file of ann.files()) if (file.endsWith(".envelope")) rmSync(join(ann.home, file));
  };
  await lose();
  await lose();
  const late = await ann.run(["open", "--yes", link]);
  expect(late.exitCode).toBe(4);
  expect(late.stderr).toContain(
    "A command on this machine claimed this secret and didn't finish, and it can't be opened again",
  );
});

test("names that no recipient could write are refused before sending, and equal names are made unique", async () => {
  await using place = await openPlace();
  const ann = await place.member("ann");
  mkdirSync(join(ann.home, "folder"));
  for (const name of ["Makefile", "makefile", "a:b", "a_b"]) await Bun.write(join(ann.home, "folder", name), name);
  const clash = await ann.run(["send", "folder"]);
  expect(clash.exitCode).toBe(2);
  expect(clash.stderr).toContain("would be written to the same file");
  await Bun.$`rm ${join(ann.home, "folder/a:b")}`;
  const link = await ann.must(["send", "folder"]);
  await ann.must(["open", "--yes", "-o", "out/", link]);
  expect(ann.files().filter((file) => file.startsWith("out/"))).toEqual([
    "out/folder/Makefile",
    "out/folder/a_b",
    "out/folder/makefile",
  ]);
  await Bun.write(join(ann.home, "C:notes"), "x");
  expect((await ann.run(["send", "C:notes"])).exitCode).toBe(2);
});

test("an unsuitable output is refused before the claim", async () => {
  await using place = await openPlace();
  const ann = await place.member("ann");
  await Bun.write(join(ann.home, "there"), "mine");
  const link = await ann.must(["send"], { stdin: "text" });
  for (const output of ["there", "/dev/null", "absent/below/there"]) {
    const result = await ann.run(["open", "--yes", "-o", output, link]);
    if (output.startsWith("absent")) expect(result.exitCode).toBe(0);
    else expect({ output, exitCode: result.exitCode }).toEqual({ output, exitCode: output === "there" ? 1 : 2 });
  }
  expect(existsSync(join(ann.home, "absent/below/there"))).toBe(true);
});

test("a proxy gets no plain http, and no variable turns certificate checks off", async () => {
  await using place = await openPlace();
  const ann = await place.member("ann");
  const seen: string[] = [];
  const watch = ({ url }: Request) => {
    seen.push(url);
    return new Response("{}");
  };
  using proxy = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: watch });
  const env = { http_proxy: proxy.url.origin, HTTP_PROXY: proxy.url.origin, BUN_CONFIG_VERBOSE_FETCH: "curl" };
  const { exitCode, stderr } = await ann.run(["whoami"], { env });
  expect({ exitCode, stderr, seen }).toEqual({ exitCode: 0, stderr: "", seen: [] });
});

test("a command does not get the API key of its caller", async () => {
  await using place = await openPlace();
  const ann = await place.member("ann");
  await Bun.write(join(ann.home, "link"), await ann.must(["send"], { stdin: "text" }));
  const ran = await ann.run(["run", "--env", "S=@link", "--", "env"]);
  expect(ran.stdout).toContain("S=text");
  expect(ran.stdout).not.toContain("HANDOFF_API_KEY");
});
