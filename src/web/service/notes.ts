import type { KeptAgeIdentity } from "../browser/age-identities.ts";
import { inWorker } from "../browser/workers.ts";
import { toShownNote } from "../parts/shown-notes.ts";

/** The notes by the ids of requests: decrypting them once is enough. */
const read = new Map<string, string>();

/** The notes of the requests of these identities, as they are shown, by the ids of requests; empty where one is not known. */
export async function readNotes(kept: ReadonlyMap<string, KeptAgeIdentity>): Promise<ReadonlyMap<string, string>> {
  const items = [...kept].flatMap(([id, { identity: ageIdentity, note }]) =>
    note && !read.has(id) ? [{ id, ageIdentity, note }] : [],
  );
  if (items.length > 0) {
    // Without the notes the list is of use too; they are tried again with its next reading.
    const texts = await inWorker({ kind: "notes", items }).catch(() => []);
    for (const [index, { id }] of items.entries()) {
      const text = texts[index];
      if (text !== undefined) read.set(id, toShownNote(text));
    }
  }
  return new Map([...kept.keys()].map((id) => [id, read.get(id) ?? ""]));
}
