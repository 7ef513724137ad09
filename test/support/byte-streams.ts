/** A stream of `bytes`, in pieces of at most `pieceBytes`. With `end`, it throws that in place of its end. */
export function streamOf(bytes: Uint8Array, pieceBytes = 10_000, end?: Error): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const piece = bytes.slice(at, at + pieceBytes);
        at += piece.length;
        if (piece.length > 0) controller.enqueue(piece);
        else if (end) controller.error(end);
        else controller.close();
      },
    },
    { highWaterMark: 0 },
  );
}

/** All bytes of a stream. Rejects with what it throws. */
export async function bytesOf(stream: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const piece of stream) pieces.push(piece);
  return new Uint8Array(Buffer.concat(pieces));
}
