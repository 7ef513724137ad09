import { readFileSync, writeFileSync } from "node:fs";

const CLOCK_TICKS_PER_SECOND = 100;

/** Resident memory of a process in bytes: now, and the peak since `resetPeak`. Linux only. */
export function residentBytes(pid: number): { readonly now: number; readonly peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const read = (name: string) => Number(new RegExp(`^${name}:\\s*(\\d+) kB$`, "m").exec(status)?.[1]) * 1024;
  return { now: read("VmRSS"), peak: read("VmHWM") };
}

/** Resets the peak of `residentBytes`. */
export function resetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, "5");
}

/** The seconds that the calling thread has spent computing, and those that it waited for a free core. */
export function threadSeconds(): { readonly computing: number; readonly waiting: number } {
  const [computing = 0, waiting = 0] = readFileSync("/proc/thread-self/schedstat", "utf8").split(" ").map(Number);
  return { computing: computing / 1e9, waiting: waiting / 1e9 };
}

/** The seconds that a process has spent computing. */
export function cpuSeconds(pid: number): number {
  const [own = 0, system = 0] = cpuTicks(pid);
  return (own + system) / CLOCK_TICKS_PER_SECOND;
}

/** The seconds that a process and its children have spent computing, including children that have ended. */
export function cpuSecondsOfFamily(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ");
  const living = children.reduce((sum, child) => sum + cpuSeconds(Number(child)), 0);
  return living + cpuTicks(pid).reduce((sum, ticks) => sum + ticks, 0) / CLOCK_TICKS_PER_SECOND;
}

/** The time of a process in its own code and in the system, and that of its children that have ended. */
function cpuTicks(pid: number): number[] {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The second field is the name in brackets, which may hold anything; these are fields 14 to 17.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields.slice(11, 15).map(Number);
}
