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
  statSync,
  writeSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { PayloadFile } from "../crypto/payloads.ts";
import { place } from "./new-files.ts";
import { hasBytes } from "./new-folders.ts";
import { reasonOf, syncFolder } from "./private-files.ts";
import { CommandError, usageError } from "./terminal.ts";

/** A file that is to be written, and where. */
interface Destination {
  readonly path: string;
  readonly unfinished: string;
  readonly file: PayloadFile;
}

/**
 * Writes files below `folder`, each 0600 (0700 where it was executable). Nothing that exists is touched unless `force`,
 * but for what is already there with the same content. All are written before the first one gets its name. `tag` names
 * what is not finished, so that a later call finds what a crash left behind.
 * Returns the paths. Throws CommandError.
 */
export function writeFiles(
  folder: string,
  files: readonly PayloadFile[],
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
      else place(unfinished, path);
    }
    for (const each of new Set(missing.map(({ path }) => dirname(path)))) syncFolder(each);
  } catch (error) {
    for (const { unfinished } of missing) removeUnfinished(unfinished);
    for (const each of made.toReversed()) removeEmpty(each);
    throw new CommandError(
      `cannot write to '${folder}': ${reasonOf(error)}. Nothing is lost: make it possible and try again`,
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
  if (!statSync(path).isDirectory()) throw usageError(`'${path}' is not a folder`);
  try {
    accessSync(path, constants.W_OK | constants.X_OK);
  } catch {
    throw usageError(`the folder '${path}' cannot be written by you`);
  }
}

/** The same files, those of the same name numbered: cleaning names, or a file system without cases, may have made them so. */
function withDistinctNames(files: readonly PayloadFile[]): PayloadFile[] {
  const taken = new Set<string>();
  return files.map((file) => {
    let name = file.name;
    for (let n = 2; !file.isFolder && taken.has(keyOf(name)); n++) name = `${file.name} (${n})`;
    taken.add(keyOf(name));
    return { ...file, name };
  });
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
  const advice = stats.isFile()
    ? "Name another folder with --output, or overwrite it with --force"
    : "Name another folder with --output";
  throw new CommandError(
    `'${path}' exists already. ${advice}. Nothing is lost: the secret can still be opened for some minutes`,
  );
}

/** A link inside the folder could lead out of it. */
function assertNoLinkOnTheWay(path: string, folder: string): void {
  const top = resolve(folder);
  for (let each = dirname(path); each.length > top.length; each = dirname(each)) {
    if (lstatSync(each, { throwIfNoEntry: false })?.isSymbolicLink()) {
      throw new CommandError(`'${each}' is a link, and what was sent is only written below '${top}' itself`);
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

function removeUnfinished(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // It is in the way of what was to be written, and that is what is said.
  }
}

function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Somebody has put something into it meanwhile.
  }
}
