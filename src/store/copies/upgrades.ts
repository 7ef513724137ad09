import { readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isOlder, refuseUsers } from "../sqlite/engine/database.ts";
import { LATEST_VERSION } from "../sqlite/engine/migrations.ts";
import { DATABASE_FILE, openDataFolder } from "../sqlite/files/data-folder.ts";
import { inspectDatabase } from "../sqlite/files/database-header.ts";
import { DatabaseError } from "../sqlite/files/errors.ts";
import { makeFile } from "../sqlite/files/owners.ts";
import { tryLockFolder } from "../sqlite/files/server-lock.ts";
import { takeBackUnfinished } from "./backup-files.ts";
import { writeBackup } from "./folder-backups.ts";

/** The names of the copies. */
const NAME = /^before-upgrade-\d{8}T\d{6}Z\.backup$/;
const UNFINISHED = ".before-upgrade.part";
/** The number of copies that are kept: a server that can't start tries again and again. */
const KEPT = 3;
/** How long an admin command waits for a server that upgrades the database, and between two checks. */
const PATIENCE_MS = 2000;
const RETRY_MS = 20;

/** An upgrade that may begin: until it is disposed of, no server can start. */
export interface Upgrade extends Disposable {
  /** The copy of the database from before; undefined when it is up to date, or there is none. */
  readonly copy: string | undefined;
}

/**
 * Makes sure that an admin command may work on the database in `folder`, and waits for a server that upgrades it.
 * Copies a database of an older version aside. Throws DatabaseError, with nothing changed, when a server runs on such a
 * database or the command `onlyReads`.
 */
export function beginUpgrade(folder: string, now: number, onlyReads: boolean): Upgrade {
  for (const start = performance.now(); needsUpgrade(folder); Bun.sleepSync(RETRY_MS)) {
    using held = new DisposableStack();
    const lock = held.use(tryLockFolder(folder));
    if (!lock && performance.now() - start < PATIENCE_MS) continue;
    // A server may have upgraded it and let go between the check and the lock.
    if (lock && !needsUpgrade(folder)) break;
    if (onlyReads) throw refusedToReader(folder);
    if (!lock) throw besideOlderServer(folder);
    const copy = copyBeforeUpgrade(folder, now);
    return Object.assign(held.move(), { copy });
  }
  return { copy: undefined, [Symbol.dispose]: () => undefined };
}

function refusedToReader(folder: string): DatabaseError {
  return new DatabaseError(
    `the database of '${folder}' was written by an older version of handoff. Nothing was changed, because this command only reads. Start the server of this version first, or use the older executable`,
  );
}

function besideOlderServer(folder: string): DatabaseError {
  return new DatabaseError(
    `a server of an older version runs on '${folder}'. Nothing was changed. Use its executable, or restart it with this version first`,
  );
}

/**
 * Copies a database of an older version aside, without ciphertexts, before it is upgraded. Returns the path of the
 * copy, a backup that the older version can restore; undefined when there is nothing to copy. Throws DatabaseError,
 * also when another process has the database open for longer than `busyTimeoutMs`.
 */
export function copyBeforeUpgrade(folder: string, now: number, busyTimeoutMs?: number): string | undefined {
  if (!needsUpgrade(folder)) return undefined;
  refuseUsers(folder, busyTimeoutMs);
  const unfinished = join(folder, UNFINISHED);
  const time = new Date(now).toISOString().replace(/[-:]|\.\d+/g, "");
  const path = join(folder, `before-upgrade-${time}.backup`);
  try {
    rmSync(unfinished, { force: true });
    makeFile(unfinished);
    writeBackup(folder, unfinished, { takenAt: now, hasSecrets: false });
    renameSync(unfinished, path);
  } finally {
    rmSync(unfinished, { force: true });
  }
  const names = readdirSync(folder).filter((name) => NAME.test(name));
  for (const name of names.toSorted().slice(0, -KEPT)) rmSync(join(folder, name), { force: true });
  return path;
}

/** True for a database of an older version. */
function needsUpgrade(folder: string): boolean {
  openDataFolder(folder);
  const path = join(folder, DATABASE_FILE);
  // Before the rollback: the file may not be ours.
  inspectDatabase(path, LATEST_VERSION);
  takeBackUnfinished(path);
  return isOlder(path);
}
