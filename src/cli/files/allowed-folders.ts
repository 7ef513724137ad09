import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  realpathSync,
  statSync,
} from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { codeOf } from "../../contract/error-traces.ts";
import { reasonOf } from "../terminal/system-errors.ts";
import { CommandError, usageError } from "../terminal/terminal.ts";
import { isHidden, riskOfPath } from "./risky-names.ts";

/** A file or folder that was opened, so that it stays the same one even if its path leads elsewhere later. */
interface OpenedPath extends Disposable {
  readonly descriptor: number;
  /** The absolute path without links at the time of opening. */
  readonly path: string;
}

/** The destination of a new file. */
interface NewPlace extends Disposable {
  /** The absolute path without links. */
  readonly path: string;
  readonly name: string;
  /** A path that leads to the folder even after it is moved. */
  readonly folder: string;
}

/** The folders in which an agent's calls may read and make files. */
export interface AllowedFolders {
  /** The absolute path without links. */
  readonly paths: readonly string[];
  /** Opens a file for reading. Throws CommandError when it is outside the folders, or can't be opened. */
  openFile(given: string): OpenedPath;
  /** Opens the folder for a new file. Throws CommandError when it is outside or missing, or the name is risky. */
  openPlace(given: string): NewPlace;
  /** The same for the file `name` in `folder`, which is made in the first allowed folder if it is missing. */
  makePlace(folder: string, name: string): NewPlace;
}

/** The reason to refuse a path, to complete "it …". */
const HAS_KEYS = "is where handoff keeps keys, which agents can't use";

/** Folders without ordinary files, in which reading a file reveals other programs. */
const SPECIAL = ["/proc", "/sys", "/dev"];
const MAX_NAME_BYTES = 255;

/** Relative paths start in the first folder. Files in `own` are never allowed. Throws CommandError. */
export function allowedFolders(folders: readonly string[], own: readonly string[]): AllowedFolders {
  const paths = folders.map((folder) => {
    if (folder.trim() === "") throw usageError("--allow-dir: the name of the directory is empty");
    const path = realPath(resolve(folder), folder);
    if (!statSync(path).isDirectory()) throw usageError(`--allow-dir: '${folder}' isn't a directory`);
    return path;
  });
  const [first = ""] = paths;
  // One answer for both, so that it doesn't reveal what exists elsewhere.
  const outside = (given: string) =>
    usageError(`'${given}' isn't there, or is outside of the allowed directories: ${paths.join(", ")}`);
  const find = (path: string, given: string) => {
    try {
      return realpathSync(path);
    } catch {
      throw outside(given);
    }
  };
  const check = (path: string, given: string) => {
    if (!paths.some((folder) => isWithin(path, folder)) || SPECIAL.some((folder) => isWithin(path, folder))) {
      throw outside(given);
    }
    if (own.some((each) => isWithin(path, realPlace(each)))) throw usageError(`'${given}' ${HAS_KEYS}`);
  };
  const open = (path: string, given: string, flags: number): OpenedPath => {
    const descriptor = openOrExplain(path, given, flags);
    const opened = { descriptor, path: pathOf(descriptor, path), [Symbol.dispose]: () => closeSync(descriptor) };
    try {
      // Checked only now: between a look at a path and its opening, the file there can be replaced.
      check(opened.path, given);
      return opened;
    } catch (error) {
      closeSync(descriptor);
      throw error;
    }
  };
  const openPlace = (given: string): NewPlace => {
    const path = resolve(first, checkName(given));
    const name = basename(path);
    if (/[/\\]$/.test(given) || ["", ".", ".."].includes(basename(given))) {
      throw usageError(`'${given}' doesn't name a file: add the name of the new file`);
    }
    const parent = find(dirname(path), given);
    check(parent, given);
    const opened = open(parent, given, constants.O_RDONLY | constants.O_DIRECTORY);
    const folder = process.platform === "linux" ? `/proc/self/fd/${opened.descriptor}` : opened.path;
    const place = { path: join(opened.path, name), name, folder, [Symbol.dispose]: opened[Symbol.dispose] };
    // A file in place of a folder of keys, or of a key file that doesn't exist yet.
    const isOwn = own.some((each) => isWithin(realPlace(each), place.path));
    const refusal = isOwn ? HAS_KEYS : refusalOf(place.path, paths);
    if (refusal === undefined) return place;
    opened[Symbol.dispose]();
    throw usageError(`'${given}' ${refusal}`);
  };
  return {
    paths,
    openFile(given) {
      const path = find(resolve(first, checkName(given)), given);
      check(path, given);
      const opened = open(path, given, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
      const isOwn = own.some((each) => holds(each, opened.descriptor));
      if (!isOwn) return opened;
      opened[Symbol.dispose]();
      throw usageError(`'${given}' ${HAS_KEYS}`);
    },
    openPlace,
    makePlace(folder, name) {
      const path = join(first, folder);
      try {
        mkdirSync(path, { mode: 0o700 });
      } catch (error) {
        if (codeOf(error) !== "EEXIST") throw new CommandError(`Can't make '${path}': ${reasonOf(error)}.`);
      }
      return openPlace(join(folder, name));
    },
  };
}

/** True when something has this path, even a link that leads nowhere. */
export function isTaken(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** Refuses names that no file can have, and names that would deceive a reader. */
function checkName(given: string): string {
  if (/[\p{Cc}\p{Cf}\p{Cs}]/u.test(given)) throw usageError("the path has invisible characters");
  if (Buffer.byteLength(basename(given)) > MAX_NAME_BYTES) throw usageError("the name of the file is too long");
  return given;
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** The reason against a new file at `path`, to complete its name; undefined when one of `allowed` permits it. */
function refusalOf(path: string, allowed: readonly string[]): string | undefined {
  const below = allowed.filter((folder) => isWithin(path, folder)).map((folder) => relative(folder, path));
  const plain = below.filter((each) => !isHidden(each));
  if (plain.length === 0)
    return "has a name that begins with a dot, as files have that programs obey. Name another file";
  const risks = plain.map(riskOfPath);
  if (risks.includes(undefined)) return undefined;
  return `can't be made from what somebody sent: what has this name or place ${risks[0]}. Name another file, such as 'secret.txt' or 'server.pem', or leave the path out`;
}

/** The path without links of an existing or future file. */
function realPlace(path: string): string {
  const whole = resolve(path);
  if (existsSync(whole)) return realpathSync(whole);
  return join(realPlace(dirname(whole)), basename(whole));
}

/** True when a file is in `own`, or is a hard link to a file there: that can't be seen by following links. */
function holds(own: string, descriptor: number): boolean {
  const { dev, ino } = fstatSync(descriptor);
  const isSame = (path: string) => {
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats?.dev === dev && stats.ino === ino;
  };
  if (!existsSync(own)) return false;
  if (!statSync(own).isDirectory()) return isSame(own);
  return readdirSync(own, { recursive: true }).some((name) => isSame(join(own, String(name))));
}

/** The path of an open file, as the kernel knows it. */
function pathOf(descriptor: number, path: string): string {
  return realpathSync(process.platform === "linux" ? `/proc/self/fd/${descriptor}` : path);
}

function openOrExplain(path: string, given: string, flags: number): number {
  try {
    return openSync(path, flags);
  } catch (error) {
    throw new CommandError(`'${given}' can't be used: ${reasonOf(error)}`);
  }
}

function realPath(path: string, given: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    throw usageError(`'${given}' can't be used: ${reasonOf(error)}`);
  }
}
