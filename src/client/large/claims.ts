import { answerSchema } from "../../contract/answer-schemas.ts" with { type: "macro" };
import type { ClaimedLargeSecret } from "../../contract/secrets.ts";
import { unexpected } from "../answers.ts";
import type { HttpClient } from "../http-client.ts";
import type { ClaimTokens } from "../secrets.ts";
import { parseBySchema } from "../shapes.ts";
import { readOutcome } from "../unknown-outcomes.ts";

const CLAIM = answerSchema("ClaimedLargeSecret");

/**
 * Claims a large secret, or repeats the claim with the same `idempotencyKey`, which then downloads it too. Throws
 * ClientError as `claimSecret` does.
 */
export async function claimLargeSecret(
  client: HttpClient,
  id: string,
  idempotencyKey: string,
  tokens: ClaimTokens = {},
): Promise<ClaimedLargeSecret> {
  const answer = await client.call("claimLargeSecret", { id, idempotencyKey, ...tokens });
  return readOutcome("claimLargeSecret", () => {
    const claimed = parseBySchema(CLAIM, answer);
    if (claimed.secret.id !== id || claimed.bytes === 0) throw unexpected();
    return claimed;
  });
}
