import { readFileSync, realpathSync } from "node:fs";
import { Command } from "commander";
import { defaultDataDir } from "../../config/load.ts";
import type { Environment, Flags } from "../../config/sources.ts";
import { codeOf } from "../../contract/system-codes.ts";
import { addSettings } from "../server/setting-options.ts";
import { failed, fine, warning } from "./findings.ts";
import type { Finding } from "./findings.ts";
import { readEnvironmentFile, readShown, showUnit } from "./systemd.ts";
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
 * The settings of the service of this machine, where systemd has one on the data folder that `flags` and `env` name, or where they name none.
 * What they say besides counts before the service's. Without systemd they are all there is.
 */
export async function findServiceSettings(flags: Flags, env: Environment): Promise<CheckedSettings> {
  const alone = (why: string) => ({
    flags,
    env,
    findings: [fine("service", `${why}, so the settings that this command was given are checked.`)],
  });
  const output = await showUnit(UNIT, env);
  if (output === undefined) return alone("No systemd runs here");
  const unit = readShown(output);
  if (unit.loadState !== "loaded") return alone(`systemd has no ${UNIT}`);
  const declared = declaredSettings(unit);
  const found = unit.mainPid > 0 ? readProcess(unit.mainPid) : declared;
  const service = found ?? declared;
  const folder = folderOf(service.flags, service.env);
  const named = flags["dataDir"] ?? env["HANDOFF_DATA_DIR"];
  if (typeof named === "string" && !isSamePlace(named, folder)) {
    return alone(`${UNIT} has another data folder, '${folder}'`);
  }
  return {
    flags: { ...service.flags, ...flags },
    env: { ...env, ...ownVariables(service.env), ...ownVariables(env, "HANDOFF_") },
    findings: [describeState(unit, found !== undefined), ...findChanges(unit, declared, found)],
  };
}

function describeState(unit: ShownUnit, isReadable: boolean): Finding {
  const { activeState, result, mainPid } = unit;
  if (mainPid === 0) {
    const why = result === "success" ? activeState : `${activeState}: ${result}`;
    return failed(
      "service",
      `${UNIT} isn't running (${why}); its settings are checked. To see why: sudo journalctl -u handoff -n 50. To start it: sudo systemctl start handoff`,
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
  const others = prefix === undefined ? ["STATE_DIRECTORY", "XDG_DATA_HOME", "HOME"] : [];
  const isOwn = ([name]: [string, unknown]) => name.startsWith(prefix ?? "HANDOFF_") || others.includes(name);
  return Object.fromEntries(Object.entries(env).filter(isOwn));
}

function folderOf(flags: Flags, env: Environment): string {
  const given = flags["dataDir"] ?? env["HANDOFF_DATA_DIR"];
  return typeof given === "string" ? given : defaultDataDir(env);
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
