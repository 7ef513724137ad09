import { readdirSync, readFileSync } from "node:fs";

/** The rounds of looking: a process that is started while others are being ended is found in the next one. */
const MAX_ROUNDS = 10;

/** Finds the processes that a command has started, also those that have left its group and its session. */
export interface ProcessMark {
  /** The name of the variable by which they are found. */
  readonly name: string;
  /** The variables that the command is to have in its environment, and with it whatever it starts. */
  readonly env: Readonly<Record<string, string>>;
  /** True when any of them still runs. */
  readonly isAlive: () => boolean;
  /** Sends a signal to all of them; those that gave up their environment are not found, and none where there is no /proc. */
  readonly kill: (signal: NodeJS.Signals) => void;
}

/** A mark that no other command has: inherited beside those of the commands that this one was started by. */
export function markProcesses(): ProcessMark {
  const name = `HANDOFF_RUN_${crypto.randomUUID().replaceAll("-", "")}`;
  return {
    name,
    env: { [name]: "1" },
    isAlive: () => processesWith(`${name}=1`).length > 0,
    kill(signal) {
      for (let round = 0; round < (signal === "SIGKILL" ? MAX_ROUNDS : 1); round++) {
        const groups = new Set(processesWith(`${name}=1`).map(groupOf));
        for (const group of groups) if (group !== undefined && group > 1) killGroup(group, signal);
        if (groups.size === 0) return;
      }
    },
  };
}

/** Sends a signal to a group of processes, if it is still there. */
export function killGroup(id: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-id, signal);
  } catch {
    // It has ended meanwhile.
  }
}

/** The ids of the processes that were started with this in their environment and are still running. */
function processesWith(variable: string): string[] {
  return readProc("").filter((id) => /^\d+$/.test(id) && readProc(`${id}/environ`).includes(variable));
}

/** The id of the group of a process (proc_pid_stat(5)); undefined when it has ended. */
function groupOf(id: string): number | undefined {
  const [stat = ""] = readProc(`${id}/stat`);
  const [, , group] = stat.replace(/^.*\)/s, "").trim().split(" ");
  return group === undefined ? undefined : Number(group);
}

/** The names in a folder of /proc, or what is between the zero bytes of a file; nothing when it cannot be read. */
function readProc(path: string): string[] {
  try {
    return path === "" ? readdirSync("/proc") : readFileSync(`/proc/${path}`, "latin1").split("\0");
  } catch {
    return [];
  }
}
