import { listKept, readKept, removeKept, writeKept } from "./tab-storage.ts";

const PREFIX = "handoff-past:";

/** The past of a link that this tab no longer has: nothing that opens anything. */
export type PastLink =
  /** RFC 3339. `left` is how often it could be opened after the last time here; undefined when that is not known. */
  | { readonly kind: "opened"; readonly at: string; readonly left?: number }
  /** It was asked for here, and the answer never came. RFC 3339; `endedAt` is the server's. */
  | { readonly kind: "lost"; readonly askedAt: string; readonly endedAt: string }
  | { readonly kind: "handed-in"; readonly secretId: string; readonly hadEarlier: boolean }
  /** It has come to its end otherwise. */
  | { readonly kind: "over" };

/** Notes what this tab has done with the link to `id`. */
export function rememberPast(id: string, past: PastLink): void {
  writeKept(PREFIX + id, past);
}

/** The past of the link to `id` in this tab; undefined when it has none. */
export function readPast(id: string): PastLink | undefined {
  return readKept(PREFIX + id) as PastLink | undefined;
}

/** Nothing is known any more of what this tab did, but with the link to `except`. */
export function forgetPast(except?: string): void {
  for (const key of listKept()) if (key.startsWith(PREFIX) && key !== PREFIX + except) removeKept(key);
}
