import { ClientError } from "../../client/errors.ts";
import { revokeSecret } from "../../client/secrets.ts";
import type { SentSecret } from "../../client/stored-secrets.ts";
import { topUrl } from "../browser/places.ts";
import type { Deliverer } from "../composing/deliveries.ts";
import { describeTooLarge, mostCiphertextOf } from "../composing/drafts.ts";
import type { ContentDraft } from "../composing/drafts.ts";
import { followJob, startLargeJob, toLargeFiles } from "../composing/large/large-job.ts";
import type { LargeJob } from "../composing/large/large-job.ts";
import type { NewSecret } from "../composing/large/messages.ts";
import { createSessionClient, requirePerson } from "../service/clients.ts";
import type { Person } from "../service/clients.ts";
import { LARGE_SENDING } from "../texts/large-sending.ts";
import { SENDING } from "../texts/sending.ts";

export { LargeScreen } from "../composing/large/large-screen.tsx";

const { canceled } = SENDING.send;
const { largeSending } = LARGE_SENDING;
/** The longest wait for the end of what was canceled. */
const PATIENCE_MS = 10_000;
/** The codes for an upload that is gone, or that another person began. */
const GONE: ReadonlySet<ClientError["code"]> = new Set(["upload_ended", "not_found"]);

/**
 * Sends content in pieces. Returns a complaint when the upload ended, or the content is too large. Throws ClientError.
 */
export async function sendLarge(
  person: Person,
  { text, files }: ContentDraft,
  { passphrase, terms }: Pick<NewSecret, "passphrase" | "terms">,
  deliverer: Deliverer,
  onJob: (job: LargeJob<SentSecret>) => void,
): Promise<SentSecret | string> {
  const order = {
    baseUrl: topUrl(),
    text,
    files: toLargeFiles(files),
    to: { kind: "secret", passphrase, terms },
  } as const;
  const job = startLargeJob(order, deliverer.signal);
  followJob(job, deliverer);
  onJob(job);
  try {
    return await job.sent;
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    if (error.kind === "credential" || GONE.has(error.code)) await requirePerson(person);
    if (GONE.has(error.code)) return largeSending.ended;
    if (error.code !== "payload_too_large") throw error;
    return describeTooLarge({ text, files }, mostCiphertextOf(person.credential.limits));
  }
}

/** Revokes what was canceled after all of it had arrived. Returns a sentence about what has become of it. */
export async function undoLarge(person: Person, { sent, isWhole }: LargeJob<SentSecret>): Promise<string> {
  try {
    const { secret } = await sent;
    await requirePerson(person);
    await revokeSecret(createSessionClient({ signal: AbortSignal.timeout(PATIENCE_MS) }), secret.id);
    return canceled.revoked;
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    return isWhole() ? canceled.unknown : largeSending.stopped;
  }
}
