import type { Connection, ConnectionOptions, HeldConnection } from "../postgres/engine/database.ts";
import { DatabaseError, sqlStateOf } from "../postgres/engine/errors.ts";
import { migrate as checkVersion } from "../postgres/opening/migrations.ts";
import type { BackupCounts } from "../sqlite/backups/backup-files.ts";
import { explainWrite, finishBackup, markAsBackup, openNewBackup } from "../sqlite/backups/new-backups.ts";
import { migrate } from "../sqlite/engine/migrations.ts";
import { connectForCopies } from "./connections.ts";
import { toCounts } from "./counts.ts";
import { copyIntoSqlite } from "./into-sqlite.ts";

/** The number of the advisory lock of whoever backs up: one at a time, and what another one has left is removed. */
const LOCK = 4_237_004;
const PATIENCE_SECONDS = 60;

/** One moment of a database in PostgreSQL, from which backups are made, of the same form as those of a data folder. */
export interface BackupOrigin extends AsyncDisposable {
  /** The id that tells the database from every other. */
  readonly installation: string;
  /** The time by the clock of PostgreSQL, in epoch milliseconds. */
  readonly takenAt: number;
  /** Writes a backup into the file `path`, which is empty or not there, as `writeBackup` does. Throws DatabaseError, and what the driver throws. */
  write(path: string, hasSecrets: boolean): Promise<BackupCounts>;
  /** Notes that a backup was made where servers find it; nowhere in a database that can only be read. Throws what the driver throws. */
  note(): Promise<void>;
}

/**
 * Begins to read a database, which may be a replica; servers go on. Nobody else backs it up until it is disposed of. Throws DatabaseError, and what the
 * driver throws.
 */
export async function openBackupOrigin(options: ConnectionOptions): Promise<BackupOrigin> {
  const database = connectForCopies(options);
  let held: HeldConnection | undefined;
  const close = async () => {
    await held?.run("ROLLBACK").catch(() => undefined);
    held?.[Symbol.dispose]();
    await database.close();
  };
  try {
    await checkVersion(database, { mayCreate: false, mayUpgrade: false });
    held = await database.hold();
    const connection = held;
    await takeTurn(connection);
    const found = await begin(connection);
    return {
      ...found,
      write: (path, hasSecrets) => write(connection, path, { takenAt: found.takenAt, hasSecrets }),
      note: () => note(connection, found.takenAt),
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function takeTurn(connection: Connection): Promise<void> {
  await connection.run("SET statement_timeout = 0");
  await connection.run("SET idle_in_transaction_session_timeout = 0");
  await connection.run(`SET lock_timeout = '${PATIENCE_SECONDS}s'`);
  try {
    await connection.run("SELECT pg_advisory_lock($1)", [LOCK]);
  } catch (error) {
    if (sqlStateOf(error) !== "55P03") throw error;
    throw new DatabaseError(
      `another backup of the database has been under way for ${PATIENCE_SECONDS} seconds. Wait until it has ended, then run this again`,
    );
  }
}

async function begin(connection: Connection): Promise<Pick<BackupOrigin, "installation" | "takenAt">> {
  await connection.run("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY");
  // Before the moment that is read: a file that is given back is gone for those too who look at an earlier one.
  await connection.run("LOCK TABLE ciphertexts, request_notes IN ACCESS SHARE MODE");
  // The time of BEGIN.
  const [row] = await connection.run(
    "SELECT public_id, (extract(epoch FROM transaction_timestamp()) * 1000)::bigint AS taken_at FROM installations",
  );
  return { installation: String(row?.["public_id"]), takenAt: Number(row?.["taken_at"]) };
}

async function note(connection: Connection, takenAt: number): Promise<void> {
  await connection.run("ROLLBACK");
  try {
    await connection.run("UPDATE installations SET last_backup_at = greatest(last_backup_at, $1::bigint)", [takenAt]);
  } catch (error) {
    // A replica, and a user of PostgreSQL who may only read.
    if (!["25006", "42501"].includes(sqlStateOf(error))) throw error;
  }
}

async function write(
  connection: Connection,
  path: string,
  facts: { readonly takenAt: number; readonly hasSecrets: boolean },
): Promise<BackupCounts> {
  try {
    const counts = await copy(connection, path, facts);
    finishBackup(path, counts);
    return counts;
  } catch (error) {
    throw explainWrite(error, path);
  }
}

async function copy(
  connection: Connection,
  path: string,
  facts: { readonly takenAt: number; readonly hasSecrets: boolean },
): Promise<BackupCounts> {
  const database = openNewBackup(path);
  try {
    migrate(database);
    database.run("BEGIN");
    const rows = await copyIntoSqlite(connection, database, facts);
    markAsBackup(database, facts);
    database.run("COMMIT");
    return toCounts(rows);
  } finally {
    database.close();
  }
}
