import type { Envelope } from "../../contract/envelopes.ts";
import { dropForgotten, dropLarge, findLarge, keepLarge } from "./large-envelopes.ts";
import { forgetPast } from "./past-links.ts";
import { listKept, readKept, removeKept, writeKept } from "./tab-storage.ts";

const PREFIX = "handoff:";
/** A link kept in this tab, and nowhere else, until it is of no more use. */
export interface KeptLink {
  readonly fragment: string;
  /** Shared by all attempts, so that a reload repeats the claim. */
  readonly idempotencyKey: string;
  /**
   * When this tab's claim can no longer be repeated, in epoch milliseconds by this machine's clock; null before the
   * claim is made.
   */
  readonly until: number | null;
  /**
   * When the first claim with an unknown outcome was sent, in epoch milliseconds by this machine's clock; undefined
   * when there is none.
   */
  readonly sentAt?: number | undefined;
  /** A claimed envelope that still needs its passphrase, if tab storage has room for it. */
  readonly envelope?: Envelope;
  /** True when the envelope is too large for tab storage, and is kept under the idempotency key. */
  readonly isLarge?: boolean;
}

/**
 * Removes the fragment from the address bar and the history, and keeps it for this tab if it is whole. Returns the link
 * that is kept for `id`, "broken" for an incomplete fragment, or undefined when there is neither.
 */
export function takeFragment(id: string, isWhole: (fragment: string) => boolean): KeptLink | "broken" | undefined {
  const fragment = clearFragment();
  forgetOld();
  const kept = readLink(id);
  if (fragment === "" || kept?.fragment === fragment) return kept;
  // A cut-off link must not discard an earlier whole one, which may hold a claim.
  if (!isWhole(fragment)) return "broken";
  // The two kinds of secret link differ in one letter, and share one claim.
  if (kept && seedOf(kept.fragment) === seedOf(fragment)) {
    const corrected = { ...kept, fragment };
    write(id, corrected);
    return corrected;
  }
  const fresh = { fragment, idempotencyKey: crypto.randomUUID(), until: null };
  write(id, fresh);
  return fresh;
}

/** Returns the seed in a fragment, without the hint or text that followed the link in a message. */
function seedOf(fragment: string): string {
  return fragment.replace(/^1p?\./, "").replace(/(?:\.[a-z0-9]{0,16})*(?:[^\w.-].*)?$/s, "");
}

/** Removes the fragment from the address bar and the history, and returns it. */
function clearFragment(): string {
  const fragment = location.hash.slice(1);
  if (location.href.includes("#")) history.replaceState(null, "", location.pathname);
  return fragment;
}

/** Records that a claim is about to be sent. */
export function noteClaimSent(id: string): void {
  const kept = readLink(id);
  if (kept) write(id, { ...kept, sentAt: kept.sentAt ?? Date.now() });
}

/** Records that all claims sent so far were refused. */
export function noteClaimRefused(id: string): void {
  const kept = readLink(id);
  if (kept) write(id, { ...kept, sentAt: undefined });
}

/**
 * When this tab first sent a claim of `id` that is not known to have been refused, in epoch milliseconds by this
 * machine's clock; undefined when there is none.
 */
export function claimSentAt(id: string): number | undefined {
  return readLink(id)?.sentAt;
}

/**
 * Records that a claim was made and can be repeated for `windowMs`. After that the link is forgotten, unless it holds
 * an envelope.
 */
export function keepForReplay(id: string, windowMs: number): void {
  const kept = readLink(id);
  if (!kept || kept.until !== null) return;
  write(id, { ...kept, until: Date.now() + windowMs });
  setTimeout(() => forgetOver(id), windowMs);
}

/** Records that a claim can be repeated until then (epoch milliseconds by this machine's clock), if not for longer. */
export function prolongReplay(id: string, until: number): void {
  const kept = readLink(id);
  if (kept && kept.until !== null && kept.until < until) write(id, { ...kept, until });
}

/**
 * When the claim can no longer be repeated, in epoch milliseconds by this machine's clock; null when it already cannot.
 */
export function replayEndOf(id: string): number | null {
  const until = readLink(id)?.until ?? null;
  return until !== null && until > Date.now() ? until : null;
}

/** A claim that was made, or sent without an answer so far. Its key opens nothing without the link. */
export interface MadeClaim {
  readonly idempotencyKey: string;
  /**
   * When it can no longer be repeated, in epoch milliseconds by this machine's clock; null before the answer arrives.
   */
  readonly until: number | null;
}

/** Returns the idempotency key for claims of `id`; undefined when this tab has no such link. */
export function keptKeyOf(id: string): string | undefined {
  return readLink(id)?.idempotencyKey;
}

/** Returns the claim of `id` that this tab can repeat; undefined when there is none. */
export function claimOf(id: string): MadeClaim | undefined {
  const kept = readLink(id);
  if (!kept || (kept.until === null ? kept.sentAt === undefined : kept.until <= Date.now())) return undefined;
  return { idempotencyKey: kept.idempotencyKey, until: kept.until };
}

/**
 * Takes over another tab's claim of the same link in place of an own one. Returns false when this tab has no such link,
 * or has made a claim itself.
 */
export function adoptClaim(id: string, { idempotencyKey, until }: MadeClaim): boolean {
  const kept = readLink(id);
  if (!kept || kept.until !== null) return false;
  write(id, { ...kept, idempotencyKey, until, sentAt: kept.sentAt ?? Date.now() });
  forgetOver(id);
  return true;
}

/**
 * Keeps a claimed envelope until it is decrypted, because the server may have deleted it. Returns false when the
 * browser does not store it, so that only this page has it.
 */
export async function holdEnvelope(id: string, envelope: Envelope): Promise<boolean> {
  const kept = readLink(id);
  if (!kept) return false;
  if (write(id, { ...kept, envelope })) return true;
  // Recorded before the write, or the link might be forgotten during it.
  if (write(id, { ...kept, isLarge: true }) && (await keepLarge(kept.idempotencyKey, envelope))) return true;
  dropEnvelope(id);
  return false;
}

/** Returns the claimed envelope that this link still has to decrypt; undefined when there is none. */
export async function readEnvelope({ envelope, isLarge, idempotencyKey }: KeptLink): Promise<Envelope | undefined> {
  return envelope ?? (isLarge ? findLarge(idempotencyKey) : undefined);
}

/** Deletes the envelope kept for `id`, after it was decrypted or failed to be stored. */
export function dropEnvelope(id: string): void {
  const kept = readLink(id);
  if (!kept || !isHeld(kept)) return;
  const { envelope: _, isLarge, ...rest } = kept;
  if (isLarge) void dropLarge(kept.idempotencyKey);
  if (replayEndOf(id) === null) void forget(id);
  else write(id, rest);
}

/** Forgets a link once its claim can't be repeated, unless it holds an envelope. Timers do not survive a reload. */
function forgetOver(id: string): void {
  const kept = readLink(id);
  if (!kept || kept.until === null || isHeld(kept)) return;
  const leftMs = kept.until - Date.now();
  if (leftMs > 0) setTimeout(() => forgetOver(id), leftMs);
  else void forget(id);
}

function isHeld({ envelope, isLarge = false }: KeptLink): boolean {
  return envelope !== undefined || isLarge;
}

/** Makes the next claim a new one instead of a repetition. */
export function renewKey(id: string): void {
  const kept = readLink(id);
  if (kept) write(id, { ...kept, idempotencyKey: crypto.randomUUID(), until: null, sentAt: undefined });
}

/** Deletes everything kept of the link. Resolves when a large envelope is deleted too. */
export async function forget(id: string): Promise<void> {
  const kept = readLink(id);
  removeKept(PREFIX + id);
  if (kept?.isLarge) await dropLarge(kept.idempotencyKey);
}

/** Deletes everything kept of all links except `except`. Resolves when large envelopes are deleted too. */
export async function forgetAll(except?: string): Promise<void> {
  const ids = keptIds().filter((id) => id !== except);
  forgetPast(except);
  await Promise.all(ids.map(forget));
}

/** Forgets links that are over, and the others once they are. */
function forgetOld(): void {
  void dropForgotten();
  for (const id of keptIds()) forgetOver(id);
}

function keptIds(): string[] {
  return listKept()
    .filter((each) => each.startsWith(PREFIX))
    .map((each) => each.slice(PREFIX.length));
}

function readLink(id: string): KeptLink | undefined {
  return readKept(PREFIX + id) as KeptLink | undefined;
}

/** Returns false when the browser does not store it. */
function write(id: string, link: KeptLink): boolean {
  return writeKept(PREFIX + id, link);
}
