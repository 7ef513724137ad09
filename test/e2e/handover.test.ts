import { expect, test } from "bun:test";
import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { jsonOf } from "../support/executions.ts";
import { openPlace as openOwnPlace, shareServer } from "../support/people.ts";

const openPlace = shareServer();

const LINK = /^http:\/\/127\.0\.0\.1:\d+\/s\/sec_[0-9a-v]{26}#1p?\.[\w-]{22}\.(t|t?[1-9]\d*)\n$/;
const ENDED = "\n";

test("piped text arrives byte for byte on another machine, once", async () => {
  await using place = await openPlace();
  const [ann, bob] = [await place.member("ann"), place.person("bob")];
  for (const text of ["hunter2", "two\nlines\n\n", "pä55wörd ✓", "\uFEFFmark", " "]) {
    const sent = await ann.run(["send"], { stdin: text });
    expect(sent.exitCode).toBe(0);
    expect(sent.stdout).toMatch(LINK);
    expect(sent.stderr).toMatch(/^The secret can be opened once until .*\nTo see its state: handoff status sec_\w+\n$/);
    const opened = await bob.run(["open", "--yes"], { stdin: sent.stdout });
    expect(opened).toEqual({ exitCode: 0, stdout: Buffer.from(text).toString("latin1"), stderr: "" });
    expect((await bob.run(["open", "--yes", sent.stdout.trim()])).exitCode).toBe(4);
  }
  expect(bob.files()).toEqual([]);
  expect(ann.files()).toEqual([]);
});

test("a sender whose key may not read secrets sees the state with the link, as the hint says", async () => {
  await using place = await openPlace();
  const ann = await place.member("ann", ["secrets:create"]);
  const sent = await ann.run(["send"], { stdin: "hunter2" });
  expect(sent.stderr).toContain("\nTo see its state, run 'handoff status' and paste the link.\n");
  expect(await ann.must(["status"], { stdin: sent.stdout })).toStartWith("waiting: ");
});

test("binary data arrives unchanged", async () => {
  await using place = await openPlace();
  const ann = await place.member("ann");
  const bytes = crypto.getRandomValues(new Uint8Array(100_000));
  const link = await ann.must(["send", "-"], { stdin: bytes });
  expect((await ann.run(["open", "--yes", link])).stdout).toBe(Buffer.from(bytes).toString("latin1"));
  const second = await ann.must(["send"], { stdin: bytes });
  await ann.must(["open", "--yes", second, "--output", "key.der"]);
  expect(new Uint8Array(readFileSync(join(ann.home, "key.der")))).toEqual(bytes);
});

test("a folder with a passphrase arrives unchanged, and nothing is overwritten", async () => {
  await using place = await openPlace();
  const [ann, bob] = [await place.member("ann"), place.person("bob")];
  mkdirSync(join(ann.home, "deploy", "empty"), { recursive: true });
  await Bun.write(join(ann.home, "deploy", "id_ed25519"), "fake-local-test-only");
  await Bun.write(join(ann.home, "deploy", "run.sh"), "#!/bin/sh\n");
  chmodSync(join(ann.home, "deploy", "run.sh"), 0o755);
  await Bun.write(join(ann.home, "pass"), "correct horse\n");
  await Bun.write(join(bob.home, "pass"), "ｃｏｒｒｅｃｔ horse\r\nignored\n");
  await Bun.write(join(bob.home, "out/deploy/run.sh"), "mine");
  const link = await ann.must(["send", "deploy", "--passphrase-file", "pass", "--expires", "1d"]);
  expect(link).toContain("#1p.");
  const open = ["open", "--yes", link, "--passphrase-file", "pass", "--output"];
  const refused = await bob.run([...open, "out"]);
  expect(refused).toMatchObject({ exitCode: 1, stdout: "" });
  expect(refused.stderr).toMatch(
    /run\.sh' already exists\. Run the same command with another directory in --output, or with --force, before \d\d:\d\d:\d\d\.$/m,
  );
  expect(readFileSync(join(bob.home, "out/deploy/run.sh"), "utf8")).toBe("mine");
  expect(bob.files()).toEqual([
    expect.stringMatching(/^\.local\/state\/handoff\/claims\/sec_/),
    "out/deploy/run.sh",
    "pass",
  ]);
  const opened = await bob.run([...open, "elsewhere"]);
  expect(opened).toMatchObject({ exitCode: 0, stdout: "" });
  expect(bob.files()).toEqual(["elsewhere/deploy/id_ed25519", "elsewhere/deploy/run.sh", "out/deploy/run.sh", "pass"]);
  const modeOf = (name: string) => (statSync(join(bob.home, "elsewhere/deploy", name)).mode & 0o777).toString(8);
  expect(["id_ed25519", "run.sh", "empty"].map(modeOf)).toEqual(["600", "600", "700"]);
  expect(readFileSync(join(bob.home, "elsewhere/deploy/id_ed25519"), "utf8")).toBe("fake-local-test-only");
});

test("with --force files are overwritten, and with --output text goes into a file", async () => {
  await using place = await openPlace();
  const ann = await place.member("ann");
  await Bun.write(join(ann.home, "a.txt"), "sent");
  const link = await ann.must(["send", "a.txt", "--claims", "2"]);
  await Bun.write(join(ann.home, "out/a.txt"), "mine");
  await ann.must(["open", "--yes", "--force", "-o", "out", link]);
  expect(readFileSync(join(ann.home, "out/a.txt"), "utf8")).toBe("sent");
  // An existing file with the same content is no conflict.
  await ann.must(["open", "--yes", "-o", "out", link]);
  const text = await ann.must(["send"], { stdin: "text" });
  const opened = await ann.run(["open", "--yes", "-o", "text.txt", text]);
  expect(opened).toEqual({ exitCode: 0, stdout: "", stderr: `wrote ${join(ann.home, "text.txt")}\n` });
  expect(statSync(join(ann.home, "text.txt")).mode & 0o777).toBe(0o600);
});

test("a secret comes from a variable, and an invalid source is refused before anything is sent", async () => {
  await using place = await openOwnPlace(["--max-ciphertext", "100KiB", "--max-secret", "0"]);
  const ann = await place.member("ann");
  const link = await ann.must(["send", "--env", "PASSWORD"], { env: { PASSWORD: "from-the-environment" } });
  expect(await ann.must(["open", "--yes", link])).toBe("from-the-environment");
  await Bun.write(join(ann.home, "folder/file"), "x");
  symlinkSync("/etc/hostname", join(ann.home, "folder/link"));
  const refusals: readonly (readonly [args: string[], stdin: string, says: RegExp, exitCode: number])[] = [
    [["hunter2-in-an-argument"], "", /Argument 1 isn't a file/, 2],
    [["--env", "NOT_SET"], "", /'NOT_SET' is not set/, 2],
    [["--env", "HOME", "folder/file"], "", /either files or --env/, 2],
    [[], "", /standard input is empty/, 2],
    [["folder"], "", /is a link/, 2],
    [["folder/file", "folder/../folder/file"], "", /two of the files/, 2],
    [["--expires", "soon"], "x", /--expires must be a duration/, 2],
    [["--expires", "1000d"], "x", /must be 1 minute to 90 days/, 2],
    [["--claims", "0"], "x", /--claims must be 1 or more/, 2],
    [["--nonsense"], "x", /no option '--nonsense'. Try 'handoff help send'/, 2],
    [["--passphrase-file", "absent"], "x", /can't read 'absent'/, 2],
    [["--passphrase"], "x", /Use --passphrase-file/, 2],
    [[], "x".repeat(90_000), /too large: the limit is about [\d.]+ KiB/, 1],
  ];
  for (const [args, stdin, says, exitCode] of refusals) {
    const result = await ann.run(["send", ...args], { stdin });
    expect({ args, ...result }).toEqual({ args, exitCode, stdout: "", stderr: expect.stringMatching(says) });
    expect(result.stderr).not.toContain("hunter2");
  }
  expect(JSON.parse(await ann.must(["list", "--json"]))).toHaveLength(1);
}, 30_000);

test("a secret's state can be shown and listed, and the secret revoked", async () => {
  await using place = await openPlace();
  const [ann, bob] = [await place.member("ann"), place.person("bob")];
  const sent = JSON.parse(await ann.must(["send", "--json", "--claims", "2"], { stdin: "text" }));
  expect(sent).toMatchObject({ state: "available", max_claims: 2 });
  expect(sent.url).toContain(sent.id);
  expect(await bob.must(["status"], { stdin: sent.url })).toMatch(/^waiting \(0 of 2 times\): \d+ bytes, until /);
  await bob.must(["open", "--yes", sent.url]);
  expect(await ann.must(["status", sent.id])).toMatch(/^waiting \(1 of 2 times\)/);
  expect(await ann.must(["list"])).toMatch(/^ID +STATE +CLAIMS .*\nsec_\w+ +waiting +1\/2 /);
  const revoked = await ann.run(["revoke", sent.url]);
  expect(revoked).toMatchObject({
    exitCode: 0,
    stdout: "",
    stderr: expect.stringMatching(/^Revoked at \d\d:\d\d: nobody can open/),
  });
  expect(JSON.parse(await ann.must(["status", sent.id, "--json"]))).toMatchObject({ state: "revoked", claims: 1 });
  expect(await ann.must(["list", "--state", "claimed"])).toBe("");
  const late = await ann.must(["send"], { stdin: "text" });
  await bob.must(["open", "--yes", late]);
  expect(await ann.run(["revoke", late])).toMatchObject({
    exitCode: 4,
    stdout: "",
    stderr: expect.stringContaining("Can't revoke: it has been opened."),
  });
  const told = await ann.run(["revoke", "--json", late]);
  expect(told).toMatchObject({ exitCode: 4, stdout: "" });
  expect(JSON.parse(told.stderr)).toMatchObject({ error: { code: "secret_claimed", exit_code: 4 } });
}, 30_000);

test("a command gets secrets in its environment, and its exit code and signals pass through", async () => {
  await using place = await openPlace();
  const [ann, bob] = [await place.member("ann"), place.person("bob")];
  const links = join(bob.home, "links");
  mkdirSync(links);
  for (const name of ["one", "two"])
    await Bun.write(join(links, name), `${await ann.must(["send"], { stdin: `secret ${name}${ENDED}` })}\n`);
  const run = ["run", "--env", "ONE=@links/one", "--env", "TWO=@links/two", "--"];
  const missing = await bob.run([...run, "no-such-command"]);
  expect(missing).toMatchObject({
    exitCode: 2,
    stdout: "",
    stderr: expect.stringContaining("no command 'no-such-command'"),
  });
  const script = 'printf "%s|%s|%s" "$ONE" "$TWO" "$*"; cat; exit 7';
  const ran = await bob.run([...run, "sh", "-c", script, "sh", "--json", "-x"], { stdin: "input" });
  expect(ran).toEqual({ exitCode: 7, stdout: "secret one|secret two|--json -xinput", stderr: "" });
  expect((await bob.run([...run, "true"])).exitCode).toBe(4);
  expect(bob.files()).toEqual(["links/one", "links/two"]);
  // A name with a meaning to programs is accepted, with a warning.
  await Bun.write(join(bob.home, "options"), await ann.must(["send"], { stdin: "chosen by the sender" }));
  const risky = await bob.run([
    "run",
    "--env",
    "GIT_SSH_COMMAND=@options",
    "--",
    "sh",
    "-c",
    'echo "$GIT_SSH_COMMAND"',
  ]);
  expect({ ...risky }).toMatchObject({ exitCode: 0, stdout: "chosen by the sender\n" });
  expect(risky.stderr).toStartWith("Warning: GIT_SSH_COMMAND makes git run a command");
  for (const wrong of [["--env", "ONE=link"], ["--env", "1=@x"], ["--env", "ONE=@absent"], []]) {
    expect({ wrong, ...(await bob.run(["run", ...wrong, "--", "true"])) }).toMatchObject({
      wrong,
      exitCode: 2,
      stdout: "",
    });
  }
}, 30_000);

test("the parts of a link open it with curl and age, and an envelope made by age is opened by its id", async () => {
  await using place = await openPlace();
  const ann = await place.member("ann");
  const link = await ann.must(["send"], { stdin: "for stock tools" });
  const parts = JSON.parse(await ann.must(["link", "--json"], { stdin: link }));
  expect(Object.keys(parts)).toEqual(["server", "id", "claim_token", "age_passphrase"]);
  expect(await ann.must(["link", link])).toContain(parts.age_passphrase);
  const claimed = await jsonOf(
    fetch(`${parts.server}/api/v1/secrets/${parts.id}/claim`, {
      method: "POST",
      headers: { authorization: `Bearer ${parts.claim_token}` },
    }),
  );
  await Bun.write(join(ann.home, "file.age"), Buffer.from(claimed.envelope.ciphertext, "base64url"));
  expect(await openWithAge(join(ann.home, "file.age"), parts.age_passphrase)).toBe("for stock tools");

  const key = join(ann.home, "key.txt");
  const sh = `age-keygen -o '${key}' 2>/dev/null; printf 'from stock tools' | age -r "$(age-keygen -y '${key}')" | base64 -w0 | tr '+/' '-_' | tr -d '='`;
  const ciphertext = await Bun.$`sh -c ${sh}`.text();
  const created = await jsonOf(
    fetch(`${place.server.url}/api/v1/secrets`, {
      method: "POST",
      headers: { authorization: `Bearer ${ann.env["HANDOFF_API_KEY"]}`, "content-type": "application/json" },
      body: JSON.stringify({ envelope: { version: 1, ciphertext } }),
    }),
  );
  expect(created.ciphertext_format).toBe("age");
  expect(await ann.must(["open", "--yes", "--identity", "key.txt", created.id])).toBe("from stock tools");
});

/** age asks for passphrases on a terminal only. */
async function openWithAge(file: string, passphrase: string): Promise<string> {
  const output = `${file}.txt`;
  let isAsked = false;
  const child = Bun.spawn(["age", "-d", "-o", output, file], {
    terminal: {
      data(terminal, bytes) {
        if (isAsked || !new TextDecoder().decode(bytes).includes("passphrase")) return;
        isAsked = true;
        terminal.write(`${passphrase}\n`);
      },
    },
  });
  expect(await child.exited).toBe(0);
  return readFileSync(output, "utf8");
}
