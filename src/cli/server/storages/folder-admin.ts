import { lstatSync } from "node:fs";
import { join, resolve } from "node:path";
import { codeOf } from "../../../contract/system-codes.ts";
import { createMonotonicClock, systemClock } from "../../../domain/clocks.ts";
import { Refusal } from "../../../domain/errors.ts";
import { createIds } from "../../../domain/ids.ts";
import { systemRandom } from "../../../domain/random.ts";
import { isOutcomeUnknown } from "../../../domain/storage-refusals.ts";
import { beginUpgrade } from "../../../store/sqlite/backups/upgrades.ts";
import type { Upgrade } from "../../../store/sqlite/backups/upgrades.ts";
import { DATABASE_FILE, refuseLeftovers } from "../../../store/sqlite/files/data-folder.ts";
import { unreadable } from "../../../store/sqlite/files/database-header.ts";
import { DatabaseError, isDiskFull, isLocked, isUnreadable, isWantOfRoom } from "../../../store/sqlite/files/errors.ts";
import { findSize } from "../../../store/sqlite/files/file-sizes.ts";
import { ownerOf, ownName } from "../../../store/sqlite/files/owners.ts";
import { noRoom } from "../../../store/sqlite/files/refused-writes.ts";
import { openStore } from "../../../store/sqlite/store.ts";
import { confirm } from "../../terminal/confirmations.ts";
import { CommandError, usageError, warn } from "../../terminal/terminal.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { takeTurn } from "../admin-turns.ts";
import { operatorOf } from "../administering/operators.ts";
import { warnOfClock } from "../start-warnings.ts";
import { asDisposable } from "./admin-work.ts";
import type { AdminCommandDeps, Administering, AdminWork } from "./admin-work.ts";
import type { FolderPlace } from "./places.ts";

/** The time that a statement waits for the server: nobody else waits for this process meanwhile. */
const PATIENCE_MS = 5000;

/** The same as `withAdminStore`, for the database in a data folder. */
export async function withFolderStore<T>(
  { folder }: FolderPlace,
  { terminal, tombstoneSeconds }: Administering,
  work: (deps: AdminCommandDeps) => Promise<T>,
  { mayCreate, onlyReads = false, patienceMs = PATIENCE_MS }: AdminWork,
): Promise<T> {
  const clock = createMonotonicClock(systemClock);
  const ids = createIds(clock, systemRandom);
  const isNew = mayCreate !== undefined && isMissing(join(folder, DATABASE_FILE));
  if (mayCreate === undefined) checkThere(folder);
  else if (isNew) await askForNew(folder, terminal, mayCreate === "unasked");
  using held = new DisposableStack();
  held.use(await takeTurn(folder));
  try {
    held.use(beginAndTell(folder, terminal, onlyReads));
    const operator = operatorOf(terminal);
    const settings = { folder, tombstoneSeconds, ballastBytes: 0, operator };
    const patience = { busyTimeoutMs: patienceMs, lockPatienceMs: patienceMs };
    const onLatestTime = (latest: number) => tellOfClock(latest, terminal);
    await using store = asDisposable(openStore({ ...settings, ...patience, clock, ids, onLatestTime }));
    return await work({ store, clock, ids, random: systemRandom, isNew });
  } catch (error) {
    throw explain(error, folder);
  }
}

/**
 * Refuses what is not to be done on the database of an older version. What else is done there brings it up to date, and the copy that
 * is made before is named.
 */
function beginAndTell(folder: string, terminal: Terminal, onlyReads: boolean): Upgrade {
  const upgrade = beginUpgrade(folder, systemClock.now(), onlyReads);
  if (upgrade.copy !== undefined) {
    terminal.say(`The database was of an older version. A copy of it, without ciphertexts, is '${upgrade.copy}'.`);
  }
  return upgrade;
}

/** Asks at a terminal before a database is made where there is none, which may be a mistyped folder. */
async function askForNew(folder: string, terminal: Terminal, yes: boolean): Promise<void> {
  await confirm(
    terminal,
    `There is no database in '${resolve(folder)}'. Make a new one there?`,
    yes || !terminal.isTerminal.in,
  );
}

function isMissing(path: string): boolean {
  try {
    return findSize(path) === undefined;
  } catch {
    // Whoever opens it says why that can't be.
    return false;
  }
}

/** Throws CommandError when there is no database in `folder`, or this user cannot look for one. */
export function checkThere(folder: string): void {
  const path = join(folder, DATABASE_FILE);
  try {
    if (lstatSync(path, { throwIfNoEntry: false })) return;
    refuseLeftovers(folder);
  } catch (error) {
    if (error instanceof DatabaseError) throw error;
    if (codeOf(error) === "EACCES") {
      const owner = ownerOf(folder);
      const whose = owner === undefined ? "" : `, which belongs to ${owner}`;
      const who = owner === "root" ? "root" : `root or as ${owner ?? "its owner"}`;
      throw new CommandError(`${ownName()} may not look into the data folder '${folder}'${whose}. Run this as ${who}.`);
    }
  }
  throw usageError(
    `there is no database in '${resolve(folder)}'. Name the server's data folder with --data-dir, or begin with 'handoff admin team create'`,
  );
}

/** Says so when the clock is likely to be wrong: what a command writes raises the time of the server too. */
function tellOfClock(latest: number, terminal: Terminal): void {
  warnOfClock(systemClock.now(), latest, {
    warn: (times, message) =>
      warn(terminal, `${message}. The clock says ${times.clock}, the database ${times.database}.`),
  });
}

/** Trouble with the storage as an error with a sentence for the sysadmin; any other error as it is. */
export function explain(error: unknown, folder: string): unknown {
  // It says already what is wrong, such as a full standard output, which is no want of room in the folder.
  if (error instanceof CommandError) return error;
  if (isOutcomeUnknown(error)) {
    return new CommandError(
      `The disk of '${folder}' failed while this was written, so that nobody knows whether it was. Look, and run this again if it wasn't.`,
      "failure",
      error,
    );
  }
  const causes = [error, error instanceof Error ? error.cause : undefined];
  if (causes.some(isLocked)) {
    return new CommandError(
      "Another process has held the database locked for too long. Nothing was changed. Run this again; if it stays so, look for a backup or another program that has the file open.",
    );
  }
  if (causes.some((cause) => isDiskFull(cause) || isWantOfRoom(cause))) {
    return new CommandError(`Nothing was changed: ${noRoom(folder)}.`);
  }
  if (causes.some(isUnreadable) && !(error instanceof DatabaseError)) {
    return unreadable(join(folder, DATABASE_FILE), error);
  }
  return error instanceof Refusal ? new CommandError(error.message, "failure", error) : error;
}
