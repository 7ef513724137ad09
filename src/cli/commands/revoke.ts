import type { Command } from "commander";
import { ClientError } from "../../client/errors.ts";
import type { HttpClient } from "../../client/http-client.ts";
import { revokeRequest } from "../../client/requests.ts";
import { revokeSecret } from "../../client/secrets.ts";
import { addConnectionFlags, connect } from "../handovers/connections.ts";
import type { ConnectionFlags } from "../handovers/connections.ts";
import { checkForm, idOfOwnLink, parseId, readLink, requestOfOwnLink } from "../handovers/link-arguments.ts";
import { findByShortId, isShortId } from "../handovers/short-ids.ts";
import { formatJson, remark } from "../terminal/terminal.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { formatTime } from "../terminal/times.ts";

/** `handoff revoke` */
export function addRevoke(program: Command, terminal: Terminal): void {
  addConnectionFlags(program.command("revoke"))
    .argument(
      "[link-or-id]",
      "A link to a secret or request, or the ID of one of your team. Of what you sent or asked for, the last six characters will do. Leave a link out, and you're asked for it, or it's read from standard input.",
    )
    .description("Revoke a secret or request. Exit code 4: it is too late, it was opened or has expired.")
    .addHelpText("after", "\nExample:\n  handoff revoke sec_069q6gv7k1rqf8a0c2m4e6g8io")
    .action((argument: string | undefined, flags: ConnectionFlags) => revoke(terminal, argument, flags));
}

async function revoke(terminal: Terminal, argument: string | undefined, flags: ConnectionFlags): Promise<void> {
  const given = await readLink(terminal, argument, { command: "handoff revoke" });
  if (!isShortId(given)) checkForm(given, "secret", "request");
  if (given.startsWith("req_")) parseId("request", given);
  if (given.startsWith("sec_")) parseId("secret", given);
  const client = await connect(terminal, flags, terminal.interruptible());
  const text = isShortId(given) ? await findByShortId(terminal, client, given) : given;
  const requestId = text.startsWith("req_") ? text : requestOfOwnLink(text, client.baseUrl);
  if (requestId !== undefined) return endRequest(terminal, client, requestId, flags);
  const secret = await revokeSecret(client, text.startsWith("sec_") ? text : idOfOwnLink(text, client.baseUrl));
  if (flags.json) terminal.out(formatJson(secret));
  const ended = secret.ended_at === null ? "" : ` at ${formatTime(secret.ended_at)}`;
  if (!flags.json) remark(terminal, `Revoked${ended}: nobody can open ${secret.id} any more.`);
}

async function endRequest(terminal: Terminal, client: HttpClient, id: string, flags: ConnectionFlags): Promise<void> {
  const request = await revokeRequest(client, id);
  if (flags.json) terminal.out(formatJson(request));
  const ended = request.ended_at === null ? "" : ` at ${formatTime(request.ended_at)}`;
  if (request.state === "expired") throw new ClientError("request_expired", "gone", "Can't revoke: it has expired.");
  if (request.state === "fulfilled") {
    throw new ClientError("request_fulfilled", "gone", "Can't revoke: everything it asked for was handed in.");
  }
  if (!flags.json)
    remark(terminal, `Revoked${ended}: nothing can be handed in for ${id} any more. What was handed in stays.`);
}
