import { ClientError } from "../../client/errors.ts";
import type { HttpClient } from "../../client/http-client.ts";
import { openEnvelope } from "../../client/opened-secrets.ts";
import type { OpeningKey } from "../../client/opened-secrets.ts";
import { acknowledgeClaim, claimSecret, findSecret, getSecret } from "../../client/secrets.ts";
import type { ClaimedEnvelope } from "../../client/secrets.ts";
import type { Envelope } from "../../contract/envelopes.ts";
import type { Person } from "../../contract/persons.ts";
import type { Secret } from "../../contract/secrets.ts";
import type { DecodedContent } from "../../crypto/contents.ts";
import type { NameStyle } from "../../crypto/entry-names.ts";
import { deriveSecretLinkKeys, parseSecretLink } from "../../crypto/secret-links.ts";
import { stateFolder } from "../files/paths.ts";
import { hasPendingClaim, openPendingClaim } from "../state/pending-claims.ts";
import type { PendingClaim } from "../state/pending-claims.ts";
import { createProgress } from "../terminal/progress.ts";
import { resumable } from "../terminal/repeats.ts";
import type { Repeat } from "../terminal/repeats.ts";
import { CommandError, remark, usageError } from "../terminal/terminal.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { formatTime } from "../terminal/times.ts";
import { connectByLink } from "./connections.ts";
import type { ConnectionFlags } from "./connections.ts";
import { findPassphrase, hasPassphrase } from "./passphrases.ts";
import type { PassphraseFlags } from "./passphrases.ts";
import { isUnproven, withProof } from "./proofs.ts";

/**
 * The number of prompts for a passphrase. After so many typos a person doesn't know it, and a script would go on
 * forever.
 */
const PASSPHRASE_ATTEMPTS = 5;
/** Shown before the first prompt. The window of the server is known only after the claim. */
const PASSPHRASE_HINT = `It needs a passphrase. You can try ${PASSPHRASE_ATTEMPTS} times. The same command can be run again for 5 minutes after the first try (server default).`;
const ANSWER_MS = 3000;

/** A secret that can be claimed, with the credential and the keys for it. */
export interface Handover {
  readonly client: HttpClient;
  readonly id: string;
  /** The keys, without the passphrase, which is asked for when it is needed. */
  readonly key: OpeningKey;
  /** The flags that may give the sender's passphrase; undefined when none is needed. Without a flag it is asked for. */
  readonly passphrase: PassphraseFlags | undefined;
  /** True when it was handed in for a request, so that only `key` can ever open it. */
  readonly isSubmission: boolean;
  /** The request that it was handed in for. */
  readonly requestId?: string;
  /** True when an address may be proven for it, by a login or by a person at the terminal. */
  readonly mayProve?: boolean;
  /** The style of the names of files in it. */
  readonly nameStyle: NameStyle;
  /** The way to try again, for `resumable`; by default, to run the command again. */
  readonly again?: string;
}

/** The handover for a link. Throws LinkError and ClientError. */
export async function handoverOfLink(
  terminal: Terminal,
  flags: ConnectionFlags & PassphraseFlags & { readonly exactNames?: boolean },
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
    nameStyle: flags.exactNames ? "exact" : "safe",
  };
}

/** A secret's metadata before its claim; undefined to resume an earlier one. Throws ClientError if it has ended. */
export async function inspect(terminal: Terminal, { client, id }: Handover): Promise<Secret | undefined> {
  if (hasPendingClaim(terminal, client.baseUrl, id)) return undefined;
  const secret = await getSecret(client, id);
  if (secret.state !== "available") throw ended(secret);
  return secret;
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

/** Claims a secret, or resumes an earlier claim, and decrypts it. Throws ClientError and CommandError. */
export async function openSecret(terminal: Terminal, handover: Handover): Promise<OpenedSecret> {
  const { client, id } = handover;
  await checkRequest(terminal, handover);
  // The passphrase comes before the claim, so that a person who doesn't know it uses nothing up.
  const passphrase =
    handover.passphrase && (await readSenderPassphrase(terminal, handover.passphrase, PASSPHRASE_HINT));
  const { claim, envelope, sender, repeat } = await claimProven(terminal, handover);
  const open = () => decrypt(terminal, handover, passphrase, (key) => openEnvelope(envelope, key, handover.nameStyle));
  const content = await (handover.isSubmission
    ? openOrSetAside(open, claim, id)
    : resumable([repeat], open, handover.again));
  return {
    content,
    sender,
    repeat,
    async acknowledge() {
      claim.finish();
      // Without it the server soon erases the secret itself, so a long wait isn't worth it.
      const late = new Promise((resolve) => void setTimeout(resolve, ANSWER_MS).unref());
      await Promise.race([acknowledgeClaim(client, id, claim.idempotencyKey).catch(() => undefined), late]);
    },
  };
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
    if (!(error instanceof ClientError && error.kind === "decryption")) throw error;
    claim.finish();
    const reason =
      error.code === "decryption_failed" ? "It was not encrypted for this request, or is damaged." : error.message;
    throw new ClientError(
      error.code,
      error.kind,
      `Can't open what was handed in as ${id}. ${reason} It was set aside; ask for it to be handed in again.`,
    );
  }
}

interface Claimed {
  readonly claim: PendingClaim;
  readonly envelope: Envelope;
  readonly sender: Person | null;
  readonly repeat: Repeat;
}

/** Claims a secret, or resumes an earlier claim. An address is proven when the server asks for that. */
async function claimProven(terminal: Terminal, handover: Handover): Promise<Claimed> {
  try {
    return await claimOrResume(terminal, handover);
  } catch (error) {
    if (!isUnproven(error) || !handover.mayProve) throw error;
    const { client, id } = handover;
    const { for: addressees } = await getSecret(client, id);
    // The server contradicts itself.
    if (addressees === null) throw error;
    const subject = { client, kind: "secret", id, addressees } as const;
    return withProof(terminal, subject, (proofToken) => claimOrResume(terminal, handover, proofToken));
  }
}

async function claimOrResume(terminal: Terminal, handover: Handover, proofToken?: string): Promise<Claimed> {
  const { client, id } = handover;
  const claim = openPendingClaim(terminal, client.baseUrl, id);
  if (claim.envelope) {
    const sender = await findSender(handover);
    return { claim, envelope: claim.envelope, sender, repeat: { kind: "kept", claimsLeft: 0 } };
  }
  if (!claim.isKept) {
    terminal.say(
      `If this fails, it can't be repeated: neither '${stateFolder(terminal)}' nor XDG_RUNTIME_DIR can be written.`,
    );
  }
  const progress = createProgress(terminal);
  try {
    const claimed = await claimSecret(client, id, claim.idempotencyKey, progress.onProgress, { proofToken });
    const { envelope, secret } = claimed;
    return { claim, envelope, sender: secret.sender, repeat: repeatOf(claim, claimed) };
  } catch (error) {
    if (error instanceof ClientError && error.unknownOutcomeOf !== undefined) {
      throw claim.isKept ? error : unrepeatable(error, handover.again);
    }
    // The server has said that nothing was claimed.
    if (error instanceof ClientError && error.kind === "credential" && !claim.isResumed) claim.finish();
    // Nor by an earlier command: a claim is repeated without a proof.
    if (isUnproven(error)) claim.finish();
    if (!(error instanceof ClientError) || error.kind !== "gone") throw error;
    // There is nothing left to repeat.
    claim.finish();
    const secret = await findSecret(client, id);
    if (!secret) throw error;
    // The claim that was begun here is over, but the secret can be claimed again.
    if (claim.isResumed && secret.state === "available") return await claimOrResume(terminal, handover, proofToken);
    if (claim.isResumed && secret.state === "claimed") throw tooLateToRepeat();
    // The server contradicts itself: what it says of the claim counts.
    throw secret.state === "available" ? error : ended(secret);
  } finally {
    progress.end();
  }
}

/** The sender of a secret that is kept here. It can be opened without the server, which knows the sender. */
async function findSender({ client, id, isSubmission }: Handover): Promise<Person | null> {
  if (isSubmission) return null;
  const late = new Promise<undefined>((resolve) => void setTimeout(resolve, ANSWER_MS).unref());
  const secret = await Promise.race([findSecret(client, id), late]);
  return secret?.sender ?? null;
}

/** Keeps here, still encrypted, what the server doesn't give out again. */
function repeatOf(claim: PendingClaim, { secret, envelope, replayUntil }: ClaimedEnvelope): Repeat {
  const claimsLeft = secret.state === "available" ? Math.max(0, secret.max_claims - secret.claims) : 0;
  const isOver = replayUntil === null || Date.parse(replayUntil) <= Date.now();
  if (isOver) return { kind: claim.keepEnvelope(envelope) ? "kept" : "never", claimsLeft };
  return claim.isKept ? { kind: "until", time: replayUntil } : { kind: "never", claimsLeft };
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

async function decrypt(
  terminal: Terminal,
  { key, passphrase: source }: Handover,
  first: string | undefined,
  open: (key: OpeningKey) => Promise<DecodedContent>,
): Promise<DecodedContent> {
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

/** The same error for a claim that no later command can resume; `again` says how to claim the secret anew. */
function unrepeatable(error: ClientError, again = "Run the same command again"): ClientError {
  const { code, kind, meaning, requestId, unknownOutcomeOf } = error;
  const advice = `This claim can't be repeated. ${again}: if the secret has been opened, ask the sender for a new one.`;
  return new ClientError(code, kind, { meaning, advice }, { requestId, unknownOutcomeOf });
}

function tooLateToRepeat(): ClientError {
  return gone(
    "secret_claimed",
    "A command on this machine claimed this secret and didn't finish, and it can't be opened again. Ask the sender to send it again.",
  );
}

function ended({ state, claims, ended_at: endedAt }: Secret): ClientError {
  const at = endedAt === null ? "" : ` at ${formatTime(endedAt)}`;
  switch (state) {
    case "claimed":
      return gone(
        "secret_claimed",
        `This secret was opened${at}. If that wasn't you, or a program of yours, tell the sender: someone else may have it.`,
      );
    case "expired": {
      const never = claims === 0 ? " and was never opened" : "";
      return gone("secret_expired", `This secret expired${at}${never}. Ask the sender for a new link.`);
    }
    case "revoked":
      return gone("secret_revoked", `This secret was revoked${at}. Ask the sender if you need it.`);
    default:
      return new ClientError(
        "unexpected_answer",
        "gone",
        `This secret can't be opened: the server says that it is '${state}'. Ask the sender about it.`,
      );
  }
}

function gone(code: "secret_claimed" | "secret_expired" | "secret_revoked", message: string): ClientError {
  return new ClientError(code, "gone", message);
}
