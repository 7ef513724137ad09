import { expect, test } from "bun:test";
import { join } from "node:path";
import { findPassphrase } from "../../../src/cli/handovers/passphrases.ts";
import { run } from "../../../src/cli/run.ts";
import { sendLocked } from "../../support/foreign-secrets.ts";
import { startTestServer } from "../../support/server.ts";
import { temporaryFolder } from "../../support/temporary.ts";
import { createTestTerminal, runHere } from "../../support/terminals.ts";

test("a passphrase is the first line of a file, or the value of a variable", async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, "passphrase");
  const find = (flags: Parameters<typeof findPassphrase>[1], env = {}) =>
    findPassphrase(createTestTerminal({ env }), flags);
  await Bun.write(path, "right\r\nmore\n");
  expect(await find({ passphraseFile: path })).toBe("right");
  expect(await find({ passphraseEnv: "WORD" }, { WORD: " two\nlines " })).toBe(" two\nlines ");
  expect(await find({})).toBeUndefined();
  await Bun.write(path, "\nright\n");
  expect(find({ passphraseFile: path })).rejects.toThrow("is empty");
  expect(find({ passphraseFile: join(folder.path, "none") })).rejects.toThrow("there is no such file");
  expect(find({ passphraseEnv: "WORD" })).rejects.toThrow("'WORD' is not set, or is empty");
  expect(find({ passphraseEnv: "WORD" }, { WORD: "" })).rejects.toThrow("is not set, or is empty");
  // The bytes that were there are lost, and no other machine would derive the same key.
  expect(find({ passphraseEnv: "WORD" }, { WORD: "p\uFFFDss" })).rejects.toThrow("is not text");
  expect(find({ passphraseEnv: "WORD", passphraseFile: path })).rejects.toThrow("not both");
  // It may be the passphrase itself.
  expect(find({ passphraseEnv: "correct horse" })).rejects.toThrow(
    /^--passphrase-env: expected the name of a variable/,
  );
});

test("a variable gives the passphrase to whatever asks for one, and 'run' keeps it from its command", async () => {
  using folder = temporaryFolder();
  await using server = await startTestServer();
  const { token } = await server.backend.mint();
  const env = {
    HOME: folder.path,
    XDG_STATE_HOME: folder.path,
    PATH: process.env["PATH"] ?? "",
    HANDOFF_URL: server.url,
    HANDOFF_API_KEY: token,
    WORD: "correct horse battery",
  };
  const byWord = ["--passphrase-env", "WORD"];
  const locked = await sendLocked({ server, mint: async () => token }, { kind: "text", text: "text" }, env.WORD);
  expect((await runHere(["link", "--json", ...byWord], env, locked)).stdout).toContain("correct horse battery");
  const wrong = { ...env, WORD: "wrong" };
  expect(await runHere(["open", "--yes", ...byWord], wrong, locked)).toMatchObject({ exitCode: 5, stdout: "" });
  expect(await runHere(["open", "--yes", ...byWord], env, locked)).toMatchObject({ exitCode: 0, stdout: "text" });
  const link = join(folder.path, "link");
  await Bun.write(link, (await runHere(["send", ...byWord], env, "text")).stdout);
  const out = join(folder.path, "out");
  const shell = ["sh", "-c", `printf '%s' "$SECRET, $WORD." > '${out}'`];
  const terminal = createTestTerminal({ env });
  expect(await run(["run", ...byWord, "--env", `SECRET=@${link}`, "--", ...shell], terminal)).toBe(0);
  expect(await Bun.file(out).text()).toBe("text, .");
});
