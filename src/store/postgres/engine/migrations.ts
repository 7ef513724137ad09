import store from "../../../../drizzle/postgres/0000_store.sql" with { type: "text" };
import rules from "../../../../drizzle/postgres/0001_rules.sql" with { type: "text" };
import type { Connection, Database } from "./database.ts";
import { DatabaseError } from "./errors.ts";

/** The migrations in the order in which they are run. The number of those that have run is in the table `migrations`. */
const MIGRATIONS: readonly string[] = [store, rules];

const STATEMENT_SEPARATOR = "--> statement-breakpoint";

/** The number of the advisory lock of whoever migrates. */
const LOCK = 4_237_001;

/**
 * Brings the database up to date, in one transaction and one process at a time. Throws DatabaseError for a newer
 * database.
 */
export async function migrate(database: Database): Promise<void> {
  using connection = await database.hold();
  await connection.run("BEGIN");
  try {
    await connection.run("SELECT pg_advisory_xact_lock($1)", [LOCK]);
    await migrateInside(connection);
    await connection.run("COMMIT");
  } catch (error) {
    await connection.run("ROLLBACK");
    throw error;
  }
}

async function migrateInside(connection: Connection): Promise<void> {
  await connection.run("CREATE TABLE IF NOT EXISTS migrations (version integer PRIMARY KEY)");
  const [row] = await connection.run("SELECT coalesce(max(version), 0) AS version FROM migrations");
  const version = Number(row?.["version"]);
  if (version > MIGRATIONS.length) {
    throw new DatabaseError("The database is of a newer version of handoff. Run that version, or a newer one.");
  }
  for (const [index, migration] of MIGRATIONS.entries()) {
    if (index < version) continue;
    for (const statement of migration.split(STATEMENT_SEPARATOR)) await connection.run(statement);
    await connection.run("INSERT INTO migrations (version) VALUES ($1)", [index + 1]);
  }
}
