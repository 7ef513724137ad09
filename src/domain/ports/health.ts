/** The words for programs by which troubles are told apart, of whatever store. */
export const TROUBLE_CODES = [
  "unreachable",
  "files_lost",
  "unreadable",
  "damaged",
  "flush_failed",
  "disk_stalled",
  "no_room",
  "quota_used_up",
  "read_only",
  "write_failed",
  "locked",
  "long_reader",
] as const;

/** Something that keeps the storage from its work, or that its admin has to know of. */
export interface StorageTrouble {
  readonly code: (typeof TROUBLE_CODES)[number];
  /**
   * A sentence for the admin about what has happened and what to do. It is shown to everybody, so it names no path and
   * no caller.
   */
  readonly message: string;
  /** The mark that tells it from others of its code, for the log alone: the code of the system or of PostgreSQL, such as `28P01`. */
  readonly systemCode?: string;
  /** True when calls are refused or wait because of it, or the disk fails. */
  readonly isSerious: boolean;
}

export interface HealthStore {
  /** The troubles that there are now; empty when all is well. */
  findTroubles(): Promise<StorageTrouble[]>;
}
