import { homedir } from "node:os";
import { join } from "node:path";
import { Value } from "@sinclair/typebox/value";
import { leastBodyMemoryBytes } from "../contract/limits.ts";
import { URL_IN_PLACE_OF_FILE } from "./database-url-files.ts";
import { hasPassword, isDatabaseUrlShaped, isUrlShaped } from "./database-urls.ts";
import { SettingsError } from "./errors.ts";
import { nearestOf } from "./nearest.ts";
import { environmentName, SETTINGS } from "./settings.ts";
import type { Setting, SettingId, Settings } from "./settings.ts";
import { CONFIG_VARIABLE, findGiven, openSources } from "./sources.ts";
import type { Environment, Flags, Given, Sources } from "./sources.ts";
import { formatBytes, formatDuration, parseBytes, parseDuration } from "./units.ts";

/**
 * Reads every setting, or those of `ids`: the flag, else the environment variable, else the file of settings that `--config`
 * names, else the default. `flags` has what the command line gave, by id. Throws SettingsError that names all that are wrong.
 */
export function loadSettings<Id extends SettingId = SettingId>(
  flags: Flags,
  env: Environment,
  ids?: readonly Id[],
): Pick<Settings, Id> {
  const given = findAll(openSources(flags, env), ids ?? settingIds());
  const settings = Object.fromEntries(given.map(({ id, value }) => [id, value])) as Settings;
  const nameOf = (id: SettingId) => given.find((each) => each.id === id)?.given.name ?? `--${SETTINGS[id].name}`;
  const conflicts = ids ? [] : findConflicts(settings, nameOf);
  if (conflicts.length > 0) throw new SettingsError(conflicts.join("\n"));
  return settings;
}

/** A setting with the value that counts, and where that comes from. */
export interface LoadedSetting {
  readonly id: SettingId;
  readonly given: Given;
  readonly value: unknown;
}

/** Every setting as `loadSettings` reads it, and where it comes from. Throws SettingsError as that does. */
export function explainSettings(flags: Flags, env: Environment): LoadedSetting[] {
  loadSettings(flags, env);
  return findAll(openSources(flags, env), settingIds());
}

function findAll(sources: Sources, ids: readonly SettingId[]): LoadedSetting[] {
  const problems: string[] = [];
  const found = ids.map((id) => {
    const setting: Setting = SETTINGS[id];
    const given = findGiven(id, sources);
    const value = readValue(setting, given.value);
    // What was given and can't be read is not the same as nothing.
    const isUnset = given.value === undefined && setting.default === undefined;
    const misplaced = misplacedUrl(id, given);
    if (misplaced !== undefined) problems.push(misplaced);
    else if (!isUnset && !isValid(setting, value)) problems.push(complaint(setting, given));
    else if (setting.mayHavePassword && given.from === "flag" && hasPassword(String(value))) {
      problems.push(
        `${given.name} has a password in it, and everybody on this machine can see the arguments of a program: give the URL as ${environmentName(setting)}, or in a file with --database-url-file`,
      );
    }
    return { id, given, value };
  });
  const places = nearestPlaces(found);
  if (!places.some(({ given }) => given.from === "flag")) problems.push(...emptyPlaces(ids, sources));
  if (places.length > 1) {
    const names = places.map(({ given }) => given.name).join(" and ");
    problems.push(`${names} are set, and everything is kept in one place: give one of them`);
  }
  if (problems.length > 0) throw new SettingsError(problems.join("\n"));
  return found.map((each) => (isPlace(each.id) && !places.includes(each) ? withoutValue(each) : each));
}

/** The settings that say where everything is kept: whoever names one place means no other. */
const PLACES: readonly SettingId[] = ["dataDir", "database", "databaseUrlFile"];

function isPlace(id: SettingId): boolean {
  return PLACES.includes(id);
}

/** The places that are named where it counts first: by flags, else by the environment, else by the file. */
function nearestPlaces(found: readonly LoadedSetting[]): LoadedSetting[] {
  const named = found.filter(({ id, given }) => isPlace(id) && given.from !== "default");
  const sources = ["flag", "environment", "file"] as const;
  const nearest = sources.find((source) => named.some(({ given }) => given.from === source));
  return named.filter(({ given }) => given.from === nearest);
}

/** The complaint about the URL of a database where another value belongs; undefined when there is none. */
function misplacedUrl(id: SettingId, { name, value }: Given): string | undefined {
  if (id === "database" || typeof value !== "string") return undefined;
  if (id === "databaseUrlFile") return isUrlShaped(value) ? `${name}: ${URL_IN_PLACE_OF_FILE}` : undefined;
  if (!isDatabaseUrlShaped(value)) return undefined;
  return `${name}: the URL of a database isn't expected here. Give it as HANDOFF_DATABASE_URL, or in a file with --database-url-file`;
}

/** The complaints about empty variables where a place is looked for: everything would be kept in a folder that nobody meant. */
function emptyPlaces(ids: readonly SettingId[], { env }: Sources): string[] {
  const variables = ids.filter((id) => isPlace(id) && id !== "dataDir").map((id) => environmentName(SETTINGS[id]));
  const empty = variables.filter((name) => env[name] === "");
  return empty.map((name) => `${name} is empty, and would count as not set: remove it, or fill it in`);
}

function withoutValue({ id }: LoadedSetting): LoadedSetting {
  const name = `--${SETTINGS[id].name}`;
  return { id, given: { value: undefined, from: "default", name }, value: undefined };
}

/** The ids of all settings, in the order of the table. */
export function settingIds(): SettingId[] {
  return Object.keys(SETTINGS).filter((id): id is SettingId => Object.hasOwn(SETTINGS, id));
}

/** The folder of the data when no setting says: see `data-dir`. */
export function defaultDataDir(env: Environment): string {
  // systemd passes several folders separated by colons.
  const state = env["STATE_DIRECTORY"]?.split(":")[0];
  return state || join(env["XDG_DATA_HOME"] || join(env["HOME"] || homedir(), ".local", "share"), "handoff");
}

function readValue(setting: Setting, given: unknown): unknown {
  if (setting.kind === "list") return typeof given === "string" ? given.split(/[\s,]+/).filter(Boolean) : (given ?? []);
  if (typeof given !== "string") return given;
  switch (setting.kind) {
    case "text":
      return given;
    case "integer":
      return /^\d{1,15}$/.test(given) ? Number(given) : undefined;
    case "duration":
      return parseDuration(given);
    case "bytes":
      return parseBytes(given);
    case "boolean":
      return ({ true: true, "1": true, false: false, "0": false } as const)[given];
  }
}

function isValid(setting: Setting, value: unknown): boolean {
  return Value.Check(setting.schema, value);
}

function complaint(setting: Setting, { name, value }: Given): string {
  // A password may be in it.
  if (setting.mayHavePassword || (setting.name === "base-url" && String(value).includes("@")))
    return `${name}: expected ${expectation(setting)}`;
  return `${name} is '${String(value)}': expected ${expectation(setting)}`;
}

/** The values that a setting takes, in words. */
function expectation({ kind, schema, expected }: Setting): string {
  if (expected !== undefined) return expected;
  const { minimum, maximum } = schema as { minimum?: number; maximum?: number };
  const range = (format: (value: number) => string) =>
    minimum === undefined || maximum === undefined ? "" : ` from ${format(minimum)} to ${format(maximum)}`;
  switch (kind) {
    case "integer":
      return `a whole number${range(String)}`;
    case "duration":
      return `a duration such as 45s, 30m, 12h or 7d${range(formatDuration)}`;
    case "bytes":
      return `a size such as 512KiB or 10MiB${range(formatBytes)}`;
    case "boolean":
      return "true or false";
    case "list":
      return "a list";
    case "text":
      return "a text that is not empty";
  }
}

/** `nameOf` is the flag or variable by which a setting was given. */
function findConflicts(settings: Settings, nameOf: (id: SettingId) => string): string[] {
  const conflicts: string[] = [];
  if ((settings.tlsCert === undefined) !== (settings.tlsKey === undefined)) {
    const [given, missing] =
      settings.tlsCert === undefined ? (["tlsKey", "tlsCert"] as const) : (["tlsCert", "tlsKey"] as const);
    conflicts.push(
      `${nameOf(given)} is set, but ${asGiven(nameOf(given), missing)} is not: --tls-cert and --tls-key belong together. Give both or none`,
    );
  }
  if (settings.brandLogoDark !== undefined && settings.brandLogo === undefined) {
    conflicts.push(`${nameOf("brandLogoDark")} needs --brand-logo, which is for light themes`);
  }
  if (settings.defaultExpires > settings.maxExpires) {
    conflicts.push("--default-expires is above --max-expires: lower it, or raise the maximum");
  }
  if (settings.defaultClaims > settings.maxClaims) {
    conflicts.push("--default-claims is above --max-claims: lower it, or raise the maximum");
  }
  if (settings.bodyMemory !== undefined && settings.bodyMemory < leastBodyMemoryBytes(settings.maxCiphertext)) {
    conflicts.push("--body-memory is below four times --max-ciphertext: raise it, or lower the other");
  }
  if (settings.callBurst < settings.callsPerSecond) {
    conflicts.push("--call-burst is below --calls-per-second: raise it, or lower the other");
  }
  return conflicts;
}

/** The name of the setting `id`, as a variable where the other one was given so. */
function asGiven(other: string, id: SettingId): string {
  return other.startsWith("--") ? `--${SETTINGS[id].name}` : environmentName(SETTINGS[id]);
}

/** The variables of `env` that begin as ours do and are no setting's, each with the nearest name of ours. */
export function unknownVariables(env: Environment): { readonly name: string; readonly nearest: string }[] {
  const known = [...settingIds().map((id) => environmentName(SETTINGS[id])), CONFIG_VARIABLE];
  return Object.keys(env)
    .filter((name) => name.startsWith("HANDOFF_") && !known.includes(name) && !OF_THE_CLIENT.includes(name))
    .map((name) => ({ name, nearest: nearestOf(name, known) }));
}

/** The variables that commands of the client read, and the server has no use for. */
const OF_THE_CLIENT = ["HANDOFF_URL", "HANDOFF_API_KEY", "HANDOFF_API_KEY_FILE", "HANDOFF_ALLOW_HTTP", "HANDOFF_DEBUG"];
