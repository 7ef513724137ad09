import { afterEach, beforeEach, expect, test } from "bun:test";
import {
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { allowedFolders } from "../../../src/cli/files/allowed-folders.ts";
import { temporaryFolder } from "../../support/temporary.ts";

let top: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  top = temporaryFolder();
  for (const name of ["allowed/sub", "second", "secret", "allowed-too", "keys"])
    mkdirSync(at(name), { recursive: true });
  for (const name of ["allowed/a", "allowed/sub/b", "second/c", "secret/d", "allowed-too/e", "keys/f"]) {
    writeFileSync(at(name), name);
  }
});
afterEach(() => top[Symbol.dispose]());

const at = (...names: readonly string[]) => join(realpathSync(top.path), ...names);
const open = () => allowedFolders([at("allowed"), at("second")], [at("keys")]);
/** The content of a file as it is opened for an agent. */
const read = (given: string) => {
  using file = open().openFile(given);
  return readFileSync(file.descriptor, "utf8");
};

const OUTSIDE: readonly string[] = [
  "../secret/d",
  "sub/../../secret/d",
  "../allowed-too/e",
  "nowhere",
  "../nowhere",
  "link",
  "linked/d",
  "/etc/passwd",
  "/proc/self/environ",
  "/proc/self/fd/0",
  "/dev/zero",
];

test("files in the allowed folders are opened, relative ones in the first of them", () => {
  expect(["a", "sub/b", "./sub/../a", at("second/c")].map(read)).toEqual([
    "allowed/a",
    "allowed/sub/b",
    "allowed/a",
    "second/c",
  ]);
  symlinkSync(at("second/c"), at("allowed/inner"));
  expect(read("inner")).toBe("second/c");
});

test("what is outside cannot be told from what is not there", () => {
  symlinkSync(at("secret/d"), at("allowed/link"));
  symlinkSync(at("secret"), at("allowed/linked"));
  for (const given of [...OUTSIDE, at("secret/d")]) {
    expect(() => read(given)).toThrow(
      `'${given}' isn't there, or is outside of the allowed directories: ${at("allowed")}, ${at("second")}`,
    );
  }
});

test("system folders are not opened even where everything is allowed", () => {
  const all = allowedFolders(["/"], []);
  for (const given of ["/proc/self/environ", "/sys/kernel", "/dev/null"]) {
    expect(() => all.openFile(given)).toThrow("outside of the allowed directories");
  }
});

test("keys of this program are not opened, by whatever name, and nothing is put in their place", () => {
  const inside = allowedFolders([top.path], [at("keys"), at("missing/key")]);
  expect(() => inside.openFile("keys/f")).toThrow("where handoff keeps keys");
  linkSync(at("keys/f"), at("allowed/innocent"));
  symlinkSync(at("keys"), at("allowed/too"));
  expect(() => inside.openFile("allowed/innocent")).toThrow("where handoff keeps keys");
  expect(() => inside.openFile("allowed/too/f")).toThrow("where handoff keeps keys");
  expect(() => inside.openPlace("keys/new")).toThrow("where handoff keeps keys");
  expect(() => inside.openPlace("missing")).toThrow("where handoff keeps keys");
  using file = allowedFolders([top.path], [at("keys/f")]).openFile("allowed/a");
  expect(file.path).toBe(at("allowed/a"));
});

test("a new file has a place in an allowed folder alone, and none that programs obey", () => {
  const folders = open();
  using place = folders.openPlace("sub/new.key");
  expect(place).toMatchObject({ path: at("allowed/sub/new.key"), name: "new.key" });
  for (const given of ["../secret/new", "/tmp/new", "nowhere/new", "../new"]) {
    expect(() => folders.openPlace(given)).toThrow("outside of the allowed directories");
  }
  for (const given of [".bashrc", "sub/.env"]) expect(() => folders.openPlace(given)).toThrow("begins with a dot");
  for (const given of ["sub/", ".", "..", "sub/.."])
    expect(() => folders.openPlace(given)).toThrow("doesn't name a file");
  mkdirSync(at("allowed/.git"));
  expect(() => folders.openPlace(".git/config")).toThrow("begins with a dot");
});

test("a place stays the folder that it was, whatever becomes of its path", () => {
  using place = open().openPlace("sub/new.key");
  renameSync(at("allowed/sub"), at("allowed/moved"));
  symlinkSync(at("secret"), at("allowed/sub"));
  writeFileSync(join(place.folder, place.name), "");
  expect(readdirSync(at("allowed/moved")).toSorted()).toEqual(["b", "new.key"]);
  expect(readdirSync(at("secret"))).toEqual(["d"]);
});

test("names that deceive, or that no file has, are refused", () => {
  for (const given of ["a\nb", "\u202egnp.exe", "a\u0000", "\u200ba", "\ud800"]) {
    expect(() => open().openFile(given)).toThrow("invisible characters");
    expect(() => open().openPlace(given)).toThrow("invisible characters");
  }
  expect(() => open().openPlace("n".repeat(256))).toThrow("too long");
});

test("what is allowed must be a folder that is there", () => {
  expect(() => allowedFolders([at("allowed/a")], [])).toThrow("isn't a directory");
  expect(() => allowedFolders([at("nowhere")], [])).toThrow("can't be used: there is no such file or directory");
  expect(() => allowedFolders([" "], [])).toThrow("is empty");
  symlinkSync(at("allowed"), at("link"));
  expect(allowedFolders([at("link")], []).paths).toEqual([at("allowed")]);
});
