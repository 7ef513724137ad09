import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { checkOutput, deliver, deliverInto, deliverTaken } from "../../../src/cli/handovers/deliveries.ts";
import type { DeliveryFlags } from "../../../src/cli/handovers/deliveries.ts";
import type { OpenedSecret } from "../../../src/cli/handovers/handovers.ts";
import { rescueOf } from "../../../src/cli/terminal/repeats.ts";
import { exampleId } from "../../../src/contract/ids.ts";
import type { DecodedContent } from "../../../src/crypto/contents.ts";
import { errorOf } from "../../support/clients.ts";
import { temporaryFolder } from "../../support/temporary.ts";
import { createTestTerminal } from "../../support/terminals.ts";

const ID = exampleId("secret");
const TEXT: DecodedContent = { kind: "text", text: "pass\u001b[31mword" };
const DAMAGED: DecodedContent = { kind: "damaged", bytes: new Uint8Array([65, 0, 66]) };
const BINARY: DecodedContent = { kind: "binary", bytes: new Uint8Array([0, 255, 1]) };
const fileOf = (name: string, text = name, isExecutable = false) => ({
  name,
  bytes: new TextEncoder().encode(text),
  isExecutable,
  isFolder: false,
});
const FILES: DecodedContent = { kind: "files", files: [fileOf("a/key.pem"), fileOf("run.sh", "#!", true)] };
const BOTH: DecodedContent = {
  kind: "both",
  text: "pass\u001b[31mword",
  files: [fileOf("key.pem"), fileOf("secret.txt")],
};

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => void (folder = temporaryFolder()));
afterEach(() => folder[Symbol.dispose]());
const at = (...names: readonly string[]) => join(folder.path, ...names);
const read = (...names: readonly string[]) => readFileSync(at(...names), "utf8");

/** Delivers, and returns the terminal that it was delivered to. */
async function delivered(content: DecodedContent, flags: DeliveryFlags, isTerminal = false) {
  const terminal = createTestTerminal({ isTerminal: { out: isTerminal } });
  await deliver(terminal, content, ID, flags);
  return terminal;
}

test("text goes to standard output to the last byte, and to a terminal without what could command it", async () => {
  const piped = await delivered(TEXT, {});
  expect([piped.output(), piped.said]).toEqual(["pass\u001b[31mword", []]);
  const shown = await delivered(TEXT, {}, true);
  expect(shown.output()).toBe("pass\uFFFD[31mword");
  expect((await delivered(BINARY, {})).output()).toBe(Buffer.from([0, 255, 1]).toString());
  expect(await errorOf(delivered(BINARY, {}, true))).toMatchObject({ message: expect.stringContaining("isn't text") });
});

test("with --output -, a text or one file goes to standard output, and more is refused", async () => {
  const flags = { output: "-" };
  expect((await delivered(TEXT, flags)).output()).toBe("pass\u001b[31mword");
  expect((await delivered(TEXT, flags, true)).output()).toBe("pass\uFFFD[31mword");
  expect((await delivered(BINARY, flags, true)).output()).toBe(Buffer.from([0, 255, 1]).toString());
  expect((await delivered({ kind: "files", files: [fileOf("a/key.pem")] }, flags)).output()).toBe("a/key.pem");
  const empty = { kind: "files", files: [{ ...fileOf("a", ""), isFolder: true }] } as const;
  for (const content of [FILES, BOTH, empty]) {
    expect(await errorOf(delivered(content, flags))).toMatchObject({
      message: "This secret isn't one text or one file, and standard output takes no more.",
    });
  }
  expect(() => checkOutput({ output: "-", json: true })).toThrow("not both");
});

test("a name that is not the sender's is reported with the sender's", async () => {
  const hidden = { ...fileOf("_.git/hooks"), sentName: ".git/hooks" };
  const files = [hidden, fileOf("a"), { ...fileOf("a"), sentName: "a\u202e" }];
  const { said } = await delivered({ kind: "files", files }, { output: at("out") });
  expect(said).toEqual([
    `wrote ${at("out/_.git/hooks")}, which was sent as '.git/hooks'`,
    `wrote ${at("out/a")}`,
    `wrote ${at("out/a (2)")}, which was sent as 'a\uFFFD'`,
  ]);
});

test("JSON says what came", async () => {
  const json = async (content: DecodedContent, flags: DeliveryFlags = {}) =>
    JSON.parse((await delivered(content, { ...flags, json: true })).output());
  expect(await json(TEXT)).toEqual({ kind: "text", text: "pass\u001b[31mword" });
  expect(await json(BINARY)).toEqual({ kind: "binary", base64: "AP8B" });
  expect(await json(FILES, { output: at("out") })).toEqual({
    kind: "files",
    paths: [at("out/a/key.pem"), at("out/run.sh")],
  });
});

test("an output is a file for text, or a folder that is there or named with a slash", async () => {
  await delivered(TEXT, { output: at("file") });
  expect(statSync(at("file")).mode & 0o777).toBe(0o600);
  mkdirSync(at("folder"));
  await delivered(TEXT, { output: at("folder") });
  await delivered(BINARY, { output: `${at("new")}/` });
  expect(read("folder", "secret.txt")).toBe("pass\u001b[31mword");
  expect(readdirSync(at("new"))).toEqual(["secret.bin"]);
  const { said } = await delivered(FILES, { output: at("tree") });
  expect(said).toEqual([`wrote ${at("tree/a/key.pem")}`, `wrote ${at("tree/run.sh")}`]);
  expect([statSync(at("tree/run.sh")).mode & 0o777, statSync(at("tree/a/key.pem")).mode & 0o777]).toEqual([
    0o700, 0o600,
  ]);
});

test("text beside files goes to standard output, and the files into a new directory; with an output, all of it goes there", async () => {
  const workingFolder = process.cwd();
  process.chdir(folder.path);
  try {
    const piped = await delivered(BOTH, {});
    expect([piped.output(), readdirSync(ID).toSorted()]).toEqual(["pass\u001b[31mword", ["key.pem", "secret.txt"]]);
    expect(piped.said).toEqual([
      `The files are in the new directory '${at(ID)}'.`,
      `wrote ${at(ID, "key.pem")}`,
      `wrote ${at(ID, "secret.txt")}`,
    ]);
    expect((await delivered(BOTH, {}, true)).output()).toBe("pass\uFFFD[31mword");
    const json = JSON.parse((await delivered(BOTH, { json: true })).output());
    expect(json).toMatchObject({
      kind: "both",
      text: "pass\u001b[31mword",
      paths: [at(ID, "key.pem"), at(ID, "secret.txt")],
    });
  } finally {
    process.chdir(workingFolder);
  }
  const all = await delivered(BOTH, { output: at("all") });
  expect(all.output()).toBe("");
  expect(all.said).toContain(`wrote ${at("all", "secret-2.txt")}, which is the text`);
  expect(all.said).toContain(`wrote ${at("all", "secret.txt")}`);
  expect(read("all", "secret-2.txt")).toBe("pass\u001b[31mword");
  expect(read("all", "secret.txt")).toBe("secret.txt");
  await deliverInto(createTestTerminal(), BOTH, ID, { output: at("into/") });
  expect(readdirSync(at("into", ID)).toSorted()).toEqual(["key.pem", "secret-2.txt", "secret.txt"]);
});

test("nothing that is there is overwritten unless that is asked for, and what is the same is no conflict", async () => {
  writeFileSync(at("file"), "mine");
  expect(await errorOf(delivered(TEXT, { output: at("file") }))).toMatchObject({
    remedy: expect.stringContaining("--force"),
  });
  expect(read("file")).toBe("mine");
  await delivered(TEXT, { output: at("file"), force: true });
  expect(read("file")).toBe("pass\u001b[31mword");
  await delivered(TEXT, { output: at("file") });
});

test("an output that can be seen not to do is refused before anything is used up", () => {
  writeFileSync(at("file"), "");
  symlinkSync(at("file"), at("link"));
  symlinkSync(at("nowhere"), at("dangling"));
  symlinkSync(folder.path, at("directory"));
  const refusals: readonly (readonly [DeliveryFlags, string])[] = [
    [{ output: at("file") }, "already exists"],
    [{ output: at("link") }, "is a link"],
    [{ output: at("link"), force: true }, "is a link"],
    [{ output: at("directory") }, "is a link, and nothing is written through it"],
    [{ output: at("directory/") }, "is a link, and nothing is written through it"],
    [{ output: at("dangling/file") }, "link to what isn't there"],
    [{ output: at("file/below") }, "isn't a directory"],
    [{ output: "/dev/null" }, "neither a file nor a directory"],
  ];
  for (const [flags, says] of refusals) expect(() => checkOutput(flags)).toThrow(says);
  for (const flags of [
    {},
    { output: at("file"), force: true },
    { output: at("new/deeper/file") },
    { output: at("directory/new") },
    { output: folder.path },
  ])
    expect(() => checkOutput(flags)).not.toThrow();
});

test("each of several secrets gets a new folder, and another attempt reuses it", async () => {
  const terminal = createTestTerminal();
  const into = () => deliverInto(terminal, TEXT, ID, { output: folder.path });
  await into();
  await into();
  expect(readdirSync(folder.path)).toEqual([ID]);
  expect(terminal.said[0]).toBe(`The file is in the new directory '${at(ID)}'.`);
  await deliverInto(terminal, { kind: "text", text: "another" }, ID, { output: folder.path });
  expect(readdirSync(folder.path).toSorted()).toEqual([ID, `${ID}-2`]);
});

/** A claimed secret, and how often it was acknowledged. */
function taken(
  content: DecodedContent,
  repeat: OpenedSecret["repeat"] = { kind: "until", time: "2026-11-21T09:30:00Z" },
) {
  let count = 0;
  const secret: OpenedSecret = { content, sender: null, repeat, acknowledge: async () => void count++ };
  return { secret, count: () => count };
}

test("the server is told once the secret is at its destination, and not before", async () => {
  const { secret, count } = taken(TEXT);
  const terminal = createTestTerminal();
  await deliverTaken(terminal, secret, ID, {}, { work: async () => expect(count()).toBe(0) });
  expect(count()).toBe(1);
  const closed = createTestTerminal({ isOutClosed: true });
  expect(await errorOf(deliverTaken(closed, secret, ID, {}))).toMatchObject({
    message: expect.stringMatching(/^standard output is closed\. Run the same command before \d\d:\d\d:\d\d\.$/),
  });
  expect(count()).toBe(1);
});

test("what could not be had again is saved beside its destination when it cannot go there", async () => {
  writeFileSync(at("file"), "mine");
  for (const repeat of [
    { kind: "never", claimsLeft: 0 },
    { kind: "kept", claimsLeft: 0 },
  ] as const) {
    const { secret, count } = taken({ kind: "text", text: repeat.kind }, repeat);
    const error = await errorOf(deliverTaken(createTestTerminal(), secret, ID, { output: at("file") }));
    expect(error).toMatchObject({
      kind: "failure",
      message: expect.stringContaining("It can't be opened again, so it was saved"),
    });
    expect(count()).toBe(1);
  }
  expect(read(ID, "secret.txt")).toBe("never");
  expect(read(`${ID}-2`, "secret.txt")).toBe("kept");
  expect(read("file")).toBe("mine");
});

test("what can be opened again is not said to be lost", async () => {
  writeFileSync(at("file"), "mine");
  const { secret } = taken(TEXT, { kind: "never", claimsLeft: 2 });
  const error = await errorOf(deliverTaken(createTestTerminal(), secret, ID, { output: at("file") }));
  expect(error).toMatchObject({ message: expect.stringContaining(". It was saved in the new directory") });
  const said = (claimsLeft: number) => rescueOf([{ kind: "never", claimsLeft }], "");
  expect([0, 1, 2].map(said)).toEqual([
    "It can't be opened again.",
    "It can be opened again, once.",
    "It can be opened again, 2 times.",
  ]);
});

test("an interruption takes back what was written, and says how the secret can be had", async () => {
  const terminal = createTestTerminal();
  terminal.interrupt();
  const { secret, count } = taken(FILES);
  expect(await errorOf(deliverTaken(terminal, secret, ID, { output: at("out") }))).toMatchObject({
    kind: "interrupted",
    message: expect.stringContaining("Interrupted. Run the same command before"),
  });
  expect([readdirSync(folder.path), count()]).toEqual([[], 0]);
  // A secret that can't be claimed again is written to its end.
  const last = taken(FILES, { kind: "never", claimsLeft: 0 });
  await deliverTaken(terminal, last.secret, ID, { output: at("out") });
  expect([read("out/run.sh"), last.count()]).toEqual(["#!", 1]);
});

test("a script that reads standard output learns by exit code 8 that the secret is not there", async () => {
  const kindOf = async (
    content: DecodedContent,
    options: { readonly flags?: DeliveryFlags; readonly isTerminal?: boolean } = {},
  ) => {
    const terminal = createTestTerminal({ isTerminal: { out: options.isTerminal ?? false } });
    const work = content.kind === "files" ? async () => undefined : deliver;
    const error = await errorOf(deliverTaken(terminal, taken(content).secret, ID, options.flags ?? {}, { work }));
    return (error as { kind?: string } | undefined)?.kind;
  };
  expect(await kindOf(FILES)).toBe("not_text");
  expect(await kindOf({ kind: "text", text: "\r\n" })).toBe("not_text");
  expect(await kindOf(TEXT)).toBeUndefined();
  expect(await kindOf(FILES, { isTerminal: true })).toBeUndefined();
  expect(await kindOf(FILES, { flags: { output: at("x") } })).toBeUndefined();
  expect(await kindOf(FILES, { flags: { json: true } })).toBeUndefined();
});

test("a damaged archive is no text: it is only written as a file, as it came, and said to be damaged", async () => {
  for (const isTerminal of [true, false]) {
    for (const flags of [{}, { json: true }]) {
      const refused = await errorOf(delivered(DAMAGED, flags, isTerminal));
      expect(refused).toMatchObject({ kind: "decryption", message: expect.stringContaining("damaged") });
    }
  }
  let acknowledged = 0;
  const opened: OpenedSecret = {
    content: DAMAGED,
    sender: null,
    repeat: { kind: "kept", claimsLeft: 0 },
    acknowledge: async () => void acknowledged++,
  };
  const terminal = createTestTerminal();
  const complaint = await errorOf(deliverTaken(terminal, opened, ID, { output: at("as-it-came.tar") }));
  expect(complaint).toMatchObject({ kind: "decryption", code: "damaged_archive" });
  expect([read("as-it-came.tar"), acknowledged, terminal.output()]).toEqual(["A\0B", 1, ""]);
  await errorOf(deliverTaken(createTestTerminal(), opened, ID, { output: `${at("new")}/` }));
  expect(readdirSync(at("new"))).toEqual(["secret.tar"]);
});

const DECEPTIVE: DecodedContent = {
  kind: "files",
  files: [fileOf("plain"), fileOf(".in/voice\u202Efdp.exe"), fileOf("a\u001b[2J\nb")],
};

test("names that deceive are warned of, shown safely, and written once somebody has said so", async () => {
  const warning = [
    "Warning: 2 names have characters that can't be seen or that change what you read. With \uFFFD in their place:",
    "  .in/voice\uFFFDfdp.exe",
    "  a\uFFFD[2J b",
  ];
  const asked = createTestTerminal({ answers: ["y"] });
  await deliverTaken(asked, taken(DECEPTIVE).secret, ID, { output: at("asked"), exactNames: true });
  expect(asked.asked).toEqual(["Write these names all the same? [y/N] "]);
  const told = createTestTerminal();
  await deliverTaken(told, taken(DECEPTIVE).secret, ID, { output: at("told"), exactNames: true, yes: true });
  expect([asked.said.slice(0, 3), told.said.slice(0, 3), told.asked]).toEqual([warning, warning, []]);
  for (const output of ["asked", "told"]) {
    expect(readdirSync(at(output)).toSorted()).toEqual([".in", "a\u001b[2J\nb", "plain"]);
    expect(readdirSync(at(output, ".in"))).toEqual(["voice\u202Efdp.exe"]);
  }
  const plain = createTestTerminal();
  await deliverTaken(plain, taken(FILES).secret, ID, { output: at("plain"), exactNames: true });
  expect([plain.asked, plain.said[0]]).toEqual([[], `wrote ${at("plain/a/key.pem")}`]);
});

test("names with blank fillers and selectors are warned of, and emoji are not", async () => {
  const unseen = ["\u3164", "\uffa0", "\u115f", "\u2800", "\u034f", "\u17b4", "\ufe0f"];
  const files = [...unseen.map((each) => fileOf(`a${each}b`)), fileOf("☎\ufe0f")];
  const terminal = createTestTerminal();
  const flags = { output: at("unseen"), exactNames: true, yes: true };
  await deliverTaken(terminal, taken({ kind: "files", files }).secret, ID, flags);
  expect(terminal.said.slice(1, 1 + unseen.length)).toEqual(unseen.map(() => "  a\uFFFDb"));
  expect(terminal.said[0]).toContain("7 names have");
});

test("names that deceive are not written where somebody says no, or nobody can be asked, and can be had again", async () => {
  const deliverTo = async (answers: readonly string[], repeat?: OpenedSecret["repeat"]) => {
    const { secret, count } = taken(DECEPTIVE, repeat);
    const flags = { output: at("out"), exactNames: true };
    return { error: await errorOf(deliverTaken(createTestTerminal({ answers }), secret, ID, flags)), count: count() };
  };
  expect(await deliverTo(["n"])).toMatchObject({
    error: {
      kind: "failure",
      message: expect.stringMatching(/^Nothing was written\. Run the same command without --exact-names, before /),
    },
    count: 0,
  });
  expect(await deliverTo([])).toMatchObject({
    error: { kind: "usage", message: expect.stringContaining("with --yes, or without --exact-names, before") },
    count: 0,
  });
  expect(await deliverTo(["n"], { kind: "kept", claimsLeft: 0 })).toMatchObject({
    error: { message: expect.stringContaining("the secret is kept on this machine") },
    count: 0,
  });
  expect(readdirSync(folder.path)).toEqual([]);
  // A secret that can't be claimed again is saved, with the names that it has without the flag.
  expect(await deliverTo(["n"], { kind: "never", claimsLeft: 0 })).toMatchObject({
    error: { message: expect.stringContaining("it was saved in the new directory") },
    count: 1,
  });
  expect(readdirSync(at(ID)).toSorted()).toEqual(["_.in", "a_[2J_b", "plain"]);
});
