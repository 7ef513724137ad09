import type { ErrorCode } from "../../contract/error-codes.ts";
import { detailOf, ERRORS } from "../../contract/errors.ts";
import { OPERATION_IDS } from "../../contract/operation-schemas.ts";
import { errorsOf } from "../../contract/operations.ts";
import { PROBLEM_MEDIA_TYPE } from "../../contract/problems.ts";
import { schemaRef } from "./schemas.ts";
import type { JsonObject } from "./schemas.ts";

/** The headers that answers have, by the name of their component. */
export const RESPONSE_HEADERS: JsonObject = {
  RequestId: {
    ...header("The id of this call in the server's log.", "01a1fc1d-7f33-7162-b8d5-22c3bb3c6d3c"),
    required: true,
  },
  RateLimit: header("What is left (draft-ietf-httpapi-ratelimit-headers).", '"calls";r=199;t=1'),
  RateLimitPolicy: header("The limit that applies.", '"calls";q=200;w=2'),
  RetryAfter: {
    description: "Seconds to wait before another try.",
    schema: { type: "integer", minimum: 0 },
    example: 5,
  },
  IdempotencyReplayed: {
    description: "`true` on an answer that was given before to the same `Idempotency-Key`, absent on any other.",
    schema: { type: "boolean" },
    example: true,
  },
  WwwAuthenticate: header("What is missing (RFC 6750).", 'Bearer realm="handoff"'),
  Accept: header("The media type to send (RFC 9110).", "application/json"),
  AcceptEncoding: header("The encoding to send.", "identity"),
  UploadOffset: count("The bytes of the upload that are on disk."),
  UploadLength: count("The length of the upload in bytes."),
  UploadExpires: header("When the upload ends (RFC 9110).", "Sat, 28 Nov 2026 09:30:00 GMT"),
  ETag: header("Identifies the ciphertext (RFC 9110).", '"upl_069q6gv7k1rqf8a0c2m4e6g8io"'),
  Location: header("Where the new thing is.", "/api/v1/secrets/sec_069q6gv7k1rqf8a0c2m4e6g8io"),
};

const EXAMPLE_BASE_URL = "https://handoff.example";
const EXAMPLE_REQUEST_ID = "01a1fc1d-7f33-7162-b8d5-22c3bb3c6d3c";

/** One example for each error that an operation can answer with, and each of `others`, by its code. */
export function problemExamples(others: readonly ErrorCode[]): JsonObject {
  const answered = new Set([...OPERATION_IDS.flatMap(errorsOf), ...others]);
  return Object.fromEntries(
    [...answered].map((code) => {
      const { status, title } = ERRORS[code];
      const value: JsonObject = {
        type: `${EXAMPLE_BASE_URL}/problems/${code}`,
        title,
        status,
        code,
        detail: detailOf(code),
        request_id: EXAMPLE_REQUEST_ID,
      };
      const errors = EXAMPLE_PLACES[code];
      return [code, { summary: title, value: errors ? { ...value, errors: [...errors] } : value }];
    }),
  );
}

const EXAMPLE_PLACES: Partial<Record<ErrorCode, readonly JsonObject[]>> = {
  schema_mismatch: [{ pointer: "/query/expires_in", code: "range" }],
  plaintext_rejected: [{ pointer: "/password", code: "unexpected" }],
};

/** The errors `codes`, as responses by status. */
export function problemResponses(codes: readonly ErrorCode[]): JsonObject {
  const byStatus = Map.groupBy(codes, (code) => ERRORS[code].status);
  return Object.fromEntries(
    [...byStatus]
      .toSorted(([a], [b]) => a - b)
      .map(([status, some]) => [String(status), problemResponse(status, some)]),
  );
}

/** The headers of every answer of the API. */
export function commonHeaders(): JsonObject {
  return {
    "X-Request-Id": headerRef("RequestId"),
    RateLimit: headerRef("RateLimit"),
    "RateLimit-Policy": headerRef("RateLimitPolicy"),
  };
}

/** The reference to one of RESPONSE_HEADERS. */
export function headerRef(name: keyof typeof RESPONSE_HEADERS): JsonObject {
  return { $ref: `#/components/headers/${name}` };
}

function problemResponse(status: number, codes: readonly ErrorCode[]): JsonObject {
  const headers = commonHeaders();
  if (status === 401 || status === 403) headers["WWW-Authenticate"] = headerRef("WwwAuthenticate");
  if (status === 415) {
    headers["Accept"] = headerRef("Accept");
    headers["Accept-Encoding"] = headerRef("AcceptEncoding");
  }
  if (status === 429 || status >= 500) headers["Retry-After"] = headerRef("RetryAfter");
  return {
    description: codes.map((code) => `\`${code}\`: ${detailOf(code)}`).join("\n\n"),
    headers,
    content: {
      [PROBLEM_MEDIA_TYPE]: {
        schema: schemaRef("Problem"),
        examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
      },
    },
  };
}

function count(description: string): JsonObject {
  return { description, schema: { type: "integer", minimum: 0 }, example: 8388608 };
}

function header(description: string, example: string): JsonObject {
  return { description, schema: { type: "string" }, example };
}
