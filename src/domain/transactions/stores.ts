import type { Envelope } from "../../contract/envelopes.ts";
import type { RequestState, SecretState } from "../../contract/states.ts";
import type { IdempotentCall } from "../ports/calls.ts";
import type { CredentialStore } from "../ports/credentials.ts";
import type { ListInput } from "../ports/lists.ts";
import type { CreateRequestOutcome, RequestStore } from "../ports/requests.ts";
import type { CreateSecretOutcome, SecretStore } from "../ports/secrets.ts";
import type { TimeStore } from "../ports/sources.ts";
import type { UploadStore } from "../ports/uploads.ts";
import { isOverdue, seenAt } from "../values/expiry.ts";
import type { Run, RunOperation, UPLOAD_OPERATIONS } from "./operations.ts";
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
  /** The secrets of a team with asks for approval, oldest first. */
  listApprovals(teamId: string): Eventually<Read<SecretRow>>;
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
    setSecretTerms: (teamId, id, change) => run("setSecretTerms", { teamId, id, ...change }),
    revokeSecret: (teamId, id, actorId, network = null) => run("revokeSecret", { teamId, id, actorId, network }),
    askApproval: (input) => run("askApproval", input),
    decideAsk: (input) => run("decideAsk", input),
    async listApprovals(teamId) {
      const { rows } = await readSeen(engine, () => reads.listApprovals(teamId));
      return rows.filter(({ state }) => state === "available").map(toSecretRecord);
    },
    async findSecret(teamId, id) {
      const { rows, now } = await reads.findSecret(teamId, id);
      const [row] = rows;
      // Expires it in a transaction: it may just have ended in another way, and a reported expiry must stay.
      if (row && isOverdue(row, now)) return run("expireSecret", { teamId, id });
      return row && toSecretRecord(row);
    },
    async listSecrets(input) {
      const { rows, nextCursor } = await readSeen(engine, () => reads.listSecrets(input));
      return { items: rows.map(toSecretRecord), nextCursor };
    },
    async findSecretByClaimToken(hash, secretId) {
      const { rows } = await readSeen(engine, () => reads.findSecretByClaimToken(hash, secretId));
      return rows.map(toSecretRecord)[0];
    },
  };
}

/** The store of uploads, over an engine that keeps large secrets. */
export function createUploadStore(
  run: Run<typeof UPLOAD_OPERATIONS>,
  reads: Pick<
    UploadStore,
    "findUpload" | "listUploads" | "findUploadOf" | "countUploads" | "findParts" | "keptUploads"
  >,
): UploadStore {
  return {
    ...reads,
    createUpload: (upload, quotaBytes, others = []) => run("createUpload", { upload, quotaBytes, others }),
    noteProgress: (id, progress) => run("noteProgress", { id, ...progress }),
    endUpload: (id) => run("endUpload", { id }),
    goOnDownloading: (id, claimDigest, until) => run("goOnDownloading", { id, claimDigest, until }),
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
      if (row && isOverdue(row, now)) return run("expireRequest", { teamId, id });
      return row && toRequestRecord(row);
    },
    async listRequests(input) {
      const { rows, nextCursor } = await readSeen(engine, () => reads.listRequests(input));
      return { items: rows.map(toRequestRecord), nextCursor };
    },
    async listSubmissions(teamId, requestId) {
      const { rows } = await readSeen(engine, () => reads.listSubmissions(teamId, requestId));
      return rows.map(({ id, state, createdAt }) => ({ secretId: id, state, createdAt }));
    },
    findNote: async (teamId, requestId) => reads.findNote(teamId, requestId),
    submitSecret: (secret) => run("submitSecret", secret),
    setRequestState: (teamId, id, change) => run("setRequestState", { teamId, id, ...change }),
    revokeRequest: (teamId, id, actorId, network = null) => run("revokeRequest", { teamId, id, actorId, network }),
    async findRequestBySubmitToken(hash, requestId) {
      const { rows } = await readSeen(engine, () => reads.findRequestBySubmitToken(hash, requestId));
      return rows.map(toRequestRecord)[0];
    },
  };
}

/**
 * Reads rows as callers see them, and ensures that a reported expiry stays; the sweeper writes it later. A row that
 * seems overdue may be ending in another way, by a change that was decided before the expiry. Once the time is stored,
 * no such change can be committed any more, so the rows are read again after that.
 */
async function readSeen<Row extends SecretRow | RequestRow, Found extends Read<Row>>(
  { keepTime }: Engine,
  read: () => Eventually<Found & Read<Row>>,
): Promise<Found & Read<Row>> {
  for (let storedMs = 0; ;) {
    const found = await read();
    const { rows, now } = found;
    const overdue = rows.filter((row) => isOverdue(row, now)).map(({ expiresAt }) => expiresAt);
    const latest = Math.max(0, ...overdue);
    if (latest <= storedMs) return { ...found, rows: rows.map((row) => seenAt(row, now)) };
    await keepTime(latest);
    storedMs = latest;
  }
}
