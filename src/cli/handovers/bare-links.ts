import { linkKindOf } from "../../contract/links.ts";
import { parseBackupLink } from "../../crypto/backup-links.ts";
import { parseRequestLink } from "../../crypto/request-links.ts";
import { parseSecretLink } from "../../crypto/secret-links.ts";
import { usageError } from "../terminal/terminal.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { warnOfArgument } from "./link-arguments.ts";

const KINDS = {
  secret: {
    parse: parseSecretLink,
    command: "handoff open",
    says: "This is a link to a secret. To open it, run 'handoff open' and paste the link when you're asked for it.",
  },
  request: {
    parse: parseRequestLink,
    command: "handoff submit",
    says: "This is a request link: someone asks you for a secret. To hand one in, run 'handoff submit' and paste the link when you're asked for it.",
  },
  backup: {
    parse: parseBackupLink,
    command: "handoff collect -",
    says: "This is a backup link: it opens what was handed in for a request. To collect it, run 'handoff collect -' and paste the link when you're asked for it.",
  },
} as const;

/** Throws CommandError or LinkError for a link in place of a command, and says how to open it. */
export function refuseBareLink(terminal: Terminal, [first = ""]: readonly string[]): void {
  const kind = linkKindOf(first);
  if (kind === undefined) return;
  const { parse, command, says } = KINDS[kind];
  warnOfArgument(terminal, first, command);
  parse(first);
  throw usageError(says);
}
