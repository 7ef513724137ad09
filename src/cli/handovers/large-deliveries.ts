import { existsSync, statSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { ClientError } from "../../client/errors.ts";
import { createTextCheck, lookAtContent, namelessFileName } from "../../client/large/large-contents.ts";
import { DamagedArchiveError, unpackArchive } from "../../crypto/archive-streams.ts";
import type { FileFacts } from "../../crypto/archive-streams.ts";
import { ContentError } from "../../crypto/contents.ts";
import { EntryNameError } from "../../crypto/entry-names.ts";
import type { NameStyle } from "../../crypto/entry-names.ts";
import { checkPlace, receiveFiles } from "../files/received-files.ts";
import type { PlacedFiles, ReceivedFiles } from "../files/received-files.ts";
import { DeliveryError } from "../terminal/repeats.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { allowNames } from "./deceptive-names.ts";
import { isFolder, STANDARD_OUTPUT, tellNewFolder, tellPaths } from "./deliveries.ts";
import type { DeliveryFlags } from "./deliveries.ts";

/** The last sentence of all errors of archives. Kept apart there, it would make the page heavier. */
const NOTHING_WRITTEN = "Nothing was written.";

/** What to do about a damaged archive. */
export const ASK_AGAIN = "Ask for it to be sent again.";

interface LargeDelivery extends DeliveryFlags {
  /** Names the new folder, and the unfinished one. */
  readonly id: string;
  readonly nameStyle: NameStyle;
  /** True for a new folder, even below an output. */
  readonly isApart?: boolean;
}

/**
 * Writes the content of a large secret to its destination while it is read, with its own names at the end. Throws
 * CommandError, what decoding an archive throws, and what the stream throws; nothing is left then. Throws ClientError
 * for an archive of which a part was printed.
 */
export async function deliverLarge(
  terminal: Terminal,
  plaintext: ReadableStream<Uint8Array>,
  delivery: LargeDelivery,
): Promise<void> {
  const { isArchive, content } = await lookAtContent(plaintext);
  if (delivery.output === STANDARD_OUTPUT) return printLarge(terminal, content, isArchive);
  await (isArchive ? deliverArchive : deliverBytes)(terminal, content, delivery);
}

async function printLarge(terminal: Terminal, content: ReadableStream<Uint8Array>, isArchive: boolean): Promise<void> {
  if (terminal.isTerminal.out) {
    await content.cancel();
    throw new DeliveryError("A terminal can't show a secret this large.", "Run the same command with --output FILE,");
  }
  if (!isArchive) {
    for await (const piece of content) terminal.out(piece);
    return;
  }
  let isBegun = false;
  const print = (piece: Uint8Array) => {
    terminal.out(piece);
    isBegun = true;
  };
  try {
    await printArchive(content, print);
  } catch (error) {
    throw isBegun ? withWhatWasPrinted(error) : error;
  }
}

/** The error of an archive of which a part was printed. */
function withWhatWasPrinted(error: unknown): unknown {
  if (!(error instanceof ContentError || error instanceof EntryNameError)) return error;
  const [code, advice] =
    error instanceof DamagedArchiveError
      ? (["damaged_archive", ASK_AGAIN] as const)
      : (["unsafe_archive", ""] as const);
  const meaning = error.message.replace(NOTHING_WRITTEN, "Standard output got what came before that.");
  return new ClientError(code, "decryption", { meaning, advice });
}

async function printArchive(content: ReadableStream<Uint8Array>, print: (piece: Uint8Array) => void): Promise<void> {
  let count = 0;
  for await (const { isFolder: isDirectory, pieces } of unpackArchive(content, "safe")) {
    if (isDirectory || count++ > 0) {
      throw new DeliveryError(
        count > 1
          ? "This secret is several files, and standard output got the first of them."
          : "This secret is a directory, and standard output takes one file.",
        "Run the same command with --output DIRECTORY,",
      );
    }
    for await (const piece of pieces) print(piece);
  }
}

async function deliverArchive(
  terminal: Terminal,
  content: ReadableStream<Uint8Array>,
  delivery: LargeDelivery,
): Promise<void> {
  const { id, force = false, nameStyle } = delivery;
  const { target, parent } = placeOf(delivery);
  if (target !== undefined && existsSync(target) && !statSync(target).isDirectory()) {
    await content.cancel();
    throw new DeliveryError(
      `'${target}' is a file, and what came are files for a directory.`,
      "Run the same command with a directory in --output,",
    );
  }
  const near = target === undefined ? parent : existsSync(target) ? target : dirname(target);
  using received = receiveFiles(near, id);
  for await (const { size, isNameless: _isNameless, ...file } of unpackArchive(content, nameStyle)) {
    if (target !== undefined) checkPlace(target, { ...file, size }, force);
    await received.add(file);
  }
  await allowNames(terminal, received.files, delivery.yes === true);
  const placed = target === undefined ? received.placeAsNew(near, id) : await received.placeInto(target, force);
  tell(terminal, "files", received, placed, delivery);
}

async function deliverBytes(
  terminal: Terminal,
  content: ReadableStream<Uint8Array>,
  delivery: LargeDelivery,
): Promise<void> {
  const { id, output = "", force = false } = delivery;
  const { target, parent } = placeOf(delivery);
  const isNamed = target !== undefined && !isFolder(output);
  const near = target === undefined ? parent : isNamed || !existsSync(target) ? dirname(target) : target;
  using received = receiveFiles(near, id);
  const text = createTextCheck();
  const pieces = checked(content, text.add);
  await received.add({ name: "secret", isExecutable: false, isFolder: false, pieces });
  const kind = text.isText() ? "text" : "binary";
  received.rename(isNamed ? basename(output) : namelessFileName(kind === "text"));
  const placed =
    target === undefined ? received.placeAsNew(near, id) : await received.placeInto(isNamed ? near : target, force);
  tell(terminal, kind, received, placed, delivery);
}

/** The file or folder to write to; undefined for a new folder in `parent`. */
function placeOf({ output, isApart = false }: LargeDelivery) {
  const named = output === undefined ? undefined : resolve(output);
  return { target: isApart ? undefined : named, parent: (isApart ? named : undefined) ?? resolve(".") };
}

function tell(
  terminal: Terminal,
  kind: "files" | "text" | "binary",
  { files }: ReceivedFiles,
  { folder, paths }: PlacedFiles,
  delivery: LargeDelivery,
): void {
  // The names of those that were numbered are found again.
  const written: readonly FileFacts[] = files;
  if (placeOf(delivery).target === undefined && delivery.json !== true) tellNewFolder(terminal, folder, written);
  tellPaths(terminal, { kind, files: written }, paths, delivery);
}

async function* checked(
  content: AsyncIterable<Uint8Array>,
  onPiece: (piece: Uint8Array) => void,
): AsyncGenerator<Uint8Array, void> {
  for await (const piece of content) {
    onPiece(piece);
    yield piece;
  }
}
