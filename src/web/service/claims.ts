import type { HttpClient } from "../../client/http-client.ts";
import { acknowledgeClaim, claimSecret } from "../../client/secrets.ts";
import type { ClaimedEnvelope, ClaimTokens } from "../../client/secrets.ts";
import type { Progress } from "../../client/transfers.ts";
import type { Envelope } from "../../contract/envelopes.ts";
import { REPLAY_WINDOW_SECONDS } from "../../contract/limits.ts";
import { claimKeyOf, noteReplayEnd } from "../browser/age-identities.ts";
import { keepForReplay, noteClaimSent } from "../browser/fragments.ts";

/** The envelope of a claim, or what stands for one, and how often its link can still be opened. */
export interface Claimed<Taken = Envelope> {
  readonly envelope: Taken;
  readonly left: number;
}

/**
 * Claims the secret of a link, or repeats the claim, and records how long this tab can repeat it. Throws ClientError;
 * `proof_required` or `approval_required` without a token that it needs. A repeated claim needs none.
 */
export async function claimLink(
  client: HttpClient,
  id: string,
  idempotencyKey: string,
  { onProgress, ...tokens }: ClaimTokens & { readonly onProgress?: Progress | undefined } = {},
): Promise<Claimed> {
  noteClaimSent(id);
  const taken = await claimSecret(client, id, idempotencyKey, onProgress, tokens);
  keepForReplay(id, replayWindowMs(taken));
  return { envelope: taken.envelope, left: taken.secret.max_claims - taken.secret.claims };
}

/** A submission to a request of a person. */
export interface SubmissionPlace {
  readonly personId: string;
  readonly requestId: string;
  readonly secretId: string;
}

/** Claims a submission, or repeats the claim, and records how long this browser can repeat it. Throws ClientError. */
export async function claimSubmission(
  client: HttpClient,
  options: SubmissionPlace & { readonly onProgress: Progress },
): Promise<{ readonly envelope: Envelope; readonly until: number | null }> {
  const { personId, requestId, secretId, onProgress } = options;
  const idempotencyKey = await claimKeyOf(personId, requestId, secretId);
  const taken = await claimSecret(client, secretId, idempotencyKey, onProgress);
  const windowMs = replayWindowMs(taken);
  await noteReplayEnd(personId, requestId, { secretId, inMs: windowMs });
  return { envelope: taken.envelope, until: windowMs > 0 ? Date.now() + windowMs : null };
}

/**
 * Erases a claimed submission on the server, and records here that its claim cannot be repeated. `until` is when the
 * claim ends by itself, in epoch milliseconds; null when it has ended. Throws ClientError.
 */
export async function eraseSubmission(
  client: HttpClient,
  claim: SubmissionPlace & { readonly until: number | null },
): Promise<void> {
  const { personId, requestId, secretId, until } = claim;
  if (until !== null && until > Date.now())
    await acknowledgeClaim(client, secretId, await claimKeyOf(personId, requestId, secretId));
  await noteReplayEnd(personId, requestId, { secretId, inMs: "over" });
}

/**
 * The milliseconds for which a claim can be repeated. Uses the server's clock when the server says when the claim was
 * made, because ours may be wrong.
 */
function replayWindowMs({ replayUntil, secret: { ended_at: endedAt } }: ClaimedEnvelope): number {
  if (replayUntil === null) return 0;
  const start = endedAt === null ? Date.now() : Date.parse(endedAt);
  return Math.min(Math.max(0, Date.parse(replayUntil) - start), REPLAY_WINDOW_SECONDS.max * 1000);
}
