import type { Envelope } from "../../contract/envelopes.ts";
import { dropForgotten, dropLarge, findLarge, keepLarge } from "./large-envelopes.ts";
import { forgetPast } from "./past-links.ts";
import { listKept, readKept, removeKept, writeKept } from "./tab-storage.ts";

const PREFIX = "handoff:";
/** A link as this tab keeps it until it is of no use any more: nothing of it is anywhere else. */
export interface KeptLink {
  readonly fragment: string;
  /** The same for every try, so that a reload repeats the claim and does not make another one. */
  readonly idempotencyKey: string;
  /** When this tab's claim can't be repeated any more, by the local clock; null before the claim. */
  readonly until: number | null;
  /** When a claim with an unknown outcome was first sent, in epoch milliseconds by the local clock. */
  readonly sentAt?: number | undefined;
  /** The envelope that was claimed and could not be decrypted yet, for want of the passphrase, if it fits here. */
  readonly envelope?: Envelope;
  /** It does not fit here, and is kept under the idempotency key. */
  readonly isLarge?: boolean;
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
  // The two kinds of a link to a secret differ in a letter, and one claim serves both.
  if (kept && seedOf(kept.fragment) === seedOf(fragment)) {
    const corrected = { ...kept, fragment };
    write(id, corrected);
    return corrected;
  }
  const fresh = { fragment, idempotencyKey: crypto.randomUUID(), until: null };
  write(id, fresh);
  return fresh;
}

/** The part of a fragment that opens something: without a hint, and what stood behind the link in a message. */
function seedOf(fragment: string): string {
  return fragment.replace(/^1p?\./, "").replace(/(?:\.[a-z0-9]{0,16})*(?:[^\w.-].*)?$/s, "");
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
  if (kept) write(id, { ...kept, sentAt: kept.sentAt ?? Date.now() });
}

/** Every claim that was sent so far was answered, and nothing came of any. */
export function noteClaimRefused(id: string): void {
  const kept = readLink(id);
  if (kept) write(id, { ...kept, sentAt: undefined });
}

/** The time, in epoch milliseconds, at which this tab first sent a claim by the link to `id`, of which it doesn't know that nothing came; undefined when there is none. */
export function claimSentAt(id: string): number | undefined {
  return readLink(id)?.sentAt;
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

/** A claim of a link that was made, or sent without an answer so far. Its key opens nothing without the link. */
export interface MadeClaim {
  readonly idempotencyKey: string;
  /** Epoch milliseconds by this machine's clock, until when it can be repeated; null before its answer has come. */
  readonly until: number | null;
}

/** The idempotency key for claims by the link to `id`; undefined when this tab has no such link. */
export function keptKeyOf(id: string): string | undefined {
  return readLink(id)?.idempotencyKey;
}

/** The claim that this tab can repeat by the link to `id`; undefined when there is none. */
export function claimOf(id: string): MadeClaim | undefined {
  const kept = readLink(id);
  if (!kept || (kept.until === null ? kept.sentAt === undefined : kept.until <= Date.now())) return undefined;
  return { idempotencyKey: kept.idempotencyKey, until: kept.until };
}

/** Makes this tab repeat another tab's claim. False when this tab has no such link, or its own claim. */
export function adoptClaim(id: string, { idempotencyKey, until }: MadeClaim): boolean {
  const kept = readLink(id);
  if (!kept || kept.until !== null) return false;
  write(id, { ...kept, idempotencyKey, until, sentAt: kept.sentAt ?? Date.now() });
  if (until !== null) setTimeout(() => forgetUnlessHeld(id), until - Date.now());
  return true;
}

/** Keeps a claimed envelope until it is decrypted. False when the browser can't keep it. */
export async function holdEnvelope(id: string, envelope: Envelope): Promise<boolean> {
  const kept = readLink(id);
  if (!kept) return false;
  if (write(id, { ...kept, envelope })) return true;
  // Noted before it is there, or the link might be forgotten while it is written.
  if (write(id, { ...kept, isLarge: true }) && (await keepLarge(kept.idempotencyKey, envelope))) return true;
  dropEnvelope(id);
  return false;
}

/** The envelope that was claimed by this link and could not be decrypted yet; undefined when there is none. */
export async function readEnvelope({ envelope, isLarge, idempotencyKey }: KeptLink): Promise<Envelope | undefined> {
  return envelope ?? (isLarge ? findLarge(idempotencyKey) : undefined);
}

/** Forgets the envelope of the link to `id`, which has been decrypted, or cannot be kept. */
export function dropEnvelope(id: string): void {
  const kept = readLink(id);
  if (!kept || !isHeld(kept)) return;
  const { envelope: _, isLarge, ...rest } = kept;
  if (isLarge) void dropLarge(kept.idempotencyKey);
  if (replayEndOf(id) === null) void forget(id);
  else write(id, rest);
}

function forgetUnlessHeld(id: string): void {
  const kept = readLink(id);
  if (kept && !isHeld(kept)) void forget(id);
}

function isHeld({ envelope, isLarge = false }: KeptLink): boolean {
  return envelope !== undefined || isLarge;
}

/** Another claim is to be made than the one that was. */
export function renewKey(id: string): void {
  const kept = readLink(id);
  if (kept) write(id, { ...kept, idempotencyKey: crypto.randomUUID(), until: null, sentAt: undefined });
}

/** Nothing is kept of the link any more. Resolves when what was large is gone too. */
export async function forget(id: string): Promise<void> {
  const kept = readLink(id);
  removeKept(PREFIX + id);
  if (kept?.isLarge) await dropLarge(kept.idempotencyKey);
}

/** Nothing is kept of any link any more, but of `except`. Resolves when what was large is gone too. */
export async function forgetAll(except?: string): Promise<void> {
  const ids = keptIds().filter((id) => id !== except);
  forgetPast(except);
  await Promise.all(ids.map(forget));
}

/** Forgets what is over, and what is not when it will be: a timer does not outlive a reload. */
function forgetOld(): void {
  void dropForgotten();
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

/** False when the browser does not keep it. */
function write(id: string, link: KeptLink): boolean {
  return writeKept(PREFIX + id, link);
}
