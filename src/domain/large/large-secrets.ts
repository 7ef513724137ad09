import { LEAST_DOWNLOAD_SECONDS } from "../../contract/limits.ts";
import type { CreateSecretQuery } from "../../contract/secrets.ts";
import { LARGE_VERSION } from "../../contract/states.ts";
import { AGE_START_BYTES, startsAgeFile } from "../age-files.ts";
import type { Caller, SubmitTokenCaller } from "../callers.ts";
import { claimed, toClaim } from "../claims.ts";
import type { ClaimCall } from "../claims.ts";
import { idempotentCall } from "../idempotency.ts";
import type { RepeatableCall } from "../idempotency.ts";
import type { SecretRecord } from "../ports/secrets.ts";
import type { RemoteBytes } from "../ports/uploads.ts";
import { storeSubmission } from "../requests.ts";
import type { RequestDeps, SubmittedSecret } from "../requests.ts";
import { storeSecret } from "../secrets.ts";
import type { CreatedSecret, Inspected, SecretDeps } from "../secrets.ts";
import { storageUnavailable } from "../storage-refusals.ts";
import { Refusal } from "../values/errors.ts";
import { alone, checkOpen, findUpload, largeOf, noAgeFile, offsetOf } from "./uploads.ts";
import type { UploadDeps } from "./uploads.ts";

type LargeSecretDeps = SecretDeps & UploadDeps;

/** A download at this speed ends within the replay window. */
const SLOW_BYTES_PER_SECOND = 128 * 1024;

/**
 * Makes a secret of a complete upload of the caller. Throws the Refusals of `createSecret`, and `upload_ended` and
 * `upload_incomplete`.
 */
export async function createLargeSecret(
  deps: LargeSecretDeps,
  caller: Caller,
  input: { readonly uploadId: string; readonly query: CreateSecretQuery; readonly call: RepeatableCall },
): Promise<CreatedSecret> {
  const { uploadId, ...rest } = input;
  // Only its sender may stop the call that writes it. Of one that is a secret already, the call may be repeated.
  if (await largeOf(deps).uploads.findUpload(uploadId)) await findUpload(deps, caller, uploadId);
  const inspect = () => inspectUpload(deps, caller, uploadId);
  return alone(deps, uploadId, () => storeSecret(deps, caller, { ...rest, ciphertext: uploadId, inspect }));
}

/**
 * Hands in a complete upload that the holder of the request's link has sent. Throws the Refusals of `submitSecret`, and
 * `upload_ended` and `upload_incomplete`.
 */
export async function submitLargeSecret(
  deps: LargeSecretDeps & RequestDeps,
  caller: SubmitTokenCaller,
  { uploadId, call }: { readonly uploadId: string; readonly call: RepeatableCall },
): Promise<SubmittedSecret> {
  if (await largeOf(deps).uploads.findUpload(uploadId)) await findUpload(deps, caller, uploadId);
  const inspect = async () => {
    checkOpen(caller.request);
    const inspected = await inspectUpload(deps, caller, uploadId);
    const { address, proof } = await findUpload(deps, caller, uploadId);
    // It was proven at the beginning, which may be hours ago.
    return { inspected, proven: address === null || proof === null ? undefined : { address, proof } };
  };
  return alone(deps, uploadId, () => storeSubmission(deps, caller, { ciphertext: uploadId, call, inspect }));
}

async function inspectUpload(deps: LargeSecretDeps, caller: Caller, id: string): Promise<Inspected> {
  const { blobs } = largeOf(deps);
  const upload = await findUpload(deps, caller, id);
  const { bytes } = upload;
  if ((await offsetOf(deps, upload)) !== bytes) throw new Refusal("upload_incomplete");
  // A store that lies has answered that it keeps what it doesn't.
  await blobs.check(id, bytes);
  const start = await firstOf(await blobs.read(id, bytes), Math.min(bytes, AGE_START_BYTES));
  if (!startsAgeFile(bytes, start)) throw noAgeFile();
  return { envelopeVersion: LARGE_VERSION, ciphertextBytes: bytes, ciphertextFormat: "age" };
}

/** The first bytes of a blob. */
async function firstOf(blob: Blob | RemoteBytes, bytes: number): Promise<Uint8Array> {
  if (blob instanceof Blob) return blob.slice(0, bytes).bytes();
  try {
    return await new Response(await blob.open(0, bytes)).bytes();
  } catch (error) {
    throw error instanceof Refusal ? error : storageUnavailable(error);
  }
}

/** A claimed large secret. `replayUntil` is in epoch milliseconds. */
interface ClaimedLargeSecret {
  readonly secret: SecretRecord;
  readonly replayUntil: number;
  readonly isReplay: boolean;
}

/**
 * Claims a large secret. Throws the Refusals of `claimSecret`, `invalid_header` without an idempotency key, and
 * `storage_unavailable` when its file is damaged.
 */
export async function claimLargeSecret(
  deps: LargeSecretDeps,
  caller: Caller,
  input: ClaimCall,
): Promise<ClaimedLargeSecret> {
  const claim = await toClaim(deps, caller, input, windowSecondsOf(deps));
  if (!claim.call) throw keyMissing("Send an Idempotency-Key: it downloads the secret, too.");
  // A claim must not be used up for what isn't there.
  const upload = await largeOf(deps).uploads.findUploadOf(input.id);
  if (upload?.teamId === caller.teamId) await largeOf(deps).blobs.check(upload.id, upload.bytes);
  const { secret, replayUntil, kind } = claimed(await deps.store.claimSecret({ ...claim, isLarge: true }));
  return { secret, replayUntil: replayUntil ?? claim.call.replayUntil, isReplay: kind === "replayed" };
}

function windowSecondsOf({ policy }: Pick<SecretDeps, "policy">): number {
  return Math.max(policy.replayWindowSeconds, LEAST_DOWNLOAD_SECONDS);
}

function keyMissing(detail: string): Refusal {
  return new Refusal("invalid_header", { detail });
}

/** The ciphertext of a claimed large secret. */
export interface Download {
  /** Identifies these bytes. */
  readonly tag: string;
  readonly bytes: number;
  readonly blob: Blob | RemoteBytes;
}

/**
 * Begins, or goes on with, the download of a large secret that the caller has claimed. The replay window moves on by
 * the time that a slow reader takes. Throws a Refusal: `invalid_header` without an idempotency key, `not_found` when no
 * claim was made with it, `secret_claimed` when its time is over.
 */
export async function openDownload(
  deps: LargeSecretDeps,
  caller: Caller,
  input: { readonly id: string; readonly idempotencyKey: string | undefined; readonly claimPath: string },
): Promise<Download> {
  const { id, idempotencyKey, claimPath } = input;
  const call = idempotentCall(caller, { idempotencyKey, path: claimPath }, () => []);
  if (!call) throw keyMissing("Send the Idempotency-Key of the claim.");
  const { uploads } = largeOf(deps);
  const secret = await deps.store.findSecret(caller.teamId, id);
  if (!secret) throw new Refusal("not_found");
  const bytes = secret.ciphertextBytes;
  const windowMs = 1000 * Math.max(windowSecondsOf(deps), bytes / SLOW_BYTES_PER_SECOND);
  const uploadId = await uploads.goOnDownloading(id, call.digest, deps.clock.now() + Math.ceil(windowMs));
  if (uploadId === undefined) throw new Refusal("not_found");
  if (uploadId === "over") {
    throw new Refusal("secret_claimed", {
      detail: "The claim made with this Idempotency-Key was acknowledged, or is too long ago to be repeated.",
    });
  }
  return { tag: uploadId, bytes, blob: await largeOf(deps).blobs.read(uploadId, bytes) };
}
