import type { Envelope } from "../../contract/envelopes.ts";
import { forgetPast } from "./past-links.ts";
import { listKept, readKept, removeKept, writeKept } from "./tab-storage.ts";

const PREFIX = "handoff:";
/** What this tab keeps of a link until it is of no use any more: nothing of it is anywhere else. */
export interface KeptLink {
  readonly fragment: string;
  /** The same for every try, so that a reload repeats the claim and does not make another one. */
  readonly idempotencyKey: string;
  /** By this machine's clock, when the claim that this tab has made can no longer be repeated; null before it is made. */
  readonly until: number | null;
  /** Whether a claim has been sent, of which nobody here knows whether it was made before its answer comes. */
  readonly isClaimSent?: boolean;
  /** What was claimed and could not be decrypted yet, for want of the passphrase; kept if it fits. */
  readonly envelope?: Envelope;
}

/**
 * Takes the fragment out of the address bar and the history, and keeps it for this tab if it is `whole`. Returns what is
 * kept for `id`; "broken" when there is nothing but a fragment that is not whole, undefined when there is nothing at all.
 */
export function takeFragment(id: string, isWhole: (fragment: string) => boolean): KeptLink | "broken" | undefined {
  const fragment = clearFragment();
  forgetOld();
  const kept = readLink(id);
  if (fragment === "" || kept?.fragment === fragment) return kept;
  // A cut-off link must not cost what an earlier, whole one has opened.
  if (!isWhole(fragment)) return "broken";
  const fresh = { fragment, idempotencyKey: crypto.randomUUID(), until: null };
  write(id, fresh);
  return fresh;
}

/** Takes the fragment out of the address bar and the history, and returns it. */
function clearFragment(): string {
  const fragment = location.hash.slice(1);
  if (location.href.includes("#")) history.replaceState(null, "", location.pathname);
  return fragment;
}

/** A claim is about to be sent. */
export function noteClaimSent(id: string): void {
  const kept = readLink(id);
  if (kept) write(id, { ...kept, isClaimSent: true });
}

/** Whether this tab has sent a claim by the link to `id`. */
export function wasClaimSent(id: string): boolean {
  return readLink(id)?.isClaimSent ?? false;
}

/** A claim was made that can be repeated for `windowMs`; after that nothing is kept of the link, but what is held. */
export function keepForReplay(id: string, windowMs: number): void {
  const kept = readLink(id);
  if (!kept || kept.until !== null) return;
  write(id, { ...kept, until: Date.now() + windowMs });
  setTimeout(() => forgetUnlessHeld(id), windowMs);
}

/** Until when the claim can be repeated, in epoch milliseconds by this machine's clock; null when it cannot. */
export function replayEndOf(id: string): number | null {
  const until = readLink(id)?.until ?? null;
  return until !== null && until > Date.now() ? until : null;
}

/** Keeps what was claimed until it is decrypted, however long that takes: the server may have no more of it. */
export function holdEnvelope(id: string, envelope: Envelope): void {
  const kept = readLink(id);
  if (kept) write(id, { ...kept, envelope });
}

/** What was claimed has been decrypted. */
export function dropEnvelope(id: string): void {
  const kept = readLink(id);
  if (!kept?.envelope) return;
  const { envelope: _, ...rest } = kept;
  if (replayEndOf(id) === null) forget(id);
  else write(id, rest);
}

function forgetUnlessHeld(id: string): void {
  if (!readLink(id)?.envelope) forget(id);
}

/** Another claim is to be made than the one that was. */
export function renewKey(id: string): void {
  const kept = readLink(id);
  if (kept) write(id, { ...kept, idempotencyKey: crypto.randomUUID(), until: null, isClaimSent: false });
}

/** Nothing is kept of the link any more. */
export function forget(id: string): void {
  removeKept(PREFIX + id);
}

/** Nothing is kept of any link any more, but of `except`. */
export function forgetAll(except?: string): void {
  for (const id of keptIds()) if (id !== except) forget(id);
  forgetPast(except);
}

/** Forgets what is over, and what is not when it will be: a timer does not outlive a reload. */
function forgetOld(): void {
  for (const id of keptIds()) {
    const { until } = readLink(id) ?? { until: 0 };
    if (until === null) continue;
    if (until <= Date.now()) forgetUnlessHeld(id);
    else setTimeout(() => forgetUnlessHeld(id), until - Date.now());
  }
}

function keptIds(): string[] {
  return listKept()
    .filter((each) => each.startsWith(PREFIX))
    .map((each) => each.slice(PREFIX.length));
}

function readLink(id: string): KeptLink | undefined {
  return readKept(PREFIX + id) as KeptLink | undefined;
}

function write(id: string, link: KeptLink): void {
  writeKept(PREFIX + id, link);
}
