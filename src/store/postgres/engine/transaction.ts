import type { Characters } from "../../../contract/ciphertexts.ts";
import type { Envelope } from "../../../contract/envelopes.ts";
import { isId } from "../../../contract/ids.ts";
import { LARGE_VERSION } from "../../../contract/states.ts";
import type { AdminLogEntry } from "../../../domain/ports/admin-log.ts";
import type { NewEvent, SealRecord } from "../../../domain/ports/events.ts";
import type { BlobPart, UploadRecord } from "../../../domain/ports/uploads.ts";
import { teamGone } from "../../../domain/storage-refusals.ts";
import type {
  CallRow,
  RequestRow,
  SecretRow,
  Transaction,
  UploadRows,
} from "../../../domain/transactions/transaction.ts";
import { refuseDamaged } from "./damage.ts";
import { createStagedRows, notLoaded } from "./staged-rows.ts";
import type { StagedRows } from "./staged-rows.ts";
import { ROW_CHARGES } from "./stored-bytes.ts";

/**
 * A stored ciphertext. Its characters are null when no job needs them, or when the batch's other ciphertexts were too
 * large.
 */
export interface SealedRow {
  readonly secretId: string;
  readonly ciphertext: Characters | null;
}

export interface NoteRow {
  readonly requestId: string;
  readonly characters: number;
  /** The note of a new request; null for a stored one. */
  readonly note: Envelope | null;
}

/** The stored bytes of a team, and its own quota. */
interface TeamBytes {
  readonly storedBytes: number;
  readonly quotaBytes: number | null;
}

/** The keys by which a transaction has looked for rows. */
interface LookedFor {
  readonly secretIds: readonly string[];
  readonly requestIds: readonly string[];
  /** In hexadecimal digits. */
  readonly digests: readonly string[];
  readonly uploadIds: readonly string[];
}

/** The rows that a transaction has loaded. */
export interface Found {
  readonly now: number;
  readonly keys: LookedFor;
  readonly secrets: readonly SecretRow[];
  readonly sealed: readonly SealedRow[];
  readonly requests: readonly RequestRow[];
  readonly notes: readonly NoteRow[];
  readonly uploads: readonly UploadRecord[];
  /** The calls with the digests, and those about the secrets and requests. */
  readonly calls: readonly CallRow[];
  /** The latest expiry of the unclaimed submissions of each request, by its id; 0 without one. */
  readonly waiting: ReadonlyMap<string, number>;
  /** Undefined for a team that was deleted. */
  readonly teams: ReadonlyMap<string, TeamBytes | undefined>;
}

/** The rows of a transaction by their keys, with the changes to be written. */
interface Staged {
  readonly secrets: StagedRows<SecretRow>;
  readonly sealed: StagedRows<SealedRow>;
  readonly requests: StagedRows<RequestRow>;
  readonly notes: StagedRows<NoteRow>;
  /** By their digests in hexadecimal digits. */
  readonly calls: StagedRows<CallRow>;
  readonly uploads: StagedRows<UploadRecord>;
}

/** Side effects to write with the commit: events, quota charges, audit log entries. */
interface Effects {
  readonly events: NewEvent[];
  readonly charges: { readonly teamId: string; readonly bytes: number }[];
  /** The quotas to check at the commit, one for each charge that was allowed. */
  readonly bounds: { readonly teamId: string; readonly belowBytes: number }[];
  /** The commit must come before each of these times. */
  readonly deadlines: number[];
  readonly adminLog: Omit<AdminLogEntry, "id" | "user" | "sudoUser" | "teamName">[];
  readonly parts: (BlobPart & { readonly uploadId: string })[];
  readonly keyUses: { readonly id: string; readonly at: number }[];
  /** The seals up to which events are deleted, with all earlier seals. */
  readonly forgottenSeals: Pick<SealRecord, "id" | "lastPlace">[];
}

/** A unit of work: rows loaded up front, changed in memory by all jobs, and written in one round trip. */
export interface StagedTransaction extends Transaction {
  readonly uploads: UploadRows;
  readonly staged: Staged;
  readonly effects: Effects;
  /** Returns a function that undoes every later change. */
  mark(): () => void;
}

export function createTransaction(found: Found, tombstoneMs: number): StagedTransaction {
  const { secretIds, requestIds, digests, uploadIds } = found.keys;
  const subjectIds = found.calls.map(({ subjectId }) => subjectId);
  const staged: Staged = {
    secrets: createStagedRows([...secretIds, ...subjectIds], found.secrets, ({ id }) => id),
    sealed: createStagedRows(secretIds, found.sealed, ({ secretId }) => secretId),
    requests: createStagedRows([...requestIds, ...subjectIds], found.requests, ({ id }) => id),
    notes: createStagedRows(requestIds, found.notes, ({ requestId }) => requestId),
    calls: createStagedRows(digests, found.calls, ({ digest }) => digest.toHex()),
    uploads: createStagedRows(uploadIds, found.uploads, ({ id }) => id),
  };
  const effects: Effects = {
    events: [],
    charges: [],
    bounds: [],
    deadlines: [],
    adminLog: [],
    parts: [],
    keyUses: [],
    forgottenSeals: [],
  };
  const pending = new Map<string, number>();
  const count = (teamId: string, bytes: number) => pending.set(teamId, (pending.get(teamId) ?? 0) + bytes);
  const charge = (teamId: string, bytes: number) => {
    effects.charges.push({ teamId, bytes });
    count(teamId, bytes);
  };
  return {
    now: found.now,
    tombstoneMs,
    charges: ROW_CHARGES,
    staged,
    effects,
    ...createRows(staged, found),
    uploads: createUploadRows(staged, effects),
    append(event) {
      effects.events.push(event);
      charge(event.teamId, ROW_CHARGES.event);
    },
    record: (note) => void effects.adminLog.push({ at: found.now, subjectName: null, details: {}, ...note }),
    charge,
    fits(teamId, bytes, quotaBytes) {
      if (!found.teams.has(teamId)) throw notLoaded();
      const team = found.teams.get(teamId);
      if (!team) throw teamGone();
      const quota = team.quotaBytes ?? quotaBytes;
      if (team.storedBytes + (pending.get(teamId) ?? 0) + bytes > quota) return false;
      if (Number.isFinite(quota)) effects.bounds.push({ teamId, belowBytes: quota + 1 });
      return true;
    },
    commitBefore: (epochMs) => void effects.deadlines.push(epochMs),
    mark() {
      const undo = Object.values(staged).map((rows) => rows.mark());
      const lengths = Object.values(effects).map((list) => [list, list.length] as const);
      const charged = effects.charges.length;
      return () => {
        for (const each of undo) each();
        for (const { teamId, bytes } of effects.charges.slice(charged)) count(teamId, -bytes);
        for (const [list, length] of lengths) list.length = length;
      };
    },
  };
}

function createRows(staged: Staged, { keys, waiting }: Found): Pick<Transaction, "secrets" | "requests" | "calls"> {
  const subjectIds = new Set([...keys.secretIds, ...keys.requestIds]);
  const callsOf = (id: string) => {
    if (!subjectIds.has(id)) throw notLoaded();
    return staged.calls.values().filter(({ subjectId }) => subjectId === id);
  };
  return {
    secrets: {
      find: (id) => staged.secrets.get(id),
      add(row, ciphertext) {
        staged.secrets.set(row.id, row);
        staged.sealed.set(row.id, { secretId: row.id, ciphertext });
      },
      change: (_before, after) => staged.secrets.set(after.id, after),
      remove: ({ id }) => void staged.secrets.remove(id),
      hasCiphertext: ({ id }) => staged.sealed.get(id) !== undefined,
      readCiphertext({ id, envelopeVersion, ciphertextBytes }) {
        const sealed = staged.sealed.get(id);
        if (!sealed) return undefined;
        const { ciphertext } = sealed;
        if (ciphertext === null) throw notLoaded();
        const isPointer = envelopeVersion === LARGE_VERSION && typeof ciphertext === "string";
        refuseDamaged(ciphertext, isPointer ? isId(ciphertext, "upload") : ciphertext.length === ciphertextBytes);
        return ciphertext;
      },
      eraseCiphertext: ({ id }) => staged.sealed.remove(id) !== undefined,
      lastReplay: ({ id }) => latest(callsOf(id).map(({ replayUntil }) => replayUntil ?? 0)),
    },
    requests: {
      find: (id) => staged.requests.get(id),
      add(row, note) {
        staged.requests.set(row.id, row);
        if (note) staged.notes.set(row.id, { requestId: row.id, characters: note.ciphertext.length, note });
      },
      change: (_before, after) => staged.requests.set(after.id, after),
      remove: ({ id }) => void staged.requests.remove(id),
      eraseNote: ({ id }) => staged.notes.remove(id)?.characters,
      lastWaiting({ id }) {
        const stored = waiting.get(id);
        if (stored === undefined) throw notLoaded();
        const handedIn = staged.secrets.values().filter((row) => row.requestId === id && row.state === "available");
        return latest([stored, ...handedIn.map(({ expiresAt }) => expiresAt)]);
      },
    },
    calls: {
      find: (digest) => staged.calls.get(digest.toHex()),
      of: callsOf,
      add: (row) => staged.calls.set(row.digest.toHex(), row),
      setReplayUntil: (row, replayUntil) => staged.calls.set(row.digest.toHex(), { ...row, replayUntil }),
      remove: ({ digest }) => void staged.calls.remove(digest.toHex()),
    },
  };
}

function createUploadRows({ uploads }: Staged, { parts }: Effects): UploadRows {
  return {
    find: (id) => uploads.get(id),
    add: (row) => uploads.set(row.id, row),
    change({ id }, after, added = []) {
      uploads.set(id, after);
      for (const part of added) parts.push({ uploadId: id, ...part });
    },
    remove: ({ id }) => void uploads.remove(id),
  };
}

/** The rows with these keys, without those that are not there any more. */
export function findAll<Key, Row>(
  rows: { readonly find: (key: Key) => Row | undefined },
  keys: readonly Key[],
): readonly Row[] {
  return keys.flatMap((key) => rows.find(key) ?? []);
}

function latest(times: readonly number[]): number {
  return Math.max(0, ...times);
}
