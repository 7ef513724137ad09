import { homedir } from "node:os";
import { join } from "node:path";
import { Value } from "@sinclair/typebox/value";
import { environmentName, SETTINGS } from "./settings.ts";
import type { Setting, SettingId, Settings } from "./settings.ts";
import { formatBytes, formatDuration, parseBytes, parseDuration } from "./units.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** A setting is wrong; the message names it and says what was expected. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
}

/**
 * Reads every setting, or those of `ids`: the flag, else the environment variable, else the default. `flags` has what the command line
 * gave, by id. Throws SettingsError that names all that are wrong.
 */
export function loadSettings<Id extends SettingId = SettingId>(
  flags: Readonly<Partial<Record<string, unknown>>>,
  env: Environment,
  ids?: readonly Id[],
): Pick<Settings, Id> {
  const problems: string[] = [];
  const values: Partial<Record<SettingId, unknown>> = {};
  for (const id of ids ?? settingIds()) {
    const setting: Setting = SETTINGS[id];
    const given = flags[id] ?? (env[environmentName(setting)] || undefined);
    const value = readValue(setting, given ?? setting.default);
    if (isValid(setting, value)) values[id] = value;
    else problems.push(complaint(setting, given, flags[id] !== undefined));
  }
  if (problems.length > 0) throw new SettingsError(problems.join("\n"));
  const settings = values as Settings;
  const conflicts = ids ? [] : findConflicts(settings);
  if (conflicts.length > 0) throw new SettingsError(conflicts.join("\n"));
  return settings;
}

/** The ids of all settings, in the order of the table. */
export function settingIds(): SettingId[] {
  return Object.keys(SETTINGS).filter((id): id is SettingId => Object.hasOwn(SETTINGS, id));
}

/** Where the data lies when no setting says: see `data-dir`. */
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
  return (value === undefined && setting.default === undefined) || Value.Check(setting.schema, value);
}

function complaint(setting: Setting, given: unknown, isFlag: boolean): string {
  const name = isFlag ? `--${setting.name}` : environmentName(setting);
  return `${name} is '${String(given)}': expected ${expectation(setting)}`;
}

/** What a setting takes, in words. */
function expectation({ name, kind, schema }: Setting): string {
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
      if (name === "base-url") return "an http or https URL without a slash at the end, a query or a fragment";
      return name === "log-level" ? "info, error or silent" : "a text that is not empty";
  }
}

function findConflicts(settings: Settings): string[] {
  const conflicts: string[] = [];
  if ((settings.tlsCert === undefined) !== (settings.tlsKey === undefined)) {
    conflicts.push("--tls-cert and --tls-key belong together: give both or none");
  }
  if (settings.defaultExpires > settings.maxExpires) {
    conflicts.push("--default-expires is above --max-expires: lower it, or raise the maximum");
  }
  if (settings.defaultClaims > settings.maxClaims) {
    conflicts.push("--default-claims is above --max-claims: lower it, or raise the maximum");
  }
  if (settings.bodyMemory !== undefined && settings.bodyMemory < 2 * settings.maxCiphertext) {
    conflicts.push("--body-memory is below twice --max-ciphertext: raise it, or lower the other");
  }
  if (settings.callBurst < settings.callsPerSecond) {
    conflicts.push("--call-burst is below --calls-per-second: raise it, or lower the other");
  }
  return conflicts;
}
