import { getTableColumns } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";

/** A row of the driver, by the names of its columns. */
export type DriverRow = Readonly<Record<string, unknown>>;

interface Column {
  readonly name: string;
  readonly key: string;
  readonly fromDriver: (value: unknown) => unknown;
}

const known = new Map<PgTable, readonly Column[]>();

function columnsOf(table: PgTable): readonly Column[] {
  const columns =
    known.get(table) ??
    Object.entries(getTableColumns(table)).map(([key, column]) => ({
      key,
      name: column.name,
      fromDriver: (value: unknown) => column.mapFromDriverValue(value),
    }));
  known.set(table, columns);
  return columns;
}

/** Converts a row of the driver to a row of `table`, by the names in code. */
export function toRow<T extends PgTable>(table: T, row: DriverRow): T["$inferSelect"] {
  return Object.fromEntries(
    columnsOf(table).map(({ key, name, fromDriver }) => {
      const value = row[name] ?? null;
      return [key, value === null ? null : fromDriver(value)];
    }),
  ) as T["$inferSelect"];
}

/** Converts rows to JSON for `json_populate_recordset`, which turns it into rows of `table` again. */
export function toRecordset(table: PgTable, rows: readonly object[]): string {
  const columns = columnsOf(table);
  return JSON.stringify(
    (rows as readonly Readonly<Record<string, unknown>>[]).map((row) =>
      Object.fromEntries(columns.map(({ key, name }) => [name, toJson(row[key])])),
    ),
  );
}

function toJson(value: unknown): unknown {
  return value instanceof Uint8Array ? `\\x${value.toHex()}` : value;
}

/** The quoted names of the columns of `table`, for a statement. */
export function columnList(table: PgTable): string {
  return columnsOf(table)
    .map(({ name }) => `"${name}"`)
    .join(", ");
}

/** An SQL expression for the array of texts in a JSON parameter. */
export function textArray(parameter: number): string {
  return `ARRAY(SELECT json_array_elements_text($${parameter}::text::json))`;
}

/** An SQL expression for the array of bytes in a JSON parameter, where they are hexadecimal. */
export function bytesArray(parameter: number): string {
  return `ARRAY(SELECT decode(each, 'hex') FROM json_array_elements_text($${parameter}::text::json) AS each)`;
}
