import { expect, test } from "bun:test";
import { getTableColumns, getTableName } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { COPIED_TABLES } from "../../../src/store/copies/tables.ts";
import * as postgres from "../../../src/store/postgres/schema.ts";
import * as sqlite from "../../../src/store/sqlite/schema.ts";

const APART: readonly string[] = [sqlite.clocks, sqlite.installations, sqlite.uploads].map((table) =>
  getTableName(table),
);

test("every table of both engines is copied except the clock, the installation id and uploads", () => {
  const shared = Object.entries<SQLiteTable>(sqlite).filter(([name]) => Object.hasOwn(postgres, name));
  const names = shared.map(([, table]) => getTableName(table)).filter((name) => !APART.includes(name));
  expect(COPIED_TABLES.map((table) => getTableName(table.sqlite)).toSorted()).toEqual(names.toSorted());
});

test("every column of SQLite is copied except those that only SQLite needs", () => {
  const own = COPIED_TABLES.flatMap((table) => {
    const columns = Object.keys(getTableColumns(table.sqlite)).filter((name) => !table.shared.has(name));
    return columns.map((name) => `${getTableName(table.sqlite)}.${name}`);
  });
  expect(own.toSorted()).toEqual([
    "ciphertexts.fill",
    "ciphertexts.guard",
    "ciphertexts.secretSeq",
    "events.historyOf",
    "events.seq",
    "request_notes.fill",
    "request_notes.guard",
    "request_notes.requestSeq",
    "requests.seq",
    "secrets.seq",
  ]);
});
