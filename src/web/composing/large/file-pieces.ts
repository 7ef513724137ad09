import { ClientError } from "../../../client/errors.ts";

const PIECE_BYTES = 1024 * 1024;

/**
 * Reads a file piece by piece. Throws ClientError `file_unreadable` when it is gone or was changed. Its stream isn't
 * used: in Safari it runs ahead of its reader, until all of the file is in memory.
 */
export async function* readPieces(file: Blob): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < file.size; at += PIECE_BYTES) {
    const piece = file.slice(at, at + PIECE_BYTES);
    const bytes = await piece.arrayBuffer().catch((cause: unknown) => {
      throw unreadable(cause);
    });
    if (bytes.byteLength !== piece.size) throw unreadable();
    yield new Uint8Array(bytes);
  }
}

function unreadable(cause?: unknown): ClientError {
  return new ClientError("file_unreadable", "failure", "A file can't be read.", { cause });
}
