import { createStore, del, delMany, entries, keys, set } from "idb-keyval";
import { attempt } from "./attempts.ts";

// Labels name people and things ("router, for Ann"). Only this browser keeps them, separately for each person. They are
// deleted when that person signs out, so that a shared computer keeps nothing, and with a private window.

/** The longest label, in characters. */
export const MAX_LABEL_LENGTH = 80;

interface KeptLabel {
  readonly label: string;
  /** Epoch milliseconds by this machine's clock. */
  readonly keptAt: number;
}

/** The ID of a secret or request, and the person who labeled it. */
type LabelKey = [personId: string, id: string];

const store = createStore("handoff-labels", "labels");
/** The fallback, until the page is left, for browsers that store nothing. */
const memory = new Map<string, KeptLabel>();

/**
 * Labels a secret or a request. The text is trimmed and cut to 80 characters; an empty one removes the label. Returns
 * false when only this page keeps it, and the browser does not.
 */
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

/** Returns the labels of this person, by the IDs of secrets and requests. */
export async function listLabels(personId: string): Promise<ReadonlyMap<string, string>> {
  const kept = await readLabels(personId);
  return new Map([...kept].map(([id, { label }]) => [id, label]));
}

/**
 * Deletes the labels of items that the server no longer lists. `listed` has all IDs of this person as of `askedAt`
 * (epoch milliseconds by this machine's clock). Newer labels stay.
 */
export async function pruneLabels(personId: string, listed: ReadonlySet<string>, askedAt: number): Promise<void> {
  const kept = await readLabels(personId);
  const gone = [...kept].filter(([id, { keptAt }]) => !listed.has(id) && keptAt < askedAt).map(([id]) => id);
  for (const id of gone) memory.delete(personId + id);
  const all = gone.map((id): LabelKey => [personId, id]);
  await attempt(() => delMany(all, store), undefined);
}

/** Deletes all labels of a person who signs out. Returns false when the browser failed to. */
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
