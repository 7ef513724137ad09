import { readFileSync } from "node:fs";
import { totalmem } from "node:os";
import { dirname, join } from "node:path";
import type { Settings } from "../../config/settings.ts";
import { leastBodyMemoryBytes } from "../../contract/limits.ts";

/** The memory that a server takes which has nothing to do. */
const SERVER_BYTES = 96 * 1024 * 1024;

/** The memory for bodies and large answers, in bytes: the setting, or an eighth of all, but enough for the largest. */
export function bodyMemoryBytes(
  { bodyMemory, maxCiphertext }: Pick<Settings, "bodyMemory" | "maxCiphertext">,
  memory = availableMemory(),
): number {
  return bodyMemory ?? Math.max(Math.floor(memory / 8), leastBodyMemoryBytes(maxCiphertext) + maxCiphertext);
}

/** True when bodies and large answers may take more than there is, so that the system would end the server. */
export function isMemoryShort(settings: Parameters<typeof bodyMemoryBytes>[0], memory = availableMemory()): boolean {
  return SERVER_BYTES + bodyMemoryBytes(settings, memory) > memory;
}

/** The memory of the machine, or of the control group that this process is in, if that has less; in bytes. */
export function availableMemory(root = "/", machine = totalmem()): number {
  const limits = groups(root).flatMap(({ folder, path, file }) => {
    const found: number[] = [];
    // A group has no more than those above it. In a container the path may be one of the host, of which only the top is
    // seen.
    for (let each = path; ; each = dirname(each)) {
      const limit = readLimit(join(root, folder, each, file));
      if (limit !== undefined) found.push(limit);
      if (each === "/" || each === ".") return found;
    }
  });
  return Math.min(machine, ...limits);
}

/** The files with this process's memory limits: cgroup v2, or the memory controller of v1 (cgroups(7)). */
function groups(root: string): { folder: string; path: string; file: string }[] {
  const lines = readText(join(root, "proc/self/cgroup"))?.trim().split("\n") ?? [];
  return lines.flatMap((line) => {
    const [, controllers, path] = /^\d+:([^:]*):(\/.*)$/.exec(line) ?? [];
    if (path === undefined) return [];
    if (controllers === "") return [{ folder: "sys/fs/cgroup", path, file: "memory.max" }];
    if (controllers?.split(",").includes("memory")) {
      return [{ folder: "sys/fs/cgroup/memory", path, file: "memory.limit_in_bytes" }];
    }
    return [];
  });
}

function readLimit(path: string): number | undefined {
  const text = readText(path)?.trim();
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
