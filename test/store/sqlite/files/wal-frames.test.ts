import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  findVersionInWal,
  FRAME_BYTES,
  FRAME_HEADER,
  WAL_HEADER,
} from "../../../../src/store/sqlite/files/wal-frames.ts";
import { temporaryFolder } from "../../../support/temporary.ts";

/** Copies the WAL of a database on which these versions were set one after the other, each in a transaction of its own. */
function walWithVersions(folder: string, versions: readonly number[]): string {
  const path = join(folder, "made.db");
  using database = new Database(path);
  database.run("PRAGMA page_size = 4096");
  database.run("PRAGMA journal_mode = WAL");
  database.run("CREATE TABLE rows (text TEXT)");
  for (const version of versions) {
    database.run(`PRAGMA user_version = ${version}`);
    database.run("INSERT INTO rows VALUES ('between')");
  }
  const wal = join(folder, "wal");
  copyFileSync(`${path}-wal`, wal);
  return wal;
}

/** Where frames of the page 1 begin in a WAL. */
function framesOfPage1(wal: Buffer): number[] {
  const count = (wal.length - WAL_HEADER.bytes) / FRAME_BYTES;
  const offsets = Array.from({ length: count }, (_, index) => WAL_HEADER.bytes + index * FRAME_BYTES);
  return offsets.filter((offset) => wal.readUInt32BE(offset) === 1);
}

test("the highest version in a WAL is found, whichever frame has it", () => {
  using folder = temporaryFolder();
  expect(findVersionInWal(walWithVersions(folder.path, [3, 9, 7]))).toBe(9);
  expect(findVersionInWal(join(folder.path, "none"))).toBe(0);
});

test("the header of a frame over the page of another one, as a process leaves it that was killed between the two, has no version", () => {
  using folder = temporaryFolder();
  const path = walWithVersions(folder.path, [3]);
  const wal = readFileSync(path);
  const last = framesOfPage1(wal).at(-1) ?? 0;
  const torn = Buffer.concat([wal.subarray(last, last + FRAME_HEADER.bytes), Buffer.alloc(4096, 0x78)]);
  writeFileSync(path, Buffer.concat([wal, torn]));
  expect(findVersionInWal(path)).toBe(3);
  // The same in the place of the frame itself.
  wal.fill(0x78, last + FRAME_HEADER.bytes, last + FRAME_BYTES);
  writeFileSync(path, wal.subarray(0, last + FRAME_BYTES));
  expect(findVersionInWal(path)).toBe(0);
});
