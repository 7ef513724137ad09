import type { ErrorCode } from "../../contract/error-codes.ts";
import { isId } from "../../contract/ids.ts";
import { PROOF_HEADER, requestUploadsPath, UPLOADS_PATH } from "../../contract/operations.ts";
import { unexpected } from "../answers.ts";
import { startDeadline } from "../deadlines.ts";
import type { Patience } from "../deadlines.ts";
import { ClientError } from "../errors.ts";
import type { LocalCode } from "../errors.ts";
import { toClientError } from "../explanations.ts";
import type { HttpClient } from "../http-client.ts";
import { interrupted } from "../network-errors.ts";
import type { Progress } from "../transfers.ts";
import { lineOf } from "./lines.ts";
import type { Line } from "./lines.ts";
import { createPerseverance, lost, persist, refused, Setback } from "./setbacks.ts";

/** The most that is sent in one call. It is kept in memory until the server has it on its disk. */
const PIECE_BYTES = 8 * 1024 * 1024;
/** The least that is sent in one call. */
const LEAST_BYTES = 128 * 1024;
/** The patience with a piece, as a multiple of the time that the one before took. */
const SLOWDOWN = 5;
const ENDING_MS = 3000;
const HEAD_CODES: Readonly<Record<number, ErrorCode>> = {
  401: "credential_invalid",
  404: "upload_ended",
  410: "upload_ended",
};
/** The errors after which the server may have begun an upload all the same. */
const IN_DOUBT: ReadonlySet<ErrorCode | LocalCode> = new Set([
  "connection_lost",
  "timed_out",
  "gateway_unavailable",
  "internal",
] satisfies (ErrorCode | LocalCode)[]);
const TUS = { "tus-resumable": "1.0.0" } as const;

/** A ciphertext that is uploaded while it is read. */
export interface Upload {
  readonly ciphertext: ReadableStream<Uint8Array>;
  /** Its length. */
  readonly bytes: number;
  readonly onProgress?: Progress | undefined;
  /** The request that it is handed in for; undefined for a secret. */
  readonly requestId?: string | undefined;
  /** Runs the call that begins the upload, with the token of a proof where one is needed, and may run it again. */
  readonly proving?: Proving | undefined;
}

/** Runs a call with the token of a proof of an address, where one is needed. */
export type Proving = <T>(use: (proofToken?: string) => Promise<T>) => Promise<T>;

/**
 * Uploads a ciphertext, makes something of the complete upload with `use`, and returns that. It goes on after lost
 * connections and while the server is away, unless there is no progress for ten minutes. The upload is ended when
 * something fails. Throws ClientError, and what the stream and `use` throw.
 */
export async function withUpload<T>(
  client: HttpClient,
  { ciphertext, bytes, onProgress, requestId, proving = (begin) => begin() }: Upload,
  use: (uploadId: string) => Promise<T>,
): Promise<T> {
  const line = lineOf(client);
  const reader = ciphertext.getReader();
  let id: string | undefined;
  try {
    id = await proving((proofToken) => beginUpload(line, { bytes, requestId, proofToken }));
    onProgress?.("up", 0, bytes);
    await sendAll(line, id, reader, { bytes, onProgress });
    return await use(id);
  } catch (error) {
    await reader.cancel(error).catch(() => undefined);
    const hasEnded = id !== undefined && (await endUpload(line, id));
    // Nothing was made of an upload that could still be ended.
    throw hasEnded && error instanceof ClientError && error.code === "interrupted" ? interrupted() : error;
  }
}

/** Reads a stream; without a value at its end. */
interface Reader {
  read(): Promise<{ readonly value?: Uint8Array | undefined }>;
}

async function sendAll(
  line: Line,
  id: string,
  reader: Reader,
  { bytes, onProgress }: Pick<Upload, "bytes" | "onProgress">,
): Promise<void> {
  const next = createPieceReader(reader);
  const send = createSender(line, id);
  let at = 0;
  // The next piece is encrypted while one is sent.
  for (let piece = await next(); piece.length > 0;) {
    const following = next();
    following.catch(() => undefined);
    await send(piece, at, (part) => onProgress?.("up", at + part, bytes));
    at += piece.length;
    piece = await following;
  }
  if (at !== bytes) throw new Error("the ciphertext has another length than was said");
}

/** Returns a function that reads the next piece, in the memory of the last but one; an empty one after the end. */
function createPieceReader(reader: Reader): () => Promise<Uint8Array<ArrayBuffer>> {
  const memory = [new Uint8Array(PIECE_BYTES), new Uint8Array(PIECE_BYTES)] as const;
  let count = 0;
  let rest: Uint8Array = new Uint8Array();
  return async () => {
    const piece = memory[count++ % 2 === 0 ? 0 : 1];
    let filled = 0;
    while (filled < piece.length) {
      if (rest.length === 0) {
        const { value } = await reader.read();
        if (!value) break;
        rest = value;
      }
      const part = rest.subarray(0, piece.length - filled);
      piece.set(part, filled);
      filled += part.length;
      rest = rest.subarray(part.length);
    }
    return piece.subarray(0, filled);
  };
}

/**
 * Returns a function that sends a piece, which begins `at`, until the server has all of it. Where connections are lost
 * again and again, it sends smaller parts of it: the server keeps none that it doesn't get whole.
 */
function createSender(line: Line, id: string) {
  let patience = line.patience;
  let most = PIECE_BYTES;
  return async (piece: Uint8Array<ArrayBuffer>, at: number, onSent: (bytes: number) => void): Promise<void> => {
    const perseverance = createPerseverance(line, at > 0);
    let done = 0;
    let furthest = 0;
    let isDoubtful = false;
    while (done < piece.length) {
      try {
        const startedAt = performance.now();
        const part = piece.subarray(done, done + most);
        const offset = isDoubtful
          ? await getOffset(line, id)
          : await patchUpload({ ...line, patience }, id, part, at + done);
        if (offset < at || offset > at + piece.length) throw unexpected();
        if (!isDoubtful) {
          patience = paceOf(line, part.length, performance.now() - startedAt);
          most = Math.min(PIECE_BYTES, most * 2);
        }
        isDoubtful = false;
        done = offset - at;
        if (done <= furthest) continue;
        furthest = done;
        perseverance.onProgress();
        onSent(done);
      } catch (error) {
        await perseverance.pauseAfter(error);
        if (!isDoubtful) most = Math.max(LEAST_BYTES, most / 2);
        isDoubtful = true;
      }
    }
  };
}

/** The patience with the next piece after one that took so long: a dead connection is given up sooner. */
function paceOf({ patience }: Line, bytes: number, milliseconds: number): Patience {
  return { ...patience, bytesPerMs: Math.max(patience.bytesPerMs, bytes / Math.max(1, milliseconds) / SLOWDOWN) };
}

interface Beginning extends Pick<Upload, "bytes" | "requestId"> {
  readonly proofToken: string | undefined;
}

/** Begins an upload, and returns its id. Where an earlier attempt may have begun one, it waits until that gives way. */
function beginUpload(line: Line, beginning: Beginning): Promise<string> {
  let mayHaveBegun = false;
  return persist(line, async () => {
    try {
      return await createUpload(line, beginning);
    } catch (error) {
      if (!(error instanceof Setback)) throw error;
      const { code } = error.error;
      if (code === "team_quota_exceeded" && !mayHaveBegun) throw error.error;
      mayHaveBegun ||= IN_DOUBT.has(code);
      throw error;
    }
  });
}

async function createUpload(line: Line, { bytes, requestId, proofToken }: Beginning): Promise<string> {
  const path = requestId === undefined ? UPLOADS_PATH : requestUploadsPath(requestId);
  const proof = proofToken === undefined ? {} : { [PROOF_HEADER]: proofToken };
  const { status, headers } = await call(line, "POST", path, { "upload-length": String(bytes), ...proof });
  const id = (headers.get("location") ?? "").split("/").at(-1) ?? "";
  if (status !== 201 || !isId(id, "upload")) throw unexpected();
  return id;
}

/** Sends a piece, and returns the end of the upload. Throws Setback too when that isn't the end of the piece. */
async function patchUpload(line: Line, id: string, piece: Uint8Array<ArrayBuffer>, offset: number): Promise<number> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", piece));
  const headers = {
    "content-type": "application/offset+octet-stream",
    "upload-offset": String(offset),
    "upload-checksum": `sha256 ${btoa(String.fromCharCode(...digest))}`,
  };
  const end = offsetOf(await call(line, "PATCH", uploadPath(id), headers, piece));
  if (end !== offset + piece.length) throw new Setback(unexpected());
  return end;
}

async function getOffset(line: Line, id: string): Promise<number> {
  return offsetOf(await call(line, "HEAD", uploadPath(id), {}));
}

function uploadPath(id: string): string {
  return `${UPLOADS_PATH}/${id}`;
}

function offsetOf({ headers }: Response): number {
  const text = headers.get("upload-offset") ?? "";
  if (!/^\d{1,15}$/.test(text)) throw unexpected();
  return Number(text);
}

/**
 * Ends an upload, so that it doesn't count against the quota. Resolves false when that isn't certain: one that can't be
 * ended ends by itself.
 */
async function endUpload(line: Line, id: string): Promise<boolean> {
  const signal = AbortSignal.timeout(ENDING_MS);
  return call({ ...line, signal }, "DELETE", uploadPath(id), {}).then(
    () => true,
    () => false,
  );
}

/** Makes one attempt of a call of tus. Throws Setback, and ClientError when another attempt can't succeed. */
async function call(
  line: Line,
  method: "POST" | "HEAD" | "PATCH" | "DELETE",
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: Uint8Array<ArrayBuffer>,
): Promise<Response> {
  const { top, authorization, fetch, patience, signal } = line;
  const deadline = startDeadline(patience, { waitMs: 0, sentBytes: body?.length ?? 0 }, signal);
  try {
    const response = await fetch(top + path, {
      method,
      headers: { accept: "application/problem+json", ...TUS, ...authorization, ...headers },
      redirect: "manual",
      signal: deadline.signal,
      ...(body ? { body } : {}),
    });
    // The answer to HEAD has no body, and so no code.
    const code = method === "HEAD" ? HEAD_CODES[response.status] : undefined;
    if (code !== undefined) throw toClientError(code);
    if (!response.ok) throw await refused(response, line, deadline.beginBody());
    await response.body?.cancel();
    return response;
  } catch (error) {
    throw lost(error, line, deadline.signal);
  } finally {
    deadline.stop();
  }
}
