import type { Database } from "bun:sqlite";

const INTERVAL_MS = 1000;
/** The processor time in an interval, in microseconds, up to which nobody has come who could be held up. */
const QUIET_MICROS = 50_000;
/** The processor time since the last rest, in microseconds, that leaves behind what is worth being collected. */
const WORTH_MICROS = 500_000;

/**
 * Gives back, once the process has worked hard and come to rest, the memory of this thread that nobody uses any more: what
 * the collector would leave until the next load, and the pages that SQLite keeps. Returns what ends that.
 */
export function startResting(database: Database): () => void {
  let seen = processorMicros();
  // The start leaves something behind too.
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
    // SQLite reads the schema for that. Whoever reads says what is the matter with the disk.
  }
}

/** The processor time of all threads of this process. */
function processorMicros(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}
