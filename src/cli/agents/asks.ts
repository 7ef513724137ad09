import { ClientError } from "../../client/errors.ts";
import { askToOpen, awaitApproval } from "../../client/signing-in/decisions.ts";
import type { CreatedAsk } from "../../contract/secrets.ts";
import type { AskedApproval } from "../../mcp/workspace.ts";
import { isUnapproved } from "../handovers/approvals.ts";
import type { Handover } from "../handovers/claims.ts";
import { openSecret } from "../handovers/handovers.ts";
import type { OpenedSecret } from "../handovers/handovers.ts";
import { nameOnServer } from "../state/server-names.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** The asks for approval of this process that may still be of use, by server and id of the secret. */
export type Asks = Map<string, CreatedAsk>;

/** The length of one waiting call. Between calls, the host gets a progress report. */
const STEP_SECONDS = 5;

/** The codes of errors after which an ask is of no more use. */
const ENDED: ReadonlySet<ClientError["code"]> = new Set([
  "approval_required",
  "approval_refused",
  "secret_claimed",
  "secret_expired",
  "secret_revoked",
]);

/** Asks for the approval of a claim, or goes on with the ask of an earlier call. Throws ClientError. */
export async function askOnce(terminal: Terminal, { client, id }: Handover, asks: Asks): Promise<AskedApproval> {
  const place = nameOnServer(client.baseUrl, id);
  const ask = asks.get(place) ?? (await askToOpen(client, id));
  asks.set(place, ask);
  const signal = terminal.interruptible();
  return {
    words: ask.words,
    async wait(seconds, onStep) {
      const wait = { seconds, onStep, stepSeconds: STEP_SECONDS, signal, isUnderWay: true };
      try {
        return await awaitApproval(client, id, ask, wait);
      } catch (error) {
        if (error instanceof ClientError && ENDED.has(error.code)) asks.delete(place);
        throw error;
      }
    },
  };
}

/** Opens a secret, with the approval that was asked for if there is one; `again` is the way to ask anew. */
export async function openApproved(
  terminal: Terminal,
  handover: Handover,
  asks: Asks,
  again: string,
): Promise<OpenedSecret> {
  const place = nameOnServer(handover.client.baseUrl, handover.id);
  try {
    const opened = await openSecret(terminal, handover, asks.get(place)?.approval_token);
    asks.delete(place);
    return opened;
  } catch (error) {
    if (!isUnapproved(error)) throw error;
    asks.delete(place);
    const meaning = "Somebody has to approve it, and it wasn't opened.";
    throw new ClientError(error.code, error.kind, { meaning, advice: `${again} to ask anew.` }, { cause: error });
  }
}
