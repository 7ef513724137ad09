import { ClientError } from "../../client/errors.ts";
import type { HttpClient } from "../../client/http-client.ts";
import { awaitApproval } from "../../client/signing-in/decisions.ts";
import type { CreatedAsk } from "../../contract/secrets.ts";
import type { Approver } from "../../contract/states.ts";
import { parseTimeout } from "../terminal/counts.ts";
import { formatJson, remark } from "../terminal/terminal.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { formatTime } from "../terminal/times.ts";
import { tellLost } from "./connections.ts";
import type { ConnectionFlags } from "./connections.ts";

/** The time that one call waits: less than the minute after which proxies close a silent connection. */
const STEP_SECONDS = 50;

/** The help of the flag `--timeout` of commands that open. */
export const APPROVAL_TIMEOUT =
  "Where somebody has to approve it, the longest time to wait, such as 10m; an hour by default. Exit code 7 when it is over.";

/** The wait of a command for the approval of a claim. */
export interface ApprovalWait {
  /** The longest time to wait; Infinity for as long as the ask lasts. */
  readonly seconds: number;
  readonly flags: ConnectionFlags & { readonly timeout?: string };
}

/** The wait for an approval that `flags` mean. Throws CommandError. */
export function approvalWaitOf(flags: ConnectionFlags & { readonly timeout?: string }): ApprovalWait {
  return { seconds: parseTimeout({ ...flags, wait: true }), flags };
}

/** True for the error of a claim that somebody has to approve first. */
export function isUnapproved(error: unknown): error is ClientError {
  return error instanceof ClientError && error.code === "approval_required";
}

/** Says who has to approve a claim, to complete a sentence. */
export function describeApprover(approver: Approver | null): string {
  return approver === "sender" ? "The sender" : "Somebody else of the sender's team";
}

/** Shows the words of an ask, which an approver sees too. */
export function tellAsk(
  terminal: Terminal,
  { id, words, expires_at: expiresAt }: CreatedAsk,
  approver: Approver | null,
  { flags }: ApprovalWait,
): void {
  if (flags.json) return terminal.say(formatJson({ ask: { id, words, expires_at: expiresAt } }).trimEnd());
  terminal.say(`${describeApprover(approver)} has to let you in. Your words: ${words.join(", ")}`);
  // Without a comparison of the two: this machine's clock may be wrong.
  const end = formatTime(expiresAt);
  const waits =
    flags.timeout === undefined
      ? `It waits until ${end}.`
      : `It waits for ${flags.timeout}, until ${end} at the latest.`;
  remark(terminal, `They see the same words, and may ask you for them. This goes on when they have decided. ${waits}`);
}

/** Waits until a claim is approved, through restarts of the server. Throws ClientError for anything else. */
export async function awaitLetIn(
  terminal: Terminal,
  client: HttpClient,
  id: string,
  ask: CreatedAsk,
  { seconds, flags }: ApprovalWait,
): Promise<void> {
  const isApproved = await awaitApproval(client, id, ask, {
    seconds,
    stepSeconds: STEP_SECONDS,
    signal: terminal.interruptible(),
    isUnderWay: true,
    onLost: tellLost(terminal, flags, () => " until it's back"),
    onBack: () => flags.json || remark(terminal, "The server is back. Still waiting…"),
  });
  if (isApproved) return;
  const meaning = "The time to wait is over, and nobody has decided. It wasn't opened.";
  throw new ClientError("approval_required", "nothing_yet", { meaning, advice: "Run the same command to ask anew." });
}

/** The error for an approval that was used or withdrawn, or that has ended, since it was given. */
export function approvalEnded(): ClientError {
  const meaning = "The approval has ended, and it wasn't opened.";
  return new ClientError("approval_required", "failure", { meaning, advice: "Run the same command to ask anew." });
}
