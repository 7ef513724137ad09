import { existsSync } from "node:fs";
import { join } from "node:path";
import { traceOf } from "../../../contract/error-traces.ts";
import { createMonotonicClock, systemClock } from "../../../domain/clocks.ts";
import { createIds } from "../../../domain/ids.ts";
import type { Store } from "../../../domain/ports/store.ts";
import { systemRandom } from "../../../domain/random.ts";
import { findLastBackup } from "../../../store/sqlite/backups/last-backup.ts";
import { copyBeforeUpgrade } from "../../../store/sqlite/backups/upgrades.ts";
import { DATABASE_FILE } from "../../../store/sqlite/files/data-folder.ts";
import { lockFolder } from "../../../store/sqlite/files/server-lock.ts";
import { openThreadedStore } from "../../../store/sqlite/threads/threaded-store.ts";
import { warnOfClock } from "../start-warnings.ts";
import type { FolderPlace } from "./places.ts";
import type { ServerStorage, StorageOptions } from "./storages.ts";

const MIB = 1024 * 1024;

/** Opens the database in a data folder, which no other server can use meanwhile. Throws DatabaseError. */
export async function openFolderStorage({ folder }: FolderPlace, options: StorageOptions): Promise<ServerStorage> {
  const clock = createMonotonicClock(systemClock);
  const ids = createIds(clock, systemRandom);
  const isNew = !existsSync(join(folder, DATABASE_FILE));
  const unlock = lockFolder(folder);
  let store: Store;
  let installation: string;
  try {
    tellCopy(copyBeforeUpgrade(folder, systemClock.now()), options);
    store = open({ clock, ids, folder }, options);
    installation = await store.findInstallation();
    if (isNew) options.log.info({ data_dir: folder }, "the data folder was empty: a new installation has begun");
  } catch (error) {
    unlock();
    throw error;
  }
  return {
    store,
    clock,
    ids,
    shown: { data_dir: folder },
    installation: () => installation,
    opened: Promise.resolve(),
    findLastBackup: async () => findLastBackup(folder) ?? 0,
    async close() {
      await store.close();
      unlock();
    },
  };
}

function tellCopy(copy: string | undefined, { log }: StorageOptions): void {
  if (copy === undefined) return;
  log.info(
    { copy },
    "the database is of an older version and is brought up to date; the copy is of before, without ciphertexts",
  );
}

function open(
  parts: Pick<ServerStorage, "clock" | "ids"> & { readonly folder: string },
  { settings, log, onStoreEnd }: StorageOptions,
): Store {
  return openThreadedStore({
    ...parts,
    tombstoneSeconds: settings.tombstones,
    // Erasing a ciphertext writes over it, into the WAL and then into the database.
    ballastBytes: 16 * MIB + 2 * settings.maxCiphertext,
    onFailure: (work, error) =>
      log.error({ work, ...traceOf(error) }, "work of the storage failed, and is tried again"),
    onLatestTime: (latest) => warnOfClock(systemClock.now(), latest, log),
    onEnd: onStoreEnd,
  });
}
