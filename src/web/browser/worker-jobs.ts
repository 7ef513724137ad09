import { ClientError } from "../../client/errors.ts";
import { openEnvelope } from "../../client/opened-secrets.ts";
import type { OpeningKey } from "../../client/opened-secrets.ts";
import type { Envelope } from "../../contract/envelopes.ts";
import { UserError } from "../../contract/user-errors.ts";
import { loadArchives } from "../../crypto/contents.ts";
import type { DecodedContent } from "../../crypto/contents.ts";
import { isStretched } from "../../crypto/envelopes.ts";
import { ARCHIVES } from "./crypto-jobs.ts";
import type { CryptoJob, CryptoValues } from "./crypto-jobs.ts";
import { reportUnforeseen } from "./reports.ts";

/** What a worker does for each kind of job that it has. */
type Jobs = Partial<{
  readonly [Kind in Exclude<CryptoJob["kind"], "ping">]: (job: JobOf<Kind>) => Promise<CryptoValues[Kind]>;
}>;
type JobOf<Kind> = Extract<CryptoJob, { readonly kind: Kind }>;

/** Answers the jobs that the page sends to this worker, so that large files and slow passphrases do not block it. */
export function answerJobs(jobs: Jobs): void {
  const all: Readonly<Record<string, (job: never) => Promise<unknown>>> = { ping: async () => null, ...jobs };
  const run = async (job: CryptoJob) => {
    if (needsArchives(job)) await loadArchives().catch(refuseStale);
    return all[job.kind]?.(job as never);
  };
  // Together with the script, so that nobody waits for it later. The job itself tries again.
  if (self.name === ARCHIVES) void loadArchives().catch(() => undefined);
  addEventListener("message", ({ data }: MessageEvent<CryptoJob>) => {
    void run(data).then(
      (value) => postMessage({ ok: true, value }),
      (error: unknown) => postMessage({ ok: false, code: codeOf(data, error) }),
    );
  });
}

/** Before a link is opened that may have files, no part of the worker may be missing. */
function needsArchives(job: CryptoJob): boolean {
  if (job.kind === "ping") return self.name === ARCHIVES;
  return "content" in job && job.content.kind !== "text";
}

function refuseStale(): never {
  throw new ClientError("stale_page", "failure", "A part of the page can't be loaded.");
}

/** Returns the error code for the page. An unforeseen error is logged to the console, and gets `internal`. */
function codeOf({ kind }: CryptoJob, error: unknown): string {
  if (error instanceof UserError) return error.code;
  reportUnforeseen(`the job '${kind}'`, error);
  return "internal";
}

/**
 * Opens an envelope as `openEnvelope` does, and tolerates a link that asks for a passphrase which the envelope does not
 * need. Throws ClientError, `passphrase_missing` when the envelope needs one that the link does not ask for.
 */
export async function openLenient(envelope: Envelope, key: OpeningKey): Promise<DecodedContent> {
  try {
    return await openEnvelope(envelope, key);
  } catch (error) {
    if (key.kind !== "link" || !(error instanceof ClientError && error.code === "decryption_failed")) throw error;
    if (isStretched(envelope) === (key.passphrase !== undefined)) throw error;
    if (key.passphrase === undefined) throw new ClientError("passphrase_missing", "decryption", error.message);
    return openEnvelope(envelope, { ...key, passphrase: undefined });
  }
}
