import { closeSync, fchmodSync, mkdirSync, openSync, readSync, unlinkSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { KeptCiphertext } from "../../client/large/sends.ts";
import { tooLarge } from "../../client/limits.ts";
import { reasonOf } from "../terminal/system-errors.ts";
import { CommandError } from "../terminal/terminal.ts";

const PIECE_BYTES = 256 * 1024;

/**
 * Keeps a ciphertext, whose length is then known, in a file below `folder`. The file has no name, so that nothing of it
 * stays when the process ends. Throws CommandError, and ClientError for more than `maxBytes`.
 */
export async function spool(
  folder: string,
  ciphertext: ReadableStream<Uint8Array>,
  { maxBytes, onBytes }: { readonly maxBytes: number; readonly onBytes?: ((bytes: number) => void) | undefined },
): Promise<KeptCiphertext> {
  const file = openNameless(folder);
  let bytes = 0;
  try {
    for await (const piece of ciphertext) {
      if (bytes + piece.length > maxBytes) throw tooLarge(maxBytes);
      write(folder, file, piece);
      bytes += piece.length;
      onBytes?.(bytes);
    }
  } catch (error) {
    closeSync(file);
    throw error;
  }
  return {
    bytes,
    ciphertext: readFrom(folder, file, bytes),
    [Symbol.asyncDispose]: async () => closeSync(file),
  };
}

function openNameless(folder: string): number {
  const path = join(folder, `sending-${crypto.randomUUID()}.part`);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const file = openSync(path, "wx+", 0o600);
    unlinkSync(path);
    fchmodSync(file, 0o600);
    return file;
  } catch (error) {
    throw unwritable(folder, error);
  }
}

function write(folder: string, file: number, piece: Uint8Array): void {
  try {
    for (let written = 0; written < piece.length;) written += writeSync(file, piece, written);
  } catch (error) {
    throw unwritable(folder, error);
  }
}

function unwritable(folder: string, error: unknown): CommandError {
  return new CommandError(
    `Can't keep what is to be sent, encrypted, in '${folder}': ${reasonOf(error)}. XDG_STATE_HOME can name another directory. To send a file, name it: nothing is kept then.`,
  );
}

function readFrom(folder: string, file: number, bytes: number): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (at === bytes) return controller.close();
        const piece = new Uint8Array(Math.min(PIECE_BYTES, bytes - at));
        try {
          const length = readSync(file, piece, 0, piece.length, at);
          if (length === 0) throw new Error("the file is shorter than what was written");
          at += length;
          controller.enqueue(piece.subarray(0, length));
        } catch (error) {
          controller.error(unwritable(folder, error));
        }
      },
    },
    { highWaterMark: 0 },
  );
}
