import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A memory limit as a container has it, for the processes started in it. */
export interface MemoryGroup extends AsyncDisposable {
  /** The words before a command that start it in the group. */
  readonly via: readonly string[];
  /** The most memory that was used in it, in bytes; what the system can take back at any time counts. */
  peakBytes(): number;
}

const ROOT = "/sys/fs/cgroup";
/** The files of both versions (cgroups(7)). */
const VERSIONS = [
  { folder: ROOT, limit: "memory.max", peak: "memory.peak" },
  { folder: join(ROOT, "memory"), limit: "memory.limit_in_bytes", peak: "memory.max_usage_in_bytes" },
] as const;

/**
 * A control group of `bytes`. Undefined where this process can't make one: without root, or where /sys is not mounted
 * or read-only.
 */
export function openMemoryGroup(bytes: number): MemoryGroup | undefined {
  for (const { folder, limit, peak } of VERSIONS) {
    const path = join(folder, `handoff-test-${process.pid}-${crypto.randomUUID().slice(0, 8)}`);
    try {
      mkdirSync(path);
    } catch {
      continue;
    }
    if (setLimit(join(path, limit), bytes)) {
      return {
        via: ["sh", "-c", `echo $$ > ${path}/cgroup.procs && exec "$@"`, "sh"],
        peakBytes: () => Number(readFileSync(join(path, peak), "utf8")),
        [Symbol.asyncDispose]: () => remove(path),
      };
    }
    rmdirSync(path);
  }
  return undefined;
}

/** False where the group has no such limit, because memory is not controlled there. */
function setLimit(file: string, bytes: number): boolean {
  // Elsewhere, such as on an ordinary disk, it would be made.
  if (!existsSync(file)) return false;
  try {
    writeFileSync(file, String(bytes));
    return true;
  } catch {
    return false;
  }
}

/** A group is busy for a moment after its last process has ended. */
async function remove(path: string): Promise<void> {
  for (let attempts = 1; ; attempts++) {
    try {
      return rmdirSync(path);
    } catch (error) {
      if (attempts === 100) throw error;
      await Bun.sleep(20);
    }
  }
}
