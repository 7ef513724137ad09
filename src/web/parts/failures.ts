import { createElement } from "preact";
import { ClientError } from "../../client/errors.ts";
import { UserError } from "../../contract/user-errors.ts";
import type { LinkFault } from "../browser/links.ts";
import { reportUnforeseen } from "../browser/reports.ts";
import type { Notice } from "../frame/notices.ts";
import { PAGE } from "../texts/page.ts";
import { PasteLink } from "./paste-link.tsx";

/** The notice for a link that is unknown to the server. */
export const WRONG_LINK = describeLink(PAGE.wrongLink);

/** Used for failures to reach the server, which may pass. */
const OFFLINE = { icon: "offline", tone: "warn", canRetry: true } as const;

/** The notice for a failed call. Screens use it for failures that they do not describe themselves. */
export function describeFailure(error: unknown): Notice {
  const { title, network, busy, other, refused } = PAGE.failed;
  if (!(error instanceof ClientError)) {
    if (!(error instanceof UserError)) reportUnforeseen("the page", error);
    return { title, text: other, canRetry: true };
  }
  switch (error.code) {
    case "stale_page":
      return { title, text: PAGE.failed.stale, canRetry: true };
    case "team_quota_exceeded":
      return { title, text: PAGE.failed.quota };
    case "file_unreadable":
    case "bad_file_name":
      return { title, text: error.message };
    case "credential_invalid":
    case "not_found":
      return WRONG_LINK;
    case "unexpected_answer":
      return { ...PAGE.failed.answered, ...OFFLINE };
    case "rate_limited":
      return { title, text: PAGE.failed.limited, canRetry: true };
    case "server_busy":
    case "gateway_unavailable":
    case "storage_unavailable":
      return { ...busy, ...OFFLINE };
    case "body_too_slow":
    case "connection_failed":
    case "connection_lost":
    case "timed_out":
      return { ...network, ...OFFLINE };
    case "schema_mismatch":
    case "plaintext_rejected":
    case "ciphertext_unrecognized":
    case "unsupported_media_type":
    case "malformed_json":
    case "invalid_header":
    case "method_not_allowed":
      return { title, text: refused };
    default:
      return { title, text: other, canRetry: true };
  }
}

/** The notice for a link whose key this tab once had. */
export function describeForgotten(): Notice {
  return describeLink(PAGE.forgotten);
}

/** A notice about a link, with a field for the right one. */
function describeLink(notice: Notice): Notice {
  return {
    ...notice,
    icon: "link",
    tone: "warn",
    below: createElement<Parameters<typeof PasteLink>[0]>(PasteLink, {}),
  };
}

/** The notice for an incomplete or damaged link. */
export function describeFault(fault: LinkFault): Notice {
  switch (fault) {
    case "incomplete":
      return describeLink(PAGE.broken);
    case "extra":
      return describeLink(PAGE.tooLong);
    case "no_key":
      return describeLink(PAGE.noKey);
    case "encoded":
      return describeLink(PAGE.encodedKey);
    case "newer_version":
      return { ...PAGE.newerLink, icon: "link", tone: "warn" };
    case "mistyped":
    case "hidden":
    case "other":
      return WRONG_LINK;
  }
}

/** The same for a call by a link, where too many attempts with wrong links are limited. */
export function describeLinkFailure(error: unknown): Notice {
  return error instanceof ClientError && error.code === "rate_limited"
    ? { ...PAGE.tooMany, icon: "waiting", tone: "warn", canRetry: true }
    : describeFailure(error);
}

/** The same for a call with a session. */
export function describeSessionFailure(error: unknown): Notice {
  if (error instanceof ClientError && error.code === "other_person") {
    return { title: PAGE.failed.title, text: error.message };
  }
  // Scopes may have changed since the page asked for them.
  if (error instanceof ClientError && error.code === "insufficient_scope") {
    return { title: PAGE.failed.title, text: PAGE.failed.refused };
  }
  if (error instanceof ClientError && error.kind === "credential") {
    return { ...PAGE.signedOut, icon: "signout", tone: "warn", canRetry: true };
  }
  // A call with a session has no link that could name the wrong server.
  if (error instanceof ClientError && error.code === "not_found") {
    return { title: PAGE.failed.title, text: PAGE.failed.other, canRetry: true };
  }
  return describeFailure(error);
}
