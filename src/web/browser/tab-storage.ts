/** The memory of this page until it is reloaded, for where a browser lets nothing be stored. */
const memory = new Map<string, string>();

/** The value that this tab keeps under `key`; undefined when there is none, or it was not written by `writeKept`. */
export function readKept(key: string): unknown {
  const text = inStorage((storage) => storage.getItem(key)) ?? memory.get(key);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Keeps `value` for as long as the tab lives. False where the browser does not: then the former one is kept, if there is one. */
export function writeKept(key: string, value: unknown): boolean {
  const text = JSON.stringify(value);
  const isKept = inStorage((storage) => (storage.setItem(key, text), true)) ?? false;
  // Instead of what does not fit, the former one stays.
  if (isKept || !inStorage((storage) => storage.getItem(key))) memory.set(key, text);
  return isKept;
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
