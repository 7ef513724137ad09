import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { codeOf } from "../../../contract/error-traces.ts";
import { lockFile } from "../../../store/sqlite/files/file-locks.ts";
import { noRoom } from "../../../store/sqlite/files/refused-writes.ts";
import { reasonOf } from "../../terminal/system-errors.ts";
import { CommandError } from "../../terminal/terminal.ts";

const PREFIX = "handoff-restore-";
const LOCK_FILE = "lock";

/** A temporary folder, which is removed when it is disposed of. */
export interface Stage extends Disposable {
  readonly folder: string;
}

/**
 * Makes a temporary folder that only this user can read, and removes those that killed processes of this user left
 * behind. Throws CommandError when that fails.
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
    const why = isFull ? noTemporaryRoom() : `${reasonOf(error)}. ${OTHER}`;
    throw new CommandError(`Can't use '${tmpdir()}', the directory for temporary files: ${why}. Nothing was restored.`);
  }
}

const OTHER = "Make it one that you can write, or name another one with the variable TMPDIR";

/** Says that there is no room for temporary files, and what to do. */
export function noTemporaryRoom(): string {
  return `${noRoom(tmpdir())}. Or name another directory with the variable TMPDIR`;
}

/** Returns undefined when another process has removed the folder before it was locked. */
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
    using lock = lockFile(join(stage, LOCK_FILE));
    if (lock) rmSync(stage, { recursive: true, force: true });
  } catch {
    // It belongs to another user, or is gone.
  }
}
