import { isLive } from "../../contract/states.ts";
import { mayUse, toActorAddress } from "../addressees.ts";
import type { IdempotentCall } from "../ports/calls.ts";
import type { EventActor } from "../ports/events.ts";
import type { CreateRequestOutcome, NewRequest, RequestRecord, Submission, SubmitOutcome } from "../ports/requests.ts";
import {
  afterRevocation,
  afterSetting,
  afterSubmission,
  atCreation,
  eventOf,
  retention,
} from "../request-lifecycle.ts";
import { NOBODY } from "../secret-lifecycle.ts";
import { seenAt } from "../values/expiry.ts";
import { recallCall, rememberCall } from "./calls.ts";
import { createSecret, recallCreation } from "./secrets.ts";
import type { SubjectChange } from "./secrets.ts";
import type { Lookups, RequestRow, Transaction } from "./transaction.ts";

/** Converts a row to a record, without the members that only transactions need. */
export function toRequestRecord(row: RequestRow): RequestRecord {
  const { seq: _seq, submitTokenHash: _hash, dueAt: _dueAt, ...record } = row;
  return record;
}

/** Finds a request; undefined when the team has none with this ID. */
function findRequest(tx: Lookups, teamId: string, id: string): RequestRow | undefined {
  const row = tx.requests.find(id);
  return row?.teamId === teamId ? row : undefined;
}

/**
 * Returns the outcome of the earlier creation by `call`; undefined when there was none, or when the request is deleted.
 */
export function recallRequestCreation(
  tx: Lookups,
  teamId: string,
  call: IdempotentCall | undefined,
): CreateRequestOutcome | undefined {
  const known = call && recallCall(tx, call);
  if (known === "conflict") return { kind: "conflict" };
  const row = known && findRequest(tx, teamId, known.subjectId);
  return row && { kind: "replayed", request: atCreation(toRequestRecord(row)) };
}

/** Creates a request, unless `call` repeats an earlier one or the team's quota is too small. */
export function createRequest(tx: Transaction, request: NewRequest): CreateRequestOutcome {
  const { record, note, submitTokenHash, quotaBytes, call, network = null } = request;
  const { teamId } = record;
  const known = recallRequestCreation(tx, teamId, call);
  if (known) return known;
  const bytes = tx.charges.request(record) + (note ? tx.charges.ciphertext(note.ciphertext.length) : 0);
  const others = tx.charges.event + (call ? tx.charges.call : 0);
  if (!tx.fits(teamId, bytes + others, quotaBytes)) return { kind: "quota_exceeded" };
  tx.charge(teamId, bytes);
  tx.requests.add({ ...record, submitTokenHash, dueAt: record.expiresAt }, note);
  const event = eventOf(undefined, record, { actorId: record.createdBy, network });
  if (event) tx.append(event, record);
  if (call) rememberCall(tx, call, record);
  return { kind: "created", request: record };
}

/** Stores a submission for an open request. Returns undefined when the team has no such request. */
export function submitSecret(tx: Transaction, secret: Submission): SubmitOutcome | undefined {
  const { record, requestId, call, address, network = null } = secret;
  const row = findRequest(tx, record.teamId, requestId);
  if (!row) return undefined;
  const known = recallCreation(tx, record.teamId, call);
  if (known) return known;
  const next = afterSubmission(row, tx.now);
  if (typeof next === "string") {
    changeRequest(tx, row, seenAt(row, tx.now), NOBODY);
    return { kind: "closed", state: next };
  }
  if (!mayUse(row, address)) return { kind: "unproven" };
  const outcome = createSecret(tx, secret, toActorAddress(row, secret));
  if (outcome !== "created") return outcome;
  tx.commitBefore(row.expiresAt);
  changeRequest(tx, row, next, { actorId: null, network });
  return { kind: "created", secret: record };
}

/** The request to pause or resume, and its new state. */
export interface StateChange extends SubjectChange {
  readonly state: "open" | "paused";
  readonly quotaBytes: number;
}

/**
 * Pauses or resumes a request and returns its record after that. Returns undefined when the team has none with this ID.
 */
export function setRequestState(tx: Transaction, change: StateChange): RequestRecord | "quota_exceeded" | undefined {
  const { teamId, id, state, actorId, network = null, quotaBytes } = change;
  const row = findRequest(tx, teamId, id);
  if (!row) return undefined;
  const next = afterSetting(row, state, tx.now);
  // A resumption is charged for its event. Pausing is always possible.
  const isResumed = next.state === "open" && row.state !== "open";
  if (isResumed && !tx.fits(teamId, tx.charges.event, quotaBytes)) return "quota_exceeded";
  if (isLive(next.state) && next !== row) tx.commitBefore(row.expiresAt);
  return toRequestRecord(changeRequest(tx, row, next, { actorId, network }));
}

/** Revokes a request and returns its record after that. Returns undefined when the team has none with this ID. */
export function revokeRequest(
  tx: Transaction,
  { teamId, id, actorId, network = null }: SubjectChange,
): RequestRecord | undefined {
  const row = findRequest(tx, teamId, id);
  if (!row) return undefined;
  const next = afterRevocation(row, tx.now);
  if (next !== row && next.state === "revoked") {
    tx.commitBefore(row.expiresAt);
    tx.record({ action: "request.revoked", subjectId: id, teamId });
  }
  return toRequestRecord(changeRequest(tx, row, next, { actorId, network }));
}

/**
 * Ends a request if it is overdue, and returns its record after that. Returns undefined when the team has none with
 * this ID.
 */
export function expireRequest(
  tx: Transaction,
  { teamId, id }: Pick<SubjectChange, "teamId" | "id">,
): RequestRecord | undefined {
  const row = findRequest(tx, teamId, id);
  return row && toRequestRecord(changeRequest(tx, row, seenAt(row, tx.now), NOBODY));
}

/** Applies the changes of a request that are due: its expiry, or erasing its note or tombstone. */
export function sweepRequest(tx: Transaction, row: RequestRow): void {
  const next = seenAt(row, tx.now);
  if (next === row) settleRequest(tx, row);
  else changeRequest(tx, row, next, NOBODY);
}

/** Deletes a request and its note, whatever its state. */
export function eraseRequest(tx: Transaction, row: RequestRow): void {
  eraseNote(tx, row);
  tx.requests.remove(row);
  tx.charge(row.teamId, -tx.charges.request(row));
}

/** Writes the change from `row` to `next` with its event, and returns `next`. Settles a request that has ended. */
function changeRequest(
  tx: Transaction,
  row: RequestRow,
  next: RequestRow,
  actor: Pick<EventActor, "actorId" | "network">,
): RequestRow {
  if (next === row) return next;
  tx.requests.change(row, next);
  const event = eventOf(row, next, actor);
  if (event) tx.append(event, next);
  if (!isLive(next.state)) settleRequest(tx, next);
  return next;
}

function eraseNote(tx: Transaction, row: RequestRow): void {
  const characters = tx.requests.eraseNote(row);
  if (characters !== undefined) tx.charge(row.teamId, -tx.charges.ciphertext(characters));
}

/** Erases the parts of a request whose retention has ended, and sets the sweeper's next visit. */
function settleRequest(tx: Transaction, row: RequestRow): void {
  const { tombstoneMs } = tx;
  const { keep, dueAt } = retention(row, { lastWaiting: tx.requests.lastWaiting(row), tombstoneMs }, tx.now);
  if (keep === "nothing") return eraseRequest(tx, row);
  if (keep === "tombstone") eraseNote(tx, row);
  if (row.dueAt !== dueAt) tx.requests.change(row, { ...row, dueAt });
}
