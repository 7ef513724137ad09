import { join } from "node:path";
import { openFolderBlobs } from "../blobs/folder-blobs.ts";
import type { DatabaseTime } from "../postgres/engine/database-time.ts";
import type { ConnectionOptions } from "../postgres/engine/database.ts";
import { DatabaseError, sqlStateOf } from "../postgres/engine/errors.ts";
import { readClock } from "../postgres/engine/finding.ts";
import { openDatabase } from "../sqlite/engine/database.ts";
import { BLOBS_FOLDER } from "../sqlite/files/data-folder.ts";
import { restoreBackup } from "./folder-restores.ts";
import type { Restored, RestoreOptions } from "./folder-restores.ts";
import { orErase, partsIn } from "./large-moves.ts";
import type { OpenBlobs } from "./large-moves.ts";
import { copyIntoPostgres, fillEmpty } from "./targets.ts";

const blobsIn = (folder: string) => openFolderBlobs(join(folder, BLOBS_FOLDER));

/** The options of a restore. `folder` must be empty; the backup becomes a database there first. */
export interface PostgresRestoreOptions extends RestoreOptions {
  readonly connection: ConnectionOptions;
  /** Gets the time of the database, which drives `clock`. */
  readonly time?: DatabaseTime | undefined;
  /** Says where ciphertexts of large secrets are put. Undefined for nowhere: large secrets end. */
  readonly openBlobs?: OpenBlobs | undefined;
}

const UNKNOWN =
  "whether the backup has arrived in the database is not known. Run the same command again: if it says that the database is not empty, everything has";

/**
 * Restores a backup into an empty PostgreSQL database, by the rules of `restoreBackup`, and compares the rows. The
 * database stays empty until all of that is done. Throws DatabaseError, and what the driver throws. The caller removes
 * `folder`.
 */
export function restoreIntoPostgres(options: PostgresRestoreOptions): Promise<Restored> {
  return fillEmpty(options.connection, { adviceIfUnknown: UNKNOWN }, async (connection, installation) => {
    const row = await readClock((text, params) => connection.run(text, params));
    options.time?.heard(Number(row?.["machine_at"]));
    const blobs = options.openBlobs?.(installation, partsIn(connection));
    const restored = await restoreBackup({ ...options, leavesLarge: blobs === undefined });
    using source = openDatabase(options.folder);
    try {
      await orErase(blobs, () =>
        copyIntoPostgres(source, connection, blobs && { from: blobsIn(options.folder), to: blobs }),
      );
    } catch (error) {
      // A value that its column doesn't take, or that breaks a constraint. PostgreSQL's own message may quote it.
      const state = sqlStateOf(error);
      if (!/^2[23]/.test(state)) throw error;
      throw new DatabaseError(
        `PostgreSQL doesn't take a row of the backup '${options.given}' (SQLSTATE ${state}). Nothing was restored. Take another one`,
      );
    }
    return restored;
  });
}
