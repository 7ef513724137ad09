import type {
  CreateRequestOutcome,
  IdempotentCall,
  NewRequest,
  NewSecret,
  RequestStore,
  SubmitOutcome,
} from "../../domain/ports.ts";
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
import type { StoreContext } from "./engine/context.ts";
import type { EventWriter } from "./events.ts";
import { ciphertextRowBytes, fillBytes } from "./files/ciphertext-pages.ts";
import type { Calls } from "./idempotent-calls.ts";
import { keepExpiries } from "./lists.ts";
import type { RequestChanges } from "./request-changes.ts";
import { selectPage, toRequestRecord } from "./request-rows.ts";
import type { RequestStatements } from "./request-rows.ts";
import type { SecretCreations } from "./secret-creations.ts";
import { requestBytes, ROW_BYTES } from "./stored-bytes.ts";

export function createRequestStore(
  context: StoreContext,
  parts: {
    readonly statements: RequestStatements;
    readonly calls: Calls;
    readonly changes: RequestChanges;
    readonly creations: SecretCreations;
    readonly eventWriter: EventWriter;
  },
): RequestStore {
  const { writer, clock, storedBytes } = context;
  const { statements, calls, changes, creations, eventWriter } = parts;

  const recall = (teamId: string, call: IdempotentCall): CreateRequestOutcome | undefined => {
    const known = calls.recall(call);
    if (known === "conflict") return { kind: "conflict" };
    const row = known && statements.find.get({ id: known.subjectId, teamId });
    return row && { kind: "replayed", request: atCreation(toRequestRecord(row)) };
  };

  const create = ({ record, note, submitTokenHash, quotaBytes, call }: NewRequest): CreateRequestOutcome => {
    const known = call && recall(record.teamId, call);
    if (known) return known;
    const bytes =
      requestBytes(record.recipient) + (note === undefined ? 0 : ciphertextRowBytes(note.ciphertext.length));
    const others = ROW_BYTES.event + (call ? ROW_BYTES.call : 0);
    if (!storedBytes.fits(record.teamId, bytes + others, quotaBytes)) return { kind: "quota_exceeded" };
    storedBytes.charge(record.teamId, bytes);
    const requestSeq = statements.insert({ ...record, submitTokenHash, dueAt: record.expiresAt });
    if (note !== undefined) {
      const { version: envelopeVersion, ciphertext } = note;
      statements.insertNote({ requestSeq, envelopeVersion, ciphertext }, fillBytes(ciphertext.length));
    }
    const event = eventOf(undefined, record, { actorId: record.createdBy, now: record.createdAt });
    if (event) eventWriter.append(event);
    if (call) calls.remember(call, record);
    return { kind: "created", request: record };
  };

  const submit = (secret: NewSecret & { readonly requestId: string }): SubmitOutcome | undefined => {
    const row = statements.find.get({ id: secret.requestId, teamId: secret.record.teamId });
    if (!row) return undefined;
    const known = secret.call && creations.recall(secret.record.teamId, secret.call);
    if (known) return known;
    const now = clock.now();
    const next = afterSubmission(row, now);
    if (typeof next === "string") {
      changes.change(row, seenAt(row, now), null, now);
      return { kind: "closed", state: next };
    }
    const outcome = creations.create(secret);
    if (outcome.kind === "created") changes.change(row, next, null, now);
    return outcome;
  };

  const expire = (teamId: string, id: string): void => {
    const row = statements.find.get({ id, teamId });
    const now = clock.now();
    if (row) changes.change(row, seenAt(row, now), null, now);
  };

  return {
    createRequest: (request) => writer.write("creation", () => create(request), request.note?.ciphertext.length),
    replayRequestCreation: async (teamId, call) => recall(teamId, call),
    async findRequest(teamId, id) {
      const row = statements.find.get({ id, teamId });
      if (!row) return undefined;
      const now = clock.now();
      // Whoever has been told that it expired must never be told otherwise, whatever the clock does after a crash.
      if (isOverdue(row, now)) await writer.write("essential", () => expire(teamId, id));
      return toRequestRecord(seenAt(row, now));
    },
    async listRequests(input) {
      const now = clock.now();
      const rows = selectPage(context, input, now);
      await keepExpiries(
        context,
        rows.filter((row) => isOverdue(row, now)),
      );
      return rows.map((row) => toRequestRecord(seenAt(row, now)));
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
    findNote: async (teamId, id) => statements.findNote.get({ teamId, id }),
    submitSecret: (secret) => writer.write("creation", () => submit(secret), secret.record.ciphertextBytes),
    setRequestState: (teamId, id, { state, actorId, quotaBytes }) =>
      writer.write("essential", () => {
        const row = statements.find.get({ id, teamId });
        if (!row) return undefined;
        const now = clock.now();
        const next = afterSetting(row, state, now);
        // Whoever opens and pauses without end writes an event each time. Pausing is always possible.
        const isOpened = next.state === "open" && row.state !== "open";
        if (isOpened && !storedBytes.fits(teamId, ROW_BYTES.event, quotaBytes)) return "quota_exceeded";
        return toRequestRecord(changes.change(row, next, actorId, now));
      }),
    revokeRequest: (teamId, id, actorId) =>
      writer.write("essential", () => {
        const row = statements.find.get({ id, teamId });
        if (!row) return undefined;
        const now = clock.now();
        return toRequestRecord(changes.change(row, afterRevocation(row, now), actorId, now));
      }),
  };
}
