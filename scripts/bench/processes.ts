import { readFileSync, writeFileSync } from "node:fs";

const CLOCK_TICKS_PER_SECOND = 100;

/** Resident memory of a process in bytes: now, and the most since `resetPeak`. Linux only. */
export function residentBytes(pid: number): { readonly now: number; readonly peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const read = (name: string) => Number(new RegExp(`^${name}:\\s*(\\d+) kB$`, "m").exec(status)?.[1]) * 1024;
  return { now: read("VmRSS"), peak: read("VmHWM") };
}

/** From now on the peak of `residentBytes` is counted anew. */
export function resetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, "5");
}

/** The seconds that the calling thread has spent computing, and those in which it could have and no core was free. */
export function threadSeconds(): { readonly computing: number; readonly waiting: number } {
  const [computing = 0, waiting = 0] = readFileSync("/proc/thread-self/schedstat", "utf8").split(" ").map(Number);
  return { computing: computing / 1e9, waiting: waiting / 1e9 };
}

/** The seconds that a process has spent computing. */
export function cpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The second field is the name in brackets, which may hold anything; utime and stime are fields 14 and 15.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / CLOCK_TICKS_PER_SECOND;
}
