import type { Database } from "bun:sqlite";

const INTERVAL_MS = 1000;
/** The processor time in an interval, in microseconds, up to which the process counts as idle. */
const QUIET_MICROS = 50_000;
/** The processor time since the last rest, in microseconds, after which collecting is worthwhile. */
const WORTH_MICROS = 500_000;

/**
 * Frees memory of this thread after each load: garbage that the collector would leave until the next one, and SQLite's
 * cache. Returns a function that stops this.
 */
export function startResting(database: Database): () => void {
  let seen = processorMicros();
  // The start leaves garbage too.
  let worked = WORTH_MICROS;
  const look = () => {
    const total = processorMicros();
    const spent = total - seen;
    seen = total;
    worked += spent;
    if (spent > QUIET_MICROS || worked < WORTH_MICROS) return;
    worked = 0;
    shrink(database);
    Bun.gc(true);
  };
  const timer = setInterval(look, INTERVAL_MS);
  timer.unref();
  return () => clearInterval(timer);
}

function shrink(database: Database): void {
  try {
    database.run("PRAGMA shrink_memory");
  } catch {
    // SQLite reads the schema for that. Later reads report trouble with the disk.
  }
}

/** The processor time of all threads of this process. */
function processorMicros(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}
