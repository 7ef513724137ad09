import type { MonotonicClock } from "../../domain/values/clocks.ts";
import type { Connection, Database } from "./engine/database.ts";
import { isConnectionLost, isOutrun, sqlStateOf } from "./engine/errors.ts";
import { all } from "./engine/finding.ts";
import { textArray } from "./engine/rows.ts";

/** The tables of two halves, and those whose rows are locked while one of theirs is moved. */
const TABLES = [
  { name: "ciphertexts", key: "secret_id", owners: "secrets" },
  { name: "request_notes", key: "request_id", owners: "requests" },
] as const;

/** The time from one turn to the next, at least. */
const TURN_MS = 60_000;
/** The time in which all is moved, however much there is. */
const LONGEST_TURN_MS = 4 * 60 * 60 * 1000;
/** The speed that is enough for what is small: whatever is moved goes into the write-ahead log once more. */
const LEAST_BYTES_PER_MS = 256 * 1.024;
/** The most that is moved in one transaction, in which nobody else gets at these rows. */
const STEP_ROWS = 200;
const STEP_BYTES = 1024 * 1024;
/** The bytes that a row is counted with besides its ciphertext. */
const ROW_BYTES = 200;
/** The longest to wait for those who use a half, with others waiting behind, and the time until the next try. */
const LOCK_TIMEOUT_MS = 100;
const RETRY_MS = 10_000;
const LOCK_NOT_AVAILABLE = "55P03";

type Table = (typeof TABLES)[number];

/** One half of a table, which new rows no longer go to. */
interface Former {
  readonly table: Table;
  readonly half: number;
  readonly name: string;
  /** The key of the row that was moved last. */
  after: string;
  /** The transaction that was the next one when no row was left. */
  emptyAt: string | undefined;
}

/**
 * Returns what leaves nothing of erased ciphertexts and notes in the files of their tables, a bounded step with each call. All rows
 * are in one half of their table. In a turn, new ones go to the other half, those that are there follow, and the file of the first half is
 * given back to the disk, with all that was erased in it. Nothing turns while nothing is erased. One process calls this at a time.
 */
export function createHalves({ database, clock }: { database: Database; clock: MonotonicClock }): () => Promise<void> {
  let [turnedAt, failedAt] = [-Infinity, -Infinity];
  let formers: readonly Former[] = [];
  const allowance = createAllowance(clock);

  /** Resolves true when nothing is left in the halves that new rows do not go to. */
  const clear = async (connection: Connection): Promise<boolean> => {
    if (clock.now() - failedAt < RETRY_MS) return false;
    for (const former of formers) {
      const bytes = await sizeOf(connection, former);
      if (bytes === 0) continue;
      if (!(await moveRows(connection, former, allowance(bytes)))) return false;
      if (await isSeen(connection, former)) return false;
      if (await giveBack(connection, former)) continue;
      failedAt = clock.now();
      return false;
    }
    return true;
  };

  const tryToClear = async (connection: Connection): Promise<boolean> => {
    try {
      return await clear(connection);
    } catch (error) {
      // Such as a full disk, which is not mended by trying every second.
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
      if (formers[0]?.half !== half) formers = TABLES.map((table) => formerOf(table, half));
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

function formerOf(table: Table, half: number): Former {
  return { table, half, name: `${table.name}_${half}`, after: "", emptyAt: undefined };
}

/** The bytes on the disk; 0 for a half that nothing was written to since it was given back. */
async function sizeOf(connection: Connection, { name }: Former): Promise<number> {
  const [row] = await connection.run(
    `SELECT CASE pg_relation_size('${name}') WHEN 0 THEN 0 ELSE pg_total_relation_size('${name}') END AS bytes`,
  );
  return Number(row?.["bytes"]);
}

/** The bytes that may be moved: those that the time since has brought, and what is spent of them. */
interface Allowance {
  isSpent(): boolean;
  spend(bytes: number): void;
}

/** Returns what allows as many bytes as can be moved without hurry: all of `bytes` in the longest turn, and no less than is enough. */
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

/** Moves rows to the other half, each after its owner was locked. Resolves true once none is left, false when there may be more. */
async function moveRows(connection: Connection, former: Former, allowance: Allowance): Promise<boolean> {
  const { table, name } = former;
  while (!allowance.isSpent()) {
    const rows = await connection.run(
      `SELECT ${table.key} AS id, octet_length(ciphertext) AS bytes FROM ${name} WHERE ${table.key} > $1
       ORDER BY ${table.key} LIMIT ${STEP_ROWS}`,
      [former.after],
    );
    if (rows.length === 0 && former.after === "") return true;
    const ids: string[] = [];
    let bytes = 0;
    for (const row of rows) {
      if (bytes >= STEP_BYTES) break;
      ids.push(String(row["id"]));
      bytes += Number(row["bytes"]) + ROW_BYTES;
    }
    allowance.spend(bytes);
    if (ids.length > 0 && !(await moveTogether(connection, former, ids))) return false;
    // From the beginning in the end, for those that came late.
    former.after = ids.at(-1) ?? "";
  }
  return false;
}

/** Resolves false when others were in the way. */
async function moveTogether(connection: Connection, former: Former, ids: readonly string[]): Promise<boolean> {
  const { table, half } = former;
  former.emptyAt = undefined;
  try {
    await all(
      connection.run("BEGIN"),
      // Whoever claims it waits, and finds it afterwards.
      connection.run(`SELECT id FROM ${table.owners} WHERE id = ANY(${textArray(1)}) ORDER BY id FOR NO KEY UPDATE`, [
        JSON.stringify(ids),
      ]),
      connection.run(
        `UPDATE ${table.name} SET half = 1 - half WHERE half = ${half} AND ${table.key} = ANY(${textArray(1)})`,
        [JSON.stringify(ids)],
      ),
      connection.run("COMMIT"),
    );
    return true;
  } catch (error) {
    await rollback(connection, error);
    if (isOutrun(error)) return false;
    throw error;
  }
}

/** True while somebody looks at the database as it was before the last row was gone, as who copies it does. */
async function isSeen(connection: Connection, former: Former): Promise<boolean> {
  if (former.emptyAt === undefined) {
    const [row] = await connection.run("SELECT pg_snapshot_xmax(pg_current_snapshot())::xid::text AS next");
    former.emptyAt = String(row?.["next"]);
  }
  const [row] = await connection.run(
    `SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
       AND age(backend_xmin) > age($1::text::xid)) AS is_seen`,
    [former.emptyAt],
  );
  return row?.["is_seen"] === true;
}

/** Gives the file of a half back to the disk. Resolves false when somebody uses it, or has put something there. */
async function giveBack(connection: Connection, { name }: Former): Promise<boolean> {
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
    if (isOutrun(error) || sqlStateOf(error) === LOCK_NOT_AVAILABLE) return false;
    throw error;
  }
}

async function rollback(connection: Connection, error: unknown): Promise<void> {
  if (!isConnectionLost(error)) await connection.run("ROLLBACK");
}
