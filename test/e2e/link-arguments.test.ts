import { expect, test } from "bun:test";
import { join } from "node:path";
import { createAgeIdentity } from "../../src/crypto/age-identities.ts";
import { formatBackupLink } from "../../src/crypto/backup-links.ts";
import { handoffCommand } from "../support/executable.ts";
import { runInTerminal, shareServer, startInTerminal } from "../support/people.ts";

const openPlace = shareServer();

const SCOPES = ["create", "read", "revoke"].map((each) => `requests:${each}`);
const ALL = [...SCOPES, ...["create", "read", "claim", "revoke"].map((each) => `secrets:${each}`)];
const WARNING = /Warning: other users of this machine can see a link that is an argument/;

test("every command that takes a link accepts it on standard input", async () => {
  await using place = await openPlace();
  const ann = await place.member("ann", ALL);
  const stdin = await ann.must(["send", "--claims", "3"], { stdin: "text" });
  expect(await ann.must(["status"], { stdin })).toStartWith("waiting");
  expect(await ann.must(["link"], { stdin })).toContain("claim_token");
  expect(await ann.must(["open", "--yes"], { stdin })).toBe("text");
  expect(await ann.must(["open", "--yes", "-"], { stdin })).toBe("text");
  expect(await ann.must(["run", "--env", "S=@-", "--", "sh", "-c", 'printf %s "$S"'], { stdin })).toBe("text");
  const other = await ann.must(["send"], { stdin: "text" });
  expect((await ann.run(["revoke"], { stdin: other })).exitCode).toBe(0);

  const request = await ann.must(["request"]);
  await Bun.write(join(ann.home, "file"), "handed in");
  const withoutSecret = await ann.run(["submit", "-"], { stdin: request });
  expect(withoutSecret).toMatchObject({ exitCode: 2, stdout: "" });
  expect(withoutSecret.stderr).toContain("Standard input was the link. Name a file with the secret");
  expect((await ann.run(["submit", "-", "-"], { stdin: request })).exitCode).toBe(2);
  await ann.must(["submit", "-", "file"], { stdin: request });
  expect(await ann.must(["collect", "-", "-o", "in"], { stdin: request })).toBe("");
  expect(await Bun.file(join(ann.home, "in/file")).text()).toBe("handed in");
}, 30_000);

test("submit accepts the link or the secret on standard input, and asks for the other one", async () => {
  await using place = await openPlace();
  const ann = await place.member("ann", ALL);
  const ask = () => ann.must(["request", "--note", "which one"]);
  const collect = async (link: string) => ann.must(["collect", /req_\w+/.exec(link)?.[0] ?? ""]);
  const first = await ask();
  await ann.must(["submit", "--env", "SECRET"], { stdin: `${first}\n`, env: { SECRET: "from a variable" } });
  expect(await collect(first)).toBe("from a variable");

  const [executable = ""] = handoffCommand();
  const inShell = async (command: string, answers: readonly (readonly [string, string])[]) => {
    const session = startInTerminal(ann, ["sh", "-c", command], answers, { HANDOFF: executable });
    expect({ command, exitCode: await session.exited }).toEqual({ command, exitCode: 0 });
    return session.screen();
  };
  const second = await ask();
  await Bun.write(join(ann.home, "link"), second);
  const shown = await inShell('"$HANDOFF" submit < link', [["Secret (not shown): ", "typed secret\r"]]);
  expect(shown).not.toContain("typed secret");
  expect(await collect(second)).toBe("typed secret");

  const third = await ask();
  await inShell('printf "piped secret" | "$HANDOFF" submit', [["Request link: ", `${third}\r`]]);
  expect(await collect(third)).toBe("piped secret");
}, 30_000);

test("with --json, standard error has nothing but the error, even with a note", async () => {
  await using place = await openPlace();
  const ann = await place.member("ann", ALL);
  const link = await ann.must(["request", "--note", "which one"]);
  for (const args of [["submit"], ["submit", "-"], ["submit", link, "absent"]]) {
    const { exitCode, stdout, stderr } = await ann.run([...args, "--json"], { stdin: link });
    expect({ args, exitCode, stdout }).toEqual({ args, exitCode: 2, stdout: "" });
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: "usage", exit_code: 2 } });
  }
  const { stdout, stderr } = await ann.run(["submit", link, "--json"], { stdin: "text" });
  expect({ id: JSON.parse(stdout).secret_id, stderr }).toEqual({ id: expect.stringMatching(/^sec_/), stderr: "" });
}, 30_000);

test("a prompt accepts a link on a terminal, and an argument works there with a warning", async () => {
  await using place = await openPlace();
  const ann = await place.member("ann", ALL);
  const link = await ann.must(["send", "--claims", "4"], { stdin: "text of the secret" });
  const argument = await runInTerminal(ann, ["open", "--yes", link], []);
  expect(argument.exitCode).toBe(0);
  expect(argument.screen).toMatch(WARNING);
  expect(argument.screen).toContain("run 'handoff open' and paste the link");
  expect(argument.screen).toContain("text of the secret");
  const asked = [
    ["open", "--yes"],
    ["open", "--yes", "-"],
    ["run", "--env", "S=@-", "--", "sh", "-c", 'printf %s "$S"'],
  ];
  for (const args of asked) {
    const prompted = await runInTerminal(ann, args, [["Link: ", `${link}\r`]]);
    expect({ args, exitCode: prompted.exitCode }).toEqual({ args, exitCode: 0 });
    expect(prompted.screen).toContain("text of the secret");
    expect(prompted.screen).not.toMatch(WARNING);
  }
  // An id is not secret, and scripts get no warnings.
  expect((await runInTerminal(ann, ["status", /sec_\w+/.exec(link)?.[0] ?? ""], [])).screen).not.toMatch(WARNING);
  expect((await ann.run(["status", link])).stderr).toBe("");
}, 30_000);

test("a link pasted as a command is recognized, and the error says how to open it", async () => {
  await using place = await openPlace();
  const ann = await place.member("ann", ALL);
  const secret = await ann.must(["send"], { stdin: "text" });
  const request = await ann.must(["request"]);
  const { ageIdentity: identity } = await createAgeIdentity("hybrid");
  const id = /req_\w+/.exec(request)?.[0] ?? "";
  const cases: readonly (readonly [link: string, says: RegExp])[] = [
    [secret, /^handoff: This is a link to a secret\. To open it, run 'handoff open' and paste the link/],
    [`<${secret}>`, /^handoff: This is a link to a secret/],
    [request, /^handoff: This is a request link: .* run 'handoff submit' and paste the link/],
    [
      formatBackupLink({ baseUrl: place.server.url, id, ageIdentity: identity }),
      /^handoff: This is a backup link: .*'handoff collect -'/,
    ],
    [secret.slice(0, -4), /incomplete/],
    [secret.replace(/#.*/, ""), /The key is missing/],
  ];
  for (const [link, says] of cases) {
    const { exitCode, stdout, stderr } = await ann.run([link]);
    expect({ link, exitCode, stdout, stderr }).toEqual({
      link,
      exitCode: 2,
      stdout: "",
      stderr: expect.stringMatching(says),
    });
    expect(stderr).not.toMatch(/#1|AGE-SECRET/);
  }
  expect((await runInTerminal(ann, [secret], [])).screen).toMatch(WARNING);
  expect(await ann.must(["status"], { stdin: secret })).toStartWith("waiting");
}, 30_000);
