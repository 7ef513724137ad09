import { closeSync, readSync } from "node:fs";
import type { LargeContent } from "../../client/large/sends.ts";
import { toLargeFiles } from "../../client/large/sends.ts";
import { contentBytesOf, largestContentOf, tooLarge } from "../../client/limits.ts";
import type { CredentialLimits } from "../../contract/credentials.ts";
import type { ReadableFile } from "../../crypto/archive-streams.ts";
import { streamOf } from "../../crypto/byte-streams.ts";
import type { Content } from "../../crypto/contents.ts";
import { beginsLikeTar } from "../../crypto/tar-headers.ts";
import { usageError } from "../terminal/terminal.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { findFiles, openRegular, readFound, readSource, toInput, unreadable } from "./sources.ts";
import type { FoundFile, SourceFlags } from "./sources.ts";

/** Content of this size is read without asking the server for its limits. */
const SMALL_BYTES = 512 * 1024;
const PIECE_BYTES = 256 * 1024;

/**
 * Finds content as `readSource` does, and reads all of it unless it is too large for one envelope of the server. Throws
 * CommandError; ClientError for content that is too large for a server that keeps no large secrets.
 */
export async function findSource(
  terminal: Terminal,
  source: SourceFlags,
  findLimits: () => Promise<CredentialLimits>,
): Promise<Content | LargeContent> {
  const { files, env, argumentsBefore = 0, isInputTaken = false } = source;
  const isNamed = files.length > 0 && !files.includes("-");
  if (env === undefined && isNamed) {
    const found = findFiles(files, argumentsBefore);
    const bytes = found.reduce((sum, { size }) => sum + size, 0);
    return (await isSmall(bytes, findLimits)) ? readFound(found) : toLargeFiles(found.map(toReadable));
  }
  const isInput = files.length > 0 ? files.every((each) => each === "-") : !terminal.isTerminal.in;
  return env === undefined && isInput && !isInputTaken ? findInput(terminal, findLimits) : readSource(terminal, source);
}

async function findInput(
  terminal: Terminal,
  findLimits: () => Promise<CredentialLimits>,
): Promise<Content | LargeContent> {
  const input = terminal.readPieces();
  const start: Uint8Array[] = [];
  let bytes = 0;
  for (let read = await input.next(); !read.done; read = await input.next()) {
    start.push(read.value);
    bytes += read.value.length;
    if (await isSmall(bytes, findLimits)) continue;
    if (beginsLikeTar(Buffer.concat(start.slice(0, 2)))) {
      throw usageError(
        "What comes from standard input is an archive that is too large to be sent from there. Save it to a file and send the file.",
      );
    }
    const plaintext = async () => streamOf(followed(start, input));
    return { kind: "large", plaintext, bytes: undefined, hint: { hasText: false, files: 1 } };
  }
  return toInput(Buffer.concat(start));
}

/** Yields what was read, and forgets it, then the rest. */
export async function* followed(
  start: Uint8Array[],
  rest: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
  for (let piece = start.shift(); piece !== undefined; piece = start.shift()) yield piece;
  yield* rest;
}

/** True for content that fits into one envelope, or may. Throws ClientError when the server takes nothing larger. */
async function isSmall(bytes: number, findLimits: () => Promise<CredentialLimits>): Promise<boolean> {
  if (bytes <= SMALL_BYTES) return true;
  const limits = await findLimits();
  if (bytes <= contentBytesOf(limits.max_ciphertext_bytes).most) return true;
  if (limits.max_secret_bytes === null) throw tooLarge(largestContentOf(limits));
  return false;
}

function toReadable({ path, ...facts }: FoundFile): ReadableFile {
  return { ...facts, read: () => readPieces(path, facts.size) };
}

/** Reads a file of `size` bytes. Throws CommandError when it has another size by now. */
// oxlint-disable-next-line require-await -- the pieces of other files have to be waited for
async function* readPieces(path: string, size: number): AsyncGenerator<Uint8Array, void> {
  const file = openRegular(path);
  try {
    let left = size;
    for (;;) {
      // One byte more than is left shows that the file has grown.
      const piece = new Uint8Array(Math.min(PIECE_BYTES, left + 1));
      const length = readInto(path, file, piece);
      if (length > left || (length === 0 && left > 0)) throw changed(path);
      if (length === 0) return;
      left -= length;
      yield piece.subarray(0, length);
    }
  } finally {
    closeSync(file);
  }
}

function readInto(path: string, file: number, piece: Uint8Array): number {
  try {
    return readSync(file, piece);
  } catch (error) {
    throw unreadable(path, error);
  }
}

function changed(path: string) {
  return usageError(`'${path}' changed while it was read. Nothing was sent. Send it when nobody writes to it.`);
}
