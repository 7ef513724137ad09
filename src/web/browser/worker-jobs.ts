import { ClientError } from "../../client/errors.ts";
import { openEnvelope } from "../../client/opened-secrets.ts";
import type { OpeningKey } from "../../client/opened-secrets.ts";
import type { Envelope } from "../../contract/envelopes.ts";
import { UserError } from "../../contract/user-errors.ts";
import type { DecodedContent } from "../../crypto/contents.ts";
import { isStretched } from "../../crypto/envelopes.ts";
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
  const run = async (job: CryptoJob) => all[job.kind]?.(job as never);
  addEventListener("message", ({ data }: MessageEvent<CryptoJob>) => {
    void run(data).then(
      (value) => postMessage({ ok: true, value }),
      (error: unknown) => postMessage({ ok: false, code: codeOf(data, error) }),
    );
  });
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
