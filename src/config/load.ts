import { join } from "node:path";
import { Value } from "@sinclair/typebox/value";
import { leastBodyMemoryBytes } from "../contract/limits.ts";
import { baseFolder } from "./base-folders.ts";
import { URL_IN_PLACE_OF_FILE } from "./database-url-files.ts";
import { DatabaseUrl, isDatabaseUrlShaped, isUrlShaped } from "./database-urls.ts";
import { SettingsError } from "./errors.ts";
import { nearestOf } from "./nearest.ts";
import { environmentName, SETTINGS } from "./settings.ts";
import type { Setting, SettingId, Settings } from "./settings.ts";
import { isSmtpUrlShaped, SmtpUrl } from "./smtp-urls.ts";
import { CONFIG_VARIABLE, findGiven, openSources } from "./sources.ts";
import type { Environment, Flags, Given, Sources } from "./sources.ts";
import { formatBytes, formatDuration, parseBytes, parseDuration } from "./units.ts";

/**
 * Reads every setting, or those in `ids`: from the flag, else the environment variable, else the settings file of
 * `--config`, else the default. `flags` has the command line's values by id. Throws SettingsError that names all wrong
 * settings.
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

/** A setting with its effective value and its source. */
export interface LoadedSetting {
  readonly id: SettingId;
  readonly given: Given;
  readonly value: unknown;
}

/** Returns every setting as `loadSettings` reads it, with its source. Throws as that does. */
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
    // An invalid value isn't a missing one.
    const isUnset = given.value === undefined && setting.default === undefined;
    const misplaced = misplacedUrl(id, given);
    if (misplaced !== undefined) problems.push(misplaced);
    else if (!isUnset && !Value.Check(setting.schema, value)) problems.push(complaint(setting, given));
    else if (value instanceof DatabaseUrl && given.from === "flag" && value.hasPassword) {
      problems.push(
        `${given.name} has a password in it, and everybody on this machine can see the arguments of a program: give the URL as ${environmentName(setting)}, or in a file with --database-url-file`,
      );
    } else if (value instanceof SmtpUrl && given.from === "flag" && value.hasPassword) {
      problems.push(
        `${given.name} has a user in it, and everybody on this machine can see the arguments of a program: give the URL as ${environmentName(setting)}, or in a file with --smtp-url-file`,
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
  const [name] = (found.find(({ id }) => id === "acme")?.value ?? []) as readonly string[];
  return found
    .map((each) => (isPlace(each.id) && !places.includes(each) ? withoutValue(each) : each))
    .map((each) => (name === undefined || each.given.from !== "default" ? each : forAcme(each, name)));
}

/** A setting that nobody has given, of a server that gets a certificate for `name`. */
function forAcme(setting: LoadedSetting, name: string): LoadedSetting {
  switch (setting.id) {
    case "listen":
      return { ...setting, value: ":443" };
    case "baseUrl":
      return { ...setting, value: `https://${name}` };
    default:
      return setting;
  }
}

/** The settings for where the data is kept. Setting one overrides the others. */
const PLACES: readonly SettingId[] = ["dataDir", "database", "databaseUrlFile"];

function isPlace(id: SettingId): boolean {
  return PLACES.includes(id);
}

/** The locations from the first source that names any: flags, else the environment, else the file. */
function nearestPlaces(found: readonly LoadedSetting[]): LoadedSetting[] {
  const named = found.filter(({ id, given }) => isPlace(id) && given.from !== "default");
  const sources = ["flag", "environment", "file"] as const;
  const nearest = sources.find((source) => named.some(({ given }) => given.from === source));
  return named.filter(({ given }) => given.from === nearest);
}

/** The complaint about a database URL in another setting; undefined for none. */
function misplacedUrl(id: SettingId, { name, value }: Given): string | undefined {
  if (id === "database" || typeof value !== "string") return undefined;
  if (id === "databaseUrlFile") return isUrlShaped(value) ? `${name}: ${URL_IN_PLACE_OF_FILE}` : undefined;
  if (id !== "smtpUrl" && isSmtpUrlShaped(value)) {
    return `${name}: the URL of a mail server isn't expected here. Give it as HANDOFF_SMTP_URL, or in a file with --smtp-url-file`;
  }
  if (!isDatabaseUrlShaped(value)) return undefined;
  return `${name}: the URL of a database isn't expected here. Give it as HANDOFF_DATABASE_URL, or in a file with --database-url-file`;
}

/** The complaints about empty variables for locations: the data would be kept in an unintended folder. */
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

/** The default data folder: see `data-dir`. */
export function defaultDataDir(env: Environment): string {
  // systemd passes several folders separated by colons.
  const state = env["STATE_DIRECTORY"]?.split(":")[0];
  return state || join(baseFolder(env, "XDG_DATA_HOME", ".local", "share"), "handoff");
}

function readValue(setting: Setting, given: unknown): unknown {
  if (setting.kind === "list") return typeof given === "string" ? given.split(/[\s,]+/).filter(Boolean) : (given ?? []);
  if (setting.kind === "durations") return readDurations(given);
  if (typeof given !== "string") return given;
  switch (setting.kind) {
    case "text":
      return given;
    case "databaseUrl":
      return /^postgres(ql)?:\/\/\S*$/.test(given) ? new DatabaseUrl(given) : undefined;
    case "smtpUrl":
      return isSmtpUrlShaped(given) ? new SmtpUrl(given) : undefined;
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

/** Seconds, from a text or a list of them; undefined when one isn't a duration. */
function readDurations(given: unknown): readonly number[] | undefined {
  const texts = typeof given === "string" ? given.split(",") : given;
  if (!Array.isArray(texts)) return undefined;
  const found = texts.map((each) => parseDuration(String(each)));
  return found.includes(undefined) ? undefined : found.map(Number);
}

function complaint(setting: Setting, { name, value }: Given): string {
  const reason = typeof value === "string" ? setting.explain?.(value) : undefined;
  const advice = `${reason === undefined ? "" : `${reason}. `}${reason === undefined ? "e" : "E"}xpected ${expectation(setting)}`;
  return mayHavePassword(setting, String(value)) ? `${name}: ${advice}` : `${name} is '${String(value)}': ${advice}`;
}

/** True for a wrong URL that may have a password in it. */
function mayHavePassword({ kind, name }: Setting, value: string): boolean {
  if (kind === "databaseUrl" || kind === "smtpUrl") return true;
  return value.includes("@") && (name === "base-url" || value.includes("://"));
}

/** Describes the values that a setting takes. */
function expectation({ kind, schema, expected }: Setting): string {
  if (expected !== undefined) return expected;
  const { minimum, maximum } = schema as unknown as { minimum: number; maximum: number };
  const range = (format: (value: number) => string) => `from ${format(minimum)} to ${format(maximum)}`;
  switch (kind) {
    case "integer":
      return `a whole number ${range(String)}`;
    case "duration":
      return `a duration ${range(formatDuration)}, in units of s, m, h, d or w`;
    case "bytes":
      return `a size ${range(formatBytes)}, in units of B, KiB, MiB or GiB`;
    case "boolean":
      return "true or false";
    case "list":
    case "durations":
      return "a list";
    case "databaseUrl":
    case "smtpUrl":
    case "text":
      return "a text that is not empty";
  }
}

/** Returns complaints about settings that contradict each other. `nameOf` returns the flag or variable of a setting. */
function findConflicts(settings: Settings, nameOf: (id: SettingId) => string): string[] {
  const conflicts: string[] = [];
  if ((settings.tlsCert === undefined) !== (settings.tlsKey === undefined)) {
    const [given, missing] =
      settings.tlsCert === undefined ? (["tlsKey", "tlsCert"] as const) : (["tlsCert", "tlsKey"] as const);
    conflicts.push(
      `${nameOf(given)} is set, but ${asGiven(nameOf(given), missing)} is not: --tls-cert and --tls-key belong together. Give both or none`,
    );
  }
  if (settings.acme.length > 0 && settings.tlsCert !== undefined) {
    conflicts.push("--acme and --tls-cert are both set: give one of them");
  }
  if (settings.acme.length > 0 && (settings.database ?? settings.databaseUrlFile) !== undefined) {
    conflicts.push(
      "--acme keeps the certificate in the data folder, and this server has none: put a proxy that speaks TLS in front of it",
    );
  }
  conflicts.push(...findMailConflicts(settings, nameOf), ...findObjectStoreConflicts(settings, nameOf));
  if (settings.brandLogoDark !== undefined && settings.brandLogo === undefined) {
    conflicts.push(`${nameOf("brandLogoDark")} needs --brand-logo, which is for light themes`);
  }
  if (settings.defaultExpires > settings.maxExpires) {
    conflicts.push("--default-expires is above --max-expires: lower it, or raise the maximum");
  }
  if (settings.expiresChoices?.some((each) => each > settings.maxExpires)) {
    conflicts.push(
      `${nameOf("expiresChoices")} has a lifetime above --max-expires: leave it out, or raise the maximum`,
    );
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
  return [...conflicts, ...findOidcConflicts(settings, nameOf)];
}

/** Complaints about an object store that can't be used, or isn't needed. */
function findObjectStoreConflicts(settings: Settings, nameOf: (id: SettingId) => string): string[] {
  const { objectStore, objectStoreKeyFile, database, databaseUrlFile } = settings;
  if (objectStore === undefined) {
    if (objectStoreKeyFile === undefined) return [];
    return [`${nameOf("objectStoreKeyFile")} needs --object-store, which says where the object store is`];
  }
  return [
    ...(objectStoreKeyFile === undefined
      ? [`${nameOf("objectStore")} needs --object-store-key-file, a file with the access key`]
      : []),
    ...((database ?? databaseUrlFile) === undefined
      ? [`${nameOf("objectStore")} is for PostgreSQL: without --database, large secrets are files in the data folder`]
      : []),
  ];
}

/** Complaints about single sign-on that lets nobody in. */
function findOidcConflicts(settings: Settings, nameOf: (id: SettingId) => string): string[] {
  if (settings.oidcIssuer !== undefined) {
    return [
      ...(settings.oidcClientId === undefined
        ? [`${nameOf("oidcIssuer")} needs --oidc-client-id, as what the provider knows this server`]
        : []),
      ...(settings.oidcAllow.length === 0
        ? [`${nameOf("oidcIssuer")} lets nobody in without --oidc-allow: say whom, such as email_domain=acme.example`]
        : []),
    ];
  }
  const given = (["oidcClientId", "oidcClientSecretFile", "oidcTeam"] as const).filter(
    (id) => settings[id] !== undefined,
  );
  const named = [...given, ...(settings.oidcAllow.length > 0 ? (["oidcAllow"] as const) : [])];
  return named.map((id) => `${nameOf(id)} needs --oidc-issuer, which says where the provider is`);
}

/** The complaints about settings for mail that don't belong together. */
function findMailConflicts(settings: Settings, nameOf: (id: SettingId) => string): string[] {
  const { mailFrom, signIn, signInDomain, smtpUrl, smtpUrlFile } = settings;
  const server = smtpUrl === undefined ? "smtpUrlFile" : "smtpUrl";
  const hasServer = (smtpUrl ?? smtpUrlFile) !== undefined;
  const conflicts: string[] = [];
  if (smtpUrl !== undefined && smtpUrlFile !== undefined) {
    conflicts.push(`${nameOf("smtpUrl")} and ${nameOf("smtpUrlFile")} are both set: give one of them`);
  }
  if (hasServer && mailFrom === undefined) {
    conflicts.push(
      `${nameOf(server)} is set, but ${asGiven(nameOf(server), "mailFrom")} is not: set it to the address that mails are from, such as handoff@example.com`,
    );
  }
  if (mailFrom !== undefined && !hasServer) {
    conflicts.push(`${nameOf("mailFrom")} is set, but no mail server is: give HANDOFF_SMTP_URL or --smtp-url-file`);
  }
  if (signInDomain.length > 0 && (!hasServer || !signIn.split(",").includes("mail"))) {
    conflicts.push(`${nameOf("signInDomain")} lets people sign in by mail, which is off: see --smtp-url and --sign-in`);
  }
  return conflicts;
}

/** The name of the setting `id`: its variable if `other` was given as a variable, else its flag. */
function asGiven(other: string, id: SettingId): string {
  return other.startsWith("--") ? `--${SETTINGS[id].name}` : environmentName(SETTINGS[id]);
}

/** The variables of `env` that begin with `HANDOFF_` and belong to no setting, each with the most similar name. */
export function unknownVariables(env: Environment): { readonly name: string; readonly nearest: string }[] {
  const known = [...settingIds().map((id) => environmentName(SETTINGS[id])), CONFIG_VARIABLE];
  return Object.keys(env)
    .filter((name) => name.startsWith("HANDOFF_") && !known.includes(name) && !OF_THE_CLIENT.includes(name))
    .map((name) => ({ name, nearest: nearestOf(name, known) }));
}

/** Variables for client commands, which the server ignores. */
const OF_THE_CLIENT = ["HANDOFF_URL", "HANDOFF_API_KEY", "HANDOFF_API_KEY_FILE", "HANDOFF_ALLOW_HTTP", "HANDOFF_DEBUG"];
