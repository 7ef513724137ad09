import type { HealthStore, StorageTrouble } from "../../domain/ports/health.ts";
import type { Database } from "./engine/database.ts";

/** The trouble that the database can only be read: a replica that was not promoted, or one that somebody set so. */
const READ_ONLY: StorageTrouble = {
  code: "read_only",
  message:
    "The database can only be read: it is a replica, or set to be read-only. Nothing is created or handed out until the server reaches one that can be written.",
  isSerious: true,
};

/** Looks whether the database can be written. Rejects when it does not answer. */
export function createHealthStore(database: Database): HealthStore {
  return {
    async findTroubles() {
      const [row] = await database.read("SELECT current_setting('transaction_read_only') AS read_only");
      return row?.["read_only"] === "on" ? [READ_ONLY] : [];
    },
  };
}
