/** The fallback, until the page is reloaded, for browsers that store nothing. */
const memory = new Map<string, string>();

/** Returns the value stored by this tab under `key`; undefined when there is none, or `writeKept` did not write it. */
export function readKept(key: string): unknown {
  const text = inStorage((storage) => storage.getItem(key)) ?? memory.get(key);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Stores `value` for the life of this tab. Returns false when the browser does not; an earlier value then stays. */
export function writeKept(key: string, value: unknown): boolean {
  const text = JSON.stringify(value);
  const isKept = inStorage((storage) => (storage.setItem(key, text), true)) ?? false;
  // A value that does not fit leaves the earlier one in place.
  if (isKept || !inStorage((storage) => storage.getItem(key))) memory.set(key, text);
  return isKept;
}

/** Deletes the value stored under `key`. */
export function removeKept(key: string): void {
  memory.delete(key);
  inStorage((storage) => storage.removeItem(key));
}

/** Returns all keys with a stored value. */
export function listKept(): string[] {
  return [...new Set([...(inStorage((storage) => Object.keys(storage)) ?? []), ...memory.keys()])];
}

/** Even reading the property throws in browsers that are set to block storage. */
function inStorage<T>(work: (storage: Storage) => T): T | undefined {
  try {
    return work(sessionStorage);
  } catch {
    return undefined;
  }
}
