import type { ParsedTarEntry } from "modern-tar";
import { UserError } from "../contract/user-errors.ts";
import { streamOf } from "./byte-streams.ts";
import {
  ContentError,
  createEntryCounter,
  findTextName,
  loadArchives,
  readHeader,
  sparse,
  toHeader,
  tooManyEntries,
} from "./contents.ts";
import type { ContentFile } from "./contents.ts";
import type { NameStyle } from "./entry-names.ts";
import { createKindScanner } from "./tar-kinds.ts";

// Archives that are too large for memory. They are the same archives as those of `contents.ts`.

/** A file or folder without its bytes. */
export type FileFacts = Omit<ContentFile, "bytes">;

/** A file whose bytes are read when its turn comes. */
export interface ReadableFile extends FileFacts {
  readonly size: number;
  /** True for text without a name, as `toTextBeside` returns. */
  readonly isNameless?: boolean;
  /** Exactly `size` bytes in pieces, none of which is changed afterwards. A folder has none. */
  readonly read: () => AsyncIterable<Uint8Array>;
}

/** An archive is damaged; the message is for people. */
export class DamagedArchiveError extends ContentError {}

/** Text beside `files`, contract section 10. It comes before them. */
export function toTextBeside(text: string, files: readonly FileFacts[]): ReadableFile {
  const bytes = new TextEncoder().encode(text);
  const facts = { name: findTextName(files), isExecutable: false, isFolder: false, isNameless: true };
  return { ...facts, size: bytes.length, read: () => streamOf([bytes]) };
}

const ZEROS = new Uint8Array(1024 * 1024);

/** The length of the archive of these files. */
export async function archiveBytesOf(files: readonly ReadableFile[]): Promise<number> {
  const reader = (await packArchive(files.map((each) => ({ ...each, read: () => zeros(each.size) })))).getReader();
  let bytes = 0;
  for (let read = await reader.read(); !read.done; read = await reader.read()) bytes += read.value.length;
  return bytes;
}

// oxlint-disable-next-line require-await -- the pieces of other files have to be waited for
async function* zeros(size: number): AsyncGenerator<Uint8Array> {
  for (let left = size; left > 0; left -= ZEROS.length) yield ZEROS.subarray(0, left);
}

/** Packs files into an archive while it is read. The stream throws what reading a file throws. */
export async function packArchive(files: readonly ReadableFile[]): Promise<ReadableStream<Uint8Array>> {
  const { createTarPacker } = await loadArchives();
  const { readable, controller } = createTarPacker();
  const pack = async () => {
    for (const file of files) {
      const writer = controller.add(toHeader(file)).getWriter();
      // What the stream throws is thrown below.
      writer.closed.catch(() => undefined);
      if (!file.isFolder) for await (const piece of file.read()) await writer.write(piece);
      await writer.close();
    }
    controller.finalize();
  };
  void pack().catch((error: unknown) => controller.error(error));
  return readable;
}

/** An entry of an archive. Its pieces have to be read before the next entry. */
export interface ArchiveEntry extends FileFacts {
  readonly size: number;
  /** True when it may be content without a name. */
  readonly isNameless: boolean;
  readonly pieces: AsyncIterable<Uint8Array>;
}

/**
 * Yields the entries of an archive while it is read, with names in this `style`. Throws ContentError and EntryNameError
 * as `decodeContent` does, after earlier entries were yielded; DamagedArchiveError for an archive that was cut off, or
 * has something behind its end; and what the stream throws.
 */
export async function* unpackArchive(
  archive: ReadableStream<Uint8Array>,
  style: NameStyle,
): AsyncGenerator<ArchiveEntry, void> {
  const { createTarDecoder } = await loadArchives();
  const { readable, writable } = createTarDecoder({ strict: true });
  const feed = startFeed(archive, writable);
  const exceeds = createEntryCounter();
  const toError = () => (feed.failure ? feed.failure.error : damaged());
  const entries = readable.getReader();
  try {
    for (let read = await entries.read(); !read.done; read = await entries.read()) {
      const { header, body } = read.value;
      const facts = readHeader(header, style);
      if (exceeds(facts.name)) throw tooManyEntries();
      const pieces = readPieces(body, toError);
      yield { ...facts, size: header.size, pieces };
      // Whatever the caller left.
      for await (const _ of pieces);
    }
  } catch (error) {
    throw error instanceof UserError ? error : toError();
  } finally {
    feed.stop();
    // It lets go of a write that waits for its reader, for which an abort of the decoder's other end would wait.
    entries.cancel(new Error("nobody reads on")).catch(() => undefined);
  }
}

/** An archive on its way to the decoder. */
interface Feed {
  /** What reading the archive threw, or ContentError for sparse files. */
  readonly failure: { readonly error: unknown } | undefined;
  /** Ends the archive, and waits for nothing. */
  stop(): void;
}

/** Writes an archive to the decoder, as fast as its entries are read. */
function startFeed(archive: ReadableStream<Uint8Array>, decoder: WritableStream<Uint8Array>): Feed {
  const hasUnknownKind = createKindScanner();
  const reader = archive.getReader();
  const writer = decoder.getWriter();
  let failure: Feed["failure"];
  let isStopped = false;
  const read = async () => {
    try {
      const { value } = await reader.read();
      if (value && hasUnknownKind(value)) throw sparse();
      return value;
    } catch (error) {
      failure = { error };
      throw error;
    }
  };
  const stop = (reason?: unknown) => {
    isStopped = true;
    reader.cancel(reason).catch(() => undefined);
  };
  const feed = async () => {
    for (let piece = await read(); piece && !isStopped; piece = await read()) await writer.write(piece);
    if (!isStopped) await writer.close();
  };
  writer.closed.catch(() => undefined);
  feed().catch((error: unknown) => {
    writer.abort(error).catch(() => undefined);
    stop(error);
  });
  return {
    get failure() {
      return failure;
    },
    stop,
  };
}

/** The bytes of an entry. Whatever reading them throws, the error that `toError` returns is thrown. */
async function* readPieces(body: ParsedTarEntry["body"], toError: () => unknown): AsyncGenerator<Uint8Array, void> {
  const reader = body.getReader();
  const next = () =>
    reader.read().catch(() => {
      throw toError();
    });
  for (let read = await next(); !read.done; read = await next()) yield read.value;
}

function damaged(): DamagedArchiveError {
  return new DamagedArchiveError(
    "The archive in this secret is damaged: it was cut off, or has something behind its end. Nothing was written.",
  );
}
