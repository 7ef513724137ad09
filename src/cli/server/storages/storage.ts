import type { Settings } from "../../../config/settings.ts";
import type { Ids } from "../../../domain/ports/sources.ts";
import type { Store } from "../../../domain/ports/store.ts";
import type { LargeStorage } from "../../../domain/ports/uploads.ts";
import type { PersonAdminDeps } from "../../../domain/signing-in/persons.ts";
import type { MonotonicClock } from "../../../domain/values/clocks.ts";
import type { BackupOrigin } from "../../../store/copies/backup-files.ts";
import type { Restored, RestoreOptions } from "../../../store/copies/folder-restores.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import type { ServerLog } from "../logs.ts";
import type { ObjectStorePlace } from "./object-stores.ts";

/** The storage at a location: a data folder or a PostgreSQL database. */
export interface Storage {
  /**
   * Opens the storage for a server, and upgrades it. A PostgreSQL that can't be reached is retried until it is there or
   * the server is interrupted; meanwhile the store refuses everything. Throws DatabaseError.
   */
  open(options: StorageOptions): Promise<ServerStorage>;
  /**
   * Opens the storage for an admin command, lets `work` use it, and closes it. Throws CommandError and DatabaseError,
   * and what `work` throws.
   */
  administer<T>(admin: Administering, work: (deps: AdminCommandDeps) => Promise<T>, options: AdminOptions): Promise<T>;
  /**
   * Begins a backup, also while servers run. `objectStore` is where large secrets are beside PostgreSQL; undefined when
   * they aren't backed up. Throws CommandError and DatabaseError.
   */
  beginBackup(objectStore?: ObjectStorePlace): Promise<BackupOrigin>;
  /**
   * Restores a backup into an empty storage. Throws CommandError and DatabaseError; the storage is then still empty.
   */
  restore(restoring: Restoring): Promise<Restored>;
}

export interface StorageOptions {
  readonly settings: Pick<Settings, "tombstones" | "maxCiphertext">;
  /** Where large secrets are beside PostgreSQL; undefined for nowhere. */
  readonly objectStore?: ObjectStorePlace | undefined;
  readonly log: ServerLog;
  /** Called when nothing can be stored or handed out any more. */
  readonly onStoreEnd: (error: Error) => void;
  /** Ends the wait for a database that can't be reached. */
  readonly interruption: AbortSignal;
}

/** An open storage, with the clock and the ids of the server. */
export interface ServerStorage {
  readonly store: Store;
  /** Where large secrets are; undefined when there is no place for them. */
  readonly large?: LargeStorage;
  readonly clock: MonotonicClock;
  readonly ids: Ids;
  /** The place as fields of the log. */
  readonly shown: Readonly<Record<string, string>>;
  /** The time of the last backup, in epoch milliseconds; 0 when there is none, undefined when that isn't known. */
  readonly findLastBackup: () => Promise<number | undefined>;
  /** The installation id; undefined until the database was reached. */
  readonly installation: () => string | undefined;
  /** Resolves once the store can be used. */
  readonly opened: Promise<void>;
  /** Reads the credentials again, and logs the outcome; undefined for a storage without credentials. */
  readonly reload?: () => void;
  /** Commits pending writes, and releases the location. */
  close(): Promise<void>;
}

/** Everything that an admin command works with. */
export type AdminCommandDeps = PersonAdminDeps & {
  readonly store: Store;
  /** True when the database was made for this command. */
  readonly isNew: boolean;
};

/** The terminal of the admin, and the retention of tombstones. */
interface Administering {
  readonly terminal: Terminal;
  readonly tombstoneSeconds: number;
}

export interface AdminOptions {
  /** Creates a missing database; at a terminal it asks first, unless this is "unasked". */
  readonly mayCreate?: "asked" | "unasked";
  /** Never upgrades the database. */
  readonly onlyReads?: boolean;
  /** The time to wait for another process that holds the database locked. */
  readonly patienceMs?: number;
}

/** The options of a restore. */
type Restoring = Pick<RestoreOptions, "write" | "given" | "keepSecrets" | "tombstoneSeconds" | "operator"> & {
  /** Where large secrets are put beside PostgreSQL; undefined for nowhere, so that they end. */
  readonly objectStore?: ObjectStorePlace | undefined;
};
