import { Database } from "bun:sqlite";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import recount from "../../drizzle/sqlite/0005_stored_bytes.sql" with { type: "text" };
import withoutTokenIndex from "../../drizzle/sqlite/0011_claim_tokens.sql" with { type: "text" };
import references from "../../drizzle/sqlite/0013_references.sql" with { type: "text" };
import whoMayOpen from "../../drizzle/sqlite/0020_who_may_open.sql" with { type: "text" };
import approvals from "../../drizzle/sqlite/0021_approvals.sql" with { type: "text" };
import uploads from "../../drizzle/sqlite/0022_uploads.sql" with { type: "text" };

/** The time that a connection of a test waits for others. */
const PATIENCE_MS = 5000;

/** Lets `work` use the database in `folder` through a connection of its own. */
export function inDatabase<T>(folder: string, work: (database: Database) => T): T {
  const database = new Database(join(folder, "handoff.db"));
  try {
    database.run(`PRAGMA busy_timeout = ${PATIENCE_MS}`);
    return work(database);
  } finally {
    database.close();
  }
}

/** The length of all ciphertexts in the database in `folder`, in bytes. */
export function heldBytes(folder: string): number {
  const text = "SELECT sum(length(ciphertext)) AS bytes FROM ciphertexts";
  return inDatabase(folder, (database) => database.query<{ bytes: number | null }, []>(text).get()?.bytes) ?? 0;
}

const SEPARATOR = "--> statement-breakpoint";

/**
 * The bytes that the teams of the database in `folder` take up, counted anew from all that is there, as the migrations
 * do it.
 */
export function recountStoredBytes(folder: string): number {
  return inDatabase(folder, (database) => {
    database.run("BEGIN IMMEDIATE");
    try {
      const [, ...smaller] = withoutTokenIndex.split(SEPARATOR);
      const later = [references, whoMayOpen, approvals, uploads].flatMap((migration) =>
        migration.split(SEPARATOR).slice(-1),
      );
      for (const statement of [...recount.split(SEPARATOR), ...smaller, ...later]) {
        // What is handed in for a request counts as it comes.
        database.run(
          statement.replace("(`bytes` +", "(CASE WHEN `created_by` LIKE 'req_%' THEN `offset` ELSE `bytes` END +"),
        );
      }
      return database.query<{ bytes: number }, []>("SELECT sum(stored_bytes) AS bytes FROM teams").get()?.bytes ?? NaN;
    } finally {
      database.run("ROLLBACK");
    }
  });
}

/** Writes the WAL into the database and empties it. Throws when a reader holds it for longer than `PATIENCE_MS`. */
export function checkpoint(folder: string): void {
  inDatabase(folder, (database) => {
    const truncate = database.query<{ busy: number }, []>("PRAGMA wal_checkpoint(TRUNCATE)");
    // SQLite doesn't wait for a checkpoint of another connection, such as that of a server's writer.
    for (const end = performance.now() + PATIENCE_MS; truncate.get()?.busy !== 0;) {
      if (performance.now() > end) throw new Error("the checkpoint was held up");
    }
  });
}

/** The names of the files in `folder` in which `marker` can be read. */
export function filesWith(folder: string, marker: string): string[] {
  return readdirSync(folder).filter((name) => readFileSync(join(folder, name)).includes(marker));
}

/** The size of the WAL in bytes; 0 when there is none. */
export function walBytes(folder: string): number {
  return statSync(join(folder, "handoff.db-wal"), { throwIfNoEntry: false })?.size ?? 0;
}
