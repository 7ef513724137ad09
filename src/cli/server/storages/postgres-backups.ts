import { tmpdir } from "node:os";
import { createMonotonicClock } from "../../../domain/clocks.ts";
import { createIds } from "../../../domain/ids.ts";
import { systemRandom } from "../../../domain/random.ts";
import { openBackupOrigin } from "../../../store/copies/backups.ts";
import { restoreIntoPostgres } from "../../../store/copies/restores.ts";
import { createDatabaseTime } from "../../../store/postgres/engine/database-time.ts";
import type { Restored } from "../../../store/sqlite/backups/restores.ts";
import type { BackupOrigin } from "./backup-origins.ts";
import type { PostgresPlace } from "./places.ts";
import { explainRefusal } from "./postgres-refusals.ts";
import type { Restoring } from "./restoring.ts";
import { makeStage, noRoomOnTheWay } from "./stages.ts";

/** The same as `openOrigin`, for a database in PostgreSQL. */
export async function openPostgresOrigin(place: PostgresPlace): Promise<BackupOrigin> {
  // For what this makes, and whatever SQLite puts beside it.
  process.umask(0o077);
  try {
    const origin = await openBackupOrigin(place.connection);
    return {
      ...origin,
      scratch: tmpdir(),
      async write(path, hasSecrets) {
        try {
          return await origin.write(path, hasSecrets);
        } catch (error) {
          throw explainRefusal(error, place);
        }
      },
    };
  } catch (error) {
    throw explainRefusal(error, place);
  }
}

/** The same as `restore`, into an empty database in PostgreSQL. */
export async function restoreIntoDatabase(place: PostgresPlace, restoring: Restoring): Promise<Restored> {
  const time = createDatabaseTime();
  const clock = createMonotonicClock(time);
  using stage = makeStage();
  try {
    const where = { connection: place.connection, folder: stage.folder, time };
    const ids = createIds(clock, systemRandom);
    return await restoreIntoPostgres({ ...restoring, ...where, clock, ids, explainNoRoom: noRoomOnTheWay });
  } catch (error) {
    throw explainRefusal(error, place);
  }
}
