import { existsSync, readFileSync } from "node:fs";
import type { Environment } from "../../../config/sources.ts";

// What systemd says about a unit, in the words of systemctl(1) and org.freedesktop.systemd1(5).

export const UNIT = "handoff.service";
/** The folder in which the unit finds its credentials while it runs. */
const CREDENTIALS = `/run/credentials/${UNIT}/`;
/** The folder of the unit that makes backups. */
const BACKUPS = "/var/backups/handoff";
const PATIENCE_MS = 5000;
const USUAL_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
const PROPERTIES = [
  "LoadState",
  "ActiveState",
  "Result",
  "MainPID",
  "NeedDaemonReload",
  "Environment",
  "EnvironmentFiles",
  "StateDirectory",
  "User",
  "Group",
  "SupplementaryGroups",
  "PrivateUsers",
  "FragmentPath",
  "DropInPaths",
  "ExecStart",
];
/** A word, or a quoted word: systemd prints words with spaces in quotes. */
const WORD = /"((?:[^"\\]|\\.)*)"|[^\s"]\S*/g;

/** The properties of a unit that its state and its settings come from. */
export interface ShownUnit {
  /** `loaded` when the unit exists. */
  readonly loadState: string;
  readonly activeState: string;
  /** `success`, or the way in which it failed. */
  readonly result: string;
  /** The ID of its main process; 0 when it isn't running. */
  readonly mainPid: number;
  /** True when its file was changed after systemd read it. */
  readonly needsReload: boolean;
  readonly environment: Readonly<Record<string, string>>;
  readonly environmentFiles: readonly string[];
  readonly stateDirectory: string | undefined;
  /** The user of its process; empty for root. */
  readonly user: string;
  /** The group of its process, then its further ones. */
  readonly groups: readonly string[];
  /** True when the process sees no other user and group than its own. */
  readonly isAlone: boolean;
  /** The files that define it. */
  readonly unitFiles: readonly string[];
  /** The words of its command. */
  readonly command: readonly string[];
}

/** Asks systemd about handoff's unit. Resolves undefined where no systemd runs, or none answers within 5 seconds. */
export async function showUnit(env: Environment): Promise<ShownUnit | undefined> {
  const output = await show(UNIT, PROPERTIES, env);
  return output === undefined ? undefined : readShown(output);
}

/** The state of the units that make backups. */
export interface BackupUnits {
  /** The way in which the last backup failed; undefined when it didn't. */
  readonly failure: string | undefined;
  /** Whether the timer starts backups; undefined when it isn't installed. */
  readonly isTimed: boolean | undefined;
  /** True when there is the folder into which the unit writes. */
  readonly hasFolder: boolean;
}

/** Asks systemd about the units for backups. Resolves undefined where no systemd runs. */
export async function showBackupUnits(env: Environment): Promise<BackupUnits | undefined> {
  const [service, timer] = await Promise.all(
    ["handoff-backup.service", "handoff-backup.timer"].map((unit) =>
      show(unit, ["LoadState", "ActiveState", "Result"], env),
    ),
  );
  if (service === undefined || timer === undefined) return undefined;
  const [ofService, ofTimer] = [service, timer].map(readProperties);
  return {
    failure: ofService?.("ActiveState")[0] === "failed" ? ofService("Result")[0] : undefined,
    isTimed: ofTimer?.("LoadState")[0] === "loaded" ? ofTimer("ActiveState")[0] === "active" : undefined,
    hasFolder: existsSync(BACKUPS),
  };
}

/** What systemd says about these properties of a unit; undefined where no systemd runs. */
async function show(unit: string, properties: readonly string[], env: Environment): Promise<string | undefined> {
  const path = env["PATH"] || USUAL_PATH;
  const program = Bun.which("systemctl", { PATH: path });
  if (program === null) return undefined;
  const child = Bun.spawn([program, "show", unit, "--no-pager", `--property=${properties.join(",")}`], {
    env: { PATH: path, LC_ALL: "C" },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "ignore",
    timeout: PATIENCE_MS,
  });
  const [output, exitCode] = await Promise.all([child.stdout.text(), child.exited]);
  return exitCode === 0 && output.includes("LoadState=") ? output : undefined;
}

/** The values of each property, by its name. */
function readProperties(output: string): (name: string) => readonly string[] {
  const values = Map.groupBy(output.matchAll(/^(\w+)=(.*)$/gm), ([, name]) => name);
  return (name) => (values.get(name) ?? []).map(([, , value = ""]) => value);
}

/** Reads the output of `systemctl show`. */
function readShown(output: string): ShownUnit {
  const all = readProperties(output);
  const first = (name: string) => all(name)[0] ?? "";
  return {
    loadState: first("LoadState"),
    activeState: first("ActiveState"),
    result: first("Result"),
    mainPid: Number(first("MainPID")) || 0,
    needsReload: first("NeedDaemonReload") === "yes",
    environment: pairsIn(wordsIn(first("Environment"))),
    // Such as "/etc/handoff/env (ignore_errors=yes)".
    environmentFiles: all("EnvironmentFiles")
      .map((value) => value.replace(/ \(ignore_errors=\w+\)$/, ""))
      .filter(Boolean),
    stateDirectory: first("StateDirectory").split(" ")[0] || undefined,
    user: first("User"),
    groups: [first("Group"), ...wordsIn(first("SupplementaryGroups"))].filter(Boolean),
    isAlone: first("PrivateUsers") === "yes",
    unitFiles: [first("FragmentPath"), ...wordsIn(first("DropInPaths"))].filter(Boolean),
    command: wordsIn(/ argv\[\]=(.*?) ; /.exec(first("ExecStart"))?.[1] ?? ""),
  };
}

/** The sources of a unit's credentials, by the paths of their copies. systemctl doesn't print them. */
export function readCredentials({ unitFiles }: ShownUnit): ReadonlyMap<string, string> {
  const sources = new Map<string, string>();
  for (const line of unitFiles.flatMap((path) => linesIn(path))) {
    const [, value] = /^LoadCredential\s*=\s*(.*)$/.exec(line) ?? [];
    // An empty value removes those before it.
    if (value === "") sources.clear();
    const [, name, path] = /^([^:]+):(\/.*)$/.exec(value ?? "") ?? [];
    if (path !== undefined) sources.set(`${CREDENTIALS}${name}`, path);
  }
  return sources;
}

/** The trimmed lines of a file; none when it can't be read. */
function linesIn(path: string): string[] {
  try {
    return readFileSync(path, "utf8")
      .split("\n")
      .map((line) => line.trim());
  } catch {
    return [];
  }
}

function wordsIn(text: string): string[] {
  return [...text.matchAll(WORD)].map(([word, quoted]) => quoted?.replace(/\\(.)/g, "$1") ?? word);
}

function pairsIn(assignments: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    assignments.flatMap((assignment) => {
      const [, name, value = ""] = /^(\w+)=(.*)$/s.exec(assignment) ?? [];
      return name === undefined ? [] : [[name, value]];
    }),
  );
}
