import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { ContentFile } from "../../crypto/contents.ts";

/**
 * The path of a new folder below `parent`, or an empty one of this user: `name`, or numbered. Leftovers of an earlier
 * attempt don't count.
 */
export function findNewFolder(
  parent: string,
  name: string,
  files: readonly ContentFile[],
  unfinishedPrefix: string,
): string {
  for (let n = 1; ; n++) {
    const path = join(parent, n === 1 ? name : `${name}-${n}`);
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (!stats) return path;
    const isOurs = stats.isDirectory() && stats.uid === (process.geteuid?.() ?? stats.uid);
    if (isOurs && holdsNothingElse(path, files, unfinishedPrefix)) return path;
  }
}

function holdsNothingElse(folder: string, files: readonly ContentFile[], unfinishedPrefix: string): boolean {
  const known = new Map<string, ContentFile | undefined>();
  for (const file of files) {
    for (let above = dirname(file.name); above !== "."; above = dirname(above)) known.set(above, undefined);
    known.set(file.name, file);
  }
  return readdirSync(folder, { recursive: true, withFileTypes: true }).every((entry) => {
    const path = join(entry.parentPath, entry.name);
    if (basename(path).startsWith(unfinishedPrefix)) return entry.isFile();
    const name = path.slice(folder.length + 1);
    if (!known.has(name)) return false;
    const file = known.get(name);
    return file === undefined || file.isFolder ? entry.isDirectory() : entry.isFile() && hasBytes(path, file.bytes);
  });
}

/** True when a file has this content. */
export function hasBytes(path: string, bytes: Uint8Array): boolean {
  return lstatSync(path).size === bytes.length && readFileSync(path).equals(bytes);
}
