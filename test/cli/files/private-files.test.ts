import { afterEach, beforeEach, expect, test } from "bun:test";
import {
  chmodSync,
  chownSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { createNewFile } from "../../../src/cli/files/new-files.ts";
import { findNewFolder } from "../../../src/cli/files/new-folders.ts";
import {
  createPrivateFile,
  readCredential,
  readPrivateFile,
  writePrivateFile,
} from "../../../src/cli/files/private-files.ts";
import { mountTmpfs } from "../../support/mounts.ts";
import { temporaryFolder } from "../../support/temporary.ts";
import { createTestTerminal } from "../../support/terminals.ts";

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => void (folder = temporaryFolder()));
afterEach(() => folder[Symbol.dispose]());
const at = (...names: readonly string[]) => join(folder.path, ...names);
const terminal = createTestTerminal({});
const modeOf = (path: string) => statSync(path).mode & 0o777;

test("a credential is read only where nobody else can read or change it", async () => {
  writeFileSync(at("key"), "key");
  expect(readPrivateFile(at("none"))).toBeUndefined();
  expect(await readCredential(terminal, at("none"), () => true)).toBeUndefined();
  expect(readPrivateFile(at("key/below"))).toBeUndefined();
  chmodSync(at("key"), 0o600);
  expect(readPrivateFile(at("key"))).toBe("key");
  for (const mode of [0o640, 0o604, 0o620, 0o601]) {
    chmodSync(at("key"), mode);
    expect(() => readPrivateFile(at("key"))).toThrow(`Run: chmod 600 '${at("key")}'`);
    expect(readCredential(terminal, at("key"), () => false)).rejects.toThrow(`Run: chmod 600 '${at("key")}'`);
    expect(await readCredential(terminal, at("key"), () => true)).toBe("key");
  }
  for (const mode of [0o700, 0o755]) {
    chmodSync(folder.path, mode);
    expect(() => readPrivateFile(folder.path)).toThrow(`Can't read '${folder.path}': it's a directory.`);
  }
});

test("what lies in the way of an unfinished file is not written to, wherever it leads", () => {
  writeFileSync(at("other"), "untouched");
  chmodSync(at("other"), 0o644);
  symlinkSync(at("other"), at("file.new"));
  writePrivateFile(at("file"), "content");
  expect([readFileSync(at("other"), "utf8"), modeOf(at("other"))]).toEqual(["untouched", 0o644]);
  expect([readFileSync(at("file"), "utf8"), modeOf(at("file"))]).toEqual(["content", 0o600]);
  expect(readdirSync(folder.path).toSorted()).toEqual(["file", "other"]);
});

test("a private file is written whole, for its owner alone, and replaces an existing one", () => {
  writePrivateFile(at("new/deeper/file"), "first");
  expect([modeOf(at("new/deeper/file")), modeOf(at("new"))]).toEqual([0o600, 0o700]);
  // One that was open to others is so no more.
  chmodSync(at("new/deeper/file"), 0o644);
  writeFileSync(at("new/deeper/file.new"), "left behind", { mode: 0o644 });
  writePrivateFile(at("new/deeper/file"), "second");
  expect([readFileSync(at("new/deeper/file"), "utf8"), modeOf(at("new/deeper/file"))]).toEqual(["second", 0o600]);
  expect(readdirSync(at("new/deeper"))).toEqual(["file"]);
  expect(() => writePrivateFile(at("new/deeper/file/below"), "")).toThrow("Can't write");
});

test("of two that make the same private file the second leaves it alone", () => {
  expect(createPrivateFile(at("file"), "first")).toBeTrue();
  expect(createPrivateFile(at("file"), "second")).toBeFalse();
  expect(readFileSync(at("file"), "utf8")).toBe("first");
  expect(readdirSync(folder.path)).toEqual(["file"]);
});

const bytes = new TextEncoder().encode("secret");
const create = (name = "file") => createNewFile({ folder: folder.path, name }, bytes, { given: name, tag: "sec_1" });

test("a new file takes no place of another one, and a second try finds that of the first", () => {
  create();
  expect([readFileSync(at("file"), "utf8"), modeOf(at("file"))]).toEqual(["secret", 0o600]);
  expect(() => create()).not.toThrow();
  expect(readdirSync(folder.path)).toEqual(["file"]);
  writeFileSync(at("other"), "another");
  expect(() => create("other")).toThrow("'other' already exists. Name another file.");
  expect(readFileSync(at("other"), "utf8")).toBe("another");
});

test("what is in the place of its unfinished file and can't be removed doesn't keep a new file from being made", () => {
  mkdirSync(at(".handoff-sec_1-new.part/planted"), { recursive: true });
  create();
  expect(readdirSync(folder.path).toSorted()).toEqual([".handoff-sec_1-new.part", "file"]);
});

test("what a try that was killed has left behind is taken up, whatever it had come to", () => {
  const unfinished = at(".handoff-sec_1-new.part");
  writeFileSync(unfinished, "sec", { mode: 0o600 });
  create();
  expect(readdirSync(folder.path)).toEqual(["file"]);
  // Where files cannot be renamed in one step, it may have had both names.
  linkSync(at("file"), unfinished);
  create();
  expect([readdirSync(folder.path), statSync(at("file")).nlink]).toEqual([["file"], 1]);
  writeFileSync(unfinished, "sec", { mode: 0o600 });
  expect(() => create("file/below")).toThrow("Can't write");
  create("another");
  expect(readdirSync(folder.path).toSorted()).toEqual(["another", "file"]);
});

test("of what a full disk takes a part only, nothing is left behind", () => {
  using disk = mountTmpfs("64k");
  const large = new Uint8Array(1024 * 1024).fill(65);
  const place = { folder: disk.path, name: "file" };
  expect(() => createNewFile(place, large, { given: "file", tag: "sec_1" })).toThrow("no room left on the disk");
  expect(readdirSync(disk.path)).toEqual([]);
  expect(() => writePrivateFile(join(disk.path, "file"), "A".repeat(large.length))).toThrow("no room left on the disk");
  expect(() => createPrivateFile(join(disk.path, "file"), "A".repeat(large.length))).toThrow("no room left");
  expect(readdirSync(disk.path)).toEqual([]);
});

test("a file of the same content that others can read, or have, is not taken for the first try's", () => {
  writeFileSync(at("shared"), "secret", { mode: 0o600 });
  chmodSync(at("shared"), 0o644);
  writeFileSync(at("original"), "secret", { mode: 0o600 });
  linkSync(at("original"), at("linked"));
  writeFileSync(at("target"), "secret", { mode: 0o600 });
  symlinkSync(at("target"), at("symbolic"));
  for (const name of ["shared", "linked", "symbolic"]) expect(() => create(name)).toThrow("already exists");
});

test("a new folder is one in which there is nothing, or what an earlier try has begun", () => {
  const file = { name: "a/secret.txt", bytes, isExecutable: false, isFolder: false };
  const find = () => findNewFolder(folder.path, "sec_1", [file], ".handoff-sec_1-");
  expect(find()).toBe(at("sec_1"));
  mkdirSync(at("sec_1/a"), { recursive: true });
  writeFileSync(at("sec_1/a/.handoff-sec_1-0.part"), "sec");
  expect(find()).toBe(at("sec_1"));
  writeFileSync(at("sec_1/a/secret.txt"), "secret");
  expect(find()).toBe(at("sec_1"));
  writeFileSync(at("sec_1/a/secret.txt"), "edited");
  expect(find()).toBe(at("sec_1-2"));
  writeFileSync(at("sec_1-2"), "");
  expect(find()).toBe(at("sec_1-3"));
  mkdirSync(at("sec_1-3"));
  writeFileSync(at("sec_1-3/other"), "");
  expect(find()).toBe(at("sec_1-4"));
  if (process.getuid?.() !== 0) return;
  mkdirSync(at("sec_1-4"));
  chownSync(at("sec_1-4"), 65_534, 65_534);
  expect(find()).toBe(at("sec_1-5"));
});
