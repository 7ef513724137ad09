import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { lockFile } from "../../../store/sqlite/files/file-locks.ts";

const PREFIX = "handoff-restore-";
const LOCK_FILE = "lock";

/** A folder for something on its way, which goes when it is disposed of. */
export interface Stage extends Disposable {
  readonly folder: string;
}

/**
 * Makes a folder that nobody else can read, in the folder for temporary files, and removes those that killed processes of this user have left there. Throws
 * what node:fs throws.
 */
export function makeStage(): Stage {
  process.umask(0o077);
  for (const name of readdirSync(tmpdir())) if (name.startsWith(PREFIX)) removeLeft(join(tmpdir(), name));
  for (;;) {
    const stage = mkdtempSync(join(tmpdir(), PREFIX));
    const lock = tryLock(stage);
    // Another one may have taken it for one that was left, and removes it.
    if (!lock) continue;
    return {
      folder: join(stage, "data"),
      [Symbol.dispose]() {
        rmSync(stage, { recursive: true, force: true });
        lock[Symbol.dispose]();
      },
    };
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
