import { afterEach, beforeEach, expect, test } from "bun:test";
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { findLogin, loginFile, removeLogin, saveLogin } from "../../../src/cli/state/logins.ts";
import type { Keychain } from "../../../src/cli/state/logins.ts";
import { errorOf } from "../../support/clients.ts";
import { temporaryFolder } from "../../support/temporary.ts";
import { createTestTerminal } from "../../support/terminals.ts";
import type { TestTerminal } from "../../support/terminals.ts";

const LOGIN = { baseUrl: "https://handoff.example", allowHttp: false, apiKey: "hak_first", isByBrowser: false };
const OTHER = { baseUrl: "http://other.example", allowHttp: true, apiKey: "hak_second", isByBrowser: true };

let folder: ReturnType<typeof temporaryFolder>;
let terminal: TestTerminal;
beforeEach(() => {
  folder = temporaryFolder();
  terminal = createTestTerminal({ env: { XDG_CONFIG_HOME: folder.path } });
});
afterEach(() => folder[Symbol.dispose]());

/** A keychain in memory, that can be locked, and what is in it. */
function createKeychain(): Keychain & { readonly kept: Map<string, string>; isLocked: boolean } {
  const kept = new Map<string, string>();
  const check = () => {
    if (keychain.isLocked) throw new Error("the keychain is locked");
  };
  const keychain = {
    kept,
    isLocked: false,
    async get({ service, name }: { service: string; name: string }) {
      check();
      return kept.get(`${service} ${name}`) ?? null;
    },
    async set({ service, name, value }: { service: string; name: string; value: string }) {
      check();
      kept.set(`${service} ${name}`, value);
    },
    async delete({ service, name }: { service: string; name: string }) {
      check();
      return kept.delete(`${service} ${name}`);
    },
  };
  return keychain;
}

test("the key is kept in the keychain, and is in no file", async () => {
  const keychain = createKeychain();
  expect(await findLogin(terminal, keychain)).toBeUndefined();
  expect(await saveLogin(terminal, LOGIN, keychain)).toBe("keychain");
  expect(keychain.kept).toEqual(new Map([[`handoff ${LOGIN.baseUrl}`, LOGIN.apiKey]]));
  expect(readFileSync(loginFile(terminal), "utf8")).not.toContain(LOGIN.apiKey);
  expect(await findLogin(terminal, keychain)).toEqual(LOGIN);
});

test("without a keychain the key is kept in a file for its owner alone", async () => {
  const keychain = createKeychain();
  keychain.isLocked = true;
  expect(await saveLogin(terminal, OTHER, keychain)).toBe("file");
  expect(statSync(loginFile(terminal)).mode & 0o777).toBe(0o600);
  expect(await findLogin(terminal, keychain)).toEqual(OTHER);
  expect(await removeLogin(terminal, keychain)).toBe(OTHER.baseUrl);
  expect(existsSync(loginFile(terminal))).toBeFalse();
  expect(await removeLogin(terminal, keychain)).toBeUndefined();
});

test("a login that another user could have written is neither used nor replaced", async () => {
  const keychain = createKeychain();
  keychain.isLocked = true;
  await saveLogin(terminal, LOGIN, keychain);
  const file = loginFile(terminal);
  const content = readFileSync(file, "utf8");
  chmodSync(dirname(file), 0o777);
  for (const attempt of [
    () => findLogin(terminal, keychain),
    () => saveLogin(terminal, OTHER, keychain),
    () => removeLogin(terminal, keychain),
  ]) {
    expect(await errorOf(attempt())).toMatchObject({
      message: expect.stringContaining("Others can change what is in"),
    });
  }
  expect(readFileSync(file, "utf8")).toBe(content);
  expect(keychain.kept.size).toBe(0);
});

test("a keychain that is locked, or has lost the key, is said to be the reason", async () => {
  const keychain = createKeychain();
  await saveLogin(terminal, LOGIN, keychain);
  keychain.isLocked = true;
  expect(await errorOf(findLogin(terminal, keychain))).toMatchObject({
    message: expect.stringContaining("Unlock the keychain"),
  });
  keychain.isLocked = false;
  keychain.kept.clear();
  expect(await errorOf(findLogin(terminal, keychain))).toMatchObject({
    message: expect.stringContaining("Unlock the keychain"),
  });
});

test("a new login takes the key of the former one out of the keychain, and so does logging out", async () => {
  const keychain = createKeychain();
  await saveLogin(terminal, LOGIN, keychain);
  await saveLogin(terminal, OTHER, keychain);
  expect([...keychain.kept.values()]).toEqual([OTHER.apiKey]);
  expect(await removeLogin(terminal, keychain)).toBe(OTHER.baseUrl);
  expect(keychain.kept.size).toBe(0);
  expect(await findLogin(terminal, keychain)).toBeUndefined();
});

test("logging out says when the key stays in a locked keychain, and forgets nothing; logging in goes on", async () => {
  const keychain = createKeychain();
  await saveLogin(terminal, LOGIN, keychain);
  keychain.isLocked = true;
  expect(await errorOf(removeLogin(terminal, keychain))).toMatchObject({
    kind: "failure",
    message: expect.stringContaining("Can't remove the API key from the keychain."),
  });
  expect(existsSync(loginFile(terminal))).toBeTrue();
  expect(await saveLogin(terminal, OTHER, keychain)).toBe("file");
  expect(await findLogin(terminal, keychain)).toEqual(OTHER);
});

test("a damaged login is said to be one, and is taken away by logging out or in", async () => {
  const keychain = createKeychain();
  for (const content of ["", "{", '{"url":1}', "null"]) {
    await saveLogin(terminal, LOGIN, keychain);
    writeFileSync(loginFile(terminal), content);
    const error = await errorOf(findLogin(terminal, keychain));
    expect(error).toMatchObject({
      message: `The file '${loginFile(terminal)}' is damaged. Remove it and run 'handoff login' again.`,
    });
    expect(await removeLogin(terminal, keychain)).toBeUndefined();
    expect(existsSync(loginFile(terminal))).toBeFalse();
    writeFileSync(loginFile(terminal), content, { mode: 0o600 });
    await saveLogin(terminal, OTHER, keychain);
    expect(await findLogin(terminal, keychain)).toEqual(OTHER);
  }
});
