import { existsSync, readFileSync, realpathSync } from "node:fs";
import { Command } from "commander";
import { defaultDataDir, loadSettings } from "../../config/load.ts";
import { environmentName, SETTINGS } from "../../config/settings.ts";
import type { SettingId } from "../../config/settings.ts";
import type { Environment, Flags } from "../../config/sources.ts";
import { codeOf } from "../../contract/system-codes.ts";
import { addSettings } from "../server/setting-options.ts";
import { findPlace, PLACE_SETTINGS } from "../server/storages/places.ts";
import { failed, fine, warning } from "./findings.ts";
import type { Finding } from "./findings.ts";
import { readCredentials, readEnvironmentFile, readShown, showUnit } from "./systemd.ts";
import type { ShownUnit } from "./systemd.ts";

/** The settings to be checked, and what was found of the service that has them. */
interface CheckedSettings {
  readonly flags: Flags;
  readonly env: Environment;
  readonly findings: readonly Finding[];
}

/** The settings of a service: those that its process has, or those that it would have. */
interface ServiceSettings {
  readonly flags: Flags;
  readonly env: Environment;
}

const UNIT = "handoff.service";
const RESTART = "sudo systemctl restart handoff";

/**
 * The settings of the service of this machine, where systemd has one on the data folder or database that `flags` and `env` name, or where they name none.
 * What they say besides counts before the service's. Without systemd they are all there is.
 */
export async function findServiceSettings(flags: Flags, env: Environment): Promise<CheckedSettings> {
  const alone = (why: string, level = fine) => ({
    flags,
    env,
    findings: [level("service", `${why}, so the settings that this command was given are checked.`)],
  });
  const output = await showUnit(UNIT, env);
  if (output === undefined) return alone("No systemd runs here");
  const unit = readShown(output);
  if (unit.loadState !== "loaded") return alone(`systemd has no ${UNIT}`);
  const declared = declaredSettings(unit);
  const found = isRunning(unit) ? readProcess(unit.mainPid) : withCredentials(declared, unit);
  const service = found ?? declared;
  const [own, named] = [placeOfService(service), findNamed(flags, env)];
  const isNamed = named?.name !== undefined;
  if (isNamed && !mayBeSame(own, named)) return alone(describeOther(own, unit), isToRun(unit) ? warning : fine);
  // It may be named in another way here.
  const [ownFlags, ownEnv] = isNamed ? withoutPlace(service) : [service.flags, service.env];
  return {
    flags: { ...ownFlags, ...flags },
    env: { ...env, ...ownVariables(ownEnv), ...ownVariables(env, "HANDOFF_") },
    findings: [
      describeState(unit, found !== undefined),
      ...describeHidden(own, unit, isNamed),
      ...findChanges(unit, declared, isRunning(unit) ? found : undefined),
    ],
  };
}

const RUNNING_STATES: readonly string[] = ["active", "reloading", "refreshing"];

/** True when the process of the service serves. Before that it may still be systemd's own, which has none of the settings. */
function isRunning({ activeState, mainPid }: ShownUnit): boolean {
  return mainPid > 0 && RUNNING_STATES.includes(activeState);
}

/** True when the service was to run, and has ended or doesn't serve yet. */
function isToRun({ activeState }: ShownUnit): boolean {
  return activeState === "failed" || activeState === "activating";
}

function describeOther({ kind, name }: ServicePlace, unit: ShownUnit): string {
  const other =
    kind === "folder"
      ? `has another data folder, '${name}'`
      : `keeps everything in ${name === undefined ? "a PostgreSQL database" : `'${name}'`}`;
  return `${UNIT} ${other}${isToRun(unit) ? `, and isn't running (${stateOf(unit)})` : ""}`;
}

/** Says so when the URL of the service's database can't be read. */
function describeHidden({ kind, name }: ServicePlace, unit: ShownUnit, isNamed: boolean): Finding[] {
  if (kind === "folder" || name !== undefined || isRunning(unit)) return [];
  const why = `${UNIT} keeps everything in a PostgreSQL database, and the file with its URL can't be read while it isn't running`;
  if (isNamed)
    return [warning("database URL", `${why}. The database that this command was given is checked in its place.`)];
  return [warning("database URL", `${why}. To check the database, name the file with --database-url-file.`)];
}

/** The state of a unit in systemd's words, with the way in which it failed. */
function stateOf({ activeState, result }: ShownUnit): string {
  return result === "success" ? activeState : `${activeState}: ${result}`;
}

function describeState(unit: ShownUnit, isReadable: boolean): Finding {
  const { activeState, mainPid } = unit;
  if (!isRunning(unit)) {
    const advice =
      activeState === "activating"
        ? "It is still starting, or ends and is started again and again"
        : "To start it: sudo systemctl start handoff";
    return failed(
      "service",
      `${UNIT} isn't running (${stateOf(unit)}); its settings are checked. To see why: sudo journalctl -u handoff -n 50. ${advice}`,
    );
  }
  if (isReadable) return fine("service", `${UNIT} is running (process ${mainPid}); its settings are checked.`);
  return warning("service", `Only root can read the settings with which ${UNIT} runs. Run this with sudo.`);
}

/** Settings that the service would have after a restart, and has not. */
function findChanges(unit: ShownUnit, declared: ServiceSettings, found: ServiceSettings | undefined): Finding[] {
  if (unit.needsReload) {
    return [warning("restart", `The unit was changed. Run: sudo systemctl daemon-reload && ${RESTART}`)];
  }
  if (found === undefined || found === declared) return [];
  const [now, then] = [ownVariables(found.env, "HANDOFF_"), ownVariables(declared.env, "HANDOFF_")];
  const changed = [...new Set([...Object.keys(now), ...Object.keys(then)])].filter((name) => now[name] !== then[name]);
  if (changed.length === 0) return [];
  return [
    warning("restart", `Changed since the service was started: ${changed.toSorted().join(", ")}. Run: ${RESTART}`),
  ];
}

/** The settings with which the process `pid` was started; undefined when this user may not read them. */
function readProcess(pid: number): ServiceSettings | undefined {
  try {
    const words = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").slice(0, -1);
    const variables = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0").filter(Boolean);
    return { flags: flagsIn(words), env: Object.fromEntries(variables.map(toPair)) };
  } catch (error) {
    // It may have ended meanwhile.
    if (["EACCES", "EPERM", "ENOENT", "ESRCH"].includes(codeOf(error) ?? "")) return undefined;
    throw error;
  }
}

function declaredSettings({ environment, environmentFiles, command, stateDirectory }: ShownUnit): ServiceSettings {
  const state = stateDirectory === undefined ? {} : { STATE_DIRECTORY: `/var/lib/${stateDirectory}` };
  const files = environmentFiles.map((path) => readEnvironmentFile(path));
  return { flags: flagsIn(command), env: Object.assign({ ...state, ...environment }, ...files) };
}

/** The flags of `serve` in the words of a command. */
function flagsIn(words: readonly string[]): Flags {
  const command = addSettings(new Command()).exitOverride().allowUnknownOption().allowExcessArguments();
  command.configureOutput({ writeErr: () => undefined, writeOut: () => undefined });
  try {
    return command.parse(words.slice(words.indexOf("serve") + 1), { from: "user" }).opts();
  } catch {
    // The service itself says what is wrong with them.
    return {};
  }
}

/** The variables of `env` that settings come from, or those that begin with `prefix` alone. */
function ownVariables(env: Environment, prefix?: string): Record<string, string | undefined> {
  const others = prefix === undefined ? ["STATE_DIRECTORY", "XDG_DATA_HOME", "HOME", "PGPASSWORD"] : [];
  const isOwn = ([name]: [string, unknown]) => name.startsWith(prefix ?? "HANDOFF_") || others.includes(name);
  return Object.fromEntries(Object.entries(env).filter(isOwn));
}

/** The directory with the credentials of the service, while it runs. */
const CREDENTIALS = `/run/credentials/${UNIT}/`;
/** The directories in which systemd looks for those that are named without one. */
const CREDENTIAL_STORES = ["/etc/credstore", "/run/credstore", "/usr/local/lib/credstore", "/usr/lib/credstore"];

/** The settings of a service that isn't running, with the files that it would be handed in the places of those. */
function withCredentials({ flags, env }: ServiceSettings, { unitFiles }: ShownUnit): ServiceSettings {
  const credentials = readCredentials(unitFiles);
  const toSource = <T>(value: T): T | string => {
    if (typeof value !== "string" || !value.startsWith(CREDENTIALS)) return value;
    const path = credentials.get(value.slice(CREDENTIALS.length));
    if (path === undefined || path.startsWith("/")) return path ?? value;
    return CREDENTIAL_STORES.map((store) => `${store}/${path}`).find((each) => existsSync(each)) ?? value;
  };
  const map = <T>(record: Readonly<Record<string, T>>) =>
    Object.fromEntries(Object.entries(record).map(([name, value]) => [name, toSource(value)]));
  return { flags: map(flags), env: map(env) };
}

/** A place where everything is kept, as people know it; a database whose URL can't be read has no name. */
interface ServicePlace {
  readonly kind: "folder" | "postgres";
  readonly name: string | undefined;
}

function placeOfService({ flags, env }: ServiceSettings): ServicePlace {
  return findNamed(flags, env) ?? { kind: "folder", name: defaultDataDir(env) };
}

/** The place that `flags` or `env` names; undefined when none of them does, or more than one. */
function findNamed(flags: Flags, env: Environment): ServicePlace | undefined {
  try {
    const settings = loadSettings(flags, env, PLACE_SETTINGS);
    if ((settings.database ?? settings.databaseUrlFile) !== undefined) return findDatabase(settings, env);
    return settings.dataDir === undefined ? undefined : { kind: "folder", name: settings.dataDir };
  } catch {
    // That is found elsewhere.
    return undefined;
  }
}

function findDatabase(settings: Parameters<typeof findPlace>[0], env: Environment): ServicePlace {
  try {
    const place = findPlace(settings, env);
    return { kind: "postgres", name: place.kind === "postgres" ? place.address : undefined };
  } catch {
    return { kind: "postgres", name: undefined };
  }
}

/** True unless the two are sure to be different ones. */
function mayBeSame(own: ServicePlace, named: ServicePlace): boolean {
  if (own.kind !== named.kind) return false;
  return own.name === undefined || isSamePlace(own.name, named.name ?? "");
}

/** The settings of a service but for the place where it keeps everything. */
function withoutPlace({ flags, env }: ServiceSettings): [Flags, Environment] {
  const ids: readonly SettingId[] = ["dataDir", "database", "databaseUrlFile"];
  const variables = ids.map((id) => environmentName(SETTINGS[id]));
  const without = <T>(record: Readonly<Record<string, T>>, names: readonly string[]) =>
    Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)));
  return [without(flags, ids), without(env, variables)];
}

function isSamePlace(one: string, other: string): boolean {
  try {
    return realpathSync(one) === realpathSync(other);
  } catch {
    return one === other;
  }
}

function toPair(line: string): [name: string, value: string] {
  const at = line.indexOf("=");
  return [line.slice(0, at), line.slice(at + 1)];
}
