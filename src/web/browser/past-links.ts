import { listKept, readKept, removeKept, writeKept } from "./tab-storage.ts";

const PREFIX = "handoff-past:";

/** The history of a link that this tab no longer has. It has nothing secret. */
export type PastLink =
  /** RFC 3339. `left` is how often the link could still be opened after the last time here; undefined when unknown. */
  | { readonly kind: "opened"; readonly at: string; readonly left?: number }
  /** It was claimed here, and the answer never came. RFC 3339; `endedAt` is the server's. */
  | { readonly kind: "lost"; readonly askedAt: string; readonly endedAt: string }
  | { readonly kind: "handed-in"; readonly secretId: string; readonly hadEarlier: boolean }
  /** It ended in another way. */
  | { readonly kind: "over" };

/** Records the history of the link to `id` in this tab. */
export function rememberPast(id: string, past: PastLink): void {
  writeKept(PREFIX + id, past);
}

/** Returns the history of the link to `id` in this tab; undefined when there is none. */
export function readPast(id: string): PastLink | undefined {
  return readKept(PREFIX + id) as PastLink | undefined;
}

/** Deletes the history of the link to `id`. */
export function forgetPastOf(id: string): void {
  removeKept(PREFIX + id);
}

/** Deletes the history of all links except `except`. */
export function forgetPast(except?: string): void {
  for (const key of listKept()) if (key.startsWith(PREFIX) && key !== PREFIX + except) removeKept(key);
}
