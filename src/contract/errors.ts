import { ERROR_CODES, ERROR_STATUSES } from "./error-codes.ts";
import type { ErrorCode } from "./error-codes.ts";
import { joinExplanation } from "./user-errors.ts";
import type { Explanation } from "./user-errors.ts";

/** The texts about an error for developers of clients. The meaning is empty where the title says it all. */
interface ErrorText extends Explanation {
  readonly title: string;
}

const TEXTS: Readonly<Record<ErrorCode, ErrorText>> = {
  malformed_json: {
    title: "The body is not valid JSON",
    meaning:
      "The body must be one JSON document in UTF-8, without a byte order mark, duplicate members or deep nesting.",
    advice: "",
  },
  credential_in_query: {
    title: "A credential was sent in the query string",
    meaning: "",
    advice:
      "Send the credential in the Authorization header. Treat the one in the query string as leaked and rotate it: query strings end up in logs and histories.",
  },
  invalid_header: {
    title: "A header is not valid",
    meaning: "A header is missing or malformed, or the call comes from another site than the page.",
    advice:
      "Check Host, Origin, Idempotency-Key (1 to 255 visible ASCII characters) and Last-Event-ID (the ID of an event).",
  },
  credential_missing: {
    title: "A credential is missing",
    meaning: "",
    advice: "Send the header 'Authorization: Bearer <token>'.",
  },
  credential_invalid: {
    title: "The credential is not valid",
    meaning: "The token is mistyped, revoked, unknown, not of this server, or not for the caller's network.",
    advice: "",
  },
  credential_expired: {
    title: "The credential has expired",
    meaning: "The credential has expired.",
    advice: "For an API key, ask an admin for a new one ('handoff admin key create').",
  },
  human_credential: {
    title: "This credential is for the page only",
    meaning: "Tokens and sessions of people are for the page.",
    advice: "Use an API key here.",
  },
  insufficient_scope: {
    title: "The credential may not do this",
    meaning: "The credential lacks the scope that this operation needs.",
    advice: "WWW-Authenticate names the scope.",
  },
  sign_in_too_old: {
    title: "The sign-in is too long ago",
    meaning: "The person signed in more than 15 minutes ago, which is too long for this call.",
    advice: "Sign in again in the same browser.",
  },
  team_quota_exceeded: {
    title: "The team has no storage left",
    meaning: "What is stored for the team fills its quota.",
    advice:
      "Claim or revoke secrets, wait until records of ended ones are erased, or ask for a larger quota. With Retry-After, an earlier upload that broke off may give way by then.",
  },
  team_rule: {
    title: "A rule of the team forbids it",
    meaning: "An admin has given the team a rule that this call breaks. The member 'rule' names it.",
    advice: "Keep to the rules, which GET /credential has.",
  },
  proof_required: {
    title: "It is for chosen people",
    meaning: "It is for people with certain addresses, and the call has no valid proof of one of these.",
    advice: "Prove an address, and send the proof in the header Handoff-Proof.",
  },
  approval_required: {
    title: "Somebody has to approve it",
    meaning: "It can be claimed once its sender, or somebody of their team, has approved it for the caller.",
    advice: "Ask for approval, and send its token in the header Handoff-Approval.",
  },
  not_approver: {
    title: "Somebody else has to decide",
    meaning:
      "The caller may not decide this: only the sender may, only another person than the sender, or nobody who asked.",
    advice: "Let somebody else of the team decide.",
  },
  not_found: {
    title: "Not found",
    meaning: "It does not exist, or this credential cannot access it.",
    advice: "",
  },
  method_not_allowed: {
    title: "Method not allowed",
    meaning: "The path exists, but not with this method.",
    advice: "The Allow header lists those it has.",
  },
  envelope_version_unsupported: {
    title: "The secret has another envelope version",
    meaning: "This call can't hand out an envelope of this version. The claim was not made, and nothing is used up.",
    advice: "Claim envelopes of version 2 with 'large-claim', and those of version 1 with 'claim'.",
  },
  offset_mismatch: {
    title: "The upload continues elsewhere",
    meaning: "The piece doesn't begin where the upload ends so far.",
    advice: "Ask for the offset with HEAD, and go on from there.",
  },
  upload_incomplete: {
    title: "The upload is not complete",
    meaning: "The upload has fewer bytes than it was created for.",
    advice: "Send the rest first.",
  },
  idempotency_conflict: {
    title: "The idempotency key was used for another call",
    meaning: "",
    advice: "Use a new Idempotency-Key for a new call.",
  },
  request_paused: {
    title: "The request is paused",
    meaning: "The request accepts no submissions until it is resumed.",
    advice: "",
  },
  secret_claimed: {
    title: "The secret has been claimed",
    meaning: "The secret has been claimed as often as its sender allowed.",
    advice: "",
  },
  secret_expired: {
    title: "The secret has expired",
    meaning: "The secret expired.",
    advice: "Ask for a new link.",
  },
  secret_revoked: {
    title: "The secret has been revoked",
    meaning: "The secret was revoked.",
    advice: "Ask the sender if you need it.",
  },
  request_fulfilled: {
    title: "The request has been fulfilled",
    meaning: "Everything that was asked for has been handed in.",
    advice: "",
  },
  request_expired: {
    title: "The request has expired",
    meaning: "The request expired.",
    advice: "Ask for a new request link.",
  },
  request_revoked: {
    title: "The request has been revoked",
    meaning: "The request was revoked. It accepts no more submissions.",
    advice: "",
  },
  code_expired: {
    title: "The code has expired",
    meaning: "The code has expired, was used, or had too many wrong tries.",
    advice: "Ask for a new one.",
  },
  upload_ended: {
    title: "There is no such upload",
    meaning: "The upload has expired, was deleted, gave way to another one, or is a secret already.",
    advice: "Begin a new one.",
  },
  tus_version_unsupported: {
    title: "The version of tus is not supported",
    meaning: "Uploads speak tus 1.0.0.",
    advice: "Send the header 'Tus-Resumable: 1.0.0'.",
  },
  checksum_mismatch: {
    title: "The checksum doesn't fit the piece",
    meaning: "The piece has changed on its way, and was not kept.",
    advice: "Send it again.",
  },
  code_invalid: {
    title: "The code is wrong",
    meaning: "The code is not the one that was mailed for this proof.",
    advice: "Type the code of the latest mail. The fifth wrong one ends the proof.",
  },
  body_too_slow: {
    title: "The body came too slowly",
    meaning: "The body did not arrive in time.",
    advice: "Check the connection and try again.",
  },
  payload_too_large: {
    title: "The body is too large",
    meaning: "The body is larger than this server accepts.",
    advice: "",
  },
  unsupported_media_type: {
    title: "Unsupported media type",
    meaning: "",
    advice: "Send 'Content-Type: application/json' in UTF-8, without a Content-Encoding.",
  },
  schema_mismatch: {
    title: "The call does not match the schema",
    meaning: "",
    advice: "The members of 'errors' say where the call differs from the schema in /openapi.json.",
  },
  plaintext_rejected: {
    title: "The body may contain plaintext",
    meaning: "The body has a member that looks like unencrypted content.",
    advice: "Encrypt first; the server accepts only envelopes.",
  },
  ciphertext_unrecognized: {
    title: "The ciphertext is not an age file",
    meaning:
      "This server accepts only ciphertexts that are unpadded base64url of an age v1 file, whose header has 4 KiB at most (some 40 recipients).",
    advice: "",
  },
  rate_limited: {
    title: "Too many calls",
    meaning: "",
    advice: "Retry after Retry-After seconds.",
  },
  internal: {
    title: "Internal error",
    meaning: "Something went wrong on the server.",
    advice: "Its log has the request ID.",
  },
  provider_unavailable: {
    title: "The provider of single sign-on is unavailable",
    meaning: "The provider of single sign-on did not answer in time, or not as it should.",
    advice: "Begin the sign-in again later.",
  },
  server_busy: {
    title: "The server is busy",
    meaning: "The server has no memory left for another large call right now.",
    advice: "Retry after Retry-After seconds.",
  },
  storage_unavailable: {
    title: "The storage is unavailable",
    meaning: "The server cannot use its storage now.",
    advice:
      "Where 'outcome' is 'unknown', the call may have been carried out; otherwise it was not. Retry after Retry-After seconds; a POST with the same Idempotency-Key.",
  },
};

/** Every error of the contract: status, title, meaning and advice. */
export const ERRORS = Object.fromEntries(
  ERROR_CODES.map((code) => [code, { status: ERROR_STATUSES[code], ...TEXTS[code] }]),
) as Readonly<Record<ErrorCode, ErrorText & { readonly status: number }>>;

/** The meaning and advice of an error: the text of `/problems/{code}`, and the default `detail`. */
export function detailOf(code: ErrorCode): string {
  return joinExplanation(ERRORS[code]);
}
