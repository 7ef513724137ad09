import type { ErrorCode } from "../../contract/error-codes.ts";
import { exampleId, idPattern } from "../../contract/ids.ts";
import type { IdKind } from "../../contract/ids.ts";
import type { Tag } from "../../contract/operation-schemas.ts";
import { ALWAYS, API_PREFIX, requestUploadsPath, UPLOADS_PATH } from "../../contract/operations.ts";
import { describeCallers } from "../resources/details.ts";
import { UPLOAD_CALLERS } from "../resources/uploads.ts";
import { commonHeaders, headerRef, problemResponses } from "./responses.ts";
import type { JsonObject } from "./schemas.ts";

// Uploads and downloads have bodies that are no JSON, and no schemas. So their routes don't describe them.

const TAG: Tag = "Secrets";

const OF_EVERY_CALL: readonly ErrorCode[] = [...ALWAYS, "not_found"];
const OF_TUS: readonly ErrorCode[] = [...OF_EVERY_CALL, "tus_version_unsupported"];
const OF_UPLOAD: readonly ErrorCode[] = [...OF_TUS, "upload_ended"];

const OF_BEGINNING: readonly ErrorCode[] = [
  ...OF_TUS,
  "payload_too_large",
  "plaintext_rejected",
  "ciphertext_unrecognized",
  "team_quota_exceeded",
];
const OF_REQUEST: readonly ErrorCode[] = ["request_paused", "request_fulfilled", "request_expired", "request_revoked"];

/** The errors of each call, by its operationId. */
const ERRORS_OF = {
  createUpload: [...OF_BEGINNING, "team_rule"],
  createRequestUpload: [...OF_BEGINNING, "proof_required", ...OF_REQUEST],
  getUpload: OF_UPLOAD,
  appendToUpload: [
    ...OF_UPLOAD,
    "body_too_slow",
    "payload_too_large",
    "unsupported_media_type",
    "ciphertext_unrecognized",
    "offset_mismatch",
    "checksum_mismatch",
    "team_quota_exceeded",
    ...OF_REQUEST,
  ],
  deleteUpload: OF_UPLOAD,
  downloadCiphertext: [...OF_EVERY_CALL, "secret_claimed"],
} as const satisfies Record<string, readonly ErrorCode[]>;

/** Every error that a call of tus, or a download, can answer with. */
export const UPLOAD_ERRORS: readonly ErrorCode[] = Object.values(ERRORS_OF).flat();

const TUS_RESUMABLE = headerParameter("Tus-Resumable", "The version of tus.", { type: "string", enum: ["1.0.0"] });
const COUNT = { type: "integer", minimum: 0 };
const BINARY = { schema: { type: "string", format: "binary" } };

/** The paths of uploads and downloads, as the document has them. */
export function describeUploads() {
  return {
    [API_PREFIX + UPLOADS_PATH]: {
      post: call("createUpload", {
        summary: "Begin an upload",
        description:
          "Begins the upload of the ciphertext of a large secret, a binary age file (tus 1.0.0, creation and expiration). Its whole length counts against the quota. Where it doesn't fit, earlier uploads of the same identity end that have got nothing for 10 minutes.",
        parameters: [TUS_RESUMABLE, headerParameter("Upload-Length", "The length of the file in bytes.", COUNT)],
        success: { 201: answer("The upload has begun.", ["Location", "UploadExpires"]) },
      }),
    },
    [API_PREFIX + requestUploadsPath("{id}")]: {
      post: call("createRequestUpload", {
        summary: "Begin an upload for a request",
        description:
          "Begins an upload for a request. Only its bytes on disk count against the quota. When the request has more uploads than submissions left, the oldest one ends. When the whole file doesn't fit into the quota, uploads for the request end that have got nothing for 10 minutes. Where only chosen people may hand in, send the proof of an address in the header `Handoff-Proof`.",
        parameters: [
          pathId("request"),
          { $ref: "#/components/parameters/Proof" },
          TUS_RESUMABLE,
          headerParameter("Upload-Length", "The length of the file in bytes.", COUNT),
        ],
        success: { 201: answer("The upload has begun.", ["Location", "UploadExpires"]) },
      }),
    },
    [`${API_PREFIX + UPLOADS_PATH}/{id}`]: {
      head: call("getUpload", {
        summary: "Get the offset of an upload",
        description: "Says how many bytes are on disk. A call that still writes the upload ends.",
        parameters: [pathId("upload"), TUS_RESUMABLE],
        success: { 200: answer("How far it is.", ["UploadOffset", "UploadLength", "UploadExpires"]) },
      }),
      patch: call("appendToUpload", {
        summary: "Send a piece of an upload",
        description:
          "Writes a piece at the end of the upload. A 204 means that it is on disk. Of a piece that breaks off, what came is kept, unless it has a checksum.",
        parameters: [
          pathId("upload"),
          TUS_RESUMABLE,
          headerParameter("Upload-Offset", "The bytes that are on disk.", COUNT),
          {
            ...headerParameter("Upload-Checksum", "`sha256`, a space, and the hash of the piece in base64.", {
              type: "string",
            }),
            required: false,
          },
        ],
        requestBody: { required: true, content: { "application/offset+octet-stream": BINARY } },
        success: { 204: answer("The piece is on disk.", ["UploadOffset", "UploadLength", "UploadExpires"]) },
      }),
      delete: call("deleteUpload", {
        summary: "Delete an upload",
        description: "Ends an upload that is no secret, and gives its room back.",
        parameters: [pathId("upload"), TUS_RESUMABLE],
        success: { 204: answer("It has ended.", []) },
      }),
    },
    [`${API_PREFIX}/secrets/{id}/ciphertext`]: {
      get: call("downloadCiphertext", {
        summary: "Download a large secret",
        description:
          "The ciphertext of a claimed large secret, a binary age file, whole or in parts (`Range`). Send the Idempotency-Key of the claim.",
        parameters: [
          pathId("secret"),
          { $ref: "#/components/parameters/ClaimIdempotencyKey" },
          {
            ...headerParameter("Range", "The part to answer with (RFC 9110).", { type: "string" }),
            required: false,
          },
        ],
        success: {
          200: { ...answer("The ciphertext.", ["ETag"]), content: { "application/octet-stream": BINARY } },
          206: { ...answer("A part of it.", ["ETag"]), content: { "application/octet-stream": BINARY } },
        },
      }),
    },
  };
}

/** A call as the page of the documentation lists it. */
export interface ListedCall {
  readonly method: string;
  readonly path: string;
  readonly tag: Tag;
  readonly summary: string;
}

/** The calls of uploads and downloads. */
export function listUploads(): ListedCall[] {
  return Object.entries(describeUploads()).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { summary }]) => ({ method: method.toUpperCase(), path, tag: TAG, summary })),
  );
}

function call(
  operationId: keyof typeof ERRORS_OF,
  {
    success,
    ...described
  }: {
    readonly summary: string;
    readonly description: string;
    readonly parameters: JsonObject[];
    readonly requestBody?: JsonObject;
    readonly success: JsonObject;
  },
) {
  return {
    operationId,
    tags: [TAG],
    ...described,
    ...describeCallers(UPLOAD_CALLERS[operationId], described.description),
    responses: { ...success, ...problemResponses(ERRORS_OF[operationId]) },
  };
}

function pathId(kind: IdKind): JsonObject {
  const schema = { type: "string", pattern: `^${idPattern(kind)}$` };
  const description = `The id of the ${kind}.`;
  return { name: "id", in: "path", required: true, description, schema, example: exampleId(kind) };
}

function headerParameter(name: string, description: string, schema: JsonObject): JsonObject {
  return { name, in: "header", required: true, description, schema };
}

function answer(description: string, headers: readonly Parameters<typeof headerRef>[0][]): JsonObject {
  const names = { UploadOffset: "Upload-Offset", UploadLength: "Upload-Length", UploadExpires: "Upload-Expires" };
  const named = headers.map((header) => [names[header as keyof typeof names] ?? header, headerRef(header)]);
  return { description, headers: { ...commonHeaders(), ...Object.fromEntries(named) } };
}
