import type { Caller } from "../../domain/callers.ts";
import type { Refusal } from "../../domain/values/errors.ts";
import type { BodyRoom } from "./body-budgets.ts";
import { isAsSent, sentPathOf } from "./paths.ts";
import { prefixOf } from "./routes.ts";
import type { Prefix } from "./routes.ts";

/** The state of a request while it is answered. */
export class Visit {
  /** Made here, never taken over from the caller. */
  readonly requestId = Bun.randomUUIDv7();
  /** `performance.now()` at arrival. */
  readonly startedAt = performance.now();
  readonly path: string;
  /** The query string, without the `?`. */
  readonly search: string;
  /** False when no Host was sent. */
  readonly hasHost: boolean;
  /** True when `path` is spelled as the caller sent it; nothing else may be answered. */
  readonly isAsSent: boolean;
  /** The template of the route that the path fits, such as `/s/{id}`; null when it fits none. */
  readonly route: string | null;
  /** The prefix of the operations, when `path` is below it. */
  readonly prefix: Prefix | undefined;
  /** True when the query string has a credential, or what looks like one. */
  hasCredentialInQuery = false;
  caller: Caller | undefined = undefined;
  /** The ID of an API key that was presented and is no longer valid. */
  keyId: string | undefined = undefined;
  /** Room for the body; held until the call is answered. */
  bodyRoom: BodyRoom | undefined = undefined;
  /** Room for a large answer; held until it is sent, or another answer takes its place. */
  answerRoom: BodyRoom | undefined = undefined;
  /** Resolves once a large answer is sent, or its caller has disconnected. */
  answerSent: Promise<void> | undefined = undefined;
  /** True when the answer may be held back until something changes. */
  isWait = false;
  /** Resolves when a stream has ended; undefined for other answers. */
  over: Promise<void> | undefined = undefined;
  /** The refusal that answers the call. */
  refusal: Refusal | undefined = undefined;
  /** Set only where a setting asks for addresses in the log. */
  address: string | undefined = undefined;

  constructor(request: Request) {
    const sent = sentPathOf(request);
    ({ path: this.path, search: this.search, hasHost: this.hasHost } = splitUrl(request.url));
    this.isAsSent = isAsSent(this.path, sent?.path);
    this.route = sent?.route ?? null;
    this.prefix = prefixOf(this.path);
  }
}

const VISIT = Symbol("visit");

/** A request carries its visit: a map of all requests in flight would cost the garbage collector more. */
interface Visiting {
  [VISIT]?: Visit;
}

/** Begins the visit of `request`. */
export function beginVisit(request: Request): Visit {
  return ((request as Visiting)[VISIT] = new Visit(request));
}

/** The visit of `request`. Throws when it never passed the gate. */
export function visitOf(request: Request): Visit {
  const visit = (request as Visiting)[VISIT];
  if (!visit) throw new Error("a request came past the gate");
  return visit;
}

/** The caller of `request`. Throws when the gate has not authenticated one, so that no route can go past it. */
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
