import type { DatabaseTime } from "../postgres/engine/database-time.ts";
import type { ConnectionOptions } from "../postgres/engine/database.ts";
import { DatabaseError, sqlStateOf } from "../postgres/engine/errors.ts";
import { CLOCK } from "../postgres/engine/finding.ts";
import { restoreBackup } from "../sqlite/backups/restores.ts";
import type { Restored, RestoreOptions } from "../sqlite/backups/restores.ts";
import { openDatabase } from "../sqlite/engine/database.ts";
import { openEmpty } from "./empty-databases.ts";
import { copyIntoPostgres } from "./into-postgres.ts";

/** The options of a restore; `folder` is for what becomes of the backup on its way, and empty. */
export interface PostgresRestoreOptions extends RestoreOptions {
  readonly connection: ConnectionOptions;
  /** Told the time of the database, by which `clock` goes. */
  readonly time?: DatabaseTime | undefined;
}

/**
 * Puts a backup back into an empty database in PostgreSQL, by the same rules as `restoreBackup`, and compares it. Until all of that is done,
 * there is nothing in the database. Throws DatabaseError, and what the driver throws; the folder is left to the caller to remove.
 */
export async function restoreIntoPostgres(options: PostgresRestoreOptions): Promise<Restored> {
  await using target = await openEmpty(options.connection);
  const [row] = await target.connection.run(CLOCK);
  options.time?.heard(Number(row?.["machine_at"]));
  const restored = await restoreBackup(options);
  const source = openDatabase(options.folder);
  try {
    await copyIntoPostgres(source, target.connection);
  } catch (error) {
    // A value that no column of its type takes there, or one that breaks a rule. PostgreSQL's own words may quote it.
    const state = sqlStateOf(error);
    if (!/^2[23]/.test(state)) throw error;
    throw new DatabaseError(
      `PostgreSQL doesn't take a row of the backup '${options.given}' (SQLSTATE ${state}). Nothing was restored. Take another one`,
    );
  } finally {
    source.close();
  }
  try {
    await target.commit();
  } catch (error) {
    throw new DatabaseError(
      "whether the backup has arrived in the database is not known. Run the same command again: if it says that the database is not empty, everything has",
      { cause: error },
    );
  }
  return restored;
}
