import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { traceOf } from "../../../contract/error-traces.ts";
import { codeOf } from "../../../contract/system-codes.ts";
import { createMonotonicClock, systemClock } from "../../../domain/clocks.ts";
import { createIds } from "../../../domain/ids.ts";
import type { Store } from "../../../domain/ports/store.ts";
import { systemRandom } from "../../../domain/random.ts";
import type { BackupOrigin } from "../../../store/sqlite/backups/backup-files.ts";
import { writeBackup } from "../../../store/sqlite/backups/backups.ts";
import { findInstallation } from "../../../store/sqlite/backups/inspections.ts";
import { findLastBackup, noteBackup } from "../../../store/sqlite/backups/last-backup.ts";
import { restoreBackup } from "../../../store/sqlite/backups/restores.ts";
import type { Restored } from "../../../store/sqlite/backups/restores.ts";
import { beginUpgrade, copyBeforeUpgrade } from "../../../store/sqlite/backups/upgrades.ts";
import { LATEST_VERSION } from "../../../store/sqlite/engine/migrations.ts";
import { DATABASE_FILE } from "../../../store/sqlite/files/data-folder.ts";
import { inspectDatabase } from "../../../store/sqlite/files/database-header.ts";
import { findSize } from "../../../store/sqlite/files/file-sizes.ts";
import { lockFolder } from "../../../store/sqlite/files/server-lock.ts";
import { openStore } from "../../../store/sqlite/store.ts";
import { openThreadedStore } from "../../../store/sqlite/threads/threaded-store.ts";
import { confirm } from "../../terminal/confirmations.ts";
import { warn } from "../../terminal/terminal.ts";
import { takeTurn } from "../admin-turns.ts";
import { operatorOf } from "../administering/operators.ts";
import { warnOfClock } from "../start-warnings.ts";
import { checkThere, explain } from "./folder-errors.ts";
import type { FolderPlace } from "./places.ts";
import type {
  AdminCommandDeps,
  Administering,
  AdminOptions,
  Restoring,
  ServerStorage,
  Storage,
  StorageOptions,
} from "./storage.ts";

const MIB = 1024 * 1024;
/** The time that a statement of an admin command waits for the server: it blocks nobody but this process. */
const PATIENCE_MS = 5000;

/** The database in a data folder. */
export function folderStorage({ folder }: FolderPlace): Storage {
  return {
    open: (options) => open(folder, options),
    administer: (admin, work, options) => administer(folder, admin, work, options),
    beginBackup: () => beginBackup(folder),
    restore: (restoring) => restore(folder, restoring),
  };
}

/** No other server can use the folder until the storage is closed. */
async function open(folder: string, { settings, log, onStoreEnd }: StorageOptions): Promise<ServerStorage> {
  const clock = createMonotonicClock(systemClock);
  const ids = createIds(clock, systemRandom);
  const isNew = !existsSync(join(folder, DATABASE_FILE));
  const unlock = lockFolder(folder);
  let store: Store;
  let installation: string;
  try {
    const copy = copyBeforeUpgrade(folder, systemClock.now());
    if (copy !== undefined) {
      log.info(
        { copy },
        "the database is of an older version and is brought up to date; the copy is of before, without ciphertexts",
      );
    }
    store = openThreadedStore({
      clock,
      ids,
      folder,
      tombstoneSeconds: settings.tombstones,
      // Erasing a ciphertext writes over it, into the WAL and then into the database.
      ballastBytes: 16 * MIB + 2 * settings.maxCiphertext,
      onFailure: (work, error) =>
        log.error({ work, ...traceOf(error) }, "work of the storage failed, and is tried again"),
      onLatestTime: (latest) => warnOfClock(systemClock.now(), latest, log),
      onEnd: onStoreEnd,
    });
    installation = await store.findInstallation();
    if (isNew) log.info({ data_dir: folder }, "the data folder was empty: a new installation has begun");
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

async function administer<T>(
  folder: string,
  { terminal, tombstoneSeconds }: Administering,
  work: (deps: AdminCommandDeps) => Promise<T>,
  { mayCreate, onlyReads = false, patienceMs = PATIENCE_MS }: AdminOptions,
): Promise<T> {
  const clock = createMonotonicClock(systemClock);
  const ids = createIds(clock, systemRandom);
  const isNew = mayCreate !== undefined && isMissing(join(folder, DATABASE_FILE));
  if (mayCreate === undefined) checkThere(folder);
  else if (isNew) {
    // The folder may be mistyped.
    const question = `There is no database in '${resolve(folder)}'. Make a new one there?`;
    await confirm(terminal, question, mayCreate === "unasked" || !terminal.isTerminal.in);
  }
  using held = new DisposableStack();
  held.use(await takeTurn(folder));
  try {
    const upgrade = held.use(beginUpgrade(folder, systemClock.now(), onlyReads));
    if (upgrade.copy !== undefined) {
      terminal.say(`The database was of an older version. A copy of it, without ciphertexts, is '${upgrade.copy}'.`);
    }
    const settings = { folder, tombstoneSeconds, ballastBytes: 0, operator: operatorOf(terminal) };
    const patience = { busyTimeoutMs: patienceMs, lockPatienceMs: patienceMs };
    // A command that writes raises the time of the server, too.
    const onLatestTime = (latest: number) =>
      warnOfClock(systemClock.now(), latest, {
        warn: (times, message) =>
          warn(terminal, `${message}. The clock says ${times.clock}, the database ${times.database}.`),
      });
    const store = openStore({ ...settings, ...patience, clock, ids, onLatestTime });
    await using _ = { [Symbol.asyncDispose]: () => store.close() };
    return await work({ store, clock, ids, random: systemRandom, isNew });
  } catch (error) {
    throw explain(error, folder);
  }
}

function isMissing(path: string): boolean {
  try {
    return findSize(path) === undefined;
  } catch {
    // Opening it explains the error.
    return false;
  }
}

async function beginBackup(folder: string): Promise<BackupOrigin> {
  checkThere(folder);
  const turn = await takeTurn(folder);
  const takenAt = systemClock.now();
  try {
    return {
      installation: installationOf(folder),
      takenAt,
      async write(path, hasSecrets) {
        try {
          return writeBackup(folder, path, { takenAt, hasSecrets });
        } catch (error) {
          throw codeOf(error) === undefined ? explain(error, folder) : error;
        }
      },
      note: async () => noteBackup(folder, takenAt),
      [Symbol.asyncDispose]: async () => turn[Symbol.dispose](),
    };
  } catch (error) {
    turn[Symbol.dispose]();
    throw explain(error, folder);
  }
}

/** The id of the database in `folder`. Throws DatabaseError and SQLiteError. */
function installationOf(folder: string): string {
  const path = join(folder, DATABASE_FILE);
  // Explains what is wrong with a file that is not ours.
  inspectDatabase(path, LATEST_VERSION);
  // A database of an earlier version has no id, and the path in its place.
  return findInstallation(path) ?? Bun.hash(resolve(folder)).toString(16).padStart(8, "0");
}

async function restore(folder: string, restoring: Restoring): Promise<Restored> {
  const clock = createMonotonicClock(systemClock);
  using _ = await takeTurn(folder);
  try {
    return await restoreBackup({ ...restoring, folder, clock, ids: createIds(clock, systemRandom) });
  } catch (error) {
    throw explain(error, folder);
  }
}
