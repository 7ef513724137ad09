import { createStore, del, delMany, entries, get, set } from "idb-keyval";
import type { RequestMetadata } from "../client/requests.ts";
import type { Envelope } from "../contract/envelopes.ts";

/** What this browser keeps of a request that was made in it, or whose collect link was opened in it. */
export interface KeptIdentity {
  readonly identity: string;
  /** What was asked for, encrypted to the identity itself, so that nothing lies here to be read; undefined when unknown. */
  readonly note: Envelope | undefined;
  /** By this machine's clock, in milliseconds, when it can be of no use any more. */
  readonly until: number;
}

/** After the last answer was opened here, while a reload may still show it again: the longest replay window. */
const LAST_USE_MS = 60 * 60 * 1000;

const store = createStore("handoff", "identities");

/** Keeps an identity. False when this browser keeps nothing, as some do in private windows. */
export async function keepIdentity(requestId: string, kept: KeptIdentity): Promise<boolean> {
  try {
    await set(requestId, kept, store);
    // Where a browser asks or refuses, it may still be tidied away when the disk is full; the collect link is for that.
    void navigator.storage?.persist?.().catch(() => false);
    return true;
  } catch {
    return false;
  }
}

/** What is kept of a request; undefined when nothing is. */
export async function findIdentity(requestId: string): Promise<KeptIdentity | undefined> {
  try {
    return await get<KeptIdentity>(requestId, store);
  } catch {
    return undefined;
  }
}

/** What is kept of all requests, by their ids. What can be of no use any more is forgotten. */
export async function listIdentities(): Promise<ReadonlyMap<string, KeptIdentity>> {
  try {
    const all = await entries<string, KeptIdentity>(store);
    const old = all.filter(([, { until }]) => until <= Date.now());
    await delMany(
      old.map(([id]) => id),
      store,
    );
    return new Map(all.filter((each) => !old.includes(each)));
  } catch {
    return new Map();
  }
}

/** Everything was opened here: the identity is of use only as long as that can be shown again. */
export async function forgetSoon(requestId: string): Promise<void> {
  const kept = await findIdentity(requestId);
  if (kept) await keepIdentity(requestId, { ...kept, until: Math.min(kept.until, Date.now() + LAST_USE_MS) });
}

/** Nothing was handed in, and nothing can be any more. */
export async function forgetIdentity(requestId: string): Promise<void> {
  try {
    await del(requestId, store);
  } catch {
    // Then there is nothing to forget.
  }
}

/** When the identity of a request can be of no use any more: once nothing that was handed in can still be there. */
export function lastUse({ expires_at: expiresAt }: Pick<RequestMetadata, "expires_at">, maxExpiresIn: number): number {
  return Date.parse(expiresAt) + maxExpiresIn * 1000;
}
