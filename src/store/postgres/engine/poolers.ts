import type { SQL } from "bun";
import { DatabaseError, messageOf, sqlStateOf } from "./errors.ts";

/** Settings by their names, as PostgreSQL writes them. */
export type SessionSettings = Readonly<Record<string, string>>;

/** The statement by which a connection gets settings, as JSON, that it was not made with. */
export const SET_ALL =
  "SELECT set_config(name, value, false) FROM json_each_text($1::text::json) AS each (name, value)";

/** The sentence for a pooler that can't be used, which nobody can work behind who listens and holds locks. */
export const OF_TRANSACTIONS =
  "a pooler is in between that hands out connections by transaction, and a server needs its own: use its session mode (PgBouncer: pool_mode = session), or name PostgreSQL itself in the URL";

const ROUNDS = 3;

/** The sentence for a pooler that has no connection to give. */
export const POOL_IS_USED =
  "the pooler in between has no connection left: all of its pool are in use. Give it a larger pool (PgBouncer: default_pool_size, max_client_conn), or stop what uses it";

/**
 * Tells whether a pooler is between this process and PostgreSQL, by a connection that `open` makes with settings: it refuses or drops them, which
 * PostgreSQL doesn't. Throws what the driver throws.
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
    if (!isOfPooler(error)) throw error;
    return true;
  } finally {
    await client.close({ timeout: 0 });
  }
}

/** True of the words in which a pooler refuses settings, or is met by a statement that was prepared on another connection. */
function isOfPooler(error: unknown): boolean {
  return /^(42P05|26000)$/.test(sqlStateOf(error)) || /unsupported startup parameter/.test(messageOf(error));
}

/** Throws DatabaseError unless each of two connections keeps a process of PostgreSQL to itself, and what the driver throws. */
export async function checkSessions(open: (settings: SessionSettings) => Promise<SQL>): Promise<void> {
  const clients = [await open({}), await open({})];
  try {
    const seen = clients.map(() => new Set<number>());
    for (let round = 0; round < ROUNDS; round++) {
      for (const [index, client] of clients.entries()) {
        // A prepared statement may be another one's there.
        const [row] = await client.unsafe("SELECT pg_backend_pid() AS pid").simple();
        seen[index]?.add(row.pid);
      }
    }
    const pids = seen.flatMap((each) => [...each]);
    if (pids.length > clients.length || new Set(pids).size < clients.length) throw new DatabaseError(OF_TRANSACTIONS);
  } finally {
    for (const client of clients) await client.close({ timeout: 0 });
  }
}
