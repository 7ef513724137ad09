import { realpathSync } from "node:fs";
import { defaultDataDir, loadSettings } from "../../config/load.ts";
import { environmentName, SETTINGS } from "../../config/settings.ts";
import type { Environment, Flags } from "../../config/sources.ts";
import { findPlace, PLACE_SETTINGS } from "../server/storages/places.ts";
import { failed, fine, warning } from "./findings.ts";
import type { Finding } from "./findings.ts";
import { declaredSettings, processSettings, settingVariables, withCredentialSources } from "./service-settings.ts";
import type { ServiceSettings } from "./service-settings.ts";
import { showUnit, UNIT } from "./systemd.ts";
import type { ShownUnit } from "./systemd.ts";

/** The settings to check, and the findings about the service that has them. */
interface CheckedSettings extends ServiceSettings {
  readonly findings: readonly Finding[];
}

/** A data folder, or a database by its URL without the password. */
interface ServicePlace {
  readonly kind: "folder" | "postgres";
  /** Undefined for a database whose URL can't be read. */
  readonly name: string | undefined;
}

/** The state of a unit, as far as the advice differs. */
type State = "running" | "starting" | "failed" | "stopped";

/** Before a service is active, its process may still be systemd's own, which has none of its settings. */
const STATES: Readonly<Record<string, State>> = {
  active: "running",
  reloading: "running",
  refreshing: "running",
  activating: "starting",
  failed: "failed",
};

const RESTART = "sudo systemctl restart handoff";
const HIDDEN = `${UNIT} keeps everything in a PostgreSQL database, and the file with its URL can't be read while it isn't running`;

/**
 * The settings of this machine's service. `flags` and `env` override them. They are checked alone when there is no
 * systemd or no such service, or when they name another data folder or database than the service's.
 */
export async function findServiceSettings(flags: Flags, env: Environment): Promise<CheckedSettings> {
  const alone = (why: string, level = fine) => ({
    flags,
    env,
    findings: [level("service", `${why}, so the settings that this command was given are checked.`)],
  });
  const unit = await showUnit(env);
  if (unit === undefined) return alone("No systemd runs here");
  if (unit.loadState !== "loaded") return alone(`systemd has no ${UNIT}`);

  const state = stateOf(unit);
  const declared = declaredSettings(unit);
  const running = state === "running" ? processSettings(unit.mainPid) : undefined;
  const service = running ?? (state === "running" ? declared : withCredentialSources(declared, unit));
  const own = findNamed(service) ?? { kind: "folder", name: defaultDataDir(service.env) };
  const named = findNamed({ flags, env });
  const isNamed = named?.name !== undefined;
  if (isNamed && !mayBeSame(own, named)) {
    const isToRun = state === "failed" || state === "starting";
    const ended = isToRun ? `, and isn't running (${describeState(unit)})` : "";
    return alone(`${UNIT} ${describePlace(own)}${ended}`, isToRun ? warning : fine);
  }
  // The command may name the same place in another way.
  const rest = isNamed ? withoutPlace(service) : service;
  const isHidden = own.kind === "postgres" && own.name === undefined && state !== "running";
  return {
    flags: { ...rest.flags, ...flags },
    env: { ...env, ...rest.env, ...settingVariables(env) },
    findings: [
      STATE_FINDINGS[state === "running" && !running ? "unreadable" : state](unit),
      ...(isHidden ? [HIDDEN_FINDINGS[isNamed ? "named" : "unnamed"]] : []),
      ...findChanges(unit, declared, running),
    ],
  };
}

const STATE_FINDINGS: Readonly<Record<State | "unreadable", (unit: ShownUnit) => Finding>> = {
  running: ({ mainPid }) => fine("service", `${UNIT} is running (process ${mainPid}); its settings are checked.`),
  unreadable: () => warning("service", `Only root can read the settings with which ${UNIT} runs. Run this with sudo.`),
  starting: (unit) => notRunning(unit, "It is still starting, or ends and is started again and again"),
  failed: (unit) => notRunning(unit, "To start it: sudo systemctl start handoff"),
  stopped: (unit) => notRunning(unit, "To start it: sudo systemctl start handoff"),
};

const HIDDEN_FINDINGS = {
  named: warning("database URL", `${HIDDEN}. The database that this command was given is checked in its place.`),
  unnamed: warning("database URL", `${HIDDEN}. To check the database, name the file with --database-url-file.`),
} as const;

function notRunning(unit: ShownUnit, advice: string): Finding {
  return failed(
    "service",
    `${UNIT} isn't running (${describeState(unit)}); its settings are checked. To see why: sudo journalctl -u handoff -n 50. ${advice}`,
  );
}

/** Names the settings that a restart would change. `running` is undefined when they are unknown or it doesn't run. */
function findChanges(unit: ShownUnit, declared: ServiceSettings, running: ServiceSettings | undefined): Finding[] {
  if (unit.needsReload) {
    return [warning("restart", `The unit was changed. Run: sudo systemctl daemon-reload && ${RESTART}`)];
  }
  if (running === undefined) return [];
  const [now, then] = [running, declared].map(({ env }) => settingVariables(env));
  const changed = Object.keys({ ...now, ...then }).filter((name) => now?.[name] !== then?.[name]);
  if (changed.length === 0) return [];
  return [
    warning("restart", `Changed since the service was started: ${changed.toSorted().join(", ")}. Run: ${RESTART}`),
  ];
}

function stateOf({ activeState, mainPid }: ShownUnit): State {
  const state = STATES[activeState] ?? "stopped";
  return state === "running" && mainPid === 0 ? "stopped" : state;
}

/** The state of a unit in systemd's words, with the way in which it failed. */
function describeState({ activeState, result }: ShownUnit): string {
  return result === "success" ? activeState : `${activeState}: ${result}`;
}

function describePlace({ kind, name }: ServicePlace): string {
  if (kind === "folder") return `has another data folder, '${name}'`;
  return `keeps everything in ${name === undefined ? "a PostgreSQL database" : `'${name}'`}`;
}

/** The place that the settings name; undefined when they name none, or more than one. */
function findNamed({ flags, env }: ServiceSettings): ServicePlace | undefined {
  let isDatabase = false;
  try {
    const settings = loadSettings(flags, env, PLACE_SETTINGS);
    isDatabase = (settings.database ?? settings.databaseUrlFile) !== undefined;
    if (!isDatabase && settings.dataDir === undefined) return undefined;
    const place = findPlace(settings, env);
    return { kind: place.kind, name: place.kind === "postgres" ? place.address : place.folder };
  } catch {
    // Other checks say what is wrong with the settings, or with the file of the URL.
    return isDatabase ? { kind: "postgres", name: undefined } : undefined;
  }
}

/** True unless the two are sure to be different places. */
function mayBeSame(own: ServicePlace, named: ServicePlace): boolean {
  return own.kind === named.kind && (own.name === undefined || realPath(own.name) === realPath(named.name ?? ""));
}

/** The real path of `name`, or `name` itself when there is no such file. */
function realPath(name: string): string {
  try {
    return realpathSync(name);
  } catch {
    return name;
  }
}

/** The settings without those that name the place. */
function withoutPlace({ flags, env }: ServiceSettings): ServiceSettings {
  const ids = ["dataDir", "database", "databaseUrlFile"] as const;
  const nothing = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, undefined]));
  return {
    flags: { ...flags, ...nothing(ids) },
    env: { ...env, ...nothing(ids.map((id) => environmentName(SETTINGS[id]))) },
  };
}
