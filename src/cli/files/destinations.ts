import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmdirSync,
  rmSync,
  statfsSync,
  statSync,
  writeSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { ContentFile } from "../../crypto/contents.ts";
import { formatSize } from "../terminal/progress.ts";
import { DeliveryError } from "../terminal/repeats.ts";
import { codeOf, reasonOf } from "../terminal/system-errors.ts";
import { CommandError, toLine, usageError } from "../terminal/terminal.ts";
import { hasBytes } from "./new-folders.ts";
import { place, removeUnfinished, syncFolder } from "./private-files.ts";

/** A file that is to be written, and where. */
interface Destination {
  readonly path: string;
  readonly unfinished: string;
  readonly file: ContentFile;
}

/**
 * Writes files below `folder`, each 0600 (0700 where it was executable). Nothing that exists is touched unless `force`,
 * but for what is already there with the same content. All are written before the first one gets its name. `tag` names
 * what is not finished, so that a later call finds what a crash left behind.
 * Returns the paths. Throws CommandError.
 */
export function writeFiles(
  folder: string,
  files: readonly ContentFile[],
  options: { readonly force: boolean; readonly tag: string },
): string[] {
  const prefix = unfinishedPrefix(options.tag);
  const destinations = withDistinctNames(files).map((file, index) => {
    const path = resolve(folder, file.name);
    return { path, unfinished: join(dirname(path), `${prefix}${index}.part`), file };
  });
  const missing = destinations.filter((destination) => !isThere(destination, folder, options.force));
  const made: string[] = [];
  try {
    for (const { path, file } of missing) makeFolders(file.isFolder ? path : dirname(path), made);
    for (const destination of missing) if (!destination.file.isFolder) writeUnfinished(destination);
    for (const { path, unfinished, file } of missing) {
      if (file.isFolder) continue;
      if (options.force) renameSync(unfinished, path);
      else placeNew(unfinished, path);
    }
    for (const each of new Set(missing.map(({ path }) => dirname(path)))) syncFolder(each);
  } catch (error) {
    for (const { unfinished } of missing) removeUnfinished(unfinished);
    for (const each of made.toReversed()) removeEmpty(each);
    if (error instanceof DeliveryError) throw error;
    throw new DeliveryError(
      `Can't write to '${folder}': ${reasonOf(error)}.`,
      "Make it possible and run the same command",
    );
  }
  return destinations.filter(({ file }) => !file.isFolder).map(({ path }) => path);
}

/** What the names of files begin with that are not finished. */
export function unfinishedPrefix(tag: string): string {
  if (!/^\w+$/.test(tag)) throw new Error("a tag is part of a file's name");
  return `.handoff-${tag}-`;
}

/** Refuses, before a claim is used up, a folder that can be seen not to do. Throws CommandError. */
export function checkFolder(folder: string): void {
  let path = resolve(folder);
  while (!existsSync(path)) path = dirname(path);
  if (!statSync(path).isDirectory()) throw usageError(`'${path}' isn't a directory.`);
  try {
    accessSync(path, constants.W_OK | constants.X_OK);
  } catch {
    throw usageError(`Can't write to the directory '${path}'. Check its permissions, or name another one.`);
  }
}

/** Refuses, before a claim is used up, a folder on a disk that has no room for `bytes`. Throws CommandError. */
export function checkRoom(folder: string, bytes: number): void {
  let path = resolve(folder);
  while (!existsSync(path)) path = dirname(path);
  const { blocks, bavail, bsize } = statfsSync(path);
  // Some file systems do not know.
  if (blocks === 0 || bavail * bsize >= bytes) return;
  throw new CommandError(`Not opened: there is no room left on the disk of '${path}' for ${formatSize(bytes)}.`);
}

/**
 * The same files, those of the same name, or with that of a folder, numbered: cleaning names, or a file system without
 * cases, may have made them so.
 */
function withDistinctNames(files: readonly ContentFile[]): ContentFile[] {
  const taken = new Set(files.flatMap(foldersOf).map(keyOf));
  const numbers = new Map<string, number>();
  return files.map((file) => {
    if (file.isFolder) return file;
    let name = file.name;
    let n = numbers.get(keyOf(name)) ?? 1;
    while (taken.has(keyOf(name))) name = `${file.name} (${++n})`;
    numbers.set(keyOf(file.name), n);
    taken.add(keyOf(name));
    return { ...file, name };
  });
}

/** The names of all folders that a file needs. */
function foldersOf({ name, isFolder }: ContentFile): string[] {
  const above = [];
  for (let each = isFolder ? name : dirname(name); each !== "."; each = dirname(each)) above.push(each);
  return above;
}

function keyOf(name: string): string {
  return process.platform === "linux" ? name : name.toLowerCase();
}

/** Whether nothing needs to be written. Throws CommandError for what must not be overwritten. */
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

/** Gives a file its name, which somebody may have taken meanwhile. Throws DeliveryError then. */
function placeNew(unfinished: string, path: string): void {
  try {
    place(unfinished, path);
  } catch (error) {
    throw codeOf(error) === "EEXIST" ? conflict(path, true) : error;
  }
}

function conflict(path: string, isFile: boolean): DeliveryError {
  const remedy = `Run the same command with another directory in --output${isFile ? ", or with --force," : ","}`;
  return new DeliveryError(`'${toLine(path)}' already exists.`, remedy);
}

/** A link inside the folder could lead out of it. */
function assertNoLinkOnTheWay(path: string, folder: string): void {
  const top = resolve(folder);
  for (let each = dirname(path); each.length > top.length; each = dirname(each)) {
    if (lstatSync(each, { throwIfNoEntry: false })?.isSymbolicLink()) {
      throw new DeliveryError(
        `'${toLine(each)}' is a link, and files are only written below '${top}' itself.`,
        "Run the same command with another directory in --output,",
      );
    }
  }
}

function makeFolders(folder: string, made: string[]): void {
  if (existsSync(folder)) return;
  makeFolders(dirname(folder), made);
  mkdirSync(folder, { mode: 0o700 });
  made.push(folder);
}

function writeUnfinished({ unfinished, file }: Destination): void {
  rmSync(unfinished, { force: true });
  const handle = openSync(unfinished, "wx", file.isExecutable ? 0o700 : 0o600);
  try {
    for (let written = 0; written < file.bytes.length;) written += writeSync(handle, file.bytes, written);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Somebody has put something into it meanwhile.
  }
}
