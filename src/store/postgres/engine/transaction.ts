import type { Characters } from "../../../contract/ciphertexts.ts";
import type { Envelope } from "../../../contract/envelopes.ts";
import type { AdminLogEntry } from "../../../domain/ports/admin-log.ts";
import type { NewEvent } from "../../../domain/ports/events.ts";
import { teamGone } from "../../../domain/storage-refusals.ts";
import type { idempotentCalls, requests, secrets } from "../schema.ts";
import { createStagedRows } from "./staged-rows.ts";
import type { StagedRows } from "./staged-rows.ts";
import { ROW_BYTES } from "./stored-bytes.ts";

export type SecretRow = typeof secrets.$inferSelect;
export type RequestRow = typeof requests.$inferSelect;
export type CallRow = typeof idempotentCalls.$inferSelect;

/** A ciphertext that is stored; its characters only where somebody asked for them, and where others had not asked for too much before. */
export interface SealedRow {
  readonly secretId: string;
  readonly ciphertext: Characters | null;
}

export interface NoteRow {
  readonly requestId: string;
  readonly bytes: number;
  /** The note, if it is about to be stored. */
  readonly note: Envelope | null;
}

/** The use of a team's room. */
interface Room {
  readonly storedBytes: number;
  readonly quotaBytes: number | null;
}

/** The rows that a job has to find, by their keys. All are locked until the end. */
export interface Needs {
  readonly secretIds?: readonly string[];
  /** Of these secrets the characters too. */
  readonly ciphertextIds?: readonly string[];
  /** Of these the characters too, unless they are large. */
  readonly smallCiphertextIds?: readonly string[];
  readonly requestIds?: readonly string[];
  readonly digests?: readonly Uint8Array[];
  readonly teamIds?: readonly string[];
}

/** The rows that a transaction has found. */
export interface Found {
  readonly now: number;
  readonly secrets: readonly SecretRow[];
  readonly sealed: readonly SealedRow[];
  readonly requests: readonly RequestRow[];
  readonly notes: readonly NoteRow[];
  readonly calls: readonly CallRow[];
  /** The latest end of what waits to be claimed, by the ids of requests. */
  readonly waiting: ReadonlyMap<string, number>;
  readonly rooms: ReadonlyMap<string, Room>;
}

/** The things that a job leaves behind beside its rows. */
interface Traces {
  readonly events: NewEvent[];
  readonly charges: { readonly teamId: string; readonly bytes: number }[];
  /** The bounds that teams must stay below, each for a charge that was made because there was room. */
  readonly bounds: { readonly teamId: string; readonly belowBytes: number }[];
  /** The times that must not have come by the end. */
  readonly deadlines: number[];
  readonly notes: Omit<AdminLogEntry, "id" | "user" | "sudoUser" | "teamName">[];
  readonly keyUses: { readonly id: string; readonly at: number }[];
  /** Places up to which events are forgotten. */
  readonly forgottenPlaces: number[];
}

/** The doings of jobs that are committed together. They are decided in memory, over what was found at the beginning, and written at the end at once. */
export interface Transaction {
  /** The time for all that is done in it. */
  readonly now: number;
  readonly secrets: StagedRows<SecretRow>;
  readonly sealed: StagedRows<SealedRow>;
  readonly requests: StagedRows<RequestRow>;
  readonly notes: StagedRows<NoteRow>;
  /** By their digests in hexadecimal digits. */
  readonly calls: StagedRows<CallRow>;
  readonly waiting: ReadonlyMap<string, number>;
  readonly traces: Traces;
  /** Counts so many bytes more for a team, or fewer when negative. */
  charge(teamId: string, bytes: number): void;
  /**
   * True when the team may take up so many bytes more, `quotaBytes` in all unless it has a quota of its own. Throws a Refusal
   * `credential_invalid` when the team is gone.
   */
  fits(teamId: string, bytes: number, quotaBytes: number): boolean;
  /** Returns what takes back all that happens from now on. */
  mark(): () => void;
}

export function createTransaction(found: Found): Transaction {
  const staged = {
    secrets: createStagedRows<SecretRow>(),
    sealed: createStagedRows<SealedRow>(),
    requests: createStagedRows<RequestRow>(),
    notes: createStagedRows<NoteRow>(),
    calls: createStagedRows<CallRow>(),
  };
  for (const row of found.secrets) staged.secrets.found(row.id, row);
  for (const row of found.sealed) staged.sealed.found(row.secretId, row);
  for (const row of found.requests) staged.requests.found(row.id, row);
  for (const row of found.notes) staged.notes.found(row.requestId, row);
  for (const row of found.calls) staged.calls.found(row.digest.toHex(), row);
  const traces: Traces = {
    events: [],
    charges: [],
    bounds: [],
    deadlines: [],
    notes: [],
    keyUses: [],
    forgottenPlaces: [],
  };
  const pending = new Map<string, number>();
  const count = (teamId: string, bytes: number) => pending.set(teamId, (pending.get(teamId) ?? 0) + bytes);
  return {
    now: found.now,
    ...staged,
    waiting: found.waiting,
    traces,
    charge(teamId, bytes) {
      traces.charges.push({ teamId, bytes });
      count(teamId, bytes);
    },
    fits(teamId, bytes, quotaBytes) {
      const room = found.rooms.get(teamId);
      if (!room) throw teamGone();
      const quota = room.quotaBytes ?? quotaBytes;
      if (room.storedBytes + (pending.get(teamId) ?? 0) + bytes > quota) return false;
      if (Number.isFinite(quota)) traces.bounds.push({ teamId, belowBytes: quota + 1 });
      return true;
    },
    mark() {
      const undo = Object.values(staged).map((rows) => rows.mark());
      const lengths = Object.values(traces).map((list) => [list, list.length] as const);
      const charged = traces.charges.length;
      return () => {
        for (const each of undo) each();
        for (const { teamId, bytes } of traces.charges.slice(charged)) count(teamId, -bytes);
        for (const [list, length] of lengths) list.length = length;
      };
    },
  };
}

/** Has an event written. */
export function appendEvent(tx: Transaction, event: NewEvent): void {
  tx.traces.events.push(event);
  tx.charge(event.teamId, ROW_BYTES.event);
}
