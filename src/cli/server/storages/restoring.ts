import type { Restored, RestoreOptions } from "../../../store/sqlite/backups/restores.ts";
import type { Place } from "./places.ts";

/** The backup that is to be put back, and who does so. */
export type Restoring = Pick<RestoreOptions, "write" | "given" | "keepSecrets" | "tombstoneSeconds" | "operator">;

/** Puts a backup back into a place where there is nothing yet. Throws CommandError and DatabaseError, and then there is still nothing. */
export async function restore(place: Place, restoring: Restoring): Promise<Restored> {
  // The driver of the other one is not read in.
  if (place.kind === "folder") return (await import("./folder-backups.ts")).restoreIntoFolder(place, restoring);
  return (await import("./postgres-backups.ts")).restoreIntoDatabase(place, restoring);
}
