import { createStore, del, delMany, entries, keys, set } from "idb-keyval";
import { attempt } from "./attempts.ts";

// Labels name people and things ("router, for Ann"). They are kept in this browser alone, by person, and forgotten when that
// person signs out: on a computer that is shared, that is how they say that nothing of theirs is to stay. In a private
// window they are gone with it.

/** The longest label, in characters. */
export const MAX_LABEL_LENGTH = 80;

interface KeptLabel {
  readonly label: string;
  /** Epoch milliseconds by this machine's clock. */
  readonly keptAt: number;
}

/** A secret or a request, by its id, and the person who has labelled it. */
type LabelKey = [personId: string, id: string];

const store = createStore("handoff-labels", "labels");
/** The memory of this page until it is left, for where the browser keeps nothing. */
const memory = new Map<string, KeptLabel>();

/** Labels a secret or request with up to 80 characters; empty for none. False when the browser can't keep it. */
export async function keepLabel(personId: string, id: string, text: string): Promise<boolean> {
  const label = Array.from(text.trim()).slice(0, MAX_LABEL_LENGTH).join("").trim();
  const kept: KeptLabel = { label, keptAt: Date.now() };
  const key: LabelKey = [personId, id];
  memory.delete(personId + id);
  const isStored = await attempt(
    () => (label === "" ? del(key, store) : set(key, kept, store)).then(() => true),
    false,
  );
  if (!isStored && label !== "") memory.set(personId + id, kept);
  return isStored;
}

/** The labels of this person, by the ids of secrets and requests. */
export async function listLabels(personId: string): Promise<ReadonlyMap<string, string>> {
  const kept = await readLabels(personId);
  return new Map([...kept].map(([id, { label }]) => [id, label]));
}

/**
 * Forgets the labels of what the server no longer lists. `listed` is everything that it lists of this person, asked for at
 * `askedAt` (epoch milliseconds by this machine's clock): what was labelled since then is not in it, and stays.
 */
export async function pruneLabels(personId: string, listed: ReadonlySet<string>, askedAt: number): Promise<void> {
  const kept = await readLabels(personId);
  const gone = [...kept].filter(([id, { keptAt }]) => !listed.has(id) && keptAt < askedAt).map(([id]) => id);
  for (const id of gone) memory.delete(personId + id);
  const all = gone.map((id): LabelKey => [personId, id]);
  await attempt(() => delMany(all, store), undefined);
}

/** Forgets all labels of this person, who signs out. False when the browser did not do so. */
export function forgetLabels(personId: string): Promise<boolean> {
  for (const key of memory.keys()) if (key.startsWith(personId)) memory.delete(key);
  return attempt(async () => {
    const kept = await keys<LabelKey>(store);
    await delMany(
      kept.filter(([owner]) => owner === personId),
      store,
    );
    return true;
  }, false);
}

async function readLabels(personId: string): Promise<ReadonlyMap<string, KeptLabel>> {
  const remembered = [...memory].flatMap(([key, kept]) =>
    key.startsWith(personId) ? [[key.slice(personId.length), kept] as const] : [],
  );
  const stored = await attempt(async () => {
    const all = await entries<LabelKey, KeptLabel | undefined>(store);
    return all.flatMap(([[owner, id], kept]) => (owner === personId && kept ? [[id, kept] as const] : []));
  }, []);
  return new Map([...stored, ...remembered]);
}
