import { answerSchema } from "../../contract/answer-schemas.ts" with { type: "macro" };
import type { Ask, CreatedAsk, PendingAsk } from "../../contract/secrets.ts";
import type { HttpClient } from "../http-client.ts";
import { listOf, membersOf, parseBySchema } from "../shapes.ts";
import { waitFor } from "../waits.ts";
import type { Wait } from "../waits.ts";

// Apart from the other shapes: the page loads this file only where somebody has to approve.
const CREATED_ASK = answerSchema("CreatedAsk");
const ASK = answerSchema("Ask");
const PENDING_ASK = answerSchema("PendingAsk");

/**
 * Asks for the approval of a claim. Of a secret that is for chosen people, it needs the token of a complete proof.
 * Throws ClientError; `proof_required`, and `not_found` where nobody has to approve.
 */
export async function askApproval(client: HttpClient, id: string, proofToken?: string): Promise<CreatedAsk> {
  return parseBySchema(CREATED_ASK, await client.call("askApproval", { id, proofToken }));
}

/**
 * Waits until an ask is decided, or the time is over, and returns it. See `waitFor`. Throws ClientError: `not_found`
 * once its own time is over, or the code of the secret's end.
 */
export function waitForDecision(client: HttpClient, id: string, approvalToken: string, wait: Wait): Promise<Ask> {
  const look = async (step: number, until: AbortSignal) => {
    const waiting = step > 0 ? { waitSeconds: step } : {};
    return parseBySchema(ASK, await client.call("getAsk", { id, approvalToken, ...waiting, until }));
  };
  return waitFor(look, ({ state }) => state !== "waiting", wait);
}

/**
 * Lists the asks that wait, and that the caller may decide, oldest first. With `waitSeconds`, waits for the first.
 * Throws ClientError.
 */
export async function listAsks(client: HttpClient, waitSeconds?: number): Promise<PendingAsk[]> {
  const wait = waitSeconds === undefined ? {} : { waitSeconds };
  return listOf(membersOf(await client.call("listAsks", wait))["data"], (each) => parseBySchema(PENDING_ASK, each));
}

/**
 * Approves or refuses a claim, and returns its ask. Throws ClientError: `not_approver` when somebody else has to
 * decide, and `not_found` when its time is over.
 */
export async function decideAsk(
  client: HttpClient,
  secretId: string,
  decision: { readonly id: string; readonly state: "approved" | "refused" },
): Promise<PendingAsk> {
  return parseBySchema(PENDING_ASK, await client.call("decideAsk", { id: secretId, body: decision }));
}
