import { expect, test } from "bun:test";
import { chmodSync, chownSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readDatabaseUrlFile } from "../../src/config/database-url-files.ts";
import { DatabaseUrl } from "../../src/config/database-urls.ts";
import { SettingsError } from "../../src/config/errors.ts";
import { temporaryFolder } from "../support/temporary.ts";

const URL_OF_DATABASE = "postgresql://handoff:secret@db.example/handoff";
const PARTS = new DatabaseUrl(URL_OF_DATABASE).reveal();
const FLAG = "--database-url-file";

/** A folder with a file `url` in it, which `read` reads. */
function urlFile(content: string | Uint8Array, mode = 0o600) {
  const folder = temporaryFolder();
  const path = join(folder.path, "url");
  writeFileSync(path, content);
  chmodSync(path, mode);
  return {
    path,
    read: () => readDatabaseUrlFile(path, FLAG).reveal(),
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

test("the URL is read without surrounding white space", () => {
  for (const content of [URL_OF_DATABASE, `${URL_OF_DATABASE}\n`, `\uFEFF ${URL_OF_DATABASE}\r\n\n`]) {
    using file = urlFile(content);
    expect(file.read()).toEqual(PARTS);
  }
});

const WRONG: readonly (readonly [content: string | Uint8Array, says: string])[] = [
  ["", "the file is empty."],
  [" \n\n", "the file is empty."],
  [`# secret\n${URL_OF_DATABASE}\n`, "there is more than one line. Leave nothing in it but the URL, in one line."],
  ["postgresql://handoff:se\ncret@db.example/x", "there is more than one line."],
  ["postgresql://handoff:se\rcret@db.example/x", "there is more than one line."],
  [Buffer.from(`postgresql://handoff:secret\xff@db.example/x`, "latin1"), "it isn't text in UTF-8."],
  ["secret".repeat(20_000), "there are more than 64 KiB."],
];

test("a file that isn't one line of text is refused with its path, and without its content", () => {
  for (const [content, says] of WRONG) {
    using file = urlFile(content);
    expect(file.read).toThrow(SettingsError);
    expect(file.read).toThrow(`Can't read the URL of the database in '${file.path}': ${says}`);
    expect(file.read).not.toThrow("secret");
  }
  expect(() => readDatabaseUrlFile("/dev/zero", FLAG)).toThrow("in '/dev/zero': there are more than 64 KiB.");
  expect(() => readDatabaseUrlFile("/dev/null", FLAG)).toThrow("in '/dev/null': the file is empty.");
  expect(() => readDatabaseUrlFile("/", FLAG)).toThrow("in '/': it is a directory.");
  expect(() => readDatabaseUrlFile("/none", FLAG)).toThrow("in '/none': there is no such file.");
  expect(() => readDatabaseUrlFile(URL_OF_DATABASE, FLAG)).toThrow(`${FLAG}: expected the path of a file`);
  expect(() => readDatabaseUrlFile(URL_OF_DATABASE, FLAG)).not.toThrow("secret");
});

test("a file that everybody can read or change is refused with the chmod that fixes it; one for owner and group is accepted", () => {
  for (const mode of [0o604, 0o644, 0o602, 0o666]) {
    using file = urlFile(URL_OF_DATABASE, mode);
    expect(file.read).toThrow(
      `Others can read or change '${file.path}', which may have a password in it. Run: chmod o-rw '`,
    );
    chmodSync(file.path, mode & ~0o006);
    expect(file.read()).toEqual(PARTS);
  }
  for (const mode of [0o600, 0o400, 0o440, 0o640]) {
    using file = urlFile(URL_OF_DATABASE, mode);
    expect(file.read()).toEqual(PARTS);
  }
});

test.if(process.getuid?.() === 0)("a file for all that root provides, as container managers do, is taken", () => {
  using file = urlFile(URL_OF_DATABASE, 0o444);
  expect(file.read()).toEqual(PARTS);
  chownSync(file.path, 1000, 1000);
  expect(file.read).toThrow("Others can read or change");
});

test("a pipe is read to its end", async () => {
  using folder = temporaryFolder();
  mkdirSync(join(folder.path, "pipes"));
  const pipe = join(folder.path, "pipes", "url");
  await Bun.$`mkfifo -m 644 ${pipe}`;
  const writing = Bun.spawn(["sh", "-c", `printf '%s' "$0" > "$1"; `, URL_OF_DATABASE, pipe]);
  expect(readDatabaseUrlFile(pipe, FLAG).reveal()).toEqual(PARTS);
  await writing.exited;
});
