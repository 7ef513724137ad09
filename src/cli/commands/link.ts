import type { Command } from "commander";
import { linkKindOf } from "../../contract/links.ts";
import { deriveRequestKeys, parseRequestLink } from "../../crypto/request-links.ts";
import { deriveSecretLinkKeys, parseSecretLink, secretPassphrase } from "../../crypto/secret-links.ts";
import { readSenderPassphrase } from "../handovers/handovers.ts";
import { readLink } from "../handovers/link-arguments.ts";
import { addPassphraseFlags } from "../handovers/passphrases.ts";
import type { PassphraseFlags } from "../handovers/passphrases.ts";
import { formatTable } from "../terminal/tables.ts";
import { formatJson } from "../terminal/terminal.ts";
import type { Terminal } from "../terminal/terminal.ts";

interface LinkFlags extends PassphraseFlags {
  readonly json?: boolean;
}

/** `handoff link` */
export function addLink(program: Command, terminal: Terminal): void {
  addPassphraseFlags(program.command("link"), "the link")
    .argument("[link]", "The link. Leave it out, and you're asked for it, or it's read from standard input.")
    .description("Show the parts of a link, with which curl and age open it. Needs no server and uses nothing up.")
    .option("--json", "Print output and errors as JSON.")
    .addHelpText(
      "after",
      `
Example:
  handoff link < link.txt
  curl -sS -X POST "$SERVER/api/v1/secrets/$ID/claim" -H @<(printf 'Authorization: Bearer %s' "$CLAIM_TOKEN") …`,
    )
    .action((argument: string | undefined, flags: LinkFlags) => showLink(terminal, argument, flags));
}

async function showLink(terminal: Terminal, argument: string | undefined, flags: LinkFlags): Promise<void> {
  const text = await readLink(terminal, argument, { command: "handoff link" });
  if (linkKindOf(text) === "request") return showRequestLink(terminal, text, flags);
  const link = parseSecretLink(text);
  const { claimToken, agePassphrase } = await deriveSecretLinkKeys(link.seed);
  const passphrase = link.needsPassphrase ? await readSenderPassphrase(terminal, flags) : undefined;
  const parts = {
    server: link.baseUrl,
    id: link.id,
    claim_token: claimToken,
    age_passphrase: secretPassphrase(agePassphrase, passphrase),
  };
  showParts(terminal, parts, flags);
}

async function showRequestLink(terminal: Terminal, text: string, flags: LinkFlags): Promise<void> {
  const { baseUrl, id, seed, pin } = parseRequestLink(text);
  const { submitToken, notePassphrase } = await deriveRequestKeys(seed);
  const parts = { server: baseUrl, id, submit_token: submitToken, note_passphrase: notePassphrase, pin };
  showParts(terminal, parts, flags);
}

function showParts(terminal: Terminal, parts: Readonly<Record<string, string>>, { json }: LinkFlags): void {
  if (json) terminal.out(formatJson(parts));
  else terminal.out(formatTable(["PART", "VALUE"], Object.entries(parts)));
}
