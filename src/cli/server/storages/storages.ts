import type { Settings } from "../../../config/settings.ts";
import type { MonotonicClock } from "../../../domain/clocks.ts";
import type { Ids } from "../../../domain/ports/sources.ts";
import type { Store } from "../../../domain/ports/store.ts";
import type { ServerLog } from "../logs.ts";
import type { Place } from "./places.ts";

/** The place that a server keeps everything in, with the clock and the ids that it works with. */
export interface ServerStorage {
  readonly store: Store;
  readonly clock: MonotonicClock;
  readonly ids: Ids;
  /** The place for the log. */
  readonly shown: Readonly<Record<string, string>>;
  /** The time of the last backup, in epoch milliseconds; 0 when there is none, undefined where that isn't known. */
  readonly findLastBackup: () => Promise<number | undefined>;
  /** The id by which an admin tells what is stored from others; undefined until it was reached. */
  readonly installation: () => string | undefined;
  /** Resolves once what is stored can be used. */
  readonly opened: Promise<void>;
  /** Reads again what may change while a server runs, and says what came of it; undefined where there is nothing. */
  readonly reload?: () => void;
  /** Commits what is under way, and lets others have the place. */
  close(): Promise<void>;
}

export interface StorageOptions {
  readonly settings: Pick<Settings, "tombstones" | "maxCiphertext">;
  readonly log: ServerLog;
  /** Hears that nothing can be stored or handed out any more. */
  readonly onStoreEnd: (error: Error) => void;
  /** Ends the waiting for a database that can't be reached. */
  readonly interruption: AbortSignal;
}

/**
 * Opens what a server keeps everything in, brought up to date. A PostgreSQL that can't be reached is tried again until it is there, or
 * the server is interrupted; meanwhile the store refuses everything. Throws DatabaseError.
 */
export async function openServerStorage(place: Place, options: StorageOptions): Promise<ServerStorage> {
  // The driver of the other one is not read in.
  if (place.kind === "folder") return (await import("./folder-storage.ts")).openFolderStorage(place, options);
  return (await import("./postgres-storage.ts")).openPostgresStorage(place, options);
}
