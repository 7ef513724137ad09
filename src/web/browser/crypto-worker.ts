import { prepareRequest } from "../../client/asks.ts";
import { ClientError } from "../../client/errors.ts";
import { openEnvelope } from "../../client/opened-secrets.ts";
import type { OpeningKey } from "../../client/opened-secrets.ts";
import { sealSecret } from "../../client/sends.ts";
import { openNote } from "../../client/submissions.ts";
import type { Envelope } from "../../contract/envelopes.ts";
import { UserError } from "../../contract/user-errors.ts";
import { findRecipient } from "../../crypto/age-identities.ts";
import { encodeContent } from "../../crypto/contents.ts";
import type { DecodedContent } from "../../crypto/contents.ts";
import { isStretched, sealToRecipient } from "../../crypto/envelopes.ts";
import { hintOf } from "../../crypto/link-hints.ts";
import type { CryptoJob } from "./crypto-jobs.ts";
import { reportUnforeseen } from "./reports.ts";

// Runs in a worker, so that large files and slow passphrases do not block the page.
addEventListener("message", ({ data }: MessageEvent<CryptoJob>) => {
  void run(data).then(
    (value) => postMessage({ ok: true, value }),
    (error: unknown) => postMessage({ ok: false, code: codeOf(data, error) }),
  );
});

/** Returns the error code for the page. An unforeseen error is logged to the console, and gets `internal`. */
function codeOf({ kind }: CryptoJob, error: unknown): string {
  if (error instanceof UserError) return error.code;
  reportUnforeseen(`the job '${kind}'`, error);
  return "internal";
}

async function run(job: CryptoJob) {
  switch (job.kind) {
    case "ping":
      return null;
    case "open":
      return openLenient(job.envelope, job.key);
    case "note":
      return openNote(job.envelope, job.passphrase);
    case "send":
      return sealSecret(await encodeContent(job.content), job.passphrase, hintOf(job.content));
    case "notes":
      return Promise.all(job.items.map(readNote));
    case "ask":
      return prepareRequest(job.note, "hybrid");
    case "recipient":
      return findRecipient(job.ageIdentity);
    case "archive":
      return encodeContent(job.content);
    case "seal":
      return sealToRecipient(await encodeContent(job.content), job.recipient);
  }
}

/**
 * Opens an envelope as `openEnvelope` does, and tolerates a link that asks for a passphrase which the envelope does not
 * need. Throws ClientError, `passphrase_missing` when the envelope needs one that the link does not ask for.
 */
async function openLenient(envelope: Envelope, key: OpeningKey): Promise<DecodedContent> {
  try {
    return await openEnvelope(envelope, key);
  } catch (error) {
    if (key.kind !== "link" || !(error instanceof ClientError && error.code === "decryption_failed")) throw error;
    if (isStretched(envelope) === (key.passphrase !== undefined)) throw error;
    if (key.passphrase === undefined) throw new ClientError("passphrase_missing", "decryption", error.message);
    return openEnvelope(envelope, { ...key, passphrase: undefined });
  }
}

async function readNote({
  ageIdentity,
  note,
}: {
  readonly ageIdentity: string;
  readonly note: Envelope;
}): Promise<string> {
  const key = { kind: "ageIdentities", ageIdentities: [ageIdentity] } as const;
  const content = await openEnvelope(note, key).catch(() => undefined);
  return content?.kind === "text" ? content.text : "";
}
