import { closeSync, openSync, statSync } from "node:fs";

/** The size of a file in bytes; undefined when there is none. Throws any other error of the file system. */
export function findSize(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.size;
}

/** The same, with 0 for a file that is not there. */
export function sizeOf(path: string): number {
  return findSize(path) ?? 0;
}

/** Opens `path`, returns what `work` returns, and closes it. Throws what either throws. */
export function withFile<T>(path: string, flags: string | number, work: (file: number) => T, mode?: number): T {
  const file = openSync(path, flags, mode);
  try {
    return work(file);
  } finally {
    closeSync(file);
  }
}
