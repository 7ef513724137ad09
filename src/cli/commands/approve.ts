import type { Command } from "commander";
import { ClientError } from "../../client/errors.ts";
import { listSecretEvents } from "../../client/events.ts";
import type { HttpClient } from "../../client/http-client.ts";
import { decideAsk, listAsks } from "../../client/signing-in/approvals.ts";
import { waitForAsks } from "../../client/signing-in/decisions.ts";
import { isId } from "../../contract/ids.ts";
import type { DecideAskBody, PendingAsk } from "../../contract/secrets.ts";
import { addConnectionFlags, connect, tellLost } from "../handovers/connections.ts";
import type { ConnectionFlags } from "../handovers/connections.ts";
import { isShortId } from "../handovers/short-ids.ts";
import { findLabel } from "../state/labels.ts";
import { parseTimeout } from "../terminal/counts.ts";
import { formatRareTable } from "../terminal/tables.ts";
import { CommandError, formatJson, remark, toLine, usageError } from "../terminal/terminal.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { formatTime, formatWait } from "../terminal/times.ts";

interface ApproveFlags extends ConnectionFlags {
  readonly refuse?: boolean;
  readonly wait?: boolean;
  readonly timeout?: string;
}

type Decision = DecideAskBody["state"];

/** An ask, with this machine's name for the secret. */
interface ShownAsk extends PendingAsk {
  readonly label: string | null;
}

/** The time that one call waits: less than the minute after which proxies close a silent connection. */
const STEP_SECONDS = 50;
/** The most asks in the history of a secret that are tried. Five count at once. */
const MOST_ASKS = 100;
/** The number of last characters of an ID that are enough to name it. */
const SHORT_ID_LENGTH = 6;

/** `handoff approve` */
export function addApprove(program: Command, terminal: Terminal): void {
  addConnectionFlags(program.command("approve"))
    .argument(
      "[ask]",
      "The ID of an ask, or its last six characters. Without it, everybody who waits is listed. With --refuse, also the ID of a secret.",
    )
    .description("Let somebody open a secret that needs an approval. Without an ID, a terminal asks about each.")
    .option("--refuse", "Refuse the ask with this ID, or everybody who could open the secret with it.")
    .option("--wait", "Wait until somebody asks.")
    .option(
      "--timeout <duration>",
      "With --wait, the longest time to wait, such as 10m. Exit code 7 when it is over, or 6 during an outage.",
    )
    .addHelpText(
      "after",
      `
Examples:
  handoff approve --wait
  handoff approve e6g8io
  handoff approve e6g8io --refuse
  handoff approve sec_069q6gv7k1rqf8a0c2m4e6g8io --refuse

Compare the three words with those that the recipient sees, such as on the
phone. What is approved can be opened once, within 10 minutes. Nobody approves
what they ask for themselves. Needs the scope secrets:approve.

With the ID of a secret, --refuse is for everybody who waits for it, and for
those who were let in and haven't opened it yet. Needs secrets:read too.`,
    )
    .action((id: string | undefined, flags: ApproveFlags) =>
      id === undefined ? decideAll(terminal, flags) : decideOne(terminal, id, flags),
    );
}

async function decideOne(terminal: Terminal, given: string, flags: ApproveFlags): Promise<void> {
  if (flags.wait) throw usageError("--wait goes without an ID.");
  const id = given.trim().toLowerCase();
  if (isId(id, "secret")) return refuseAll(terminal, id, flags);
  if (!isId(id, "ask") && !isShortId(id)) {
    throw usageError("This isn't the ID of an ask, nor its last six characters. 'handoff approve' lists them.");
  }
  const client = await connect(terminal, flags, terminal.interruptible());
  const [ask, ...others] = (await listAsks(client)).filter((each) => each.id.endsWith(id));
  if (others.length > 0) throw usageError(`Several IDs end in '${id}'. Give the whole ID.`);
  if (!ask) {
    const meaning = `Nobody with the ID '${id}' waits for you.`;
    const gone = "It was decided, its time is over, or somebody else has to decide it.";
    const advice = flags.refuse ? `${gone} To refuse what was approved, give the ID of the secret.` : gone;
    throw new ClientError("not_found", "gone", { meaning, advice });
  }
  const state = flags.refuse ? "refused" : "approved";
  const decided = await decide(client, ask, state);
  if (flags.json) return terminal.out(formatJson({ ...withLabel(terminal, client, decided), state }));
  tellDecision(terminal, decided, state);
}

/** Refuses all asks for a secret: those that wait, and those that were approved and not used yet. */
async function refuseAll(terminal: Terminal, secretId: string, flags: ApproveFlags): Promise<void> {
  if (!flags.refuse)
    throw usageError("The ID of a secret goes with --refuse alone. 'handoff approve' lists who waits.");
  const client = await connect(terminal, flags, terminal.interruptible());
  const states = new Map<string, string>();
  for (const { type, ask } of (await listSecretEvents(client, secretId)) ?? []) if (ask) states.set(ask.id, type);
  const asked = [...states].filter(([, type]) => type !== "secret.refused").map(([id]) => id);
  const refused: PendingAsk[] = [];
  let denied: ClientError | undefined;
  for (const id of asked.slice(-MOST_ASKS)) {
    try {
      refused.push(await decideAsk(client, secretId, { id, state: "refused" }));
    } catch (error) {
      if (!(error instanceof ClientError)) throw error;
      // It was used, or its time is over.
      if (error.code === "not_found") continue;
      if (error.code !== "not_approver") throw error;
      denied = error;
    }
  }
  if (refused.length === 0) {
    if (denied) throw denied;
    const meaning = "Nobody waits for this secret, and nobody who was let in can still open it.";
    throw new ClientError("not_found", "gone", { meaning, advice: `To see why, run: handoff status ${secretId}` });
  }
  if (flags.json) {
    const shown = refused.map((ask) => ({ ...withLabel(terminal, client, ask), state: "refused" }));
    return terminal.out(formatJson(shown));
  }
  for (const { words } of refused)
    remark(terminal, `Refused: ${secretId} wasn't opened with the words ${words.join(", ")}.`);
}

async function decideAll(terminal: Terminal, flags: ApproveFlags): Promise<void> {
  if (flags.refuse) throw usageError("--refuse needs an ID. 'handoff approve' lists who waits.");
  const seconds = parseTimeout(flags);
  const client = await connect(terminal, flags, terminal.interruptible());
  const found = flags.wait ? await untilAsked(terminal, client, seconds, flags) : await listAsks(client);
  const asks = found.map((ask) => withLabel(terminal, client, ask));
  if (flags.json) return terminal.out(formatJson(asks));
  if (asks.length === 0) return remark(terminal, "Nobody waits for you.");
  if (terminal.isTerminal.in && terminal.isTerminal.out) return askAboutEach(terminal, client, asks);
  const rows = asks.map((ask) => [
    ask.id.slice(-SHORT_ID_LENGTH),
    describeAsker(ask),
    ask.words.join(", "),
    formatWait(ask.expires_at),
    describeSender(ask),
    ask.secret_id,
    ask.reference ?? "",
    toLine(ask.label ?? ""),
  ]);
  terminal.out(formatRareTable(["ID", "WHO", "WORDS", "ENDS", "SENDER", "SECRET"], ["REFERENCE", "LABEL"], rows));
  remark(terminal, "To let somebody in: handoff approve ID. To refuse: handoff approve ID --refuse");
}

async function untilAsked(
  terminal: Terminal,
  client: HttpClient,
  seconds: number,
  flags: ApproveFlags,
): Promise<PendingAsk[]> {
  const asks = await waitForAsks(client, {
    seconds,
    stepSeconds: STEP_SECONDS,
    signal: terminal.interruptible(),
    onLost: tellLost(terminal, flags, () => " until it's back"),
    onBack: () => flags.json || remark(terminal, "The server is back. Still waiting…"),
  });
  if (asks.length === 0) throw new CommandError("Nobody has asked. The time to wait is over.", "nothing_yet");
  return asks;
}

/** Asks the person at the terminal about each. Those without a clear answer go on waiting. */
async function askAboutEach(terminal: Terminal, client: HttpClient, asks: readonly ShownAsk[]): Promise<void> {
  for (const ask of asks) {
    const named = [ask.reference, ask.label && `"${toLine(ask.label)}"`].filter(Boolean).join(", ");
    terminal.say(`${describeAsker(ask)} asks to open ${ask.secret_id}${named && ` (${named})`}.`);
    terminal.say(`${describeSender(ask)} sent it at ${formatTime(ask.created_at)}.`);
    terminal.say(
      `Words: ${ask.words.join(", ")}. Until ${formatTime(ask.expires_at)} (${formatWait(ask.expires_at)}).`,
    );
    const answer = (await terminal.ask("Let them in? [y/n, or Enter to decide later] "))?.trim() ?? "";
    const state = /^y(es)?$/i.test(answer) ? "approved" : /^no?$/i.test(answer) ? "refused" : undefined;
    if (state === undefined) {
      remark(terminal, "Not decided. They go on waiting.");
      continue;
    }
    try {
      tellDecision(terminal, await decide(client, ask, state), state);
    } catch (error) {
      // The others still wait.
      if (!(error instanceof ClientError && error.code === "not_found")) throw error;
      terminal.say(error.message);
    }
  }
}

/** Decides about an ask. Throws ClientError, with what `not_found` means here. */
async function decide(client: HttpClient, { id, secret_id: secretId }: PendingAsk, state: Decision) {
  try {
    return await decideAsk(client, secretId, { id, state });
  } catch (error) {
    if (!(error instanceof ClientError && error.code === "not_found")) throw error;
    const meaning = "Too late: they don't wait any more, or the secret can't be opened any more.";
    throw new ClientError("not_found", "gone", meaning, { requestId: error.requestId, cause: error });
  }
}

function tellDecision(terminal: Terminal, ask: PendingAsk, state: Decision): void {
  // Somebody who has let in the wrong one can still take it back.
  const back = ` To take it back before that: handoff approve ${ask.secret_id} --refuse`;
  const outcome =
    state === "approved"
      ? `Approved: ${ask.secret_id} can be opened once, with the words ${ask.words.join(", ")}, until ${formatTime(ask.expires_at)}.${back}`
      : `Refused: ${ask.secret_id} wasn't opened.`;
  remark(terminal, outcome);
}

function withLabel(terminal: Terminal, { baseUrl }: HttpClient, ask: PendingAsk): ShownAsk {
  return { ...ask, label: findLabel(terminal, baseUrl, ask.secret_id) };
}

/** Who sent the secret, as the server says. */
function describeSender({ sender }: PendingAsk): string {
  return sender ? toLine(sender.address) : "An automation";
}

/** Who asks, as the server says: the address that they have proven, or else the identity that has called. */
function describeAsker({ address, identity }: PendingAsk): string {
  return address ?? identity ?? "Somebody with the link";
}
