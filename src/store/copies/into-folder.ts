import type { Database } from "bun:sqlite";
import type { Connection } from "../postgres/engine/database.ts";
import { refillHistory } from "../sqlite/engine/migrations.ts";
import { prepareInsert, rowsInPostgres } from "./rows.ts";
import { COPIED_TABLES } from "./tables.ts";

/**
 * Copies what is in a PostgreSQL database into a SQLite database that has nothing but its tables: one moment of it, in the transaction of
 * `connection`. Without `hasSecrets` there is nothing in it that could be opened. What teams take up is to be counted anew.
 */
export async function copyIntoSqlite(
  connection: Connection,
  target: Database,
  { hasSecrets }: { readonly hasSecrets: boolean },
): Promise<void> {
  for (const table of COPIED_TABLES) {
    if (table.isSecret && !hasSecrets) continue;
    const insert = prepareInsert(target, table);
    for await (const row of rowsInPostgres(connection, table)) insert(row);
  }
  const [clock] = await connection.run("SELECT latest_at FROM clocks");
  target.run("UPDATE clocks SET latest_at = ?", [Number(clock?.["latest_at"])]);
  const [own] = await connection.run("SELECT public_id FROM installations");
  target.run("UPDATE installations SET public_id = ?", [String(own?.["public_id"])]);
  refillHistory(target);
}
