import { ClientError } from "../../client/errors.ts";
import type { CredentialLimits } from "../../contract/credentials.ts";
import type { SubmittedSecret } from "../../contract/requests.ts";
import type { Deliverer } from "../composing/deliveries.ts";
import { describeTooLarge, mostCiphertextOf } from "../composing/drafts.ts";
import type { ContentDraft } from "../composing/drafts.ts";
import { followJob, startLargeJob, toLargeFiles } from "../composing/large/large-job.ts";
import type { LargeJob } from "../composing/large/large-job.ts";
import type { ForRequest } from "../composing/large/messages.ts";
import { LARGE_SENDING } from "../texts/large-sending.ts";

export { LargeScreen } from "../composing/large/large-screen.tsx";

const { largeSending } = LARGE_SENDING;

/** What is on its way for a request. */
export type HandInJob = LargeJob<SubmittedSecret>;

/**
 * Hands content in, in pieces. Returns a complaint when the upload ended, or the content is too large. Throws
 * ClientError.
 */
export async function handInLarge(
  baseUrl: string,
  { text, files }: ContentDraft,
  { limits, ...to }: Omit<ForRequest, "kind"> & { readonly limits: CredentialLimits },
  deliverer: Deliverer,
  onJob: (job: HandInJob) => void,
): Promise<SubmittedSecret | string> {
  const order = {
    baseUrl,
    text,
    files: toLargeFiles(files),
    to: { kind: "request", ...to },
  } as const;
  const job = startLargeJob(order, deliverer.signal);
  followJob(job, deliverer);
  onJob(job);
  try {
    return await job.sent;
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    if (error.code === "upload_ended") return largeSending.endedHandIn;
    if (error.code !== "payload_too_large") throw error;
    return describeTooLarge({ text, files }, mostCiphertextOf(limits));
  }
}

/** Says what became of what was canceled: the server may have taken it, and nobody can take it back. */
export async function describeCanceled({ sent, isWhole }: HandInJob): Promise<string> {
  const isTaken = await sent.then(
    () => true,
    () => false,
  );
  return isTaken || isWhole() ? largeSending.maybeHandedIn : largeSending.stoppedHandIn;
}
