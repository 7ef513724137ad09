import { decodeNote, namesOf } from "../../crypto/forms.ts";
import type { FormField, Note } from "../../crypto/forms.ts";
import type { KeptAgeIdentity } from "../browser/age-identities.ts";
import { keepLabel, listRemembered } from "../browser/labels.ts";
import { inWorker } from "../browser/workers.ts";
import { toShownNote } from "../parts/shown-notes.ts";

/** Decrypted notes by the IDs of their requests, so that each is decrypted once. */
const read = new Map<string, Note>();

/** Returns the notes of requests for display, by the IDs of the requests; empty for a note that is unknown. */
export async function readNotes(kept: ReadonlyMap<string, KeptAgeIdentity>): Promise<ReadonlyMap<string, string>> {
  const items = [...kept].flatMap(([id, { identity: ageIdentity, note }]) =>
    note && !read.has(id) ? [{ id, ageIdentity, note }] : [],
  );
  if (items.length > 0) {
    // The list is useful without notes. They are tried again with its next update.
    const texts = await inWorker({ kind: "notes", items }).catch(() => []);
    for (const [index, { id }] of items.entries()) {
      const text = texts[index];
      if (text !== undefined) read.set(id, decodeNote(text));
    }
  }
  return new Map([...kept.keys()].map((id) => [id, describeNote(read.get(id))]));
}

/** The fields that a request asks for, once its note was read; empty when it asks for none, or they aren't known. */
export function findForm(id: string): readonly FormField[] {
  return read.get(id)?.fields ?? [];
}

/** Keeps a note as the label of its request, before the key to it is deleted. */
export async function rememberNote(personId: string, requestId: string, note: string): Promise<void> {
  if (note !== "") await keepLabel(personId, requestId, note);
}

/** The beginning of a note that was remembered so; empty when there is none. */
export async function recallNote(personId: string, requestId: string): Promise<string> {
  return (await listRemembered(personId)).get(requestId)?.label ?? "";
}

/** The text of a note for display, or the names of the fields that it asks for; empty for a note that is unknown. */
function describeNote(note: Note | undefined): string {
  return note ? toShownNote(note.text ?? namesOf(note.fields)) : "";
}
