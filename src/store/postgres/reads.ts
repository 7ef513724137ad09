import type { Envelope } from "../../contract/envelopes.ts";
import { REQUEST_STATES, SECRET_STATES } from "../../contract/states.ts";
import type { IdempotentCall } from "../../domain/ports/calls.ts";
import { recallRequestCreation } from "../../domain/transactions/requests.ts";
import { recallCreation } from "../../domain/transactions/secrets.ts";
import type { Read, Reads } from "../../domain/transactions/stores.ts";
import type { Lookups } from "../../domain/transactions/transaction.ts";
import type { StoreContext } from "./engine/context.ts";
import { LATEST_AT, timeOf } from "./engine/context.ts";
import { refuseDamaged } from "./engine/damage.ts";
import { toRow } from "./engine/rows.ts";
import { createPages } from "./lists.ts";
import { idempotentCalls, requests, secrets } from "./schema.ts";

/**
 * Reads of committed rows, each with the current time, which is no earlier than any that another process has reported.
 */
export function createReads(context: StoreContext): Reads {
  const read = async <T extends typeof secrets | typeof requests>(
    table: T,
    where: string,
    params: readonly unknown[],
  ): Promise<Read<T["$inferSelect"]>> => {
    const name = "claimTokenHash" in table ? "secrets" : "requests";
    const rows = await context.database.read(`SELECT *, ${LATEST_AT} FROM ${name} WHERE ${where}`, params);
    return { now: timeOf(context, rows), rows: rows.map((row) => toRow(table, row)) };
  };
  return {
    findSecret: (teamId, id) => read(secrets, "id = $1 AND team_id = $2", [id, teamId]),
    listSecrets: createPages(context, secrets, SECRET_STATES),
    listApprovals: (teamId) => read(secrets, "team_id = $1 AND length(approval) > 6 ORDER BY id", [teamId]),
    findSecretByClaimToken: (hash, secretId) =>
      read(secrets, `claim_token_hash = $1 ${PREFERRED}`, [hash, secretId ?? ""]),
    replayCreation: async (teamId, call) => recallCreation(await lookUp(context, call), teamId, call),
    findRequest: (teamId, id) => read(requests, "id = $1 AND team_id = $2", [id, teamId]),
    listRequests: createPages(context, requests, REQUEST_STATES),
    findRequestBySubmitToken: (hash, requestId) =>
      read(requests, `submit_token_hash = $1 ${PREFERRED}`, [hash, requestId ?? ""]),
    replayRequestCreation: async (teamId, call) => recallRequestCreation(await lookUp(context, call), teamId, call),
    listSubmissions: (teamId, requestId) =>
      read(secrets, "request_id = $1 AND request_id IS NOT NULL AND team_id = $2 ORDER BY id", [requestId, teamId]),
    findNote: (teamId, id) => findNote(context, teamId, id),
  };
}

/** The row with the second parameter as its ID, or else the newest. */
const PREFERRED = "ORDER BY id = $2 DESC, id DESC LIMIT 1";

/** Finds the row of `call`, and the row that it has created or claimed. */
async function lookUp(context: StoreContext, call: IdempotentCall): Promise<Lookups> {
  const { database } = context;
  const found = await database.read(`SELECT *, ${LATEST_AT} FROM idempotent_calls WHERE digest = $1`, [call.digest]);
  const now = timeOf(context, found);
  const [known] = found.map((row) => toRow(idempotentCalls, row));
  const ofSubject = async (name: "secrets" | "requests") =>
    known ? database.read(`SELECT * FROM ${name} WHERE id = $1`, [known.subjectId]) : [];
  const [[secret], [request]] = await Promise.all([ofSubject("secrets"), ofSubject("requests")]);
  return {
    now,
    calls: { find: () => known },
    secrets: { find: () => secret && toRow(secrets, secret) },
    requests: { find: () => request && toRow(requests, request) },
  };
}

async function findNote({ database }: StoreContext, teamId: string, id: string): Promise<Envelope | undefined> {
  const [row] = await database.read(
    `SELECT envelope_version AS version, ciphertext FROM request_notes
     WHERE request_id = $1 AND EXISTS (SELECT FROM requests WHERE id = $1 AND team_id = $2)`,
    [id, teamId],
  );
  if (!row) return undefined;
  const ciphertext = String(row["ciphertext"]);
  refuseDamaged(ciphertext, true);
  return { version: row["version"] as 1, ciphertext };
}
