import { Refusal } from "../../domain/values/errors.ts";
import type { BodyPace } from "../options.ts";

/** Slower than a slow mobile connection. Bun itself ends a connection after half a minute without a byte. */
export const BODY_PACE: BodyPace = { graceMs: 10_000, bytesPerSecond: 16 * 1024 };

/** Bodies up to this size are read whole, and larger ones as a stream. */
const SMALL_BYTES = 64 * 1024;
/** A body without a declared length takes room in steps of this size. */
const STEP_BYTES = 256 * 1024;
const MAX_CHECK_INTERVAL_MS = 1000;

export interface BodyLimits {
  readonly maxBytes: number;
  readonly pace: BodyPace;
  /** Reserves room for `bytes` in all. May throw a Refusal. */
  readonly grow: (bytes: number) => void;
}

/**
 * Reads the body of `request`. Rejects with a Refusal: `payload_too_large` or `body_too_slow` as soon as it is too
 * large or behind the least speed, or what `grow` throws. Rejects with Bun's own error when the caller disconnects.
 */
export async function readBody(request: Request, limits: BodyLimits): Promise<Uint8Array<ArrayBuffer>> {
  const length = request.headers.get("content-length");
  if (length === null) return readStream(request, limits, undefined);
  const bytes = Number(length);
  if (bytes > limits.maxBytes) throw new Refusal("payload_too_large");
  limits.grow(bytes);
  // Bun reads no more than was declared.
  return bytes > SMALL_BYTES ? readStream(request, limits, bytes) : readWhole(request, limits.pace, bytes);
}

async function readWhole(request: Request, pace: BodyPace, bytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const allowedMs = pace.graceMs + (bytes / pace.bytesPerSecond) * 1000;
  const timer = setTimeout(() => reject(new Refusal("body_too_slow")), allowedMs);
  const reading = request.arrayBuffer();
  try {
    return new Uint8Array(await Promise.race([reading, late]));
  } finally {
    clearTimeout(timer);
    // The slow client is disconnected, and then this rejects too. The refusal was already reported.
    reading.catch(() => undefined);
  }
}

async function readStream(
  request: Request,
  limits: BodyLimits,
  length: number | undefined,
): Promise<Uint8Array<ArrayBuffer>> {
  const reader = request.body?.getReader();
  if (!reader) return new Uint8Array();
  const target = length === undefined ? growing(limits) : fixed(length);
  const { promise: late, reject } = Promise.withResolvers<never>();
  const { graceMs, bytesPerSecond } = limits.pace;
  const startedAt = performance.now();
  const timer = setInterval(
    () => {
      const due = ((performance.now() - startedAt - graceMs) / 1000) * bytesPerSecond;
      if (target.size() < due) reject(new Refusal("body_too_slow"));
    },
    Math.min(graceMs, MAX_CHECK_INTERVAL_MS),
  );
  try {
    for (;;) {
      const { done, value } = await Promise.race([reader.read(), late]);
      if (done) return target.bytes();
      target.append(value);
    }
  } catch (error) {
    // Discards the rest of the body.
    reader.cancel().catch(() => undefined);
    throw error;
  } finally {
    clearInterval(timer);
  }
}

/**
 * The pieces of a body that may have any length, each read when it is asked for, and empty when the next is. Throws a
 * Refusal `body_too_slow` when it is behind the least speed, the reason of `stop` once that is aborted, and Bun's own
 * error when the caller disconnects.
 */
export async function* readPieces(request: Request, pace: BodyPace, stop: AbortSignal): AsyncGenerator<Uint8Array> {
  const reader = request.body?.getReader();
  if (!reader) return;
  let failure: { readonly reason: unknown } | undefined;
  // Ends the read that waits. A race with a promise that outlives it would keep every piece in memory.
  const endBy = (reason: unknown) => {
    failure ??= { reason };
    reader.cancel().catch(() => undefined);
  };
  const onStop = () => endBy(stop.reason);
  stop.addEventListener("abort", onStop);
  const { graceMs, bytesPerSecond } = pace;
  let [size, waitedMs] = [0, 0];
  try {
    for (;;) {
      // The time in which the disk is slow isn't the caller's.
      const allowedMs = graceMs + (size / bytesPerSecond) * 1000 - waitedMs;
      const timer = setTimeout(() => endBy(new Refusal("body_too_slow")), allowedMs);
      const askedAt = performance.now();
      const piece = await reader.read().finally(() => clearTimeout(timer));
      waitedMs += performance.now() - askedAt;
      if (failure) throw failure.reason;
      if (piece.done) return;
      size += piece.value.length;
      yield piece.value;
      giveBack(piece.value);
    }
  } finally {
    stop.removeEventListener("abort", onStop);
    // Discards the rest of the body.
    reader.cancel().catch(() => undefined);
  }
}

/**
 * Frees the memory of a large body, or of a piece of it, now. The garbage collector sees only how small the array is on
 * its own heap, and would free it much later.
 */
export function giveBack(bytes: Uint8Array<ArrayBuffer>): void {
  // The rest of the memory under a partial view may be in use.
  if (bytes.length === bytes.buffer.byteLength) bytes.buffer.transfer(0);
}

/** Collects the pieces of a body. */
interface Target {
  /** Takes the chunk, which is empty afterwards. */
  append(chunk: Uint8Array<ArrayBuffer>): void;
  size(): number;
  bytes(): Uint8Array<ArrayBuffer>;
}

/** One block of memory, for a body with a declared length. The system backs it page by page, as it is written. */
function fixed(length: number): Target {
  const bytes = new Uint8Array(length);
  let size = 0;
  return {
    append(chunk) {
      bytes.set(chunk, size);
      size += chunk.byteLength;
      giveBack(chunk);
    },
    size: () => size,
    bytes: () => bytes.subarray(0, size),
  };
}

function growing({ maxBytes, grow }: BodyLimits): Target {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  return {
    append(chunk) {
      size += chunk.byteLength;
      if (size > maxBytes) throw new Refusal("payload_too_large");
      grow(Math.ceil(size / STEP_BYTES) * STEP_BYTES);
      chunks.push(chunk);
    },
    size: () => size,
    bytes() {
      const bytes = Buffer.concat(chunks);
      chunks.forEach(giveBack);
      return bytes;
    },
  };
}
