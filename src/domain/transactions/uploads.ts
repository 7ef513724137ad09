import { textOf } from "../../contract/ciphertexts.ts";
import type { Characters } from "../../contract/ciphertexts.ts";
import { MAX_DOWNLOAD_SECONDS } from "../../contract/limits.ts";
import { LARGE_VERSION } from "../../contract/states.ts";
import type { SecretRecord } from "../ports/secrets.ts";
import type { Noted, Progress, UploadRecord } from "../ports/uploads.ts";
import { idleFrom, isHandedIn } from "../values/idle-uploads.ts";
import type { Transaction, UploadRows } from "./transaction.ts";

/** Finds an upload that hasn't expired and is no secret; undefined when there is none. */
function findLiveUpload(tx: Transaction, id: string): UploadRecord | undefined {
  const row = tx.uploads?.find(id);
  return row && row.secretId === null && row.expiresAt > tx.now ? row : undefined;
}

/** An upload that begins, and the ids of others of its sender that may give way to it. */
export interface NewUpload {
  readonly upload: UploadRecord;
  readonly quotaBytes: number;
  readonly others: readonly string[];
}

/** What an upload counts. Nobody gets a team's room by announcing something. */
function chargeOf({ charges }: Transaction, upload: UploadRecord): number {
  return charges.ciphertext(isHandedIn(upload) ? upload.offset : upload.bytes);
}

/** Adds an upload, and charges its team for it. Idle ones give way, as `UploadStore` has it. */
export function createUpload(tx: Transaction, { upload, quotaBytes, others }: NewUpload): "created" | "quota_exceeded" {
  const { teamId, createdBy } = upload;
  const bytes = tx.charges.ciphertext(upload.bytes);
  const idle = others
    .map((id) => rowsOf(tx).find(id))
    .filter((row) => row !== undefined)
    .filter((row) => row.teamId === teamId && row.createdBy === createdBy && row.secretId === null)
    .filter((row) => idleFrom(row) <= tx.now)
    .toSorted((one, other) => one.expiresAt - other.expiresAt);
  const ended: UploadRecord[] = [];
  for (let freed = 0; !tx.fits(teamId, bytes - freed, quotaBytes);) {
    const next = idle[ended.length];
    if (!next) return "quota_exceeded";
    ended.push(next);
    freed += chargeOf(tx, next);
  }
  for (const row of ended) endUpload(tx, row);
  tx.charge(teamId, chargeOf(tx, upload));
  rowsOf(tx).add(upload);
  return "created";
}

/** Notes how far an upload is, and when it ends, as `UploadStore` has it. */
export function noteProgress(
  tx: Transaction,
  { id, from, end, parts, expiresAt, quota }: Progress & { readonly id: string },
): Noted {
  const row = findLiveUpload(tx, id);
  if (!row) return "upload_ended";
  // Another server may have gone on with it meanwhile, and its parts count.
  if (from !== undefined && from !== row.offset) return "offset_mismatch";
  const after = { ...row, offset: end, expiresAt };
  const growth = chargeOf(tx, after) - chargeOf(tx, row);
  if (growth > 0 && quota && !tx.fits(row.teamId, growth, quota.bytes)) return "quota_exceeded";
  if (growth !== 0) tx.charge(row.teamId, growth);
  rowsOf(tx).change(row, after, parts);
  return "noted";
}

/** Ends an upload that is no secret, and refunds its charge. Returns false when there is none. */
export function endUpload(tx: Transaction, { id }: { readonly id: string }): boolean {
  const row = rowsOf(tx).find(id);
  if (!row || row.secretId !== null) return false;
  rowsOf(tx).remove(row);
  tx.charge(row.teamId, -chargeOf(tx, row));
  return true;
}

/** An upload that may be over. */
export interface OverUpload {
  readonly id: string;
  /** True when it is for a request that takes nothing any more. */
  readonly isRequestOver: boolean;
}

/**
 * Ends an upload that has expired or whose request has ended, and forgets one whose secret has no ciphertext any more:
 * its charge went with that. Does nothing to any other.
 */
export function settleUpload(tx: Transaction, { id, isRequestOver }: OverUpload): void {
  const row = rowsOf(tx).find(id);
  if (!row) return;
  if (row.secretId === null) {
    if (isRequestOver || row.expiresAt <= tx.now) endUpload(tx, row);
    return;
  }
  const secret = tx.secrets.find(row.secretId);
  if (!secret || !tx.secrets.hasCiphertext(secret)) rowsOf(tx).remove(row);
}

/** The upload of which a secret is made; "upload_ended" when it isn't there any more. */
export function takeUpload(
  tx: Transaction,
  { teamId, createdBy, requestId, ciphertextBytes }: SecretRecord,
  ciphertext: Characters,
): UploadRecord | "upload_ended" {
  const upload = typeof ciphertext === "string" ? findLiveUpload(tx, ciphertext) : undefined;
  const isOwn = upload?.teamId === teamId && upload.createdBy === (requestId ?? createdBy);
  const isWhole = upload?.bytes === ciphertextBytes && upload.offset === ciphertextBytes;
  return upload && isOwn && isWhole ? upload : "upload_ended";
}

/** A download of the secret `id` that was claimed by a call, which goes on until `until`. */
export interface Download {
  readonly id: string;
  readonly claimDigest: Uint8Array;
  readonly until: number;
}

/**
 * Moves the end of the replay window of a large secret on to `until`, for a day after the claim at most. Returns the id
 * of its upload, and "over" when the window has ended. Returns undefined when the call was no claim of this secret.
 */
export function goOnDownloading(tx: Transaction, { id, claimDigest, until }: Download): string | undefined {
  const known = tx.calls.find(claimDigest);
  const row = tx.secrets.find(id);
  if (known?.subjectId !== id || !row || row.envelopeVersion !== LARGE_VERSION) return undefined;
  const { claimedAt, replayUntil } = known;
  if (claimedAt === null || replayUntil === null) return undefined;
  const ciphertext = row.state === "revoked" || replayUntil <= tx.now ? undefined : tx.secrets.readCiphertext(row);
  if (ciphertext === undefined) return "over";
  const next = Math.min(until, claimedAt + MAX_DOWNLOAD_SECONDS * 1000);
  if (next > replayUntil) tx.calls.setReplayUntil(known, next);
  return textOf(ciphertext);
}

function rowsOf({ uploads }: Transaction): UploadRows {
  if (!uploads) throw new Error("this engine keeps no large secrets");
  return uploads;
}
