import { Option } from "commander";
import type { Command } from "commander";
import { encodeQR } from "qr";
import { getCredential } from "../../client/credentials.ts";
import { ClientError } from "../../client/errors.ts";
import type { HttpClient } from "../../client/http-client.ts";
import { otherOriginOf } from "../../client/link-bases.ts";
import { revokeSecret } from "../../client/secrets.ts";
import type { WatchedSecret } from "../../client/sends.ts";
import { APPROVERS } from "../../contract/states.ts";
import type { Approver } from "../../contract/states.ts";
import { generatePassword } from "../../crypto/generators.ts";
import { isGuessable } from "../../crypto/passphrases.ts";
import { findSource } from "../files/large-sources.ts";
import { addConnectionFlags, connect } from "../handovers/connections.ts";
import type { ConnectionFlags } from "../handovers/connections.ts";
import { addPassphraseFlags, findPassphrase } from "../handovers/passphrases.ts";
import type { PassphraseFlags } from "../handovers/passphrases.ts";
import { printLink, tellOtherOrigin } from "../handovers/printed-links.ts";
import { sendContent } from "../handovers/sendings.ts";
import { appendValue } from "../server/setting-options.ts";
import { readDefaults } from "../state/defaults.ts";
import { keepLabel, parseLabel } from "../state/labels.ts";
import { copyToClipboard } from "../terminal/clipboard.ts";
import { parseAddressees, parseCount, parseExpires, parseReferenceFlag } from "../terminal/counts.ts";
import { checkStandardOutput, formatJson, remark, usageError } from "../terminal/terminal.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { formatTime, formatWait } from "../terminal/times.ts";

interface SendFlags extends ConnectionFlags, PassphraseFlags {
  readonly env?: string;
  readonly generate?: boolean;
  readonly expires?: string;
  readonly claims?: string;
  readonly for?: readonly string[];
  readonly approval?: Approver;
  readonly reference?: string;
  readonly label?: string;
  readonly passphrase?: boolean;
  readonly qr?: boolean;
  readonly copy?: boolean;
}

/** `handoff send` */
export function addSend(program: Command, terminal: Terminal): void {
  addPassphraseFlags(addConnectionFlags(program.command("send")), "the link")
    .argument("[files...]", "Files and folders. Without any, standard input; on a terminal, a hidden prompt.")
    .description("Encrypt a secret and print a link to it. Nothing but the link goes to standard output.")
    .option("--env <name>", "Send the value of this environment variable.")
    .option("--generate", "Send a new password. On a terminal it is also shown here, once.")
    .option(
      "--expires <duration>",
      "How long it can be opened, such as 30m, 12h, 1d or 1w. The server has a default, and 'handoff config set' another.",
    )
    .option("--claims <n>", "Number of times it can be opened. Defaults as for --expires.")
    .option(
      "--for <address>",
      "Only these people can open it: an address, such as ann@example.com, or *@example.com for all of a domain. They prove it by a code that is mailed there, or by being signed in. May be repeated.",
      appendValue,
    )
    .addOption(
      new Option(
        "--approval <who>",
        "Have each opening approved, with 'handoff approve': by you alone, the sender, or by anybody else of your team.",
      ).choices(APPROVERS),
    )
    .option("--reference <ticket>", "The ticket it's about, such as OPS-4711. Your team and the server see it.")
    .option(
      "--label <text>",
      "Your own name for it, kept on this machine alone and shown by 'handoff list'. Not for secrets: others can see arguments.",
    )
    .option("--passphrase", "Prompt for a passphrase the recipient also needs.")
    .option("--qr", "Also show the link as a QR code.")
    .option("--copy", "Copy the link to the clipboard.")
    .addHelpText(
      "after",
      `
Examples:
  handoff send --expires 1d
  pg_dump app | gzip | handoff send
  handoff send id_ed25519 id_ed25519.pub --passphrase
  handoff send --env DATABASE_PASSWORD --claims 3
  handoff send --for ann@example.com
  handoff send --approval sender
  handoff send --generate
  handoff send --reference OPS-4711 --label "router, for Ann"`,
    )
    .action((files: string[], flags: SendFlags) => send(terminal, files, flags));
}

async function send(terminal: Terminal, files: readonly string[], given: SendFlags): Promise<void> {
  checkStandardOutput(terminal);
  const flags = { ...readDefaults(terminal), ...given };
  const expiresIn = parseExpires(flags.expires);
  const maxClaims = parseCount("--claims", flags.claims);
  const reference = parseReferenceFlag(flags.reference);
  const addressees = parseAddressees(flags.for);
  const wantedLabel = parseLabel(flags.label);
  const client = await connect(terminal, flags, terminal.interruptible());
  const passphrase = await readPassphrase(terminal, flags);
  const password = flags.generate ? makePassword(files, flags) : undefined;
  const findLimits = async () => (await getCredential(client)).limits;
  const content =
    password === undefined
      ? await findSource(terminal, { files, env: flags.env }, once(findLimits))
      : ({ kind: "text", text: password } as const);
  const isFromElsewhere = password !== undefined || flags.env !== undefined || files.some((file) => file !== "-");
  if (isFromElsewhere && terminal.isPiped()) {
    remark(terminal, "Standard input was not read, and isn't part of the secret.");
  }
  const terms = { ttlSeconds: expiresIn, maxClaims, reference, addressees, approver: flags.approval };
  const sent = await sendContent(terminal, client, content, { passphrase, ...terms });
  const { id, state, expires_at: expiresAt, max_claims: most } = sent.secret;
  const label = keepLabel(terminal, client.baseUrl, id, wantedLabel);
  const facts = {
    url: sent.link,
    id,
    state,
    expires_at: expiresAt,
    max_claims: most,
    reference: sent.secret.reference,
    for: sent.secret.for,
    approval: sent.secret.approval,
    label,
    other_origin: otherOriginOf(client, sent.link) ?? null,
  };
  await printLink(terminal, flags.json ? formatJson(facts) : `${sent.link}\n`, {
    takeBack: () => revokeLost(client, id),
    advice: "Send it again.",
  });
  if (!flags.json) tellOtherOrigin(terminal, client, sent.link);
  tellSent(terminal, flags, sent);
  // With --quiet too: it can be shown only now, and a log never gets it.
  if (password !== undefined && terminal.isTerminal.err) terminal.say(`The password: ${password}`);
}

/** A function that calls `work` the first time only. */
function once<T>(work: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => (result ??= work());
}

/** A new password. Throws CommandError when something else is to be sent too. */
function makePassword(files: readonly string[], { env }: SendFlags): string {
  if (files.length > 0 || env !== undefined) throw usageError("give either files, --env or --generate");
  return generatePassword().text;
}

/** Revokes a secret whose link nobody has. Resolves with a sentence about the outcome, without its period. */
function revokeLost(client: HttpClient, id: string): Promise<string> {
  return revokeSecret(client, id).then(
    () => "The secret was revoked",
    (reason: unknown) =>
      reason instanceof ClientError && reason.kind === "gone"
        ? "The secret has been opened, or has ended"
        : `Revoke the secret with 'handoff revoke ${id}'`,
  );
}

/** Says what happens when somebody opens it. */
function tellApproval(terminal: Terminal, approver: Approver): void {
  const whom = approver === "sender" ? "you decide" : "somebody else of your team decides";
  remark(terminal, `A recipient who opens it waits until ${whom}, with: handoff approve --wait`);
  remark(terminal, "Both see the same three words, which they can compare on the phone.");
}

/** Prints the facts about a new link, beside the link itself. */
function tellSent(terminal: Terminal, flags: SendFlags, { link, secret, mayRead }: WatchedSecret): void {
  const { id, expires_at: expiresAt, max_claims: maxClaims } = secret;
  if (!flags.json) {
    const times = maxClaims === 1 ? "once" : `${maxClaims} times`;
    const by = secret.for === null ? "" : ` by ${secret.for.join(", ")}`;
    remark(
      terminal,
      `The secret can be opened ${times}${by} until ${formatTime(expiresAt)} (${formatWait(expiresAt)}).`,
    );
    if (flags.approval) tellApproval(terminal, flags.approval);
    remark(
      terminal,
      mayRead ? `To see its state: handoff status ${id}` : "To see its state, run 'handoff status' and paste the link.",
    );
  }
  if (flags.qr) terminal.say(encodeQR(link, "ascii"));
  if (flags.copy) remark(terminal, copyToClipboard(terminal, link));
}

const GUESSABLE =
  "Someone who gets hold of the link might guess a passphrase this short or simple. Several random words are safer.";

async function readPassphrase(terminal: Terminal, flags: SendFlags): Promise<string | undefined> {
  const given = await findPassphrase(terminal, flags);
  if (given !== undefined) {
    if (isGuessable(given)) terminal.say(GUESSABLE);
    return given;
  }
  if (!flags.passphrase) return undefined;
  const first = await terminal.ask("Passphrase (not shown): ", { hidden: true });
  if (first === undefined)
    throw usageError("--passphrase needs a terminal. Use --passphrase-file or --passphrase-env.");
  if (first === "") throw usageError("The passphrase is empty.");
  if (isGuessable(first)) terminal.say(GUESSABLE);
  const second = await terminal.ask("Passphrase again: ", { hidden: true });
  if (second !== first) throw usageError("The passphrases differ. Nothing was sent.");
  return first;
}
