import { readFileSync } from "node:fs";

// What systemd says of a unit, in the words of systemctl(1) and org.freedesktop.systemd1(5).

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
  "FragmentPath",
  "DropInPaths",
  "ExecStart",
];
/** A word, or one in quotes, as systemd prints those with spaces. */
const WORD = /"((?:[^"\\]|\\.)*)"|[^\s"]\S*/g;

/** A unit, as far as settings come from it. */
export interface ShownUnit {
  /** `loaded` when there is one. */
  readonly loadState: string;
  readonly activeState: string;
  /** `success`, or in which way it has failed. */
  readonly result: string;
  /** Its process; 0 when it isn't running. */
  readonly mainPid: number;
  /** True when its file was changed since systemd has read it. */
  readonly needsReload: boolean;
  readonly environment: Readonly<Record<string, string>>;
  readonly environmentFiles: readonly string[];
  readonly stateDirectory: string | undefined;
  /** The files that say what it is. */
  readonly unitFiles: readonly string[];
  /** The words of its command. */
  readonly command: readonly string[];
}

/** The properties of `unit` as `systemctl show` prints them; undefined where no systemd runs. */
export async function showUnit(
  unit: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string | undefined> {
  const path = env["PATH"] || USUAL_PATH;
  const program = Bun.which("systemctl", { PATH: path });
  if (program === null) return undefined;
  const child = Bun.spawn([program, "show", unit, "--no-pager", `--property=${PROPERTIES.join(",")}`], {
    env: { PATH: path, LC_ALL: "C" },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "ignore",
    timeout: PATIENCE_MS,
  });
  const [output, exitCode] = await Promise.all([child.stdout.text(), child.exited]);
  return exitCode === 0 && output.includes("LoadState=") ? output : undefined;
}

/** Reads what `systemctl show` has printed. */
export function readShown(output: string): ShownUnit {
  const values = new Map<string, string[]>();
  for (const line of output.split("\n")) {
    const [, name = "", value = ""] = /^(\w+)=(.*)$/.exec(line) ?? [];
    values.set(name, [...(values.get(name) ?? []), value]);
  }
  const first = (name: string) => values.get(name)?.[0] ?? "";
  // Such as "/etc/handoff/env (ignore_errors=yes)".
  const files = (values.get("EnvironmentFiles") ?? []).map((value) => value.replace(/ \(ignore_errors=\w+\)$/, ""));
  return {
    loadState: first("LoadState"),
    activeState: first("ActiveState"),
    result: first("Result"),
    mainPid: Number(first("MainPID")) || 0,
    needsReload: first("NeedDaemonReload") === "yes",
    environment: pairsIn(wordsIn(first("Environment"))),
    environmentFiles: files.filter(Boolean),
    stateDirectory: first("StateDirectory").split(" ")[0] || undefined,
    unitFiles: [first("FragmentPath"), ...wordsIn(first("DropInPaths"))].filter(Boolean),
    command: wordsIn(/ argv\[\]=(.*?) ; /.exec(first("ExecStart"))?.[1] ?? ""),
  };
}

/**
 * The paths of the files that a unit is handed while it runs, by their names there: those of LoadCredential= in the files of the unit, because systemctl says
 * of them only that they are unprintable.
 */
export function readCredentials(unitFiles: readonly string[]): ReadonlyMap<string, string> {
  const credentials = new Map<string, string>();
  for (const line of unitFiles.flatMap((path) => linesIn(path))) {
    const [, word] = /^LoadCredential\s*=\s*(.*)$/.exec(line) ?? [];
    if (word === "") credentials.clear();
    const [, name, path] = /^([^:]+)(?::(.+))?$/.exec(word ?? "") ?? [];
    if (name !== undefined) credentials.set(name, path ?? name);
  }
  return credentials;
}

/** The lines of a file, without blanks around them; none when it can't be read. */
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

/** Reads a file of lines such as `NAME=value`, as EnvironmentFile= of systemd.exec(5) does for plain ones; none when it can't be read: the service may do without it. */
export function readEnvironmentFile(path: string): Record<string, string> {
  return pairsIn(linesIn(path).filter((line) => !/^[#;]/.test(line)));
}

function pairsIn(assignments: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    assignments.flatMap((assignment) => {
      const [, name, value = ""] = /^(\w+)\s*=\s*(.*)$/.exec(assignment) ?? [];
      return name === undefined ? [] : [[name, value.replace(/^(["'])(.*)\1$/, "$2")]];
    }),
  );
}
