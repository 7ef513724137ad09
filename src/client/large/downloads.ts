import { ciphertextPath } from "../../contract/operations.ts";
import { unexpected } from "../answers.ts";
import { startDeadline } from "../deadlines.ts";
import type { Deadline } from "../deadlines.ts";
import type { ClientError } from "../errors.ts";
import type { HttpClient } from "../http-client.ts";
import { toNetworkError } from "../network-errors.ts";
import type { Progress } from "../transfers.ts";
import { lineOf } from "./lines.ts";
import type { Line } from "./lines.ts";
import { createPerseverance, lost, refused, Setback } from "./setbacks.ts";

/** The server moves the end of the claim's window on, by an hour or more, when it is asked and at no other time. */
const RENEWAL_MS = 3 * 60_000;

/** The ciphertext of a claimed large secret. */
export interface Download {
  readonly id: string;
  /** The key of the claim. */
  readonly idempotencyKey: string;
  /** The length that the claim said. */
  readonly bytes: number;
  readonly onProgress?: Progress | undefined;
  /** Called after each call that moved the end of the window on, with the time at which it was made. */
  readonly onRenewal?: ((askedAt: number) => void) | undefined;
  /** Ends the download, which then throws `interrupted`. */
  readonly until?: AbortSignal | undefined;
  /** The time in milliseconds; tests move it. */
  readonly now?: () => number;
}

/**
 * Downloads a ciphertext while it is read. It goes on after lost connections and while the server is away, unless
 * nothing comes for ten minutes. The stream throws ClientError; `secret_claimed` once the claim can't be repeated.
 * An answer that takes long is broken off, and gone on with in another, before the claim's window ends.
 */
export function downloadCiphertext(client: HttpClient, download: Download): ReadableStream<Uint8Array> {
  const { bytes, onProgress, onRenewal, until, now = Date.now } = download;
  const stopping = new AbortController();
  const { signal, ...rest } = lineOf(client);
  const line = {
    ...rest,
    signal: AbortSignal.any([stopping.signal, signal, until].filter((each) => each !== undefined)),
  };
  const perseverance = createPerseverance(line);
  let part: Part | undefined;
  let tag: string | undefined;
  let at = 0;
  let askedAt = 0;

  const read = async (): Promise<Uint8Array> => {
    if (part && now() - askedAt >= RENEWAL_MS) close();
    if (!part) {
      askedAt = now();
      part = await openPart(line, download, at, tag);
      tag = part.tag;
      onRenewal?.(askedAt);
    }
    const piece = await part.read();
    if (piece.length > bytes - at) throw unexpected();
    return piece;
  };
  const close = () => {
    part?.close();
    part = undefined;
  };

  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        while (!stopping.signal.aborted) {
          try {
            const piece = await read();
            at += piece.length;
            perseverance.onProgress();
            onProgress?.("down", at, bytes);
            if (piece.length > 0) controller.enqueue(piece);
            if (at === bytes) {
              close();
              controller.close();
            }
            if (piece.length > 0 || at === bytes) return;
          } catch (error) {
            close();
            if (!stopping.signal.aborted) await perseverance.pauseAfter(error);
          }
        }
      },
      cancel() {
        stopping.abort();
        close();
      },
    },
    { highWaterMark: 0 },
  );
}

/** The answer to one call, from some byte to the end. */
interface Part {
  readonly tag: string | undefined;
  /** Reads the next piece. Throws Setback, also at the end. */
  read(): Promise<Uint8Array>;
  close(): void;
}

/** Makes one call for the bytes after `at`. Throws Setback and ClientError. */
async function openPart(line: Line, download: Download, at: number, knownTag: string | undefined): Promise<Part> {
  const { top, authorization, fetch, patience, signal } = line;
  const deadline = startDeadline(patience, { waitMs: 0, sentBytes: 0 }, signal);
  try {
    const response = await fetch(top + ciphertextPath(download.id), {
      headers: {
        accept: "application/octet-stream, application/problem+json",
        "idempotency-key": download.idempotencyKey,
        ...authorization,
        ...(at === 0 ? {} : { range: `bytes=${at}-` }),
      },
      redirect: "manual",
      signal: deadline.signal,
    });
    if (!response.ok) throw await refused(response, line, deadline.beginBody());
    const tag = response.headers.get("etag") ?? undefined;
    if (!isPartOf(response, download, at) || (at > 0 && tag !== knownTag)) {
      await response.body?.cancel();
      throw changed();
    }
    return toPart(line, response, tag, deadline);
  } catch (error) {
    deadline.stop();
    throw lost(error, line, deadline.signal);
  }
}

/** True for an answer that has the bytes after `at`, and all of them. */
function isPartOf({ status, headers }: Response, { bytes }: Download, at: number): boolean {
  const length = headers.get("content-length");
  if (length !== null && Number(length) !== bytes - at) return false;
  if (at === 0) return status === 200;
  return status === 206 && headers.get("content-range") === `bytes ${at}-${bytes - 1}/${bytes}`;
}

function changed(): ClientError {
  return unexpected(
    "The server doesn't go on with the secret where it was: it has other bytes than before.",
    "Run the same command again, which starts over.",
  );
}

function toPart(line: Line, { body }: Response, tag: string | undefined, deadline: Deadline): Part {
  const reader = body?.getReader();
  const end = () => new Setback(toNetworkError(undefined, line.baseUrl));
  return {
    tag,
    async read() {
      // The time that the caller takes with a piece doesn't count.
      deadline.goOn();
      try {
        const { value } = (await reader?.read()) ?? {};
        if (!value) throw end();
        return value;
      } catch (error) {
        throw lost(error, line, deadline.signal);
      } finally {
        deadline.stop();
      }
    },
    close() {
      deadline.stop();
      void reader?.cancel().catch(() => undefined);
    },
  };
}
