import { join } from "node:path";

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
