import type { OperationId } from "../contract/operations.ts";
import type { Caller } from "../domain/callers.ts";

/** What the gate has found out about a request. */
export interface Visit {
  /** Made here, never taken over from the caller. */
  readonly requestId: string;
  /** `performance.now()` at arrival. */
  readonly startedAt: number;
  readonly path: string;
  /** What follows the `?`, without it. */
  readonly search: string;
  /** Set for requests under `/api/v1` once path and method are known. */
  operation?: OperationId;
  caller?: Caller;
  status?: number;
  /** Set only where a setting asks for addresses in the log. */
  address?: string;
}

const visits = new WeakMap<Request, Visit>();

/** Begins the visit of `request`. */
export function beginVisit(request: Request): Visit {
  const { path, search } = splitUrl(request.url);
  const visit = { requestId: Bun.randomUUIDv7(), startedAt: performance.now(), path, search };
  visits.set(request, visit);
  return visit;
}

/** The visit of `request`. Throws when it never passed the gate. */
export function visitOf(request: Request): Visit {
  const visit = visits.get(request);
  if (!visit) throw new Error("a request came past the gate");
  return visit;
}

/** Who makes `request`. Throws when the gate has not found that out, so that a route it does not know cannot run. */
export function callerOf(request: Request): Caller {
  const { caller } = visitOf(request);
  if (!caller) throw new Error("a request came past the gate without a caller");
  return caller;
}

// `new URL` on every request is measurable.
function splitUrl(url: string): { path: string; search: string } {
  const start = url.indexOf("/", url.indexOf("://") + 3);
  if (start < 0) return { path: "/", search: "" };
  const question = url.indexOf("?", start);
  if (question < 0) return { path: url.slice(start), search: "" };
  return { path: url.slice(start, question), search: url.slice(question + 1) };
}
