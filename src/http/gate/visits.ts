import type { OperationId } from "../../contract/operations.ts";
import type { Caller } from "../../domain/callers.ts";
import type { Refusal } from "../../domain/errors.ts";
import type { BodyRoom } from "./body-budgets.ts";
import { isAsSent, sentPathOf } from "./paths.ts";
import type { Prefix } from "./routes.ts";

/** The things that the gate has found out about a request. */
export interface Visit {
  /** Made here, never taken over from the caller. */
  readonly requestId: string;
  /** `performance.now()` at arrival. */
  readonly startedAt: number;
  readonly path: string;
  /** The query string, without the `?`. */
  readonly search: string;
  /** True when `path` is spelled as the caller sent it; nothing else may be routed. */
  readonly isAsSent: boolean;
  /** False when no Host was sent. */
  readonly hasHost: boolean;
  /** Set for operations once path and method are known. */
  operation: OperationId | undefined;
  /** The prefix at which the operation was called. */
  prefix: Prefix | undefined;
  /** The id that the path of the operation names; undefined when it names none. */
  id: string | undefined;
  caller: Caller | undefined;
  /** The key that was presented and counts no more. */
  keyId: string | undefined;
  /** Room for the body; held until the call is answered. */
  bodyRoom: BodyRoom | undefined;
  /** Room for a large answer; held until it is sent, or the call has another one. */
  answerRoom: BodyRoom | undefined;
  /** Resolves once a large answer is sent, or its caller is gone. */
  answerSent: Promise<void> | undefined;
  /** True when it may be answered later, once something changes. */
  isWait: boolean;
  /** Resolves when all of it is answered; undefined when it is once there is an answer. */
  over: Promise<void> | undefined;
  /** The refusal that answers it. */
  refusal: Refusal | undefined;
  /** Set only where a setting asks for addresses in the log. */
  address: string | undefined;
}

const VISIT = Symbol("visit");

/** A request that has its visit with it: a map of all that are under way would cost the garbage collector more. */
interface Visiting {
  [VISIT]?: Visit;
}

/** Begins the visit of `request`. */
export function beginVisit(request: Request): Visit {
  const { path, search, hasHost } = splitUrl(request.url);
  const visit: Visit = {
    requestId: Bun.randomUUIDv7(),
    startedAt: performance.now(),
    path,
    search,
    hasHost,
    isAsSent: isAsSent(path, sentPathOf(request)),
    operation: undefined,
    prefix: undefined,
    id: undefined,
    caller: undefined,
    keyId: undefined,
    bodyRoom: undefined,
    answerRoom: undefined,
    answerSent: undefined,
    isWait: false,
    over: undefined,
    refusal: undefined,
    address: undefined,
  };
  (request as Visiting)[VISIT] = visit;
  return visit;
}

/** The visit of `request`. Throws when it never passed the gate. */
export function visitOf(request: Request): Visit {
  const visit = (request as Visiting)[VISIT];
  if (!visit) throw new Error("a request came past the gate");
  return visit;
}

/**
 * The caller of `request`. Throws when the gate has not found that out, so that a route it does not know cannot run.
 */
export function callerOf(request: Request): Caller {
  const { caller } = visitOf(request);
  if (!caller) throw new Error("a request came past the gate without a caller");
  return caller;
}

// `new URL` on every request is measurable.
function splitUrl(url: string): Pick<Visit, "path" | "search" | "hasHost"> {
  const scheme = url.indexOf("://");
  // Without a Host (HTTP/1.0) there is no scheme either.
  const start = scheme < 0 ? -1 : url.indexOf("/", scheme + 3);
  if (start < 0) return { path: "/", search: "", hasHost: false };
  const question = url.indexOf("?", start);
  if (question < 0) return { path: url.slice(start), search: "", hasHost: true };
  return { path: url.slice(start, question), search: url.slice(question + 1), hasHost: true };
}
