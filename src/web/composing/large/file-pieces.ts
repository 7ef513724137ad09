import { ClientError } from "../../../client/errors.ts";
import type { LargeFile } from "./messages.ts";

const PIECE_BYTES = 1024 * 1024;

/** A file is gone or was changed. The page has the sentence for people. */
export class UnreadableFileError extends ClientError {
  readonly file: string;

  constructor(file: string, cause?: unknown) {
    super("file_unreadable", "failure", "A file can't be read.", { cause });
    this.file = file;
  }
}

/**
 * Reads a file piece by piece. Throws UnreadableFileError. Its stream isn't used: in Safari it runs ahead of its
 * reader, until all of the file is in memory.
 */
export async function* readPieces({ name, blob }: LargeFile): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < blob.size; at += PIECE_BYTES) {
    const piece = blob.slice(at, at + PIECE_BYTES);
    const bytes = await piece.arrayBuffer().catch((cause: unknown) => {
      throw new UnreadableFileError(name, cause);
    });
    if (bytes.byteLength !== piece.size) throw new UnreadableFileError(name);
    yield new Uint8Array(bytes);
  }
}
