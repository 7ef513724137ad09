import type { Envelope } from "../contract/envelopes.ts";
import type { SubmittedSecret } from "../contract/requests.ts";
import { encodeContent } from "../crypto/contents.ts";
import type { Content } from "../crypto/contents.ts";
import { DecryptionError, EnvelopeRefusedError, openWithPassphrase, sealToRecipient } from "../crypto/envelopes.ts";
import { getCredential } from "./credentials.ts";
import { ClientError } from "./errors.ts";
import type { HttpClient } from "./http-client.ts";
import { checkNotBlank, contentBytesOf, tooLarge } from "./limits.ts";
import { submitEnvelope } from "./requests.ts";
import type { Progress } from "./transfers.ts";

/**
 * Encrypts content to the recipient of an invitation and hands it in. Throws ClientError; `proof_required` where only
 * chosen people may, without the token of a complete proof.
 */
export async function submitSecret(
  client: HttpClient,
  options: {
    readonly requestId: string;
    readonly recipient: string;
    readonly content: Content;
    readonly onProgress?: Progress | undefined;
    readonly proofToken?: string | undefined;
  },
): Promise<SubmittedSecret> {
  checkNotBlank(options.content);
  const bytes = await encodeContent(options.content);
  const { max_ciphertext_bytes: maxBytes } = (await getCredential(client)).limits;
  if (bytes.length > contentBytesOf(maxBytes).most) throw tooLarge(contentBytesOf(maxBytes).most);
  const envelope = await sealToRecipient(bytes, options.recipient);
  if (envelope.ciphertext.length > maxBytes) throw tooLarge(contentBytesOf(maxBytes).most);
  const { requestId, onProgress, proofToken } = options;
  return submitEnvelope(client, requestId, envelope, { onProgress, proofToken });
}

/** Decrypts the note of an invitation, for `decodeNote`, with the passphrase of the link. Throws ClientError. */
export async function openNote(note: Envelope, passphrase: string): Promise<string> {
  try {
    return new TextDecoder().decode(await openWithPassphrase(note, passphrase));
  } catch (error) {
    if (!(error instanceof DecryptionError || error instanceof EnvelopeRefusedError)) throw error;
    throw new ClientError(
      "decryption_failed",
      "decryption",
      "Can't read the note of this request: the link is damaged, or the server changed the note. Nothing was sent.",
    );
  }
}
