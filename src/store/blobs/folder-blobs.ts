import { constants } from "node:fs";
import { lstat, mkdir, open, readdir, unlink } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import { dirname, join } from "node:path";
import { codeOf } from "../../contract/error-traces.ts";
import { isId } from "../../contract/ids.ts";
import type { Appending, BlobStore } from "../../domain/ports/uploads.ts";
import { blobUnavailable, storageUnavailable } from "../../domain/storage-refusals.ts";
import { isWantOfRoom } from "../sqlite/files/errors.ts";
import { giveToOwner } from "../sqlite/files/owners.ts";
import { FLUSH_BYTES, KEPT_FREE_BYTES, watchRoom } from "./disk-room.ts";
import type { DiskRoom } from "./disk-room.ts";
import { createLane } from "./lanes.ts";

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_RDWR } = constants;
const MIB = 1024 * 1024;
const ZEROS = new Uint8Array(MIB);
const NEVER = new AbortController().signal;
/** What is there may be a link, or a pipe that would be waited for. */
const FLAGS = O_NOFOLLOW | O_NONBLOCK;

/** The blobs in a folder, and the troubles with its disk. */
export type FolderBlobs = BlobStore & Pick<DiskRoom, "findTroubles">;

/**
 * The blobs in `folder`, a file each, which is made with the first. Nothing else may write there. Uploads are refused
 * when fewer than `keptFreeBytes` would stay free.
 */
export function openFolderBlobs(folder: string, keptFreeBytes = KEPT_FREE_BYTES): FolderBlobs {
  /** The lengths up to which blobs are on disk, as far as they are known. */
  const flushed = new Map<string, number>();
  const writing = new Set<string>();
  const inTurn = createLane();
  const erasing = new Map<string, Promise<unknown>>();

  const pathOf = (id: string): string => {
    if (!isId(id, "upload")) throw new Error("that is no id of an upload");
    return join(folder, id);
  };

  const room = watchRoom(folder, keptFreeBytes, () => writing.size);

  const findSize = async (id: string): Promise<number> => {
    const path = pathOf(id);
    const size = await sizeOf(path);
    const known = flushed.get(id);
    if (size === undefined) {
      flushed.delete(id);
      return 0;
    }
    if (known !== undefined) return Math.min(known, size);
    // The process that wrote it may have been killed before it was flushed.
    const found = await withFile(path, O_RDONLY, async (file, stats) => {
      await file.sync();
      return stats.size;
    });
    await flushFolder(folder);
    flushed.set(id, found);
    return found;
  };

  /** Opens a blob for writing behind its first `bytes`, and erases what is there. */
  const openAt = async (id: string, bytes: number): Promise<FileHandle> => {
    const path = pathOf(id);
    if (flushed.has(id)) return openChecked(path, O_RDWR, (file, size) => cut(file, size, bytes));
    await makeFolder(folder);
    const made = await openChecked(path, O_RDWR | O_CREAT | O_EXCL, async (file) => giveToOwner(file.fd, path));
    await flushFolder(folder);
    flushed.set(id, 0);
    return made;
  };

  const write = async (
    id: string,
    offset: number,
    pieces: AsyncIterable<Uint8Array>,
    onFlushed: (bytes: number) => Promise<void>,
  ): Promise<number> => {
    const file = await orRefuse(async () => {
      if ((await findSize(id)) < offset) throw new Error("a blob is shorter than it was");
      // A killed server may have left something behind the offset.
      const opened = await openAt(id, offset);
      flushed.set(id, offset);
      await room.check().catch(async (error: unknown) => {
        await opened.close();
        throw error;
      });
      return opened;
    });
    let [end, pending] = [offset, 0];
    const flush = async () => {
      await inTurn(() => file.datasync());
      flushed.set(id, end);
      pending = 0;
    };
    try {
      for await (const piece of pieces) {
        await inTurn(() => orRefuse(() => writeAt(file, piece, end)));
        end += piece.length;
        pending += piece.length;
        if (pending >= FLUSH_BYTES) {
          await orRefuse(flush);
          await onFlushed(end);
          await orRefuse(room.check);
        }
      }
    } finally {
      try {
        await orRefuse(flush);
      } finally {
        await file.close();
      }
    }
    return end;
  };

  /** Lets one piece of work at a time write a blob. */
  const alone = async <T>(id: string, work: () => Promise<T>): Promise<T> => {
    await erasing.get(id);
    if (writing.has(id)) throw new Error("a blob is written twice at once");
    writing.add(id);
    try {
      return await work();
    } finally {
      writing.delete(id);
    }
  };

  const erase = async (id: string, signal: AbortSignal): Promise<void> => {
    const path = pathOf(id);
    if ((await sizeOf(path)) === undefined) return;
    try {
      await withFile(path, O_RDWR, (file, { size }) => overwrite(file, 0, size, signal));
    } catch (error) {
      // Where overwriting takes room, it overwrites nothing: the file system writes elsewhere.
      if (!isWantOfRoom(error)) throw error;
    }
    if (signal.aborted) return;
    await unlink(path);
    flushed.delete(id);
  };

  /** Erases a blob, if there is one, once for all that ask meanwhile. Resolves with the error; undefined for none. */
  const eraseOnce = (id: string, signal: AbortSignal): Promise<unknown> => {
    const begun = erasing.get(id);
    if (begun) return begun;
    const erased = erase(id, signal)
      .catch((error: unknown) => error)
      .finally(() => erasing.delete(id));
    erasing.set(id, erased);
    return erased;
  };

  const eraseAll = async (ids: readonly string[], signal: AbortSignal): Promise<void> => {
    const failures: unknown[] = [];
    for (const id of ids) {
      if (signal.aborted) break;
      // The row of one that is written has ended just now. Its turn comes later.
      if (writing.has(id)) continue;
      const failure = await eraseOnce(id, signal);
      if (failure !== undefined) failures.push(failure);
    }
    if (ids.length > failures.length) await flushFolder(folder);
    if (failures.length > 0) throw failures[0];
  };

  const truncate = (id: string, bytes: number) =>
    orRefuse(async () => {
      if ((await findSize(id)) === 0) return;
      const file = await openAt(id, bytes);
      await file.close();
      flushed.set(id, bytes);
    });

  const append = async (id: string, offset: number, pieces: AsyncIterable<Uint8Array>, how: Appending) => {
    const { isWhole, mayKeep, onStored } = how;
    const note = (end: number) => onStored({ end, parts: [] });
    let end: number;
    try {
      end = await write(id, offset, pieces, (bytes) => note(isWhole ? offset : bytes));
    } catch (error) {
      if (mayKeep(error)) await note(await orRefuse(() => findSize(id)));
      else await truncate(id, offset);
      throw error;
    }
    await note(end);
  };

  const check = async (id: string, bytes: number) => {
    if ((await orRefuse(() => findSize(id))) !== bytes) throw blobUnavailable("BLOB_DAMAGED");
    // Somebody may have put it there as another user.
    await orRefuse(() => withFile(pathOf(id), O_RDONLY, async () => undefined));
  };

  return {
    size: ({ id }) => orRefuse(() => findSize(id)),
    append: (id, offset, pieces, how) => alone(id, () => append(id, offset, pieces, how)),
    check,
    async read(id, bytes) {
      await check(id, bytes);
      return Bun.file(pathOf(id)).slice(0, bytes);
    },
    async eraseOthers(findKept, signal) {
      // Before the rows are read: what is made from now on may have a row that is not among them.
      const found = (await namesIn(folder)).filter((name) => isId(name, "upload"));
      const kept = await findKept();
      const others = found.filter((id) => !kept.has(id));
      if (others.length > 0) await eraseAll(others, signal);
    },
    erase: (id) => eraseAll([id], NEVER),
    findTroubles: room.findTroubles,
  };
}

/** Throws a Refusal `storage_unavailable` for an error of the file system, and any other unchanged. */
async function orRefuse<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw codeOf(error) === undefined ? error : storageUnavailable(error);
  }
}

/** The names in a folder; none when it isn't there. */
async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return [];
    throw error;
  }
}

/** The size of a file; undefined when there is none. Throws when it is something else. */
async function sizeOf(path: string): Promise<number | undefined> {
  try {
    const stats = await lstat(path);
    if (!stats.isFile()) throw notAFile();
    return stats.size;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

function notAFile(): Error {
  return Object.assign(new Error("a blob is no file, and is left alone"), { code: "BLOB_IS_NO_FILE" });
}

/** Opens a file, and lets `prepare` have it with its size. Throws, with nothing open, when it is something else. */
async function openChecked(
  path: string,
  flags: number,
  prepare: (file: FileHandle, size: number) => Promise<unknown>,
): Promise<FileHandle> {
  // Opening a folder would say something else.
  await sizeOf(path);
  const file = await open(path, flags | FLAGS, 0o600);
  try {
    const stats = await file.stat();
    if (!stats.isFile()) throw notAFile();
    await prepare(file, stats.size);
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Opens a file, lets `work` use it, and closes it. */
async function withFile<T>(
  path: string,
  flags: number,
  work: (file: FileHandle, stats: { readonly size: number }) => Promise<T>,
): Promise<T> {
  let size = 0;
  const file = await openChecked(path, flags, async (_file, found) => (size = found));
  try {
    return await work(file, { size });
  } finally {
    await file.close();
  }
}

async function writeAt(file: FileHandle, bytes: Uint8Array, at: number): Promise<void> {
  for (let written = 0; written < bytes.length;) {
    const { bytesWritten } = await file.write(bytes, written, bytes.length - written, at + written);
    written += bytesWritten;
  }
}

/** Overwrites a part of a file with zeros, and flushes them. Stops when `signal` is aborted. */
async function overwrite(file: FileHandle, start: number, end: number, signal?: AbortSignal): Promise<void> {
  let pending = 0;
  for (let at = start; at < end && !signal?.aborted;) {
    const piece = ZEROS.subarray(0, Math.min(ZEROS.length, end - at));
    await writeAt(file, piece, at);
    at += piece.length;
    pending += piece.length;
    if (pending < FLUSH_BYTES) continue;
    await file.datasync();
    pending = 0;
  }
  await file.datasync();
}

/** Cuts a file of `size` bytes to `bytes`, and overwrites what was behind them before. */
async function cut(file: FileHandle, size: number, bytes: number): Promise<void> {
  if (size <= bytes) return;
  await overwrite(file, bytes, size);
  await file.truncate(bytes);
  await file.datasync();
}

/** Makes a folder for its owner alone, if it is missing. */
async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) === "EEXIST") return;
    throw error;
  }
  const made = await open(folder, O_RDONLY);
  try {
    giveToOwner(made.fd, folder);
  } finally {
    await made.close();
  }
  await flushFolder(dirname(folder));
}

/** Flushes the names in a folder. */
async function flushFolder(folder: string): Promise<void> {
  const opened = await open(folder, O_RDONLY);
  try {
    await opened.sync();
  } finally {
    await opened.close();
  }
}
