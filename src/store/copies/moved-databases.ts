import { connectTo } from "../postgres/engine/database.ts";
import type { Connection, ConnectionOptions, HeldConnection } from "../postgres/engine/database.ts";
import { connectionCodeOf, DatabaseError, isConnectionLost, sqlStateOf } from "../postgres/engine/errors.ts";
import { SWEEPS_LOCK } from "../postgres/engine/leases.ts";
import { findRefusal } from "../postgres/opening/refusals.ts";
import { settleSchema } from "../postgres/opening/schemas.ts";
import type { Move } from "../sqlite/files/database-header.ts";

/**
 * The state of the database that everything was moved to: `away` when it can't be reached or isn't there any more, `empty` when nothing has arrived in it,
 * `unused` when nothing was written since, `used` when something was, and `other` when another one is there now.
 */
export type MovedState = "away" | "empty" | "unused" | "used" | "other";

/** The database that everything was moved to. No server starts to work on it until this is disposed of. */
export interface MovedDatabase extends AsyncDisposable {
  readonly state: MovedState;
}

/**
 * Looks at the database that everything was moved to. Throws DatabaseError when a server runs on it, and what the driver throws when it is there, and
 * can't be looked at.
 */
export async function openMoved(options: ConnectionOptions, move: Move): Promise<MovedDatabase> {
  const database = connectTo({ ...options, max: 1 });
  let held: HeldConnection | undefined;
  const close = async () => {
    await held?.run("ROLLBACK").catch(() => undefined);
    held?.[Symbol.dispose]();
    await database.close();
  };
  try {
    await settleSchema(database);
    held = await database.hold();
    await held.run("BEGIN");
    // For as long as somebody thinks about an answer.
    await held.run("SET LOCAL idle_in_transaction_session_timeout = 0");
    const [lock] = await held.run("SELECT pg_try_advisory_xact_lock($1) AS locked", [SWEEPS_LOCK]);
    if (lock?.["locked"] !== true) {
      throw new DatabaseError("a server runs on the database, and nothing was changed. Stop all that run on it first");
    }
    return { state: await findState(held, move), [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    if (isAway(error)) return { state: "away", async [Symbol.asyncDispose]() {} };
    throw error;
  }
}

/** True when everything that was moved is in the database, whoever works on it. Throws what the driver throws. */
export async function hasArrived(options: ConnectionOptions, move: Move): Promise<boolean> {
  const database = connectTo({ ...options, max: 1 });
  try {
    await settleSchema(database);
    using connection = await database.hold();
    return ["unused", "used"].includes(await findState(connection, move));
  } finally {
    await database.close();
  }
}

async function findState(connection: Connection, { installation, latestAt }: Move): Promise<MovedState> {
  const [tables] = await connection.run("SELECT to_regclass('installations') IS NOT NULL AS are_there");
  if (tables?.["are_there"] !== true) return "empty";
  const [row] = await connection.run(
    `SELECT public_id, latest_at, EXISTS (SELECT FROM teams) OR EXISTS (SELECT FROM admin_log) AS is_filled
     FROM installations, clocks`,
  );
  if (row?.["is_filled"] !== true) return "empty";
  if (row["public_id"] !== installation) return "other";
  // Whatever is handed out, sent or administered raises it.
  return Number(row["latest_at"]) === latestAt ? "unused" : "used";
}

/** True when nobody answers, or the one who does has no such database. */
function isAway(error: unknown): boolean {
  if (sqlStateOf(error) === "3D000") return true;
  if (sqlStateOf(error) !== "" || !isConnectionLost(error)) return false;
  // One whose certificate has run out is there.
  return findRefusal(error)?.mayPass === true && !connectionCodeOf(error).startsWith("CERT_");
}
