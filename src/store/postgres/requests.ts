import { isCiphertext } from "../../contract/ciphertexts.ts";
import { isLive } from "../../contract/states.ts";
import type {
  CreateRequestOutcome,
  NewRequest,
  RequestRecord,
  RequestStore,
  SubmitOutcome,
} from "../../domain/ports/requests.ts";
import type { NewSecret } from "../../domain/ports/secrets.ts";
import {
  afterRevocation,
  afterSetting,
  afterSubmission,
  atCreation,
  eventOf,
  isOverdue,
  seenAt,
} from "../../domain/request-lifecycle.ts";
import { isOverdue as isSecretOverdue, stateAt as secretStateAt } from "../../domain/secret-lifecycle.ts";
import { storageUnavailable } from "../../domain/storage-refusals.ts";
import type { StoreContext } from "./engine/context.ts";
import { LATEST_AT, timeOf } from "./engine/context.ts";
import { toRow } from "./engine/rows.ts";
import { requestBytes, ROW_BYTES, sealedBytes } from "./engine/stored-bytes.ts";
import { appendEvent } from "./engine/transaction.ts";
import type { Transaction } from "./engine/transaction.ts";
import { recallCall, rememberCall } from "./idempotent-calls.ts";
import { createPages, keepExpiries } from "./lists.ts";
import { findCreation } from "./replays.ts";
import { changeRequest, findRequest, sweepRequest, toRequestRecord } from "./request-changes.ts";
import { requests, secrets } from "./schema.ts";
import { createSecret, recallCreation } from "./secret-changes.ts";

type Submission = NewSecret & { readonly requestId: string };

export function createRequestStore(context: StoreContext): RequestStore {
  const { database, writer, clock, tombstoneMs } = context;
  const selectPage = createPages(context, requests, {
    live: ["open", "paused"],
    ended: ["fulfilled", "expired", "revoked"],
  });
  return {
    createRequest(request) {
      const { record, call, note } = request;
      const needs = { teamIds: [record.teamId], digests: call ? [call.digest] : [] };
      return writer.write(needs, (tx) => create(tx, request), note?.ciphertext.length);
    },
    async replayRequestCreation(teamId, call) {
      const found = await findCreation(context, requests, teamId, call);
      if (found === "conflict") return { kind: "conflict" };
      return found && { kind: "replayed", request: atCreation(toRequestRecord(found)) };
    },
    async findRequest(teamId, id) {
      const rows = await database.read(`SELECT *, ${LATEST_AT} FROM requests WHERE id = $1 AND team_id = $2`, [
        id,
        teamId,
      ]);
      const now = timeOf(context, rows);
      const [row] = rows.map((each) => toRow(requests, each));
      if (!row) return undefined;
      if (!isOverdue(row, now)) return toRequestRecord(row);
      // Whoever has been told that it expired must never be told otherwise. It may have ended otherwise a moment ago.
      const ended = await writer.write({ requestIds: [id] }, (tx) => {
        const current = findRequest(tx, teamId, id);
        if (current) sweepRequest(tx, current, tombstoneMs);
        return current && seenAt(current, tx.now);
      });
      return ended && toRequestRecord(ended);
    },
    async listRequests(input) {
      const { rows, nextCursor } = await selectPage(input);
      const now = clock.now();
      await keepExpiries(
        context,
        rows.filter((row) => isOverdue(row, now)),
      );
      return { items: rows.map((row) => toRequestRecord(seenAt(row, now))), nextCursor };
    },
    async listSubmissions(teamId, requestId) {
      const found = await database.read(
        `SELECT *, ${LATEST_AT} FROM secrets
         WHERE request_id = $1 AND request_id IS NOT NULL AND team_id = $2 ORDER BY id`,
        [requestId, teamId],
      );
      const now = timeOf(context, found);
      const rows = found.map((row) => toRow(secrets, row));
      await keepExpiries(
        context,
        rows.filter((row) => isSecretOverdue(row, now)),
      );
      return rows.map((row) => ({ secretId: row.id, state: secretStateAt(row, now), createdAt: row.createdAt }));
    },
    findNote: (teamId, id) => findNote(context, teamId, id),
    submitSecret(secret) {
      const { record, requestId, call } = secret;
      const needs = { requestIds: [requestId], teamIds: [record.teamId], digests: call ? [call.digest] : [] };
      return writer.write(needs, (tx) => submit(tx, secret, tombstoneMs), record.ciphertextBytes);
    },
    setRequestState: (teamId, id, change) =>
      writer.write({ requestIds: [id], teamIds: [teamId] }, (tx) =>
        setState(tx, { teamId, id, ...change }, tombstoneMs),
      ),
    revokeRequest: (teamId, id, actorId) =>
      writer.write({ requestIds: [id] }, (tx) => {
        const row = findRequest(tx, teamId, id);
        if (!row) return undefined;
        const next = changeRequest(tx, row, afterRevocation(row, tx.now), actorId, tombstoneMs);
        if (next !== row && next.state === "revoked") {
          const subject = { subjectId: id, subjectName: null, teamId };
          tx.traces.notes.push({ at: tx.now, action: "request.revoked", ...subject, details: {} });
        }
        return toRequestRecord(next);
      }),
  };
}

async function findNote({ database }: StoreContext, teamId: string, id: string) {
  const [row] = await database.read(
    `SELECT request_notes.envelope_version AS version, request_notes.ciphertext FROM request_notes
     JOIN requests ON requests.id = request_id WHERE requests.id = $1 AND team_id = $2`,
    [id, teamId],
  );
  if (!row) return undefined;
  const ciphertext = String(row["ciphertext"]);
  if (!isCiphertext(ciphertext)) throw storageUnavailable(new Error("a note is damaged"));
  return { version: row["version"] as 1, ciphertext };
}

function create(tx: Transaction, request: NewRequest): CreateRequestOutcome {
  const { record, note, submitTokenHash, quotaBytes, call } = request;
  const known = call && recallCall(tx, call);
  if (known === "conflict") return { kind: "conflict" };
  const made = known && findRequest(tx, record.teamId, known.subjectId);
  if (made) return { kind: "replayed", request: atCreation(toRequestRecord(made)) };
  const bytes = requestBytes(record) + (note ? sealedBytes(note.ciphertext.length) : 0);
  const others = ROW_BYTES.event + (call ? ROW_BYTES.call : 0);
  if (!tx.fits(record.teamId, bytes + others, quotaBytes)) return { kind: "quota_exceeded" };
  tx.charge(record.teamId, bytes);
  tx.requests.set(record.id, { ...record, submitTokenHash, dueAt: record.expiresAt });
  if (note) tx.notes.set(record.id, { requestId: record.id, bytes: note.ciphertext.length, note });
  const event = eventOf(undefined, record, record.createdBy);
  if (event) appendEvent(tx, event);
  if (call) rememberCall(tx, call, record);
  return { kind: "created", request: record };
}

function submit(tx: Transaction, secret: Submission, tombstoneMs: number): SubmitOutcome | undefined {
  const row = findRequest(tx, secret.record.teamId, secret.requestId);
  if (!row) return undefined;
  const known = secret.call && recallCreation(tx, secret.record.teamId, secret.call);
  if (known) return known;
  const next = afterSubmission(row, tx.now);
  if (typeof next === "string") {
    changeRequest(tx, row, seenAt(row, tx.now), null, tombstoneMs);
    return { kind: "closed", state: next };
  }
  const outcome = createSecret(tx, secret);
  if (outcome.kind === "created") {
    tx.traces.deadlines.push(row.expiresAt);
    changeRequest(tx, row, next, null, tombstoneMs);
  }
  return outcome;
}

interface StateChange {
  readonly teamId: string;
  readonly id: string;
  readonly state: "open" | "paused";
  readonly actorId: string | null;
  readonly quotaBytes: number;
}

function setState(
  tx: Transaction,
  { teamId, id, state, actorId, quotaBytes }: StateChange,
  tombstoneMs: number,
): RequestRecord | "quota_exceeded" | undefined {
  const row = findRequest(tx, teamId, id);
  if (!row) return undefined;
  const next = afterSetting(row, state, tx.now);
  // Whoever opens and pauses without end writes an event each time. Pausing is always possible.
  const isOpened = next.state === "open" && row.state !== "open";
  if (isOpened && !tx.fits(teamId, ROW_BYTES.event, quotaBytes)) return "quota_exceeded";
  if (isLive(next.state) && next !== row) tx.traces.deadlines.push(row.expiresAt);
  return toRequestRecord(changeRequest(tx, row, next, actorId, tombstoneMs));
}
