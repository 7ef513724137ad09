import { ClientError } from "../../client/errors.ts";
import type { HttpClient } from "../../client/http-client.ts";
import { awaitApproval } from "../../client/signing-in/decisions.ts";
import type { Approver } from "../../contract/states.ts";
import type { KeptAsk } from "../state/kept-asks.ts";
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

/** True for the error of a secret that has ended. */
export function isGone(error: unknown): error is ClientError {
  return error instanceof ClientError && error.kind === "gone";
}

/** True for an error after which an ask is of no more use. */
export function hasAskEnded(error: unknown): boolean {
  if (isGone(error)) return true;
  return error instanceof ClientError && ["approval_refused", "approval_required"].includes(error.code);
}

/** Says who has to approve a claim, to complete a sentence. */
export function describeApprover(approver: Approver | null): string {
  return approver === "sender" ? "The sender" : "Somebody else of the sender's team";
}

/** Shows the words of an ask, which an approver sees too. */
export function tellAsk(
  terminal: Terminal,
  { id, words, expires_at: expiresAt }: KeptAsk,
  approver: Approver | null,
  { flags }: ApprovalWait,
): void {
  if (flags.json) return terminal.say(formatJson({ ask: { id, words, expires_at: expiresAt } }).trimEnd());
  terminal.say(`${describeApprover(approver)} has to let you in. Your words: ${words.join(", ")}`);
  // Without a comparison of the two: this machine's clock may be wrong.
  const end = formatTime(expiresAt);
  const waits =
    flags.timeout === undefined ? `It waits until ${end}.` : `It waits for ${flags.timeout}, and not beyond ${end}.`;
  remark(terminal, `They see the same words, and may ask you for them. This goes on when they have decided. ${waits}`);
}

/** True when an ask is approved, and false while nobody has decided. Throws ClientError for anything else. */
export function isLetIn(terminal: Terminal, client: HttpClient, id: string, ask: KeptAsk): Promise<boolean> {
  const wait = { seconds: 0, stepSeconds: STEP_SECONDS, signal: terminal.interruptible() };
  return awaitApproval(client, id, ask, wait);
}

/**
 * Waits until a claim is approved, through restarts of the server. Resolves false when the time to wait is over before
 * that. Throws ClientError for anything else.
 */
export function awaitLetIn(
  terminal: Terminal,
  client: HttpClient,
  id: string,
  ask: KeptAsk,
  { seconds, flags }: ApprovalWait,
): Promise<boolean> {
  return awaitApproval(client, id, ask, {
    seconds,
    stepSeconds: STEP_SECONDS,
    signal: terminal.interruptible(),
    isUnderWay: true,
    onLost: tellLost(terminal, flags, () => " until it's back"),
    onBack: () => flags.json || remark(terminal, "The server is back. Still waiting…"),
  });
}

/** The error for a time to wait that is over. `isKept` is true when the same command goes on with this ask. */
export function notDecided({ expires_at: expiresAt }: KeptAsk, isKept: boolean): ClientError {
  const meaning = "The time to wait is over, and nobody has decided. It wasn't opened.";
  const advice = isKept
    ? `Run the same command to go on with the same words, until ${formatTime(expiresAt)} at most.`
    : "Run the same command to ask anew.";
  return new ClientError("approval_required", "nothing_yet", { meaning, advice });
}

/** The error for an approval that was used or withdrawn, or that has ended, since it was given. */
export function approvalEnded(): ClientError {
  const meaning = "The approval has ended, and it wasn't opened.";
  return new ClientError("approval_required", "failure", { meaning, advice: "Run the same command to ask anew." });
}
