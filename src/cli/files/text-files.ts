import { closeSync } from "node:fs";
import { openToRead, readOpenedSoon } from "../../config/readable-files.ts";
import { reasonOf } from "../terminal/system-errors.ts";
import { CommandError, usageError } from "../terminal/terminal.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** Longer than any text that a command reads: a device must not be read for ever. */
const MAX_BYTES = 1024 * 1024;

/**
 * The text of the file or pipe at `path`. `flag` is the option that names it; undefined for an argument. Throws
 * CommandError when it can't be read, is not UTF-8, or is larger than 1 MiB, and on Ctrl-C.
 */
export async function readTextFile(
  terminal: Pick<Terminal, "interruptible">,
  path: string,
  flag?: string,
): Promise<string> {
  const complaint = flag === undefined ? `Can't read '${path}'` : `${flag}: can't read '${path}'`;
  let bytes: Uint8Array;
  try {
    bytes = await readInterruptibly(terminal, openToRead(path), MAX_BYTES + 1);
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw usageError(`${complaint}: ${reasonOf(error)}.`);
  }
  if (bytes.length > MAX_BYTES) throw usageError(`${complaint}: it is larger than 1 MiB.`);
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw usageError(`${complaint}: it isn't UTF-8 text.`);
  }
}

/** Reads at most `mostBytes` of an open file, and closes it. Throws what node:fs throws, and CommandError on Ctrl-C. */
export async function readInterruptibly(
  { interruptible }: Pick<Terminal, "interruptible">,
  file: number,
  mostBytes: number,
): Promise<Buffer> {
  try {
    return await readOpenedSoon(file, mostBytes, () => {
      if (interruptible().aborted) throw new CommandError("Interrupted.", "interrupted");
    });
  } finally {
    closeSync(file);
  }
}
