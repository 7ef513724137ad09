import { statSync } from "node:fs";
import type { Stats } from "node:fs";
import { codeOf } from "../../contract/error-traces.ts";
import { usageError } from "../terminal/terminal.ts";

/**
 * Returns the path of a folder in which handoff keeps things of this user. Throws CommandError when another user than
 * this one and root owns it, or can change what is in it: they could choose the server that secrets are sent to.
 */
export function ownFolder(path: string): string {
  const stats = findStats(path);
  if (!stats) return path;
  if (stats.uid !== 0 && stats.uid !== (process.geteuid?.() ?? stats.uid)) {
    throw usageError(
      `'${path}' belongs to another user, and nothing is read or kept there. Set HOME to a directory of your own, with sudo by 'sudo -H'.`,
    );
  }
  if (isOpenToOthers(stats))
    throw usageError(`Others can change what is in '${path}', where handoff keeps things. Run: chmod go-w '${path}'`);
  return path;
}

/** True when others than its owner can write to a folder. False for one that isn't there. */
export function canOthersWrite(path: string): boolean {
  const stats = findStats(path);
  return stats !== undefined && isOpenToOthers(stats);
}

function isOpenToOthers({ mode }: Stats): boolean {
  return process.platform !== "win32" && (mode & 0o022) !== 0;
}

/** Undefined also where it can't be read: the next call on it says why. */
function findStats(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return undefined;
  }
}
