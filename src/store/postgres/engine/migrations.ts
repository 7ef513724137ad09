import store from "../../../../drizzle/postgres/0000_store.sql" with { type: "text" };
import rules from "../../../../drizzle/postgres/0001_rules.sql" with { type: "text" };
import statistics from "../../../../drizzle/postgres/0002_statistics.sql" with { type: "text" };
import functions from "../../../../drizzle/postgres/0003_functions.sql" with { type: "text" };
import signIns from "../../../../drizzle/postgres/0004_sign_ins.sql" with { type: "text" };
import signInWays from "../../../../drizzle/postgres/0005_sign_in_ways.sql" with { type: "text" };
import notices from "../../../../drizzle/postgres/0006_notices.sql" with { type: "text" };
import whoMayOpen from "../../../../drizzle/postgres/0007_who_may_open.sql" with { type: "text" };
import approvals from "../../../../drizzle/postgres/0008_approvals.sql" with { type: "text" };
import uploads from "../../../../drizzle/postgres/0009_uploads.sql" with { type: "text" };
import type { Connection, Database } from "./database.ts";
import { DatabaseError, DatabaseInUse } from "./errors.ts";
import { SWEEPS_LOCK } from "./leases.ts";
import { settleSchema } from "./schemas.ts";
import { checkTables } from "./tables.ts";

/** The migrations in the order in which they run. The table `migrations` has the number of those that have run. */
const MIGRATIONS: readonly string[] = [
  store,
  rules,
  statistics,
  functions,
  signIns,
  signInWays,
  notices,
  whoMayOpen,
  approvals,
  uploads,
];

/** The version of a database that is up to date. */
export const LATEST_VERSION = MIGRATIONS.length;

/** The time limit for each statement of a migration, enough for the largest database. */
const LONGEST_SECONDS = 86_400;

const STATEMENT_SEPARATOR = "--> statement-breakpoint";

/** PostgreSQL 15, as the server writes it. */
const MIN_SERVER_VERSION = 150_000;

/** The advisory lock of the process that migrates. */
const LOCK = 4_237_001;

/** The changes that `migrate` may make. */
export interface MigrationRights {
  /** True to allow creating the tables in an empty database. */
  readonly mayCreate: boolean;
  /** True to allow changing the tables of an older version. */
  readonly mayUpgrade: boolean;
}

/**
 * Migrates the database to the latest version, in one transaction and in one process at a time. Returns true when it
 * was empty. Throws DatabaseError for a newer version, for a database that is incomplete or not handoff's, and for one
 * that has to be changed without `rights`. Throws DatabaseInUse for an older version on which a server runs.
 */
export async function migrate(database: Database, rights: MigrationRights): Promise<boolean> {
  const version = await inspectVersion(database, rights);
  if (version === LATEST_VERSION) return false;
  using connection = await database.hold(LONGEST_SECONDS);
  await connection.run("BEGIN");
  try {
    // A migration has no time limit, nor has waiting for another process that migrates.
    await connection.run("SET LOCAL statement_timeout = 0");
    await connection.run("SET LOCAL lock_timeout = 0");
    await connection.run("SELECT pg_advisory_xact_lock($1)", [LOCK]);
    await runMigrations(connection);
    await connection.run("COMMIT");
  } catch (error) {
    await connection.run("ROLLBACK");
    throw error;
  }
  return version === 0;
}

/** Returns the number of migrations that have run. Throws DatabaseError when the others may not run. */
async function inspectVersion(database: Database, rights: MigrationRights): Promise<number> {
  await settleSchema(database);
  using connection = await database.hold();
  // A user with read access only can use a database that is up to date.
  const version = await findVersion(connection);
  if (version === LATEST_VERSION) {
    await checkTables(connection);
    return version;
  }
  checkRights(version, rights);
  await checkServer(connection);
  if (version === 0) await checkEmpty(connection);
  return version;
}

/** Throws DatabaseError when the version of PostgreSQL or the encoding of the database is unsupported. */
async function checkServer(connection: Connection): Promise<void> {
  const [row] = await connection.run(
    "SELECT current_setting('server_version_num')::int AS version, current_setting('server_version') AS name, current_setting('server_encoding') AS encoding",
  );
  if (Number(row?.["version"]) < MIN_SERVER_VERSION) {
    throw new DatabaseError(
      `PostgreSQL ${String(row?.["name"])} is too old: ${MIN_SERVER_VERSION / 10_000} or later is needed`,
    );
  }
  if (row?.["encoding"] !== "UTF8") {
    throw new DatabaseError(
      `the database has the encoding ${String(row?.["encoding"])}, and UTF8 is needed. Make another one with: createdb --encoding=UTF8 --template=template0`,
    );
  }
}

/** Throws DatabaseError unless the schema has no tables yet. */
async function checkEmpty(connection: Connection): Promise<void> {
  const [row] = await connection.run(
    "SELECT min(relname) AS other FROM pg_class WHERE relnamespace = to_regnamespace(quote_ident(current_schema())) AND relkind IN ('r', 'p', 'v', 'm', 'f')",
  );
  const other = row?.["other"];
  // Another process may have created handoff's tables since the version was read; they appear all at once.
  if (typeof other === "string" && (await findVersion(connection)) === 0) {
    throw new DatabaseError(
      `the database is not empty: it has the table '${other}' of something else. Nothing was changed. Name an empty database`,
    );
  }
}

/** The number of migrations that have run; 0 when handoff's tables don't exist. */
async function findVersion(connection: Connection): Promise<number> {
  // Other programs have a table `migrations` too.
  const [tables] = await connection.run(
    "SELECT to_regclass('migrations') IS NOT NULL AND to_regclass('installations') IS NOT NULL AS are_there",
  );
  if (tables?.["are_there"] !== true) return 0;
  const [row] = await connection.run("SELECT coalesce(max(version), 0) AS version FROM migrations");
  return Number(row?.["version"]);
}

function checkRights(version: number, { mayCreate, mayUpgrade }: MigrationRights): void {
  if (version > LATEST_VERSION) {
    throw new DatabaseError(
      "the database was written by a newer version of handoff. Use that version, or a newer one. Nothing was changed",
    );
  }
  if (version === 0 && !mayCreate) {
    throw new DatabaseError(
      "the database has nothing of handoff in it. Check its name in the URL, or begin with 'handoff admin team create'",
    );
  }
  if (version > 0 && !mayUpgrade) {
    throw new DatabaseError(
      "the database was written by an older version of handoff. Nothing was changed. Start the server of this version first, or use the older executable",
    );
  }
}

async function runMigrations(connection: Connection): Promise<void> {
  await connection.run("CREATE TABLE IF NOT EXISTS migrations (version integer PRIMARY KEY)");
  // Another process may have migrated first.
  const version = await findVersion(connection);
  if (version > 0 && version < LATEST_VERSION) await checkUnused(connection);
  for (const [index, migration] of MIGRATIONS.entries()) {
    if (index < version) continue;
    for (const statement of migration.split(STATEMENT_SEPARATOR)) {
      // drizzle-kit names the schema; ours is the one that was settled on.
      await connection.run(statement.replaceAll('"public".', ""));
    }
    await connection.run("INSERT INTO migrations (version) VALUES ($1)", [index + 1]);
  }
}

/**
 * The connections of servers and admin commands that use this database. Each of them listens, and one of the servers
 * holds the lock.
 */
const USERS = `SELECT pid, coalesce(' from ' || host(client_addr), '') AS origin FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid() AND (query ^@ 'LISTEN "handoff_' OR pid IN (
    SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) AND classid = 0 AND objid = $1 AND granted))
  ORDER BY pid LIMIT 1`;

/** Throws DatabaseInUse when a server runs on the database, because it would go on writing as its version does. */
async function checkUnused(connection: Connection): Promise<void> {
  const [user] = await connection.run(USERS, [SWEEPS_LOCK]);
  if (!user) return;
  const pid = String(user["pid"]);
  throw new DatabaseInUse(
    `a server of an older version of handoff runs on the database (process ${pid} of PostgreSQL${String(user["origin"])}), and would not know what this version changes. Nothing was changed. Stop all servers of the older version. If the machine of one is gone: SELECT pg_terminate_backend(${pid})`,
  );
}
