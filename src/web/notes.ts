import type { KeptIdentity } from "./identities.ts";
import { inWorker } from "./workers.ts";

/** Of requests, by their ids: decrypting them once is enough. */
const read = new Map<string, string>();

/** What was asked for in the requests of these identities; nothing for those of which that is not known. */
export async function readNotes(kept: ReadonlyMap<string, KeptIdentity>): Promise<ReadonlyMap<string, string>> {
  const items = [...kept].flatMap(([id, { identity, note }]) =>
    note && !read.has(id) ? [{ id, identity, note }] : [],
  );
  if (items.length > 0) {
    const texts = await inWorker({ kind: "notes", items }).catch(() => []);
    for (const [index, { id }] of items.entries()) read.set(id, texts[index] ?? "");
  }
  return read;
}
