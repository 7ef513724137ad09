import { existsSync, lstatSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { FileFacts } from "../../crypto/archive-streams.ts";
import { DeliveryError } from "../terminal/repeats.ts";
import {
  assertNoLinkOnTheWay,
  checkForeign,
  checkLengths,
  conflict,
  makeFolders,
  placeNew,
  removeEmpty,
  toWritingError,
  unfinishedPrefix,
  withDistinctNames,
} from "./destinations.ts";
import { removeUnfinished, syncFolder } from "./durable-files.ts";

const COMPARED_BYTES = 256 * 1024;

/** A file that is received. */
interface ReceivedFile extends FileFacts {
  readonly pieces: AsyncIterable<Uint8Array>;
}

/** The files that were written, in the order in which they came, with their names. */
export interface PlacedFiles {
  readonly folder: string;
  readonly paths: readonly string[];
}

/**
 * Files that are written while they are received, below a folder of their own that has an unfinished name. They get
 * their own names when all have come. Disposing of it removes what has none. Its functions throw DeliveryError for what
 * can't be written, and what the pieces throw.
 */
export interface ReceivedFiles extends Disposable {
  readonly files: readonly FileFacts[];
  /** Writes a file durably. */
  add(file: ReceivedFile): Promise<void>;
  /** Gives another name to the only file. */
  rename(name: string): void;
  /** Moves the files into `folder`, which may be there. Without `force`, it overwrites nothing else. */
  placeInto(folder: string, force: boolean): Promise<PlacedFiles>;
  /** Moves the files into a new folder below `parent` in one step. */
  placeAsNew(parent: string, name: string): PlacedFiles;
}

/** Begins to receive files near their destination `folder`. Removes what an earlier attempt left. */
export function receiveFiles(folder: string, tag: string): ReceivedFiles {
  const made: string[] = [];
  const stage = makeStage(folder, tag, made);
  const files: FileFacts[] = [];
  const pathOf = (index: number) => join(stage, String(index));

  /** The files that have a path, with the number under which they were written. */
  const distinct = () => withDistinctNames(files.map((file, index) => ({ ...file, index })));

  return {
    files,
    async add({ pieces, ...file }) {
      const index = files.push(file) - 1;
      if (!file.isFolder) await writeDurably(folder, pathOf(index), file.isExecutable ? 0o700 : 0o600, pieces);
    },
    rename(name) {
      const [file] = files;
      if (!file || files.length > 1) throw new Error("only a single file gets another name");
      files[0] = { ...file, name };
    },
    async placeInto(target, force) {
      if (!existsSync(target)) return this.placeAsNew(dirname(resolve(target)), target);
      return placeAll(target, distinct(), { pathOf, force, made });
    },
    placeAsNew(parent, name) {
      const target = findNew(resolve(parent, name));
      return orWritingError(target, () => {
        const all = distinct();
        const paths = all.map((file) => resolve(target, file.name));
        checkLengths(
          target,
          paths.map((path) => ({ path, unfinished: path })),
        );
        const tree = join(stage, "tree");
        for (const { index, ...file } of all) {
          const path = resolve(tree, file.name);
          mkdirSync(file.isFolder ? path : dirname(path), { recursive: true, mode: 0o700 });
          if (!file.isFolder) renameSync(pathOf(index), path);
        }
        mkdirSync(tree, { recursive: true, mode: 0o700 });
        for (const each of new Set(all.map((file) => dirname(resolve(tree, file.name))))) syncFolder(each);
        renameSync(tree, target);
        made.length = 0;
        syncFolder(dirname(target));
        return { folder: target, paths: paths.filter((_, at) => all[at]?.isFolder === false) };
      });
    },
    [Symbol.dispose]() {
      removeTree(stage);
      for (const each of made.toReversed()) removeEmpty(each);
    },
  };
}

/** Throws DeliveryError for a file that can't be placed, as far as that is known before its bytes come. */
export function checkPlace(folder: string, file: FileFacts & { readonly size: number }, force: boolean): void {
  orWritingError(folder, () => {
    const path = resolve(folder, file.name);
    assertNoLinkOnTheWay(path, folder);
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (!stats || (file.isFolder && stats.isDirectory())) return;
    if (!file.isFolder && stats.isFile() && (force || stats.size === file.size)) return;
    throw conflict(path, stats.isFile());
  });
}

function makeStage(folder: string, tag: string, made: string[]): string {
  return orWritingError(folder, () => {
    makeFolders(resolve(folder), made);
    checkForeign(folder);
    const path = join(resolve(folder), `${unfinishedPrefix(tag)}large.part`);
    removeTree(path);
    // What another user put there can't be removed.
    const free = lstatSync(path, { throwIfNoEntry: false }) ? `${path}.${crypto.randomUUID().slice(0, 8)}` : path;
    mkdirSync(free, { mode: 0o700 });
    return free;
  });
}

/** Removes a folder with all that is in it, as far as that is possible. */
function removeTree(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    // It belongs to another user, or its disk fails.
  }
}

/** The path, numbered when something is there. */
function findNew(path: string): string {
  for (let n = 1; ; n++) {
    const numbered = n === 1 ? path : `${path}-${n}`;
    if (!lstatSync(numbered, { throwIfNoEntry: false })) return numbered;
  }
}

async function writeDurably(
  folder: string,
  path: string,
  mode: number,
  pieces: AsyncIterable<Uint8Array>,
): Promise<void> {
  const file = await open(path, "wx", mode).catch((error: unknown) => {
    throw toWritingError(folder, error);
  });
  try {
    for await (const piece of pieces) {
      for (let written = 0; written < piece.length;) {
        written += (await orRejected(folder, file.write(piece, written))).bytesWritten;
      }
    }
    await orRejected(folder, file.sync());
  } finally {
    await file.close();
  }
}

interface Numbered extends FileFacts {
  readonly index: number;
}

async function placeAll(
  folder: string,
  files: readonly Numbered[],
  { pathOf, force, made }: { pathOf: (index: number) => string; force: boolean; made: string[] },
): Promise<PlacedFiles> {
  const placed: string[] = [];
  try {
    const all = files.map((file) => ({ ...file, path: resolve(folder, file.name), unfinished: pathOf(file.index) }));
    checkLengths(folder, all);
    checkForeign(folder);
    const missing: typeof all = [];
    for (const each of all) if (!(await isThere(folder, each, force))) missing.push(each);
    for (const { path, unfinished, isFolder } of missing) {
      makeFolders(isFolder ? path : dirname(path), made);
      if (isFolder) continue;
      if (force) renameSync(unfinished, path);
      else placed.push(placeNew(unfinished, path));
    }
    for (const each of new Set(missing.map(({ path }) => dirname(path)))) syncFolder(each);
    made.length = 0;
    return { folder, paths: all.filter(({ isFolder }) => !isFolder).map(({ path }) => path) };
  } catch (error) {
    for (const path of placed) removeUnfinished(path);
    throw toWritingError(folder, error);
  }
}

/** True when nothing has to be moved there. Throws DeliveryError for what must not be overwritten. */
async function isThere(
  folder: string,
  file: Numbered & { readonly path: string; readonly unfinished: string },
  force: boolean,
): Promise<boolean> {
  assertNoLinkOnTheWay(file.path, folder);
  const stats = lstatSync(file.path, { throwIfNoEntry: false });
  if (!stats) return false;
  if (file.isFolder && stats.isDirectory()) return true;
  if (!file.isFolder && stats.isFile()) {
    if (await haveSameBytes(file.path, file.unfinished)) return true;
    if (force) return false;
  }
  throw conflict(file.path, stats.isFile());
}

async function haveSameBytes(one: string, other: string): Promise<boolean> {
  if (lstatSync(one).size !== lstatSync(other).size) return false;
  const [a, b] = [await open(one), await open(other)];
  try {
    const [left, right] = [Buffer.alloc(COMPARED_BYTES), Buffer.alloc(COMPARED_BYTES)];
    for (let at = 0; ; at += COMPARED_BYTES) {
      const { bytesRead } = await a.read(left, 0, COMPARED_BYTES, at);
      const read = await b.read(right, 0, COMPARED_BYTES, at);
      if (bytesRead !== read.bytesRead) return false;
      if (!left.subarray(0, bytesRead).equals(right.subarray(0, bytesRead))) return false;
      if (bytesRead < COMPARED_BYTES) return true;
    }
  } finally {
    await a.close();
    await b.close();
  }
}

function orWritingError<T>(folder: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof DeliveryError ? error : toWritingError(folder, error);
  }
}

async function orRejected<T>(folder: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw toWritingError(folder, error);
  }
}
