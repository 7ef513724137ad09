import { readFileSync } from "node:fs";
import { totalmem } from "node:os";
import { dirname, join } from "node:path";
import type { Settings } from "../../config/settings.ts";
import { leastBodyMemoryBytes } from "../../contract/limits.ts";

/** The memory that an idle server takes. */
const SERVER_BYTES = 96 * 1024 * 1024;

/**
 * The memory for bodies and large answers, in bytes: the setting, or an eighth of all, but enough for the largest body.
 */
export function bodyMemoryBytes(
  { bodyMemory, maxCiphertext }: Pick<Settings, "bodyMemory" | "maxCiphertext">,
  memory = availableMemory(),
): number {
  return bodyMemory ?? Math.max(Math.floor(memory / 8), leastBodyMemoryBytes(maxCiphertext) + maxCiphertext);
}

/** True when bodies and large answers may take more memory than there is, so that the system would kill the server. */
export function isMemoryShort(settings: Parameters<typeof bodyMemoryBytes>[0], memory = availableMemory()): boolean {
  return SERVER_BYTES + bodyMemoryBytes(settings, memory) > memory;
}

/** The memory of the machine in bytes, or of this process's control group if that has less. */
export function availableMemory(root = "/", machine = totalmem()): number {
  const limits = groups(root).flatMap(({ folder, path, file }) => {
    const found: number[] = [];
    // A group can't have more than its ancestors. In a container the path may be the host's, and only the top is
    // visible.
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
