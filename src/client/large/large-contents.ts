import { streamOf } from "../../crypto/byte-streams.ts";
import { beginsLikeTar } from "../../crypto/tar-headers.ts";

/** As many bytes as show whether an archive begins. */
const START_BYTES = 512;

/** Decrypted content of which the beginning was looked at. */
export interface SeenContent {
  readonly isArchive: boolean;
  /** All of it. */
  readonly content: ReadableStream<Uint8Array>;
}

/** Tells whether content is an archive. Throws what the stream throws. */
export async function lookAtContent(plaintext: ReadableStream<Uint8Array>): Promise<SeenContent> {
  const pieces = piecesOf(plaintext);
  const start: Uint8Array[] = [];
  const beginning = new Uint8Array(START_BYTES);
  let bytes = 0;
  while (bytes < START_BYTES) {
    const { done, value } = await pieces.next();
    if (done === true) break;
    start.push(value);
    beginning.set(value.subarray(0, START_BYTES - bytes), bytes);
    bytes += value.length;
  }
  const isArchive = beginsLikeTar(beginning.subarray(0, bytes));
  return { isArchive, content: streamOf(followed(start, pieces)) };
}

/** The pieces of a stream, which is canceled when they aren't read to the end. */
export async function* piecesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  // In Safari, a stream isn't an async iterable.
  const reader = stream.getReader();
  let isWhole = false;
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
    isWhole = true;
  } finally {
    if (!isWhole) await reader.cancel().catch(() => undefined);
  }
}

async function* followed(
  start: Uint8Array[],
  rest: AsyncGenerator<Uint8Array, void>,
): AsyncGenerator<Uint8Array, void> {
  try {
    for (let piece = start.shift(); piece !== undefined; piece = start.shift()) yield piece;
    for (let read = await rest.next(); read.done !== true; read = await rest.next()) yield read.value;
  } finally {
    await rest.return();
  }
}

/** Tells whether bytes that come in pieces are text. */
export interface TextCheck {
  readonly add: (piece: Uint8Array) => void;
  /** Call it at the end. */
  readonly isText: () => boolean;
}

export function createTextCheck(): TextCheck {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  let isText = true;
  const decode = (piece?: Uint8Array) => {
    try {
      if (isText) decoder.decode(piece, { stream: piece !== undefined });
    } catch {
      isText = false;
    }
  };
  return {
    add: (piece) => decode(piece),
    isText() {
      decode();
      return isText;
    },
  };
}

/** What content without a name is called. */
export function namelessFileName(isText: boolean): string {
  return isText ? "secret.txt" : "secret.bin";
}
