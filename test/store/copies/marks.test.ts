import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { copyFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { clearMoved, markMoved } from "../../../src/store/copies/marks.ts";
import { openDatabase } from "../../../src/store/sqlite/engine/database.ts";
import { findMove } from "../../../src/store/sqlite/files/database-header.ts";
import { temporaryFolder } from "../../support/temporary.ts";

const MOVE = { installation: "one", place: "postgresql://handoff@db.test/handoff", latestAt: 1 };

/** Runs `act` while another connection reads the database at `path`. */
function whileRead(path: string, act: () => void): void {
  using reader = new Database(path, { readonly: true });
  reader.run("BEGIN");
  reader.query("SELECT * FROM teams").all();
  act();
}

test("a mark that a reader keeps in the WAL is removed, and the folder doesn't count as moved", () => {
  using folder = temporaryFolder();
  const path = join(folder.path, "handoff.db");
  openDatabase(folder.path).close();
  whileRead(path, () => {
    expect(() => markMoved(path, MOVE, 10)).toThrow("another program reads");
    expect(findMove(path)).toBeUndefined();
    openDatabase(folder.path).close();
  });
  for (const end of ["-wal", "-shm"]) rmSync(path + end, { force: true });
  openDatabase(folder.path).close();
});

test("a mark that is only in the WAL counts, and so does its removal", () => {
  using folder = temporaryFolder();
  using killed = temporaryFolder();
  const [path, left] = [join(folder.path, "handoff.db"), join(killed.path, "handoff.db")];
  openDatabase(folder.path).close();
  const leave = () => ["", "-wal"].forEach((end) => copyFileSync(path + end, left + end));
  const mark = new Database(path);
  mark.run("PRAGMA wal_autocheckpoint = 0");
  mark.run("CREATE TABLE moves (installation TEXT, place TEXT, latest_at INTEGER)");
  mark.run("INSERT INTO moves VALUES (?, ?, ?)", Object.values(MOVE));
  mark.run("PRAGMA application_id = 0x68646d76");
  leave();
  expect(findMove(left)).toEqual(MOVE);
  expect(() => openDatabase(killed.path)).toThrow(`was moved to '${MOVE.place}'`);
  mark.run("PRAGMA wal_checkpoint(TRUNCATE)");
  mark.run("DROP TABLE moves");
  mark.run("PRAGMA application_id = 0x68646f66");
  leave();
  mark.close();
  expect(findMove(left)).toBeUndefined();
  openDatabase(killed.path).close();
  clearMoved(path);
});
