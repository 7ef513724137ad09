import { createStore, del, delMany, entries, keys, promisifyRequest, set, update } from "idb-keyval";
import { attempt } from "./attempts.ts";
import { createTextKey, openText, sealText } from "./sealed-texts.ts";
import type { SealedText } from "./sealed-texts.ts";

// Labels name people and things ("router, for Ann"), and so do the names of files. Only this browser keeps them, for
// each person apart and encrypted. They are deleted when that person signs out, so that a shared computer keeps
// nothing, and with a private window.

/** The longest label, in characters. */
export const MAX_LABEL_LENGTH = 80;
const MAX_FILE_NAME_LENGTH = 255;

/** What a secret contains, as far as this browser remembers it. */
export type ContentSummary =
  | { readonly kind: "text"; readonly lines: number }
  | { readonly kind: "password"; readonly characters: number }
  | { readonly kind: "files"; readonly count: number; readonly firstName: string };

/** What this browser remembers of a secret or request of a person. */
export interface Remembered {
  /** The person's own name for it; empty when it has none. */
  readonly label: string;
  /** Undefined when it was sent elsewhere. */
  readonly content: ContentSummary | undefined;
}

/** A text as it is stored. `keptAt` is in epoch milliseconds by this machine's clock. */
type KeptText =
  | { readonly sealed: SealedText; readonly keptAt: number }
  // As former versions stored labels.
  | { readonly label: string; readonly keptAt: number };

/** The person, and the ID of their secret or request. A summary has a third part. */
type TextKey = [personId: string, id: string] | [personId: string, id: string, part: "content"];
/** The person alone, for the key that encrypts their texts. */
type StoredKey = TextKey | [personId: string];

interface StoredText {
  readonly at: TextKey;
  readonly kept: KeptText;
}

interface FoundText {
  readonly at: TextKey;
  readonly text: string;
  readonly keptAt: number;
}

const store = createStore("handoff-labels", "labels");
/** The fallback, until the page is left, for browsers that store nothing. */
const memory = new Map<string, FoundText>();
/** Decrypted texts, by their initialization vectors, so that each is decrypted once. */
const opened = new Map<string, string>();

/**
 * Labels a secret or a request. The text is trimmed and cut to 80 characters; an empty one removes the label. Returns
 * false when only this page keeps it, and the browser does not.
 */
export function keepLabel(personId: string, id: string, text: string): Promise<boolean> {
  return keepText([personId, id], cut(text.trim(), MAX_LABEL_LENGTH).trim());
}

/** Remembers what a secret contains. Returns false when only this page does, and the browser does not. */
export function keepContentSummary(personId: string, secretId: string, summary: ContentSummary): Promise<boolean> {
  const kept =
    summary.kind === "files" ? { ...summary, firstName: cut(summary.firstName, MAX_FILE_NAME_LENGTH) } : summary;
  return keepText([personId, secretId, "content"], JSON.stringify(kept));
}

/** Returns what this browser remembers of this person's secrets and requests, by their IDs. */
export async function listRemembered(personId: string): Promise<ReadonlyMap<string, Remembered>> {
  const listed = new Map<string, Remembered>();
  for (const { at, text } of await readTexts(personId)) {
    const [, id, part] = at;
    const known = listed.get(id) ?? { label: "", content: undefined };
    listed.set(id, part === undefined ? { ...known, label: text } : { ...known, content: parseSummary(text) });
  }
  return listed;
}

/**
 * Deletes what is remembered of items that the server no longer lists. `listed` has all IDs of this person as of
 * `askedAt` (epoch milliseconds by this machine's clock). What was kept later stays.
 */
export async function pruneLabels(personId: string, listed: ReadonlySet<string>, askedAt: number): Promise<void> {
  const isGone = ({ at: [, id], keptAt }: Pick<FoundText, "at" | "keptAt">) => !listed.has(id) && keptAt < askedAt;
  for (const [name, kept] of memory) if (kept.at[0] === personId && isGone(kept)) memory.delete(name);
  await attempt(async () => {
    const all = await entries<StoredKey, KeptText | undefined>(store);
    const gone = all.flatMap(([at, kept]) => (isText(at, personId) && kept && isGone({ at, ...kept }) ? [at] : []));
    await delMany(gone, store);
  }, undefined);
}

/** Deletes all that is remembered for a person who signs out. Returns false when the browser failed to. */
export function forgetLabels(personId: string): Promise<boolean> {
  for (const [name, { at }] of memory) if (at[0] === personId) memory.delete(name);
  opened.clear();
  return attempt(async () => {
    const kept = await keys<string[]>(store);
    await delMany(
      kept.filter(([owner]) => owner === personId),
      store,
    );
    return true;
  }, false);
}

async function keepText(at: TextKey, text: string): Promise<boolean> {
  const name = JSON.stringify(at);
  const keptAt = Date.now();
  memory.delete(name);
  const isStored = await attempt(async () => {
    if (text === "") await del(at, store);
    else await set(at, { sealed: await sealText(await keyOf(at[0]), at, text), keptAt }, store);
    return true;
  }, false);
  if (!isStored && text !== "") memory.set(name, { at, text, keptAt });
  return isStored;
}

/** Returns the key of a person's texts. Two tabs that both make one agree on the first. */
async function keyOf(personId: string): Promise<CryptoKey> {
  const fresh = await createTextKey();
  let key = fresh;
  await update<CryptoKey>([personId], (kept) => (key = kept ?? fresh), store);
  return key;
}

async function readTexts(personId: string): Promise<readonly FoundText[]> {
  const all = await attempt(() => entries<StoredKey, unknown>(store), []);
  const texts = all.flatMap(([at, kept]) => (isText(at, personId) && kept ? [{ at, kept: kept as KeptText }] : []));
  const key = all.find(([at]) => at.length === 1 && at[0] === personId)?.[1] as CryptoKey | undefined;
  // Reading does not wait for it.
  void sealFormer(personId, texts);
  const stored = await Promise.all(texts.map((each) => readText(each, key)));
  const remembered = [...memory.values()].filter(({ at }) => at[0] === personId);
  return [...stored.flatMap((each) => each ?? []), ...remembered];
}

/** Undefined when a text cannot be decrypted, or is of a later version. */
async function readText({ at, kept }: StoredText, key: CryptoKey | undefined): Promise<FoundText | undefined> {
  const { keptAt } = kept;
  if ("label" in kept) return { at, text: kept.label, keptAt };
  if (!("sealed" in kept)) return undefined;
  const name = String(kept.sealed.iv);
  const text = opened.get(name) ?? (key && (await openText(key, at, kept.sealed).catch(() => undefined)));
  if (text === undefined) return undefined;
  opened.set(name, text);
  return { at, text, keptAt };
}

/** Encrypts the labels that former versions stored, unless they have been changed meanwhile. */
async function sealFormer(personId: string, texts: readonly StoredText[]): Promise<void> {
  const former = texts.flatMap(({ at, kept }) => ("label" in kept ? [{ at, kept }] : []));
  if (former.length === 0) return;
  await attempt(async () => {
    const key = await keyOf(personId);
    const sealed = await Promise.all(
      former.map(async ({ at, kept: { label, keptAt } }) => ({
        at,
        label,
        kept: { sealed: await sealText(key, at, label), keptAt } satisfies KeptText,
      })),
    );
    // One transaction: a reading would have to wait for each of many.
    await store("readwrite", (all) => {
      for (const { at, label, kept } of sealed) {
        const reading: IDBRequest<KeptText | undefined> = all.get(at);
        reading.onsuccess = () => {
          const now = reading.result;
          if (now && "label" in now && now.label === label) all.put(kept, at);
        };
      }
      return promisifyRequest(all.transaction);
    });
  }, undefined);
}

function isText(at: StoredKey, personId: string): at is TextKey {
  return at[0] === personId && at.length > 1;
}

/** Undefined when it is not of this version. */
function parseSummary(text: string): ContentSummary | undefined {
  const parsed = JSON.parse(text) as ContentSummary;
  return ["text", "password", "files"].includes(parsed.kind) ? parsed : undefined;
}

function cut(text: string, length: number): string {
  return Array.from(text).slice(0, length).join("");
}
