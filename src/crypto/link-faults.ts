import { UserError } from "../contract/user-errors.ts";

/** The faults of a link. Each has one text on the command line, in MCP and on the page. */
export type LinkFault =
  /** The end is missing. */
  | "incomplete"
  /** Extra characters follow the key. */
  | "extra"
  /** A character is wrong. */
  | "mistyped"
  /** The part from the `#` on is missing. */
  | "no_key"
  /** The `#` was percent-encoded on the way. */
  | "encoded"
  /** It has invisible characters. */
  | "hidden"
  | "newer_version"
  /** It isn't a handoff link, or not of the kind that is needed. */
  | "other";

/** A link is wrong. The message says how, and never quotes the link. */
export class LinkError extends UserError {
  override readonly name = "LinkError";
  readonly fault: LinkFault;

  constructor(fault: LinkFault, message: string) {
    super("usage", message);
    this.fault = fault;
  }
}

/** The error for a link with this fault. */
export function faultyLink(fault: keyof typeof TEXTS): LinkError {
  return new LinkError(fault, TEXTS[fault]);
}

const TEXTS = {
  incomplete: "This link is incomplete. Copy the whole link from the message.",
  extra: "This link has extra characters. Copy it again without them.",
  mistyped: "This link is mistyped. Copy the whole link again.",
  no_key:
    "The key is missing from this link: some apps cut off the part after #. Copy the whole link from the message.",
  encoded: "This link was changed on the way: it has %23 where # belongs. Put # there and try again.",
  hidden: "This link has characters that can't be seen. Copy it again without them.",
  newer_version: "This link is for a newer version of handoff.",
} as const satisfies Partial<Record<LinkFault, string>>;
