const PREFIX = "handoff:";

/** What this tab keeps of a link until it is of no use any more: nothing of it is anywhere else. */
interface KeptLink {
  readonly fragment: string;
  /** The same for every try, so that a reload repeats the claim and does not make another one. */
  readonly idempotencyKey: string;
  /** Epoch milliseconds after which the claim cannot be repeated; null before it is made. */
  readonly until: number | null;
}

/**
 * Takes the fragment out of the address bar and the history, and keeps it for this tab. Returns what is kept; undefined
 * when the address has no fragment and none is kept for it.
 */
export function takeFragment(id: string): Pick<KeptLink, "fragment" | "idempotencyKey"> | undefined {
  const fragment = location.hash.slice(1);
  const kept = readKept(id);
  if (fragment === "") return kept;
  history.replaceState(null, "", location.pathname);
  if (kept?.fragment === fragment) return kept;
  const fresh = { fragment, idempotencyKey: crypto.randomUUID(), until: null };
  keep(id, fresh);
  return fresh;
}

/** From `until` on, when the claim cannot be repeated any more, nothing is kept of the link. */
export function keepUntil(id: string, until: string | null): void {
  const kept = readKept(id);
  if (!kept) return;
  const end = until === null ? Date.now() : Date.parse(until);
  keep(id, { ...kept, until: end });
  setTimeout(() => forget(id), Math.max(0, end - Date.now()));
}

/** Nothing is kept of the link any more. */
export function forget(id: string): void {
  sessionStorage.removeItem(PREFIX + id);
}

function keep(id: string, link: KeptLink): void {
  sessionStorage.setItem(PREFIX + id, JSON.stringify(link));
}

function readKept(id: string): KeptLink | undefined {
  const text = sessionStorage.getItem(PREFIX + id);
  if (text === null) return undefined;
  const kept: KeptLink = JSON.parse(text);
  if (kept.until === null || kept.until > Date.now()) return kept;
  forget(id);
  return undefined;
}
