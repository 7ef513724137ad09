import { ClientError } from "../../client/errors.ts";
import type { HttpClient } from "../../client/http-client.ts";
import { sendLargeSecret, toLargeContent } from "../../client/large/sends.ts";
import type { LargeContent } from "../../client/large/sends.ts";
import { sendSecret } from "../../client/sends.ts";
import type { WatchedSecret } from "../../client/sends.ts";
import type { SecretTerms } from "../../client/stored-secrets.ts";
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
export async function sendContent(
  terminal: Terminal,
  client: HttpClient,
  content: Content | LargeContent,
  options: SendingOptions,
): Promise<WatchedSecret> {
  const progress = createProgress(terminal);
  const { onProgress } = progress;
  const sendLarge = (large: LargeContent) =>
    sendLargeSecret(client, {
      ...options,
      onProgress,
      content: large,
      keep: (ciphertext, maxBytes) => {
        const onBytes = (bytes: number) => onProgress?.("in", bytes, undefined);
        return spool(stateFolder(terminal), ciphertext, { maxBytes, onBytes });
      },
    });
  try {
    if (content.kind === "large") return await sendLarge(content);
    try {
      return await sendSecret(client, { ...options, content, onProgress });
    } catch (error) {
      // Only encrypting it shows whether content near the limit fits.
      const isTooLarge = error instanceof ClientError && error.code === "payload_too_large";
      const large = isTooLarge ? await toLargeContent(content) : undefined;
      if (!large) throw error;
      return await sendLarge(large);
    }
  } finally {
    progress.end();
  }
}
