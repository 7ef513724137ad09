import type { Database, SQLQueryBindings } from "bun:sqlite";
import { getTableColumns, getTableName } from "drizzle-orm";
import type { Connection } from "../postgres/engine/database.ts";
import { textArray, toRow } from "../postgres/engine/rows.ts";
import type { DriverRow } from "../postgres/engine/rows.ts";
import { fillBytes, GUARD_BYTES } from "../sqlite/files/ciphertext-pages.ts";
import type { CopiedRow, CopiedTable } from "./tables.ts";

/** The rows that PostgreSQL hands out at once, and the most bytes of those that can be large, where it is more than one. */
const STEP_ROWS = 500;
const STEP_BYTES = 2 * 1024 * 1024;

/** Reads all rows of a table from SQLite, in the order of their keys. */
export function* rowsInSqlite(database: Database, table: CopiedTable): Generator<CopiedRow> {
  const own = getTableColumns(table.sqlite);
  const columns = Object.keys(getTableColumns(table.postgres)).map((key) => ({ key, column: own[key] }));
  for (const raw of database.prepare<Record<string, unknown>, []>(table.read).iterate()) {
    yield Object.fromEntries(
      columns.map(({ key, column }) => {
        const value = raw[column?.name ?? key] ?? null;
        return [key, value === null || !column ? value : column.mapFromDriverValue(value)];
      }),
    );
  }
}

/** Reads all rows of a table from PostgreSQL, in the order of their keys, in the transaction of `connection`. */
export async function* rowsInPostgres(connection: Connection, table: CopiedTable): AsyncGenerator<CopiedRow> {
  const { postgres, key, owner } = table;
  const what = owner ? `${key} AS id, octet_length(ciphertext) AS bytes` : "*";
  await connection.run(
    `DECLARE copied NO SCROLL CURSOR FOR SELECT ${what} FROM ${getTableName(postgres)} ORDER BY ${key}`,
  );
  for (let isMore = true; isMore;) {
    const rows = await connection.run(`FETCH ${STEP_ROWS} FROM copied`);
    if (owner) yield* sealedRows(connection, table, rows);
    else for (const row of rows) yield toRow(postgres, row);
    isMore = rows.length === STEP_ROWS;
  }
  await connection.run("CLOSE copied");
}

/** Reads the rows with these ids, of which each may be as large as a ciphertext can be. */
async function* sealedRows(
  connection: Connection,
  { postgres, key }: CopiedTable,
  sizes: readonly DriverRow[],
): AsyncGenerator<CopiedRow> {
  for (let from = 0; from < sizes.length;) {
    let [to, bytes] = [from, 0];
    do bytes += Number(sizes[to++]?.["bytes"]);
    while (to < sizes.length && bytes + Number(sizes[to]?.["bytes"]) <= STEP_BYTES);
    const ids = JSON.stringify(sizes.slice(from, to).map((row) => row["id"]));
    const rows = await connection.run(
      `SELECT * FROM ${getTableName(postgres)} WHERE ${key} = ANY(${textArray(1)}) ORDER BY ${key}`,
      [ids],
    );
    for (const row of rows) yield toRow(postgres, row);
    from = to;
  }
}

/** Prepares what inserts a row into SQLite. Whatever a ciphertext belongs to has to be there. */
export function prepareInsert(database: Database, table: CopiedTable): (row: CopiedRow) => void {
  const columns = sharedColumns(table);
  const names = columns.map(({ name }) => name);
  const encode = (row: CopiedRow) => columns.map(({ key, encoded }) => encoded(row[key] ?? null));
  const marks = names.map(() => "?").join(", ");
  if (!table.owner) {
    const insert = database.prepare(
      `INSERT INTO ${getTableName(table.sqlite)} (${names.join(", ")}) VALUES (${marks})`,
    );
    return (row) => void insert.run(...encode(row));
  }
  const { owner, ownerKey } = table.owner;
  const sealed = [`${owner}_seq`, "guard", "fill", ...names].join(", ");
  const insert = database.prepare(
    `INSERT INTO ${getTableName(table.sqlite)} (${sealed}) SELECT seq, zeroblob(${GUARD_BYTES}), zeroblob(?), ${marks} FROM ${owner}s WHERE id = ?`,
  );
  return (row) => void insert.run(fillBytes(String(row["ciphertext"]).length), ...encode(row), String(row[ownerKey]));
}

interface SharedColumn {
  readonly key: string;
  readonly name: string;
  readonly encoded: (value: unknown) => SQLQueryBindings;
}

/** The columns that both engines have. */
function sharedColumns({ sqlite, postgres }: CopiedTable): SharedColumn[] {
  const own = getTableColumns(sqlite);
  return Object.keys(getTableColumns(postgres)).flatMap((key) => {
    const column = own[key];
    if (!column) return [];
    const encoded = (value: unknown) => (value === null ? null : column.mapToDriverValue(value)) as SQLQueryBindings;
    return [{ key, name: column.name, encoded }];
  });
}
