import { UPLOAD_SECONDS } from "../../contract/limits.ts";
import { findProvenAddress, mayUse, toActorAddress } from "../addressees.ts";
import { actorOf, rulesOf } from "../callers.ts";
import type { Caller } from "../callers.ts";
import type { ProofStore } from "../ports/proofs.ts";
import type { RequestRecord } from "../ports/requests.ts";
import type { Clock, Ids } from "../ports/sources.ts";
import type { LargeStorage, Stored, UploadRecord } from "../ports/uploads.ts";
import type { ServerPolicy } from "../server-policies.ts";
import { Refusal } from "../values/errors.ts";
import { idleFrom, isHandedIn } from "../values/idle-uploads.ts";
import { checkRules } from "../values/team-rules.ts";
import type { Turns } from "../values/turns.ts";

// Uploads of the ciphertexts of large secrets (contract section 19).

/** The first line of an age file, without which nothing is kept. */
const AGE_FIRST_LINE = new TextEncoder().encode("age-encryption.org/v1\n");

export interface UploadDeps {
  readonly store: Pick<ProofStore, "findProof">;
  /** Undefined on a server that keeps no large secrets. */
  readonly large?: LargeStorage | undefined;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly policy: ServerPolicy;
  readonly turns: Turns;
}

/** An upload, and how many of its bytes are on disk. */
export interface UploadProgress {
  readonly upload: UploadRecord;
  readonly offset: number;
}

/** The pieces of a call, and what they have to be. */
export interface Piece {
  readonly offset: number;
  readonly pieces: AsyncIterable<Uint8Array>;
  /** The SHA-256 of the piece; undefined for none. */
  readonly sha256: Uint8Array | undefined;
  /** Ends the pieces, because another call goes on with the upload. */
  readonly stop: () => void;
}

/**
 * Begins an upload of `bytes`. One that is handed in for a request ends the oldest of the same request when there are
 * more than it takes: its sender may have lost it. Throws a Refusal: `not_found`, `payload_too_large`,
 * `ciphertext_unrecognized`, `team_rule`, `team_quota_exceeded`; for a request also its end, and `proof_required`.
 */
export async function createUpload(
  deps: UploadDeps,
  caller: Caller,
  { bytes, proofToken }: { readonly bytes: number; readonly proofToken?: string | undefined },
): Promise<UploadRecord> {
  const { clock, ids, policy } = deps;
  largeOf(deps);
  // What was uploaded before it was switched off can still be opened.
  if (policy.maxSecretBytes === 0) throw noLargeSecrets();
  if (bytes > policy.maxSecretBytes) throw new Refusal("payload_too_large");
  if (bytes < AGE_FIRST_LINE.length) throw noAgeFile();
  checkRules(rulesOf(caller), { largeBytes: bytes });
  const proven = await checkSubmitter(deps, caller, proofToken);
  const now = clock.now();
  const upload = {
    id: ids.next("upload"),
    teamId: caller.teamId,
    createdBy: senderOf(caller),
    ...proven,
    bytes,
    offset: 0,
    createdAt: now,
    expiresAt: now + UPLOAD_SECONDS * 1000,
    secretId: null,
  };
  return caller.kind === "submit"
    ? alone(deps, caller.request.id, async () => {
        await makeRoom(deps, caller.request);
        return addUpload(deps, upload);
      })
    : addUpload(deps, upload);
}

/**
 * Adds an upload, to which those of its sender give way that have got nothing for a while: what sent them was killed,
 * or never learned that they had begun.
 */
async function addUpload(deps: UploadDeps, upload: UploadRecord): Promise<UploadRecord> {
  const { clock, policy, turns } = deps;
  const { uploads } = largeOf(deps);
  const add = (others: readonly string[]) => uploads.createUpload(upload, policy.teamQuotaBytes, others);
  if ((await add([])) === "created") return upload;
  const others = (await uploads.listUploads(upload.createdBy)).filter(({ id }) => !turns.has(id));
  if (others.length > 0 && (await add(others.map(({ id }) => id))) === "created") return upload;
  const waits = others.map((other) => idleFrom(other) - clock.now()).filter((ms) => ms > 0);
  const retryAfterSeconds = Math.ceil(Math.min(...waits) / 1000);
  throw new Refusal("team_quota_exceeded", waits.length > 0 ? { retryAfterSeconds } : {});
}

/** Ends the oldest uploads for a request, so that there is room for one more. */
async function makeRoom(deps: UploadDeps, { id, maxSubmissions, submissionCount }: RequestRecord): Promise<void> {
  const { uploads } = largeOf(deps);
  const others = await uploads.listUploads(id);
  const tooMany = others.slice(0, Math.max(0, others.length + 1 - (maxSubmissions - submissionCount)));
  for (const { id: tooOld } of tooMany) await end(deps, tooOld);
}

/**
 * Ends an upload, and erases its bytes meanwhile: who begins one after another writes no faster than that. Resolves
 * false when there is none.
 */
function end(deps: UploadDeps, id: string): Promise<boolean> {
  const { uploads, blobs } = largeOf(deps);
  return alone(deps, id, async () => {
    const hasEnded = await uploads.endUpload(id);
    // The sweep tries again.
    if (hasEnded) await blobs.erase(id).catch(() => undefined);
    return hasEnded;
  });
}

/**
 * The address that the holder of a request's link has proven, where only chosen people may hand in. Throws a Refusal
 * for a request that isn't open, and `proof_required`.
 */
async function checkSubmitter(
  deps: UploadDeps,
  caller: Caller,
  proofToken: string | undefined,
): Promise<Pick<UploadRecord, "address" | "proof">> {
  if (caller.kind !== "submit") return { address: null, proof: null };
  const { request } = caller;
  checkOpen(request);
  const proven = await findProvenAddress(deps, caller, request.id, proofToken);
  if (!mayUse(request, proven?.address)) throw new Refusal("proof_required");
  const { address, proof = null } = toActorAddress(request, proven ?? {});
  return { address, proof };
}

/** Throws a Refusal, as `request_revoked`, for a request that takes nothing now. */
export function checkOpen({ state }: Pick<RequestRecord, "state">): void {
  if (state !== "open") throw new Refusal(`request_${state}`);
}

/**
 * Finds out how far an upload of the caller is, and stops a call that still writes it: its connection may be lost.
 * Throws a Refusal `upload_ended`.
 */
export async function getUpload(deps: UploadDeps, caller: Caller, id: string): Promise<UploadProgress> {
  await findUpload(deps, caller, id);
  return alone(deps, id, async () => {
    const upload = await findUpload(deps, caller, id);
    return { upload, offset: await offsetOf(deps, upload) };
  });
}

/**
 * Writes a piece at the end of an upload. Resolves once it is on disk. Of a piece that breaks off, what came is kept;
 * of one with another checksum, nothing is. Throws a Refusal: `upload_ended`, `offset_mismatch`, `payload_too_large`,
 * `ciphertext_unrecognized` for what is no age file, `checksum_mismatch`; of a request also its end, and
 * `team_quota_exceeded`.
 */
export async function appendPiece(deps: UploadDeps, caller: Caller, id: string, piece: Piece): Promise<UploadProgress> {
  const { blobs } = largeOf(deps);
  const { offset } = piece;
  if (caller.kind === "submit") checkOpen(caller.request);
  await findUpload(deps, caller, id);
  return deps.turns.take(id, piece.stop, async () => {
    let upload = await findUpload(deps, caller, id);
    if ((await offsetOf(deps, upload)) !== offset) throw new Refusal("offset_mismatch");
    const isWhole = piece.sha256 !== undefined;
    await blobs.append(id, offset, checkPieces(piece, upload.bytes - offset), {
      isWhole,
      mayKeep: (error) => !isWhole && !isRefusedPiece(error),
      onStored: async (stored) => void (upload = await keep(deps, upload, stored)),
    });
    return { upload, offset: upload.offset };
  });
}

/** Ends an upload of the caller. Throws a Refusal `upload_ended`. */
export async function endUpload(deps: UploadDeps, caller: Caller, id: string): Promise<void> {
  await findUpload(deps, caller, id);
  if (!(await end(deps, id))) throw new Refusal("upload_ended");
}

/** Stops the call that writes an upload, and runs `work` while no other does. */
export function alone<T>({ turns }: Pick<UploadDeps, "turns">, id: string, work: () => Promise<T>): Promise<T> {
  return turns.take(id, () => undefined, work);
}

/** How many bytes of an upload count. */
export async function offsetOf(deps: UploadDeps, upload: UploadRecord): Promise<number> {
  return Math.min(upload.offset, await largeOf(deps).blobs.size(upload));
}

/**
 * Notes how far an upload is, whose end moves on. Throws a Refusal: `upload_ended` when it has ended meanwhile,
 * `offset_mismatch` when another server goes on with it, and `team_quota_exceeded`.
 */
async function keep(deps: UploadDeps, upload: UploadRecord, stored: Stored): Promise<UploadRecord> {
  const expiresAt = deps.clock.now() + UPLOAD_SECONDS * 1000;
  const quota = isHandedIn(upload) ? { teamId: upload.teamId, bytes: deps.policy.teamQuotaBytes } : undefined;
  const outcome = await largeOf(deps).uploads.noteProgress(upload.id, { ...stored, expiresAt, quota });
  if (outcome === "quota_exceeded") throw new Refusal("team_quota_exceeded");
  if (outcome !== "noted") throw new Refusal(outcome);
  return { ...upload, offset: stored.end, expiresAt };
}

/** The places for large secrets. Throws a Refusal `not_found` on a server that keeps none. */
export function largeOf({ large }: Pick<UploadDeps, "large">): LargeStorage {
  if (large) return large;
  throw noLargeSecrets();
}

function noLargeSecrets(): Refusal {
  return new Refusal("not_found", { detail: "This server keeps no large secrets." });
}

/** Finds an upload that `caller` began, and that goes on. Throws a Refusal `upload_ended`. */
export async function findUpload(deps: UploadDeps, caller: Caller, id: string): Promise<UploadRecord> {
  const upload = await largeOf(deps).uploads.findUpload(id);
  const isOwn = upload?.teamId === caller.teamId && upload.createdBy === senderOf(caller);
  if (!upload || !isOwn || upload.expiresAt <= deps.clock.now()) throw new Refusal("upload_ended");
  return upload;
}

/** The refusal of an upload that is no age file. */
export function noAgeFile(): Refusal {
  return new Refusal("ciphertext_unrecognized", {
    detail: "An upload has to be a binary age v1 file, whose header has 4 KiB at most (some 40 recipients).",
  });
}

function senderOf(caller: Caller): string {
  const sender = caller.kind === "submit" ? caller.request.id : actorOf(caller);
  if (sender === null) throw new Error("the holder of a secret's link uploads nothing");
  return sender;
}

/** The refusals of what a piece is, and not of how it came. */
const REFUSED_PIECES: readonly string[] = ["payload_too_large", "ciphertext_unrecognized", "checksum_mismatch"];

function isRefusedPiece(error: unknown): boolean {
  return error instanceof Refusal && REFUSED_PIECES.includes(error.code);
}

/** Passes the pieces on, and refuses more than `room` bytes, a beginning that is no age file, and another checksum. */
async function* checkPieces({ pieces, offset, sha256 }: Piece, room: number): AsyncGenerator<Uint8Array> {
  const hasher = sha256 && new Bun.CryptoHasher("sha256");
  let at = offset;
  for await (const bytes of pieces) {
    if (at - offset + bytes.length > room) throw new Refusal("payload_too_large");
    const known = AGE_FIRST_LINE.subarray(at, at + bytes.length);
    if (Buffer.compare(bytes.subarray(0, known.length), known) !== 0) throw noAgeFile();
    hasher?.update(bytes);
    yield bytes;
    at += bytes.length;
  }
  if (hasher && sha256 && Buffer.compare(hasher.digest(), sha256) !== 0) throw new Refusal("checksum_mismatch");
}
