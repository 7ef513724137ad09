import { Database } from "bun:sqlite";
import { APPLICATION_ID, findMove, MOVED_ID, MOVES_TABLE } from "../sqlite/files/database-header.ts";
import type { Move } from "../sqlite/files/database-header.ts";

/** Marks the database file `path`, which nobody has open, as moved: nothing but `clearMoved` opens it again. It is on the disk when this returns. */
export function markMoved(path: string, { installation, place, latestAt }: Move): void {
  change(path, MOVED_ID, (database) => {
    database.run(
      `CREATE TABLE ${MOVES_TABLE} (installation TEXT NOT NULL, place TEXT NOT NULL, latest_at INTEGER NOT NULL)`,
    );
    database.run(`INSERT INTO ${MOVES_TABLE} VALUES (?, ?, ?)`, [installation, place, latestAt]);
  });
}

/** Takes that mark away, where there is one. */
export function clearMoved(path: string): void {
  if (findMove(path)) change(path, APPLICATION_ID, () => undefined);
}

function change(path: string, id: number, note: (database: Database) => void): void {
  const database = new Database(path, { readwrite: true, create: false });
  try {
    database.run("PRAGMA synchronous = FULL");
    database
      .transaction(() => {
        // One that was killed may have left it.
        database.run(`DROP TABLE IF EXISTS ${MOVES_TABLE}`);
        note(database);
        database.run(`PRAGMA application_id = ${id}`);
      })
      .immediate();
    // It is looked for in the file itself.
    database.run("PRAGMA wal_checkpoint(TRUNCATE)");
  } finally {
    database.close();
  }
}
