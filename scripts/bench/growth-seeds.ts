import type { Database } from "bun:sqlite";
import { createIds } from "../../src/domain/ids.ts";
import type { SecretRecord } from "../../src/domain/ports/secrets.ts";
import type { Ids } from "../../src/domain/ports/sources.ts";
import { systemRandom } from "../../src/domain/random.ts";
import { openOrm } from "../../src/store/sqlite/engine/context.ts";
import { openDatabase } from "../../src/store/sqlite/engine/database.ts";
import { fillBytes } from "../../src/store/sqlite/files/ciphertext-pages.ts";
import {
  apiKeys,
  ciphertexts,
  events,
  idempotentCalls,
  identities,
  personTokens,
  requests,
  secrets,
  teams,
} from "../../src/store/sqlite/schema.ts";
import {
  prepareInsert,
  prepareNumberedInsert,
  prepareSealedInsert,
} from "../../src/store/sqlite/statements/inserts.ts";

const ROWS_PER_TRANSACTION = 20_000;
const DAY_MS = 86_400_000;
const AGE_MS = 5 * DAY_MS;
const LIFETIME_MS = 7 * DAY_MS;
/** One of so many secrets can be claimed; the others have been. */
const SECRETS_PER_WAITING = 10;
/** For so many secrets there are a request, a call that can be repeated, an identity, its key and a session. */
const SECRETS_PER_OTHER = 10;
const IDENTITIES_PER_TEAM = 100;
/** The secrets that are due for the sweeper, and the requests that are open: the oldest of all. */
const DUE = 1000;
const OPEN_REQUESTS = 50;
export const CIPHERTEXT = "x".repeat(1024);
const RECIPIENT = "age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p";

/** What was stored, as far as calls name it. */
export interface Seeded {
  /** The team that all secrets and requests belong to, and the identity that made them. */
  readonly teamId: string;
  readonly creatorId: string;
  readonly secretIds: string[];
  /** Those that can be claimed. */
  readonly claimable: string[];
  readonly requestIds: string[];
}

/** The hash of the claim token of a seeded secret, or of the submit token of a request. */
export function tokenHashOf(id: string): Uint8Array {
  return new Bun.CryptoHasher("sha256").update(id).digest();
}

/** The name of a seeded identity; an id would be none. */
export function nameOf(identityId: string): string {
  return `name of ${identityId.slice(-12)}`;
}

/**
 * Puts `stored` secrets of the last five days into an empty database in `folder`, and what a server has that has so many,
 * past the writer and without waiting for the disk.
 */
export function seedGrowth(folder: string, stored: number): Seeded {
  const database = openDatabase(folder);
  database.run("PRAGMA synchronous = OFF");
  const time = { now: () => createdAt };
  let createdAt = Date.now() - AGE_MS;
  const start = createdAt;
  const ids = createIds(time, systemRandom);
  const credentials = prepareCredentials(database, ids);
  const seeded: Seeded = { ...credentials(start), secretIds: [], claimable: [], requestIds: [] };
  const rows = prepareRows(database, ids, seeded);
  const seedMany = database.transaction((from: number, end: number) => {
    for (let row = from; row < end; row++) {
      createdAt = Math.floor(start + (row / stored) * AGE_MS);
      rows.secret(createdAt);
      if (row % SECRETS_PER_OTHER !== 0) continue;
      rows.requestAndCall(createdAt);
      credentials(createdAt);
    }
  });
  for (let from = 0; from < stored; from += ROWS_PER_TRANSACTION) {
    seedMany(from, Math.min(stored, from + ROWS_PER_TRANSACTION));
  }
  database.close();
  return seeded;
}

/** Returns what inserts an identity with a key and a session, and with a team where one is full. */
function prepareCredentials(database: Database, ids: Ids) {
  const context = { orm: openOrm(database) };
  const insertTeam = prepareInsert(context, teams);
  const insertIdentity = prepareInsert(context, identities);
  const insertKey = prepareInsert(context, apiKeys);
  const insertToken = prepareInsert(context, personTokens);
  let [made, teamId] = [0, ""];
  return (createdAt: number): { readonly teamId: string; readonly creatorId: string } => {
    if (made++ % IDENTITIES_PER_TEAM === 0) {
      teamId = ids.next("team");
      insertTeam({ id: teamId, name: teamId, createdAt, storedBytes: 0, quotaBytes: null });
    }
    const [identityId, keyId] = [ids.next("identity"), ids.next("key")];
    const scopes = "[]" as unknown as [];
    insertIdentity({
      id: identityId,
      teamId,
      name: nameOf(identityId),
      kind: "automation",
      scopes,
      createdAt,
      disabledAt: null,
      personName: null,
    });
    const ends = { expiresAt: null, revokedAt: null, lastUsedAt: null, exposedAt: null, successorId: null };
    insertKey({
      id: keyId,
      identityId,
      tokenHash: tokenHashOf(keyId),
      name: null,
      hint: "hak_fake",
      createdAt,
      ...ends,
    });
    const expiresAt = createdAt + 30 * DAY_MS;
    insertToken({ tokenHash: tokenHashOf(identityId), identityId, purpose: "session", createdAt, expiresAt });
    return { teamId, creatorId: identityId };
  };
}

/** Returns what inserts secrets, and what hangs on them, and notes in `seeded` what there is. */
function prepareRows(database: Database, ids: Ids, seeded: Seeded) {
  const context = { orm: openOrm(database) };
  const { teamId, creatorId: createdBy, secretIds, claimable, requestIds } = seeded;
  const [insertSecret, insertRequest] = [prepareNumberedInsert(context, secrets), prepareInsert(context, requests)];
  const insertCiphertext = prepareSealedInsert(context, ciphertexts);
  const insertEvent = prepareInsert(context, events);
  const insertCall = prepareInsert(context, idempotentCalls);
  const common = { teamId, createdBy };
  const tell = (type: "secret.created" | "secret.claimed", secretId: string, createdAt: number) =>
    insertEvent({
      id: ids.next("event"),
      teamId,
      type,
      createdAt,
      secretId,
      requestId: null,
      actorId: createdBy,
      reference: null,
      historyOf: null,
    });

  const secret = (createdAt: number) => {
    const isDue = secretIds.length < DUE;
    const isWaiting = isDue || secretIds.length % SECRETS_PER_WAITING === 0;
    const id = ids.next("secret");
    const expiresAt = createdAt + (isDue ? 1 : LIFETIME_MS);
    const ciphertextBytes = CIPHERTEXT.length;
    const ends = isWaiting
      ? ({ state: "available", claims: 0, endedAt: null } as const)
      : ({ state: "claimed", claims: 1, endedAt: createdAt } as const);
    const record: SecretRecord = {
      ...common,
      ...ends,
      id,
      envelopeVersion: 1,
      ciphertextBytes,
      ciphertextFormat: "unrecognized",
      createdAt,
      expiresAt,
      maxClaims: 1,
      requestId: null,
      senderId: null,
      reference: null,
    };
    const secretSeq = insertSecret({ ...record, claimTokenHash: tokenHashOf(id), dueAt: expiresAt });
    tell("secret.created", id, createdAt);
    if (isWaiting) insertCiphertext({ secretSeq, ciphertext: CIPHERTEXT }, fillBytes(ciphertextBytes));
    else tell("secret.claimed", id, createdAt);
    if (isWaiting && !isDue) claimable.push(id);
    secretIds.push(id);
  };

  const requestAndCall = (createdAt: number) => {
    const id = ids.next("request");
    const isOpen = requestIds.length < OPEN_REQUESTS;
    const expiresAt = createdAt + LIFETIME_MS;
    const ends = isOpen
      ? ({ state: "open", endedAt: null } as const)
      : ({ state: "fulfilled", endedAt: createdAt } as const);
    insertRequest({
      ...common,
      ...ends,
      id,
      recipient: RECIPIENT,
      createdAt,
      expiresAt,
      maxSubmissions: 1,
      submissionCount: 0,
      submitTokenHash: tokenHashOf(id),
      dueAt: expiresAt,
      askerId: null,
      reference: null,
    });
    const [digest, fingerprint] = [systemRandom.bytes(32), systemRandom.bytes(32)];
    const claim = { claimNumber: null, claimedAt: null, replayUntil: null };
    insertCall({ digest, fingerprint, teamId, subjectId: id, expiresAt: Date.now() + DAY_MS, ...claim });
    requestIds.push(id);
  };

  return { secret, requestAndCall };
}
