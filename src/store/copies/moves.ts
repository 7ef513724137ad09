import type { Database } from "bun:sqlite";
import { join } from "node:path";
import type { Operator } from "../../domain/ports/admin-log.ts";
import type { ConnectionOptions } from "../postgres/engine/database.ts";
import { countRows, findDamage } from "../sqlite/backups/backup-files.ts";
import type { BackupCounts } from "../sqlite/backups/backup-files.ts";
import { copyBeforeUpgrade } from "../sqlite/backups/upgrades.ts";
import { openDatabase } from "../sqlite/engine/database.ts";
import { DATABASE_FILE } from "../sqlite/files/data-folder.ts";
import { findMove, readFrom } from "../sqlite/files/database-header.ts";
import type { Move } from "../sqlite/files/database-header.ts";
import { DatabaseError } from "../sqlite/files/errors.ts";
import { lockFolder } from "../sqlite/files/server-lock.ts";
import { toCounts } from "./counts.ts";
import { openEmpty } from "./empty-databases.ts";
import type { EmptyDatabase } from "./empty-databases.ts";
import { copyIntoPostgres } from "./into-postgres.ts";
import { hasArrived } from "./moved-databases.ts";
import { clearMoved, markMoved } from "./moved-mark.ts";

export interface MoveOptions {
  /** The data folder that everything is moved from. No server may run on it. */
  readonly folder: string;
  readonly connection: ConnectionOptions;
  /** The URL of the database, without a password. */
  readonly place: string;
  /** The one who moves it. */
  readonly operator: Operator;
  /** The time, in epoch milliseconds, by which a copy is named that is made before the folder is brought up to date. */
  readonly now: number;
}

/** The numbers of what was moved. */
export interface Moved {
  readonly counts: BackupCounts;
  /** True when an earlier move had moved it. */
  readonly wasMoved: boolean;
}

/**
 * Moves everything from a data folder into an empty PostgreSQL database. From then on no server starts on the folder: what it would hand out could have
 * been handed out already. Where everything has arrived there already, nothing is done. Throws DatabaseError, and then the folder is as it was, unless the
 * message says otherwise.
 */
export async function moveToPostgres(options: MoveOptions): Promise<Moved> {
  const { folder, connection, place, now } = options;
  const path = join(folder, DATABASE_FILE);
  const unlock = lockFolder(folder);
  try {
    const move = findMove(path);
    if (move && (await hasArrived(connection, move))) return { counts: countMoved(path), wasMoved: true };
    await using target = await openEmpty(connection, (found) => {
      if (move) checkSame(path, move, found);
    });
    // One that did not come to its end has left the mark, and nothing else.
    clearMoved(path);
    copyBeforeUpgrade(folder, now);
    const counts = await copyAll(folder, target, options);
    const [clock] = await target.connection.run("SELECT latest_at FROM clocks");
    // Before the other one counts: never two that would hand out the same.
    markMoved(path, { installation: target.installation, place, latestAt: Number(clock?.["latest_at"]) });
    try {
      await target.commit();
    } catch (error) {
      throw new DatabaseError(
        `whether everything has arrived in '${place}' is not known, and no server starts on '${folder}' until it is. Run the same command again: it says so, or moves everything`,
        { cause: error },
      );
    }
    return { counts, wasMoved: false };
  } finally {
    unlock();
  }
}

/** The numbers of what is in a database file that nobody writes into any more. */
function countMoved(path: string): BackupCounts {
  return readFrom(path, (database) => countRows(database));
}

/** Throws DatabaseError unless the database that was found is the one to which a move has begun. */
function checkSame(path: string, { installation, place }: Move, found: { readonly installation: string }): void {
  if (found.installation !== installation) {
    throw new DatabaseError(
      `what was in '${path}' was moved to '${place}', which is another database. Nothing was changed. Two would hand out the same secrets. Only if that one is gone for good: take the move back with --undo`,
    );
  }
}

async function copyAll(
  folder: string,
  { connection }: EmptyDatabase,
  { operator }: MoveOptions,
): Promise<BackupCounts> {
  const source: Database = openDatabase(folder);
  try {
    const damage = findDamage(source);
    if (damage !== undefined) {
      throw new DatabaseError(
        `the database of '${folder}' is damaged (${damage}). Nothing was moved. Restore a backup, and move that`,
      );
    }
    const counts = toCounts(await copyIntoPostgres(source, connection));
    await connection.run(
      `INSERT INTO admin_log (at, "user", sudo_user, action, details)
       SELECT greatest(latest_at, (extract(epoch FROM clock_timestamp()) * 1000)::bigint), $1, $2, 'database.moved', '{}' FROM clocks`,
      [operator.user, operator.sudoUser],
    );
    return counts;
  } finally {
    source.close();
  }
}
