import { readFileSync } from "node:fs";
import { loadSettings } from "../../../config/load.ts";
import type { Environment } from "../../../config/sources.ts";
import { readEnvironmentFile } from "./environment-files.ts";
import type { ServiceSettings } from "./service-settings.ts";
import type { ShownUnit } from "./shown-units.ts";
import { DEFAULT_LISTEN, VARIABLES_FILE } from "./units.ts";

/** What is wrong between a service and its settings, which the settings alone don't show. */
export interface ServiceFault {
  /** The name of the check that finds it. */
  readonly check: string;
  /** A sentence on it, and on what to do. */
  readonly text: string;
  /** True when the service doesn't start with it, or starts without its settings. */
  readonly isFatal: boolean;
}

/** Finds what is wrong between `unit` and the settings `declared` in it, with which it would start. */
export function findServiceFaults(unit: ShownUnit, declared: ServiceSettings): ServiceFault[] {
  return [...findFileFaults(unit), ...findHiddenListen(unit, declared), ...findGroupFault(unit, declared)];
}

function findFileFaults({ environmentFiles }: ShownUnit): ServiceFault[] {
  return environmentFiles
    .map((path) => readEnvironmentFile(path))
    .flatMap(({ faults, isIgnored }) => faults.map((text) => ({ check: "variables file", text, isFatal: isIgnored })));
}

/** Says that variables of a file hide the place at which a unit's server listens; undefined when they don't. */
export function describeHiddenListen(ofUnit: Environment, ofFile: Environment): string | undefined {
  const { HANDOFF_LISTEN: listen } = ofFile;
  const { HANDOFF_LISTEN: own = DEFAULT_LISTEN, HANDOFF_ACME: acme } = ofUnit;
  // The unit for a server behind a proxy is meant to be overridden.
  const isWithoutProxy = acme !== undefined || (own !== DEFAULT_LISTEN && !own.startsWith("unix:"));
  if (!isWithoutProxy || !listen?.startsWith("unix:")) return undefined;
  const hidden = acme === undefined ? `HANDOFF_LISTEN=${own}` : `HANDOFF_ACME=${acme}`;
  return `HANDOFF_LISTEN=${listen} in ${VARIABLES_FILE} comes before ${hidden} in the unit, so nobody reaches the server over the network. Without a proxy, remove it there.`;
}

function findHiddenListen({ environment }: ShownUnit, { env }: ServiceSettings): ServiceFault[] {
  const text = describeHiddenListen(environment, env);
  return text === undefined ? [] : [{ check: "listen", text, isFatal: true }];
}

/** A group that the service can't give its socket to. */
function findGroupFault(unit: ShownUnit, { flags, env }: ServiceSettings): ServiceFault[] {
  const { user, groups, isAlone, needsReload } = unit;
  const group = socketGroupOf(flags, env);
  // Root may give it to any group. What a changed unit says is only known after a reload.
  if (group === undefined || user === "" || user === "root" || needsReload) return [];
  const known = readGroups();
  const idOf = (name: string) => known.find((each) => each.name === name)?.id ?? name;
  const isOwn = groups[0] !== undefined && idOf(groups[0]) === idOf(group);
  const isIn =
    groups.some((each) => idOf(each) === idOf(group)) ||
    known.some(({ id, members }) => id === idOf(group) && members.includes(user));
  if (isOwn || (isIn && !isAlone)) return [];
  const why = isIn ? "the service sees no other groups than its own" : "the service isn't in this group";
  const text = `HANDOFF_SOCKET_GROUP is '${group}', but ${why}, so it can't give it the socket. Run 'sudo systemctl edit handoff', and add under [Service] the lines SupplementaryGroups=${group} and PrivateUsers=no`;
  return [{ check: "socket group", text, isFatal: true }];
}

function socketGroupOf(flags: ServiceSettings["flags"], env: ServiceSettings["env"]): string | undefined {
  try {
    return loadSettings(flags, env, ["socketGroup"]).socketGroup;
  } catch {
    // Reported when all settings are read.
    return undefined;
  }
}

/** The groups of this machine. */
function readGroups(): { readonly name: string; readonly id: string; readonly members: readonly string[] }[] {
  return readFileSync("/etc/group", "utf8")
    .split("\n")
    .map((line) => line.split(":"))
    .flatMap(([name, , id, members = ""]) => (name && id ? [{ name, id, members: members.split(",") }] : []));
}
