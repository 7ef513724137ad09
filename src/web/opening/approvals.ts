import { ClientError } from "../../client/errors.ts";
import { readKept, removeKept, writeKept } from "../browser/tab-storage.ts";

const PREFIX = "handoff-ask:";

/** An ask for the approval of a claim, as this tab keeps it. */
export interface KeptAsk {
  /** Opens nothing without the link. */
  readonly approvalToken: string;
  /** The three words, which the approver sees too. */
  readonly words: readonly string[];
  /** The end of the time in which it can be decided (RFC 3339). */
  readonly until: string;
}

/** Keeps the ask for the secret `id` in this tab: that of a phone may be reloaded while its person waits. */
export function keepAsk(id: string, ask: KeptAsk): void {
  writeKept(PREFIX + id, ask);
}

/** Returns the ask that this tab has made for the secret `id`; undefined when there is none. It may be over. */
export function findKeptAsk(id: string): KeptAsk | undefined {
  return readKept(PREFIX + id) as KeptAsk | undefined;
}

/** Forgets the ask for the secret `id`. */
export function forgetAsk(id: string): void {
  removeKept(PREFIX + id);
}

/** True when a claim certainly had no effect, and neither had an earlier one with its key, because nobody approved. */
export function isApprovalRequired(error: unknown): boolean {
  return error instanceof ClientError && error.code === "approval_required";
}
