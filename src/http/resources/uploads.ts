import { Elysia } from "elysia";
import type { Context } from "elysia";
import { isId } from "../../contract/ids.ts";
import { API_PREFIX, requestUploadsPath, UPLOADS_PATH } from "../../contract/operations.ts";
import type { Callers } from "../../contract/operations.ts";
import type { Caller } from "../../domain/callers.ts";
import { openDownload } from "../../domain/large/large-secrets.ts";
import { appendPiece, createUpload, endUpload, getUpload } from "../../domain/large/uploads.ts";
import type { UploadProgress } from "../../domain/large/uploads.ts";
import type { UploadRecord } from "../../domain/ports/uploads.ts";
import type { Service } from "../../domain/service.ts";
import { callerGone, Refusal } from "../../domain/values/errors.ts";
import { checkBodyHeaders } from "../gate/bodies.ts";
import { BODY_PACE, readPieces } from "../gate/body-streams.ts";
import type { Gate } from "../gate/gate.ts";
import { answerRange } from "../gate/ranges.ts";
import { toRepeatableCall } from "../gate/repetitions.ts";
import type { Prefix } from "../gate/routes.ts";
import { visitOf } from "../gate/visits.ts";
import type { HttpOptions, ResponseHeaders } from "../options.ts";
import { basePath } from "./base-paths.ts";
import { readProof } from "./proofs.ts";

// Uploads by tus 1.0.0, with its extensions creation, expiration, checksum and termination.

const TUS_VERSION = "1.0.0";
const PIECE_MEDIA_TYPE = "application/offset+octet-stream";
const SUBMITTED = `${API_PREFIX}${requestUploadsPath(":id")}` as const;
const SENDERS: Callers = { scope: "secrets:create", token: "submit" };

/** Who may make each call, by its operationId in the document. */
export const UPLOAD_CALLERS = {
  createUpload: { scope: "secrets:create" },
  createRequestUpload: { token: "submit" },
  getUpload: SENDERS,
  appendToUpload: SENDERS,
  deleteUpload: SENDERS,
  downloadCiphertext: { scope: "secrets:claim", token: "claim" },
} as const satisfies Record<string, Callers>;

/** Each may take 32 MiB of the disk before it looks at what is left. */
const MAX_PIECES_AT_ONCE = 20;
const RETRY_SECONDS = 2;
const COUNT = /^(0|[1-9][0-9]{0,15})$/;
const CHECKSUM = /^sha256 ([A-Za-z0-9+/]{43}=)$/;

type UploadOptions = Pick<HttpOptions, "baseUrl" | "bodyPace">;

/** The uploads of large secrets below `prefix`. */
export function uploadRoutes(service: Service, options: UploadOptions, gate: Gate, prefix: Prefix) {
  const uploads = `${prefix}${UPLOADS_PATH}` as const;
  const oneUpload = `${uploads}/:id` as const;
  /** Finds the caller of a call of tus. */
  const admit = async (routed: Parameters<Gate["admitOther"]>[0], callers: Callers) => {
    const { request, set } = routed;
    set.headers["tus-resumable"] = TUS_VERSION;
    const caller = await gate.admitOther(routed, { callers });
    if (visitOf(request).search !== "") throw new Refusal("schema_mismatch", { detail: "An upload has no query." });
    if (request.headers.get("tus-resumable") !== TUS_VERSION) {
      set.headers["tus-version"] = TUS_VERSION;
      throw new Refusal("tus_version_unsupported");
    }
    return caller;
  };
  const admitToUpload = async (routed: Parameters<Gate["admitOther"]>[0]) => {
    const caller = await admit(routed, SENDERS);
    if (!isId(routed.params?.id ?? "", "upload")) throw new Refusal("not_found");
    return caller;
  };
  const begin = async ({ request, set }: Pick<Context, "request" | "set">, caller: Caller): Promise<void> => {
    const { headers } = request;
    checkBodyHeaders(headers, {}, 0);
    // It would be plaintext.
    if (headers.has("upload-metadata")) throw new Refusal("plaintext_rejected");
    const bytes = readCount(headers, "upload-length");
    const upload = await createUpload(service, caller, { bytes, proofToken: readProof(headers) });
    set.headers["location"] = `${basePath(options.baseUrl())}${uploads}/${upload.id}`;
    tellEnd(set.headers, upload);
    set.status = 201;
  };
  const writing = new Map<string, number>();
  /** Takes a place among the pieces that a credential sends at once. Throws a Refusal `server_busy`. */
  const takePlace = (credentialId: string): Disposable => {
    const others = writing.get(credentialId) ?? 0;
    if (others >= MAX_PIECES_AT_ONCE) throw new Refusal("server_busy", { retryAfterSeconds: RETRY_SECONDS });
    writing.set(credentialId, others + 1);
    return {
      [Symbol.dispose]() {
        const left = (writing.get(credentialId) ?? 1) - 1;
        if (left > 0) writing.set(credentialId, left);
        else writing.delete(credentialId);
      },
    };
  };
  const app = new Elysia({ normalize: false })
    .route(
      "POST",
      uploads,
      async ({ request, set }) => begin({ request, set }, await admit({ request, set }, UPLOAD_CALLERS.createUpload)),
      { parse: "none" },
    )
    .route("HEAD", oneUpload, async ({ request, set, params }) => {
      const caller = await admitToUpload({ request, set, params });
      tellProgress(set.headers, await getUpload(service, caller, params.id));
      set.status = 200;
    })
    .route(
      "PATCH",
      oneUpload,
      async ({ request, set, params }) => {
        const caller = await admitToUpload({ request, set, params });
        const { headers } = request;
        checkPieceHeaders(headers);
        const stop = new AbortController();
        const piece = {
          offset: readCount(headers, "upload-offset"),
          pieces: readPieces(request, options.bodyPace ?? BODY_PACE, stop.signal),
          sha256: readChecksum(headers),
          stop: () => stop.abort(new Refusal("offset_mismatch")),
        };
        using _ = takePlace(caller.credentialId);
        const progress = await appendPiece(service, caller, params.id, piece).catch((error: unknown) => {
          throw request.signal.aborted && !(error instanceof Refusal) ? callerGone() : error;
        });
        tellProgress(set.headers, progress);
        set.status = 204;
      },
      { parse: "none" },
    )
    .route("DELETE", oneUpload, async ({ request, set, params }) => {
      const caller = await admitToUpload({ request, set, params });
      await endUpload(service, caller, params.id);
      set.status = 204;
    });
  // The page calls with the tokens of links as scripts do.
  if (prefix === API_PREFIX) {
    app.route(
      "POST",
      SUBMITTED,
      async ({ request, set, params }) =>
        begin({ request, set }, await admit({ request, set, params }, UPLOAD_CALLERS.createRequestUpload)),
      { parse: "none" },
    );
  }
  return app;
}

/** The download of a large secret that was claimed, below `prefix`. */
export function downloadRoutes(service: Service, gate: Gate, prefix: Prefix) {
  const ciphertext = `${prefix}/secrets/:id/ciphertext` as const;
  /** Begins the download of a claimed secret, or goes on with it. */
  const open = async (routed: Parameters<Gate["admitOther"]>[0] & { readonly params: { readonly id: string } }) => {
    const { request, set, params } = routed;
    const caller = await gate.admitOther(routed, { callers: UPLOAD_CALLERS.downloadCiphertext });
    if (visitOf(request).search !== "") throw new Refusal("schema_mismatch", { detail: "A download has no query." });
    const { idempotencyKey, path } = toRepeatableCall(request);
    const claimPath = path.replace(/ciphertext$/, "claim");
    const { tag, bytes, blob } = await openDownload(service, caller, { id: params.id, idempotencyKey, claimPath });
    const headers = {
      ...toText(set.headers),
      "accept-ranges": "bytes",
      "content-disposition": "attachment",
      "content-type": "application/octet-stream",
      etag: `"${tag}"`,
    };
    return { bytes, blob, headers };
  };
  return new Elysia({ normalize: false }).route("GET", ciphertext, async (routed) => {
    const { blob, bytes, headers } = await open(routed);
    if (routed.request.method === "HEAD") return new Response(lengthAlone(bytes), { headers });
    // Bun answers a part of a file to a request with `Range`.
    return blob instanceof Blob
      ? new Response(blob, { headers })
      : answerRange(routed.request, { bytes, blob, headers });
  });
}

/** A body for Elysia, which reads that of an answer to a HEAD only to add up the lengths of its pieces. */
function lengthAlone(byteLength: number): ReadableStream {
  return new ReadableStream({
    start(controller) {
      controller.enqueue({ byteLength });
      controller.close();
    },
  });
}

function tellEnd(headers: ResponseHeaders, { expiresAt }: UploadRecord): void {
  headers["upload-expires"] = new Date(expiresAt).toUTCString();
}

function tellProgress(headers: ResponseHeaders, { upload, offset }: UploadProgress): void {
  headers["upload-offset"] = String(offset);
  headers["upload-length"] = String(upload.bytes);
  tellEnd(headers, upload);
}

/** A header that is a number of bytes. Throws a Refusal `invalid_header` for anything else. */
function readCount(headers: Headers, name: "upload-length" | "upload-offset"): number {
  const text = headers.get(name) ?? "";
  if (!COUNT.test(text)) throw new Refusal("invalid_header", { detail: `${name} must be a number of bytes.` });
  return Number(text);
}

/** Throws a Refusal `unsupported_media_type` for what is no piece of tus. */
function checkPieceHeaders(headers: Headers): void {
  const isEncoded = (headers.get("content-encoding") ?? "identity").toLowerCase() !== "identity";
  if (headers.get("content-type") === PIECE_MEDIA_TYPE && !isEncoded) return;
  throw new Refusal("unsupported_media_type", {
    accept: PIECE_MEDIA_TYPE,
    detail: `Send 'Content-Type: ${PIECE_MEDIA_TYPE}', without a Content-Encoding.`,
  });
}

function readChecksum(headers: Headers): Uint8Array | undefined {
  const text = headers.get("upload-checksum");
  if (text === null) return undefined;
  const encoded = CHECKSUM.exec(text)?.[1];
  if (encoded === undefined) {
    throw new Refusal("invalid_header", { detail: "Upload-Checksum must be 'sha256', a space and base64." });
  }
  return Uint8Array.fromBase64(encoded);
}

function toText(headers: ResponseHeaders): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}
