const PREFIX = "handoff:";
/** What this tab keeps of a link until it is of no use any more: nothing of it is anywhere else. */
export interface KeptLink {
  readonly fragment: string;
  /** The same for every try, so that a reload repeats the claim and does not make another one. */
  readonly idempotencyKey: string;
  /** By this machine's clock, when the claim that this tab has made can no longer be repeated; null before it is made. */
  readonly until: number | null;
}

/** Where a browser lets nothing be stored, what this page remembers until it is reloaded. */
const memory = new Map<string, string>();

/**
 * Takes the fragment out of the address bar and the history, and keeps it for this tab if it is `whole`. Returns what is
 * kept for `id`; "broken" when there is nothing but a fragment that is not whole, undefined when there is nothing at all.
 */
export function takeFragment(id: string, isWhole: (fragment: string) => boolean): KeptLink | "broken" | undefined {
  const fragment = clearFragment();
  forgetOld();
  const kept = readKept(id);
  if (fragment === "" || kept?.fragment === fragment) return kept;
  // A cut-off link must not cost what an earlier, whole one has opened.
  if (!isWhole(fragment)) return "broken";
  const fresh = { fragment, idempotencyKey: crypto.randomUUID(), until: null };
  write(id, fresh);
  return fresh;
}

/** Takes the fragment out of the address bar and the history, and returns it. */
function clearFragment(): string {
  const fragment = location.hash.slice(1);
  if (location.href.includes("#")) history.replaceState(null, "", location.pathname);
  return fragment;
}

/** A claim was made that can be repeated for `windowMs`; after that nothing is kept of the link. */
export function keepForReplay(id: string, windowMs: number): void {
  const kept = readKept(id);
  if (!kept || kept.until !== null) return;
  write(id, { ...kept, until: Date.now() + windowMs });
  setTimeout(() => forget(id), windowMs);
}

/** Another claim is to be made than the one that was. */
export function renewKey(id: string): void {
  const kept = readKept(id);
  if (kept) write(id, { ...kept, idempotencyKey: crypto.randomUUID(), until: null });
}

/** Nothing is kept of the link any more. */
export function forget(id: string): void {
  memory.delete(PREFIX + id);
  inStorage((storage) => storage.removeItem(PREFIX + id));
}

/** Nothing is kept of any link any more, but of `except`. */
export function forgetAll(except?: string): void {
  for (const id of keptIds()) if (id !== except) forget(id);
}

/** Forgets what is over, and what is not when it will be: a timer does not outlive a reload. */
function forgetOld(): void {
  for (const id of keptIds()) {
    const { until } = readKept(id) ?? { until: 0 };
    if (until === null) continue;
    if (until <= Date.now()) forget(id);
    else setTimeout(() => forget(id), until - Date.now());
  }
}

function keptIds(): string[] {
  const keys = new Set([...(inStorage((storage) => Object.keys(storage)) ?? []), ...memory.keys()]);
  return [...keys].filter((each) => each.startsWith(PREFIX)).map((each) => each.slice(PREFIX.length));
}

function write(id: string, link: KeptLink): void {
  const text = JSON.stringify(link);
  memory.set(PREFIX + id, text);
  inStorage((storage) => storage.setItem(PREFIX + id, text));
}

function readKept(id: string): KeptLink | undefined {
  const text = inStorage((storage) => storage.getItem(PREFIX + id)) ?? memory.get(PREFIX + id);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A browser can be set to let nothing be stored, and then even asking throws. */
function inStorage<T>(work: (storage: Storage) => T): T | undefined {
  try {
    return work(sessionStorage);
  } catch {
    return undefined;
  }
}
