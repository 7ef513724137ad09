import type { MonotonicClock } from "../../domain/values/clocks.ts";
import type { Connection, Database } from "./engine/database.ts";
import { isConnectionLost, isRetryable, sqlStateOf } from "./engine/errors.ts";
import { all } from "./engine/finding.ts";
import { textArray } from "./engine/rows.ts";

/** The tables with two halves, and the tables whose rows are locked while their rows are moved. */
const TABLES = [
  { name: "ciphertexts", key: "secret_id", owners: "secrets" },
  { name: "request_notes", key: "request_id", owners: "requests" },
] as const;

/** The minimum time between two turns. A turn swaps the half that new rows go to. */
const TURN_MS = 60_000;
/** The maximum time to move all rows of a half, whatever its size. */
const LONGEST_TURN_MS = 4 * 60 * 60 * 1000;
/**
 * The minimum speed, which is enough for small tables. Moved rows are written to the write-ahead log again, so a higher
 * speed costs disk space.
 */
const LEAST_BYTES_PER_MS = 256 * 1.024;
/** The limits of one transaction. Others wait for the rows that it moves. */
const STEP_ROWS = 200;
const STEP_BYTES = 1024 * 1024;
/** The size that is assumed for a row without its ciphertext. */
const ROW_BYTES = 200;
/**
 * How long to wait for the lock of a half, while other transactions queue behind; and the time until the next attempt.
 */
const LOCK_TIMEOUT_MS = 100;
const RETRY_MS = 10_000;
const LOCK_NOT_AVAILABLE = "55P03";

type Table = (typeof TABLES)[number];

/** The half of a table that new rows no longer go to. */
interface OldHalf {
  readonly table: Table;
  readonly half: number;
  readonly name: string;
  /** The key of the row that was moved last; empty at the start of a pass. */
  after: string;
  /** The ID of the next transaction at the time when the half was found empty. */
  emptyAt: string | undefined;
}

/**
 * Returns a function that rewrites the tables half by half, so that erased ciphertexts and notes leave the disk. Each
 * call is one bounded step. All rows of a table are in one half. In a turn, new rows go to the other half and the
 * existing ones are moved there. Then the first half is truncated, which removes everything that was erased in it.
 * There is no turn while nothing is erased. Only one process may call this at a time.
 */
export function createHalfRewriter({
  database,
  clock,
}: {
  database: Database;
  clock: MonotonicClock;
}): () => Promise<void> {
  let [turnedAt, failedAt] = [-Infinity, -Infinity];
  let oldHalves: readonly OldHalf[] = [];
  const allowance = createAllowance(clock);

  /** Moves rows and truncates. Resolves true when the old halves are empty files. */
  const clear = async (connection: Connection): Promise<boolean> => {
    if (clock.now() - failedAt < RETRY_MS) return false;
    for (const oldHalf of oldHalves) {
      const bytes = await sizeOf(connection, oldHalf);
      if (bytes === 0) continue;
      if (!(await moveRows(connection, oldHalf, allowance(bytes)))) return false;
      if (await hasOlderSnapshots(connection, oldHalf)) return false;
      if (await truncate(connection, oldHalf)) continue;
      failedAt = clock.now();
      return false;
    }
    return true;
  };

  const tryToClear = async (connection: Connection): Promise<boolean> => {
    try {
      return await clear(connection);
    } catch (error) {
      // Retrying every second doesn't help, for example with a full disk.
      failedAt = clock.now();
      throw error;
    }
  };

  return async () => {
    using connection = await database.hold();
    for (;;) {
      const [row] = await connection.run(
        "SELECT filled, clocks.erasures > halves.erasures AS is_due, erased_at IS NOT NULL AS is_noted FROM halves, clocks",
      );
      if (row?.["is_due"] === true && row["is_noted"] !== true) {
        await connection.run("UPDATE halves SET erased_at = $1::bigint WHERE erased_at IS NULL", [clock.now()]);
      }
      const half = 1 - Number(row?.["filled"]);
      if (oldHalves[0]?.half !== half) oldHalves = TABLES.map((table) => oldHalfOf(table, half));
      if (!(await tryToClear(connection))) return;
      if (row?.["is_due"] !== true || clock.now() - turnedAt < TURN_MS) return;
      turnedAt = clock.now();
      await connection.run(
        `UPDATE halves SET filled = $1, erasures = (SELECT erasures FROM clocks), former_erased_at = erased_at, erased_at = NULL
         WHERE filled = 1 - $1`,
        [half],
      );
    }
  };
}

function oldHalfOf(table: Table, half: number): OldHalf {
  return { table, half, name: `${table.name}_${half}`, after: "", emptyAt: undefined };
}

/** The size on disk, in bytes; 0 for a half without rows since it was truncated. */
async function sizeOf(connection: Connection, { name }: OldHalf): Promise<number> {
  const [row] = await connection.run(
    `SELECT CASE pg_relation_size('${name}') WHEN 0 THEN 0 ELSE pg_total_relation_size('${name}') END AS bytes`,
  );
  return Number(row?.["bytes"]);
}

/** The bytes that may still be moved: the elapsed time adds to them, and each step spends some. */
interface Allowance {
  isSpent(): boolean;
  spend(bytes: number): void;
}

/**
 * Returns a function that grants bytes at a steady rate: fast enough to move `bytes` within the longest turn, and at
 * least at the minimum speed.
 */
function createAllowance(clock: MonotonicClock): (bytes: number) => Allowance {
  let left = Infinity;
  let filledAt = clock.now();
  return (bytes) => {
    const speed = Math.max(LEAST_BYTES_PER_MS, bytes / LONGEST_TURN_MS);
    left = Math.min(left + (clock.now() - filledAt) * speed, speed * TURN_MS);
    filledAt = clock.now();
    return {
      isSpent: () => left <= 0,
      spend: (spent) => void (left -= spent),
    };
  };
}

/**
 * Moves rows to the other half; their owners are locked first. Resolves true once no row is left, and false when there
 * may be more.
 */
async function moveRows(connection: Connection, oldHalf: OldHalf, allowance: Allowance): Promise<boolean> {
  const { table, name } = oldHalf;
  while (!allowance.isSpent()) {
    const rows = await connection.run(
      `SELECT ${table.key} AS id, octet_length(ciphertext) AS bytes FROM ${name} WHERE ${table.key} > $1
       ORDER BY ${table.key} LIMIT ${STEP_ROWS}`,
      [oldHalf.after],
    );
    if (rows.length === 0 && oldHalf.after === "") return true;
    const ids: string[] = [];
    let bytes = 0;
    for (const row of rows) {
      if (bytes >= STEP_BYTES) break;
      ids.push(String(row["id"]));
      bytes += Number(row["bytes"]) + ROW_BYTES;
    }
    allowance.spend(bytes);
    if (ids.length > 0 && !(await moveBatch(connection, oldHalf, ids))) return false;
    // After the last row, starts over for rows that were inserted late.
    oldHalf.after = ids.at(-1) ?? "";
  }
  return false;
}

/** Moves some rows in one transaction. Resolves false when it lost a race. */
async function moveBatch(connection: Connection, oldHalf: OldHalf, ids: readonly string[]): Promise<boolean> {
  const { table, half } = oldHalf;
  oldHalf.emptyAt = undefined;
  try {
    await all(
      connection.begin(),
      // A claim of the secret waits, and finds the row in the other half.
      connection.run(`SELECT id FROM ${table.owners} WHERE id = ANY(${textArray(1)}) ORDER BY id FOR NO KEY UPDATE`, [
        JSON.stringify(ids),
      ]),
      connection.run(
        `UPDATE ${table.name} SET half = 1 - half WHERE half = ${half} AND ${table.key} = ANY(${textArray(1)})`,
        [JSON.stringify(ids)],
      ),
      connection.commit(),
    );
    return true;
  } catch (error) {
    await rollback(connection, error);
    if (isRetryable(error)) return false;
    throw error;
  }
}

/** True while a transaction, such as a dump, has a snapshot from before the half was empty. */
async function hasOlderSnapshots(connection: Connection, oldHalf: OldHalf): Promise<boolean> {
  if (oldHalf.emptyAt === undefined) {
    const [row] = await connection.run("SELECT pg_snapshot_xmax(pg_current_snapshot())::xid::text AS next");
    oldHalf.emptyAt = String(row?.["next"]);
  }
  const [row] = await connection.run(
    `SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
       AND age(backend_xmin) > age($1::text::xid)) AS is_seen`,
    [oldHalf.emptyAt],
  );
  return row?.["is_seen"] === true;
}

/** Truncates a half, which removes its file. Resolves false when another transaction uses it, or when it has rows. */
async function truncate(connection: Connection, { name }: OldHalf): Promise<boolean> {
  try {
    await connection.run("BEGIN");
    await connection.run(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
    await connection.run(`LOCK TABLE ${name} IN ACCESS EXCLUSIVE MODE`);
    const [row] = await connection.run(`SELECT EXISTS (SELECT FROM ${name}) AS has_rows`);
    if (row?.["has_rows"] !== true) await connection.run(`TRUNCATE ${name}`);
    await connection.run("COMMIT");
    return row?.["has_rows"] !== true;
  } catch (error) {
    await rollback(connection, error);
    if (isRetryable(error) || sqlStateOf(error) === LOCK_NOT_AVAILABLE) return false;
    throw error;
  }
}

async function rollback(connection: Connection, error: unknown): Promise<void> {
  if (!isConnectionLost(error)) await connection.run("ROLLBACK");
}
