import { ClientError } from "../../client/errors.ts";
import type { HttpClient } from "../../client/http-client.ts";
import { claimLargeSecret } from "../../client/large/claims.ts";
import type { OpeningKey } from "../../client/opened-secrets.ts";
import { claimSecret, findSecret, getSecret } from "../../client/secrets.ts";
import type { ClaimedEnvelope, ClaimTokens } from "../../client/secrets.ts";
import { askToOpen } from "../../client/signing-in/decisions.ts";
import type { Envelope } from "../../contract/envelopes.ts";
import type { Person } from "../../contract/persons.ts";
import type { Secret } from "../../contract/secrets.ts";
import type { NameStyle } from "../../crypto/entry-names.ts";
import { stateFolder } from "../files/paths.ts";
import { findKeptAsk, forgetAsk, keepAsk } from "../state/kept-asks.ts";
import type { KeptAsk } from "../state/kept-asks.ts";
import { openPendingClaim } from "../state/pending-claims.ts";
import type { PendingClaim } from "../state/pending-claims.ts";
import { createProgress } from "../terminal/progress.ts";
import type { Repeat } from "../terminal/repeats.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { formatTime } from "../terminal/times.ts";
import {
  approvalEnded,
  approvalWaitOf,
  awaitLetIn,
  hasAskEnded,
  isGone,
  isLetIn,
  isUnapproved,
  notDecided,
  tellAsk,
} from "./approvals.ts";
import type { ApprovalWait } from "./approvals.ts";
import type { PassphraseFlags } from "./passphrases.ts";
import { isUnproven, withProof } from "./proofs.ts";

/** How long the server is asked for the sender of a secret that is opened without it. */
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
  /**
   * The wait for an approval, where this command asks for one if somebody has to approve. Without it, an ask that the
   * command line kept isn't used either.
   */
  readonly approval?: ApprovalWait;
  /** The style of the names of files in it. */
  readonly nameStyle: NameStyle;
  /** True when it is claimed as a large secret, whose ciphertext is downloaded then. */
  readonly isLarge?: boolean;
  /** The way to try again, for `resumable`; by default, to run the command again. */
  readonly again?: string;
}

/** A ciphertext that can be downloaded with the key of its claim. */
interface LargeEnvelope {
  readonly bytes: number;
  /** How long the server keeps it from now on, and from each minute of a download. */
  readonly windowMs: number;
}

/** What was claimed, still encrypted. */
export interface Claimed {
  readonly claim: PendingClaim;
  /** A large one for `isLarge` alone. */
  readonly envelope: Envelope | LargeEnvelope;
  readonly sender: Person | null;
  readonly repeat: Repeat;
}

/**
 * Claims a secret, or resumes an earlier claim. An address is proven, and an approval asked for, when the server wants
 * that. Throws ClientError and CommandError.
 */
export function claimAllowed(terminal: Terminal, handover: Handover, approvalToken?: string): Promise<Claimed> {
  return approvalToken === undefined
    ? claimByAsk(terminal, handover)
    : claimApproved(terminal, handover, approvalToken);
}

async function claimByAsk(terminal: Terminal, handover: Handover): Promise<Claimed> {
  const kept = await resumeAsk(terminal, handover);
  if (kept) return claimApproved(terminal, handover, await kept.untilApproved());
  return proving(terminal, handover, async (proofToken) => {
    try {
      return await claimOrResume(terminal, handover, { proofToken });
    } catch (error) {
      if (!isUnapproved(error) || !handover.approval) throw error;
      const { approval } = await getSecret(handover.client, handover.id);
      const held = await ask(terminal, handover, approval, proofToken);
      return await claimApproved(terminal, handover, await held.untilApproved());
    }
  });
}

async function claimApproved(terminal: Terminal, handover: Handover, approvalToken: string): Promise<Claimed> {
  const forget = () => forgetAsk(terminal, handover.client.baseUrl, handover.id, approvalToken);
  try {
    const claimed = await claimOrResume(terminal, handover, { approvalToken });
    forget();
    return claimed;
  } catch (error) {
    if (isUnapproved(error) || isUnproven(error) || isGone(error)) forget();
    // It counted as the proof too.
    throw isUnapproved(error) || isUnproven(error) ? approvalEnded() : error;
  }
}

/** An approval that was asked for. */
export interface AskedApproval {
  /** Resolves with its token once it is given. Throws ClientError for any other end. */
  untilApproved(): Promise<string>;
}

/**
 * Asks for the approval of a claim, or goes on with the ask of an earlier command, and shows the words while nobody has
 * decided. An address is proven when the server wants that. Throws ClientError.
 */
export async function askForApproval(
  terminal: Terminal,
  handover: Handover,
  approver: Secret["approval"],
): Promise<AskedApproval> {
  const kept = await resumeAsk(terminal, handover, approver);
  return kept ?? proving(terminal, handover, (proofToken) => ask(terminal, handover, approver, proofToken));
}

/** Goes on with the ask that an earlier command kept; undefined when there is none that still counts. */
async function resumeAsk(
  terminal: Terminal,
  handover: Handover,
  approver?: Secret["approval"],
): Promise<AskedApproval | undefined> {
  const { client, id, approval: wait } = handover;
  const kept = wait && findKeptAsk(terminal, client.baseUrl, id);
  if (!kept) return undefined;
  try {
    if (await forgettingEnded(terminal, handover, kept, () => isLetIn(terminal, client, id, kept))) {
      return { untilApproved: () => Promise.resolve(kept.approval_token) };
    }
  } catch (error) {
    // Its time is over, or the secret has ended: a claim then says so, or is repeated.
    if (isUnapproved(error) || isGone(error)) return undefined;
    throw error;
  }
  tellAsk(terminal, kept, approver === undefined ? (await getSecret(client, id)).approval : approver, wait);
  return asked(terminal, handover, kept, true);
}

async function ask(
  terminal: Terminal,
  handover: Handover,
  approver: Secret["approval"],
  proofToken: string | undefined,
): Promise<AskedApproval> {
  const { client, id, approval: wait = approvalWaitOf({}) } = handover;
  const created = await askToOpen(client, id, proofToken);
  const isKept = keepAsk(terminal, client.baseUrl, id, created);
  tellAsk(terminal, created, approver, wait);
  return asked(terminal, handover, created, isKept);
}

function asked(terminal: Terminal, handover: Handover, current: KeptAsk, isKept: boolean): AskedApproval {
  const { client, id, approval: wait = approvalWaitOf({}) } = handover;
  const start = performance.now();
  return {
    async untilApproved() {
      // Several may be waited for one after the other.
      const seconds = Math.max(0, Math.ceil(wait.seconds - (performance.now() - start) / 1000));
      const letIn = () => awaitLetIn(terminal, client, id, current, { ...wait, seconds });
      if (!(await forgettingEnded(terminal, handover, current, letIn))) throw notDecided(current, isKept);
      return current.approval_token;
    },
  };
}

/** Forgets a kept ask when `use` finds that it was refused or no longer counts, or that the secret has ended. */
async function forgettingEnded<T>(
  terminal: Terminal,
  { client, id }: Handover,
  { approval_token: token }: KeptAsk,
  use: () => Promise<T>,
): Promise<T> {
  try {
    return await use();
  } catch (error) {
    if (hasAskEnded(error)) forgetAsk(terminal, client.baseUrl, id, token);
    throw error;
  }
}

/** Does what may need a proof. An address is proven when the server asks for that. */
async function proving<T>(
  terminal: Terminal,
  { client, id, mayProve }: Handover,
  use: (proofToken?: string) => Promise<T>,
): Promise<T> {
  try {
    return await use();
  } catch (error) {
    if (!isUnproven(error) || !mayProve) throw error;
    const { for: addressees } = await getSecret(client, id);
    // The server contradicts itself.
    if (addressees === null) throw error;
    return withProof(terminal, { client, kind: "secret", id, addressees }, use);
  }
}

async function claimOrResume(terminal: Terminal, handover: Handover, tokens: ClaimTokens): Promise<Claimed> {
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
    if (handover.isLarge) return await claimLarge(handover, claim, tokens);
    const claimed = await claimSecret(client, id, claim.idempotencyKey, progress.onProgress, tokens);
    const { envelope, secret } = claimed;
    return { claim, envelope, sender: secret.sender, repeat: repeatOf(claim, claimed) };
  } catch (error) {
    if (error instanceof ClientError && error.unknownOutcomeOf !== undefined) {
      throw claim.isKept ? error : unrepeatable(error, handover.again);
    }
    // The server has said that nothing was claimed.
    if (error instanceof ClientError && error.kind === "credential" && !claim.isResumed) claim.finish();
    // Nor by an earlier command: a claim is repeated without a proof or an approval.
    if (isUnproven(error) || isUnapproved(error)) claim.finish();
    // An earlier command may have claimed it in the other way.
    if (isOfOtherVersion(error) && !claim.isResumed) claim.finish();
    if (!(error instanceof ClientError) || error.kind !== "gone") throw error;
    // There is nothing left to repeat.
    claim.finish();
    const secret = await findSecret(client, id);
    if (!secret) throw error;
    // The claim that was begun here is over, but the secret can be claimed again.
    if (claim.isResumed && secret.state === "available") return await claimOrResume(terminal, handover, tokens);
    if (claim.isResumed && secret.state === "claimed") throw tooLateToRepeat();
    // The server contradicts itself: what it says of the claim counts.
    throw secret.state === "available" ? error : ended(secret);
  } finally {
    progress.end();
  }
}

async function claimLarge({ client, id }: Handover, claim: PendingClaim, tokens: ClaimTokens): Promise<Claimed> {
  const { secret, bytes, replay_until: time } = await claimLargeSecret(client, id, claim.idempotencyKey, tokens);
  const windowMs = Math.max(0, Date.parse(time) - Date.now());
  const repeat: Repeat = claim.isKept ? { kind: "until", time } : { kind: "never", claimsLeft: claimsLeftOf(secret) };
  return { claim, envelope: { bytes, windowMs }, sender: secret.sender, repeat };
}

/** True for the error of a claim of a secret that has to be claimed in another way, and that used nothing up. */
export function isOfOtherVersion(error: unknown): boolean {
  return error instanceof ClientError && error.code === "envelope_version_unsupported";
}

/** The sender of a secret that is kept here. It can be opened without the server, which knows the sender. */
async function findSender({ client, id, isSubmission }: Handover): Promise<Person | null> {
  if (isSubmission) return null;
  const secret = await findSecretSoon(client, id);
  return secret?.sender ?? null;
}

/** Gets a secret; undefined when the server doesn't answer with it soon. */
export function findSecretSoon(client: HttpClient, id: string): Promise<Secret | undefined> {
  const late = new Promise<undefined>((resolve) => void setTimeout(resolve, ANSWER_MS).unref());
  return Promise.race([findSecret(client, id), late]);
}

/** Keeps here, still encrypted, what the server doesn't give out again. */
function repeatOf(claim: PendingClaim, { secret, envelope, replayUntil }: ClaimedEnvelope): Repeat {
  const claimsLeft = claimsLeftOf(secret);
  const isOver = replayUntil === null || Date.parse(replayUntil) <= Date.now();
  if (isOver) return { kind: claim.keepEnvelope(envelope) ? "kept" : "never", claimsLeft };
  return claim.isKept ? { kind: "until", time: replayUntil } : { kind: "never", claimsLeft };
}

function claimsLeftOf(secret: Secret): number {
  return secret.state === "available" ? Math.max(0, secret.max_claims - secret.claims) : 0;
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

/** The error for a secret that has ended. */
export function ended({ state, claims, ended_at: endedAt }: Secret): ClientError {
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
