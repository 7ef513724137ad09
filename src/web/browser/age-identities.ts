import { createStore, del, delMany, entries, get, keys, set, update } from "idb-keyval";
import type { Envelope } from "../../contract/envelopes.ts";
import { REQUEST_USE_SECONDS } from "../../contract/limits.ts";
import { attempt } from "./attempts.ts";

/** An age identity that this browser keeps: of a request that was made in it, or whose backup link was opened in it. */
export interface KeptAgeIdentity {
  /** The age identity. Browsers have it stored under this name. */
  readonly identity: string;
  /** The note of the request, encrypted to the identity itself; undefined when unknown. */
  readonly note: Envelope | undefined;
  /** The claims that were made here, by the id of the secret. */
  readonly claims: Readonly<Record<string, KeptClaim>>;
  /** Epoch milliseconds by this machine's clock, when it was kept; undefined when an older version kept it. */
  readonly keptAt?: number;
}

/** A claim that was made, or may have been. Its key opens nothing. */
export interface KeptClaim {
  /** The same for every try, in whatever tab, so that it repeats the claim and does not make another one. */
  readonly idempotencyKey: string;
  /** When it can't be repeated any more (epoch ms, local clock); null before an answer, 0 when none will come. */
  readonly replayEndsAt: number | null;
}

const store = createStore("handoff", "identities");
/** The memory of this page until it is left, for where the browser keeps nothing. */
const memory = new Map<string, KeptAgeIdentity>();

/** Keeps the age identity of a request for the person who has it. False when only this page does, and the browser does not. */
export async function keepAgeIdentity(personId: string, requestId: string, kept: KeptAgeIdentity): Promise<boolean> {
  const dated = { keptAt: Date.now(), ...kept };
  memory.set(personId + requestId, dated);
  return attempt(async () => {
    await set([personId, requestId], dated, store);
    return true;
  }, false);
}

/** The age identity that is kept of a request for this person; undefined when there is none. */
export async function findAgeIdentity(personId: string, requestId: string): Promise<KeptAgeIdentity | undefined> {
  const stored = await attempt(() => get<KeptAgeIdentity>([personId, requestId], store), undefined);
  return stored ?? memory.get(personId + requestId);
}

/** The age identities that are kept for this person, by the ids of requests. */
export async function listAgeIdentities(personId: string): Promise<ReadonlyMap<string, KeptAgeIdentity>> {
  const remembered = [...memory].flatMap(([key, kept]) =>
    key.startsWith(personId) ? [[key.slice(personId.length), kept] as const] : [],
  );
  const stored = await attempt(async () => {
    const all = await entries<[string, string], KeptAgeIdentity | undefined>(store);
    return all.flatMap(([[owner, id], kept]) => (owner === personId && kept ? [[id, kept] as const] : []));
  }, []);
  return new Map([...remembered, ...stored]);
}

/** The idempotency key under which a secret is claimed here; kept before it is used, for the answer may be lost. */
export async function claimKeyOf(personId: string, requestId: string, secretId: string): Promise<string> {
  const fresh = { idempotencyKey: crypto.randomUUID(), replayEndsAt: null };
  await changeClaim(personId, requestId, { secretId, change: (claim) => claim ?? fresh });
  const kept = await findAgeIdentity(personId, requestId);
  return (kept?.claims[secretId] ?? fresh).idempotencyKey;
}

/** Notes when a claim can no longer be repeated, unless that is known; `"over"` when the server has said that it cannot. */
export async function noteReplayEnd(
  personId: string,
  requestId: string,
  { secretId, inMs }: { readonly secretId: string; readonly inMs: number | "over" },
): Promise<void> {
  const endOf = (known: number | null) =>
    inMs === "over" ? Math.min(known ?? 0, Date.now()) : (known ?? Date.now() + inMs);
  await changeClaim(personId, requestId, {
    secretId,
    change: (claim) => claim && { ...claim, replayEndsAt: endOf(claim.replayEndsAt) },
  });
}

/** Forgets an age identity that is of no use any more: only the server knows when, this machine's clock may be wrong. */
export async function forgetAgeIdentity(personId: string, requestId: string): Promise<void> {
  memory.delete(personId + requestId);
  await attempt(() => del([personId, requestId], store), undefined);
}

/** Forgets all that is kept for this person. False when the browser did not do so. */
export function forgetAgeIdentities(personId: string): Promise<boolean> {
  for (const key of memory.keys()) if (key.startsWith(personId)) memory.delete(key);
  return attempt(async () => {
    const kept = await keys<[string, string]>(store);
    await delMany(
      kept.filter(([owner]) => owner === personId),
      store,
    );
    return true;
  }, false);
}

/** Asks the browser to tidy nothing away by itself. Whether it does so; nothing outlives a private window even then. */
export async function requestPersistence(): Promise<boolean> {
  return attempt(async () => (await navigator.storage?.persist?.()) ?? false, false);
}

/** True when a claim can be repeated, as far as this machine knows. */
export function isRepeatable(claim: KeptClaim | undefined): boolean {
  return claim !== undefined && (claim.replayEndsAt === null || claim.replayEndsAt > Date.now());
}

/** True when something may still wait for a request, whatever the server answers about it. */
export function mayBeOfUse({ keptAt }: KeptAgeIdentity): boolean {
  return keptAt === undefined || Date.now() - keptAt < REQUEST_USE_SECONDS * 1000;
}

/** In one transaction, because other tabs change the same. */
async function changeClaim(
  personId: string,
  requestId: string,
  options: {
    readonly secretId: string;
    readonly change: (claim: KeptClaim | undefined) => KeptClaim | undefined;
  },
): Promise<void> {
  const { secretId, change } = options;
  const changed = (kept: KeptAgeIdentity | undefined): KeptAgeIdentity | undefined => {
    const claim = kept && change(kept.claims[secretId]);
    return claim ? { ...kept, claims: { ...kept.claims, [secretId]: claim } } : kept;
  };
  const inMemory = changed(memory.get(personId + requestId));
  if (inMemory) memory.set(personId + requestId, inMemory);
  await attempt(() => update<KeptAgeIdentity | undefined>([personId, requestId], changed, store), undefined);
}
