import type { Characters } from "../../contract/ciphertexts.ts";
import type { Envelope } from "../../contract/envelopes.ts";
import type { AdminLogEntry } from "../ports/admin-log.ts";
import type { NewEvent } from "../ports/events.ts";
import type { RequestRecord } from "../ports/requests.ts";
import type { SecretRecord } from "../ports/secrets.ts";
import type { BlobPart, UploadRecord } from "../ports/uploads.ts";

/** The members of a row that only transactions need. */
interface Kept {
  /** The sweeper visits the row by this time. It may find nothing to do yet. */
  readonly dueAt: number;
  /** The number of the row in the engine; undefined in a new row, and in an engine without row numbers. */
  readonly seq?: number;
}

/** A stored secret. */
export interface SecretRow extends SecretRecord, Kept {
  readonly claimTokenHash: Uint8Array;
}

/** A stored request. */
export interface RequestRow extends RequestRecord, Kept {
  readonly submitTokenHash: Uint8Array;
}

/** A remembered call. The last three members are null for a creation. */
export interface CallRow {
  readonly digest: Uint8Array;
  readonly fingerprint: Uint8Array;
  readonly teamId: string;
  /** The secret or request that the call created, or the secret that it claimed. */
  readonly subjectId: string;
  readonly expiresAt: number;
  readonly claimNumber: number | null;
  readonly claimedAt: number | null;
  readonly replayUntil: number | null;
}

/** The secrets of a transaction. */
export interface SecretRows {
  find(id: string): SecretRow | undefined;
  /** Of a large secret, the id of its upload takes the place of the ciphertext. */
  add(row: SecretRow, ciphertext: Characters): void;
  /** Writes the state, the claims, the terms, the asks for approval, the end and the due time of `after`. */
  change(before: SecretRow, after: SecretRow): void;
  /** Removes a secret whose ciphertext is erased. */
  remove(row: SecretRow): void;
  hasCiphertext(row: SecretRow): boolean;
  /**
   * Returns the ciphertext, of a large secret the id of its upload; undefined when it was erased. Throws a Refusal
   * `storage_unavailable` when it is damaged.
   */
  readCiphertext(row: SecretRow): Characters | undefined;
  /** Erases the ciphertext. Returns false when there was none. */
  eraseCiphertext(row: SecretRow): boolean;
  /** Returns the latest end of the replay windows of the secret's claims; 0 without one. */
  lastReplay(row: SecretRow): number;
}

/** The uploads of a transaction. */
export interface UploadRows {
  find(id: string): UploadRecord | undefined;
  add(row: UploadRecord): void;
  /** Writes the offset, the end, and the secret of `after`, and adds `parts`. */
  change(before: UploadRecord, after: UploadRecord, parts?: readonly BlobPart[]): void;
  /** Removes an upload with its parts. */
  remove(row: UploadRecord): void;
}

/** The requests of a transaction. */
export interface RequestRows {
  find(id: string): RequestRow | undefined;
  add(row: RequestRow, note: Envelope | undefined): void;
  /** Writes the state, the number of submissions, the end and the due time of `after`. */
  change(before: RequestRow, after: RequestRow): void;
  /** Removes a request whose note is erased. */
  remove(row: RequestRow): void;
  /** Erases the note. Returns the length of its ciphertext; undefined when there was no note. */
  eraseNote(row: RequestRow): number | undefined;
  /** Returns the latest expiry of the unclaimed submissions; 0 without one. */
  lastWaiting(row: RequestRow): number;
}

/** The remembered calls of a transaction. */
export interface CallRows {
  find(digest: Uint8Array): CallRow | undefined;
  /** Returns the calls that created or claimed a secret, or created a request. */
  of(subjectId: string): readonly CallRow[];
  add(row: CallRow): void;
  /** Writes the end of the replay window. */
  setReplayUntil(row: CallRow, replayUntil: number): void;
  remove(row: CallRow): void;
}

/** The bytes that an engine charges a team for each row, its index entries included. */
export interface RowCharges {
  /** The charge of a secret without its ciphertext. */
  secret(record: Pick<SecretRecord, "reference" | "addressees" | "approval">): number;
  /** The charge of a request without its note. */
  request(record: Pick<RequestRecord, "recipient" | "reference" | "addressees">): number;
  ciphertext(characters: number): number;
  readonly event: number;
  readonly call: number;
}

/** An entry of the audit log about a secret or a request. */
type SubjectNote = Pick<AdminLogEntry, "action"> & { readonly subjectId: string; readonly teamId: string };

/** The rows that are looked up to replay an earlier call. */
export interface Lookups {
  /** The time of the decision. */
  readonly now: number;
  readonly secrets: Pick<SecretRows, "find">;
  readonly requests: Pick<RequestRows, "find">;
  readonly calls: Pick<CallRows, "find">;
}

/**
 * A unit of work: rows that are found, changed and committed together. An engine implements it. An operation decides
 * over it, synchronously and without SQL. It may find only rows that its needs name, and those that the calls among
 * them have created or claimed.
 */
export interface Transaction extends Lookups {
  /** The time from the end of a secret or request until its tombstone is removed. */
  readonly tombstoneMs: number;
  readonly charges: RowCharges;
  readonly secrets: SecretRows;
  readonly requests: RequestRows;
  readonly calls: CallRows;
  /** Undefined in an engine that keeps no large secrets. */
  readonly uploads?: UploadRows;
  /** Appends an event, and charges its team for it. `after` is its secret or request after the change. */
  append(event: NewEvent, after?: Pick<SecretRecord | RequestRecord, "state">): void;
  /** Adds an entry to the audit log. Does nothing in a server. */
  record(note: SubjectNote): void;
  /** Charges a team for `bytes` more, or fewer when negative. */
  charge(teamId: string, bytes: number): void;
  /**
   * Returns true when `bytes` more fit into the team's quota, which is `quotaBytes` unless the team has its own. Throws
   * a Refusal `credential_invalid` when the team was deleted.
   */
  fits(teamId: string, bytes: number, quotaBytes: number): boolean;
  /**
   * Makes the commit fail, and the transaction run again, if another process has reported `epochMs` or a later time by
   * then.
   */
  commitBefore(epochMs: number): void;
}

/**
 * The keys of the rows that an operation finds. An engine that reads before it decides commits only while these rows
 * are as they were read, and throws for any other row, which would seem to be absent.
 */
export interface Needs {
  readonly secretIds?: readonly string[];
  /** Secrets whose ciphertext is read too. */
  readonly ciphertextIds?: readonly string[];
  /** Secrets whose ciphertext is read too, unless it is large. */
  readonly smallCiphertextIds?: readonly string[];
  readonly requestIds?: readonly string[];
  readonly digests?: readonly Uint8Array[];
  readonly uploadIds?: readonly string[];
  /** Teams whose quota is checked. */
  readonly teamIds?: readonly string[];
}
