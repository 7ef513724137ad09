import type { BackupCounts } from "../../../store/sqlite/backups/backup-files.ts";
import type { Place } from "./places.ts";

/** The database of a place at one moment, or from one moment on, to be backed up by nobody else meanwhile. */
export interface BackupOrigin extends AsyncDisposable {
  /** The id that tells the database from every other. */
  readonly installation: string;
  /** The time of the backup, in epoch milliseconds. */
  readonly takenAt: number;
  /** A folder for what is written to standard output afterwards. */
  readonly scratch: string;
  /** Writes a backup into the empty file `path`, and checks it. Throws CommandError, DatabaseError, and what node:fs throws about the file. */
  write(path: string, hasSecrets: boolean): Promise<BackupCounts>;
  /** Notes for the metrics of the server that a backup was made. Throws DatabaseError, and what node:fs throws. */
  note(): Promise<void>;
}

/** Begins a backup, also while servers run. Throws CommandError and DatabaseError when that can't be. */
export async function openOrigin(place: Place): Promise<BackupOrigin> {
  // The driver of the other one is not read in.
  if (place.kind === "folder") return (await import("./folder-backups.ts")).openFolderOrigin(place);
  return (await import("./postgres-backups.ts")).openPostgresOrigin(place);
}
