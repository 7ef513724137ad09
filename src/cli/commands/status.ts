import type { Command } from "commander";
import { listSecretEvents } from "../../client/events.ts";
import type { HttpClient } from "../../client/http-client.ts";
import { getRequest } from "../../client/requests.ts";
import { getSecret } from "../../client/secrets.ts";
import { linkKindOf } from "../../contract/links.ts";
import type { Secret } from "../../contract/secrets.ts";
import type { Approver } from "../../contract/states.ts";
import { addConnectionFlags, connect } from "../handovers/connections.ts";
import type { ConnectionFlags } from "../handovers/connections.ts";
import { handoverOfLink } from "../handovers/handovers.ts";
import { describeHistory } from "../handovers/histories.ts";
import { checkForm, parseId, readLink, requestOfOwnLink } from "../handovers/link-arguments.ts";
import { findByShortId, isShortId } from "../handovers/short-ids.ts";
import { findLabel } from "../state/labels.ts";
import { paintState } from "../terminal/colors.ts";
import { formatSize } from "../terminal/progress.ts";
import { formatJson, toLine } from "../terminal/terminal.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { formatTime, formatWait } from "../terminal/times.ts";

/** `handoff status` */
export function addStatus(program: Command, terminal: Terminal): void {
  addConnectionFlags(program.command("status"))
    .argument(
      "[link-or-id]",
      "A link to a secret or request, or the ID of one of your team. Of what you sent or asked for, the last six characters will do. Leave a link out, and you're asked for it, or it's read from standard input.",
    )
    .description("Show the state of a secret or request, and what happened to a secret. Doesn't open anything.")
    .addHelpText("after", "\nExamples:\n  handoff status sec_069q6gv7k1rqf8a0c2m4e6g8io\n  handoff status < link.txt")
    .action(async (argument: string | undefined, flags: ConnectionFlags) => {
      const given = await readLink(terminal, argument, { command: "handoff status" });
      const text = isShortId(given)
        ? await findByShortId(terminal, await connect(terminal, flags, terminal.interruptible()), given)
        : given;
      checkForm(text, "secret", "request");
      if (text.startsWith("req_")) return showRequest(terminal, () => parseId("request", text), flags);
      if (["request", "backup"].includes(linkKindOf(text) ?? "")) {
        return showRequest(terminal, (baseUrl) => requestOfOwnLink(text, baseUrl) ?? "", flags);
      }
      const { client, secret } = await findSecret(terminal, text, flags);
      const label = findLabel(terminal, client.baseUrl, secret.id);
      const history = await listSecretEvents(client, secret.id);
      if (flags.json) return terminal.out(formatJson({ ...secret, label, history }));
      return terminal.out(`${describe(secret)}\n${describeNames(secret, label)}${describeHistory(history ?? [])}`);
    });
}

async function findSecret(
  terminal: Terminal,
  text: string,
  flags: ConnectionFlags,
): Promise<{ readonly client: HttpClient; readonly secret: Secret }> {
  const signal = terminal.interruptible();
  const { client, id } = text.startsWith("sec_")
    ? { client: await connect(terminal, flags, signal), id: parseId("secret", text) }
    : await handoverOfLink(terminal, flags, text, signal);
  return { client, secret: await getSecret(client, id) };
}

async function showRequest(
  terminal: Terminal,
  idAt: (baseUrl: string) => string,
  flags: ConnectionFlags,
): Promise<void> {
  const client = await connect(terminal, flags, terminal.interruptible());
  const id = idAt(client.baseUrl);
  const request = await getRequest(client, id);
  const label = findLabel(terminal, client.baseUrl, id);
  if (flags.json) return terminal.out(formatJson({ ...request, label }));
  const { state, submission_count: count, max_submissions: most, ended_at: endedAt, expires_at: expiresAt } = request;
  const when =
    endedAt === null ? `, until ${formatTime(expiresAt)} (${formatWait(expiresAt)})` : ` at ${formatTime(endedAt)}`;
  terminal.out(`${paintState(state)}${when}: ${count} of ${most} handed in\n${describeNames(request, label)}`);
}

/** Who has to approve each opening, in words. */
const APPROVERS: Readonly<Record<Approver, string>> = {
  sender: "by the sender",
  team: "by somebody else of the sender's team",
};

/**
 * Whom it is for, who approves, and the names that it was given: the ticket on the server, and the label on this
 * machine. Each is on its own line.
 */
function describeNames(
  {
    reference,
    for: addressees,
    approval = null,
  }: Pick<Secret, "reference" | "for"> & Partial<Pick<Secret, "approval">>,
  label: string | null,
): string {
  const lines = [
    addressees && `For: ${addressees.join(", ")}`,
    approval && `Approval: ${APPROVERS[approval]}`,
    reference && `Reference: ${reference}`,
    label && `Label: ${toLine(label)}`,
  ];
  return lines.map((line) => (line ? `${line}\n` : "")).join("");
}

/** A sentence about a secret. */
function describe(secret: Secret): string {
  const { state, claims, max_claims: maxClaims } = secret;
  const size = formatSize(secret.ciphertext_bytes);
  const ended = secret.ended_at === null ? "" : ` at ${formatTime(secret.ended_at)}`;
  const counted = maxClaims === 1 ? "" : ` (${claims} of ${maxClaims} times)`;
  switch (state) {
    case "available":
      return `${paintState(state)}${counted}: ${size}, until ${formatTime(secret.expires_at)} (${formatWait(secret.expires_at)})`;
    default:
      return `${paintState(state)}${ended}${counted}`;
  }
}
