import type { Database as SqliteDatabase } from "bun:sqlite";
import type { BlobStore } from "../../domain/ports/uploads.ts";
import { connectTo } from "../postgres/engine/database.ts";
import type { Connection, ConnectionOptions, Database } from "../postgres/engine/database.ts";
import { DatabaseError, sqlStateOf } from "../postgres/engine/errors.ts";
import { DURABLE_COMMIT } from "../postgres/engine/finding.ts";
import { SWEEPS_LOCK } from "../postgres/engine/leases.ts";
import { migrate } from "../postgres/engine/migrations.ts";
import { settleSchema } from "../postgres/engine/schemas.ts";
import { CHARGES } from "../postgres/engine/stored-bytes.ts";
import type { Move } from "../sqlite/files/database-header.ts";
import { copyRows } from "./copies.ts";
import { moveLarge } from "./large-moves.ts";
import { inPostgres, inSqlite } from "./rows.ts";

/** The timeout of a copy's statement: one may read most of a large database. */
export const COPYING = { answerSeconds: 6 * 3600 };

/**
 * Connects, calls `prepare` to determine the schema, and holds one connection. Disposing of `held` rolls back
 * uncommitted changes, and disconnects. Throws what the driver throws.
 */
export async function connectHeld(
  options: ConnectionOptions,
  held: AsyncDisposableStack,
  prepare: (database: Database) => Promise<unknown>,
): Promise<Connection> {
  const database = held.adopt(connectTo({ ...options, max: 2 }), (each) => each.close());
  await prepare(database);
  const connection = held.use(await database.hold());
  held.defer(async () => void (await connection.run("ROLLBACK").catch(() => undefined)));
  return connection;
}

/** Begins a transaction during which no server starts on the database. Throws DatabaseError when one runs on it. */
export async function beginAlone(connection: Connection): Promise<void> {
  await connection.run("BEGIN");
  await connection.run("SET LOCAL statement_timeout = 0");
  // A person may take time for an answer meanwhile.
  await connection.run("SET LOCAL idle_in_transaction_session_timeout = 0");
  await connection.run(`SELECT ${DURABLE_COMMIT}`);
  const [lock] = await connection.run("SELECT pg_try_advisory_xact_lock($1) AS locked", [SWEEPS_LOCK]);
  if (lock?.["locked"] === true) return;
  throw new DatabaseError("a server runs on the database, and nothing was changed. Stop all that run on it first");
}

/** Commits the transaction. Throws when the server rolled it back, and what the driver throws. */
export async function commitAll(connection: Connection): Promise<void> {
  const { command } = await connection.run("COMMIT");
  if (command !== "COMMIT") throw new Error("the server rolled the transaction back");
}

/** A database to fill. */
interface Filling {
  /** What to do when the outcome of the COMMIT is unknown. */
  readonly adviceIfUnknown: string;
  /** Gets the installation id before anything is written, and may throw. */
  readonly check?: (installation: string) => void;
}

/**
 * Makes the tables in a database without any, calls `fill` in a transaction, commits it, and returns what `fill`
 * returned. Throws DatabaseError when the database isn't empty or a server runs on it, and what `fill` and the driver
 * throw. The database is then still empty, unless the message says otherwise.
 */
export async function fillEmpty<T>(
  options: ConnectionOptions,
  { adviceIfUnknown, check }: Filling,
  fill: (connection: Connection, installation: string) => Promise<T>,
): Promise<T> {
  await using held = new AsyncDisposableStack();
  const connection = await connectHeld({ ...options, ...COPYING }, held, (database) =>
    migrate(database, { mayCreate: true, mayUpgrade: false }),
  );
  await beginAlone(connection);
  try {
    await connection.run("LOCK TABLE teams IN EXCLUSIVE MODE");
  } catch (error) {
    if (sqlStateOf(error) !== "55P03") throw error;
    throw new DatabaseError("another process is at work on the database. Nothing was changed. Run this again");
  }
  // Everything done with the database is in its log.
  const [row] = await connection.run(
    "SELECT public_id, EXISTS (SELECT FROM teams) OR EXISTS (SELECT FROM admin_log) AS is_used FROM installations",
  );
  const installation = String(row?.["public_id"]);
  check?.(installation);
  if (row?.["is_used"] === true) {
    throw new DatabaseError(
      "the database is not empty: handoff has, or had, teams in it. Nothing was changed. Name an empty database",
    );
  }
  // A server that ran on it has left its settings.
  await connection.run("DELETE FROM server_settings");
  const filled = await fill(connection, installation);
  try {
    await commitAll(connection);
  } catch (error) {
    throw new DatabaseError(adviceIfUnknown, { cause: error });
  }
  return filled;
}

/** The stores of the ciphertexts of large secrets on both sides. */
export interface CopiedBlobs {
  readonly from: BlobStore;
  readonly to: BlobStore;
}

/**
 * Copies everything from a SQLite database into an empty PostgreSQL database, in the transaction of `connection`, and
 * compares it, and the ciphertexts of large secrets between `blobs`. Without these, there may be none. Throws
 * DatabaseError when something differs.
 */
export async function copyIntoPostgres(
  source: SqliteDatabase,
  connection: Connection,
  blobs?: CopiedBlobs,
): Promise<void> {
  await copyRows(inSqlite(source), inPostgres(connection), () => true);
  if (blobs) await moveLarge(source, blobs.from, connection, blobs.to);
  const latest = source.query<{ at: number }, []>("SELECT latest_at AS at FROM clocks").get();
  await continueFrom(connection, latest?.at ?? 0);
}

/** Continues the clock, the order of events, numbers and charges from the copied rows. */
async function continueFrom(connection: Connection, latestAt: number): Promise<void> {
  await connection.run(
    "UPDATE clocks SET latest_at = greatest(latest_at, $1::bigint), last_place = (SELECT coalesce(max(place), 0) FROM events)",
    [latestAt],
  );
  for (const name of ["admin_log", "webhook_deliveries"]) {
    await connection.run(
      `SELECT setval(pg_get_serial_sequence('${name}', 'id'), (SELECT coalesce(max(id), 0) + 1 FROM ${name}), false)`,
    );
  }
  await connection.run(RECOUNT);
}

/** Charges every team for its rows. */
const RECOUNT = `UPDATE teams SET stored_bytes =
  (SELECT ${CHARGES.secrets} FROM secrets WHERE team_id = teams.id)
  + (SELECT ${CHARGES.ciphertexts} FROM ciphertexts JOIN secrets ON secrets.id = secret_id WHERE team_id = teams.id)
  + (SELECT ${CHARGES.requests} FROM requests WHERE team_id = teams.id)
  + (SELECT ${CHARGES.sealed} FROM request_notes JOIN requests ON requests.id = request_id WHERE team_id = teams.id)
  + (SELECT ${CHARGES.events} FROM events WHERE team_id = teams.id)
  + (SELECT ${CHARGES.calls} FROM idempotent_calls WHERE team_id = teams.id)`;

/** The database that everything was moved to: still empty, unchanged or changed since, emptied, or another one. */
export type ArrivalState = "empty" | "unused" | "used" | "undone" | "other";

/** Inspects the database that everything was moved to. Throws what the driver throws. */
export async function findArrival(connection: Connection, move: Move): Promise<ArrivalState> {
  const [tables] = await connection.run("SELECT to_regclass('installations') IS NOT NULL AS are_there");
  if (tables?.["are_there"] !== true) return "empty";
  const [row] = await connection.run(
    `SELECT public_id, latest_at, EXISTS (SELECT FROM teams) OR EXISTS (SELECT FROM admin_log) AS is_filled,
       (SELECT action FROM admin_log ORDER BY id DESC LIMIT 1) AS last_action
     FROM installations, clocks`,
  );
  if (row?.["is_filled"] !== true) return "empty";
  if (row["public_id"] !== move.installation) return "other";
  // Undoing a move empties the database. If it's killed then, the mark is still there.
  if (row["last_action"] === "database.move_undone") return "undone";
  // Every claim, creation and change by an admin raises it.
  return Number(row["latest_at"]) === move.latestAt ? "unused" : "used";
}

/** True when everything that was moved is in the database; servers may be running. Throws what the driver throws. */
export async function hasArrived(options: ConnectionOptions, move: Move): Promise<boolean> {
  await using held = new AsyncDisposableStack();
  return ["unused", "used"].includes(await findArrival(await connectHeld(options, held, settleSchema), move));
}
