import type { Command } from "commander";
import { ClientError } from "../../client/errors.ts";
import type { HttpClient } from "../../client/http-client.ts";
import { checkTerms } from "../../client/limits.ts";
import { changeSecret, findSecret, getSecret } from "../../client/secrets.ts";
import { addConnectionFlags, connect } from "../handovers/connections.ts";
import type { ConnectionFlags } from "../handovers/connections.ts";
import { idOfOwnLink, parseId, readLink } from "../handovers/link-arguments.ts";
import { findByShortId, isShortId } from "../handovers/short-ids.ts";
import { parseCount, parseExpires } from "../terminal/counts.ts";
import { formatJson, remark, usageError } from "../terminal/terminal.ts";
import type { CommandError, Terminal } from "../terminal/terminal.ts";
import { formatTime, formatWait } from "../terminal/times.ts";

interface ExtendFlags extends ConnectionFlags {
  readonly expires?: string;
  readonly claims?: string;
}

/** `handoff extend` */
export function addExtend(program: Command, terminal: Terminal): void {
  addConnectionFlags(program.command("extend"))
    .argument(
      "[link-or-id]",
      "A link to a secret, or its ID. Of what you sent, the last six characters will do. Leave a link out, and you're asked for it, or it's read from standard input.",
    )
    .description("Change how long and how often a secret can be opened. Exit code 4: it is too late.")
    .option("--expires <duration>", "How long it can be opened from now on, such as 30m, 12h, 1d or 1w.")
    .option("--claims <n>", "Number of times it can be opened in all, or +N for so many more.")
    .addHelpText(
      "after",
      `
Examples:
  handoff extend sec_069q6gv7k1rqf8a0c2m4e6g8io --expires 7d
  handoff extend --claims +1 < link.txt`,
    )
    .action((argument: string | undefined, flags: ExtendFlags) => extend(terminal, argument, flags));
}

async function extend(terminal: Terminal, argument: string | undefined, flags: ExtendFlags): Promise<void> {
  const ttlSeconds = parseExpires(flags.expires);
  const isMore = flags.claims?.startsWith("+") === true;
  const count = parseCount("--claims", isMore ? flags.claims?.slice(1) : flags.claims);
  if (ttlSeconds === undefined && count === undefined) throw usageError("give --expires, --claims or both");
  const given = await readLink(terminal, argument, { command: "handoff extend" });
  const client = await connect(terminal, flags, terminal.interruptible());
  const text = isShortId(given) ? await findByShortId(terminal, client, given) : given;
  const isId = text.startsWith("sec_") || text.startsWith("req_");
  const id = isId ? parseId("secret", text) : idOfOwnLink(text, client.baseUrl);
  const maxClaims = isMore && count !== undefined ? (await getSecret(client, id)).max_claims + count : count;
  const secret = await changeSecret(client, id, { ttlSeconds, maxClaims }).catch(async (error: unknown) => {
    throw (await findReason(error, client, id, maxClaims)) ?? (isMore ? withLook(error, id) : error);
  });
  // Of the time, nothing is known but the clock of this machine, which may be wrong.
  const terms = { ttlSeconds: undefined, count: maxClaims };
  checkTerms("patchSecret", terms, { id, from: 0, until: Date.parse(secret.expires_at), count: secret.max_claims });
  if (flags.json) return terminal.out(formatJson(secret));
  const left = secret.max_claims - secret.claims;
  const { expires_at: expiresAt } = secret;
  const times = `${left === 1 ? "once" : `${left} times`}${secret.claims === 0 ? "" : " more"}`;
  return remark(terminal, `${id} can be opened ${times} until ${formatTime(expiresAt)} (${formatWait(expiresAt)}).`);
}

/** The same error; when it isn't known whether the change was made, with advice that doesn't make it twice. */
function withLook(error: unknown, id: string): unknown {
  if (!(error instanceof ClientError) || error.unknownOutcomeOf === undefined) return error;
  const { code, kind, meaning, requestId, unknownOutcomeOf } = error;
  const advice = `Look with 'handoff status ${id}' first: running the same command again adds to what is there then.`;
  return new ClientError(code, kind, { meaning, advice }, { requestId, unknownOutcomeOf, cause: error });
}

/** The error for terms that this secret can't have, although others could; undefined for other errors. */
async function findReason(
  error: unknown,
  client: HttpClient,
  id: string,
  maxClaims: number | undefined,
): Promise<CommandError | undefined> {
  if (!(error instanceof ClientError) || error.code !== "schema_mismatch" || error.kind === "usage") return undefined;
  const secret = await findSecret(client, id);
  if (!secret) return undefined;
  if (secret.request_id !== null) return usageError("It was handed in for a request, and can't be extended.");
  if (maxClaims === undefined || maxClaims > secret.claims) return undefined;
  const times = secret.claims === 1 ? "once" : `${secret.claims} times`;
  return usageError(`It has been opened ${times} already. Give --claims ${secret.claims + 1} or more.`);
}
