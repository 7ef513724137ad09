import { Database } from "bun:sqlite";
import { APPLICATION_ID, findMove, MOVED_ID, MOVES_TABLE } from "../sqlite/files/database-header.ts";
import type { Move } from "../sqlite/files/database-header.ts";
import { DatabaseError } from "../sqlite/files/errors.ts";

/** How long a change waits for another process. */
const BUSY_TIMEOUT_MS = 5000;

/**
 * Marks the database file `path`, on which no server runs, as moved: from then on only `clearMoved` opens it. The mark
 * is on disk when this returns. Throws DatabaseError, with the file unchanged, when another process reads it for longer
 * than `busyTimeoutMs`.
 */
export function markMoved(path: string, move: Move, busyTimeoutMs = BUSY_TIMEOUT_MS): void {
  const { installation, place, latestAt } = move;
  const isInFile = change(path, MOVED_ID, busyTimeoutMs, (database) => {
    database.run(
      `CREATE TABLE ${MOVES_TABLE} (installation TEXT NOT NULL, place TEXT NOT NULL, latest_at INTEGER NOT NULL)`,
    );
    database.run(`INSERT INTO ${MOVES_TABLE} VALUES (?, ?, ?)`, [installation, place, latestAt]);
  });
  if (isInFile) return;
  // Without the WAL, the mark would be lost.
  change(path, APPLICATION_ID, busyTimeoutMs);
  throw new DatabaseError(
    `another program reads '${path}', such as a backup. Nothing was changed. Wait until it has ended, then run this again`,
  );
}

/** Removes the mark, if there is one. */
export function clearMoved(path: string): void {
  if (findMove(path)) change(path, APPLICATION_ID, BUSY_TIMEOUT_MS);
}

/**
 * Changes the id, and calls `mark`. Returns false when the change is only in the WAL, because another process reads.
 */
function change(path: string, id: number, busyTimeoutMs: number, mark?: (database: Database) => void): boolean {
  using database = new Database(path, { readwrite: true, create: false });
  database.run(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
  database.run("PRAGMA synchronous = FULL");
  database
    .transaction(() => {
      // A killed process may have left it.
      database.run(`DROP TABLE IF EXISTS ${MOVES_TABLE}`);
      mark?.(database);
      database.run(`PRAGMA application_id = ${id}`);
    })
    .immediate();
  return database.query<{ busy: number }, []>("PRAGMA wal_checkpoint(TRUNCATE)").get()?.busy === 0;
}
