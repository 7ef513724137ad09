import type { HttpClient } from "../../client/http-client.ts";
import { claimLargeSecret } from "../../client/large/claims.ts";
import type { ClaimTokens } from "../../client/secrets.ts";
import { keepForReplay, noteClaimSent, replayEndOf } from "../browser/fragments.ts";
import type { Claimed } from "../service/claims.ts";

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
  const { secret, bytes, replay_until: until } = claimed;
  // By the server's clock where it says when the claim was made, because ours may be wrong. Later on, the end of the
  // window has moved on from there.
  const madeAt = secret.ended_at === null || isRepeated ? Date.now() : Date.parse(secret.ended_at);
  const windowMs = Math.min(Math.max(0, Date.parse(until) - madeAt), LONGEST_MS);
  keepForReplay(id, windowMs);
  return { envelope: { bytes, windowMs }, left: secret.max_claims - secret.claims };
}
