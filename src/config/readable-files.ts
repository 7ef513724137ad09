import { closeSync, constants, fstatSync, openSync, readlinkSync, readSync } from "node:fs";
import { codeOf } from "../contract/error-traces.ts";

/** The time between two looks at a pipe that has nothing to read yet. */
const PAUSE_MS = 10;

/** The code of the error for a named pipe of another user. */
export const FOREIGN_PIPE = "FOREIGN_PIPE";
export const FOREIGN_PIPE_REASON = "it's a pipe of another user, who may never write to it";

/**
 * Opens a file or pipe for reading, without waiting for anybody to write. Throws what node:fs throws, and an error with
 * the code FOREIGN_PIPE for a named pipe that neither this user nor root made.
 */
export function openToRead(path: string): number {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const { uid } = fstatSync(file);
  if (!isNamedPipe(file) || uid === 0 || uid === process.geteuid?.()) return file;
  closeSync(file);
  throw Object.assign(new Error(FOREIGN_PIPE_REASON), { code: FOREIGN_PIPE });
}

/** Reads an open file to its end, or `mostBytes` of it. Waits for a pipe, and handles no signal meanwhile. */
export function readOpened(file: number, mostBytes: number): Buffer {
  const reading = readInTurns(file, mostBytes);
  for (;;) {
    const { done, value } = reading.next();
    if (done) return value;
    Bun.sleepSync(PAUSE_MS);
  }
}

/**
 * The same, and signals are handled meanwhile. Calls `onPause` whenever a pipe has nothing yet, and throws what
 * that throws.
 */
export async function readOpenedSoon(file: number, mostBytes: number, onPause: () => void): Promise<Buffer> {
  const reading = readInTurns(file, mostBytes);
  for (;;) {
    const { done, value } = reading.next();
    if (done) return value;
    onPause();
    await Bun.sleep(PAUSE_MS);
  }
}

/** Reads at most `mostBytes` of the file at `path`. Throws as `openToRead` and node:fs. */
export function readBeginning(path: string, mostBytes: number): Buffer {
  const file = openToRead(path);
  try {
    return readOpened(file, mostBytes);
  } finally {
    closeSync(file);
  }
}

/** Yields whenever there is nothing to read yet. */
function* readInTurns(file: number, mostBytes: number): Generator<undefined, Buffer> {
  const waitsForWriter = isNamedPipe(file);
  const buffer = Buffer.alloc(mostBytes);
  let length = 0;
  while (length < mostBytes) {
    const read = readIfReady(file, buffer, length);
    // Before somebody opens a named pipe for writing, it looks like one at its end.
    if (read === undefined || (read === 0 && length === 0 && waitsForWriter)) yield;
    else if (read === 0) break;
    else length += read;
  }
  return buffer.subarray(0, length);
}

function readIfReady(file: number, buffer: Buffer, offset: number): number | undefined {
  try {
    return readSync(file, buffer, offset, buffer.length - offset, null);
  } catch (error) {
    if (codeOf(error) === "EAGAIN") return undefined;
    throw error;
  }
}

/** False for the pipes of `|` and `<(…)`, which only those have who were given them. */
function isNamedPipe(file: number): boolean {
  const stats = fstatSync(file);
  if (!stats.isFIFO()) return false;
  if (process.platform !== "linux") return stats.nlink > 0;
  return !readlinkSync(`/proc/self/fd/${file}`).startsWith("pipe:");
}
