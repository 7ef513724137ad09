import type { Command } from "commander";
import { loadSettings } from "../../config/load.ts";
import type { SettingId } from "../../config/settings.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { addSettings } from "./setting-options.ts";
import { OBJECT_STORE, readOwnObjectStore } from "./storages/object-stores.ts";
import type { ObjectStorePlace } from "./storages/object-stores.ts";
import { storageAt } from "./storages/open-storage.ts";
import { findPlace, PLACE_SETTINGS } from "./storages/places.ts";
import type { Place } from "./storages/places.ts";
import type { AdminCommandDeps, AdminOptions } from "./storages/storage.ts";

export interface AdminFlags {
  readonly dataDir?: string;
  readonly database?: string;
  readonly databaseUrlFile?: string;
  readonly objectStore?: string;
  readonly objectStoreKeyFile?: string;
  readonly config?: string;
  readonly json?: true;
}

/** The settings among the flags of an admin command. */
export function settingFlags({ dataDir, database, databaseUrlFile, config }: AdminFlags) {
  return { dataDir, database, databaseUrlFile, config };
}

/** Adds the flags that all admin commands have, and those of the settings `more`. */
export function addAdminFlags(command: Command, more: readonly SettingId[] = []): Command {
  return addSettings(command, ["dataDir", "database", "databaseUrlFile", ...more]).option("--json", "Print JSON.");
}

/** Opens the database in `flags` for `work`. Throws CommandError if it is missing and `options` don't allow one. */
export async function withAdminStore<T>(
  flags: AdminFlags,
  terminal: Terminal,
  work: (deps: AdminCommandDeps) => Promise<T>,
  options: AdminOptions = {},
): Promise<T> {
  const settings = loadSettings(settingFlags(flags), terminal.env, [...PLACE_SETTINGS, "tombstones"]);
  const place = findPlace(settings, terminal.env);
  const admin = { terminal, tombstoneSeconds: settings.tombstones };
  return (await storageAt(place)).administer(admin, work, options);
}

/** The same for `work` that only reads, so that it never upgrades the database. */
export function readAdminStore<T>(
  flags: AdminFlags,
  terminal: Terminal,
  work: (deps: AdminCommandDeps) => Promise<T>,
): Promise<T> {
  return withAdminStore(flags, terminal, work, { onlyReads: true });
}

/** The object store that the flags or the environment of a command name; undefined for none. Throws CommandError. */
export function objectStoreOf(
  { objectStore, objectStoreKeyFile, config }: AdminFlags,
  terminal: Terminal,
): ObjectStorePlace | undefined {
  const flags = { objectStore, objectStoreKeyFile, config };
  return readOwnObjectStore(loadSettings(flags, terminal.env, OBJECT_STORE));
}

/** The place that the flags or the environment name, or the default one. */
export function placeOf(flags: AdminFlags, terminal: Terminal): Place {
  return findPlace(loadSettings(settingFlags(flags), terminal.env, PLACE_SETTINGS), terminal.env);
}
