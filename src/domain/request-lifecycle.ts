import { isLive } from "../contract/states.ts";
import type { RequestState } from "../contract/states.ts";
import type { NewEvent } from "./ports/events.ts";
import type { RequestRecord } from "./ports/requests.ts";

// The life of a request, in the same words as that of a secret.

/** True when `request` is over by time alone, and nobody has written that down yet. */
export function isOverdue(request: Pick<RequestRecord, "state" | "expiresAt">, now: number): boolean {
  return isLive(request.state) && request.expiresAt <= now;
}

/** The state of `request` at `now`: an expired request is expired whether or not anybody has written that down. */
export function stateAt(request: Pick<RequestRecord, "state" | "expiresAt">, now: number): RequestState {
  return isOverdue(request, now) ? "expired" : request.state;
}

/** `request` as everybody may see it at `now`. It ended when its time was over, not when somebody looked. */
export function seenAt<T extends RequestRecord>(request: T, now: number): T {
  return isOverdue(request, now) ? { ...request, state: "expired", endedAt: request.expiresAt } : request;
}

/** `request` after one more submission at `now`, or the state that keeps it from any. The last that it allows fulfils it. */
export function afterSubmission<T extends RequestRecord>(request: T, now: number): T | Exclude<RequestState, "open"> {
  const current = stateAt(request, now);
  if (current !== "open") return current;
  const submissionCount = request.submissionCount + 1;
  const isLast = submissionCount >= request.maxSubmissions;
  return { ...request, submissionCount, state: isLast ? "fulfilled" : "open", endedAt: isLast ? now : null };
}

/** `request` after somebody wants it paused or open at `now`. One that has ended, or is so already, stays as it is. */
export function afterSetting<T extends RequestRecord>(request: T, state: "open" | "paused", now: number): T {
  const seen = seenAt(request, now);
  return isLive(seen.state) && seen.state !== state ? { ...seen, state } : seen;
}

/** `request` after somebody wants it revoked at `now`. One that has ended stays as it is, an overdue one has expired. */
export function afterRevocation<T extends RequestRecord>(request: T, now: number): T {
  const seen = seenAt(request, now);
  return isLive(seen.state) ? { ...seen, state: "revoked", endedAt: now } : seen;
}

/** `request` as the answer to its creation had it. */
export function atCreation<T extends RequestRecord>(request: T): T {
  return { ...request, state: "open", submissionCount: 0, endedAt: null };
}

/**
 * The part of a request that is kept: its note too, the tombstone alone, or nothing; and when time changes that, or its
 * state.
 */
export interface RequestRetention {
  readonly keep: "note" | "tombstone" | "nothing";
  /** Epoch milliseconds. In the past when there is nothing left to change. */
  readonly dueAt: number;
}

/**
 * The part of `request` that is kept at `now`. The note goes with the end of the request. The tombstone goes
 * `tombstoneMs` after that, but stays while something that was handed in waits to be claimed: nobody would find it
 * otherwise. `lastWaiting` is the latest end of what waits, 0 when nothing does.
 */
export function retention(
  request: RequestRecord,
  { lastWaiting, tombstoneMs }: { readonly lastWaiting: number; readonly tombstoneMs: number },
  now: number,
): RequestRetention {
  if (isLive(request.state)) return { keep: "note", dueAt: request.expiresAt };
  const tombstoneEnd = (request.endedAt ?? request.expiresAt) + tombstoneMs;
  const dueAt = tombstoneEnd > now ? tombstoneEnd : Math.max(tombstoneEnd, lastWaiting);
  return { keep: dueAt > now ? "tombstone" : "nothing", dueAt };
}

/**
 * The event that tells how `before` became `after`; `before` is undefined for a new request, and the event is undefined when
 * the state is the same. `actorId` is who did it: nobody makes a request expire, and what fulfils one is the submission, of
 * which there is an event of its own.
 */
export function eventOf(
  before: RequestRecord | undefined,
  after: RequestRecord,
  actorId: string | null,
): NewEvent | undefined {
  const { id: requestId, teamId, reference } = after;
  const subject = { teamId, secretId: null, requestId, reference };
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
      return { ...subject, type: "request.expired", actorId: null };
    case "revoked":
      return { ...subject, type: "request.revoked", actorId };
  }
}
