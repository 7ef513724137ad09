import { codeOf, traceOf } from "../../contract/error-traces.ts";
import type { Log } from "../options.ts";
import type { Visit } from "./visits.ts";

/** The outcome of a request. */
interface Answered {
  readonly method: string;
  readonly status: number;
  readonly durationMs: number;
}

const METHOD = /^[A-Z]{1,10}$/;

/**
 * Writes the line about an answered request. It has the template of the route and never the path, because callers
 * choose what is in paths and query strings.
 */
export function logVisit(log: Log, visit: Visit, { method, status, durationMs }: Answered): void {
  const { caller, address, refusal, route } = visit;
  const keyId = caller?.kind === "apiKey" ? caller.key.id : visit.keyId;
  log.info(
    {
      request_id: visit.requestId,
      method: METHOD.test(method) ? method : "other",
      route,
      status,
      code: refusal?.code,
      reason: refusal?.options.reason,
      duration_ms: Math.round(durationMs * 100) / 100,
      key_id: keyId ?? null,
      person_id: caller?.kind === "person" ? caller.person.id : undefined,
      address,
    },
    "request",
  );
}

const TROUBLE_SILENCE_MS = 60_000;

/**
 * Returns a function that is true for the first failure of each `code` in a minute. During a storage outage every call
 * fails, and the outage itself is logged where it is found.
 */
export function createTroubleFilter(): (error: unknown) => boolean {
  const lastAt = new Map<unknown, number>();
  return (error) => {
    const code = codeOf(error);
    const now = performance.now();
    if (now - (lastAt.get(code) ?? -Infinity) < TROUBLE_SILENCE_MS) return false;
    lastAt.set(code, now);
    return true;
  };
}

/** Writes the line about an unforeseen error: its kind and place, but not its message, which may quote input. */
export function logFailure(log: Log, { requestId, route }: Visit, error: unknown, reason?: string): void {
  log.error({ request_id: requestId, route, reason, ...traceOf(error) }, "failure");
}

/** Writes the line about a call that failed because of the storage. */
export function logStorageFailure(log: Log, { requestId, route }: Visit, error: unknown): void {
  log.warn({ request_id: requestId, route, ...traceOf(error) }, "the storage failed a call");
}
