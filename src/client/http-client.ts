import { isId } from "../contract/ids.ts";
import { CIPHERTEXT_BYTES } from "../contract/limits.ts";
import type { BodyOf, IdOf, QueryOf } from "../contract/operation-schemas.ts";
import { API_PREFIX, APPROVAL_HEADER, OPERATIONS, PROOF_HEADER } from "../contract/operations.ts";
import type { OperationId } from "../contract/operations.ts";
import { isChange, parseAnswer, toRetryableFailure, unexpected } from "./answers.ts";
import type { RetryableFailure } from "./answers.ts";
import { PATIENCE, pause, startDeadline } from "./deadlines.ts";
import type { Patience } from "./deadlines.ts";
import { ClientError } from "./errors.ts";
import { interrupted, timedOut, toNetworkError } from "./network-errors.ts";
import type { StreamCall } from "./streams.ts";
import { readBody, streamBody } from "./transfers.ts";
import type { Progress } from "./transfers.ts";
import { isDecision, withUnknownOutcome } from "./unknown-outcomes.ts";

/** The pauses double and take four seconds in all: a restarted server is back by then. */
const ATTEMPTS = 5;
const FIRST_PAUSE_MS = 250;
const MAX_RETRY_AFTER_MS = 60_000;
const MAX_ANSWER_BYTES = 1024 * 1024;
const MAX_CLAIM_BYTES = CIPHERTEXT_BYTES.max + MAX_ANSWER_BYTES;

/** The API of one server, used with one credential or none. */
export interface HttpClient {
  readonly baseUrl: string;
  /** Makes a call and returns its unchecked JSON, undefined for no body. Throws ClientError. */
  call<Id extends OperationId>(operation: Id, ...options: OptionsOf<Id>): Promise<unknown>;
  /** What it was created with. */
  readonly options: HttpClientOptions;
}

/** The options of a call, as its operation's record in the contract says. */
type OptionsOf<Id extends OperationId> = object extends RequiredOptions<Id> ? [OptionsFor<Id>?] : [OptionsFor<Id>];

type OptionsFor<Id extends OperationId> = RequiredOptions<Id> &
  Omit<CallOptions, "id" | "body" | "query"> & {
    readonly query?: { readonly [Name in keyof QueryOf<Id>]?: QueryOf<Id>[Name] | undefined };
  };

type RequiredOptions<Id extends OperationId> = ([IdOf<Id>] extends [string]
  ? { readonly id: string }
  : { readonly id?: never }) &
  ([BodyOf<Id>] extends [undefined] ? { readonly body?: never } : { readonly body: BodyOf<Id> });

/** The options of a call of any operation. */
export interface CallOptions {
  readonly id?: string;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly body?: unknown;
  /** Makes a POST repeatable, so that it is sent again when the connection drops. */
  readonly idempotencyKey?: string;
  /** The token of a complete proof, where people were chosen. */
  readonly proofToken?: string | undefined;
  /** The token of an approval, for a claim that somebody has to approve. */
  readonly approvalToken?: string | undefined;
  /** How long the server may delay the answer. */
  readonly waitSeconds?: number;
  /** Ends the call and its retries when aborted. It fails with `timed_out`, or the error of the last attempt. */
  readonly until?: AbortSignal | undefined;
  readonly onProgress?: Progress | undefined;
}

/** The part of the platform's fetch that the client needs. */
export type Fetch = (url: string, init?: RequestInit) => Promise<Response>;

export interface HttpClientOptions {
  readonly baseUrl: string;
  /** The path before that of each operation; the page has its own. */
  readonly prefix?: string;
  readonly credential: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** True when the credential comes from a link: then a wrong one is a wrong link. */
  readonly isOfLink?: boolean;
  readonly fetch?: Fetch;
  /** `pause`; tests replace it. */
  readonly sleep?: typeof pause;
  /** How long to wait for an answer; tests shorten it. */
  readonly patience?: Patience;
  /** How long a transfer in pieces goes on without progress, in milliseconds. */
  readonly perseveranceMs?: number;
  /** Called before each retry with the error, the pause, and whether an attempt may have been carried out. */
  readonly onRetry?: ((error: ClientError, pauseMs: number, isInDoubt: boolean) => void) | undefined;
}

/**
 * Creates a client of the server at `baseUrl` (see `parseBaseUrl`). It retries after a dropped connection, 429 and 503,
 * where that can't do anything twice. It follows no redirect, so that the credential goes to no other server.
 */
export function createHttpClient(options: HttpClientOptions): HttpClient {
  const { baseUrl, signal, sleep = pause } = options;
  const attempt = createAttempts(options);
  return {
    baseUrl,
    options,
    async call(operation: OperationId, call: CallOptions = {}) {
      const isRepeatable = OPERATIONS[operation].method !== "POST" || call.idempotencyKey !== undefined;
      let wasInDoubt = false;
      for (let count = 1; ; count++) {
        const result = await attempt(operation, call, wasInDoubt);
        if (!("failure" in result)) return result.value;
        const { error, retryAfterMs, isInDoubt } = result.failure;
        // An earlier attempt may have been carried out even if a later one wasn't.
        wasInDoubt ||= isInDoubt && isChange({ operation });
        const pauseMs = retryAfterMs ?? FIRST_PAUSE_MS * 2 ** (count - 1);
        if (!isRepeatable || count === ATTEMPTS || pauseMs > MAX_RETRY_AFTER_MS) {
          throw wasInDoubt ? withUnknownOutcome(error, operation) : error;
        }
        options.onRetry?.(error, pauseMs, wasInDoubt);
        await sleep(pauseMs, eitherOf(signal, call.until));
        if (signal?.aborted) throw wasInDoubt ? withUnknownOutcome(interrupted(), operation) : interrupted();
        if (call.until?.aborted) throw wasInDoubt ? withUnknownOutcome(error, operation) : error;
      }
    },
  };
}

/** The call of `openStream` for the events after `after`. */
export function streamCallOf({ options }: HttpClient, after: string | undefined): StreamCall {
  const { baseUrl, prefix = API_PREFIX, credential } = options;
  const url = urlOf(baseUrl + prefix, "listEvents", { query: { after } });
  return { ...options, url, headers: headersOf(credential, {}) };
}

/**
 * Returns a function that makes one attempt. It throws ClientError when another attempt can't succeed. With
 * `wasInDoubt`, an earlier attempt may have been carried out, so a server that can't be reached is worth another
 * attempt: it may be restarting.
 */
function createAttempts(options: HttpClientOptions) {
  const { baseUrl, credential, signal, prefix = API_PREFIX, isOfLink = false, fetch = globalThis.fetch } = options;
  const { patience = PATIENCE } = options;
  return async (
    operation: OperationId,
    call: CallOptions,
    wasInDoubt: boolean,
  ): Promise<{ value: unknown } | { failure: RetryableFailure }> => {
    const { body } = call;
    const text = body === undefined ? undefined : JSON.stringify(body);
    // Until all of its body has left, a call changes nothing.
    let isSent = signal?.aborted !== true;
    const onProgress: typeof call.onProgress =
      call.onProgress &&
      ((direction, bytes, total) => {
        if (direction === "up") isSent = bytes === total;
        call.onProgress?.(direction, bytes, total);
      });
    const url = urlOf(baseUrl + prefix, operation, call);
    const asked = { baseUrl, operation, isOfLink };
    const waitMs = (call.waitSeconds ?? 0) * 1000;
    let isRefused = false;
    const deadline = startDeadline(patience, { waitMs, sentBytes: text?.length ?? 0 }, eitherOf(signal, call.until));
    try {
      const response = await fetch(url, {
        method: OPERATIONS[operation].method,
        headers: headersOf(credential, call),
        redirect: "manual",
        signal: deadline.signal,
        ...(text === undefined ? {} : streamBody(text, onProgress)),
      });
      isRefused = response.status >= 300 && response.status < 500;
      const onBytes = deadline.beginBody();
      const answer = await readBody(response, maxAnswerBytes(operation), { onBytes, onProgress });
      if (answer === undefined) throw unexpected();
      const { status, headers } = response;
      const answered = { status, headers, text: answer };
      if (response.ok) return { value: parseAnswer(answered, asked) };
      return { failure: toRetryableFailure(answered, asked) };
    } catch (error) {
      if (error instanceof ClientError) {
        // An unreadable answer that isn't a refusal may mean success.
        const isUnread = error.code === "unexpected_answer" && !isRefused && isChange({ operation });
        throw isUnread || (wasInDoubt && !isDecision(error)) ? withUnknownOutcome(error, operation) : error;
      }
      if (signal?.aborted) {
        const mayBeDone = wasInDoubt || (isSent && isChange({ operation }));
        throw mayBeDone ? withUnknownOutcome(interrupted(), operation) : interrupted();
      }
      const failure = deadline.signal.aborted ? timedOut() : toNetworkError(error, baseUrl);
      // A read that took too long isn't retried. A change may have been made, and only another attempt can tell.
      const isLate = failure.code === "timed_out" && isChange({ operation });
      const isLost = failure.code === "connection_lost" || isLate;
      if (isLost || (wasInDoubt && failure.code === "connection_failed")) {
        return { failure: { error: failure, retryAfterMs: undefined, isInDoubt: isLost } };
      }
      throw wasInDoubt ? withUnknownOutcome(failure, operation) : failure;
    } finally {
      deadline.stop();
    }
  };
}

function eitherOf(one: AbortSignal | undefined, other: AbortSignal | undefined): AbortSignal | undefined {
  return one && other ? AbortSignal.any([one, other]) : (one ?? other);
}

/** A limit above the answers of any handoff server. */
function maxAnswerBytes(operation: OperationId): number {
  return operation === "claimSecret" ? MAX_CLAIM_BYTES : MAX_ANSWER_BYTES;
}

function urlOf(top: string, operation: OperationId, { id = "", query = {}, waitSeconds }: CallOptions): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...query, wait: waitSeconds })) {
    if (value !== undefined) params.set(name, String(value));
  }
  // Anything else, perhaps a link, must not reach a server as a part of a URL.
  if (id !== "" && !isId(id, "any")) throw new Error("not an id");
  const search = params.size === 0 ? "" : `?${params.toString()}`;
  return `${top}${OPERATIONS[operation].path.replace("{id}", encodeURIComponent(id))}${search}`;
}

function headersOf(
  credential: string | undefined,
  { body, idempotencyKey, proofToken, approvalToken }: CallOptions,
): Record<string, string> {
  return {
    accept: "application/json, application/problem+json",
    ...(credential === undefined ? {} : { authorization: `Bearer ${credential}` }),
    ...(body === undefined ? {} : { "content-type": "application/json" }),
    ...(idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey }),
    ...(proofToken === undefined ? {} : { [PROOF_HEADER]: proofToken }),
    ...(approvalToken === undefined ? {} : { [APPROVAL_HEADER]: approvalToken }),
  };
}
