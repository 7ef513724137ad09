import { createStore, del, delMany, entries, get, keys, set, update } from "idb-keyval";
import type { Envelope } from "../../contract/envelopes.ts";
import { REQUEST_USE_SECONDS } from "../../contract/limits.ts";
import { attempt } from "./attempts.ts";

/** An age identity kept by this browser, of a request that was created or whose backup link was opened in it. */
export interface KeptAgeIdentity {
  /** The age identity. The name is part of the format stored in browsers. */
  readonly identity: string;
  /** The note of the request, encrypted to the identity so that no plaintext is stored; undefined when unknown. */
  readonly note: Envelope | undefined;
  /** The claims made in this browser, by the ID of the secret. */
  readonly claims: Readonly<Record<string, KeptClaim>>;
  /** When it was kept, in epoch milliseconds by this machine's clock; undefined when an older version kept it. */
  readonly keptAt?: number;
}

/** A claim that was or may have been made. Its idempotency key decrypts nothing. */
export interface KeptClaim {
  /** Shared by all attempts in all tabs, so that they repeat one claim. */
  readonly idempotencyKey: string;
  /**
   * When the claim can no longer be repeated, in epoch milliseconds by this machine's clock. Null until an answer
   * arrives, 0 when nothing was handed out, or it can't be known any more.
   */
  readonly replayEndsAt: number | null;
}

const store = createStore("handoff", "identities");
/** The fallback, until the page is left, for browsers that store nothing. */
const memory = new Map<string, KeptAgeIdentity>();

/**
 * Keeps the age identity of a request for a person. Returns false when only this page keeps it, and the browser does
 * not.
 */
export async function keepAgeIdentity(personId: string, requestId: string, kept: KeptAgeIdentity): Promise<boolean> {
  const dated = { keptAt: Date.now(), ...kept };
  memory.set(personId + requestId, dated);
  return attempt(async () => {
    await set([personId, requestId], dated, store);
    return true;
  }, false);
}

/** Returns the age identity kept for this person's request; undefined when there is none. */
export async function findAgeIdentity(personId: string, requestId: string): Promise<KeptAgeIdentity | undefined> {
  const stored = await attempt(() => get<KeptAgeIdentity>([personId, requestId], store), undefined);
  return stored ?? memory.get(personId + requestId);
}

/** Returns the age identities kept for this person, by the IDs of their requests. */
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

/**
 * Returns the idempotency key for claiming a secret here. It is stored before use, because the answer may be lost:
 * until there is one, nobody knows when the claim can no longer be repeated.
 */
export async function claimKeyOf(personId: string, requestId: string, secretId: string): Promise<string> {
  const fresh = { idempotencyKey: crypto.randomUUID(), replayEndsAt: null };
  const begin = (claim: KeptClaim = fresh) => (claim.replayEndsAt === 0 ? { ...claim, replayEndsAt: null } : claim);
  await changeClaim(personId, requestId, { secretId, change: begin });
  const kept = await findAgeIdentity(personId, requestId);
  return (kept?.claims[secretId] ?? fresh).idempotencyKey;
}

/**
 * Records when a claim can no longer be repeated, unless already recorded; `"over"` when the server has refused it.
 */
export async function noteReplayEnd(
  personId: string,
  requestId: string,
  { secretId, inMs }: { readonly secretId: string; readonly inMs: number | "over" },
): Promise<void> {
  const endOf = (known: number | null) =>
    // Another tab may have been refused meanwhile.
    inMs === "over" ? Math.min(known ?? 0, Date.now()) : known || Date.now() + inMs;
  await changeClaim(personId, requestId, {
    secretId,
    change: (claim) => claim && { ...claim, replayEndsAt: endOf(claim.replayEndsAt) },
  });
}

/** Records that a claim can be repeated until `endsAt`, in epoch milliseconds, or as long as already recorded. */
export async function prolongClaim(
  personId: string,
  requestId: string,
  { secretId, endsAt }: { readonly secretId: string; readonly endsAt: number },
): Promise<void> {
  await changeClaim(personId, requestId, {
    secretId,
    change: (claim) => claim && { ...claim, replayEndsAt: Math.max(claim.replayEndsAt ?? 0, endsAt) },
  });
}

/**
 * Deletes an age identity. Call it only when the server confirms that nothing can need it: this machine's clock may be
 * wrong.
 */
export async function forgetAgeIdentity(personId: string, requestId: string): Promise<void> {
  memory.delete(personId + requestId);
  await attempt(() => del([personId, requestId], store), undefined);
}

/** Deletes everything kept for this person. Returns false when the browser failed to. */
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

/** Asks the browser not to evict stored data. Returns whether it agreed; private windows lose their data anyway. */
export async function requestPersistence(): Promise<boolean> {
  return attempt(async () => (await navigator.storage?.persist?.()) ?? false, false);
}

/** True when a claim can still be repeated, by this machine's clock. */
export function isRepeatable(claim: KeptClaim | undefined): boolean {
  return claim !== undefined && (claim.replayEndsAt === null || claim.replayEndsAt > Date.now());
}

/** True when a request may still have submissions to open, whatever the server answers about it. */
export function mayBeOfUse({ keptAt }: KeptAgeIdentity): boolean {
  return keptAt === undefined || Date.now() - keptAt < REQUEST_USE_SECONDS * 1000;
}

/** Runs in one transaction, because other tabs change the same record. */
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
