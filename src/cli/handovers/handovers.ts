import { ClientError } from "../../client/errors.ts";
import { toClientError } from "../../client/explanations.ts";
import type { HttpClient } from "../../client/http-client.ts";
import { openEnvelope } from "../../client/opened-secrets.ts";
import type { OpeningKey } from "../../client/opened-secrets.ts";
import { acknowledgeClaim, findSecret, getSecret } from "../../client/secrets.ts";
import type { Person } from "../../contract/persons.ts";
import type { Secret } from "../../contract/secrets.ts";
import { LARGE_VERSION } from "../../contract/states.ts";
import type { DecodedContent } from "../../crypto/contents.ts";
import { deriveSecretLinkKeys, parseSecretLink } from "../../crypto/secret-links.ts";
import { forgetAsk } from "../state/kept-asks.ts";
import { hasPendingClaim } from "../state/pending-claims.ts";
import type { PendingClaim } from "../state/pending-claims.ts";
import { resumable } from "../terminal/repeats.ts";
import type { Repeat } from "../terminal/repeats.ts";
import { CommandError, remark, usageError } from "../terminal/terminal.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { approvalWaitOf } from "./approvals.ts";
import { claimAllowed, ended } from "./claims.ts";
import type { Handover } from "./claims.ts";
import { connectByLink } from "./connections.ts";
import type { ConnectionFlags } from "./connections.ts";
import { findPassphrase, hasPassphrase } from "./passphrases.ts";
import type { PassphraseFlags } from "./passphrases.ts";

/**
 * The number of prompts for a passphrase. After so many typos a person doesn't know it, and a script would go on
 * forever.
 */
const PASSPHRASE_ATTEMPTS = 5;
/** Shown before the first prompt. The window of the server is known only after the claim. */
export const PASSPHRASE_HINT = `It needs a passphrase. You can try ${PASSPHRASE_ATTEMPTS} times. The same command can be run again for 5 minutes after the first try (server default).`;
const ANSWER_MS = 3000;

/** The handover for a link. Throws LinkError and ClientError. */
export async function handoverOfLink(
  terminal: Terminal,
  flags: ConnectionFlags & PassphraseFlags & { readonly exactNames?: boolean; readonly timeout?: string },
  text: string,
  signal: AbortSignal,
): Promise<Handover> {
  const { baseUrl, id, seed, needsPassphrase } = parseSecretLink(text);
  const { claimToken, agePassphrase } = await deriveSecretLinkKeys(seed);
  return {
    client: connectByLink(terminal, flags, { baseUrl, token: claimToken }, signal),
    id,
    key: { kind: "link", agePassphrase, passphrase: undefined },
    passphrase: needsPassphrase ? flags : undefined,
    isSubmission: false,
    mayProve: true,
    approval: approvalWaitOf(flags),
    nameStyle: flags.exactNames ? "exact" : "safe",
  };
}

/** A secret's metadata before its claim; undefined to resume an earlier one. Throws ClientError if it has ended. */
export async function inspect(terminal: Terminal, { client, id, approval }: Handover): Promise<Secret | undefined> {
  if (hasPendingClaim(terminal, client.baseUrl, id)) return undefined;
  const secret = await getSecret(client, id);
  if (secret.state === "available") return secret;
  if (approval) forgetAsk(terminal, client.baseUrl, id);
  throw ended(secret);
}

/** Throws ClientError for a large secret, which only 'handoff open' and 'handoff collect' open. */
export function checkSmall(secret: Secret | undefined): void {
  if (secret?.envelope_version === LARGE_VERSION) throw toClientError("envelope_version_unsupported");
}

/** A secret that was claimed and decrypted, and that the server may still keep. */
export interface OpenedSecret {
  readonly content: DecodedContent;
  /** The sender, as the server says; null when it names nobody, or when a kept secret is opened without it. */
  readonly sender: Person | null;
  /** The way to get it again until it is acknowledged, see `resumable`. */
  readonly repeat: Repeat;
  /**
   * Tells the server that the secret is at its destination. Call it only then: afterwards the claim can't be repeated.
   */
  acknowledge(): Promise<void>;
}

/**
 * Claims a secret, or resumes an earlier claim, and decrypts it. Where somebody has to approve, it asks and waits,
 * unless there is the token of an approval already. Throws ClientError and CommandError.
 */
export async function openSecret(
  terminal: Terminal,
  handover: Handover,
  approvalToken?: string,
): Promise<OpenedSecret> {
  const { client, id } = handover;
  await checkRequest(terminal, handover);
  // The passphrase comes before the claim, so that a person who doesn't know it uses nothing up.
  const passphrase =
    handover.passphrase && (await readSenderPassphrase(terminal, handover.passphrase, PASSPHRASE_HINT));
  const { claim, envelope, sender, repeat } = await claimAllowed(terminal, handover, approvalToken);
  if (!("ciphertext" in envelope)) throw new Error("a large secret is opened in another way");
  const open = () => decrypt(terminal, handover, passphrase, (key) => openEnvelope(envelope, key, handover.nameStyle));
  const content = await (handover.isSubmission
    ? openOrSetAside(open, claim, id)
    : resumable([repeat], open, handover.again));
  return {
    content,
    sender,
    repeat,
    acknowledge: () => acknowledge(client, id, claim),
  };
}

/** Tells the server that a claimed secret is at its destination, and forgets the claim. */
export async function acknowledge(client: HttpClient, id: string, claim: PendingClaim): Promise<void> {
  claim.finish();
  // Without it the server soon erases the secret itself, so a long wait isn't worth it.
  const late = new Promise((resolve) => void setTimeout(resolve, ANSWER_MS).unref());
  await Promise.race([acknowledgeClaim(client, id, claim.idempotencyKey).catch(() => undefined), late]);
}

/** Throws CommandError for a submission of another request, which a claim would use up for nothing. */
async function checkRequest(terminal: Terminal, { client, id, requestId }: Handover): Promise<void> {
  if (requestId === undefined || hasPendingClaim(terminal, client.baseUrl, id)) return;
  // Not every key may read secrets.
  const secret = await findSecret(client, id);
  if (secret === undefined || secret.request_id === requestId) return;
  throw new CommandError(
    `The server says that ${id} was handed in for ${requestId}, and also that it wasn't. It wasn't opened. Ask the server's admin to look at it.`,
  );
}

/** Sets a submission aside that its only identity can't open, so that it doesn't block the others. */
async function openOrSetAside(
  open: () => Promise<DecodedContent>,
  claim: PendingClaim,
  id: string,
): Promise<DecodedContent> {
  try {
    return await open();
  } catch (error) {
    throw isUnopenable(error) ? setAside(error, claim, id) : error;
  }
}

/** True for the error of a secret that no later attempt opens. */
export function isUnopenable(error: unknown): error is ClientError {
  return error instanceof ClientError && error.kind === "decryption";
}

/** Forgets the claim of a submission that can't be opened, and returns the error that says so. */
export function setAside({ code, kind, message }: ClientError, claim: PendingClaim, id: string): ClientError {
  claim.finish();
  const reason = code === "decryption_failed" ? "It was not encrypted for this request, or is damaged." : message;
  return new ClientError(
    code,
    kind,
    `Can't open what was handed in as ${id}. ${reason} It was set aside; ask for it to be handed in again.`,
  );
}

/**
 * The sender's passphrase, from the flags or, without one, a prompt after the `hint`. Throws CommandError when there is
 * neither.
 */
export async function readSenderPassphrase(terminal: Terminal, flags: PassphraseFlags, hint?: string): Promise<string> {
  const given = await findPassphrase(terminal, flags);
  if (given === undefined && hint !== undefined && terminal.isTerminal.err) remark(terminal, hint);
  const passphrase = given ?? (await askPassphrase(terminal));
  if (passphrase === undefined) {
    throw usageError("this link needs a passphrase too: give it with --passphrase-file or --passphrase-env");
  }
  return passphrase;
}

/**
 * Opens with the key of the handover, and asks again for a passphrase that doesn't fit. Throws what `open` throws, and
 * CommandError.
 */
export async function decrypt<T>(
  terminal: Terminal,
  { key, passphrase: source }: Handover,
  first: string | undefined,
  open: (key: OpeningKey) => Promise<T>,
): Promise<T> {
  let passphrase = first;
  for (let attempt = 1; ; attempt++) {
    try {
      return await open(key.kind === "link" ? { ...key, passphrase } : key);
    } catch (error) {
      const mayAskAgain = source !== undefined && !hasPassphrase(source) && attempt < PASSPHRASE_ATTEMPTS;
      if (!(error instanceof ClientError && error.code === "decryption_failed" && mayAskAgain)) throw error;
      terminal.say("That passphrase doesn't work. Check it and try again.");
      passphrase = await askPassphrase(terminal);
    }
  }
}

function askPassphrase(terminal: Terminal): Promise<string | undefined> {
  return terminal.ask("Passphrase (not shown): ", { hidden: true });
}
