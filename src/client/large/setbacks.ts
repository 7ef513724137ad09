import type { ErrorCode } from "../../contract/error-codes.ts";
import { toRetryableFailure, unavailable, unexpected } from "../answers.ts";
import { ClientError } from "../errors.ts";
import type { LocalCode } from "../errors.ts";
import { interrupted, timedOut, toNetworkError } from "../network-errors.ts";
import { readBody } from "../transfers.ts";
import type { Line } from "./lines.ts";

const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 30_000;
const MAX_ANSWER_BYTES = 1024 * 1024;

/** The errors after which a transfer goes on where it was. */
const PASSING: ReadonlySet<ErrorCode | LocalCode> = new Set([
  "connection_failed",
  "connection_lost",
  "host_unknown",
  "timed_out",
  "gateway_unavailable",
  "internal",
  "rate_limited",
  "server_busy",
  "storage_unavailable",
  "body_too_slow",
  "offset_mismatch",
  "checksum_mismatch",
] satisfies (ErrorCode | LocalCode)[]);

/**
 * The errors of a network that answers in the server's place, as that of a hotel before its guest has agreed to
 * something. They pass for a server that has answered before.
 */
const OF_NETWORKS: ReadonlySet<ErrorCode | LocalCode> = new Set([
  "tls_untrusted",
  "tls_failed",
  "proxy_failed",
] satisfies LocalCode[]);

/** Codes that calls for pieces are answered with, beside those of all operations. */
const CODES: readonly ErrorCode[] = [
  "offset_mismatch",
  "checksum_mismatch",
  "upload_ended",
  "tus_version_unsupported",
  "ciphertext_unrecognized",
  "team_quota_exceeded",
  "payload_too_large",
  "body_too_slow",
  "server_busy",
  "secret_claimed",
  "secret_expired",
  "secret_revoked",
  "proof_required",
  "request_paused",
  "request_fulfilled",
  "request_expired",
  "request_revoked",
];

/** An attempt failed, and another may succeed. */
export class Setback extends Error {
  override readonly name = "Setback";
  readonly error: ClientError;
  readonly retryAfterMs: number | undefined;

  constructor(error: ClientError, retryAfterMs?: number) {
    super();
    this.error = error;
    this.retryAfterMs = retryAfterMs;
  }
}

/** What to do about setbacks. */
export interface Perseverance {
  /** Call it after each success that isn't had twice. */
  readonly onProgress: () => void;
  /**
   * Resolves after a pause when another attempt is worth it. Throws `thrown` when it isn't, and the error of a setback
   * when there was no progress for long.
   */
  readonly pauseAfter: (thrown: unknown) => Promise<void>;
}

/** Returns a perseverance; `hasWorked` says that the server has taken or given a piece before. */
export function createPerseverance({ sleep, signal, onRetry, perseveranceMs }: Line, hasWorked = false): Perseverance {
  let isKnown = hasWorked;
  let since = performance.now();
  let paused = 0;
  let count = 0;
  return {
    onProgress() {
      isKnown = true;
      since = performance.now();
      paused = 0;
      count = 0;
    },
    async pauseAfter(thrown) {
      const setback = toSetback(thrown, isKnown);
      if (!setback) throw thrown;
      // A test's sleep takes no time.
      const spent = Math.max(paused, performance.now() - since);
      const pauseMs = Math.min(setback.retryAfterMs ?? FIRST_PAUSE_MS * 2 ** count++, MAX_PAUSE_MS);
      if (spent + pauseMs > perseveranceMs) throw setback.error;
      onRetry?.(setback.error, pauseMs, false);
      await sleep(pauseMs, signal);
      paused += pauseMs;
      if (signal?.aborted) throw interrupted();
    },
  };
}

function toSetback(thrown: unknown, isKnown: boolean): Setback | undefined {
  if (thrown instanceof Setback) return thrown;
  if (!(thrown instanceof ClientError)) return undefined;
  const isPassing = PASSING.has(thrown.code) || (isKnown && OF_NETWORKS.has(thrown.code));
  return isPassing ? new Setback(thrown) : undefined;
}

/** Calls `work` until it succeeds. Throws what it throws when another attempt isn't worth it. */
export async function persist<T>(line: Line, work: () => Promise<T>, hasWorked = false): Promise<T> {
  const perseverance = createPerseverance(line, hasWorked);
  for (;;) {
    try {
      return await work();
    } catch (error) {
      await perseverance.pauseAfter(error);
    }
  }
}

/** The error of a call whose fetch was rejected with `error`, while its deadline may have ended it. */
export function lost(error: unknown, line: Line, deadline: AbortSignal): Error {
  if (error instanceof ClientError || error instanceof Setback) return error;
  if (line.signal?.aborted) return interrupted();
  const failure = deadline.aborted ? timedOut() : toNetworkError(error, line.baseUrl);
  return PASSING.has(failure.code) ? new Setback(failure) : failure;
}

/** Returns true where an upload may give way soon. */
function isFullForNow({ code }: ClientError, headers: Headers): boolean {
  return code === "team_quota_exceeded" && headers.has("retry-after");
}

/** The error for an answer that isn't a success. Reads its body. */
export async function refused(response: Response, line: Line, onBytes: (bytes: number) => void): Promise<Error> {
  const { status, headers } = response;
  const text = await readBody(response, MAX_ANSWER_BYTES, { onBytes, onProgress: undefined });
  if (text === undefined) return unexpected();
  try {
    // As a read: a piece that was kept without an answer isn't sent twice, because the server is asked first.
    const call = { baseUrl: line.baseUrl, operation: "getSecret", isOfLink: line.isOfLink, errors: CODES } as const;
    const { error, retryAfterMs } = toRetryableFailure({ status, headers, text }, call);
    return new Setback(error, retryAfterMs);
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    if (PASSING.has(error.code) || isFullForNow(error, headers)) return new Setback(error);
    // Whatever stands in front of the server and can't reach it.
    return status >= 500 ? new Setback(unavailable(status)) : error;
  }
}
