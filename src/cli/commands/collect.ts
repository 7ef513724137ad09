import type { Command } from "commander";
import { ClientError } from "../../client/errors.ts";
import { getRequest, hasEnded } from "../../client/requests.ts";
import { recipientOf } from "../../crypto/age-identities.ts";
import { parseBackupLink } from "../../crypto/backup-links.ts";
import { LinkError } from "../../crypto/links.ts";
import { parseRequestLink } from "../../crypto/request-links.ts";
import { collectable, collectAll, awaitSubmission, nothingYet, tryToForget } from "../handovers/collections.ts";
import { addConnectionFlags, connectFor } from "../handovers/connections.ts";
import type { ConnectionFlags } from "../handovers/connections.ts";
import { addDeliveryFlags, checkOutput } from "../handovers/deliveries.ts";
import type { DeliveryFlags } from "../handovers/deliveries.ts";
import { readLink } from "../handovers/link-arguments.ts";
import { findKeptRequest, getKeptRequest, keepRequest, listKeptRequests } from "../state/kept-requests.ts";
import type { KeptRequest } from "../state/kept-requests.ts";
import { formatTable } from "../terminal/tables.ts";
import { checkStandardOutput, CommandError, EXIT, formatJson, printable } from "../terminal/terminal.ts";
import type { Terminal } from "../terminal/terminal.ts";

interface CollectFlags extends ConnectionFlags, DeliveryFlags {
  readonly wait?: boolean;
  readonly json?: boolean;
}

/** `handoff collect` */
export function addCollect(program: Command, terminal: Terminal): void {
  addDeliveryFlags(addConnectionFlags(program.command("collect")))
    .argument(
      "[request]",
      "The ID of a request that was made on this machine, or - for a link of the request or its backup link, which you're asked for, or which is read from standard input. Without it the requests are listed.",
    )
    .description("Collect what was handed in: text goes to standard output, files into a new directory.")
    .option("--wait", "Wait until something is handed in.")
    .addHelpText(
      "after",
      `
Examples:
  handoff collect
  handoff collect req_069q6gv7k1rqf8a0c2m4e6g8io --wait > secret.txt
  handoff collect - < backup-link.txt

Of a request for several secrets, each goes into a new directory with its ID as the name. The private key is deleted
when nothing more can be handed in.`,
    )
    .action((id: string | undefined, flags: CollectFlags) =>
      id === undefined ? list(terminal, flags) : collect(terminal, id, flags),
    );
}

async function collect(terminal: Terminal, argument: string, flags: CollectFlags): Promise<void> {
  checkStandardOutput(terminal);
  checkOutput(flags);
  const text = await readLink(terminal, argument, { command: "handoff collect -" });
  const kept = isBackupLink(text) ? await keepLinked(terminal, text, flags) : getKeptRequest(terminal, idOf(text));
  const client = await connectFor(terminal, kept, flags);
  const request = flags.wait ? await awaitSubmission(terminal, client, kept.id) : await getRequest(client, kept.id);
  const collected = await collectAll(terminal, client, kept, request, flags);
  if (collected > 0) return;
  if (hasEnded(request)) throw new CommandError(`Nothing to collect: the request is ${request.state}.`, EXIT.gone);
  throw nothingYet(request, "Add --wait to wait for it.");
}

async function list(terminal: Terminal, flags: CollectFlags): Promise<void> {
  const rows = [];
  for (const kept of listKeptRequests(terminal)) {
    const client = await connectFor(terminal, kept, flags);
    const request = await getRequest(client, kept.id).catch((error: unknown) => {
      if (!(error instanceof ClientError && error.code === "not_found")) throw error;
      // Its tombstone is gone too.
      tryToForget(terminal, kept.id, "ended");
      return undefined;
    });
    if (!request) continue;
    const waiting = collectable(terminal, client.baseUrl, request).length;
    if (waiting === 0 && hasEnded(request)) tryToForget(terminal, kept.id, "ended");
    rows.push({ id: kept.id, state: request.state, waiting, note: kept.note });
  }
  if (flags.json) return terminal.out(formatJson(rows));
  if (rows.length === 0) return terminal.say("There is nothing to collect on this machine.");
  const cells = rows.map(({ id, state, waiting, note }) => [id, state, String(waiting), printable(note ?? "-")]);
  terminal.out(formatTable(["REQUEST", "STATE", "WAITING", "NOTE"], cells));
}

function isBackupLink(text: string): boolean {
  return /\/c\/req_/.test(text);
}

/** Keeps what a backup link, of the page perhaps, brings along, as if it had been asked for here. */
async function keepLinked(terminal: Terminal, text: string, flags: ConnectionFlags): Promise<KeptRequest> {
  const { id, baseUrl, ageIdentity } = parseBackupLink(text);
  const known = findKeptRequest(terminal, id);
  if (known) return known;
  const kept = { id, baseUrl, ageIdentity, note: null };
  const client = await connectFor(terminal, kept, flags);
  const { recipient } = await getRequest(client, id);
  if ((await recipientOf(ageIdentity).catch(() => undefined)) !== recipient) {
    throw new LinkError("The link is cut off or mistyped: the key in it is not that of the request.");
  }
  keepRequest(terminal, kept);
  return kept;
}

function idOf(text: string): string {
  if (/^req_[0-9a-v]{26}$/.test(text)) return text;
  return parseRequestLink(text).id;
}
