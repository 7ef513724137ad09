import type { Database } from "bun:sqlite";
import { join } from "node:path";
import { LARGE_VERSION } from "../../contract/states.ts";
import { UserError } from "../../contract/user-errors.ts";
import type { Operator } from "../../domain/ports/admin-log.ts";
import type { BlobStore } from "../../domain/ports/uploads.ts";
import { createMonotonicClock, systemClock } from "../../domain/values/clocks.ts";
import { openFolderBlobs } from "../blobs/folder-blobs.ts";
import type { Connection, ConnectionOptions } from "../postgres/engine/database.ts";
import { connectionCodeOf, isConnectionLost, sqlStateOf } from "../postgres/engine/errors.ts";
import { findRefusal } from "../postgres/engine/refusals.ts";
import { settleSchema } from "../postgres/engine/schemas.ts";
import { emptyTables } from "../postgres/engine/tables.ts";
import { createAdminLog } from "../sqlite/admin-log.ts";
import { openOrm } from "../sqlite/engine/context.ts";
import { openDatabase } from "../sqlite/engine/database.ts";
import { BLOBS_FOLDER, DATABASE_FILE } from "../sqlite/files/data-folder.ts";
import { findMove, readFrom } from "../sqlite/files/database-header.ts";
import type { Move } from "../sqlite/files/database-header.ts";
import { DatabaseError } from "../sqlite/files/errors.ts";
import { lockFolder } from "../sqlite/files/server-lock.ts";
import { countRows, findDamage, numberIn } from "./backup-files.ts";
import type { BackupCounts } from "./backup-files.ts";
import { eraseMoved, findMoved, orErase, partsIn } from "./large-moves.ts";
import type { MovedObjects, OpenBlobs } from "./large-moves.ts";
import { countLarge } from "./large-pieces.ts";
import type { LargeCounts } from "./large-pieces.ts";
import { clearMoved, markMoved } from "./marks.ts";
import { beginAlone, commitAll, connectHeld, copyIntoPostgres, fillEmpty, findArrival, hasArrived } from "./targets.ts";
import type { ArrivalState } from "./targets.ts";
import { copyBeforeUpgrade } from "./upgrades.ts";

/** A database to move to, and its URL without a password. */
export interface MoveTarget {
  readonly connection: ConnectionOptions;
  readonly address: string;
  /** Says where ciphertexts of large secrets are put. Undefined for nowhere: a folder with some is refused. */
  readonly openBlobs?: OpenBlobs | undefined;
}

/** The counts of the rows that were moved, by an earlier move if `wasMoved`. */
export interface Moved {
  readonly counts: BackupCounts;
  readonly large: LargeCounts;
  readonly wasMoved: boolean;
}

/**
 * Moves everything from a data folder into an empty PostgreSQL database, and marks the folder, so that no server starts
 * on it again: it could hand out secrets that were opened since. Does nothing when everything is already there. Throws
 * DatabaseError; the folder is then unchanged, unless the message says otherwise.
 */
export async function moveToPostgres(folder: string, to: MoveTarget, operator: Operator): Promise<Moved> {
  const path = join(folder, DATABASE_FILE);
  using _ = lockFolder(folder);
  const move = findMove(path);
  if (move && (await hasArrived(to.connection, move))) return { ...readFrom(path, countAll), wasMoved: true };
  const check = (installation: string) => {
    if (!move || move.installation === installation) return;
    throw new DatabaseError(
      `what was in '${path}' was moved to '${move.place}', which is another database. Nothing was changed. Two would hand out the same secrets. Only if that one is gone for good: undo the move with --undo`,
    );
  };
  const adviceIfUnknown = `whether everything has arrived is not known, and no server starts on '${folder}' until it is. Run the same command again: it says so, or moves everything`;
  return await fillEmpty(to.connection, { adviceIfUnknown, check }, async (connection, installation) => {
    // An interrupted move has left the mark, and nothing else.
    clearMoved(path);
    copyBeforeUpgrade(folder, systemClock.now());
    const blobs = to.openBlobs?.(installation, partsIn(connection));
    return await orErase(blobs, async () => {
      const { latestAt, ...counts } = await copyAll(folder, connection, operator, blobs);
      // Before the copy is valid: two databases must never hand out the same secrets.
      markMoved(path, { installation, place: to.address, latestAt });
      return { ...counts, wasMoved: false };
    });
  });
}

const countAll = (database: Database) => ({ counts: countRows(database), large: countLarge(database) });

/** Copies everything, and notes it in the admin log. Returns the latest time that the copy has seen, too. */
async function copyAll(folder: string, connection: Connection, operator: Operator, to: BlobStore | undefined) {
  using source = openDatabase(folder);
  const damage = findDamage(source);
  if (damage !== undefined) {
    throw new DatabaseError(
      `the database of '${folder}' is damaged (${damage}). Nothing was moved. Restore a backup, and move that`,
    );
  }
  if (!to) refuseLarge(source, folder);
  const from = openFolderBlobs(join(folder, BLOBS_FOLDER));
  await copyIntoPostgres(source, connection, to && { from, to });
  await noteInAdminLog(connection, operator, "database.moved");
  const [clock] = await connection.run("SELECT latest_at FROM clocks");
  return { ...countAll(source), latestAt: Number(clock?.["latest_at"]) };
}

/** Adds an entry to the admin log of a PostgreSQL database. */
async function noteInAdminLog(
  connection: Connection,
  { user, sudoUser }: Operator,
  action: "database.moved" | "database.move_undone",
): Promise<void> {
  await connection.run(
    `INSERT INTO admin_log (at, "user", sudo_user, action, details)
     SELECT greatest(latest_at, (extract(epoch FROM clock_timestamp()) * 1000)::bigint), $1, $2, $3, '{}' FROM clocks`,
    [user, sudoUser, action],
  );
}

/** Throws DatabaseError while there are large secrets, or uploads of some, which have no place to go to. */
function refuseLarge(source: Database, folder: string): void {
  const secrets = numberIn(
    source,
    `SELECT count(*) FROM ciphertexts JOIN secrets ON seq = secret_seq WHERE envelope_version = ${LARGE_VERSION}`,
  );
  const uploads = numberIn(
    source,
    `SELECT count(*) FROM uploads WHERE secret_id IS NULL AND expires_at > ${systemClock.now()}`,
  );
  if (secrets + uploads === 0) return;
  throw new DatabaseError(
    `large secrets (${secrets}) and uploads of some (${uploads}) are in files in '${folder}', and PostgreSQL keeps no files. Nothing was moved. Name an object store for them with --object-store and --object-store-key-file. Or start the server again, with --max-secret 0 so that none is added, until they have been opened or have expired; or revoke them with 'handoff admin secret revoke'. An upload ends a day after its last piece`,
  );
}

/** The database that everything was moved to. */
export interface MovedDatabase {
  /** "away": it can't be reached, or is gone. "unknown": it exists but can't be read, because of `error`. */
  readonly state: ArrivalState | "away" | "unknown";
  readonly error?: unknown;
  /** Where the ciphertexts of large secrets are that an unused database has; "none" for any other. */
  readonly objects: MovedObjects;
}

/** How to reach what a move has filled. */
export interface UndoneTarget {
  /** Returns how to connect to the database at a URL without a password. */
  readonly connectionTo: (address: string) => ConnectionOptions;
  /** Says where the ciphertexts of large secrets are. Undefined leaves them there. */
  readonly openBlobs?: OpenBlobs | undefined;
}

/**
 * Undoes a move from `folder`, so that servers start on it again. Empties the database and the object store if they
 * were not used, so that the same secrets are not handed out by both, and nothing stays of what the folder erases.
 * `allow` gets the URL of the database and the findings before anything is changed, and throws to stop. Returns that
 * URL. Throws DatabaseError when nothing was moved, when a server runs on either, and when they can't be emptied.
 */
export async function undoMove(
  folder: string,
  operator: Operator,
  { connectionTo, openBlobs }: UndoneTarget,
  allow: (address: string, found: MovedDatabase) => Promise<void>,
): Promise<string> {
  const path = join(folder, DATABASE_FILE);
  using _ = lockFolder(folder);
  const move = findMove(path);
  if (!move) throw new DatabaseError(`nothing was moved from '${folder}'. Nothing was changed`);
  await using held = new AsyncDisposableStack();
  const { connection, ...found } = await lookAt(connectionTo(move.place), move, openBlobs, held);
  await allow(move.place, found);
  if (connection && found.state === "unused") await empty(connection, operator);
  if (openBlobs && ["unused", "undone"].includes(found.state)) await eraseMoved(openBlobs, move);
  clearMoved(path);
  using database = openDatabase(folder);
  const clock = createMonotonicClock(systemClock);
  createAdminLog({ orm: openOrm(database), clock, operator }).record({ action: "database.move_undone" });
  return move.place;
}

/** Empties a database, and commits the transaction of `connection`. */
async function empty(connection: Connection, operator: Operator): Promise<void> {
  try {
    await emptyTables(connection);
    await noteInAdminLog(connection, operator, "database.move_undone");
    await commitAll(connection);
  } catch (error) {
    throw findRefusal(error)?.error ?? error;
  }
}

/**
 * Inspects the database that everything was moved to, in a transaction of `connection`. No server starts on it until
 * `held` is disposed of.
 */
async function lookAt(
  options: ConnectionOptions,
  move: Move,
  openBlobs: OpenBlobs | undefined,
  held: AsyncDisposableStack,
): Promise<MovedDatabase & { readonly connection?: Connection }> {
  try {
    const connection = await connectHeld(options, held, settleSchema);
    await beginAlone(connection);
    const state = await findArrival(connection, move);
    const objects = state === "unused" ? await findMoved(connection, move, openBlobs) : "none";
    return { state, connection, objects };
  } catch (error) {
    if (isAway(error)) return { state: "away", error, objects: "none" };
    // A server runs on it, or the object store can't be used, which `allow` can't permit.
    if (error instanceof UserError) throw error;
    return { state: "unknown", error, objects: "none" };
  }
}

/** True when no server answers at the address, or it has no such database. */
function isAway(error: unknown): boolean {
  if (sqlStateOf(error) === "3D000") return true;
  if (sqlStateOf(error) !== "" || !isConnectionLost(error)) return false;
  // A server with an expired certificate is there.
  return findRefusal(error)?.mayPass === true && !connectionCodeOf(error).startsWith("CERT_");
}
