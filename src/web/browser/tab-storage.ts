/** Where a browser lets nothing be stored, what this page remembers until it is reloaded. */
const memory = new Map<string, string>();

/** What this tab keeps under `key`; undefined when that is nothing, or was not written by `writeKept`. */
export function readKept(key: string): unknown {
  const text = inStorage((storage) => storage.getItem(key)) ?? memory.get(key);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Keeps `value` for as long as the tab lives; where it does not fit, until the page is reloaded, and then the former one. */
export function writeKept(key: string, value: unknown): void {
  const text = JSON.stringify(value);
  memory.set(key, text);
  inStorage((storage) => storage.setItem(key, text));
}

/** Keeps nothing under `key` any more. */
export function removeKept(key: string): void {
  memory.delete(key);
  inStorage((storage) => storage.removeItem(key));
}

/** Everything under which something is kept. */
export function listKept(): string[] {
  return [...new Set([...(inStorage((storage) => Object.keys(storage)) ?? []), ...memory.keys()])];
}

/** A browser can be set to let nothing be stored, and then even asking throws. */
function inStorage<T>(work: (storage: Storage) => T): T | undefined {
  try {
    return work(sessionStorage);
  } catch {
    return undefined;
  }
}
