import { join, resolve } from "node:path";
import { codeOf } from "../../../contract/system-codes.ts";
import { createMonotonicClock, systemClock } from "../../../domain/clocks.ts";
import { createIds } from "../../../domain/ids.ts";
import { systemRandom } from "../../../domain/random.ts";
import { writeBackup } from "../../../store/sqlite/backups/backups.ts";
import { findInstallation } from "../../../store/sqlite/backups/inspections.ts";
import { noteBackup } from "../../../store/sqlite/backups/last-backup.ts";
import { restoreBackup } from "../../../store/sqlite/backups/restores.ts";
import type { Restored } from "../../../store/sqlite/backups/restores.ts";
import { LATEST_VERSION } from "../../../store/sqlite/engine/migrations.ts";
import { DATABASE_FILE } from "../../../store/sqlite/files/data-folder.ts";
import { inspectDatabase } from "../../../store/sqlite/files/database-header.ts";
import { takeTurn } from "../admin-turns.ts";
import type { BackupOrigin } from "./backup-origins.ts";
import { checkThere, explain } from "./folder-admin.ts";
import type { FolderPlace } from "./places.ts";
import type { Restoring } from "./restoring.ts";

/** The same as `openOrigin`, for the database in a data folder. */
export async function openFolderOrigin({ folder }: FolderPlace): Promise<BackupOrigin> {
  checkThere(folder);
  const turn = await takeTurn(folder);
  const takenAt = systemClock.now();
  try {
    return {
      installation: installationOf(folder),
      takenAt,
      scratch: folder,
      async write(path, hasSecrets) {
        try {
          return writeBackup(folder, path, { takenAt, hasSecrets });
        } catch (error) {
          throw codeOf(error) === undefined ? explain(error, folder) : error;
        }
      },
      note: async () => noteBackup(folder, takenAt),
      async [Symbol.asyncDispose]() {
        turn[Symbol.dispose]();
      },
    };
  } catch (error) {
    turn[Symbol.dispose]();
    throw explain(error, folder);
  }
}

/** The id of the database in `folder`. Throws DatabaseError and SQLiteError. */
function installationOf(folder: string): string {
  const path = join(folder, DATABASE_FILE);
  // Says what is wrong with a file that is none of ours.
  inspectDatabase(path, LATEST_VERSION);
  // A database of an earlier version has no id, and the path in its place.
  return findInstallation(path) ?? Bun.hash(resolve(folder)).toString(16).padStart(8, "0");
}

/** The same as `restore`, into an empty data folder. */
export async function restoreIntoFolder({ folder }: FolderPlace, restoring: Restoring): Promise<Restored> {
  const clock = createMonotonicClock(systemClock);
  using _ = await takeTurn(folder);
  try {
    return await restoreBackup({ ...restoring, folder, clock, ids: createIds(clock, systemRandom) });
  } catch (error) {
    throw explain(error, folder);
  }
}
