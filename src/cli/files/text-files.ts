import { closeSync, openSync, readSync } from "node:fs";
import { reasonOf } from "../terminal/system-errors.ts";
import { usageError } from "../terminal/terminal.ts";

/** Longer than any text that a command reads: a device must not be read for ever. */
const MAX_BYTES = 1024 * 1024;

/**
 * The text of the file at `path`. `flag` is the option that names it; undefined for an argument. Throws CommandError
 * when it can't be read, is not UTF-8, or is larger than 1 MiB.
 */
export function readTextFile(path: string, flag?: string): string {
  const complaint = flag === undefined ? `Can't read '${path}'` : `${flag}: can't read '${path}'`;
  let bytes: Uint8Array;
  try {
    bytes = readBeginning(path);
  } catch (error) {
    throw usageError(`${complaint}: ${reasonOf(error)}.`);
  }
  if (bytes.length > MAX_BYTES) throw usageError(`${complaint}: it is larger than 1 MiB.`);
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw usageError(`${complaint}: it isn't UTF-8 text.`);
  }
}

/** The bytes of a file, and one more than the most if there are more. */
function readBeginning(path: string): Uint8Array {
  const descriptor = openSync(path, "r");
  try {
    const bytes = new Uint8Array(MAX_BYTES + 1);
    let length = 0;
    for (let got = 1; got > 0 && length < bytes.length; length += got) {
      got = readSync(descriptor, bytes, length, bytes.length - length, null);
    }
    return bytes.subarray(0, length);
  } finally {
    closeSync(descriptor);
  }
}
