import type {
  CreateRequestOutcome,
  IdempotentCall,
  NewRequest,
  NewSecret,
  RequestRecord,
  RequestStore,
  SubmitOutcome,
} from "../../domain/ports.ts";
import type { StoreContext } from "./engine/context.ts";
import type { EventWriter } from "./events.ts";
import { ciphertextRowBytes, fillBytes } from "./files/ciphertext-pages.ts";
import { prepareCalls } from "./idempotent-calls.ts";
import type { RequestEnds } from "./request-ends.ts";
import { hasRequestExpired, isLive, selectRequestPage, toRequestRecord } from "./request-rows.ts";
import type { RequestRow, RequestStatements } from "./request-rows.ts";
import type { SecretCreations } from "./secret-creations.ts";
import { hasExpired, toSecretRecord } from "./secret-rows.ts";
import { requestBytes, ROW_BYTES } from "./stored-bytes.ts";

export function createRequestStore(
  context: StoreContext,
  statements: RequestStatements,
  ends: RequestEnds,
  creations: SecretCreations,
  eventWriter: EventWriter,
): RequestStore {
  const { writer, clock, storedBytes } = context;
  const calls = prepareCalls(context);

  const recall = (teamId: string, call: IdempotentCall): CreateRequestOutcome | undefined => {
    const known = calls.recall(call);
    if (known === "conflict") return { kind: "conflict" };
    const row = known && statements.find.get({ id: known.subjectId, teamId });
    return row && { kind: "replayed", request: atCreation(row) };
  };

  const create = ({ record, note, submitTokenHash, quotaBytes, call }: NewRequest): CreateRequestOutcome => {
    const known = call && recall(record.teamId, call);
    if (known) return known;
    const bytes =
      requestBytes(record.recipient) + (note === undefined ? 0 : ciphertextRowBytes(note.ciphertext.length));
    const others = ROW_BYTES.event + (call ? ROW_BYTES.call : 0);
    if (!storedBytes.fits(record.teamId, bytes + others, quotaBytes)) return { kind: "quota_exceeded" };
    storedBytes.charge(record.teamId, bytes);
    const inserted = statements.insert.get({ ...record, submitTokenHash, dueAt: record.expiresAt });
    if (note !== undefined) {
      const { version, ciphertext } = note;
      statements.insertNote.run({ seq: inserted?.seq, version, ciphertext, fillBytes: fillBytes(ciphertext.length) });
    }
    eventWriter.appendForRequest("request.created", record, record.createdAt, record.createdBy);
    if (call) calls.remember(call, record);
    return { kind: "created", request: record };
  };

  const submit = (secret: NewSecret & { readonly requestId: string }): SubmitOutcome | undefined => {
    const row = statements.find.get({ id: secret.requestId, teamId: secret.record.teamId });
    if (!row) return undefined;
    const known = secret.call && creations.recall(secret.record.teamId, secret.call);
    if (known) return known;
    const now = clock.now();
    const { state } = ends.expireIfDue(row, now);
    if (state !== "open") return { kind: "closed", state };
    const outcome = creations.create(secret);
    if (outcome.kind !== "created") return outcome;
    const taken = statements.takeSubmission.get({ seq: row.seq, now });
    // It was open a moment ago, in this very transaction.
    if (!taken) throw new Error("an open request took no submission");
    if (taken.state === "fulfilled") ends.fulfil(taken);
    return outcome;
  };

  const change = <Refused extends string>(
    teamId: string,
    id: string,
    apply: (row: RequestRow, now: number) => RequestRow | Refused,
  ): Promise<RequestRecord | Refused | undefined> =>
    writer.write("essential", () => {
      const row = statements.find.get({ id, teamId });
      if (!row) return undefined;
      const now = clock.now();
      const current = ends.expireIfDue(row, now);
      const changed = isLive(current) ? apply(current, now) : current;
      return typeof changed === "string" ? changed : toRequestRecord(changed, now);
    });

  /** Whoever has been told that it expired must never be told otherwise, whatever the clock does after a crash. */
  const keepExpiry = async (row: RequestRow | undefined, now: number) => {
    if (!row || !hasRequestExpired(row, now)) return;
    await writer.write("essential", () => void ends.expireIfDue(row, clock.now()));
  };

  return {
    createRequest: (request) => writer.write("creation", () => create(request), request.note?.ciphertext.length),
    replayRequestCreation: async (teamId, call) => recall(teamId, call),
    async findRequest(teamId, id) {
      const [row, now] = [statements.find.get({ id, teamId }), clock.now()];
      await keepExpiry(row, now);
      return row && toRequestRecord(row, now);
    },
    async listRequests(input) {
      const now = clock.now();
      const rows = selectRequestPage(context, input, now);
      const expired = rows.filter((row) => hasRequestExpired(row, now));
      await context.keepTime(Math.max(0, ...expired.map((row) => row.expiresAt)));
      return rows.map((row) => toRequestRecord(row, now));
    },
    async listSubmissions(teamId, requestId) {
      const now = clock.now();
      const rows = statements.listSubmissions.all({ teamId, requestId });
      await context.keepTime(Math.max(0, ...rows.filter((row) => hasExpired(row, now)).map((row) => row.expiresAt)));
      return rows.map((row) => {
        const { id, state, createdAt } = toSecretRecord(row, now);
        return { secretId: id, state, createdAt };
      });
    },
    findNote: async (teamId, id) => statements.findNote.get({ teamId, id }),
    submitSecret: (secret) => writer.write("creation", () => submit(secret), secret.record.ciphertextBytes),
    setRequestState: (teamId, id, { state, actorId, quotaBytes }) =>
      change(teamId, id, (row, now) => {
        if (row.state === state) return row;
        // Whoever opens and pauses without end writes an event each time. Pausing is always possible.
        if (state === "open" && !storedBytes.fits(teamId, ROW_BYTES.event, quotaBytes)) return "quota_exceeded";
        const changed = statements.setState.get({ seq: row.seq, state }) ?? row;
        const type = state === "paused" ? "request.paused" : "request.opened";
        eventWriter.appendForRequest(type, changed, now, actorId);
        return changed;
      }),
    revokeRequest: (teamId, id, actorId) => change<never>(teamId, id, (row) => ends.end(row, "revoked", actorId)),
  };
}

/** What the answer to the creation of `row` was. */
function atCreation(row: RequestRow): RequestRecord {
  return { ...toRequestRecord(row, 0), state: "open", submissionCount: 0, endedAt: null };
}
