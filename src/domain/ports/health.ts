/** Something that keeps the storage from its work, or that its admin has to know of. */
export interface StorageTrouble {
  /** A word for programs. */
  readonly code:
    | "files_lost"
    | "unreadable"
    | "flush_failed"
    | "no_room"
    | "quota_used_up"
    | "read_only"
    | "write_failed"
    | "locked"
    | "long_reader";
  /** What has happened and what to do, for the admin. It is shown to everybody, so it names no path and no caller. */
  readonly message: string;
  /** Whether calls are refused or wait because of it, or the disk fails. */
  readonly isSerious: boolean;
}

export interface HealthStore {
  /** What is wrong now; empty when all is well. */
  findTroubles(): Promise<StorageTrouble[]>;
}
