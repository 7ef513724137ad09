import { join } from "node:path";
import type { SealRecord } from "../../domain/ports/events.ts";
import type { LogState } from "../../domain/values/log-checks.ts";
import { findLastSeal, inspectLog } from "../../store/copies/inspections.ts";
import { DATABASE_FILE } from "../../store/sqlite/files/data-folder.ts";
import type { Place } from "../server/storages/places.ts";

/** Compares the log with its seals, and looks for the seal with `hash`, in hexadecimal digits, if there is one. */
export async function compareLog(place: Place, hash?: string): Promise<LogState | undefined> {
  if (place.kind === "folder") return inspectLog(join(place.folder, DATABASE_FILE), hash);
  return (await postgres()).inspectLog(place.connection, hash);
}

/** The newest seal of the log; undefined without one. */
export async function lastSealOf(place: Place): Promise<SealRecord | undefined> {
  if (place.kind === "folder") return findLastSeal(join(place.folder, DATABASE_FILE));
  return (await postgres()).findLastSeal(place.connection);
}

// Loaded only where it is needed: it brings the driver of PostgreSQL.
const postgres = () => import("../../store/postgres/inspections.ts");
