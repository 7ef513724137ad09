import { expect, test } from "bun:test";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { openPlace, runInTerminal } from "../support/people.ts";

test("a login is checked, kept for its owner only, used for its own server only, and deleted", async () => {
  await using place = await openPlace();
  const ann = place.person("ann");
  const key = await place.mint();
  const wrong = await ann.run(["login", "--url", place.server.url], {
    stdin: "hak_lFA6LboL2xx0ldQH2K1TdSrwuqMMiME345JaEG",
  });
  expect(wrong.exitCode).toBe(3);
  expect(ann.files()).toEqual([]);
  const done = await ann.run(["login", "--url", `${place.server.url}/`], { stdin: `${key}\n` });
  expect(done).toEqual({
    exitCode: 0,
    stdout: "",
    stderr: expect.stringMatching(
      /^Logged in to http.* as 'i1' of the team 'team'\. Scopes: .*\nNo keychain could be used\. The API key is in '.*login\.json', which only you can read\.\n$/,
    ),
  });
  const file = join(ann.home, ".config/handoff/login.json");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(file, "utf8")).toContain(key);
  expect(await ann.must(["whoami"])).toMatch(/identity +i1/);
  expect(await ann.must(["whoami"])).toMatch(/server version +\d+\.\d+\.\d+/);
  expect(JSON.parse(await ann.must(["whoami", "--json"]))).toMatchObject({
    kind: "api_key",
    identity: { name: "i1" },
    server_version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
  });
  // Another server does not get the key.
  const elsewhere = await ann.run(["whoami"], { env: { HANDOFF_URL: "http://127.0.0.1:1" } });
  expect(elsewhere.exitCode).toBe(3);
  expect(await ann.run(["logout"])).toMatchObject({ exitCode: 0, stderr: `Logged out of ${place.server.url}.\n` });
  expect(ann.files()).toEqual([]);
  expect(await ann.run(["logout"])).toMatchObject({ exitCode: 0, stderr: "You weren't logged in.\n" });
}, 30_000);

test("on a terminal everything is asked for, and secret input is not shown", async () => {
  await using place = await openPlace();
  const ann = place.person("ann");
  const key = await place.mint();
  const login = await runInTerminal(
    ann,
    ["login"],
    [
      ["Server URL:", `${place.server.url}\r`],
      ["API key (not shown):", `${key}\r`],
    ],
  );
  expect(login.exitCode).toBe(0);
  expect(login.screen).toContain("Logged in to");
  expect(login.screen).not.toContain(key);

  const sent = await runInTerminal(
    ann,
    ["send", "--passphrase", "--qr"],
    [
      ["Passphrase (not shown):", "correct horse\r"],
      ["Passphrase again:", "correct horse\r"],
      ["Secret (not shown):", "typed by hand\r"],
    ],
  );
  expect(sent.exitCode).toBe(0);
  expect(sent.screen).not.toMatch(/correct horse|typed by hand|might guess/);
  const link = /http:\S+#1p\.\S{22}/.exec(sent.screen)?.[0] ?? "";

  const declined = await runInTerminal(ann, ["open", link], [["Open it now? [y/N]", "n\r"]]);
  expect(declined.exitCode).toBe(1);
  expect(declined.screen).toContain("handoff: Not opened.");
  const opened = await runInTerminal(
    ann,
    ["open"],
    [
      ["Link:", `${link}\r`],
      ["It can be opened once", "y\r"],
      ["Passphrase (not shown):", "wrong\r"],
      ["Passphrase (not shown):", "correct horse\r"],
    ],
  );
  expect(opened.exitCode).toBe(0);
  expect(opened.screen).toContain("typed by hand");
  expect(opened.screen).not.toContain("correct horse");

  const differing = await runInTerminal(
    ann,
    ["send", "--passphrase"],
    [
      ["Passphrase (not shown):", "one\r"],
      ["Passphrase again:", "two\r"],
    ],
  );
  expect(differing.exitCode).toBe(2);
  expect(differing.screen).toContain("might guess a passphrase this short or simple. Several random words are safer.");
}, 60_000);

test("Ctrl-C ends a prompt at once, and leaves nothing behind", async () => {
  await using place = await openPlace();
  const ann = await place.member("ann");
  const before = ann.files();
  const sent = await runInTerminal(ann, ["send"], [["Secret (not shown):", "half a sec\u0003"]]);
  expect(sent.exitCode).toBe(130);
  expect(sent.screen).not.toContain("half a sec");
  const link = await ann.must(["send"], { stdin: "text" });
  expect((await runInTerminal(ann, ["open", link], [["Open it now?", "\u0003"]])).exitCode).toBe(130);
  expect(ann.files()).toEqual(before);
  expect(await ann.must(["open", "--yes", link])).toBe("text");
}, 30_000);
