import type { SQL } from "bun";
import { startProgramHere } from "./program.ts";

/**
 * Starts the program from its source, waits until the lock that the statement `hold` takes blocks it, kills it, and
 * releases the lock. Resolves once the database is idle.
 */
export async function killHeldUp(
  beside: SQL,
  hold: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<void> {
  const blocking = await beside.reserve();
  await blocking.unsafe("BEGIN");
  await blocking.unsafe(hold);
  const child = startProgramHere(args, env);
  await untilHeldUp(beside);
  child.kill("SIGKILL");
  await child.exited;
  await blocking.unsafe("COMMIT");
  await blocking.release();
  await untilIdle(beside);
}

/** Resolves once another connection waits for a lock. */
export async function untilHeldUp(beside: SQL): Promise<void> {
  while ((await count(beside, "wait_event_type = 'Lock'")) === 0);
}

/** Resolves once no connection of the program does anything. */
async function untilIdle(beside: SQL): Promise<void> {
  while ((await count(beside, "application_name = 'handoff' AND state <> 'idle'")) > 0);
}

async function count(beside: SQL, condition: string): Promise<number> {
  const text = `SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND ${condition}`;
  const [row] = (await beside.unsafe(text)) as { count: number }[];
  return row?.count ?? 0;
}
