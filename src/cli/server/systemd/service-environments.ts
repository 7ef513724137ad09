import { existsSync, readlinkSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { defaultDataDir, loadSettings } from "../../../config/load.ts";
import { environmentName, SETTINGS } from "../../../config/settings.ts";
import type { SettingId } from "../../../config/settings.ts";
import { CONFIG_VARIABLE } from "../../../config/sources.ts";
import type { Environment, Flags } from "../../../config/sources.ts";
import { DATABASE_FILE } from "../../../store/sqlite/files/data-folder.ts";
import { findServiceFaults } from "./service-faults.ts";
import type { ServiceFault } from "./service-faults.ts";
import { declaredSettings, processSettings, settingVariables, withCredentialSources } from "./service-settings.ts";
import type { ServiceSettings } from "./service-settings.ts";
import { showUnit } from "./shown-units.ts";
import type { ShownUnit } from "./shown-units.ts";

/** The settings that a command uses: its own, or those of the machine's service. */
export interface FoundSettings {
  /** The environment to read settings from. */
  readonly env: Environment;
  /** `refused` when the machine has a service whose data only root and the service's user may use. */
  readonly of: "command" | "service" | "refused";
  /** What else is wrong with the service's next start; nothing for other settings. */
  readonly faults: readonly ServiceFault[];
}

/** The settings of which each names where everything is kept. */
const PLACES: readonly SettingId[] = ["dataDir", "database", "databaseUrlFile"];

/**
 * Finds the settings for a command of an admin. They are those of the machine's systemd service if this user is root or
 * owns the service's data folder, unless `flags` or `env` name a data folder, a database or another file of settings.
 * Variables of `env` override the service's. With `isNext` they are those of the service's next start, else those with
 * which it runs.
 */
export async function findServiceEnvironment(
  flags: Flags,
  env: Environment,
  { isNext = false }: { readonly isNext?: boolean } = {},
): Promise<FoundSettings> {
  const own = { env, of: "command", faults: [] } as const;
  if (namesPlace(flags, env)) return own;
  const unit = await showUnit(env);
  if (unit?.loadState !== "loaded") return own;
  const service = toVariables((isNext ? undefined : runningSettings(unit)) ?? nextSettings(unit));
  if (namesOtherFile(flags, env, service)) return own;
  if (!mayUse(service)) return { env, of: "refused", faults: [] };
  const given = Object.entries(settingVariables(env)).filter(([, value]) => value);
  const faults = isNext ? findServiceFaults(unit, declaredSettings(unit)) : [];
  return { env: { ...env, ...service, ...Object.fromEntries(given) }, of: "service", faults };
}

/** True when `flags` or `env` name a file of settings that isn't the one in the service's environment. */
export function namesOtherFile(flags: Flags, env: Environment, service: Environment): boolean {
  const config = flags["config"] ?? env[CONFIG_VARIABLE];
  return Boolean(config) && config !== service[CONFIG_VARIABLE];
}

/** True when there is a database in the data folder that a command of this user has by default. */
export function hasOwnDatabase(env: Environment): boolean {
  return existsSync(join(defaultDataDir(env), DATABASE_FILE));
}

/** True when a flag or variable names the storage. The service itself and its other commands have STATE_DIRECTORY. */
function namesPlace(flags: Flags, env: Environment): boolean {
  // An empty variable that names a database is an error, which is reported when the settings are read.
  const isNamed = (id: SettingId) => {
    const value = env[environmentName(SETTINGS[id])];
    return flags[id] !== undefined || (id === "dataDir" ? Boolean(value) : value !== undefined);
  };
  return Boolean(env["STATE_DIRECTORY"]) || PLACES.some(isNamed);
}

function runningSettings({ activeState, mainPid }: ShownUnit): ServiceSettings | undefined {
  return activeState === "active" && mainPid !== 0 ? processSettings(mainPid) : undefined;
}

function nextSettings(unit: ShownUnit): ServiceSettings {
  return withCredentialSources(declaredSettings(unit), unit);
}

/** The settings of a service as variables, with what else says where it keeps its data. */
function toVariables({ flags, env }: ServiceSettings): Environment {
  const { STATE_DIRECTORY: state, PGPASSWORD } = env;
  const isPlaced = PLACES.some((id) => flags[id] !== undefined);
  const places = PLACES.map((id) => environmentName(SETTINGS[id]));
  const all: Environment = {
    STATE_DIRECTORY: state === undefined ? undefined : followLink(state),
    PGPASSWORD,
    ...Object.fromEntries(
      Object.entries(settingVariables(env)).filter(([name]) => !isPlaced || !places.includes(name)),
    ),
    ...Object.fromEntries(Object.entries(flags).map(([id, value]) => [nameOf(id), String(value)])),
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

/** The path that a symbolic link has, also if nothing is there: a restore begins without the folder. */
function followLink(path: string): string {
  try {
    return resolve(dirname(path), readlinkSync(path));
  } catch {
    return path;
  }
}

function nameOf(id: string): string {
  return Object.hasOwn(SETTINGS, id) ? environmentName(SETTINGS[id as SettingId]) : CONFIG_VARIABLE;
}

/** True for root, and for the owner of the service's data folder. */
function mayUse(service: Environment): boolean {
  const user = process.getuid?.();
  if (user === 0) return true;
  try {
    const { dataDir, database, databaseUrlFile } = loadSettings({}, service, [
      "dataDir",
      "database",
      "databaseUrlFile",
    ]);
    if ((database ?? databaseUrlFile) !== undefined) return false;
    return statSync(dataDir ?? defaultDataDir(service)).uid === user;
  } catch {
    return false;
  }
}
