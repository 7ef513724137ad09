import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";

/**
 * Removes files from a folder that were last written longer ago, optionally only those with a matching name. Never
 * throws.
 */
export function removeOld(folder: string, ageMs: number, name = /./): void {
  try {
    for (const each of readdirSync(folder)) {
      const path = join(folder, each);
      if (name.test(each) && Date.now() - statSync(path).mtimeMs > ageMs) rmSync(path, { force: true });
    }
  } catch {
    // There is no such folder yet, or another command has already cleaned it up.
  }
}
