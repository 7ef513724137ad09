import type { Envelope } from "../contract/envelopes.ts";
import { ContentError, decodeContent } from "../crypto/contents.ts";
import type { DecodedContent } from "../crypto/contents.ts";
import { EntryNameError } from "../crypto/entry-names.ts";
import type { NameStyle } from "../crypto/entry-names.ts";
import { DecryptionError, EnvelopeRefusedError, openWithAgeIdentity, openWithPassphrase } from "../crypto/envelopes.ts";
import { secretPassphrase } from "../crypto/secret-links.ts";
import { ClientError } from "./errors.ts";

/** The key of an envelope: a link's age passphrase with the sender's passphrase, if any, or age identities. */
export type OpeningKey =
  | { readonly kind: "link"; readonly agePassphrase: string; readonly passphrase: string | undefined }
  | { readonly kind: "ageIdentities"; readonly ageIdentities: readonly string[] };

/**
 * Decrypts an envelope and decodes its content, with file names in this `style`. Throws ClientError of the kind
 * `decryption`. Its code distinguishes a wrong key, an envelope that is refused unopened, and an archive that is unsafe
 * or has too many files.
 */
export async function openEnvelope(envelope: Envelope, key: OpeningKey, style?: NameStyle): Promise<DecodedContent> {
  try {
    const bytes =
      key.kind === "link"
        ? await openWithPassphrase(envelope, secretPassphrase(key.agePassphrase, key.passphrase))
        : await openWithAgeIdentity(envelope, ...key.ageIdentities);
    return await decodeContent(bytes, style);
  } catch (error) {
    throw toOpeningError(error);
  }
}

/** The error as `openEnvelope` throws it; any other error as it is. */
export function toOpeningError(error: unknown): unknown {
  if (error instanceof DecryptionError) return new ClientError("decryption_failed", "decryption", error.message);
  if (error instanceof EnvelopeRefusedError) return new ClientError(error.code, "decryption", error.message);
  if (error instanceof ContentError || error instanceof EntryNameError) {
    return new ClientError("unsafe_archive", "decryption", error.message);
  }
  return error;
}
