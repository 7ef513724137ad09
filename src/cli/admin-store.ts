import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { defaultDataDir, loadSettings } from "../config/load.ts";
import { createMonotonicClock, systemClock } from "../domain/clocks.ts";
import { createIds } from "../domain/ids.ts";
import type { PersonAdminDeps } from "../domain/persons.ts";
import { systemRandom } from "../domain/service.ts";
import { DATABASE_FILE } from "../store/sqlite/database.ts";
import { openStore } from "../store/sqlite/store.ts";
import { addSettings } from "./setting-options.ts";
import { type Terminal, usageError } from "./terminal.ts";

export interface AdminFlags {
  readonly dataDir?: string;
  readonly json?: true;
}

/** Gives an admin command the flags that all of them have. */
export function addAdminFlags(command: Command): Command {
  return addSettings(command, ["dataDir"]).option("--json", "Print JSON.");
}

/**
 * Opens the database that `flags` name, lets `work` use it, and closes it. Throws CommandError when there is none: a
 * mistyped folder would become a second database, whose keys no server knows. `mayCreate` makes one.
 */
export async function withAdminStore<T>(
  flags: AdminFlags,
  terminal: Terminal,
  work: (deps: PersonAdminDeps) => Promise<T>,
  mayCreate = false,
): Promise<T> {
  const { dataDir, tombstones } = loadSettings({ dataDir: flags.dataDir }, terminal.env, ["dataDir", "tombstones"]);
  const clock = createMonotonicClock(systemClock);
  const ids = createIds(clock, systemRandom);
  const folder = dataDir ?? defaultDataDir(terminal.env);
  if (!mayCreate && !existsSync(join(folder, DATABASE_FILE))) {
    throw usageError(
      `there is no database in '${folder}'. Name the server's data folder with --data-dir, or begin with 'handoff admin team create'`,
    );
  }
  const store = openStore({ folder, clock, ids, tombstoneSeconds: tombstones, ballastBytes: 0 });
  try {
    return await work({ store, clock, ids, random: systemRandom });
  } finally {
    await store.close();
  }
}

/** A point in time for people and scripts: RFC 3339; null stays null. */
export function isoTime(epochMs: number | null): string | null {
  return epochMs === null ? null : new Date(epochMs).toISOString();
}
