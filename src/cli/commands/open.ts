import type { Command } from "commander";
import { contentBytesOf } from "../../client/limits.ts";
import { isId } from "../../contract/ids.ts";
import type { Person } from "../../contract/persons.ts";
import type { Secret } from "../../contract/secrets.ts";
import { LARGE_VERSION } from "../../contract/states.ts";
import { findRecipient } from "../../crypto/age-identities.ts";
import { checkRoom } from "../files/destinations.ts";
import { readTextFile } from "../files/text-files.ts";
import { APPROVAL_TIMEOUT, approvalWaitOf, describeApprover } from "../handovers/approvals.ts";
import { findSecretSoon, isOfOtherVersion } from "../handovers/claims.ts";
import type { Handover } from "../handovers/claims.ts";
import { addConnectionFlags, connect } from "../handovers/connections.ts";
import type { ConnectionFlags } from "../handovers/connections.ts";
import { addDeliveryFlags, checkOutput, deliverTaken, nameStyleOf, STANDARD_OUTPUT } from "../handovers/deliveries.ts";
import type { DeliveryFlags } from "../handovers/deliveries.ts";
import { handoverOfLink, inspect, openSecret } from "../handovers/handovers.ts";
import type { OpenedSecret } from "../handovers/handovers.ts";
import { openLarge } from "../handovers/large-openings.ts";
import { parseId, readLink } from "../handovers/link-arguments.ts";
import { addPassphraseFlags } from "../handovers/passphrases.ts";
import type { PassphraseFlags } from "../handovers/passphrases.ts";
import { isShortId } from "../handovers/short-ids.ts";
import { formatPerson } from "../terminal/persons.ts";
import { formatSize } from "../terminal/progress.ts";
import { checkStandardOutput, CommandError, remark, usageError } from "../terminal/terminal.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { formatTime } from "../terminal/times.ts";

interface OpenFlags extends ConnectionFlags, DeliveryFlags, PassphraseFlags {
  readonly json?: boolean;
  readonly yes?: boolean;
  readonly identity?: string;
  readonly timeout?: string;
}

/** `handoff open` */
export function addOpen(program: Command, terminal: Terminal): void {
  addPassphraseFlags(addDeliveryFlags(addConnectionFlags(program.command("open"))), "the link")
    .argument(
      "[link]",
      "The link, or with --identity an ID. Leave it out, and you're asked for it, or it's read from standard input.",
    )
    .description("Open a secret: text goes to standard output as it is, files into a new directory.")
    .option("-y, --yes", "Open without asking.")
    .option("--identity <file>", "Open what was encrypted to an age recipient; needs a key that may claim.")
    .option("--timeout <duration>", APPROVAL_TIMEOUT)
    .addHelpText(
      "after",
      `
Examples:
  handoff open
  handoff open --yes < link.txt > secret.txt
  handoff open --yes --output ~/restore --passphrase-file pass.txt < link.txt

Interrupted, on a full disk, or when the connection drops: run the same command
within 5 minutes (server default). Where standard output is no terminal, the
exit code is 8 when it isn't the text that was sent: when files came, or an
empty text.`,
    )
    .action((link: string | undefined, flags: OpenFlags) => open(terminal, link, flags));
}

async function open(terminal: Terminal, argument: string | undefined, flags: OpenFlags): Promise<void> {
  checkStandardOutput(terminal);
  const signal = terminal.interruptible();
  const text = await readLink(terminal, argument, { command: "handoff open" });
  const handover = await handoverOf(terminal, text, flags, signal);
  checkOutput(flags);
  const secret = await inspect(terminal, handover);
  const isLarge = await isLargeSecret(handover, secret);
  if (secret) checkRoomFor(secret, isLarge, flags);
  if (secret) await confirm(terminal, secret, handover, flags);
  // There is no question when an earlier claim is resumed.
  const tellSender = (sender: Person | null) => {
    if (!secret && !flags.yes && !flags.json && sender) remark(terminal, describeSender(sender, handover));
  };
  if (isLarge) return openLarge(terminal, handover, flags, tellSender);
  let opened: OpenedSecret;
  try {
    opened = await openSecret(terminal, handover);
  } catch (error) {
    if (!isOfOtherVersion(error)) throw error;
    return openLarge(terminal, handover, flags, tellSender);
  }
  tellSender(opened.sender);
  await deliverTaken(terminal, opened, handover.id, flags);
}

/** True for a secret that is downloaded after its claim, as far as the server says so before. */
async function isLargeSecret({ client, id }: Handover, inspected: Secret | undefined): Promise<boolean> {
  const secret = inspected ?? (await findSecretSoon(client, id));
  return secret?.envelope_version === LARGE_VERSION;
}

/** Throws CommandError when there is no room for a secret where it goes. */
function checkRoomFor({ ciphertext_bytes: bytes }: Secret, isLarge: boolean, { output }: OpenFlags): void {
  if (output === STANDARD_OUTPUT) return;
  if (isLarge) checkRoom(output ?? ".", bytes);
  else if (output !== undefined) checkRoom(output, contentBytesOf(bytes).most);
}

async function handoverOf(terminal: Terminal, text: string, flags: OpenFlags, signal: AbortSignal): Promise<Handover> {
  if (flags.identity === undefined && (isId(text, "secret") || isShortId(text))) {
    throw usageError(
      "An ID opens nothing, because the key is in the link. Give the whole link, which starts with http.",
    );
  }
  if (flags.identity === undefined) return handoverOfLink(terminal, flags, text, signal);
  const id = parseId("secret", text);
  const client = await connect(terminal, flags, signal);
  const key = { kind: "ageIdentities", ageIdentities: await readIdentities(terminal, flags.identity) } as const;
  return {
    client,
    id,
    key,
    passphrase: undefined,
    isSubmission: false,
    approval: approvalWaitOf(flags),
    nameStyle: nameStyleOf(flags),
  };
}

/** The identities in a file that age-keygen wrote. Throws CommandError, also when one of them is damaged. */
async function readIdentities(terminal: Terminal, path: string): Promise<string[]> {
  const text = await readTextFile(terminal, path, "--identity");
  const identities = text.match(/^AGE-SECRET-KEY-[A-Z0-9-]+$/gm) ?? [];
  if (identities.length === 0) throw usageError(`--identity: there is no age identity in '${path}'`);
  const recipients = await Promise.all(identities.map(findRecipient));
  if (recipients.includes(undefined)) throw usageError(`--identity: an identity in '${path}' is damaged`);
  return identities;
}

/** Throws CommandError unless the person at the terminal agrees to use up a claim. */
async function confirm(terminal: Terminal, secret: Secret, handover: Handover, flags: OpenFlags): Promise<void> {
  if (flags.yes) return;
  const left = secret.max_claims - secret.claims;
  const times = left === 1 ? "once" : `${left} times`;
  const what =
    secret.claims === 0
      ? `It can be opened ${times}`
      : `It can be opened ${left === 1 ? "once more" : `${left} more times`}`;
  if (secret.sender) terminal.say(describeSender(secret.sender, handover));
  if (secret.approval !== null) terminal.say(`${describeApprover(secret.approval)} has to let you in.`);
  const question = `A secret of ${formatSize(secret.ciphertext_bytes)}. ${what}, until ${formatTime(secret.expires_at)}. Open it now? [y/N] `;
  const answer = await terminal.ask(question);
  if (answer === undefined) throw usageError("There is no terminal to ask on. To open it, add --yes.");
  if (!/^y(es)?$/i.test(answer.trim())) throw new CommandError("Not opened.");
}

function describeSender(sender: Person, { client }: Handover): string {
  return `From ${formatPerson(sender, client.baseUrl)}`;
}
