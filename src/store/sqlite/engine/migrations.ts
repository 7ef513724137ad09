import type { Database } from "bun:sqlite";
import secrets from "../../../../drizzle/sqlite/0000_secrets.sql" with { type: "text" };
import tokenBuckets from "../../../../drizzle/sqlite/0001_token_buckets.sql" with { type: "text" };
import requests from "../../../../drizzle/sqlite/0002_requests.sql" with { type: "text" };
import persons from "../../../../drizzle/sqlite/0003_persons.sql" with { type: "text" };
import creators from "../../../../drizzle/sqlite/0004_creators.sql" with { type: "text" };
import storedBytes from "../../../../drizzle/sqlite/0005_stored_bytes.sql" with { type: "text" };
import keySuccessors from "../../../../drizzle/sqlite/0006_key_successors.sql" with { type: "text" };
import subjects from "../../../../drizzle/sqlite/0007_subjects_and_note_versions.sql" with { type: "text" };
import serverSettings from "../../../../drizzle/sqlite/0008_server_settings.sql" with { type: "text" };
import listIndexes from "../../../../drizzle/sqlite/0009_list_indexes.sql" with { type: "text" };
import namedPersons from "../../../../drizzle/sqlite/0010_named_persons.sql" with { type: "text" };
import claimTokens from "../../../../drizzle/sqlite/0011_claim_tokens.sql" with { type: "text" };
import adminLog from "../../../../drizzle/sqlite/0012_admin_log.sql" with { type: "text" };
import references from "../../../../drizzle/sqlite/0013_references.sql" with { type: "text" };
import installations from "../../../../drizzle/sqlite/0014_installations.sql" with { type: "text" };
import webhooks from "../../../../drizzle/sqlite/0015_webhooks.sql" with { type: "text" };
import secretEvents from "../../../../drizzle/sqlite/0016_secret_events.sql" with { type: "text" };
import signIns from "../../../../drizzle/sqlite/0017_sign_ins.sql" with { type: "text" };
import signInWays from "../../../../drizzle/sqlite/0018_sign_in_ways.sql" with { type: "text" };
import notices from "../../../../drizzle/sqlite/0019_notices.sql" with { type: "text" };
import whoMayOpen from "../../../../drizzle/sqlite/0020_who_may_open.sql" with { type: "text" };
import approvals from "../../../../drizzle/sqlite/0021_approvals.sql" with { type: "text" };
import uploads from "../../../../drizzle/sqlite/0022_uploads.sql" with { type: "text" };
import submittedUploads from "../../../../drizzle/sqlite/0023_submitted_uploads.sql" with { type: "text" };
import { newerVersion } from "../files/database-header.ts";

/**
 * The migrations in the order in which they run. The database's `user_version` is the number of those that have run.
 */
const MIGRATIONS: readonly string[] = [
  secrets,
  tokenBuckets,
  requests,
  persons,
  creators,
  storedBytes,
  keySuccessors,
  subjects,
  serverSettings,
  listIndexes,
  namedPersons,
  claimTokens,
  adminLog,
  references,
  installations,
  webhooks,
  secretEvents,
  signIns,
  signInWays,
  notices,
  whoMayOpen,
  approvals,
  uploads,
  submittedUploads,
];

/** The `user_version` of a database that is up to date. */
export const LATEST_VERSION = MIGRATIONS.length;

const STATEMENT_SEPARATOR = "--> statement-breakpoint";

/**
 * Upgrades the database to the latest version, or to `version`, with each migration in its own transaction. Then copies
 * the WAL, because the file's header has to tell other versions what the database is. Throws DatabaseError for a newer
 * database.
 */
export function migrate(database: Database, version = LATEST_VERSION): void {
  if (versionOf(database) > LATEST_VERSION) throw newerVersion(database.filename);
  const missing = [...MIGRATIONS.slice(0, version).entries()].slice(versionOf(database));
  for (const [index, migration] of missing) {
    database
      .transaction(() => {
        // Read again inside the transaction, because the admin command may be migrating at the same time.
        if (versionOf(database) > index) return;
        run(database, migration);
        database.run(`PRAGMA user_version = ${index + 1}`);
      })
      .immediate();
  }
  if (missing.length > 0) copyWal(database);
}

function copyWal(database: Database): void {
  try {
    database.run("PRAGMA wal_checkpoint(PASSIVE)");
  } catch {
    // For lack of space, for example. The next checkpoint does it.
  }
}

/**
 * Counts again what each team stores, as the migration that introduced the count did, and those that changed it since.
 */
export function recountStoredBytes(database: Database): void {
  const [, withoutClaimTokenIndex = ""] = claimTokens.split(STATEMENT_SEPARATOR);
  const ofReferences = references.split(STATEMENT_SEPARATOR).at(-1) ?? "";
  const ofAddressees = whoMayOpen.split(STATEMENT_SEPARATOR).at(-1) ?? "";
  const ofApprovals = approvals.split(STATEMENT_SEPARATOR).at(-1) ?? "";
  database
    .transaction(() => {
      run(database, storedBytes);
      run(database, withoutClaimTokenIndex);
      run(database, ofReferences);
      run(database, ofAddressees);
      run(database, ofApprovals);
    })
    .immediate();
}

/** Marks the events that are found by their secret, as the migration that introduced it did. */
export function refillHistory(database: Database): void {
  database.run(secretEvents.split(STATEMENT_SEPARATOR).at(-1) ?? "");
}

/** Gives the database a new installation id, as the migration that introduced it did. */
export function renewInstallation(database: Database): void {
  database.run("UPDATE installations SET public_id = lower(hex(randomblob(16)))");
}

function run(database: Database, migration: string): void {
  for (const statement of migration.split(STATEMENT_SEPARATOR)) database.run(statement);
}

function versionOf(database: Database): number {
  const row = database.query<{ user_version: number }, []>("PRAGMA user_version").get();
  return row?.user_version ?? 0;
}
