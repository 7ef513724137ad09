import type { Database } from "bun:sqlite";
import type { KeyRecord } from "../../../domain/ports/identities.ts";

/** Keys that were read before, for as long as nothing can have changed them: a revocation counts for the next request. */
export interface KnownKeys {
  /** The key whose token has this hash, if it is known and still as it was; else as `read` finds it, and from then on known. */
  find(tokenHash: Uint8Array, read: () => KeyRecord | undefined): KeyRecord | undefined;
  /** To be called inside every write of this process that changes a key, an identity or a team. */
  forget(): void;
}

export function createKnownKeys(database: Database): KnownKeys {
  // Changes with every commit of another connection, such as the admin command's, and not with our own.
  const dataVersion = database.query<{ data_version: number }, []>("PRAGMA data_version");
  const keys = new Map<string, KeyRecord>();
  let version: number | undefined;
  let isChecked = false;

  /** Once for all that arrived together: what came before a change could as well have been answered before it. */
  const check = () => {
    if (isChecked) return;
    isChecked = true;
    setImmediate(() => (isChecked = false));
    const current = dataVersion.get()?.data_version;
    if (current !== version) keys.clear();
    version = current;
  };
  return {
    find(tokenHash, read) {
      check();
      const name = tokenHash.toBase64();
      const key = keys.get(name) ?? read();
      // What is not there is not remembered, so that guesses take no memory.
      if (key) keys.set(name, key);
      return key;
    },
    forget: () => keys.clear(),
  };
}
