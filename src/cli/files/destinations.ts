import {
  accessSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  renameSync,
  rmdirSync,
  statfsSync,
  statSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { codeOf } from "../../contract/error-traces.ts";
import type { FileFacts } from "../../crypto/archive-streams.ts";
import type { ContentFile } from "../../crypto/contents.ts";
import { numberName } from "../../crypto/entry-names.ts";
import { formatSize } from "../terminal/progress.ts";
import { DeliveryError } from "../terminal/repeats.ts";
import { reasonOf } from "../terminal/system-errors.ts";
import { CommandError, toLine, usageError } from "../terminal/terminal.ts";
import { freeName, place, removeUnfinished, syncFolder, writeUnfinished } from "./durable-files.ts";
import { findForeignLink } from "./foreign-links.ts";
import { hasBytes } from "./new-folders.ts";

/** PATH_MAX, with the zero byte at its end. */
const MAX_PATH_BYTES = process.platform === "linux" ? 4095 : 1023;
/** The time that is written before a signal is handled. */
const TURN_MS = 50;

const OTHER_FOLDER = "Run the same command with another directory in --output,";

/** A file to write, and its destination. */
interface Destination {
  readonly path: string;
  readonly unfinished: string;
  readonly file: ContentFile;
}

export interface WriteOptions {
  readonly force: boolean;
  /** Names the unfinished files, so that a later call finds what a crash left behind. */
  readonly tag: string;
  /** Ends the writing, and removes what was written. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Writes files below `folder`, each with mode 0600 (0700 if it was executable). Without `force`, it overwrites nothing
 * but files with the same content. All files are written before the first one gets its name. When that fails, the new
 * ones are removed. Returns the paths. Throws CommandError.
 */
export async function writeFiles(
  folder: string,
  files: readonly ContentFile[],
  { force, tag, signal }: WriteOptions,
): Promise<string[]> {
  const prefix = unfinishedPrefix(tag);
  const destinations = withDistinctNames(files).map((file, index) => {
    const path = resolve(folder, file.name);
    return { path, unfinished: join(dirname(path), `${prefix}${index}.part`), file };
  });
  checkLengths(folder, destinations);
  let missing: readonly Destination[] = [];
  const made: string[] = [];
  const written: string[] = [];
  const placed: string[] = [];
  try {
    missing = destinations.filter((destination) => !isThere(destination, folder, force));
    for await (const { path, file } of inTurns(missing, signal))
      makeFolders(file.isFolder ? path : dirname(path), made);
    // What another user puts there from now on is in the way, but leads nowhere.
    checkForeign(folder);
    const newFiles = missing
      .filter(({ file }) => !file.isFolder)
      .map((each) => ({ ...each, unfinished: freeName(each.unfinished) }));
    for await (const { unfinished, file } of inTurns(newFiles, signal)) {
      written.push(unfinished);
      writeUnfinished(unfinished, file.bytes, { mode: file.isExecutable ? 0o700 : 0o600 });
    }
    for await (const { path, unfinished } of inTurns(newFiles, signal)) {
      if (force) renameSync(unfinished, path);
      else placed.push(placeNew(unfinished, path));
    }
    const folders = new Set(missing.map(({ path }) => dirname(path)));
    for await (const each of inTurns([...folders], signal)) syncFolder(each);
    // Where files can't be renamed in one step, a killed attempt may have left a second name for a file.
    for (const { unfinished } of destinations) removeUnfinished(unfinished);
  } catch (error) {
    for (const path of [...written, ...placed]) removeUnfinished(path);
    for (const each of made.toReversed()) removeEmpty(each);
    throw toWritingError(folder, error);
  }
  return destinations.filter(({ file }) => !file.isFolder).map(({ path }) => path);
}

/** The error for what writing to `folder` threw: a CommandError as it is, and one of the file system in words. */
export function toWritingError(folder: string, error: unknown): unknown {
  if (error instanceof CommandError) return error;
  if (["ENAMETOOLONG", "EILSEQ", "EINVAL"].includes(codeOf(error) ?? "")) return unwritableNames(folder);
  return new DeliveryError(
    `Can't write to '${folder}': ${reasonOf(error)}.`,
    "Name another directory with --output, or mend that and run the same command",
  );
}

/** Yields each item, with a chance in between to handle signals. Throws CommandError once `signal` is aborted. */
async function* inTurns<T>(all: readonly T[], signal: AbortSignal | undefined): AsyncGenerator<T> {
  let since = performance.now();
  for (const each of all) {
    if (performance.now() - since > TURN_MS) {
      await new Promise((done) => void setImmediate(done));
      since = performance.now();
    }
    if (signal?.aborted) throw new CommandError("Interrupted.", "interrupted");
    yield each;
  }
}

/** Refuses, before anything is written, names that don't fit their destination. Throws DeliveryError. */
export function checkLengths(folder: string, destinations: readonly Omit<Destination, "file">[]): void {
  const isTooLong = (path: string) => Buffer.byteLength(path) > MAX_PATH_BYTES;
  if (!destinations.some(({ path, unfinished }) => isTooLong(path) || isTooLong(unfinished))) return;
  throw unwritableNames(folder);
}

function unwritableNames(folder: string): DeliveryError {
  return new DeliveryError(
    `The names of the files are too long for '${folder}', or not allowed there.`,
    "Run the same command with another directory in --output,",
    "decryption",
  );
}

/** The beginning of the names of unfinished files. */
export function unfinishedPrefix(tag: string): string {
  if (!/^\w+$/.test(tag)) throw new Error("a tag is part of a file's name");
  return `.handoff-${tag}-`;
}

/** Refuses a folder that is clearly unsuitable, before a claim is used up. Throws CommandError. */
export function checkFolder(folder: string): void {
  let path = resolve(folder);
  const foreign = findForeign(path);
  if (foreign !== undefined) throw usageError(`${describeForeign(foreign)}. Name another directory.`);
  while (!existsSync(path)) {
    if (isLink(path)) throw usageError(`'${path}' is a link to what isn't there. Name another directory.`);
    path = dirname(path);
  }
  if (!statSync(path).isDirectory()) throw usageError(`'${path}' isn't a directory.`);
  try {
    accessSync(path, constants.W_OK | constants.X_OK);
  } catch {
    throw usageError(`Can't write to the directory '${path}'. Check its permissions, or name another one.`);
  }
}

/** Throws DeliveryError when the link of another user leads to `folder`. */
export function checkForeign(folder: string): void {
  const foreign = findForeignLink(folder);
  if (foreign !== undefined) throw new DeliveryError(`${describeForeign(foreign)}.`, OTHER_FOLDER);
}

/** The link of another user. Undefined also where a folder can't be read: the next call on it says why. */
function findForeign(path: string): string | undefined {
  try {
    return findForeignLink(path);
  } catch {
    return undefined;
  }
}

function describeForeign(link: string): string {
  return `'${toLine(link)}' is a link that another user made, and nothing is written through it`;
}

/** Refuses a folder on a disk without room for `bytes`, before a claim is used up. Throws CommandError. */
export function checkRoom(folder: string, bytes: number): void {
  let path = resolve(folder);
  while (!existsSync(path)) path = dirname(path);
  const { blocks, bavail, bsize } = statfsSync(path);
  // Some file systems don't know.
  if (blocks === 0 || bavail * bsize >= bytes) return;
  throw new CommandError(`Not opened: there is no room left on the disk of '${path}' for ${formatSize(bytes)}.`);
}

/**
 * Numbers files with the same name as another file or a folder. Cleaning names causes that, as does a file system that
 * ignores case.
 */
export function withDistinctNames<File extends FileFacts>(files: readonly File[]): File[] {
  const taken = new Set(files.flatMap(foldersOf).map(keyOf));
  const numbers = new Map<string, number>();
  return files.map((file) => {
    if (file.isFolder) return file;
    let name = file.name;
    let n = numbers.get(keyOf(name)) ?? 1;
    while (taken.has(keyOf(name))) name = numberName(file.name, ++n);
    numbers.set(keyOf(file.name), n);
    taken.add(keyOf(name));
    return name === file.name ? file : { ...file, name, sentName: file.sentName ?? file.name };
  });
}

/** The names of all folders that the files need. */
function foldersOf({ name, isFolder }: FileFacts): string[] {
  const above = [];
  for (let each = isFolder ? name : dirname(name); each !== "."; each = dirname(each)) above.push(each);
  return above;
}

function keyOf(name: string): string {
  return process.platform === "linux" ? name : name.toLowerCase();
}

/** True when nothing needs to be written. Throws CommandError for what must not be overwritten. */
function isThere({ path, file }: Destination, folder: string, force: boolean): boolean {
  assertNoLinkOnTheWay(path, folder);
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (!stats) return false;
  if (file.isFolder && stats.isDirectory()) return true;
  if (!file.isFolder && stats.isFile()) {
    if (hasBytes(path, file.bytes)) return true;
    if (force) return false;
  }
  throw conflict(path, stats.isFile());
}

/** Gives a file its name, and returns it. Throws DeliveryError when the name was taken meanwhile. */
export function placeNew(unfinished: string, path: string): string {
  try {
    place(unfinished, path);
    return path;
  } catch (error) {
    throw codeOf(error) === "EEXIST" ? conflict(path, true) : error;
  }
}

/** The error for what is in the way. */
export function conflict(path: string, isFile: boolean): DeliveryError {
  const remedy = `Run the same command with another directory in --output${isFile ? ", or with --force," : ","}`;
  return new DeliveryError(`'${toLine(path)}' already exists.`, remedy);
}

/** Throws DeliveryError for a link inside the folder, which could lead out of it. */
export function assertNoLinkOnTheWay(path: string, folder: string): void {
  const top = resolve(folder);
  for (let each = dirname(path); each.length > top.length; each = dirname(each)) {
    if (lstatSync(each, { throwIfNoEntry: false })?.isSymbolicLink()) {
      throw new DeliveryError(
        `'${toLine(each)}' is a link, and files are only written below '${top}' itself.`,
        OTHER_FOLDER,
      );
    }
  }
}

/** Makes a folder and those above it. Adds to `made`, in this order, what wasn't there. */
export function makeFolders(folder: string, made: string[]): void {
  if (existsSync(folder)) return;
  makeFolders(dirname(folder), made);
  mkdirSync(folder, { mode: 0o700 });
  made.push(folder);
}

/** True when there is a link of that name, wherever it leads. */
export function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    // There is nothing, or the name isn't valid.
    return false;
  }
}

/** Removes a folder, unless something is in it. */
export function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Something was put into it meanwhile.
  }
}
