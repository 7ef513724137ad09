import type { Connection, ConnectionOptions, HeldConnection } from "../postgres/engine/database.ts";
import { DatabaseError, sqlStateOf } from "../postgres/engine/errors.ts";
import { SWEEPS_LOCK } from "../postgres/engine/leases.ts";
import { migrate } from "../postgres/opening/migrations.ts";
import { connectForCopies } from "./connections.ts";

/** An empty database in PostgreSQL, with a transaction under way that nobody comes between. Disposed of, it is as empty as before unless it was committed. */
export interface EmptyDatabase extends AsyncDisposable {
  readonly connection: Connection;
  /** The id that tells it from every other. */
  readonly installation: string;
  /** Keeps what was written. Throws what the driver throws; then it may have been kept, or not. */
  commit(): Promise<void>;
}

/**
 * Makes the tables in a database that has none, and begins. `onFound` is called with the id of the database before anything is written, and may throw.
 * Throws DatabaseError when there is something in it, when a server runs on it, and what the driver throws.
 */
export async function openEmpty(
  options: ConnectionOptions,
  onFound: (found: { readonly installation: string; readonly isEmpty: boolean }) => void = () => undefined,
): Promise<EmptyDatabase> {
  const database = connectForCopies(options);
  let held: HeldConnection | undefined;
  let isCommitted = false;
  const close = async () => {
    if (!isCommitted) await held?.run("ROLLBACK").catch(() => undefined);
    held?.[Symbol.dispose]();
    await database.close();
  };
  try {
    await migrate(database, { mayCreate: true, mayUpgrade: false });
    held = await database.hold();
    const found = await begin(held);
    onFound(found);
    if (!found.isEmpty) throw notEmpty();
    // A server that has run on it has left what it went by.
    await held.run("DELETE FROM server_settings");
    const connection = held;
    return {
      connection,
      installation: found.installation,
      async commit() {
        const { command } = await connection.run("COMMIT");
        if (command !== "COMMIT") throw new Error("the server took the transaction back");
        isCommitted = true;
      },
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function begin(connection: Connection): Promise<{ readonly installation: string; readonly isEmpty: boolean }> {
  await connection.run("BEGIN");
  await connection.run("SET LOCAL statement_timeout = 0");
  await connection.run("SET LOCAL idle_in_transaction_session_timeout = 0");
  const [lock] = await connection.run("SELECT pg_try_advisory_xact_lock($1) AS locked", [SWEEPS_LOCK]);
  if (lock?.["locked"] !== true) {
    throw new DatabaseError("a server runs on the database, and nothing was changed. Stop all that run on it first");
  }
  try {
    await connection.run("LOCK TABLE teams IN EXCLUSIVE MODE");
  } catch (error) {
    if (sqlStateOf(error) !== "55P03") throw error;
    throw new DatabaseError("another process is at work on the database. Nothing was changed. Run this again");
  }
  // Whatever was ever done with it is in the log.
  const [row] = await connection.run(
    `SELECT public_id, NOT EXISTS (SELECT FROM teams) AND NOT EXISTS (SELECT FROM admin_log) AS is_empty FROM installations`,
  );
  return { installation: String(row?.["public_id"]), isEmpty: row?.["is_empty"] === true };
}

function notEmpty(): DatabaseError {
  return new DatabaseError(
    "the database is not empty: handoff has, or had, teams in it. Nothing was changed. Name an empty database",
  );
}
