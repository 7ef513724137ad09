import type { ComponentType } from "preact";
import { ClientError } from "../../client/errors.ts";
import type { HttpClient } from "../../client/http-client.ts";
import { acknowledgeClaim } from "../../client/secrets.ts";
import type { Progress } from "../../client/transfers.ts";
import type { Envelope } from "../../contract/envelopes.ts";
import type { Secret } from "../../contract/secrets.ts";
import type { DecodedContent } from "../../crypto/contents.ts";
import type { LinkHint } from "../../crypto/link-hints.ts";
import {
  adoptClaim,
  claimOf,
  claimSentAt,
  dropEnvelope,
  forget,
  holdEnvelope,
  keptKeyOf,
  noteClaimRefused,
  noteClaimSent,
  replayEndOf,
} from "../browser/fragments.ts";
import {
  beginClaim,
  forgetClaimSent,
  openedHereAt,
  rememberClaimSent,
  rememberOpened,
  wasAskedHere,
} from "../browser/opened-here.ts";
import { readPast, rememberPast } from "../browser/past-links.ts";
import { inWorker, startWorker } from "../browser/workers.ts";
import type { Notice } from "../frame/notices.ts";
import { isProofRequired } from "../proving/proofs.ts";
import { claimLink } from "../service/claims.ts";
import type { Claimed } from "../service/claims.ts";
import type { Transmission } from "../service/link-clients.ts";
import { isInDoubt } from "../service/outcomes.ts";
import type { OpenedSecret } from "../viewing/opened-screen.tsx";
import { findKeptAsk, forgetAsk, isApprovalRequired } from "./approvals.ts";

/** A valid link, with its keys. */
export interface OpenLink {
  readonly client: HttpClient;
  /** Creates another client with the same token. */
  readonly connect: (options: Transmission) => HttpClient;
  readonly id: string;
  readonly agePassphrase: string;
  readonly needsPassphrase: boolean;
  /** The content according to the link; undefined when the link has no hint. */
  readonly hint: LinkHint | undefined;
  readonly idempotencyKey: string;
}

/** A claim with an envelope that is not decrypted yet. */
export interface HeldClaim<Taken = Envelope> extends Omit<Claimed<Taken>, "left"> {
  /** The number of times that the link can still be opened; null when unknown. */
  readonly left: number | null;
  /** True when the envelope survives a reload of the page. */
  readonly isKept: boolean;
}

/** The proof for a claim, and callbacks for its progress. */
export interface ClaimWatch {
  /** The token of a proof, for a secret that is for chosen people. */
  readonly proofToken?: string | undefined;
  readonly onProgress?: Progress;
  /** Called after each failed attempt, with true when the secret may have been released by now. */
  readonly onSetback?: (isInDoubt: boolean) => void;
}

/** How the secret of a link is opened. `Taken` is what a claim gets, and `Opened` what is shown in the end. */
export interface OpeningWay<Taken, Opened> {
  /** Runs before the claim: rejects when the secret can't be opened now, so that nothing is used up. */
  readonly prepare: () => Promise<void>;
  /** Makes the call of a claim, or repeats it, as `claimLink` does. */
  readonly claimLink: (...args: Parameters<typeof claimLink>) => Promise<Claimed<Taken>>;
  /** Keeps what was claimed until it is decrypted. Resolves with true when it survives a reload of the page. */
  readonly hold: (id: string, taken: Taken) => Promise<boolean>;
  /** Decrypts what was claimed. Rejects with ClientError. */
  readonly open: (
    link: OpenLink,
    claim: Omit<HeldClaim<Taken>, "isKept">,
    how: {
      /** Undefined when the link asks for none. */
      readonly passphrase: string | undefined;
      readonly secret: Secret | undefined;
      readonly onPercent: (percent: number) => void;
    },
  ) => Promise<Opened>;
  /** Puts an error into words that only this way has; undefined for any other. */
  readonly describe?: (error: unknown) => Notice | undefined;
  /** What is said while it is claimed and locked, in place of the usual words. */
  readonly lockedWords?: string;
  /** Why it can't be opened here, before the claim; undefined when it can. */
  readonly obstacle?: string | undefined;
  /** True when it was claimed before this page was loaded, and is opened at once. */
  readonly isBegun?: boolean;
  /** What is shown while it is opened. */
  readonly Progress?: ComponentType;
}

/** The way of a secret that comes in one envelope. */
export const WHOLE: OpeningWay<Envelope, OpenedSecret> = {
  prepare: startWorker,
  claimLink,
  hold: holdEnvelope,
  async open(link, { envelope, left }, { passphrase, secret }) {
    const content = await (passphrase === undefined
      ? decrypt(link, envelope, undefined)
      : decryptTyped(link, envelope, passphrase));
    return describeOpened(link, { content, secret, left });
  },
};

/**
 * Claims the secret of a link by `call`, or repeats a claim made by this tab or another tab of this browser. Other tabs
 * can find the claim while it is in progress, and until it was certainly refused. It carries the ask for approval that
 * this tab keeps. Throws ClientError.
 */
export async function claim<Taken>(
  link: OpenLink,
  call: OpeningWay<Taken, unknown>["claimLink"],
  { onSetback, ...options }: ClaimWatch = {},
): Promise<Claimed<Taken>> {
  const { connect, id } = link;
  let isUnsure = claimSentAt(id) !== undefined;
  const isOwn = isUnsure || claimOf(id) !== undefined;
  const known = wasAskedHere(id);
  const elsewhere = isOwn ? undefined : await beginClaim(id);
  const isAdopted = elsewhere !== undefined && adoptClaim(id, elsewhere);
  const wasAsked = known || isAdopted;
  const noteSetback = (mayBeDone: boolean) => {
    isUnsure ||= mayBeDone;
    if (!isUnsure) noteClaimRefused(id);
    if (!isUnsure && !wasAsked) forgetClaimSent(id);
    onSetback?.(isUnsure);
  };
  const client = connect({
    onAttempt() {
      rememberClaimSent(id);
      noteClaimSent(id);
    },
    onSetback: noteSetback,
  });
  try {
    const approvalToken = findKeptAsk(id)?.approvalToken;
    const claimed = await call(client, id, keptKeyOf(id) ?? link.idempotencyKey, {
      ...options,
      approvalToken,
    });
    rememberOpened(id);
    forgetAsk(id);
    return claimed;
  } catch (error) {
    // An earlier claim would have been answered again, without a proof or an approval.
    if (isProofRequired(error) || isApprovalRequired(error)) isUnsure = false;
    noteSetback(isInDoubt(error));
    throw error;
  }
}

/** Decrypts the envelope of a link. Rejects with a ClientError. */
export function decrypt(link: OpenLink, envelope: Envelope, passphrase: string | undefined): Promise<DecodedContent> {
  return inWorker({ kind: "open", envelope, key: { kind: "link", agePassphrase: link.agePassphrase, passphrase } });
}

/**
 * Decrypts with a typed passphrase: first as typed, then trimmed, because copying may add spaces. Rejects with a
 * ClientError.
 */
async function decryptTyped(link: OpenLink, envelope: Envelope, typed: string): Promise<DecodedContent> {
  try {
    return await decrypt(link, envelope, typed);
  } catch (error) {
    const trimmed = typed.trim();
    if (!isWrongKey(error) || trimmed === typed || trimmed === "") throw error;
    return decrypt(link, envelope, trimmed);
  }
}

function isWrongKey(error: unknown): boolean {
  return error instanceof ClientError && error.code === "decryption_failed";
}

export function isPassphraseMissing(error: unknown): boolean {
  return error instanceof ClientError && error.code === "passphrase_missing";
}

/** Describes a secret that was opened by a link, and deletes the kept envelope. */
export function describeOpened<Content>(
  { id, client }: OpenLink,
  {
    content,
    secret,
    left,
  }: { readonly content: Content; readonly secret: Secret | undefined; readonly left: number | null },
): Omit<OpenedSecret, "content"> & { readonly content: Content } {
  dropEnvelope(id);
  const past = readPast(id);
  const at = past?.kind === "opened" ? past.at : (openedHereAt(id) ?? new Date().toISOString());
  rememberPast(id, { kind: "opened", at, ...(left === null ? {} : { left }) });
  return {
    content,
    sender: secret?.sender ?? null,
    until: replayEndOf(id),
    place: "tab",
    left,
    async erase() {
      const made = claimOf(id);
      if (made && made.until !== null) await acknowledgeClaim(client, id, made.idempotencyKey);
      await forget(id);
    },
  };
}
