import { isLive } from "../contract/states.ts";
import type { RequestState } from "../contract/states.ts";
import type { EventActor, NewEvent } from "./ports/events.ts";
import type { RequestRecord } from "./ports/requests.ts";
import { seenAt, stateAt } from "./values/expiry.ts";
import type { Retention } from "./values/expiry.ts";

// The lifecycle of a request, with the same functions as that of a secret.

/**
 * `request` after one more submission at `now`, or the state that prevents it. The last allowed submission fulfils the
 * request.
 */
export function afterSubmission<T extends RequestRecord>(request: T, now: number): T | Exclude<RequestState, "open"> {
  const current = stateAt(request, now);
  if (current !== "open") return current;
  const submissionCount = request.submissionCount + 1;
  const isLast = submissionCount >= request.maxSubmissions;
  return { ...request, submissionCount, state: isLast ? "fulfilled" : "open", endedAt: isLast ? now : null };
}

/** `request` after pausing or resuming at `now`. An ended request, or one in that state, stays as it is. */
export function afterSetting<T extends RequestRecord>(request: T, state: "open" | "paused", now: number): T {
  const seen = seenAt(request, now);
  return isLive(seen.state) && seen.state !== state ? { ...seen, state } : seen;
}

/** `request` after a revocation at `now`. An ended request stays as it is, and an overdue one becomes expired. */
export function afterRevocation<T extends RequestRecord>(request: T, now: number): T {
  const seen = seenAt(request, now);
  return isLive(seen.state) ? { ...seen, state: "revoked", endedAt: now } : seen;
}

/** `request` as it was in the answer to its creation. */
export function atCreation<T extends RequestRecord>(request: T): T {
  return { ...request, state: "open", submissionCount: 0, endedAt: null };
}

/**
 * Decides how much of `request` is kept at `now`. The note is erased when the request ends, the tombstone `tombstoneMs`
 * later. It stays while submissions wait to be claimed, because they couldn't be found without it. `lastWaiting` is the
 * latest expiry among those, 0 for none.
 */
export function retention(
  request: RequestRecord,
  { lastWaiting, tombstoneMs }: { readonly lastWaiting: number; readonly tombstoneMs: number },
  now: number,
): Retention<"note"> {
  if (isLive(request.state)) return { keep: "note", dueAt: request.expiresAt };
  const tombstoneEnd = (request.endedAt ?? request.expiresAt) + tombstoneMs;
  const dueAt = tombstoneEnd > now ? tombstoneEnd : Math.max(tombstoneEnd, lastWaiting);
  return { keep: dueAt > now ? "tombstone" : "nothing", dueAt };
}

/**
 * The event for the change from `before` to `after`; undefined when the state is the same. `before` is undefined for a
 * new request. Expiry has no actor, and neither has fulfilment, because the last submission has its own event.
 */
export function eventOf(
  before: RequestRecord | undefined,
  after: RequestRecord,
  { actorId, network = null }: Pick<EventActor, "actorId" | "network">,
): NewEvent | undefined {
  const { id: requestId, teamId, reference } = after;
  const subject = { teamId, secretId: null, requestId, reference, address: null, network };
  if (!before) return { ...subject, type: "request.created", actorId };
  if (after.state === before.state) return undefined;
  switch (after.state) {
    case "open":
      return { ...subject, type: "request.opened", actorId };
    case "paused":
      return { ...subject, type: "request.paused", actorId };
    case "fulfilled":
      return { ...subject, type: "request.fulfilled", actorId: null };
    case "expired":
      return { ...subject, type: "request.expired", actorId: null, network: null };
    case "revoked":
      return { ...subject, type: "request.revoked", actorId };
  }
}
