import { afterEach, beforeEach, expect, test } from "bun:test";
import {
  lchownSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import {
  checkFolder,
  checkRoom,
  unfinishedPrefix,
  withDistinctNames,
  writeFiles,
} from "../../../src/cli/files/destinations.ts";
import type { ContentFile } from "../../../src/crypto/contents.ts";
import { errorOf } from "../../support/clients.ts";
import { temporaryFolder } from "../../support/temporary.ts";

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => void (folder = temporaryFolder()));
afterEach(() => folder[Symbol.dispose]());

const TAG = "sec_1";
const at = (...names: readonly string[]) => join(folder.path, ...names);
const everything = () => readdirSync(folder.path, { recursive: true }).map(String).toSorted();
const fileOf = (name: string, text = name): ContentFile => ({
  name,
  bytes: new TextEncoder().encode(text),
  isExecutable: false,
  isFolder: false,
});
const folderOf = (name: string): ContentFile => ({ ...fileOf(name, ""), isFolder: true });
const write = (
  files: readonly ContentFile[],
  options: { readonly force?: boolean; readonly signal?: AbortSignal } = {},
) => writeFiles(folder.path, files, { force: false, tag: TAG, ...options });

test("files and folders are written for their owner alone, and nothing else is left behind", async () => {
  const paths = await write([fileOf("a/b/c.txt"), folderOf("empty"), { ...fileOf("run"), isExecutable: true }]);
  expect(paths).toEqual([at("a/b/c.txt"), at("run")]);
  expect(everything()).toEqual(["a", "a/b", "a/b/c.txt", "empty", "run"]);
  const modes = ["a", "a/b/c.txt", "empty", "run"].map((name) => (statSync(at(name)).mode & 0o777).toString(8));
  expect(modes).toEqual(["700", "600", "700", "700"]);
});

test("where one file is in the way none is written, and what is there stays as it is", async () => {
  mkdirSync(at("a"));
  writeFileSync(at("a/taken"), "mine");
  const files = [fileOf("a/first"), fileOf("new/second"), fileOf("a/taken")];
  expect(await errorOf(write(files))).toMatchObject({
    message: expect.stringContaining("a/taken' already exists"),
    remedy: expect.stringContaining("or with --force"),
  });
  expect(everything()).toEqual(["a", "a/taken"]);
  await write(files, { force: true });
  expect(readFileSync(at("a/taken"), "utf8")).toBe("a/taken");
  // A second try finds its work done.
  expect(await write(files)).toHaveLength(3);
  expect(everything()).toEqual(["a", "a/first", "a/taken", "new", "new/second"]);
});

test("a second name that a killed try has left of a file is gone after the next", async () => {
  await write([fileOf("a/first")]);
  linkSync(at("a/first"), at(`a/${unfinishedPrefix(TAG)}0.part`));
  await write([fileOf("a/first")]);
  expect(everything()).toEqual(["a", "a/first"]);
});

test("a folder in the place of a file is not overwritten, even when that is asked for", async () => {
  mkdirSync(at("taken"));
  const error = await errorOf(write([fileOf("taken")], { force: true }));
  expect(error).toMatchObject({ remedy: expect.not.stringContaining("--force") });
  expect(everything()).toEqual(["taken"]);
});

test("nothing is written through a link that leads out of the folder", async () => {
  using outside = temporaryFolder();
  symlinkSync(outside.path, at("link"));
  for (const name of ["link/file", "link/deeper/file"]) {
    expect(await errorOf(write([fileOf(name)], { force: true }))).toMatchObject({
      message: expect.stringContaining("link' is a link"),
    });
  }
  symlinkSync(join(outside.path, "file"), at("file"));
  expect(await errorOf(write([fileOf("file")], { force: true }))).toBeDefined();
  expect(readdirSync(outside.path)).toEqual([]);
});

test.if(process.getuid?.() === 0)("nothing is written through a link that another user made", async () => {
  using outside = temporaryFolder();
  symlinkSync(outside.path, at("link"));
  lchownSync(at("link"), 65_534, 65_534);
  const error = await errorOf(writeFiles(at("link"), [fileOf("file")], { force: true, tag: TAG }));
  expect(error).toMatchObject({ message: expect.stringContaining("is a link that another user made") });
  expect(readdirSync(outside.path)).toEqual([]);
});

test("what is in the place of an unfinished file and can't be removed is left alone", async () => {
  mkdirSync(at(`${unfinishedPrefix(TAG)}0.part/planted`), { recursive: true });
  await write([fileOf("first")]);
  expect(everything()).toEqual([`${unfinishedPrefix(TAG)}0.part`, `${unfinishedPrefix(TAG)}0.part/planted`, "first"]);
});

test("what cannot be looked at is an error in words, and nothing is written", async () => {
  writeFileSync(at("there"), "");
  expect(await errorOf(write([fileOf("new/first"), fileOf("there/second")]))).toMatchObject({
    message: `Can't write to '${folder.path}': a part of its path isn't a directory.`,
  });
  expect(everything()).toEqual(["there"]);
});

test("an interruption takes back what was written, whenever it comes", async () => {
  writeFileSync(at("there"), "there");
  const files = [fileOf("there"), fileOf("a/b"), folderOf("a/c"), fileOf("d")];
  let looks = 0;
  for (let last = 0; ; last++) {
    looks = 0;
    const signal = {
      get aborted() {
        return looks++ >= last;
      },
    } as AbortSignal;
    const error = await errorOf(write(files, { signal }));
    if (!error) break;
    expect(error).toMatchObject({ kind: "interrupted" });
    expect({ last, left: everything() }).toEqual({ last, left: ["there"] });
  }
  expect(looks).toBeGreaterThan(7);
  expect(everything()).toEqual(["a", "a/b", "a/c", "d", "there"]);
});

test("names that are too long for where they are to go are refused before anything is written", async () => {
  const deep = Array(20).fill("d".repeat(250)).join("/");
  for (const name of [deep, "n".repeat(256)]) {
    expect(await errorOf(write([fileOf("first"), fileOf(name)]))).toMatchObject({ kind: "decryption" });
    expect(everything()).toEqual([]);
  }
});

test("files that would have the same name are numbered, and a folder keeps its own", () => {
  const names = (...files: readonly ContentFile[]) => withDistinctNames(files).map(({ name }) => name);
  expect(names(fileOf("a.txt"), fileOf("a.txt"), fileOf("a.txt"))).toEqual(["a.txt", "a (2).txt", "a (3).txt"]);
  expect(names(fileOf("a"), fileOf("a/b"), folderOf("a"))).toEqual(["a (2)", "a/b", "a"]);
  expect(names(fileOf("a (2)"), fileOf("a"), fileOf("a"))).toEqual(["a (2)", "a", "a (3)"]);
});

test("the name of an unfinished file cannot lead elsewhere", () => {
  expect(unfinishedPrefix("sec_1")).toBe(".handoff-sec_1-");
  for (const tag of ["", "../x", "a/b", "a.b"]) expect(() => unfinishedPrefix(tag)).toThrow();
});

test("a folder that can be seen not to do is refused, and one that can be made is not", () => {
  writeFileSync(at("file"), "");
  symlinkSync(at("nowhere"), at("link"));
  expect(() => checkFolder(at("file"))).toThrow("isn't a directory");
  expect(() => checkFolder(at("file/below"))).toThrow("isn't a directory");
  expect(() => checkFolder(at("link/below"))).toThrow("is a link to what isn't there");
  expect(() => checkFolder(at("new/deeper"))).not.toThrow();
});

test("a disk without room for a secret is named before the secret is used up", () => {
  expect(() => checkRoom(at("new/deeper"), 1)).not.toThrow();
  expect(() => checkRoom(at("new/deeper"), 2 ** 60)).toThrow(/Not opened: there is no room left .* TiB/);
});
