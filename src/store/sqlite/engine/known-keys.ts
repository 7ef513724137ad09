import type { Database } from "bun:sqlite";
import type { FoundKey } from "../../../domain/ports/credentials.ts";

/**
 * Keys that were read before. They are read again after every commit that may have changed one, by any process, so that
 * a revocation works at once.
 */
export interface KnownKeys {
  /** The key whose token has this hash, as `read` returns it, or returned it since the last such commit. */
  find(tokenHash: Uint8Array, read: () => FoundKey | undefined): FoundKey | undefined;
}

/** A writer's report of the commits since its last report. */
export interface CommitReport {
  /** The count of commits of all processes. */
  readonly latest: number;
  /** True when a key, an identity or a team may have changed. */
  readonly mayChangeKeys: boolean;
}

/**
 * Creates the known keys. They are forgotten when `countCommits` throws, or returns another number than at the last
 * look and in the reports since. After each commit a read is expensive: SQLite empties its cache.
 */
export function createKnownKeys(
  countCommits: () => number,
): KnownKeys & { readonly trust: (report: CommitReport) => void } {
  const keys = new Map<string, FoundKey>();
  let known: number | undefined;

  return {
    find(tokenHash, read) {
      // The count comes before the key, which may then be newer, but never older.
      const commits = orUndefined(countCommits);
      if (commits === undefined || commits !== known) keys.clear();
      known = commits;
      const hash = tokenHash.toBase64();
      const key = keys.get(hash) ?? read();
      // A key that doesn't exist is not remembered, so that guesses take no memory.
      if (key) keys.set(hash, key);
      return key;
    },
    trust({ latest, mayChangeKeys }) {
      // What was read since then is newer.
      if (known === undefined || !isLater(latest, known)) return;
      if (mayChangeKeys) keys.clear();
      known = latest;
    },
  };
}

/** Watches the commits of a writer whose keys are known in another thread. */
export interface CommitWatch {
  /** Notes that the current transaction may change a key, an identity or a team. */
  noteKeyChange(): void;
  /** Reports the commits since the last report; undefined when they can't be counted. */
  report(): CommitReport | undefined;
}

/** Watches the commits of the connection `database`. `countCommits` also counts those of other processes. */
export function watchCommits(database: Database, countCommits: () => number): CommitWatch {
  // Changes with every commit of another connection, such as an admin command's, and not with our own.
  const dataVersion = database.query<{ data_version: number }, []>("PRAGMA data_version");
  const readVersion = () => orUndefined(() => dataVersion.get()?.data_version);
  let version = readVersion();
  let mayChangeKeys = false;
  return {
    noteKeyChange: () => void (mayChangeKeys = true),
    report() {
      // In this order: another's commit that is counted is also seen.
      const latest = orUndefined(countCommits);
      const current = readVersion();
      if (latest === undefined || current === undefined) return undefined;
      const report = { latest, mayChangeKeys: mayChangeKeys || current !== version };
      version = current;
      mayChangeKeys = false;
      return report;
    },
  };
}

/** True when `count` is later than `other`: they are modulo 2^32. */
function isLater(count: number, other: number): boolean {
  return ((count - other) | 0) > 0;
}

/** Returns undefined when the database is closed, or the disk fails, which the next statement reports. */
function orUndefined<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
