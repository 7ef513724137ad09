import type { Command } from "commander";
import { checkBackupLink } from "../../client/asks.ts";
import { ClientError } from "../../client/errors.ts";
import type { HttpClient } from "../../client/http-client.ts";
import { getRequest, hasEnded } from "../../client/requests.ts";
import { ID_PREFIXES } from "../../contract/ids.ts";
import { linkKindOf } from "../../contract/links.ts";
import type { RequestState } from "../../contract/states.ts";
import { parseBackupLink } from "../../crypto/backup-links.ts";
import { parseRequestLink } from "../../crypto/request-links.ts";
import {
  awaitSubmission,
  collectable,
  collectAll,
  nothingYet,
  tryToForget,
  tryToNote,
} from "../handovers/collections.ts";
import { addConnectionFlags, checkServer, connect, connectFor } from "../handovers/connections.ts";
import type { ConnectionFlags } from "../handovers/connections.ts";
import { addDeliveryFlags, checkOutput } from "../handovers/deliveries.ts";
import type { DeliveryFlags } from "../handovers/deliveries.ts";
import { checkAsked } from "../handovers/filled-forms.ts";
import { checkForm, parseId, readLink } from "../handovers/link-arguments.ts";
import { findKeptByShortId, isShortId } from "../handovers/short-ids.ts";
import {
  findCollected,
  findKeptRequest,
  isKnownToHaveEnded,
  keepRequest,
  listKeptRequests,
  mayBeOfUse,
} from "../state/kept-requests.ts";
import type { KeptRequest } from "../state/kept-requests.ts";
import { findLabel } from "../state/labels.ts";
import { parseTimeout } from "../terminal/counts.ts";
import { formatRareTable } from "../terminal/tables.ts";
import { checkStandardOutput, CommandError, formatJson, remark, toLine } from "../terminal/terminal.ts";
import type { Terminal } from "../terminal/terminal.ts";

interface CollectFlags extends ConnectionFlags, DeliveryFlags {
  readonly field?: string;
  readonly wait?: boolean;
  readonly timeout?: string;
  readonly json?: boolean;
}

/** `handoff collect` */
export function addCollect(program: Command, terminal: Terminal): void {
  addDeliveryFlags(addConnectionFlags(program.command("collect")))
    .argument(
      "[request]",
      "The ID of a request that was made on this machine, or its last six characters, or - for a link of the request or its backup link, which you're asked for, or which is read from standard input. Without it the requests are listed.",
    )
    .description("Collect what was handed in: text goes to standard output, files into a new directory.")
    .option("-y, --yes", "With --exact-names: write names that can deceive without asking.")
    .option("--field <name>", "Of a request that asks for fields, print the value of this one alone.")
    .option("--wait", "Wait until something is handed in.")
    .option(
      "--timeout <duration>",
      "With --wait, the longest time to wait, such as 10m. Exit code 7 when it is over, or 6 during an outage.",
    )
    .addHelpText(
      "after",
      `
Examples:
  handoff collect
  handoff collect req_069q6gv7k1rqf8a0c2m4e6g8io --wait > secret.txt
  handoff collect - < backup-link.txt
  handoff collect req_069q6gv7k1rqf8a0c2m4e6g8io --field password

Of a request for several secrets, each goes into a new directory with its ID as
the name. The private key is deleted when all that was asked for is collected
here, else 180 days after the request. Where standard output is no terminal,
the exit code is 8 when it isn't the text that was handed in: when files came,
an empty text, or several secrets.`,
    )
    .action((id: string | undefined, flags: CollectFlags) =>
      id === undefined ? list(terminal, flags) : collect(terminal, id, flags),
    );
}

async function collect(terminal: Terminal, argument: string, flags: CollectFlags): Promise<void> {
  checkStandardOutput(terminal);
  checkOutput(flags);
  const timeout = parseTimeout(flags);
  const given = await readLink(terminal, argument, { command: "handoff collect -" });
  const text = isShortId(given) ? findKeptByShortId(terminal, given) : given;
  const { kept, client } =
    linkKindOf(text) === "backup"
      ? await keepLinked(terminal, text, flags)
      : await connectFor(terminal, idOf(text), flags);
  checkAsked(kept, flags.field);
  const request = flags.wait
    ? await awaitSubmission(terminal, client, kept.id, { seconds: timeout, flags })
    : await getRequest(client, kept.id);
  const { count, failure } = await collectAll(terminal, client, kept, request, flags, flags.field);
  if (failure !== undefined) throw failure;
  if (count > 0) return;
  if (hasEnded(request)) {
    const before = findCollected(terminal, kept.id);
    throw new CommandError(before ?? `Nothing to collect: the request is ${request.state}.`, "gone");
  }
  throw nothingYet(request, flags.wait ? "The time to wait is over." : "Add --wait to wait for it.");
}

async function list(terminal: Terminal, flags: CollectFlags): Promise<void> {
  const all = listKeptRequests(terminal);
  const client = all.length === 0 ? undefined : await connect(terminal, flags, terminal.interruptible());
  const isHere = ({ baseUrl }: KeptRequest) => baseUrl === client?.baseUrl;
  const rows: Row[] = [];
  const unseen: KeptRequest[] = [];
  for (const kept of client ? all.filter(isHere) : []) {
    const row = client && (await look(terminal, client, kept));
    if (row === "unseen") unseen.push(kept);
    else if (row) rows.push(row);
  }
  const elsewhere = all.filter((kept) => !isHere(kept));
  const unknown = [...unseen, ...elsewhere].map((kept) => unknownRow(terminal, kept));
  if (flags.json) terminal.out(formatJson([...rows, ...unknown]));
  else tellRows(terminal, rows, elsewhere);
  if (unseen.length > 0) throw cannotSee(unseen);
  if (rows.length > 0 || flags.json) return;
  remark(terminal, `There is nothing to collect on this machine${client ? ` from ${client.baseUrl}` : ""}.`);
}

function tellRows(terminal: Terminal, rows: readonly Row[], elsewhere: readonly KeptRequest[]): void {
  if (rows.length > 0) {
    const cells = rows.map(({ id, state, waiting, note, reference, label }) => [
      id,
      state ?? "",
      String(waiting),
      toLine(note ?? "-"),
      reference ?? "",
      label ?? "",
    ]);
    terminal.out(formatRareTable(["REQUEST", "STATE", "WAITING", "NOTE"], ["REFERENCE", "LABEL"], cells));
  }
  for (const { id, baseUrl } of elsewhere) remark(terminal, `${id} was made on ${baseUrl}. To see it, log in there.`);
}

/** The error for requests that were made here and that the server doesn't show to this API key. */
function cannotSee(unseen: readonly KeptRequest[]): CommandError {
  const ids = unseen.map(({ id }) => id).join(", ");
  const [what, key] = unseen.length === 1 ? ["request", "its private key"] : ["requests", "their private keys"];
  return new CommandError(
    `The server doesn't show this API key the ${what} ${ids}. Nothing was deleted: ${key} stay${unseen.length === 1 ? "s" : ""} on this machine. Use the API key of the team that asked, or check the server URL.`,
    "credential",
  );
}

/** A kept request with the server's record of it; null when the server wasn't asked. */
interface Row {
  readonly id: string;
  readonly server: string;
  readonly state: RequestState | null;
  readonly waiting: number | null;
  readonly note: string | null;
  readonly reference: string | null;
  readonly label: string | null;
}

function unknownRow(terminal: Terminal, { id, baseUrl, note }: KeptRequest): Row {
  const label = findLabel(terminal, baseUrl, id);
  return { id, server: baseUrl, state: null, waiting: null, note, reference: null, label };
}

/**
 * A kept request as the server has it; "unseen" when the server hides it, undefined when it has ended and an earlier
 * list said so.
 */
async function look(terminal: Terminal, client: HttpClient, kept: KeptRequest): Promise<Row | "unseen" | undefined> {
  const request = await getRequest(client, kept.id).catch((error: unknown) => {
    if (!(error instanceof ClientError && error.code === "not_found")) throw error;
    return undefined;
  });
  if (!request) {
    if (mayBeOfUse(terminal, kept)) return isKnownToHaveEnded(terminal, kept) ? undefined : "unseen";
    tryToForget(terminal, kept);
    return undefined;
  }
  const waiting = collectable(terminal, client.baseUrl, request).length;
  if (waiting === 0 && hasEnded(request)) {
    const isNews = !isKnownToHaveEnded(terminal, kept);
    tryToNote(terminal, kept, request, []);
    if (!isNews) return undefined;
  }
  const { state, reference } = request;
  const label = findLabel(terminal, kept.baseUrl, kept.id);
  return { id: kept.id, server: kept.baseUrl, state, waiting, note: kept.note, reference, label };
}

/** Keeps the request of a backup link, perhaps from the page, as if it had been made here. */
async function keepLinked(
  terminal: Terminal,
  text: string,
  flags: ConnectionFlags,
): Promise<{ readonly kept: KeptRequest; readonly client: HttpClient }> {
  const link = parseBackupLink(text);
  const { id, baseUrl, ageIdentity } = link;
  const client = await connect(terminal, flags, terminal.interruptible());
  const kept = { id, baseUrl, ageIdentity, note: null };
  checkServer(client, kept);
  const known = findKeptRequest(terminal, id, baseUrl);
  if (known) return { kept: known, client };
  const request = await getRequest(client, id);
  await checkBackupLink(link, request);
  keepRequest(terminal, { ...kept, maxSubmissions: request.max_submissions });
  return { kept, client };
}

function idOf(text: string): string {
  checkForm(text, "request");
  return text.startsWith(ID_PREFIXES.request) ? parseId("request", text) : parseRequestLink(text).id;
}
