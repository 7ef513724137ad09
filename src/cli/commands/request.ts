import { Option } from "commander";
import type { Command } from "commander";
import { askForSecret, toForm } from "../../client/asks.ts";
import type { FormTemplate } from "../../client/asks.ts";
import type { HttpClient } from "../../client/http-client.ts";
import { otherOriginOf } from "../../client/link-bases.ts";
import { hasEnded, revokeRequest } from "../../client/requests.ts";
import { DEFAULT_SUBMISSIONS } from "../../contract/limits.ts";
import { FORM_TEMPLATES } from "../../crypto/forms.ts";
import { awaitSubmission, collectAll, namingCollect, nothingYet, tryToForget } from "../handovers/collections.ts";
import { addConnectionFlags, connect } from "../handovers/connections.ts";
import type { ConnectionFlags } from "../handovers/connections.ts";
import { addDeliveryFlags, checkOutput } from "../handovers/deliveries.ts";
import type { DeliveryFlags } from "../handovers/deliveries.ts";
import { printLink, tellOtherOrigin } from "../handovers/printed-links.ts";
import { appendValue } from "../server/setting-options.ts";
import { readDefaults } from "../state/defaults.ts";
import { keepNewRequest } from "../state/kept-requests.ts";
import type { KeptRequest } from "../state/kept-requests.ts";
import { keepLabel, parseLabel } from "../state/labels.ts";
import { parseAddressees, parseCount, parseExpires, parseReferenceFlag, parseTimeout } from "../terminal/counts.ts";
import { checkStandardOutput, CommandError, formatJson, remark } from "../terminal/terminal.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { formatTime, formatWait } from "../terminal/times.ts";

interface RequestFlags extends ConnectionFlags, DeliveryFlags {
  readonly note?: string;
  readonly field?: readonly string[];
  readonly template?: FormTemplate;
  readonly expires?: string;
  readonly submissions?: string;
  readonly for?: readonly string[];
  readonly reference?: string;
  readonly label?: string;
  readonly compat?: boolean;
  readonly wait?: boolean;
  readonly timeout?: string;
  readonly json?: boolean;
}

/** `handoff request` */
export function addRequest(program: Command, terminal: Terminal): void {
  addDeliveryFlags(addConnectionFlags(program.command("request")), "With --wait")
    .description("Ask for a secret: get a link through which somebody without an account hands it in.")
    .option("--note <text>", "What you ask for. Anyone with the link can read it; the server can't.")
    .option(
      "--field <name[:kind]>",
      "Ask for this field; may be repeated. Kinds: text, password (not shown while it's typed), multiline. Without one, password for names such as password, token and key, else text.",
      appendValue,
    )
    .addOption(
      new Option("--template <name>", "Ask for the fields of a login, a database, an SSH key or an API token.").choices(
        Object.keys(FORM_TEMPLATES),
      ),
    )
    .option("--expires <duration>", "How long secrets can be handed in, such as 30m, 12h, 1d or 1w.")
    .option("--submissions <n>", "How many secrets can be handed in.")
    .option(
      "--for <address>",
      "Only these people can hand in: an address, such as ann@example.com, or *@example.com for all of a domain. They prove it by a code that is mailed there, or by being signed in. May be repeated.",
      appendValue,
    )
    .option("--reference <ticket>", "The ticket it's about, such as OPS-4711. Your team and the server see it.")
    .option(
      "--label <text>",
      "Your own name for it, kept on this machine alone and shown by 'handoff collect'. Not for secrets: others can see arguments.",
    )
    .option("--wait", "Wait, and print what is handed in. The link goes to standard error then.")
    .option("-y, --yes", "With --wait and --exact-names: write names that can deceive without asking.")
    .option(
      "--timeout <duration>",
      "With --wait, the longest time to wait, such as 10m. Exit code 7 when it is over, or 6 during an outage.",
    )
    .option("--compat", "For somebody who answers with an age older than 1.3 instead of handoff.")
    .addHelpText(
      "after",
      `
Examples:
  handoff request --note "the staging database password" --expires 1d
  PASSWORD=$(handoff request --note "the staging database password" --wait)
  handoff request --field user --field password --field "SSH key:multiline"

The private key for what is handed in stays on this machine. Collect it here,
with 'handoff collect'.`,
    )
    .action((flags: RequestFlags) => request(terminal, flags));
}

async function request(terminal: Terminal, flags: RequestFlags): Promise<void> {
  checkStandardOutput(terminal);
  const expiresIn = parseExpires(flags.expires ?? readDefaults(terminal).expires);
  const maxSubmissions = parseCount("--submissions", flags.submissions);
  const timeout = parseTimeout(flags);
  const reference = parseReferenceFlag(flags.reference);
  const addressees = parseAddressees(flags.for);
  const wantedLabel = parseLabel(flags.label);
  const fields = toForm(flags.field, flags.template);
  if (flags.wait) checkOutput(flags);
  const client = await connect(terminal, flags, terminal.interruptible());
  const identityKind = flags.compat ? "x25519" : "hybrid";
  const { baseUrl } = client;
  const facts = { baseUrl, note: flags.note ?? null, fields, maxSubmissions: maxSubmissions ?? DEFAULT_SUBMISSIONS };
  const keep = (ageIdentity: string) => keepNewRequest(terminal, { ...facts, ageIdentity });
  const asked = await askForSecret(
    client,
    { note: flags.note, fields, ttlSeconds: expiresIn, maxSubmissions, reference, addressees, identityKind },
    keep,
  );
  const { id, expires_at: expiresAt, max_submissions: most } = asked.request;
  const kept = { ...facts, id, ageIdentity: asked.ageIdentity };
  const by = asked.request.for === null ? "" : ` by ${asked.request.for.join(", ")}`;
  const times = most === 1 ? "One secret" : `Up to ${most} secrets`;
  const label = keepLabel(terminal, client.baseUrl, id, wantedLabel);
  const shown = {
    url: asked.link,
    id,
    expires_at: expiresAt,
    max_submissions: most,
    reference: asked.request.reference,
    for: asked.request.for,
    label,
    fields,
    other_origin: otherOriginOf(client, asked.link) ?? null,
  };
  if (flags.wait) terminal.say(asked.link);
  else
    await printLink(terminal, flags.json ? formatJson(shown) : `${asked.link}\n`, {
      takeBack: () => revokeLost(terminal, client, kept),
      advice: "Ask again.",
    });
  if (!flags.json) {
    tellOtherOrigin(terminal, client, asked.link);
    remark(
      terminal,
      `${times} can be handed in${by} through this link until ${formatTime(expiresAt)} (${formatWait(expiresAt)}).`,
    );
  }
  if (flags.wait) return collectUntilEnd(terminal, client, kept, { flags, timeout });
  if (!flags.json) remark(terminal, `Collect it on this machine with: handoff collect ${id}`);
}

/** Revokes a request whose link nobody has. Resolves with a sentence about the outcome, without its period. */
async function revokeLost(terminal: Terminal, client: HttpClient, kept: KeptRequest): Promise<string> {
  try {
    await revokeRequest(client, kept.id);
  } catch {
    return `Revoke the request with 'handoff revoke ${kept.id}'`;
  }
  // Nobody has its link, so nothing can be handed in whatever the server does.
  tryToForget(terminal, kept);
  return "The request was revoked";
}

async function collectUntilEnd(
  terminal: Terminal,
  client: HttpClient,
  kept: KeptRequest,
  { flags, timeout }: { readonly flags: RequestFlags; readonly timeout: number },
): Promise<void> {
  const end = performance.now() + timeout * 1000;
  let collected = 0;
  let firstFailure: unknown;
  for (;;) {
    const left = Math.max(0, Math.ceil((end - performance.now()) / 1000));
    const current = await awaitSubmission(terminal, client, kept.id, { seconds: left, flags, isUnderWay: true });
    const { count, failure } = await namingCollect(kept.id, () => collectAll(terminal, client, kept, current, flags));
    collected += count;
    firstFailure ??= failure;
    if (!hasEnded(current) && performance.now() < end) continue;
    if (firstFailure !== undefined) throw firstFailure;
    if (collected === 0 && !hasEnded(current)) {
      throw nothingYet(current, `The time to wait is over. Go on with: handoff collect ${kept.id} --wait`);
    }
    if (collected === 0) throw new CommandError(`Nothing was handed in: the request is ${current.state}.`, "gone");
    return;
  }
}
