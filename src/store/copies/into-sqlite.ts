import type { Database } from "bun:sqlite";
import { getTableName } from "drizzle-orm";
import type { Connection } from "../postgres/engine/database.ts";
import { refillHistory } from "../sqlite/engine/migrations.ts";
import { DatabaseError } from "../sqlite/files/errors.ts";
import { createChecksum } from "./checksums.ts";
import { prepareInsert, rowsInPostgres, rowsInSqlite } from "./rows.ts";
import { COPIED_TABLES } from "./tables.ts";
import type { CopiedRow, CopiedTable } from "./tables.ts";

/**
 * Copies what is in a PostgreSQL database into a SQLite database that has nothing but its tables: one moment of it, in the transaction of
 * `connection`. Without `hasSecrets` there is nothing in it that could be opened. What teams take up is to be counted anew. Returns the
 * numbers of rows by table. Throws DatabaseError when something is different there.
 */
export async function copyIntoSqlite(
  connection: Connection,
  target: Database,
  { hasSecrets }: { readonly hasSecrets: boolean },
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for (const table of COPIED_TABLES) {
    if (table.isSecret && !hasSecrets) continue;
    counts.set(getTableName(table.postgres), await copyTable(connection, target, table));
  }
  const [clock] = await connection.run("SELECT latest_at FROM clocks");
  target.run("INSERT INTO clocks (id, latest_at) VALUES (1, ?)", [Number(clock?.["latest_at"])]);
  const [own] = await connection.run("SELECT public_id FROM installations");
  target.run("UPDATE installations SET public_id = ?", [String(own?.["public_id"])]);
  refillHistory(target);
  return counts;
}

async function copyTable(connection: Connection, target: Database, table: CopiedTable): Promise<number> {
  const insert = prepareInsert(target, table);
  const [sent, arrived] = [createChecksum(), createChecksum()];
  for await (const row of rowsInPostgres(connection, table)) {
    insert(row);
    sent.add(withoutDerived(row, table));
  }
  for (const row of rowsInSqlite(target, table)) arrived.add(withoutDerived(row, table));
  const [{ count, digest }, copy] = [sent.value(), arrived.value()];
  if (copy.count !== count || copy.digest !== digest) {
    throw new DatabaseError(
      `${getTableName(table.postgres)}: what was written is not what is in PostgreSQL, and isn't kept`,
    );
  }
  return count;
}

/** A row without what SQLite does not keep as it is. */
function withoutDerived(row: CopiedRow, { derived = [] }: CopiedTable): CopiedRow {
  return Object.fromEntries(Object.entries(row).filter(([key]) => !derived.includes(key)));
}
