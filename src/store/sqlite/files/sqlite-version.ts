import { Database } from "bun:sqlite";

/** The version of SQLite in this program. */
export function findSqliteVersion(): string {
  using database = new Database(":memory:");
  const row = database.query<{ readonly version: string }, []>("SELECT sqlite_version() AS version").get();
  return row?.version ?? "unknown";
}
