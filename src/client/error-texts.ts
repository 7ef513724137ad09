import type { ErrorCode } from "../contract/error-codes.ts";
import { TEAM_RULES } from "../contract/states.ts";
import type { TeamRule } from "../contract/states.ts";
import type { Explanation } from "../contract/user-errors.ts";

/** The checked facts that a server gives about an error beside its code. */
export interface ErrorFacts {
  readonly requestId?: string | undefined;
  /** True when the call was made with a link. Its holder can do nothing about the server or the team. */
  readonly isOfLink?: boolean;
  /** The missing scope. */
  readonly scope?: string | undefined;
  /** Seconds until another attempt makes sense. */
  readonly retrySeconds?: number | undefined;
  /** The rule of the team that is broken, as the server names it. */
  readonly rule?: unknown;
}

/**
 * What happened and what to do, for people at a terminal and for agents. The page is built without it, because it has
 * its own words.
 */
export function explain(code: ErrorCode, facts: ErrorFacts): Explanation {
  const { requestId, isOfLink, scope, retrySeconds, rule } = facts;
  const [meaning, advice] = TEXTS[code];
  const later = `Try again in ${retrySeconds === undefined ? "a minute" : secondsOf(retrySeconds)}.`;
  switch (code) {
    case "insufficient_scope":
      return scope === undefined ? { meaning, advice } : { meaning: `${meaning} It lacks the scope ${scope}.`, advice };
    case "team_quota_exceeded": {
      const other = isOfLink ? "Tell the person who sent the link." : advice;
      if (retrySeconds === undefined) return { meaning, advice: other };
      const again = `If an upload broke off, try again in ${minutesOf(retrySeconds)}.`;
      return { meaning, advice: `${again} Otherwise ${other.charAt(0).toLowerCase()}${other.slice(1)}` };
    }
    case "team_rule":
      return explainRule(rule) ?? { meaning, advice };
    case "internal":
      return { meaning, advice: requestId === undefined ? advice : `${advice} Give them the request ID ${requestId}.` };
    case "rate_limited":
    case "server_busy":
    case "storage_unavailable":
      return { meaning, advice: later };
    default:
      return { meaning, advice };
  }
}

/** Undefined for a rule that this version doesn't know. */
function explainRule(rule: unknown): Explanation | undefined {
  const known = TEAM_RULES.find((each) => each === rule);
  return known && { meaning: RULES[known][0], advice: RULES[known][1] };
}

function secondsOf(seconds: number): string {
  return seconds === 1 ? "1 second" : `${seconds} seconds`;
}

function minutesOf(seconds: number): string {
  const minutes = Math.max(1, Math.ceil(seconds / 60));
  return minutes === 1 ? "1 minute" : `${minutes} minutes`;
}

const OTHER_VERSION = "Check that handoff here and on the server are of the same version.";
const ASK_AGAIN = "Ask for a new link.";
const SHOWN_RULES = "'handoff whoami' shows the rules.";

/** Meaning and advice for each rule of a team. */
const RULES: Readonly<Record<TeamRule, readonly [meaning: string, advice: string]>> = {
  max_expires: ["Your team's rules don't allow such a long lifetime.", `Use a shorter --expires. ${SHOWN_RULES}`],
  max_claims: ["Your team's rules don't allow a link to be used so often.", `Use a smaller number. ${SHOWN_RULES}`],
  max_secret: ["Your team's rules don't allow so large a secret.", SHOWN_RULES],
  require_reference: ["Your team's rules ask for a ticket.", "Add --reference with the ticket that it is about."],
  require_for: [
    "Your team's rules ask you to choose who may use the link.",
    "Add --for with the address of a person who may use it.",
  ],
  for_domain: ["Your team's rules allow only people at certain domains.", `Choose others. ${SHOWN_RULES}`],
  approval: ["Your team's rules ask for an approval of each opening.", `Add --approval team. ${SHOWN_RULES}`],
};

/** Meaning and advice for each code. */
const TEXTS: Readonly<Record<ErrorCode, readonly [meaning: string, advice: string]>> = {
  malformed_json: ["The server can't read what was sent.", OTHER_VERSION],
  credential_in_query: ["A credential was sent in the URL.", "Ask an admin for a new one: URLs end up in logs."],
  invalid_header: ["The server rejects a header of the call.", "Check the server URL, and the proxy if there is one."],
  credential_missing: ["No API key was sent.", "Run 'handoff login', or set HANDOFF_API_KEY_FILE."],
  credential_invalid: [
    "The API key isn't valid: it's mistyped, revoked, or for another server or network.",
    "Check it, log in again if it came with 'handoff login --browser', or ask an admin for a new one.",
  ],
  credential_expired: [
    "The API key has expired.",
    "Log in again if it came with 'handoff login --browser', or ask an admin for a new one ('handoff admin key create').",
  ],
  human_credential: ["This credential works only on the page.", "Use an API key."],
  insufficient_scope: ["The API key may not do this.", "Ask an admin for a key that may."],
  sign_in_too_old: ["You signed in too long ago for this.", "Sign in again at the page."],
  team_quota_exceeded: [
    "The team's storage is full.",
    "Revoke secrets that nobody needs, wait until some expire, or ask an admin for a larger quota.",
  ],
  team_rule: ["Your team's rules don't allow this.", SHOWN_RULES],
  proof_required: [
    "This is for certain people, and nobody has proven to be one of them.",
    "Open the link in a browser, or with 'handoff' in a terminal.",
  ],
  approval_required: [
    "Somebody has to approve it before it can be opened.",
    "Open the link in a browser, or with 'handoff' in a terminal, which ask for it.",
  ],
  not_approver: ["Somebody else has to decide this.", "Ask another person of the team, or the sender."],
  not_found: ["Not found: it doesn't exist, or this credential can't access it.", "Check the ID."],
  method_not_allowed: ["The server doesn't know this call.", OTHER_VERSION],
  envelope_version_unsupported: [
    "This secret is too large for this way to open it. It wasn't opened.",
    "Open it with 'handoff open', or 'handoff collect' for a request, in a terminal.",
  ],
  offset_mismatch: ["The server has another part of the upload than was expected.", "Send it again."],
  upload_incomplete: ["The server doesn't have all of it yet.", "Send it again."],
  upload_ended: ["The upload has ended on the server.", "Send it again."],
  tus_version_unsupported: ["The server doesn't know this way of uploading.", OTHER_VERSION],
  checksum_mismatch: ["A part of the upload changed on its way.", "Send it again."],
  idempotency_conflict: ["The same call was made before with other content.", "Start again."],
  request_paused: ["The request is paused.", "Try again when the person who asked has resumed it."],
  secret_claimed: ["This secret has been opened, as often as its sender allowed.", "Ask the sender if you need it."],
  secret_expired: ["This secret has expired.", ASK_AGAIN],
  secret_revoked: ["This secret was revoked.", "Ask the sender if you need it."],
  request_fulfilled: ["Everything this request asked for has been handed in.", ""],
  request_expired: ["This request has expired.", ASK_AGAIN],
  request_revoked: ["This request was revoked.", "Ask the person who sent it if they still need the secret."],
  code_expired: ["This code has expired, was used, or had too many wrong tries.", "Ask for a new one."],
  code_invalid: ["This code is wrong.", "Type the one from the latest mail."],
  body_too_slow: ["The server didn't get everything in time.", "Check your connection and try again."],
  payload_too_large: ["This is too large for the server.", "Send less, or ask an admin to raise the limit."],
  unsupported_media_type: ["The server rejects the format of the call.", OTHER_VERSION],
  schema_mismatch: ["The server rejects what was sent.", OTHER_VERSION],
  plaintext_rejected: ["The server accepts only encrypted content.", OTHER_VERSION],
  ciphertext_unrecognized: ["The server accepts only age files.", OTHER_VERSION],
  rate_limited: ["Too many calls.", ""],
  internal: ["Something went wrong on the server.", "Tell its admin."],
  provider_unavailable: ["The sign-in provider isn't available.", "Try again later."],
  server_busy: ["The server is busy.", ""],
  storage_unavailable: ["The server can't use its storage right now.", "If it stays so, tell its admin."],
};
