import type { CreatedAsk, PendingAsk } from "../../contract/secrets.ts";
import { unexpected } from "../answers.ts";
import { ClientError } from "../errors.ts";
import type { HttpClient } from "../http-client.ts";
import { waitFor } from "../waits.ts";
import type { Wait } from "../waits.ts";
import { askApproval, listAsks, waitForDecision } from "./approvals.ts";

const WORDS = 3;

/**
 * Asks for the approval of a claim, as `askApproval` does. Throws ClientError; `unexpected_answer` for anything but
 * three words, so that a server can't put a sentence before a person or an agent.
 */
export async function askToOpen(client: HttpClient, id: string, proofToken?: string): Promise<CreatedAsk> {
  const ask = await askApproval(client, id, proofToken).catch((error: unknown) => {
    throw error instanceof ClientError && error.code === "rate_limited" ? crowded(error) : error;
  });
  if (ask.words.length !== WORDS) throw unexpected();
  return ask;
}

/**
 * Waits for the decision about an ask for the secret `id`. Resolves true when it is approved, and false when the wait
 * is over before that. Throws ClientError: `approval_refused`, `approval_required` when the time of the ask is over,
 * and the code of the secret's end.
 */
export async function awaitApproval(
  client: HttpClient,
  id: string,
  { approval_token: token }: Pick<CreatedAsk, "approval_token">,
  wait: Wait,
): Promise<boolean> {
  try {
    const { state } = await waitForDecision(client, id, token, wait);
    if (state !== "refused") return state === "approved";
  } catch (error) {
    // The time of the ask is over.
    throw error instanceof ClientError && error.code === "not_found" ? undecided() : error;
  }
  const meaning = "Opening this secret was refused. It wasn't opened.";
  throw new ClientError("approval_refused", "failure", { meaning, advice: "Ask the sender about it." });
}

/** Waits until there are asks that the caller may decide, and lists them; see `waitFor`. Throws ClientError. */
export function waitForAsks(client: HttpClient, wait: Wait): Promise<PendingAsk[]> {
  return waitFor(
    (step) => listAsks(client, step > 0 ? step : undefined),
    (asks) => asks.length > 0,
    wait,
  );
}

/** The error for an ask that no longer counts. */
function undecided(): ClientError {
  const meaning =
    "Nobody has let you in, and your ask no longer counts: its time is over, or others have asked since. It wasn't opened.";
  return new ClientError("approval_required", "nothing_yet", { meaning, advice: "Try again to ask anew." });
}

/** The same error, with the other reason that it may have. */
function crowded({ code, kind, advice, requestId }: ClientError): ClientError {
  const meaning = "Five others wait to be let in already, or too many asks came from your network.";
  return new ClientError(code, kind, { meaning, advice }, { requestId });
}
