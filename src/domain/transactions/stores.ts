import type { Envelope } from "../../contract/envelopes.ts";
import type { RequestState, SecretState } from "../../contract/states.ts";
import type { IdempotentCall } from "../ports/calls.ts";
import type { CredentialStore } from "../ports/credentials.ts";
import type { ListInput } from "../ports/lists.ts";
import type { CreateRequestOutcome, RequestRecord, RequestStore } from "../ports/requests.ts";
import type { CreateSecretOutcome, SecretRecord, SecretStore } from "../ports/secrets.ts";
import type { TimeStore } from "../ports/time.ts";
import * as requestLife from "../request-lifecycle.ts";
import * as secretLife from "../secret-lifecycle.ts";
import type { RunOperation } from "./operations.ts";
import { toRequestRecord } from "./requests.ts";
import { toSecretRecord } from "./secrets.ts";
import type { RequestRow, SecretRow } from "./transaction.ts";

/** Rows as they were read, and the current time, which is no earlier than any that another process has reported. */
export interface Read<Row> {
  readonly rows: readonly Row[];
  readonly now: number;
}

/** A page of rows, newest first. `nextCursor` as in `Page`. */
export interface ReadPage<Row> extends Read<Row> {
  readonly nextCursor: string | null;
}

type Eventually<T> = T | Promise<T>;

/** The reads of an engine outside of transactions. They return committed rows, overdue ones too. */
export interface Reads {
  findSecret(teamId: string, id: string): Eventually<Read<SecretRow>>;
  listSecrets(input: ListInput<SecretState>): Eventually<ReadPage<SecretRow>>;
  /** As `CredentialStore.findSecretByClaimToken`. */
  findSecretByClaimToken(hash: Uint8Array, secretId: string | undefined): Eventually<Read<SecretRow>>;
  replayCreation(teamId: string, call: IdempotentCall): Eventually<CreateSecretOutcome | undefined>;
  findRequest(teamId: string, id: string): Eventually<Read<RequestRow>>;
  listRequests(input: ListInput<RequestState>): Eventually<ReadPage<RequestRow>>;
  /** As `CredentialStore.findRequestBySubmitToken`. */
  findRequestBySubmitToken(hash: Uint8Array, requestId: string | undefined): Eventually<Read<RequestRow>>;
  replayRequestCreation(teamId: string, call: IdempotentCall): Eventually<CreateRequestOutcome | undefined>;
  /** The submissions of a request, oldest first. */
  listSubmissions(teamId: string, requestId: string): Eventually<Read<SecretRow>>;
  findNote(teamId: string, requestId: string): Eventually<Envelope | undefined>;
}

/** The parts of an engine that the stores of secrets and requests use. */
export interface Engine extends TimeStore {
  readonly run: RunOperation;
  readonly reads: Reads;
}

type TokenStore = Pick<CredentialStore, "findSecretByClaimToken" | "findRequestBySubmitToken">;

/** The store of secrets over `engine`. */
export function createSecretStore(engine: Engine): SecretStore & Pick<TokenStore, "findSecretByClaimToken"> {
  const { run, reads } = engine;
  return {
    async createSecret(secret) {
      const outcome = await run("createSecret", secret);
      return outcome === "created" ? { kind: "created", secret: secret.record } : outcome;
    },
    replayCreation: async (teamId, call) => reads.replayCreation(teamId, call),
    async claimSecret({ signal, ...input }) {
      const outcome = await run("claimSecret", input, signal);
      return outcome === "abandoned" ? { kind: "abandoned" } : outcome;
    },
    acknowledgeClaim: (id, claimDigest) => run("acknowledgeClaim", { id, claimDigest }),
    revokeSecret: (teamId, id, actorId) => run("revokeSecret", { teamId, id, actorId }),
    async findSecret(teamId, id) {
      const { rows, now } = await reads.findSecret(teamId, id);
      const [row] = rows;
      // Expires it in a transaction: it may just have ended in another way, and a reported expiry must stay.
      if (row && secretLife.isOverdue(row, now)) return run("expireSecret", { teamId, id });
      return row && toSecretRecord(row);
    },
    async listSecrets(input) {
      const { nextCursor, ...found } = await reads.listSecrets(input);
      return { items: await seenSecrets(engine, found), nextCursor };
    },
    async findSecretByClaimToken(hash, secretId) {
      const [secret] = await seenSecrets(engine, await reads.findSecretByClaimToken(hash, secretId));
      return secret;
    },
  };
}

/** The store of requests over `engine`. */
export function createRequestStore(engine: Engine): RequestStore & Pick<TokenStore, "findRequestBySubmitToken"> {
  const { run, reads } = engine;
  return {
    createRequest: (request) => run("createRequest", request),
    replayRequestCreation: async (teamId, call) => reads.replayRequestCreation(teamId, call),
    async findRequest(teamId, id) {
      const { rows, now } = await reads.findRequest(teamId, id);
      const [row] = rows;
      if (row && requestLife.isOverdue(row, now)) return run("expireRequest", { teamId, id });
      return row && toRequestRecord(row);
    },
    async listRequests(input) {
      const { nextCursor, ...found } = await reads.listRequests(input);
      return { items: await seenRequests(engine, found), nextCursor };
    },
    async listSubmissions(teamId, requestId) {
      const secrets = await seenSecrets(engine, await reads.listSubmissions(teamId, requestId));
      return secrets.map(({ id, state, createdAt }) => ({ secretId: id, state, createdAt }));
    },
    findNote: async (teamId, requestId) => reads.findNote(teamId, requestId),
    submitSecret: (secret) => run("submitSecret", secret),
    setRequestState: (teamId, id, change) => run("setRequestState", { teamId, id, ...change }),
    revokeRequest: (teamId, id, actorId) => run("revokeRequest", { teamId, id, actorId }),
    async findRequestBySubmitToken(hash, requestId) {
      const [request] = await seenRequests(engine, await reads.findRequestBySubmitToken(hash, requestId));
      return request;
    },
  };
}

/** The secrets as callers see them at `now`. Ensures that a reported expiry stays; the sweeper writes it later. */
async function seenSecrets(engine: Engine, { rows, now }: Read<SecretRow>): Promise<SecretRecord[]> {
  await keepExpiries(
    engine,
    rows.filter((row) => secretLife.isOverdue(row, now)),
  );
  return rows.map((row) => toSecretRecord(secretLife.seenAt(row, now)));
}

async function seenRequests(engine: Engine, { rows, now }: Read<RequestRow>): Promise<RequestRecord[]> {
  await keepExpiries(
    engine,
    rows.filter((row) => requestLife.isOverdue(row, now)),
  );
  return rows.map((row) => toRequestRecord(requestLife.seenAt(row, now)));
}

async function keepExpiries({ keepTime }: Engine, overdue: readonly { readonly expiresAt: number }[]): Promise<void> {
  if (overdue.length > 0) await keepTime(Math.max(...overdue.map(({ expiresAt }) => expiresAt)));
}
