import type { Command } from "commander";
import { loadSettings } from "../../config/load.ts";
import type { SettingId } from "../../config/settings.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { addSettings } from "./setting-options.ts";
import type { AdminCommandDeps, AdminWork } from "./storages/admin-work.ts";
import { findPlace, PLACE_SETTINGS } from "./storages/places.ts";
import type { Place } from "./storages/places.ts";

export interface AdminFlags {
  readonly dataDir?: string;
  readonly database?: string;
  readonly databaseUrlFile?: string;
  readonly config?: string;
  readonly json?: true;
}

/** The settings among the flags of an admin command. */
export function settingFlags({ dataDir, database, databaseUrlFile, config }: AdminFlags) {
  return { dataDir, database, databaseUrlFile, config };
}

/** Gives an admin command the flags that all of them have, and those of the settings `more`. */
export function addAdminFlags(command: Command, more: readonly SettingId[] = []): Command {
  return addSettings(command, ["dataDir", "database", "databaseUrlFile", ...more]).option("--json", "Print JSON.");
}

/**
 * Opens the database that `flags` name, lets `work` use it, and closes it. Throws CommandError when there is none: a
 * mistyped place would become a second database, whose keys no server knows. `mayCreate` makes one; whoever sits at a terminal
 * is asked first, unless it is "unasked". What `onlyReads` never brings the database up to date. `patienceMs` is how long it is waited for another process that holds it locked.
 */
export async function withAdminStore<T>(
  flags: AdminFlags,
  terminal: Terminal,
  work: (deps: AdminCommandDeps) => Promise<T>,
  how: AdminWork = {},
): Promise<T> {
  const settings = loadSettings(settingFlags(flags), terminal.env, [...PLACE_SETTINGS, "tombstones"]);
  const place = findPlace(settings, terminal.env);
  const admin = { terminal, tombstoneSeconds: settings.tombstones };
  // The driver of the other one is not read in.
  if (place.kind === "folder")
    return (await import("./storages/folder-admin.ts")).withFolderStore(place, admin, work, how);
  return (await import("./storages/postgres-admin.ts")).withPostgresStore(place, admin, work, how);
}

/** The same for `work` that only reads, so that it never brings the database up to date. */
export function readAdminStore<T>(
  flags: AdminFlags,
  terminal: Terminal,
  work: (deps: AdminCommandDeps) => Promise<T>,
): Promise<T> {
  return withAdminStore(flags, terminal, work, { onlyReads: true });
}

/** The place that `flags` or the environment name, or the default. */
export function placeOf(flags: AdminFlags, terminal: Terminal): Place {
  return findPlace(loadSettings(settingFlags(flags), terminal.env, PLACE_SETTINGS), terminal.env);
}
