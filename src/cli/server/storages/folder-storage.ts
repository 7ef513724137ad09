import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { codeOf, traceOf } from "../../../contract/error-traces.ts";
import { createMonotonicClock, systemClock } from "../../../domain/values/clocks.ts";
import { createIds } from "../../../domain/values/ids.ts";
import { systemRandom } from "../../../domain/values/random.ts";
import { openFolderBlobs } from "../../../store/blobs/folder-blobs.ts";
import { findLastBackup, noteBackup, writeWholeBackup } from "../../../store/copies/folder-backups.ts";
import { restoreBackup } from "../../../store/copies/folder-restores.ts";
import { findInstallation } from "../../../store/copies/inspections.ts";
import { beginUpgrade, copyBeforeUpgrade } from "../../../store/copies/upgrades.ts";
import { openStore } from "../../../store/sqlite/assembly/store.ts";
import { openThreadedStore } from "../../../store/sqlite/assembly/threaded-store.ts";
import { LATEST_VERSION } from "../../../store/sqlite/engine/migrations.ts";
import { BLOBS_FOLDER, DATABASE_FILE } from "../../../store/sqlite/files/data-folder.ts";
import { inspectDatabase } from "../../../store/sqlite/files/database-header.ts";
import { findSize } from "../../../store/sqlite/files/plain-files.ts";
import { lockFolder } from "../../../store/sqlite/files/server-lock.ts";
import { confirm } from "../../terminal/confirmations.ts";
import { warn } from "../../terminal/terminal.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { takeTurn } from "../admin-turns.ts";
import { operatorOf } from "../administering/operators.ts";
import { warnOfClock } from "../start-warnings.ts";
import { checkThere, explain } from "./folder-errors.ts";
import type { FolderPlace } from "./places.ts";
import type { Storage } from "./storage.ts";

const MIB = 1024 * 1024;
/** How long an admin command's statement waits for the server. It blocks nobody but this process. */
const PATIENCE_MS = 5000;

/** The database in a data folder. */
export function folderStorage({ folder }: FolderPlace): Storage {
  const path = join(folder, DATABASE_FILE);
  const clock = createMonotonicClock(systemClock);
  const ids = createIds(clock, systemRandom);
  return {
    async open({ settings, log, onStoreEnd }) {
      const isNew = !existsSync(path);
      // No other server can use the folder until the storage is closed.
      using held = new DisposableStack();
      held.use(lockFolder(folder));
      const copy = copyBeforeUpgrade(folder, systemClock.now());
      const upgraded =
        "the database is of an older version and is brought up to date; the copy is of before, without ciphertexts";
      if (copy !== undefined) log.info({ copy }, upgraded);
      const store = openThreadedStore({
        clock,
        ids,
        folder,
        tombstoneSeconds: settings.tombstones,
        // Erasing a ciphertext overwrites it, in the WAL and then in the database.
        ballastBytes: 16 * MIB + 2 * settings.maxCiphertext,
        onFailure: (work, error) =>
          log.error({ work, ...traceOf(error) }, "work of the storage failed, and is tried again"),
        onLatestTime: (latest) => warnOfClock(systemClock.now(), latest, log),
        onEnd: onStoreEnd,
      });
      const installation = await store.findInstallation();
      if (isNew) log.info({ data_dir: folder }, "the data folder was empty: a new installation has begun");
      const lock = held.move();
      const blobs = openFolderBlobs(join(folder, BLOBS_FOLDER));
      const findTroubles = async () => [...(await store.findTroubles()), ...(await blobs.findTroubles())];
      return {
        store: { ...store, findTroubles },
        large: { uploads: store, blobs },
        clock,
        ids,
        shown: { data_dir: folder },
        installation: () => installation,
        opened: Promise.resolve(),
        findLastBackup: async () => findLastBackup(folder) ?? 0,
        async close() {
          await store.close();
          lock.dispose();
        },
      };
    },

    async administer({ terminal, tombstoneSeconds }, work, { mayCreate, onlyReads = false, patienceMs = PATIENCE_MS }) {
      const isNew = mayCreate !== undefined && isMissing(path);
      if (mayCreate === undefined) checkThere(folder);
      else if (isNew) {
        // The path of the folder may be mistyped.
        const question = `There is no database in '${resolve(folder)}'. Make a new one there?`;
        await confirm(terminal, question, mayCreate === "unasked" || !terminal.isTerminal.in);
      }
      using held = new DisposableStack();
      held.use(await takeTurn(folder));
      try {
        const { copy } = held.use(beginUpgrade(folder, systemClock.now(), onlyReads));
        if (copy !== undefined) {
          terminal.say(`The database was of an older version. A copy of it, without ciphertexts, is '${copy}'.`);
        }
        const patience = { busyTimeoutMs: patienceMs, lockPatienceMs: patienceMs };
        const settings = { folder, tombstoneSeconds, ballastBytes: 0, operator: operatorOf(terminal), ...patience };
        // A command that writes raises the server's time too.
        const onLatestTime = (latest: number) => tellOfClock(latest, terminal);
        const store = openStore({ ...settings, clock, ids, onLatestTime });
        await using _ = { [Symbol.asyncDispose]: () => store.close() };
        return await work({ store, clock, ids, random: systemRandom, isNew });
      } catch (error) {
        throw explain(error, folder);
      }
    },

    async beginBackup() {
      checkThere(folder);
      const turn = await takeTurn(folder);
      const takenAt = systemClock.now();
      try {
        return {
          installation: installationOf(path),
          takenAt,
          async write(file, hasSecrets) {
            try {
              return await writeWholeBackup(folder, file, { takenAt, hasSecrets });
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
    },

    async restore(restoring) {
      using _ = await takeTurn(folder);
      try {
        return await restoreBackup({ ...restoring, folder, clock, ids });
      } catch (error) {
        throw explain(error, folder);
      }
    },
  };
}

function isMissing(path: string): boolean {
  try {
    return findSize(path) === undefined;
  } catch {
    // Opening it explains the error.
    return false;
  }
}

function tellOfClock(latest: number, terminal: Terminal): void {
  warnOfClock(systemClock.now(), latest, {
    warn: (times, message) =>
      warn(terminal, `${message}. The clock says ${times.clock}, the database ${times.database}.`),
  });
}

/** The id of the database file `path`. Throws DatabaseError and SQLiteError. */
function installationOf(path: string): string {
  // Explains what is wrong with a file that isn't ours.
  inspectDatabase(path, LATEST_VERSION);
  // A database of an earlier version has no id; its folder stands for it.
  return (
    findInstallation(path) ??
    Bun.hash(resolve(dirname(path)))
      .toString(16)
      .padStart(8, "0")
  );
}
