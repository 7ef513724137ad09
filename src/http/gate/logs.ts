import { traceOf } from "../../contract/error-traces.ts";
import { API_PREFIX, APP_PREFIX, OPERATIONS, SESSION_PATH } from "../../contract/operations.ts";
import type { OperationId } from "../../contract/operations.ts";
import { codeOf } from "../../contract/system-codes.ts";
import type { Log } from "../options.ts";
import { publicRouteOf } from "./routes.ts";
import type { Prefix } from "./routes.ts";
import type { Visit } from "./visits.ts";

/** The way in which a request came and was answered. */
interface Answered {
  readonly method: string;
  readonly status: number;
  /** The template of what was asked for; null when there is nothing. */
  readonly route: string | null;
  readonly durationMs: number;
}

const METHOD = /^[A-Z]{1,10}$/;

/**
 * Writes the line about an answered request. It has the template of the route and never the path, because paths and
 * query strings are what others put into them.
 */
export function logVisit(log: Log, visit: Visit, { method, status, route, durationMs }: Answered): void {
  const { caller, address, refusal } = visit;
  const keyId = caller?.kind === "apiKey" ? caller.key.id : visit.keyId;
  log.info(
    {
      request_id: visit.requestId,
      method: METHOD.test(method) ? method : "other",
      route,
      status,
      code: refusal?.code,
      duration_ms: Math.round(durationMs * 100) / 100,
      key_id: keyId ?? null,
      person_id: caller?.kind === "person" ? caller.person.id : undefined,
      address,
    },
    "request",
  );
}

// Made once: a text that was put together for each call would be hashed anew by whoever counts calls.
const TEMPLATES = { [API_PREFIX]: templatesUnder(API_PREFIX), [APP_PREFIX]: templatesUnder(APP_PREFIX) };

function templatesUnder(prefix: Prefix): Readonly<Record<OperationId, string>> {
  const templates = Object.entries(OPERATIONS).map(([id, { path }]) => [id, prefix + path]);
  return Object.fromEntries(templates) as Record<OperationId, string>;
}

/** The template of the route that `visit` asks for, one of `routes` or an operation's; null when there is none. */
export function routeFor(
  { operation, path, prefix = API_PREFIX }: Visit,
  routes: readonly { readonly path: string }[],
): string | null {
  if (operation) return TEMPLATES[prefix][operation];
  return path === SESSION_PATH ? SESSION_PATH : (publicRouteOf(routes, path) ?? null);
}

const TROUBLE_SILENCE_MS = 60_000;

/**
 * Returns a function that is true for a failure that is worth a line: of one `code` after the other, one a minute. Of
 * the storage's troubles every call has its failure, and the trouble itself is logged where it is found.
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

/** Writes the line about a failure of our own: kind and place of the error, but not its message, which may quote input. */
export function logFailure(log: Log, { requestId }: Visit, route: string | null, error: unknown): void {
  log.error({ request_id: requestId, route, ...traceOf(error) }, "failure");
}

/** Writes the line about a call that the storage failed, which is no failure of our own. */
export function logStorageFailure(log: Log, { requestId }: Visit, route: string | null, error: unknown): void {
  log.warn({ request_id: requestId, route, ...traceOf(error) }, "the storage failed a call");
}
