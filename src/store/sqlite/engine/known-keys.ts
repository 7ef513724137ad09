import type { FoundKey } from "../../../domain/ports/credentials.ts";

/**
 * Keys that were read before. They are read again after every commit of any process, so that a revocation works at
 * once.
 */
export interface KnownKeys {
  /** The key whose token has this hash, as `read` returns it, or returned it since the last commit. */
  find(tokenHash: Uint8Array, read: () => FoundKey | undefined): FoundKey | undefined;
}

/** Creates the known keys. They are forgotten when `countCommits` returns another number, or throws. */
export function createKnownKeys(countCommits: () => number): KnownKeys {
  const keys = new Map<string, FoundKey>();
  let known: number | undefined;

  const count = (): number | undefined => {
    try {
      return countCommits();
    } catch {
      // The database is closed, or the disk fails: `read` will report it.
      return undefined;
    }
  };
  return {
    find(tokenHash, read) {
      // The count comes before the key, which may then be newer, but never older.
      const commits = count();
      if (commits === undefined || commits !== known) keys.clear();
      known = commits;
      const hash = tokenHash.toBase64();
      const key = keys.get(hash) ?? read();
      // A key that doesn't exist is not remembered, so that guesses take no memory.
      if (key) keys.set(hash, key);
      return key;
    },
  };
}
