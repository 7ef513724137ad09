import type { HttpClient } from "../client/http-client.ts";
import { claimSecret } from "../client/secrets.ts";
import type { Progress } from "../client/transfers.ts";
import type { Envelope } from "../contract/envelopes.ts";
import { keepForReplay } from "./fragments.ts";

/** Claims a secret, or repeats the claim, and notes how long this tab can repeat it. Throws ClientError. */
export async function claimHere(
  client: HttpClient,
  id: string,
  idempotencyKey: string,
  onProgress?: Progress,
): Promise<Envelope> {
  const { envelope, secret, replayUntil } = await claimSecret(client, id, idempotencyKey, onProgress);
  // Both by the server's clock; this machine's may be wrong.
  const { ended_at: endedAt } = secret;
  const isKnown = replayUntil !== null && endedAt !== null;
  keepForReplay(id, isKnown ? Date.parse(replayUntil) - Date.parse(endedAt) : undefined);
  return envelope;
}
