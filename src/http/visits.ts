import type { OperationId } from "../contract/operations.ts";
import type { BodyRoom } from "./body-budgets.ts";
import type { Prefix } from "./routes.ts";
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
  /** False when Elysia would read another path out of the address: then nothing may be routed. */
  readonly isRoutable: boolean;
  /** Set for operations once path and method are known. */
  operation?: OperationId;
  /** Below what the operation was called. */
  prefix?: Prefix;
  caller?: Caller;
  /** Room for the body; held until the call is answered. */
  bodyRoom?: BodyRoom;
  status?: number;
  /** Set only where a setting asks for addresses in the log. */
  address?: string;
}

const ELYSIA_PATH_START = 11;

const visits = new WeakMap<Request, Visit>();

/** Begins the visit of `request`. */
export function beginVisit(request: Request): Visit {
  const visit = { requestId: Bun.randomUUIDv7(), startedAt: performance.now(), ...splitUrl(request.url) };
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
function splitUrl(url: string): Pick<Visit, "path" | "search" | "isRoutable"> {
  const scheme = url.indexOf("://");
  const start = scheme < 0 ? -1 : url.indexOf("/", scheme + 3);
  // Elysia looks for the path from the twelfth character on, and so finds another one behind a host that is shorter than
  // four characters or has a slash in it. Without a Host (HTTP/1.0) there is no scheme either.
  const isRoutable = start >= 0 && start === url.indexOf("/", ELYSIA_PATH_START);
  if (start < 0) return { path: "/", search: "", isRoutable };
  const question = url.indexOf("?", start);
  if (question < 0) return { path: url.slice(start), search: "", isRoutable };
  return { path: url.slice(start, question), search: url.slice(question + 1), isRoutable };
}
