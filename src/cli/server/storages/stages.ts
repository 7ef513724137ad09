import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { codeOf } from "../../../contract/system-codes.ts";
import { lockFile } from "../../../store/sqlite/files/file-locks.ts";
import { noRoom } from "../../../store/sqlite/files/refused-writes.ts";
import { reasonOf } from "../../terminal/system-errors.ts";
import { CommandError } from "../../terminal/terminal.ts";

const PREFIX = "handoff-restore-";
const LOCK_FILE = "lock";

/** A folder for something on its way, which goes when it is disposed of. */
export interface Stage extends Disposable {
  readonly folder: string;
}

/**
 * Makes a folder that nobody else can read, in the folder for temporary files, and removes those that killed processes of this user have left there. Throws
 * CommandError where that can't be.
 */
export function makeStage(): Stage {
  process.umask(0o077);
  try {
    for (const name of readdirSync(tmpdir())) if (name.startsWith(PREFIX)) removeLeft(join(tmpdir(), name));
    for (;;) {
      const stage = tryStage();
      if (stage) return stage;
    }
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    const isFull = ["ENOSPC", "EDQUOT"].includes(codeOf(error) ?? "");
    const why = isFull ? noRoomOnTheWay() : `${reasonOf(error)}. ${OTHER}`;
    throw new CommandError(`Can't use '${tmpdir()}', the directory for temporary files: ${why}. Nothing was restored.`);
  }
}

const OTHER = "Make it one that you can write, or name another one with the variable TMPDIR";

/** The reason why there is no room for what is on its way, and what to do. */
export function noRoomOnTheWay(): string {
  return `${noRoom(tmpdir())}. Or name another directory with the variable TMPDIR`;
}

/** Returns undefined when another process has taken the folder for one that was left. */
function tryStage(): Stage | undefined {
  const stage = mkdtempSync(join(tmpdir(), PREFIX));
  const folder = join(stage, "data");
  try {
    const lock = lockFile(join(stage, LOCK_FILE));
    if (!lock) return undefined;
    mkdirSync(folder);
    return {
      folder,
      [Symbol.dispose]() {
        rmSync(stage, { recursive: true, force: true });
        lock[Symbol.dispose]();
      },
    };
  } catch (error) {
    rmSync(stage, { recursive: true, force: true });
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

function removeLeft(stage: string): void {
  try {
    if (statSync(stage).uid !== process.getuid?.()) return;
    using lock = tryLock(stage);
    if (lock) rmSync(stage, { recursive: true, force: true });
  } catch {
    // It is somebody else's, or has just gone.
  }
}

/** The lock of whoever works in `stage`; undefined when another one has it, or the folder has gone. */
function tryLock(stage: string): Disposable | undefined {
  try {
    return lockFile(join(stage, LOCK_FILE));
  } catch {
    return undefined;
  }
}
