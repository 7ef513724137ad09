import { createStore, del, delMany, entries, get, set } from "idb-keyval";
import type { Envelope } from "../../contract/envelopes.ts";
import { attempt } from "./attempts.ts";

// Claimed envelopes that are not decrypted yet and are too large for tab storage. Only the tab has their key.

/** A closed tab leaves no trace; after this long its envelopes are deleted. */
const LONGEST_MS = 7 * 24 * 60 * 60 * 1000;
/** Writing 100 MiB takes a while. */
const PATIENCE_MS = 20_000;

interface KeptEnvelope {
  readonly envelope: Envelope;
  /** Epoch milliseconds by this machine's clock. */
  readonly keptAt: number;
}

const store = createStore("handoff-envelopes", "envelopes");

/** Stores `envelope` under `key`, which is unique to this tab. Returns false when the browser does not store it. */
export function keepLarge(key: string, envelope: Envelope): Promise<boolean> {
  const kept: KeptEnvelope = { envelope, keptAt: Date.now() };
  return attempt(() => set(key, kept, store).then(() => true), false, PATIENCE_MS);
}

/** Returns the envelope stored under `key`; undefined when there is none. */
export async function findLarge(key: string): Promise<Envelope | undefined> {
  return (await attempt(() => get<KeptEnvelope>(key, store), undefined, PATIENCE_MS))?.envelope;
}

/** Deletes the envelope stored under `key`. */
export function dropLarge(key: string): Promise<void> {
  return attempt(() => del(key, store), undefined);
}

/** Deletes envelopes of tabs that were closed long ago. */
export function dropForgotten(): Promise<void> {
  return attempt(async () => {
    const all = await entries<string, KeptEnvelope | undefined>(store);
    const old = all.filter(([, kept]) => !kept || Math.abs(Date.now() - kept.keptAt) > LONGEST_MS);
    await delMany(
      old.map(([key]) => key),
      store,
    );
  }, undefined);
}
