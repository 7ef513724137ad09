import { createStore, del, entries, get, set } from "idb-keyval";
import type { Envelope } from "../contract/envelopes.ts";

/** What this browser keeps of a request that was made in it, or whose collect link was opened in it. */
export interface KeptIdentity {
  readonly identity: string;
  /** What was asked for, encrypted to the identity itself, so that nothing lies here to be read; undefined when unknown. */
  readonly note: Envelope | undefined;
  /** What was claimed here and may be claimed again in the same way, by the id of the secret. */
  readonly claims: Readonly<Record<string, KeptClaim>>;
}

/** A claim that was made, or may have been. Its key opens nothing. */
export interface KeptClaim {
  readonly idempotencyKey: string;
  /** By this machine's clock, when it can no longer be repeated; null when no answer has come yet. */
  readonly until: number | null;
}

/** A browser that does not answer must not hold up what can be done without. */
const PATIENCE_MS = 2000;

const store = createStore("handoff", "identities");

/** Keeps the identity of a request for the person who has it. False when this browser keeps nothing. */
export async function keepIdentity(personId: string, requestId: string, kept: KeptIdentity): Promise<boolean> {
  return attempt(async () => {
    await set([personId, requestId], kept, store);
    return true;
  }, false);
}

/** What is kept of a request for this person; undefined when nothing is. */
export function findIdentity(personId: string, requestId: string): Promise<KeptIdentity | undefined> {
  return attempt(() => get<KeptIdentity>([personId, requestId], store), undefined);
}

/** What is kept for this person, by the ids of requests. */
export function listIdentities(personId: string): Promise<ReadonlyMap<string, KeptIdentity>> {
  return attempt(async () => {
    const all = await entries<[string, string], KeptIdentity>(store);
    return new Map(all.flatMap(([[owner, id], kept]) => (owner === personId ? [[id, kept] as const] : [])));
  }, new Map());
}

/** Notes a claim, before it is made and when it has been. */
export async function keepClaim(
  personId: string,
  requestId: string,
  claim: KeptClaim & { readonly secretId: string },
): Promise<void> {
  const kept = await findIdentity(personId, requestId);
  if (!kept) return;
  const { secretId, ...rest } = claim;
  await keepIdentity(personId, requestId, { ...kept, claims: { ...kept.claims, [secretId]: rest } });
}

/** Forgets an identity that is of no use any more: only the server knows when, this machine's clock may be wrong. */
export async function forgetIdentity(personId: string, requestId: string): Promise<void> {
  await attempt(() => del([personId, requestId], store), undefined);
}

/** Whether this browser says that it tidies nothing away by itself. Nothing outlives a private window even then. */
export async function isPersistent(): Promise<boolean> {
  return attempt(async () => (await navigator.storage?.persist?.()) ?? false, false);
}

/** Whether a claim can be repeated, as far as this machine knows. */
export function isRepeatable(claim: KeptClaim | undefined): boolean {
  return claim !== undefined && (claim.until === null || claim.until > Date.now());
}

/** What `work` comes to; `otherwise` where the browser refuses, as some do in private windows, or says nothing. */
async function attempt<T>(work: () => Promise<T>, otherwise: T): Promise<T> {
  const late = new Promise<T>((resolve) => void setTimeout(() => resolve(otherwise), PATIENCE_MS));
  try {
    return await Promise.race([work(), late]);
  } catch {
    return otherwise;
  }
}
