import { expect, test } from "bun:test";
import { refuseBareLink } from "../../../src/cli/handovers/bare-links.ts";
import { parseId, readLink } from "../../../src/cli/handovers/link-arguments.ts";
import { exampleId } from "../../../src/contract/ids.ts";
import { formatSecretLink } from "../../../src/crypto/secret-links.ts";
import { errorOf } from "../../support/clients.ts";
import { createTestTerminal, runHere } from "../../support/terminals.ts";

const ID = exampleId("secret");
const LINK = formatSecretLink({
  baseUrl: "https://handoff.example",
  id: ID,
  seed: new Uint8Array(16),
  needsPassphrase: false,
});
const PROMPT = { command: "handoff open" };

test("a link is an argument, or standard input, or what somebody types", async () => {
  expect(await readLink(createTestTerminal(), ` ${LINK}\n`, PROMPT)).toBe(LINK);
  for (const argument of [undefined, "-"]) {
    expect(await readLink(createTestTerminal({ stdin: `\n  ${LINK}\r\n\n` }), argument, PROMPT)).toBe(LINK);
    const asked = createTestTerminal({ isTerminal: { in: true }, answers: [LINK] });
    expect(await readLink(asked, argument, { ...PROMPT, question: "Which? " })).toBe(LINK);
    // It need not be hidden: the person who pastes it sees it anyway.
    expect(asked.asked).toEqual(["Which? "]);
  }
});

test("no link, and more than one line, are refused without repeating them", async () => {
  const read = (stdin: string) => errorOf(readLink(createTestTerminal({ stdin }), undefined, PROMPT));
  expect(await read(" \n")).toMatchObject({ kind: "usage", message: "No link was given." });
  expect(await read(`${LINK}\nsecond`)).toMatchObject({ kind: "usage", message: expect.not.stringContaining("#1") });
});

test("on a terminal a link as an argument brings a warning, and an id does not", async () => {
  const warned = async (argument: string, err = true) => {
    const terminal = createTestTerminal({ isTerminal: { err } });
    await readLink(terminal, argument, PROMPT);
    return terminal.said.length;
  };
  expect([await warned(LINK), await warned(ID), await warned(LINK, false)]).toEqual([1, 0, 0]);
});

test("an id is one, and nothing that has a key in it", () => {
  expect(parseId("secret", ID)).toBe(ID);
  expect(parseId("request", exampleId("request"))).toBe(exampleId("request"));
  for (const text of [exampleId("request"), `${ID}#1.key`, ID.slice(1), LINK, `${ID}\n`, ""]) {
    expect(() => parseId("secret", text)).toThrow("This isn't the ID of a secret.");
  }
});

test("an id, or its end, is read in any case, and a link as it is", async () => {
  for (const text of [ID, ID.toUpperCase(), ID.slice(-6).toUpperCase()]) {
    expect(await readLink(createTestTerminal(), text, PROMPT)).toBe(text.toLowerCase());
    expect(await readLink(createTestTerminal({ stdin: text }), undefined, PROMPT)).toBe(text.toLowerCase());
  }
  for (const text of [LINK.toUpperCase(), "SEC_069Q", "NOTHING"]) {
    expect(await readLink(createTestTerminal(), text, PROMPT)).toBe(text);
  }
});

test("what is neither a link nor an ID is refused with what they look like, before the server is called", async () => {
  const env = { HANDOFF_URL: "http://127.0.0.1:1", HANDOFF_API_KEY: "hak_lFA6LboL2xx0ldQH2K1TdSrwuqMMiME345JaEG" };
  const mistyped = ID.replace(/.$/, "z");
  for (const [args, says] of [
    [["status", "abc"], "This is neither a link nor an ID."],
    [["status", exampleId("key")], "An ID has 30 characters: sec_ or req_, then digits and the letters a to v."],
    [["status", mistyped], "This isn't the ID of a secret. An ID has 30 characters: sec_, then"],
    [["revoke", "abc"], "This is neither a link nor an ID."],
    [["revoke", mistyped], "This isn't the ID of a secret."],
    [["collect", ID], "An ID has 30 characters: req_, then"],
    [["collect", "req_069q"], "This isn't the ID of a request."],
    [["open", ID], "An ID opens nothing, because the key is in the link."],
    [["open", ID.slice(-6)], "An ID opens nothing, because the key is in the link."],
    [["open", ID, "--identity", "/nonexistent"], "/nonexistent"],
    [["admin", "secret", "revoke", mistyped], "sec_, then digits and the letters a to v."],
  ] as const) {
    const { exitCode, stderr } = await runHere(args, env);
    expect({ args, exitCode, stderr }).toEqual({ args, exitCode: 2, stderr: expect.stringContaining(says) });
  }
});

test("a link in the place of a command is told what it is, and any other word is left alone", () => {
  const refuse = (...args: readonly string[]) => refuseBareLink(createTestTerminal(), args);
  expect(() => refuse(LINK)).toThrow("This is a link to a secret.");
  expect(() => refuse(`<${LINK}>`)).toThrow("This is a link to a secret.");
  // One that is damaged is said to be that first.
  expect(() => refuse(LINK.slice(0, -1))).toThrow(/incomplete|too short|cut off|missing/);
  for (const word of ["open", "https://handoff.example/docs", ""]) expect(() => refuse(word)).not.toThrow();
  expect(() => refuse()).not.toThrow();
});
