import type { Database } from "bun:sqlite";
import { LARGE_VERSION } from "../../contract/states.ts";
import type { BlobStore } from "../../domain/ports/uploads.ts";
import type { Connection, ConnectionOptions } from "../postgres/engine/database.ts";
import { DatabaseError, sqlStateOf } from "../postgres/engine/errors.ts";
import { migrate as checkVersion } from "../postgres/engine/migrations.ts";
import { openOrm } from "../sqlite/engine/context.ts";
import { migrate, refillHistory } from "../sqlite/engine/migrations.ts";
import { lowerPlaces } from "../sqlite/seals.ts";
import { countRows, explainWrite, finishBackup, markAsBackup, openNewBackup, SECRET_TABLES } from "./backup-files.ts";
import type { BackupFacts, BackupOrigin } from "./backup-files.ts";
import { copyRows } from "./copies.ts";
import { partsIn } from "./large-moves.ts";
import type { OpenBlobs } from "./large-moves.ts";
import { copyLarge, NO_LARGE, selectLarge } from "./large-pieces.ts";
import type { CopiedLarge, LargeCiphertext } from "./large-pieces.ts";
import { inPostgres, inSqlite } from "./rows.ts";
import { connectHeld, COPYING } from "./targets.ts";

/** The advisory lock of a backup: only one runs at a time, and it removes what an interrupted one has left. */
const LOCK = 4_237_004;
const PATIENCE_SECONDS = 60;

/**
 * Begins a backup of a database at one moment, while servers run. The database may be a replica. Large secrets are in
 * it when `openBlobs` says where their ciphertexts are. Disposing of it lets other backups begin. Throws DatabaseError,
 * and what the driver throws.
 */
export async function openBackupOrigin(options: ConnectionOptions, openBlobs?: OpenBlobs): Promise<BackupOrigin> {
  await using held = new AsyncDisposableStack();
  const connection = await connectHeld({ ...options, ...COPYING }, held, (database) =>
    checkVersion(database, { mayCreate: false, mayUpgrade: false }),
  );
  await takeTurn(connection);
  await connection.run("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY");
  // Before the snapshot: a truncated table is empty even for earlier snapshots.
  await connection.run("LOCK TABLE ciphertexts, request_notes IN ACCESS SHARE MODE");
  // The time of BEGIN.
  const [row] = await connection.run(
    "SELECT public_id, (extract(epoch FROM transaction_timestamp()) * 1000)::bigint AS taken_at FROM installations",
  );
  const takenAt = Number(row?.["taken_at"]);
  const installation = String(row?.["public_id"]);
  const rest = held.move();
  return {
    installation,
    takenAt,
    async write(path, hasSecrets) {
      try {
        using database = openNewBackup(path);
        const { counts, found } = await write(connection, database, installation, { takenAt, hasSecrets });
        // Outside of the snapshot: what it could see would stay in the database.
        await connection.run("COMMIT");
        const large = await copyFound(connection, database, found, openBlobs?.(installation, partsIn(connection)));
        database.close();
        finishBackup(path, counts);
        return { counts, large };
      } catch (error) {
        throw explainWrite(error, path);
      }
    },
    note: () => note(connection, takenAt),
    [Symbol.asyncDispose]: () => rest.disposeAsync(),
  };
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

async function write(connection: Connection, database: Database, installation: string, facts: BackupFacts) {
  migrate(database);
  database.run("BEGIN");
  await copyRows(inPostgres(connection), inSqlite(database), (table) => facts.hasSecrets || !SECRET_TABLES.has(table));
  const found = database.query<LargeCiphertext, []>(selectLarge()).all();
  // What leads to an object of this installation is of no use to another.
  database.run(
    `DELETE FROM ciphertexts WHERE secret_seq IN (SELECT seq FROM secrets WHERE envelope_version = ${LARGE_VERSION})`,
  );
  const [clock] = await connection.run("SELECT latest_at FROM clocks");
  database.run("INSERT INTO clocks (id, latest_at) VALUES (1, ?)", [Number(clock?.["latest_at"])]);
  database.run("UPDATE installations SET public_id = ?", [installation]);
  refillHistory(database);
  lowerPlaces(openOrm(database));
  markAsBackup(database, facts);
  database.run("COMMIT");
  return { counts: countRows(database), found };
}

/** Copies the ciphertexts of large secrets, each if it is there still when it was read. */
async function copyFound(
  connection: Connection,
  database: Database,
  found: readonly LargeCiphertext[],
  blobs: BlobStore | undefined,
): Promise<CopiedLarge> {
  if (!blobs) return { ...NO_LARGE, unreached: found.length };
  return await copyLarge(database, found, blobs, async ({ secretId, uploadId }) => {
    const text = "SELECT 1 FROM ciphertexts WHERE secret_id = $1 AND ciphertext = $2";
    return (await connection.run(text, [secretId, uploadId])).length > 0;
  });
}

/** Notes the time of the backup for the metrics of servers, unless the database is read-only. */
async function note(connection: Connection, takenAt: number): Promise<void> {
  await connection.run("ROLLBACK");
  try {
    await connection.run("UPDATE installations SET last_backup_at = greatest(last_backup_at, $1::bigint)", [takenAt]);
  } catch (error) {
    // A replica, or a read-only user.
    if (!["25006", "42501"].includes(sqlStateOf(error))) throw error;
  }
}
