import { statSync } from "node:fs";

/** The size of a file in bytes; undefined when there is none. Throws what else the file system says. */
export function findSize(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.size;
}

/** The same, with 0 for a file that is not there. */
export function sizeOf(path: string): number {
  return findSize(path) ?? 0;
}
