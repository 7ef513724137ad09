import { textOf } from "../../../contract/ciphertexts.ts";
import type { Operator } from "../../../domain/ports/admin-log.ts";
import { NO_RARE_MEMBERS } from "../../../domain/ports/events.ts";
import type { EventRecord } from "../../../domain/ports/events.ts";
import {
  ciphertexts,
  events,
  idempotentCalls,
  requestNotes,
  requests,
  secrets,
  uploadParts,
  uploads,
} from "../schema.ts";
import type { Answer, Connection } from "./database.ts";
import { all } from "./finding.ts";
import { columnList, textArray, toRecordset } from "./rows.ts";
import { ROW_BYTES } from "./stored-bytes.ts";
import type { StagedTransaction } from "./transaction.ts";

/**
 * The channel of notifications. Each one has the place of the latest event and the name of the process that wrote it.
 */
export const CHANNEL = "handoff_events";

/** The outcome of a commit. */
export interface Committed {
  readonly latestAt: number;
  /** The events of the transaction in their order, the place before the first one, and the place of the last one. */
  readonly events: readonly EventRecord[];
  readonly placeBefore: number;
  readonly lastPlace: number;
}

export interface CommitOptions {
  readonly operator: Operator | undefined;
  /** The name of this process in the notifications of events. */
  readonly origin: string;
  readonly locksClock: boolean;
}

/** The server has answered COMMIT with a rollback. */
class NotCommitted extends Error {}

/**
 * Writes the changes of a transaction and commits it, in one round trip. The rows that every transaction writes come
 * last: the transaction that locks the row of the clock commits next, so the places of events ascend in commit order.
 * `locksClock` is as it was for `begin`; if it was false, the server rejects a transaction that has lost a race.
 */
export async function commit(
  connection: Connection,
  tx: StagedTransaction,
  { operator, origin, locksClock }: CommitOptions,
): Promise<Committed> {
  const statements: Promise<Answer>[] = [];
  const write = (isNeeded: boolean, text: string, ...params: readonly unknown[]) => {
    if (isNeeded) statements.push(connection.run(text, params));
  };
  const erasures = writeRows(tx, write);
  const clock = writeClock(connection, tx, { erasures, origin, locksClock });
  statements.push(clock);
  writeCounts(tx, locksClock, write);
  writeAdminLog(tx, operator, write);
  const end = connection.commit();
  await all(...statements, end);
  if ((await end).command !== "COMMIT") throw new NotCommitted("the server took the transaction back");
  const [latest] = await clock;
  const [latestAt, lastPlace] = [Number(latest?.["latest_at"]), Number(latest?.["last_place"])];
  const ids = latest?.["ids"] as readonly string[] | undefined;
  return {
    latestAt,
    lastPlace,
    placeBefore: lastPlace - tx.effects.events.length,
    events: tx.effects.events.map((event, index) => ({
      id: ids?.[index] ?? "",
      createdAt: latestAt,
      ...NO_RARE_MEMBERS,
      ...event,
    })),
  };
}

type Write = (isNeeded: boolean, text: string, ...params: readonly unknown[]) => void;

/** A statement that inserts the rows of a JSON recordset. */
const insertInto = (name: string, table: Parameters<typeof columnList>[0]) =>
  `INSERT INTO ${name} (${columnList(table)})
   SELECT ${columnList(table)} FROM json_populate_recordset(null::${name}, $1::text::json)`;

/** The same for a table with two halves. */
const insertIntoHalf = (name: string, table: Parameters<typeof columnList>[0], parameter = 1) =>
  `INSERT INTO ${name} (${columnList(table)}, half)
   SELECT ${columnList(table)}, (SELECT filled FROM halves)
   FROM json_populate_recordset(null::${name}, $${parameter}::text::json)`;

const INSERT = {
  // Each new secret has a ciphertext.
  secrets: `WITH added AS (${insertInto("secrets", secrets)}) ${insertIntoHalf("ciphertexts", ciphertexts, 2)}`,
  requests: insertInto("requests", requests),
  notes: insertIntoHalf("request_notes", requestNotes),
  calls: insertInto("idempotent_calls", idempotentCalls),
  uploads: insertInto("uploads", uploads),
  parts: insertInto("upload_parts", uploadParts),
};

/**
 * A condition: the id is in the recordset of the first parameter. It repeats the join beside it. Without it, PostgreSQL
 * could choose a plan that scans a small table, and keep it when the table has grown.
 */
const IN_RECORDSET = "= ANY(ARRAY(SELECT each->>'id' FROM json_array_elements($1::text::json) AS each))";

/**
 * Deletes calls. Fails as a lost race if one of them is no longer as it was loaded: calls are not locked, and another
 * process may have swept one, or remembered a new one with its digest. The sum keeps PostgreSQL from finding them by
 * the index of `expires_at`, which many calls may have in common.
 */
const DELETE_CALLS = `WITH former AS (SELECT * FROM json_populate_recordset(null::idempotent_calls, $1::text::json)),
    gone AS (
      DELETE FROM idempotent_calls AS calls USING former
      WHERE calls.digest = former.digest AND calls.expires_at + 0 = former.expires_at
        AND calls.replay_until IS NOT DISTINCT FROM former.replay_until
        AND calls.digest = ANY(ARRAY(SELECT digest FROM former)) RETURNING calls.digest
    )
  SELECT handoff_below((SELECT count(*) FROM former) - (SELECT count(*) FROM gone), 1)`;

/** Writes the changed rows. Returns the number of erased ciphertexts and notes. */
function writeRows(tx: StagedTransaction, write: Write): number {
  const { staged } = tx;
  const some = (list: readonly unknown[]) => list.length > 0;
  const ids = JSON.stringify;
  const [secretChanges, sealed] = [staged.secrets.changes(), staged.sealed.changes()];
  const [requestChanges, notes, calls] = [staged.requests.changes(), staged.notes.changes(), staged.calls.changes()];

  write(some(requestChanges.added), INSERT.requests, toRecordset(requests, requestChanges.added));
  write(
    some(requestChanges.changed),
    `UPDATE requests SET state = new.state, submission_count = new.submission_count, ended_at = new.ended_at, due_at = new.due_at
     FROM json_populate_recordset(null::requests, $1::text::json) AS new WHERE requests.id = new.id AND requests.id ${IN_RECORDSET}`,
    toRecordset(requests, requestChanges.changed),
  );
  const sealedRows = sealed.added.map((row) => ({ ...row, ciphertext: textOf(row.ciphertext ?? "") }));
  write(
    some(secretChanges.added),
    INSERT.secrets,
    toRecordset(secrets, secretChanges.added),
    toRecordset(ciphertexts, sealedRows),
  );
  write(
    some(secretChanges.changed),
    `UPDATE secrets SET state = new.state, claims = new.claims, ended_at = new.ended_at, due_at = new.due_at,
       expires_at = new.expires_at, max_claims = new.max_claims, approval = new.approval
     FROM json_populate_recordset(null::secrets, $1::text::json) AS new WHERE secrets.id = new.id AND secrets.id ${IN_RECORDSET}`,
    toRecordset(secrets, secretChanges.changed),
  );
  const noteRows = notes.added.map(({ requestId, note }) => ({
    requestId,
    envelopeVersion: note?.version,
    ciphertext: note?.ciphertext,
  }));
  write(some(noteRows), INSERT.notes, toRecordset(requestNotes, noteRows));
  write(some(sealed.removed), `DELETE FROM ciphertexts WHERE secret_id = ANY(${textArray(1)})`, ids(sealed.removed));
  write(some(notes.removed), `DELETE FROM request_notes WHERE request_id = ANY(${textArray(1)})`, ids(notes.removed));
  write(some(secretChanges.removed), `DELETE FROM secrets WHERE id = ANY(${textArray(1)})`, ids(secretChanges.removed));
  write(
    some(requestChanges.removed),
    `DELETE FROM requests WHERE id = ANY(${textArray(1)})`,
    ids(requestChanges.removed),
  );
  write(some(calls.former), DELETE_CALLS, toRecordset(idempotentCalls, calls.former));
  const made = [...calls.added, ...calls.changed].toSorted((a, b) => Buffer.compare(a.digest, b.digest));
  write(some(made), INSERT.calls, toRecordset(idempotentCalls, made));
  writeUploads(tx, write);
  return sealed.removed.length + notes.removed.length;
}

function writeUploads({ staged, effects }: StagedTransaction, write: Write): void {
  const { added, changed, removed } = staged.uploads.changes();
  write(added.length > 0, INSERT.uploads, toRecordset(uploads, added));
  write(
    changed.length > 0,
    `UPDATE uploads SET "offset" = new."offset", expires_at = new.expires_at, secret_id = new.secret_id
     FROM json_populate_recordset(null::uploads, $1::text::json) AS new WHERE uploads.id = new.id AND uploads.id ${IN_RECORDSET}`,
    toRecordset(uploads, changed),
  );
  const gone = new Set(removed);
  const parts = effects.parts.filter(({ uploadId }) => !gone.has(uploadId));
  write(parts.length > 0, INSERT.parts, toRecordset(uploadParts, parts));
  // Their parts go with them.
  write(removed.length > 0, `DELETE FROM uploads WHERE id = ANY(${textArray(1)})`, JSON.stringify(removed));
}

/** Updates the row of the clock, which gives all commits an order. */
const CLOCK = `UPDATE clocks SET latest_at = greatest(handoff_below(latest_at, $1::bigint), $2::bigint),
    last_place = last_place + $3::int, erasures = erasures + $4::int
  RETURNING latest_at, last_place`;

/**
 * The same with events. They get their places, IDs and times while the row of the clock is locked, and the same
 * statement sends the notification: no other transaction can commit meanwhile, so one statement is faster than two.
 */
const CLOCK_AND_EVENTS = `WITH clock AS (${CLOCK}, pg_notify('${CHANNEL}', last_place || ' ' || $6::text)),
    placed AS (
      SELECT last_place - $3::int + number AS place, latest_at, new.* FROM clock,
        ROWS FROM (json_to_recordset($5::text::json) AS (team_id text, type text, secret_id text, request_id text,
          actor_id text, reference text, address text, ask text, proof text, network text)) WITH ORDINALITY
          AS new (team_id, type, secret_id, request_id, actor_id, reference, address, ask, proof, network, number)
    ),
    told AS (
      INSERT INTO events (place, id, kept_at, team_id, type, created_at, secret_id, request_id, actor_id, reference, address,
        ask, proof, network)
      SELECT place, handoff_event_id(latest_at, place), latest_at, team_id, type, latest_at, secret_id, request_id, actor_id,
        reference, address, ask, proof, network
      FROM placed ORDER BY place RETURNING id, place
    )
  SELECT latest_at, last_place, (SELECT json_agg(id ORDER BY place) FROM told) AS ids FROM clock`;

function writeClock(
  connection: Connection,
  { now, effects }: StagedTransaction,
  { erasures, origin, locksClock }: Pick<CommitOptions, "origin" | "locksClock"> & { readonly erasures: number },
): Promise<Answer> {
  const deadline = locksClock || effects.deadlines.length === 0 ? null : Math.min(...effects.deadlines);
  const params = [deadline, now, effects.events.length, erasures];
  if (effects.events.length === 0) return connection.run(CLOCK, params);
  return connection.run(CLOCK_AND_EVENTS, [...params, toRecordset(events, effects.events), origin]);
}

function writeCounts({ effects }: StagedTransaction, locksClock: boolean, write: Write): void {
  const teams = new Map<string, { id: string; bytes: number; below: number | null }>();
  for (const { teamId, bytes } of effects.charges) {
    const team = teams.get(teamId) ?? { id: teamId, bytes: 0, below: null };
    teams.set(teamId, { ...team, bytes: team.bytes + bytes });
  }
  // A transaction that locked the clock from the start has seen every earlier charge.
  for (const { teamId, belowBytes } of locksClock ? [] : effects.bounds) {
    const team = teams.get(teamId);
    if (team) teams.set(teamId, { ...team, below: Math.min(team.below ?? Infinity, belowBytes) });
  }
  const counts = [...teams.values()].filter(({ bytes }) => bytes !== 0);
  write(
    counts.length > 0,
    `UPDATE teams SET stored_bytes = handoff_below(stored_bytes + new.bytes, new.below)
     FROM json_to_recordset($1::text::json) AS new (id text, bytes bigint, below bigint)
     WHERE teams.id = new.id AND teams.id ${IN_RECORDSET}`,
    JSON.stringify(counts),
  );
  write(
    effects.keyUses.length > 0,
    `UPDATE api_keys SET last_used_at = new.at FROM json_to_recordset($1::text::json) AS new (id text, at bigint)
     WHERE api_keys.id = new.id AND api_keys.id ${IN_RECORDSET} AND coalesce(api_keys.last_used_at, 0) < new.at`,
    JSON.stringify(effects.keyUses),
  );
  const forgotten = effects.forgottenSeals.at(-1);
  write(
    forgotten !== undefined,
    `WITH former AS (DELETE FROM event_seals WHERE id < $3::bigint),
       forgotten AS (DELETE FROM events WHERE place <= $1::bigint RETURNING team_id),
       counted AS (SELECT team_id, count(*) AS number FROM forgotten GROUP BY team_id)
     UPDATE teams SET stored_bytes = stored_bytes - number * $2::int FROM counted
     WHERE teams.id = counted.team_id AND teams.id = ANY(ARRAY(SELECT team_id FROM counted))`,
    forgotten?.lastPlace,
    ROW_BYTES.event,
    forgotten?.id,
  );
}

function writeAdminLog({ effects }: StagedTransaction, operator: Operator | undefined, write: Write): void {
  if (!operator || effects.adminLog.length === 0) return;
  const rows = effects.adminLog.map((entry) => ({ ...entry, user: operator.user, sudoUser: operator.sudoUser }));
  write(
    true,
    `INSERT INTO admin_log (at, "user", sudo_user, action, subject_id, subject_name, team_id, team_name, details)
     SELECT new.at, new."user", new."sudoUser", new.action, new."subjectId", new."subjectName", new."teamId",
       (SELECT name FROM teams WHERE teams.id = new."teamId"), new.details
     FROM json_to_recordset($1::text::json) AS new
       (at bigint, "user" text, "sudoUser" text, action text, "subjectId" text, "subjectName" text, "teamId" text, details jsonb)`,
    JSON.stringify(rows),
  );
}
