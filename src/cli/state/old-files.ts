import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";

/**
 * Removes what was last written longer ago from a folder; of the files with such a name, where one is given. Never
 * throws.
 */
export function removeOld(folder: string, ageMs: number, name = /./): void {
  try {
    for (const each of readdirSync(folder)) {
      const path = join(folder, each);
      if (name.test(each) && Date.now() - statSync(path).mtimeMs > ageMs) rmSync(path, { force: true });
    }
  } catch {
    // There is no such folder yet, or another command has tidied up.
  }
}
