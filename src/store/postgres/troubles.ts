import type { HealthStore, StorageTrouble } from "../../domain/ports/health.ts";
import type { Database } from "./engine/database.ts";
import {
  connectionCodeOf,
  DatabaseError,
  DatabaseInUse,
  isConnectionLost,
  isDiskFull,
  isMissingTableOrRight,
  isTooSlow,
  sqlStateOf,
} from "./engine/errors.ts";
import { describeLongReader, findLongReader, LONGEST_READER } from "./engine/long-readers.ts";
import { LATEST_VERSION } from "./engine/migrations.ts";
import { findLaterReason, toSentence } from "./engine/refusals.ts";
import { textArray } from "./engine/rows.ts";
import type { DriverRow } from "./engine/rows.ts";
import { checkRights, checkTables } from "./engine/tables.ts";

/** How long to wait for the database's answer. */
const PATIENCE_MS = 2000;

const serious = (code: StorageTrouble["code"], message: string, systemCode?: string): StorageTrouble => ({
  code,
  message,
  isSerious: true,
  ...(systemCode !== undefined && { systemCode }),
});
const unreachable = (message: string, systemCode?: string) => serious("unreachable", message, systemCode);

const TROUBLES = {
  /** A replica that was not promoted, or a database that was configured read-only. */
  readOnly: serious(
    "read_only",
    "The database can only be read: it is a replica, or set to be read-only. Nothing is created or handed out until the server reaches one that can be written.",
  ),
  unreachable: unreachable(
    "PostgreSQL can't be reached. Nothing is created or handed out until it can; then the server goes on by itself.",
  ),
  silent: unreachable(
    "PostgreSQL doesn't answer within two seconds. Look at the network, its load, its disk and its locks; the server goes on by itself.",
  ),
  failing: unreachable(
    "PostgreSQL fails at a simple question. Look into its log; the server goes on by itself once it is well.",
  ),
  replaced: unreachable(
    "The database is not the one that this server was started on: another or an empty one has its place. Nothing is created or handed out. Bring the former one back, or restart the server to begin on this one.",
    "replaced",
  ),
  inUse: unreachable(
    "A server of an older version runs on the database, which this version has to change first. Nothing is created or handed out here until all older servers are stopped; then this one goes on by itself.",
    "in_use",
  ),
  newer: unreachable(
    "A newer version of handoff has changed the database, and this version can't work on it any more. Nothing is created or handed out. Start the newer version here too.",
    "newer_version",
  ),
  /** The commit is durable on the primary, but not acknowledged. */
  unreplicated: serious(
    "write_failed",
    "No synchronous replica confirms what is written, so that nothing is created or handed out until one does. Look at the replicas, or at synchronous_standby_names.",
    "SyncRep",
  ),
  locked: serious(
    "locked",
    "Another session holds locks in the database, so that writes wait. Find it in pg_locks, and end it if it doesn't end by itself.",
  ),
  unopened: unreachable(
    "The database is being opened. Nothing is created or handed out until it is; then the server goes on by itself.",
  ),
  used: unreachable(
    "PostgreSQL has no connection or memory to spare. Look at its max_connections, and who has them; the server goes on by itself.",
  ),
  full: serious(
    "no_room",
    "PostgreSQL has no room left on its disk. Nothing is created until there is some; then the server goes on by itself.",
  ),
};

/** How long a disk counts as full without another attempt to store something. */
const FULL_MS = 60_000;

/** True when connections of this user wait for a replica or a lock, longer than a write does in normal operation. */
const WAITS = `SELECT bool_or(wait_event = 'SyncRep') AS is_unreplicated, bool_or(wait_event_type = 'Lock') AS is_locked
  FROM pg_stat_activity
  WHERE usename = current_user AND datname = current_database() AND (wait_event = 'SyncRep' AND state_change < clock_timestamp() - interval '2 seconds'
    OR wait_event_type = 'Lock' AND wait_event <> 'advisory' AND state_change < clock_timestamp() - interval '5 seconds')`;

/** The transactions that connections of this user wait for now, and that don't wait themselves. */
const HOLDERS = `SELECT json_agg(DISTINCT virtualtransaction) AS holders FROM pg_locks
  WHERE pid IN (SELECT unnest(pg_blocking_pids(pid)) FROM pg_stat_activity
      WHERE usename = current_user AND datname = current_database() AND wait_event_type = 'Lock')
    AND pid NOT IN (SELECT pid FROM pg_locks WHERE pid IS NOT NULL AND NOT granted)`;

/** True while one of these transactions is open: a lock is held until its transaction ends. */
const ARE_HOLDING = `SELECT count(*) > 0 AS are_holding FROM pg_locks WHERE virtualtransaction = ANY(${textArray(1)})`;

const UNOPENED_QUESTION = "SELECT current_setting('transaction_read_only') AS read_only";

const QUESTION = `SELECT current_setting('transaction_read_only') AS read_only, (SELECT public_id FROM installations) AS installation, (SELECT max(version) FROM migrations) AS version, waits.*,
    ${LONGEST_READER}
  FROM (${WAITS}) AS waits`;

/** The channel on which servers notify each other that the disk is full, or that a write has succeeded again. */
const ROOM_CHANNEL = "handoff_room";
const [FULL, STORED] = ["full", "stored"];
/** The minimum time between two notifications that the disk is full. */
const NOTIFY_MS = 5000;

/** Collects failures, and checks whether the database accepts writes. */
export interface Health extends HealthStore {
  /** Called after each write with its error, or undefined when it was committed, and the bytes that it was to store. */
  noteWrite(error: unknown, bytes: number): void;
  /** Starts listening to the notifications of other servers. */
  listen(): Promise<void>;
  close(): Promise<void>;
  /** Called with the error of any failed call or background work. */
  noteFailure(error: unknown): void;
  /** Called with the error when a connection was lost, or could not be opened. */
  noteLoss(error: unknown): void;
  /** Called with the error when the database could not be opened, or undefined once it was. */
  noteOpening(error: unknown): void;
  /** True while another database, or another version of it, is in the place of the one that was opened. */
  isReplaced(): boolean;
}

/**
 * `installation` returns the ID of the opened database. While it returns undefined there is a trouble, even if the
 * database answers.
 */
export function createHealth(
  database: Pick<Database, "read" | "hold" | "listen">,
  installation: () => string | undefined,
): Health {
  let [fullAt, notifiedAt] = [-Infinity, -Infinity];
  let unlisten: (() => Promise<void>) | undefined;
  let asking: Promise<readonly StorageTrouble[]> | undefined;
  /** The error of a connection that was lost since the last answer. */
  let loss: unknown;
  let isReplaced = false;
  /** True when the database could not be opened because an older server uses it. */
  let isInUse = false;
  /** True when a statement has failed in a way that it could not when the database was opened. */
  let isSuspect = false;
  /** The transactions that writes have waited for. */
  let holders: readonly string[] = [];

  /**
   * Returns true while a lock that writes have waited for is held. Callers give up in time, so a lock may be held
   * although no connection waits for it.
   */
  const areLocksHeld = async (isWaitedFor: boolean): Promise<boolean> => {
    if (isWaitedFor) {
      const [found] = await database.read(HOLDERS);
      // The last waiting connection may have given up since.
      holders = (found?.["holders"] as readonly string[] | null) ?? holders;
      return true;
    }
    if (holders.length === 0) return false;
    const [found] = await database.read(ARE_HOLDING, [JSON.stringify(holders)]);
    if (found?.["are_holding"] !== true) holders = [];
    return holders.length > 0;
  };
  const ask = async (): Promise<readonly StorageTrouble[]> => {
    const own = installation();
    try {
      const [row] = await database.read(own === undefined ? UNOPENED_QUESTION : QUESTION);
      loss = undefined;
      if (own === undefined) {
        if (isInUse) return [TROUBLES.inUse];
        return [row?.["read_only"] === "on" ? TROUBLES.readOnly : TROUBLES.unopened];
      }
      const version = Number(row?.["version"]);
      isReplaced = row?.["installation"] !== own || version !== LATEST_VERSION;
      if (isReplaced)
        return [row?.["installation"] === own && version > LATEST_VERSION ? TROUBLES.newer : TROUBLES.replaced];
      if (isSuspect) await checkTablesAndRights();
      return describeAnswer(row, await areLocksHeld(row?.["is_locked"] === true));
    } catch (error) {
      // The table may be missing along with all others.
      isReplaced = own !== undefined && isTableMissing(error);
      return [isReplaced ? TROUBLES.replaced : describeFailure(error)];
    }
  };
  const setFull = (isFull: boolean) => void (fullAt = isFull ? performance.now() : -Infinity);
  const notify = (word: string) => {
    // If the disk has no room for this either, each server notices the full disk itself.
    database.read("SELECT pg_notify($1, $2)", [ROOM_CHANNEL, word]).catch(() => undefined);
  };
  const checkTablesAndRights = async () => {
    using connection = await database.hold();
    await checkTables(connection);
    await checkRights(connection);
    isSuspect = false;
  };
  return {
    noteWrite(error, bytes) {
      if (isDiskFull(error)) {
        setFull(true);
        if (performance.now() - notifiedAt < NOTIFY_MS) return;
        notifiedAt = performance.now();
        notify(FULL);
        // Only a write that stores bytes counts: others, such as a claim, still find room.
      } else if (error === undefined && bytes > 0 && fullAt !== -Infinity) {
        setFull(false);
        notifiedAt = -Infinity;
        notify(STORED);
      }
    },
    async listen() {
      unlisten ??= await database.listen(
        ROOM_CHANNEL,
        (word) => setFull(word === FULL),
        () => undefined,
      );
    },
    close: async () => unlisten?.(),
    noteFailure(error) {
      isSuspect ||= isMissingTableOrRight(error);
    },
    noteOpening(error) {
      isInUse = error instanceof DatabaseInUse;
    },
    noteLoss(error) {
      if (error) loss = error;
    },
    isReplaced: () => isReplaced,
    async findTroubles() {
      // One query at a time, because one without an answer keeps a connection.
      asking ??= ask().finally(() => (asking = undefined));
      const isFull = performance.now() - fullAt < FULL_MS;
      const found = await Promise.race([asking, afterPatience(() => [loss ? describeFailure(loss) : TROUBLES.silent])]);
      return [...found, ...(isFull ? [TROUBLES.full] : [])];
    },
  };
}

function describeAnswer(row: DriverRow | undefined, isLocked: boolean): readonly StorageTrouble[] {
  if (row?.["read_only"] === "on") return [TROUBLES.readOnly];
  const reader = findLongReader(row);
  return [
    ...(row?.["is_unreplicated"] === true ? [TROUBLES.unreplicated] : []),
    ...(isLocked && row?.["is_unreplicated"] !== true ? [TROUBLES.locked] : []),
    ...(reader ? [{ code: "long_reader", message: describeLongReader(reader), isSerious: false } as const] : []),
  ];
}

/** The trouble for an error of the health query or of a connection. */
function describeFailure(error: unknown): StorageTrouble {
  const state = sqlStateOf(error);
  if (state.startsWith("53")) return TROUBLES.used;
  if (error instanceof DatabaseError) return unreachable(toSentence(error.message));
  const message = findLaterReason(error);
  if (message !== undefined) return unreachable(message, state || connectionCodeOf(error));
  if (isTooSlow(error)) return TROUBLES.silent;
  return isConnectionLost(error) ? TROUBLES.unreachable : TROUBLES.failing;
}

/** True when a table or its schema is missing. */
function isTableMissing(error: unknown): boolean {
  return /^(42P01|3F)/.test(sqlStateOf(error));
}

function afterPatience<T>(value: () => T): Promise<T> {
  return new Promise((resolve) => setTimeout(() => resolve(value()), PATIENCE_MS).unref());
}
