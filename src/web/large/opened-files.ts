import { attempt } from "../browser/attempts.ts";

/*
 * The files of large secrets that were opened, in the browser's private file system: each opening has a folder of its
 * own, with a number for a name of each file. They are plaintext. A folder belongs to the page that holds its lock, and
 * is removed with the page. One that nobody holds was left by a page that ended otherwise.
 */

const FOLDERS = "handoff-files";
const LOCK = "handoff files ";
/** In localStorage while there may be folders: a page that opens a link loads this file then. */
const MARK = "handoff files";

const MOST_TRIES = 5;
const PAUSE_MS = 200;

/** What only workers have (File System Standard, WHATWG), as far as it is used here. */
interface WorkerFile extends FileSystemFileHandle {
  createSyncAccessHandle(): Promise<{
    write(bytes: Uint8Array, options: { readonly at: number }): number;
    truncate(bytes: number): void;
    flush(): void;
    getSize(): number;
    close(): void;
  }>;
}

/** The number of a file, or the ZIP of all of them. */
type StoredName = number | "zip";

/** The folder of one opening. */
export interface HeldFolder {
  readonly name: string;
  /** Returns a stored file, which stays on the disk while it is read. */
  readonly fileAt: (name: StoredName) => Promise<File>;
  /** Removes the folder with its files, and ends the hold. */
  readonly drop: () => Promise<void>;
}

/** Begins to hold a new folder, until it is dropped or the page ends. Rejects where the browser can't. */
export async function holdFolder(): Promise<HeldFolder> {
  const name = crypto.randomUUID();
  const release = await hold(LOCK + name);
  try {
    const folders = await openFolders();
    await folders.getDirectoryHandle(name, { create: true });
    mark(true);
    const remove = () => folders.removeEntry(name, { recursive: true });
    const onLeave = ({ persisted }: PageTransitionEvent) => void (persisted || remove().catch(() => undefined));
    addEventListener("pagehide", onLeave);
    return {
      name,
      fileAt: (file) => getStoredFile(name, file),
      async drop() {
        removeEventListener("pagehide", onLeave);
        // A worker that has just ended may still hold a file. What stays is removed as what a page has left.
        for (let tries = 1; tries <= MOST_TRIES; tries++) {
          if (await attempt(() => remove().then(() => true), false)) break;
          await new Promise((resolve) => void setTimeout(resolve, PAUSE_MS));
        }
        release();
      },
    };
  } catch (error) {
    release();
    throw error;
  }
}

/** Returns a file of the held folder `folderName`. */
export async function getStoredFile(folderName: string, name: StoredName): Promise<File> {
  const folder = await (await openFolders()).getDirectoryHandle(folderName);
  return (await folder.getFileHandle(String(name))).getFile();
}

/** A file that is written from its beginning. */
export interface FileWriter {
  readonly write: (bytes: Uint8Array) => Promise<void>;
  /** Ends the file, whole or not. Resolves with its length on the disk. */
  readonly close: () => Promise<number>;
}

/** Creates a file of the held folder `folderName`, or empties it. Only a worker can. */
export async function createFile(folderName: string, name: StoredName): Promise<FileWriter> {
  const { file } = await openForWriting(folderName, String(name));
  file.truncate(0);
  let at = 0;
  return {
    async write(bytes) {
      for (let left = bytes; left.length > 0;) {
        const written = file.write(left, { at });
        // In private windows, Chromium returns an error as a number that can't be.
        if (written < 1 || written > left.length) throw new Error("nothing more is written");
        at += written;
        left = left.subarray(written);
      }
    },
    async close() {
      try {
        file.flush();
        return file.getSize();
      } finally {
        file.close();
      }
    },
  };
}

/** Whether a browser can store the files of a secret: `full` when it lacks the room for it. */
export type Room = "enough" | "full" | "unable";

/** Tries whether `bytes` can be stored in the held folder `name`. Only a worker can. */
export async function findRoom(name: string, bytes: number): Promise<Room> {
  try {
    const { folder, file } = await openForWriting(name, "room");
    try {
      // An estimate isn't asked for: Chromium says 10 GiB on any disk. Where a browser gives no room, this is refused
      // or has no effect. It writes nothing so far.
      file.truncate(bytes);
      if (file.getSize() !== bytes) return "full";
      file.truncate(0);
      file.write(new Uint8Array(1), { at: 0 });
      file.flush();
    } finally {
      file.close();
    }
    await folder.removeEntry("room");
    return "enough";
  } catch (error) {
    return isFull(error) ? "full" : "unable";
  }
}

/** True for the error of a browser that has no more room. */
function isFull(error: unknown): boolean {
  return error instanceof Error && error.name === "QuotaExceededError";
}

/** Removes the folders that nobody holds. Ignores failures: the next page tries again. */
export async function dropLeftFolders(): Promise<void> {
  try {
    const folders = await openFolders();
    let isAnyLeft = false;
    const names: string[] = [];
    for await (const name of folders.keys()) names.push(name);
    for (const name of names) {
      await navigator.locks.request(LOCK + name, { ifAvailable: true }, async (lock) => {
        if (lock) await folders.removeEntry(name, { recursive: true });
        else isAnyLeft = true;
      });
    }
    if (!isAnyLeft) mark(false);
  } catch {
    // Nothing can be done about it now.
  }
}

async function openForWriting(folderName: string, name: string) {
  const folder = await (await openFolders()).getDirectoryHandle(folderName, { create: true });
  const handle = (await folder.getFileHandle(name, { create: true })) as WorkerFile;
  return { folder, file: await handle.createSyncAccessHandle() };
}

async function openFolders(): Promise<FileSystemDirectoryHandle> {
  return (await navigator.storage.getDirectory()).getDirectoryHandle(FOLDERS, { create: true });
}

/** Resolves once the lock is held, with what releases it. Rejects where there are no locks. */
function hold(name: string): Promise<() => void> {
  return new Promise((resolve, reject) => {
    navigator.locks
      .request(name, () => new Promise<void>((release) => resolve(() => release(undefined))))
      .catch(reject);
  });
}

function mark(hasFolders: boolean): void {
  try {
    if (hasFolders) localStorage.setItem(MARK, "1");
    else localStorage.removeItem(MARK);
  } catch {
    // A browser that keeps nothing here keeps no files either.
  }
}
