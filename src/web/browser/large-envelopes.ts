import { createStore, del, delMany, entries, get, set } from "idb-keyval";
import type { Envelope } from "../../contract/envelopes.ts";
import { attempt } from "./attempts.ts";

// What was claimed, cannot be decrypted yet and is more than a browser lets a tab keep. Only the tab has what opens it.

/** A tab that was closed says nothing; after this long nobody is taken to come back for what it had claimed. */
const LONGEST_MS = 7 * 24 * 60 * 60 * 1000;
/** Writing 100 MiB takes a while. */
const PATIENCE_MS = 20_000;

interface KeptEnvelope {
  readonly envelope: Envelope;
  /** Epoch milliseconds by this machine's clock. */
  readonly keptAt: number;
}

const store = createStore("handoff-envelopes", "envelopes");

/** Keeps `envelope` under `key`, which no other tab has. False when the browser does not. */
export function keepLarge(key: string, envelope: Envelope): Promise<boolean> {
  const kept: KeptEnvelope = { envelope, keptAt: Date.now() };
  return attempt(() => set(key, kept, store).then(() => true), false, PATIENCE_MS);
}

/** The envelope that is kept under `key`; undefined when there is none. */
export async function findLarge(key: string): Promise<Envelope | undefined> {
  return (await attempt(() => get<KeptEnvelope>(key, store), undefined, PATIENCE_MS))?.envelope;
}

/** Keeps nothing under `key` any more. */
export function dropLarge(key: string): Promise<void> {
  return attempt(() => del(key, store), undefined);
}

/** Keeps nothing any more of tabs that nobody has come back to. */
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
