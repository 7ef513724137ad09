import { lstatSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, resolve, sep } from "node:path";
import { reasonOf } from "./private-files.ts";
import { usageError } from "./terminal.ts";

/** The folders in which somebody else's calls may read and make files. */
export interface AllowedFolders {
  /** Absolute, without links. */
  readonly paths: readonly string[];
  /** The absolute path, without links, of a file that is there. Throws CommandError when it leads outside. */
  existing(path: string): string;
  /** The absolute path, without links, of a file that is not there yet. Throws CommandError when it leads outside. */
  fresh(path: string): string;
}

/** Throws CommandError for what is no folder. Paths are taken from the first of them, unless they are absolute. */
export function allowedFolders(folders: readonly string[]): AllowedFolders {
  const paths = folders.map((folder) => {
    const path = realPath(resolve(folder), folder);
    if (!statSync(path).isDirectory()) throw usageError(`--allow-dir: '${folder}' is not a folder`);
    return path;
  });
  const [first = ""] = paths;
  const check = (path: string, given: string) => {
    if (paths.some((folder) => path === folder || path.startsWith(folder === sep ? sep : `${folder}${sep}`)))
      return path;
    throw usageError(`'${given}' is outside of the allowed folders: ${paths.join(", ")}`);
  };
  return {
    paths,
    existing: (given) => check(realPath(resolve(first, given), given), given),
    fresh(given) {
      const path = resolve(first, given);
      // The folder has to be there already; what it is made of is checked without links.
      const whole = check(join(realPath(dirname(path), given), basename(path)), given);
      if (paths.includes(whole)) throw usageError(`'${given}' is a folder: name the new file too`);
      return whole;
    },
  };
}

/** Whether something, a link that leads nowhere too, has this path. */
export function isTaken(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

function realPath(path: string, given: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    throw usageError(`'${given}' cannot be used: ${reasonOf(error)}`);
  }
}
