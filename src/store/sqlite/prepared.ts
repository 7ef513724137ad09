import { getTableColumns, is, Param, Placeholder, sql } from "drizzle-orm";
import type { GetColumnData, Query, SQL } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { StoreContext } from "./engine/context.ts";

/** A prepared statement of SQLite, built by drizzle, but without the mapping of every parameter and row. */
export interface Statement<Row> {
  /**
   * The first row; undefined when there is none. Throws unless `input` has a value for each placeholder, by its name.
   */
  get(input?: Input): Row | undefined;
  all(input?: Input): Row[];
  /** Runs the statement, and returns how many rows it changed and the `rowid` of the last one that it inserted. */
  run(input?: Input): { readonly changes: number; readonly rowid: number };
}

type Input = Readonly<Record<string, unknown>>;
type Binding = string | number | Uint8Array | null;

/** A statement as drizzle builds it. */
interface Builder {
  readonly _: { readonly result: unknown };
  toSQL(): Query;
}

type RowOf<B> = B extends { readonly _: { readonly result: readonly (infer Row)[] } } ? Row : never;

/**
 * Builds and prepares a statement at its first use, so that a start doesn't wait for all of them. The columns that it
 * selects or returns must be `named`, and of no kind that drizzle translates, such as JSON. Its first use throws when a
 * column doesn't have a name from the code.
 */
export function prepare<B extends Builder>(context: Pick<StoreContext, "orm">, build: () => B): Statement<RowOf<B>> {
  let prepared: Statement<RowOf<B>> | undefined;
  const statement = () => (prepared ??= prepareNow(context, build()));
  return {
    get: (input) => statement().get(input),
    all: (input) => statement().all(input),
    run: (input) => statement().run(input),
  };
}

function prepareNow<B extends Builder>({ orm }: Pick<StoreContext, "orm">, builder: B): Statement<RowOf<B>> {
  const { sql: text, params } = builder.toSQL();
  const statement = orm.$client.prepare<RowOf<B>, Binding[]>(text);
  if (!statement.columnNames.every((name) => NAME.test(name))) throw new Error("a column of a statement is not named");
  const sources = params.map((param): Source => {
    const value = is(param, Param) ? param.value : param;
    return is(value, Placeholder) ? value.name : { value: value as Binding };
  });
  const valueOf = (input: Input, name: string): Binding => {
    const value = input[name];
    // SQLite would take it for NULL.
    if (value === undefined) throw new Error(`a statement was not given '${name}'`);
    return value as Binding;
  };
  const bind = (input: Input): Binding[] =>
    sources.map((source) => (typeof source === "string" ? valueOf(input, source) : source.value));
  return {
    get: (input = {}) => statement.get(...bind(input)) ?? undefined,
    all: (input = {}) => statement.all(...bind(input)),
    run(input = {}) {
      const { changes, lastInsertRowid } = statement.run(...bind(input));
      return { changes, rowid: Number(lastInsertRowid) };
    },
  };
}

/** Prepares a statement for the rows of `table` that meet `where`. */
export function prepareSelect<T extends SQLiteTable>(
  context: Pick<StoreContext, "orm">,
  table: T,
  where: SQL | undefined,
): Statement<T["$inferSelect"]> {
  const build = () =>
    context.orm
      .select(columnsOf<SQLiteTable>(table))
      .from(table as SQLiteTable)
      .where(where);
  return prepare(context, build);
}

const NAME = /^[a-z][A-Za-z]*$/;

/** The source of a parameter: the name of a placeholder, or a constant value. */
type Source = string | { readonly value: Binding };

/** `fields` under their names in code; SQLite would use those of the schema. */
export function named<Fields extends Readonly<Record<string, SQLiteColumn | SQL>>>(fields: Fields) {
  return rename(fields) as { [Name in keyof Fields]: SQL.Aliased<DataOf<Fields[Name]>> };
}

type DataOf<Field> = Field extends SQLiteColumn ? GetColumnData<Field> : Field extends SQL<infer Data> ? Data : never;

/** All columns of `table`, named. */
export function columnsOf<T extends SQLiteTable>(table: T) {
  return rename(getTableColumns(table)) as { [Name in keyof T["$inferSelect"]]: SQL.Aliased<T["$inferSelect"][Name]> };
}

function rename(fields: Readonly<Record<string, SQLiteColumn | SQL>>): unknown {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, sql`${field}`.as(name)]));
}
