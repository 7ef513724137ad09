import { LARGE_CIPHERTEXT_BYTES } from "../../../contract/ciphertexts.ts";
import type { Needs } from "../../../domain/transactions/transaction.ts";
import { idempotentCalls, requests, secrets, teams, uploads } from "../schema.ts";
import type { Answer, Connection } from "./database.ts";
import type { DriverRow } from "./rows.ts";
import { bytesArray, textArray, toRow } from "./rows.ts";
import type { Found, NoteRow, SealedRow } from "./transaction.ts";

/**
 * The keys of all `needs`, each once and sorted: transactions that lock several rows must lock them in the same order.
 */
function keysOf(needs: readonly Needs[]) {
  const once = (keys: (need: Needs) => readonly string[] | undefined) =>
    [...new Set(needs.flatMap((need) => keys(need) ?? []))].toSorted();
  return {
    secretIds: once((need) => need.secretIds),
    ciphertextIds: once((need) => need.ciphertextIds),
    smallCiphertextIds: once((need) => need.smallCiphertextIds),
    requestIds: once((need) => need.requestIds),
    digests: once((need) => need.digests?.map((digest) => digest.toHex())),
    uploadIds: once((need) => need.uploadIds),
    teamIds: once((need) => need.teamIds),
  };
}

/**
 * The key of the only row of `clocks`. It's a parameter of statements that need none, since Bun pipelines only those
 * with parameters.
 */
const CLOCK_KEY = [1];

/**
 * Reads the latest time that the database has seen, the place of the latest event, and the current time of its machine.
 */
export const CLOCK = `SELECT latest_at, last_place, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS machine_at
  FROM clocks WHERE id = $1::int`;

/**
 * Has the COMMIT of this transaction answered once it is on the disk. A setting that waits for replicas, too, stays.
 */
export const DURABLE_COMMIT =
  "CASE current_setting('synchronous_commit') WHEN 'off' THEN set_config('synchronous_commit', 'on', true) END";

/** Reads the clock beside the bytes of teams, in a row for each of these, or in one row without a team. */
const CLOCK_AND_TEAMS = `SELECT clock.*, ${DURABLE_COMMIT} AS was_set, teams.id, stored_bytes, quota_bytes
  FROM (${CLOCK}) AS clock LEFT JOIN teams ON teams.id = ANY(${textArray(2)})`;

/** Resolves with the row of `CLOCK`, which `ask` reads on one connection or on any. */
export async function readClock(
  ask: (text: string, params: readonly unknown[]) => Promise<Answer>,
): Promise<DriverRow | undefined> {
  const [row] = await ask(CLOCK, CLOCK_KEY);
  return row;
}

/** A condition: the row was created or claimed by one of these calls. */
const SUBJECTS = `id = ANY(ARRAY(SELECT subject_id FROM idempotent_calls WHERE digest = ANY(${bytesArray(1)})))`;

/**
 * The maximum size of the ciphertexts read at once, besides the last one: they are held in memory and sent over the
 * network.
 */
const MAX_READ_BYTES = 16 * 1024 * 1024;

const SEALED = `
  SELECT secret_id, CASE WHEN is_asked AND bytes_before < $3::bigint THEN ciphertext END AS ciphertext
  FROM (
    SELECT *, coalesce(sum(CASE WHEN is_asked THEN octet_length(ciphertext) END)
      OVER (ORDER BY secret_id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS bytes_before
    FROM (
      SELECT secret_id, ciphertext, secret_id = ANY(${textArray(2)})
        OR secret_id = ANY(${textArray(4)}) AND octet_length(ciphertext) < ${LARGE_CIPHERTEXT_BYTES} AS is_asked
      FROM ciphertexts WHERE secret_id = ANY(${textArray(1)})
    ) AS found
  ) AS counted`;

/**
 * Begins a transaction and loads the rows that its jobs need, in one round trip. The secrets, requests and uploads that
 * the needs name are locked. Calls are not: `commit` fails when one that it changes is no longer as it was loaded. With
 * `locksClock`, the row of the clock is locked too, and no other transaction can commit first. `toTime` gets the row of
 * `CLOCK` and returns the time of the transaction.
 */
export async function begin(
  connection: Connection,
  needs: readonly Needs[],
  toTime: (clock: DriverRow | undefined) => number,
  locksClock: boolean,
): Promise<Found> {
  const { secretIds, ciphertextIds, smallCiphertextIds, requestIds, digests, uploadIds, teamIds } = keysOf(needs);
  const json = JSON.stringify;
  const nothing: readonly DriverRow[] = [];
  /**
   * Sends a statement without waiting, so that all are pipelined. They run in the order in which they are written here.
   */
  const when = (isNeeded: boolean, text: string, ...params: unknown[]): Promise<readonly DriverRow[]> =>
    isNeeded ? connection.run(text, params) : Promise.resolve(nothing);
  const hasCalls = digests.length > 0;
  const hasRequests = requestIds.length > 0;
  const hasSecrets = secretIds.length > 0;
  const answers = await all(
    connection.begin(),
    when(
      hasRequests,
      `SELECT * FROM requests WHERE id = ANY(${textArray(1)}) ORDER BY id FOR UPDATE`,
      json(requestIds),
    ),
    when(hasSecrets, `SELECT * FROM secrets WHERE id = ANY(${textArray(1)}) ORDER BY id FOR UPDATE`, json(secretIds)),
    when(
      uploadIds.length > 0,
      `SELECT * FROM uploads WHERE id = ANY(${textArray(1)}) ORDER BY id FOR UPDATE`,
      json(uploadIds),
    ),
    when(locksClock, "SELECT id FROM clocks WHERE id = $1::int FOR UPDATE", ...CLOCK_KEY),
    when(
      locksClock && teamIds.length > 0,
      `SELECT id FROM teams WHERE id = ANY(${textArray(1)}) ORDER BY id FOR NO KEY UPDATE`,
      json(teamIds),
    ),
    when(true, CLOCK_AND_TEAMS, ...CLOCK_KEY, json(teamIds)),
    when(
      hasSecrets || hasRequests || hasCalls,
      `SELECT * FROM idempotent_calls WHERE digest = ANY(${bytesArray(2)})
       UNION SELECT * FROM idempotent_calls WHERE subject_id = ANY(${textArray(1)})`,
      json([...secretIds, ...requestIds]),
      json(digests),
    ),
    // Each statement sees earlier commits. In this order, a call that is found comes with the row that it has created.
    when(hasCalls, `SELECT * FROM secrets WHERE ${SUBJECTS}`, json(digests)),
    when(hasCalls, `SELECT * FROM requests WHERE ${SUBJECTS}`, json(digests)),
    when(hasSecrets, SEALED, json(secretIds), json(ciphertextIds), MAX_READ_BYTES, json(smallCiphertextIds)),
    when(
      hasRequests,
      `SELECT request_id, length(ciphertext) AS characters FROM request_notes WHERE request_id = ANY(${textArray(1)})`,
      json(requestIds),
    ),
    when(
      hasRequests,
      // With the state in WHERE, PostgreSQL could choose a plan that reads all available secrets.
      `SELECT request_id, max(expires_at) FILTER (WHERE state = 'available') AS expires_at FROM secrets
       WHERE request_id = ANY(${textArray(1)}) AND request_id IS NOT NULL GROUP BY request_id HAVING bool_or(state = 'available')`,
      json(requestIds),
    ),
  );
  const [, requestRows, secretRows, uploadRows, , , clock, callRows, made, asked, sealed, notes, waiting] = answers;
  return {
    now: toTime(clock?.[0]),
    keys: { secretIds, requestIds, digests, uploadIds },
    // The locked row comes last, and overrides the others.
    secrets: [...(made ?? []), ...(secretRows ?? [])].map((row) => toRow(secrets, row)),
    sealed: (sealed ?? []).map(toSealed),
    requests: [...(asked ?? []), ...(requestRows ?? [])].map((row) => toRow(requests, row)),
    notes: (notes ?? []).map(toNote),
    uploads: (uploadRows ?? []).map((row) => toRow(uploads, row)),
    calls: (callRows ?? []).map((row) => toRow(idempotentCalls, row)),
    waiting: new Map([
      ...requestIds.map((id) => [id, 0] as const),
      ...(waiting ?? []).map((row) => [String(row["request_id"]), Number(row["expires_at"])] as const),
    ]),
    teams: new Map([
      ...teamIds.map((id) => [id, undefined] as const),
      ...(clock ?? [])
        .filter(({ id }) => id !== null)
        .map((row) => toRow(teams, row))
        .map((team) => [team.id, team] as const),
    ]),
  };
}

/** The results of pipelined statements. Rejects with the first error, once all of them have ended. */
export async function all<T>(...statements: readonly Promise<T>[]): Promise<T[]> {
  const results = await Promise.allSettled(statements);
  return results.map((result) => {
    if (result.status === "rejected") throw result.reason;
    return result.value;
  });
}

function toSealed(row: DriverRow): SealedRow {
  return { secretId: String(row["secret_id"]), ciphertext: row["ciphertext"] as string | null };
}

function toNote(row: DriverRow): NoteRow {
  return { requestId: String(row["request_id"]), characters: Number(row["characters"]), note: null };
}
