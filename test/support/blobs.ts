import { join } from "node:path";
import type { Appending, BlobStore } from "../../src/domain/ports/uploads.ts";

const SCRIPT = join(import.meta.dir, "blob-process.ts");

/** The length of the pieces that a process adds. */
export const PIECE_BYTES = 100_000;

/** The piece with this number, which differs from every other. */
export function pieceAt(number: number): Uint8Array<ArrayBuffer> {
  const piece = new Uint8Array(PIECE_BYTES).fill(1 + (number % 255));
  new DataView(piece.buffer).setUint32(0, number);
  return piece;
}

/**
 * Has a process work on the blob `id` in `folder`, and kills it once `isTime` holds, which gets the number of pieces
 * that it has written.
 */
export async function killAtWork(
  folder: string,
  id: string,
  work: "append" | "erase",
  isTime: (pieces: number) => boolean,
): Promise<void> {
  const child = Bun.spawn([process.execPath, SCRIPT, folder, id, work], { stdout: "pipe", stderr: "inherit" });
  let pieces = 0;
  const counting = (async () => {
    for await (const chunk of child.stdout) pieces += chunk.length;
  })();
  while (!isTime(pieces)) {
    if (child.exitCode !== null) throw new Error("it has ended before it was killed");
    await Bun.sleep(1);
  }
  child.kill("SIGKILL");
  await child.exited;
  await counting;
}

/** Writes pieces at the end of a blob, and returns its length. What comes before they fail is kept. */
export async function append(
  blobs: BlobStore,
  id: string,
  offset: number,
  pieces: AsyncIterable<Uint8Array>,
  how: Partial<Appending> = {},
): Promise<number> {
  let end = offset;
  const onStored: Appending["onStored"] = async (stored) => void (end = stored.end);
  await blobs.append(id, offset, pieces, { isWhole: false, mayKeep: () => true, onStored, ...how });
  return end;
}

/** The first bytes of a blob, from `start` up to `end`. */
export async function readBlob(
  blobs: BlobStore,
  id: string,
  bytes: number,
  start = 0,
  end = bytes,
): Promise<Uint8Array> {
  const blob = await blobs.read(id, bytes);
  if (blob instanceof Blob) return blob.slice(start, end).bytes();
  return new Response(await blob.open(start, end)).bytes();
}

/** The length of a blob, in files. */
export const sizeOf = (blobs: BlobStore, id: string) => blobs.size({ id, offset: 0 });
