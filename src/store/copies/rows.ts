import type { Database, SQLQueryBindings } from "bun:sqlite";
import { getTableColumns, getTableName } from "drizzle-orm";
import type { Connection } from "../postgres/engine/database.ts";
import { columnList, textArray, toRecordset, toRow } from "../postgres/engine/rows.ts";
import { fillBytes, GUARD_BYTES } from "../sqlite/files/ciphertext-pages.ts";
import type { CopiedRow, CopiedTable } from "./tables.ts";

/** One side of a copy: a database whose rows can be read, and which takes others. */
export interface Side {
  /** Reads all rows of a table in the order of its key. */
  rows(table: CopiedTable): Iterable<CopiedRow> | AsyncIterable<CopiedRow>;
  /** Prepares inserting into a table. The owner of a ciphertext has to be there. */
  inserter(table: CopiedTable): (rows: readonly CopiedRow[]) => Promise<unknown> | void;
}

/** The rows that PostgreSQL returns at a time, and the bytes of ciphertexts that it does unless one alone is larger. */
const STEP_ROWS = 500;
const STEP_BYTES = 2 * 1024 * 1024;

/** A SQLite database as a side of a copy. */
export function inSqlite(database: Database): Side {
  return {
    *rows(table) {
      const columns = Object.keys(getTableColumns(table.postgres)).map((key) => [key, table.shared.get(key)] as const);
      for (const raw of database.prepare<Record<string, unknown>, []>(table.read).iterate()) {
        yield Object.fromEntries(
          columns.map(([key, column]) => {
            const value = raw[column?.name ?? key] ?? null;
            return [key, value === null || !column ? value : column.mapFromDriverValue(value)];
          }),
        );
      }
    },
    inserter({ sqlite, shared, owner }) {
      const names = [...shared.values()].map(({ name }) => name);
      const marks = names.map(() => "?").join(", ");
      const insert = database.prepare(
        owner
          ? `INSERT INTO ${getTableName(sqlite)} (${owner}_seq, guard, fill, ${names.join(", ")})
             SELECT seq, zeroblob(${GUARD_BYTES}), zeroblob(?), ${marks} FROM ${owner}s WHERE id = ?`
          : `INSERT INTO ${getTableName(sqlite)} (${names.join(", ")}) VALUES (${marks})`,
      );
      return (rows) => {
        for (const row of rows) {
          const values = [...shared].map(([key, column]) => {
            const value = row[key] ?? null;
            return (value === null ? null : column.mapToDriverValue(value)) as SQLQueryBindings;
          });
          if (owner) insert.run(fillBytes(String(row["ciphertext"]).length), ...values, String(row[`${owner}Id`]));
          else insert.run(...values);
        }
      };
    },
  };
}

/** A PostgreSQL database as a side of a copy, in the transaction of `connection`. */
export function inPostgres(connection: Connection): Side {
  return {
    async *rows({ postgres, key, owner }) {
      const name = getTableName(postgres);
      const columns = owner ? `${key} AS id, octet_length(ciphertext) AS bytes` : "*";
      await connection.run(`DECLARE copied NO SCROLL CURSOR FOR SELECT ${columns} FROM ${name} ORDER BY ${key}`);
      const find = `SELECT * FROM ${name} WHERE ${key} = ANY(${textArray(1)}) ORDER BY ${key}`;
      for (let isMore = true; isMore;) {
        const found = await connection.run(`FETCH ${STEP_ROWS} FROM copied`);
        // Each of 500 ciphertexts may be as large as one can be.
        const steps = owner ? inSteps(found, STEP_BYTES, (row) => Number(row["bytes"])) : [found];
        for (const step of steps) {
          const rows = owner ? await connection.run(find, [JSON.stringify(step.map(({ id }) => id))]) : step;
          for (const row of rows) yield toRow(postgres, row);
        }
        isMore = found.length === STEP_ROWS;
      }
      await connection.run("CLOSE copied");
    },
    inserter({ postgres }) {
      const [name, columns] = [getTableName(postgres), columnList(postgres)];
      const insert = `INSERT INTO ${name} (${columns}) OVERRIDING SYSTEM VALUE
        SELECT ${columns} FROM json_populate_recordset(null::${name}, $1::text::json)`;
      return (rows) => connection.run(insert, [toRecordset(postgres, rows)]);
    },
  };
}

/** Splits `items` into groups of at most `most` in all by their `weight`, or of a single heavier one. */
function* inSteps<T>(items: readonly T[], most: number, weight: (item: T) => number): Generator<readonly T[]> {
  for (let [from, to] = [0, 0]; from < items.length; from = to) {
    for (let sum = 0; to < items.length && (to === from || sum + weight(items[to] as T) <= most); to++) {
      sum += weight(items[to] as T);
    }
    yield items.slice(from, to);
  }
}
