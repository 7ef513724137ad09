import type { Place } from "./places.ts";
import type { Storage } from "./storage.ts";

/** Returns the storage at a place. Nothing is opened yet. */
export async function storageAt(place: Place): Promise<Storage> {
  // Each one loads only its own database's driver.
  if (place.kind === "folder") return (await import("./folder-storage.ts")).folderStorage(place);
  return (await import("./postgres-storage.ts")).postgresStorage(place);
}
