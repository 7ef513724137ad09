import { readdirSync, readFileSync } from "node:fs";
import { Counter } from "prom-client";
import type { Registry } from "prom-client";
import { createGauge } from "./gauges.ts";

/** Registers the usual metrics of a process under their usual names. Returns a function that updates them. */
export function createProcessMetrics(registry: Registry): () => void {
  const processor = new Counter({
    name: "process_cpu_seconds_total",
    help: "Processor time of all threads.",
    registers: [registry],
  });
  const resident = createGauge(registry, "process_resident_memory_bytes", "Resident memory.");
  const heap = createGauge(registry, "process_heap_bytes", "Memory of the JavaScript heap.");
  const files = createGauge(registry, "process_open_fds", "Open file descriptors.");
  const maxFiles = createGauge(registry, "process_max_fds", "The most file descriptors that may be open.");
  const start = createGauge(registry, "process_start_time_seconds", "When the process was started.");
  const startedAt = Date.now() / 1000 - process.uptime();

  return () => {
    const { user, system } = process.cpuUsage();
    const { rss, heapUsed } = process.memoryUsage();
    processor.reset();
    processor.inc((user + system) / 1e6);
    resident(rss);
    heap(heapUsed);
    files(orUndefined(() => readdirSync("/proc/self/fd").length));
    maxFiles(orUndefined(readMaxFiles));
    start(startedAt);
  };
}

function readMaxFiles(): number | undefined {
  const soft = /^Max open files +(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8"))?.[1];
  return soft === undefined ? undefined : Number(soft);
}

/** The result of `read`; undefined when the system has no such file. */
function orUndefined(read: () => number | undefined): number | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
