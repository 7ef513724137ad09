import type { HttpClient } from "../../client/http-client.ts";
import { claimLargeSecret } from "../../client/large/claims.ts";
import type { ClaimTokens } from "../../client/secrets.ts";
import type { ClaimedLargeSecret } from "../../contract/secrets.ts";
import { claimKeyOf, findAgeIdentity, noteReplayEnd } from "../browser/age-identities.ts";
import { keepForReplay, noteClaimSent, replayEndOf } from "../browser/fragments.ts";
import type { Claimed, SubmissionPlace } from "./claims.ts";

/** The longest time for which a claim can be repeated. */
const LONGEST_MS = 24 * 60 * 60 * 1000;

/** What a claim of a large secret gets in place of an envelope. */
export interface LargeClaim {
  /** The length of the ciphertext. */
  readonly bytes: number;
  /** So long after each call for the ciphertext the claim can still be repeated. */
  readonly windowMs: number;
}

/** Claims the large secret of a link, as `claimLink` does the others. Throws ClientError. */
export async function claimLargeLink(
  client: HttpClient,
  id: string,
  idempotencyKey: string,
  tokens: ClaimTokens = {},
): Promise<Claimed<LargeClaim>> {
  const isRepeated = replayEndOf(id) !== null;
  noteClaimSent(id);
  const claimed = await claimLargeSecret(client, id, idempotencyKey, tokens);
  const { secret } = claimed;
  const envelope = toLargeClaim(claimed, isRepeated);
  keepForReplay(id, envelope.windowMs);
  return { envelope, left: secret.max_claims - secret.claims };
}

/** A claim of a large submission, and the key that it was made with. */
interface LargeSubmissionClaim extends LargeClaim {
  readonly idempotencyKey: string;
}

/** Claims a large submission, as `claimSubmission` does the others. Throws ClientError. */
export async function claimLargeSubmission(
  client: HttpClient,
  { personId, requestId, secretId }: SubmissionPlace,
): Promise<LargeSubmissionClaim> {
  const former = (await findAgeIdentity(personId, requestId))?.claims[secretId];
  const idempotencyKey = await claimKeyOf(personId, requestId, secretId);
  const claimed = await claimLargeSecret(client, secretId, idempotencyKey);
  const claim = toLargeClaim(claimed, Boolean(former?.replayEndsAt));
  await noteReplayEnd(personId, requestId, { secretId, inMs: claim.windowMs });
  return { ...claim, idempotencyKey };
}

function toLargeClaim({ secret, bytes, replay_until: until }: ClaimedLargeSecret, isRepeated: boolean): LargeClaim {
  // By the server's clock where it says when the claim was made, because ours may be wrong. Later on, the end of the
  // window has moved on from there.
  const madeAt = secret.ended_at === null || isRepeated ? Date.now() : Date.parse(secret.ended_at);
  return { bytes, windowMs: Math.min(Math.max(0, Date.parse(until) - madeAt), LONGEST_MS) };
}
