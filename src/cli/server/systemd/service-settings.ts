import { readFileSync } from "node:fs";
import { Command } from "commander";
import type { Environment, Flags } from "../../../config/sources.ts";
import { codeOf } from "../../../contract/error-traces.ts";
import { addSettings } from "../setting-options.ts";
import { readEnvironmentFile } from "./environment-files.ts";
import { readCredentials } from "./shown-units.ts";
import type { ShownUnit } from "./shown-units.ts";

/** The flags and the environment of a service. */
export interface ServiceSettings {
  readonly flags: Flags;
  readonly env: Environment;
}

/** The settings that the unit declares. systemd removes the credentials among them when the service ends. */
export function declaredSettings(unit: ShownUnit): ServiceSettings {
  const { environment, environmentFiles, command, stateDirectory } = unit;
  const state = stateDirectory === undefined ? {} : { STATE_DIRECTORY: `/var/lib/${stateDirectory}` };
  const files = environmentFiles.map((path) => readEnvironmentFile(path).variables);
  return { flags: flagsIn(command), env: Object.assign({ ...state, ...environment }, ...files) };
}

/** The settings `declared` of a service that isn't running, with the files of root's in place of credentials. */
export function withCredentialSources({ flags, env }: ServiceSettings, unit: ShownUnit): ServiceSettings {
  const sources = readCredentials(unit);
  const toSource = <T>(value: T): T | string => (typeof value === "string" && sources.get(value)) || value;
  const map = <T>(record: Readonly<Record<string, T>>) =>
    Object.fromEntries(Object.entries(record).map(([name, value]) => [name, toSource(value)]));
  return { flags: map(flags), env: map(env) };
}

/** The settings of the process `pid`; undefined when it has ended, or this user may not read them. */
export function processSettings(pid: number): ServiceSettings | undefined {
  try {
    const words = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").slice(0, -1);
    const variables = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0").filter(Boolean);
    return { flags: flagsIn(words), env: Object.fromEntries(variables.map(toPair)) };
  } catch (error) {
    if (["EACCES", "EPERM", "ENOENT", "ESRCH"].includes(codeOf(error) ?? "")) return undefined;
    throw error;
  }
}

/** The variables of `env` that have the prefix of settings. */
export function settingVariables(env: Environment): Environment {
  return Object.fromEntries(Object.entries(env).filter(([name]) => name.startsWith("HANDOFF_")));
}

/** The flags of `serve` among the words of a command. */
function flagsIn(words: readonly string[]): Flags {
  const command = addSettings(new Command()).exitOverride().allowUnknownOption().allowExcessArguments();
  command.configureOutput({ writeErr: () => undefined, writeOut: () => undefined });
  try {
    return command.parse(words.slice(words.indexOf("serve") + 1), { from: "user" }).opts();
  } catch {
    // The log of the service says what is wrong with them.
    return {};
  }
}

function toPair(line: string): [name: string, value: string] {
  const at = line.indexOf("=");
  return [line.slice(0, at), line.slice(at + 1)];
}
