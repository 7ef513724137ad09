import type { Database } from "bun:sqlite";
import type { KeyRecord } from "../../../domain/ports/identities.ts";

/** Keys that were read before, for as long as nothing can have changed them: a revocation counts for the next request. */
export interface KnownKeys {
  /** The key whose token has this hash, if it is known and still as it was; else as `read` finds it, and from then on known. */
  find(tokenHash: Uint8Array, read: () => KeyRecord | undefined): KeyRecord | undefined;
  /** To be called inside every write that changes a key, an identity or a team. */
  forget(): void;
}

/** A word of a writer about its commits. */
export interface CommitReport {
  /** The number of the latest one. */
  readonly latest: number;
  /** True when a key, an identity or a team may have changed since the last report, by whatever process. */
  readonly mayChangeKeys: boolean;
}

/**
 * Keys that are known until there is another commit, by the count of `countCommits`, which `trust` has not been told of before.
 */
export function createKnownKeys(
  countCommits: () => number,
): KnownKeys & { readonly trust: (report: CommitReport) => void } {
  const keys = new Map<string, KeyRecord>();
  let commits: number | undefined;

  const goOn = (latest: number | undefined, mayChangeKeys: boolean) => {
    if (mayChangeKeys) keys.clear();
    commits = latest;
  };
  return {
    find(tokenHash, read) {
      const latest = orNothing(countCommits);
      if (latest === undefined || latest !== commits) goOn(latest, true);
      const name = tokenHash.toBase64();
      const key = keys.get(name) ?? read();
      // What is not there is not remembered, so that guesses take no memory.
      if (key) keys.set(name, key);
      return key;
    },
    forget: () => keys.clear(),
    trust({ latest, mayChangeKeys }) {
      // What was read since then is newer.
      if (commits !== undefined && distance(commits, latest) > 0) goOn(latest, mayChangeKeys);
    },
  };
}

/** Watches the commits of a writer whose keys are known elsewhere. */
export interface CommitWatch extends Pick<KnownKeys, "forget"> {
  /** Tells of all commits since the last report, or since the beginning; undefined when they can't be looked at. */
  report(): CommitReport | undefined;
}

/** The watch over the commits of the connection `database`; `countCommits` counts those of others too. */
export function watchCommits(database: Database, countCommits: () => number): CommitWatch {
  // Changes with every commit of another connection, such as the admin command's, and not with our own.
  const dataVersion = database.query<{ data_version: number }, []>("PRAGMA data_version");
  const readVersion = () => orNothing(() => dataVersion.get()?.data_version);
  let version = readVersion();
  let mayChangeKeys = false;
  return {
    forget: () => void (mayChangeKeys = true),
    report() {
      // In this order: a commit of another that is counted is also seen.
      const latest = orNothing(countCommits);
      const current = readVersion();
      if (latest === undefined || current === undefined) return undefined;
      const report = { latest, mayChangeKeys: mayChangeKeys || current !== version };
      version = current;
      mayChangeKeys = false;
      return report;
    },
  };
}

/** The number of commits from `earlier` to `later`, which are counted in 32 bits; negative when it is the other way round. */
function distance(earlier: number, later: number): number {
  return (later - earlier) | 0;
}

/** The value of `read`; undefined when the database is closed, or the disk fails, of which those say something who need more of it. */
function orNothing(read: () => number | undefined): number | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
