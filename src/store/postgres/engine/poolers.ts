import type { SQL } from "bun";
import { DatabaseError, messageOf, sqlStateOf } from "./errors.ts";

/** Settings by their names, in PostgreSQL's notation. */
export type SessionSettings = Readonly<Record<string, string>>;

/** Applies settings, as JSON, to a connection that was opened without them. */
export const SET_ALL =
  "SELECT set_config(name, value, false) FROM json_each_text($1::text::json) AS each (name, value)";

/** The message for a pooler in transaction mode, over which LISTEN and advisory locks don't work. */
export const TRANSACTION_MODE =
  "a pooler is in between that hands out connections by transaction, and a server needs its own: use its session mode (PgBouncer: pool_mode = session), or name PostgreSQL itself in the URL";

const ROUNDS = 3;

/** The message for a pooler whose connections are all in use. */
export const POOL_EXHAUSTED =
  "the pooler in between has no connection left: all of its pool are in use. Give it a larger pool (PgBouncer: default_pool_size, max_client_conn), or stop what uses it";

/**
 * Returns true when a pooler is between this process and PostgreSQL. It opens a connection with settings, which a
 * pooler refuses or drops and PostgreSQL applies. Throws the driver's errors.
 */
export async function hasPooler(
  open: (settings: SessionSettings) => Promise<SQL>,
  settings: SessionSettings,
): Promise<boolean> {
  const client = await open(settings);
  try {
    const [name = ""] = Object.keys(settings);
    const [row] = await client.unsafe("SELECT setting FROM pg_settings WHERE name = $1", [name]);
    return row?.setting !== settings[name];
  } catch (error) {
    if (!isPoolerError(error)) throw error;
    return true;
  } finally {
    await client.close({ timeout: 0 });
  }
}

/** True when a pooler refuses settings, or gives a statement to a connection on which another one was prepared. */
function isPoolerError(error: unknown): boolean {
  return /^(42P05|26000)$/.test(sqlStateOf(error)) || /unsupported startup parameter/.test(messageOf(error));
}

/**
 * Throws DatabaseError unless each of two connections keeps its own process of PostgreSQL. Throws the driver's errors.
 */
export async function checkSessions(open: (settings: SessionSettings) => Promise<SQL>): Promise<void> {
  const clients = [await open({}), await open({})];
  try {
    const seen = clients.map(() => new Set<number>());
    for (let round = 0; round < ROUNDS; round++) {
      for (const [index, client] of clients.entries()) {
        // In transaction mode, a prepared statement may belong to another connection.
        const [row] = await client.unsafe("SELECT pg_backend_pid() AS pid").simple();
        seen[index]?.add(row.pid);
      }
    }
    const pids = seen.flatMap((each) => [...each]);
    if (pids.length > clients.length || new Set(pids).size < clients.length) throw new DatabaseError(TRANSACTION_MODE);
  } finally {
    for (const client of clients) await client.close({ timeout: 0 });
  }
}
