import type { Database, SQLQueryBindings } from "bun:sqlite";
import { getTableColumns, getTableName } from "drizzle-orm";
import type { Column } from "drizzle-orm";
import type { Connection } from "../postgres/engine/database.ts";
import { columnList, textArray, toRecordset, toRow } from "../postgres/engine/rows.ts";
import { fillBytes, GUARD_BYTES } from "../sqlite/files/ciphertext-pages.ts";
import type { CopiedRow, CopiedTable } from "./tables.ts";

/** One side of a copy: a database whose rows can be read, and which takes others. */
export interface Side {
  /** Reads all rows of a table in the order of its key, in batches. */
  batches(table: CopiedTable): Iterable<readonly CopiedRow[]> | AsyncIterable<readonly CopiedRow[]>;
  /** Prepares inserting into a table. The owner of a ciphertext must already be there. */
  inserter(table: CopiedTable): (rows: readonly CopiedRow[]) => Promise<unknown> | void;
}

const BATCH_ROWS = 500;
const BATCH_BYTES = 2 * 1024 * 1024;

/** A SQLite database as a side of a copy. */
export function inSqlite(database: Database): Side {
  return {
    *batches({ postgres, read, shared }) {
      const columns = Object.keys(getTableColumns(postgres)).map((key) => [key, shared.get(key)] as const);
      const toCopied = (raw: Readonly<Record<string, unknown>>): CopiedRow =>
        Object.fromEntries(
          columns.map(([key, column]) => {
            const value = raw[column?.name ?? key] ?? null;
            return [key, value === null || !column ? value : column.mapFromDriverValue(value)];
          }),
        );
      const rows = database.prepare<Record<string, unknown>, []>(read).iterate();
      for (const batch of inBatches(rows, ({ ciphertext }) =>
        typeof ciphertext === "string" ? ciphertext.length : 0,
      )) {
        yield batch.map(toCopied);
      }
    },
    inserter({ sqlite, key, shared: kept, owner }) {
      // An event keeps its place in the log.
      const seq = "seq" in sqlite ? (sqlite.seq as Column) : undefined;
      const shared = key === "place" && seq ? new Map([["place", seq], ...kept]) : kept;
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
          const values = [...shared].map(([member, column]) => {
            const value = row[member] ?? null;
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
    async *batches({ postgres, key, owner }) {
      const name = getTableName(postgres);
      const columns = owner ? `${key} AS id, octet_length(ciphertext) AS bytes` : "*";
      await connection.run(`DECLARE copied NO SCROLL CURSOR FOR SELECT ${columns} FROM ${name} ORDER BY ${key}`);
      const find = `SELECT * FROM ${name} WHERE ${key} = ANY(${textArray(1)}) ORDER BY ${key}`;
      for (let isMore = true; isMore;) {
        const found = await connection.run(`FETCH ${BATCH_ROWS} FROM copied`);
        for (const batch of inBatches(found, ({ bytes = 0 }) => Number(bytes))) {
          const rows = owner ? await connection.run(find, [JSON.stringify(batch.map(({ id }) => id))]) : batch;
          yield rows.map((row) => toRow(postgres, row));
        }
        isMore = found.length === BATCH_ROWS;
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

/** Splits `items` into batches of limited length and size; an item that is larger is a batch of its own. */
function* inBatches<T>(items: Iterable<T>, bytesOf: (item: T) => number): Generator<readonly T[]> {
  let [batch, bytes]: [T[], number] = [[], 0];
  for (const item of items) {
    const more = bytesOf(item);
    if (batch.length === BATCH_ROWS || (batch.length > 0 && bytes + more > BATCH_BYTES)) {
      yield batch;
      [batch, bytes] = [[], 0];
    }
    batch.push(item);
    bytes += more;
  }
  if (batch.length > 0) yield batch;
}
