import { ClientError } from "../../client/errors.ts";
import type { HttpClient } from "../../client/http-client.ts";
import { sendLargeSecret, toLargeContent } from "../../client/large/sends.ts";
import type { LargeContent, LargeSource } from "../../client/large/sends.ts";
import { submitLargeSecret } from "../../client/large/submissions.ts";
import type { Proving } from "../../client/large/uploads.ts";
import { sendSecret } from "../../client/sends.ts";
import type { WatchedSecret } from "../../client/sends.ts";
import type { SecretTerms } from "../../client/stored-secrets.ts";
import { submitSecret } from "../../client/submissions.ts";
import type { Progress } from "../../client/transfers.ts";
import type { SubmittedSecret } from "../../contract/requests.ts";
import type { Content } from "../../crypto/contents.ts";
import { stateFolder } from "../files/paths.ts";
import { spool } from "../files/spools.ts";
import { createProgress } from "../terminal/progress.ts";
import type { Terminal } from "../terminal/terminal.ts";

interface SendingOptions extends SecretTerms {
  readonly passphrase: string | undefined;
}

/**
 * Encrypts and stores content, in pieces when it is too large for one envelope, and shows the progress. Throws
 * ClientError and CommandError.
 */
export function sendContent(
  terminal: Terminal,
  client: HttpClient,
  content: Content | LargeContent,
  options: SendingOptions,
): Promise<WatchedSecret> {
  return transfer(terminal, content, {
    small: (whole, onProgress) => sendSecret(client, { ...options, content: whole, onProgress }),
    large: (source, onProgress) => sendLargeSecret(client, { ...options, ...source, onProgress }),
  });
}

/** What is handed in, and for whom it is encrypted. */
interface SubmissionOptions {
  readonly requestId: string;
  readonly recipient: string;
  /** The token of a proof, where only chosen people may hand in. */
  readonly proofToken: string | undefined;
  /** Runs the beginning of an upload, for which that proof may be over. */
  readonly proving: Proving;
}

/** Encrypts content and hands it in, in pieces as `sendContent` does. Throws ClientError and CommandError. */
export function submitContent(
  terminal: Terminal,
  client: HttpClient,
  content: Content | LargeContent,
  { proving, ...options }: SubmissionOptions,
): Promise<SubmittedSecret> {
  const { requestId, recipient } = options;
  return transfer(terminal, content, {
    small: (whole, onProgress) => submitSecret(client, { ...options, content: whole, onProgress }),
    large: (source, onProgress) => submitLargeSecret(client, { ...source, requestId, recipient, onProgress, proving }),
  });
}

/** Encrypts and stores content in one of two ways, and shows the progress. */
async function transfer<T>(
  terminal: Terminal,
  content: Content | LargeContent,
  ways: {
    readonly small: (content: Content, onProgress: Progress | undefined) => Promise<T>;
    readonly large: (source: LargeSource, onProgress: Progress | undefined) => Promise<T>;
  },
): Promise<T> {
  const progress = createProgress(terminal);
  const { onProgress } = progress;
  const keep: LargeSource["keep"] = (ciphertext, maxBytes) => {
    const onBytes = (bytes: number) => onProgress?.("in", bytes, undefined);
    return spool(stateFolder(terminal), ciphertext, { maxBytes, onBytes });
  };
  try {
    if (content.kind === "large") return await ways.large({ content, keep }, onProgress);
    try {
      return await ways.small(content, onProgress);
    } catch (error) {
      // Only encrypting it shows whether content near the limit fits.
      const isTooLarge = error instanceof ClientError && error.code === "payload_too_large";
      const large = isTooLarge ? await toLargeContent(content) : undefined;
      if (!large) throw error;
      return await ways.large({ content: large, keep }, onProgress);
    }
  } finally {
    progress.end();
  }
}
