/** The codes of troubles, the same for every engine. */
export const TROUBLE_CODES = [
  "unreachable",
  "files_lost",
  "unreadable",
  "damaged",
  "flush_failed",
  "disk_stalled",
  "no_room",
  "no_room_for_large",
  "quota_used_up",
  "read_only",
  "write_failed",
  "locked",
  "long_reader",
  "object_store_failing",
  "certificate_not_renewed",
] as const;

/** A condition that impairs the storage, or that its admin should know. */
export interface StorageTrouble {
  readonly code: (typeof TROUBLE_CODES)[number];
  /** A sentence for the admin: what happened and what to do. It is public, so it names no path and no caller. */
  readonly message: string;
  /** The code of the operating system or of PostgreSQL, such as `28P01`, for the log alone. */
  readonly systemCode?: string;
  /** True when it makes calls fail or wait, or when the disk fails. */
  readonly isSerious: boolean;
}

export interface HealthStore {
  /** The current troubles; empty when all is well. */
  findTroubles(): Promise<StorageTrouble[]>;
}
