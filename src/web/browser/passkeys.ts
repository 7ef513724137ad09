const PREFIX = "handoff passkey offered ";

/** True when the browser can make and use passkeys. */
export function supportsPasskeys(): boolean {
  return typeof globalThis.PublicKeyCredential === "function";
}

/** True when this browser has offered a passkey to a person, and they have answered. */
export function wasPasskeyOffered(personId: string): boolean {
  return inStorage((storage) => storage.getItem(PREFIX + personId)) === "";
}

/** Records that. It stays after signing out: the offer is made once. */
export function rememberPasskeyOffer(personId: string): void {
  inStorage((storage) => storage.setItem(PREFIX + personId, ""));
}

/** Even reading the property throws in browsers that are set to block storage. */
function inStorage<T>(work: (storage: Storage) => T): T | undefined {
  try {
    return work(localStorage);
  } catch {
    return undefined;
  }
}
