import { loadSettings } from "../../config/load.ts";
import type { Environment, Flags } from "../../config/sources.ts";
import { refuseFaults } from "../server/read-settings.ts";
import { namesOtherFile } from "../server/systemd/service-environments.ts";
import { findServiceFaults } from "../server/systemd/service-faults.ts";
import type { ServiceFault } from "../server/systemd/service-faults.ts";
import {
  declaredSettings,
  processSettings,
  settingVariables,
  withCredentialSources,
} from "../server/systemd/service-settings.ts";
import type { ServiceSettings } from "../server/systemd/service-settings.ts";
import { showBackupUnits, showUnit, UNIT } from "../server/systemd/shown-units.ts";
import type { BackupUnits, ShownUnit } from "../server/systemd/shown-units.ts";
import { failed, fine, sentenceOf, warning } from "./findings.ts";
import type { Finding } from "./findings.ts";
import { checkSettingsFile } from "./service-checks.ts";

/** The settings to check, and the findings about the service that has them. */
interface CheckedSettings extends ServiceSettings {
  readonly findings: readonly Finding[];
  /** The units that make its backups; undefined when these aren't the settings of a service. */
  readonly backups?: BackupUnits | undefined;
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

/**
 * The settings of this machine's service; `flags` and `env` override them. When there is no systemd or no such service,
 * or when `flags` or `env` name a data folder, a database or another file of settings, they are checked alone.
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
  const isOtherFile = namesOtherFile(flags, env, declared.env);
  if (isOtherFile || namesPlace(flags, env)) {
    const why = `This command names ${isOtherFile ? "another file of settings" : "a data folder or database"}`;
    if (state === "running" || state === "stopped") return alone(why);
    return alone(`${UNIT} isn't running (${describeState(unit)}). ${why}`, warning);
  }
  const running = state === "running" ? processSettings(unit.mainPid) : undefined;
  const service = running ?? (state === "running" ? declared : withCredentialSources(declared, unit));
  const faults = findServiceFaults(unit, declared);
  return {
    flags: { ...service.flags, ...flags },
    env: { ...env, ...service.env, ...settingVariables(env) },
    backups: await showBackupUnits(env),
    findings: [
      STATE_FINDINGS[state === "running" && !running ? "unreadable" : state](unit),
      ...faults.map(({ check, text, isFatal }) => (isFatal ? failed : warning)(check, text)),
      ...findChanges(unit, declared, running, faults),
      ...checkSettingsFile(declared),
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

function notRunning(unit: ShownUnit, advice: string): Finding {
  return failed(
    "service",
    `${UNIT} isn't running (${describeState(unit)}); its settings are checked. To see why: sudo journalctl -u handoff -n 50. ${advice}`,
  );
}

/**
 * Names the settings that a restart would change, and what the server would refuse among them. `running` is undefined
 * when they are unknown or it doesn't run.
 */
function findChanges(
  unit: ShownUnit,
  declared: ServiceSettings,
  running: ServiceSettings | undefined,
  faults: readonly ServiceFault[],
): Finding[] {
  const [now = {}, then = {}] = [running ?? declared, declared].map(({ env }) => settingVariables(env));
  const changed = Object.keys({ ...now, ...then }).filter((name) => now[name] !== then[name]);
  if (!unit.needsReload && changed.length === 0) return [];
  const what = unit.needsReload
    ? "The unit was changed."
    : `Changed since the service was started: ${changed.toSorted().join(", ")}.`;
  const fatal = faults.find(({ isFatal }) => isFatal);
  const refusal =
    fatal === undefined ? findRefusal(withCredentialSources(declared, unit)) : `see '${fatal.check}' above.`;
  if (refusal !== undefined) return [failed("restart", `${what} Don't restart it before this is mended: ${refusal}`)];
  return [
    warning("restart", `${what} Run: ${unit.needsReload ? `sudo systemctl daemon-reload && ${RESTART}` : RESTART}`),
  ];
}

/** What 'serve --check' refuses in these settings; undefined for nothing, and for users who can't read all of it. */
function findRefusal({ flags, env }: ServiceSettings): string | undefined {
  if (process.getuid?.() !== 0) return undefined;
  try {
    refuseFaults(loadSettings(flags, env), env);
    return undefined;
  } catch (error) {
    return sentenceOf(error);
  }
}

function stateOf({ activeState, mainPid }: ShownUnit): State {
  const state = STATES[activeState] ?? "stopped";
  return state === "running" && mainPid === 0 ? "stopped" : state;
}

/** The state of a unit in systemd's words, with the way in which it failed. */
function describeState({ activeState, result }: ShownUnit): string {
  return result === "success" ? activeState : `${activeState}: ${result}`;
}

/** True when the settings name a storage, or can't be read, which is reported elsewhere. */
function namesPlace(flags: Flags, env: Environment): boolean {
  try {
    const places = loadSettings(flags, env, ["dataDir", "database", "databaseUrlFile"]);
    return Object.values(places).some((each) => each !== undefined);
  } catch {
    return true;
  }
}
