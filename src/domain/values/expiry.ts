import { isLive } from "../../contract/states.ts";
import type { RequestState, SecretState } from "../../contract/states.ts";
import type { RequestRecord } from "../ports/requests.ts";
import type { SecretRecord } from "../ports/secrets.ts";

// What secrets and requests have in common: their expiry, and what is kept of them.

/** The part of a record that decides about its expiry. */
interface Expiring<State> {
  readonly state: State;
  readonly expiresAt: number;
}

/** True when a record has expired but is still stored as live. */
export function isOverdue({ state, expiresAt }: Expiring<SecretState | RequestState>, now: number): boolean {
  return expiresAt <= now && isLive(state);
}

/** The state of a record at `now`: an overdue one is expired, even if it is still stored as live. */
export function stateAt<S extends SecretState | RequestState>(record: Expiring<S>, now: number): S | "expired" {
  return isOverdue(record, now) ? "expired" : record.state;
}

/** A record as callers see it at `now`. An overdue one ended at its expiry, not when it was read. */
export function seenAt<T extends SecretRecord | RequestRecord>(record: T, now: number): T {
  return isOverdue(record, now) ? { ...record, state: "expired", endedAt: record.expiresAt } : record;
}

/**
 * How much of a record is kept: all with its `Content`, the tombstone, or nothing; and the time when that or the state
 * changes.
 */
export interface Retention<Content> {
  readonly keep: Content | "tombstone" | "nothing";
  /** Epoch milliseconds; in the past when nothing will change. */
  readonly dueAt: number;
}
