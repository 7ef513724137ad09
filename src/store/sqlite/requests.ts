import type { IdempotentCall } from "../../domain/ports/calls.ts";
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
import { createAdminLog } from "./admin-log.ts";
import type { StoreContext } from "./engine/context.ts";
import type { Transaction } from "./engine/transaction.ts";
import type { EventWriter } from "./events.ts";
import { ciphertextRowBytes, fillBytes } from "./files/ciphertext-pages.ts";
import { refuseDamaged } from "./files/stored-ciphertexts.ts";
import type { Calls } from "./idempotent-calls.ts";
import { keepExpiries } from "./lists.ts";
import type { RequestChanges } from "./request-changes.ts";
import { toRequestRecord } from "./request-rows.ts";
import type { RequestStatements } from "./request-rows.ts";
import type { SecretCreations } from "./secret-creations.ts";
import { requestBytes, ROW_BYTES } from "./stored-bytes.ts";

export interface RequestParts {
  readonly statements: RequestStatements;
  readonly calls: Calls;
  readonly changes: RequestChanges;
  readonly creations: SecretCreations;
  readonly eventWriter: EventWriter;
}

type Submission = NewSecret & { readonly requestId: string };

export function createRequestStore(context: StoreContext, parts: RequestParts): RequestStore {
  const { clock } = context;
  const { statements } = parts;
  const run = context.operations.add(requestOperations(context, parts));
  return {
    createRequest: (request) => run("createRequest", request),
    replayRequestCreation: async (teamId, call) => recall(parts, teamId, call),
    async findRequest(teamId, id) {
      const row = statements.find.get({ id, teamId });
      if (!row) return undefined;
      const now = clock.now();
      // Whoever has been told that it expired must never be told otherwise, whatever the clock does after a crash.
      if (isOverdue(row, now)) await run("expireRequest", { teamId, id });
      return toRequestRecord(seenAt(row, now));
    },
    async listRequests(input) {
      const now = clock.now();
      const { items: rows, nextCursor } = statements.selectPage(input, now);
      await keepExpiries(
        context,
        rows.filter((row) => isOverdue(row, now)),
      );
      return { items: rows.map((row) => toRequestRecord(seenAt(row, now))), nextCursor };
    },
    async listSubmissions(teamId, requestId) {
      const now = clock.now();
      const rows = statements.listSubmissions.all({ teamId, requestId });
      await keepExpiries(
        context,
        rows.filter((row) => isSecretOverdue(row, now)),
      );
      return rows.map((row) => ({ secretId: row.id, state: secretStateAt(row, now), createdAt: row.createdAt }));
    },
    async findNote(teamId, id) {
      const found = statements.findNote.get({ teamId, id });
      if (!found) return undefined;
      const { version, ciphertext, fillBytes: stored } = found;
      // Its length is not stored. The zeros behind it are as many as belong to that.
      refuseDamaged(ciphertext, fillBytes(ciphertext.length) === stored);
      return { version, ciphertext };
    },
    submitSecret: (secret) => run("submitSecret", secret),
    setRequestState: (teamId, id, change) => run("setRequestState", { teamId, id, ...change }),
    revokeRequest: (teamId, id, actorId) => run("revokeRequest", { teamId, id, actorId }),
  };
}

/**
 * The outcome of the creation that this call made before; "conflict" when the same key made something else, undefined
 * when it made nothing, or nothing that is still there.
 */
function recall(
  { calls, statements }: RequestParts,
  teamId: string,
  call: IdempotentCall,
): CreateRequestOutcome | undefined {
  const known = calls.recall(call);
  if (known === "conflict") return { kind: "conflict" };
  const row = known && statements.find.get({ id: known.subjectId, teamId });
  return row && { kind: "replayed", request: atCreation(toRequestRecord(row)) };
}

function requestOperations(context: StoreContext, parts: RequestParts) {
  const { clock } = context;
  const adminLog = createAdminLog(context);
  const { statements, calls, changes, creations, eventWriter } = parts;

  const create = (tx: Transaction, request: NewRequest): CreateRequestOutcome => {
    const { record, note, submitTokenHash, quotaBytes, call } = request;
    const known = call && recall(parts, record.teamId, call);
    if (known) return known;
    const bytes = requestBytes(record) + (note ? ciphertextRowBytes(note.ciphertext.length) : 0);
    const others = ROW_BYTES.event + (call ? ROW_BYTES.call : 0);
    if (!tx.fits(record.teamId, bytes + others, quotaBytes)) return { kind: "quota_exceeded" };
    tx.charge(record.teamId, bytes);
    const requestSeq = statements.insert({ ...record, submitTokenHash, dueAt: record.expiresAt });
    if (note !== undefined) {
      const { version: envelopeVersion, ciphertext } = note;
      statements.insertNote({ requestSeq, envelopeVersion, ciphertext }, fillBytes(ciphertext.length));
    }
    const event = eventOf(undefined, record, record.createdBy);
    if (event) eventWriter.append(tx, event);
    if (call) calls.remember(tx, call, record);
    return { kind: "created", request: record };
  };

  const submit = (tx: Transaction, secret: Submission): SubmitOutcome | undefined => {
    const row = statements.find.get({ id: secret.requestId, teamId: secret.record.teamId });
    if (!row) return undefined;
    const known = secret.call && creations.recall(secret.record.teamId, secret.call);
    if (known) return known;
    const now = clock.now();
    const next = afterSubmission(row, now);
    if (typeof next === "string") {
      changes.change(tx, row, seenAt(row, now), null, now);
      return { kind: "closed", state: next };
    }
    const outcome = creations.create(tx, secret);
    if (outcome.kind === "created") changes.change(tx, row, next, null, now);
    return outcome;
  };

  const setState = (tx: Transaction, change: StateChange): RequestRecord | "quota_exceeded" | undefined => {
    const { teamId, id, state, actorId, quotaBytes } = change;
    const row = statements.find.get({ id, teamId });
    if (!row) return undefined;
    const now = clock.now();
    const next = afterSetting(row, state, now);
    // Whoever opens and pauses without end writes an event each time. Pausing is always possible.
    const isOpened = next.state === "open" && row.state !== "open";
    if (isOpened && !tx.fits(teamId, ROW_BYTES.event, quotaBytes)) return "quota_exceeded";
    return toRequestRecord(changes.change(tx, row, next, actorId, now));
  };

  return {
    createRequest: {
      kind: "creation",
      bytes: ({ note }: NewRequest) => note?.ciphertext.length ?? 0,
      run: create,
    },
    submitSecret: { kind: "creation", bytes: ({ record }: Submission) => record.ciphertextBytes, run: submit },
    setRequestState: { kind: "essential", run: setState },
    revokeRequest: {
      kind: "essential",
      run(tx: Transaction, { teamId, id, actorId }: { teamId: string; id: string; actorId: string | null }) {
        const row = statements.find.get({ id, teamId });
        const now = clock.now();
        if (!row) return undefined;
        const next = changes.change(tx, row, afterRevocation(row, now), actorId, now);
        if (next !== row && next.state === "revoked") {
          adminLog.record({ action: "request.revoked", subjectId: id, teamId });
        }
        return toRequestRecord(next);
      },
    },
    expireRequest: {
      kind: "essential",
      run(tx: Transaction, { teamId, id }: { teamId: string; id: string }) {
        const row = statements.find.get({ id, teamId });
        const now = clock.now();
        if (row) changes.change(tx, row, seenAt(row, now), null, now);
      },
    },
  } as const;
}

interface StateChange {
  readonly teamId: string;
  readonly id: string;
  readonly state: "open" | "paused";
  readonly actorId: string | null;
  readonly quotaBytes: number;
}
