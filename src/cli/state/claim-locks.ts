import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { lockFile } from "../../store/sqlite/files/file-locks.ts";
import { reasonOf } from "../terminal/system-errors.ts";
import { CommandError } from "../terminal/terminal.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { claimPath } from "./pending-claims.ts";

/**
 * Locks a secret for one call among all processes of this user. Undefined when it is already locked. Throws
 * CommandError.
 */
export function lockClaim(terminal: Terminal, baseUrl: string, secretId: string): Disposable | undefined {
  const path = `${claimPath(terminal, baseUrl, secretId)}.lock`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    return lockFile(path);
  } catch (error) {
    throw new CommandError(`cannot lock '${path}': ${reasonOf(error)}. XDG_STATE_HOME can name another folder`);
  }
}
