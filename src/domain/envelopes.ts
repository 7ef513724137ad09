import type { IncomingEnvelope } from "../contract/envelopes.ts";
import { MAX_NOTE_BYTES } from "../contract/limits.ts";
import { detectCiphertextFormat } from "./age-files.ts";
import type { SecretRecord } from "./ports/secrets.ts";
import type { ServerPolicy } from "./server-policies.ts";
import { Refusal } from "./values/errors.ts";

/** The use of an envelope: a secret or submission, or the note of a request. */
export type EnvelopeUse = "secret" | "note";

/** The server's size limit for the ciphertext of an envelope, in bytes. */
export function maxEnvelopeBytes(policy: ServerPolicy, use: EnvelopeUse): number {
  return use === "note" ? Math.min(MAX_NOTE_BYTES, policy.maxCiphertextBytes) : policy.maxCiphertextBytes;
}

/**
 * Checks what the schema of an envelope can't. Returns the facts about its ciphertext, sizes in bytes. Throws a
 * Refusal: `payload_too_large`, `ciphertext_unrecognized`.
 */
export function inspectEnvelope(
  policy: ServerPolicy,
  { ciphertext }: IncomingEnvelope,
  use: EnvelopeUse,
): Pick<SecretRecord, "ciphertextBytes" | "ciphertextFormat"> {
  // The schema allows ASCII only, so characters are bytes.
  const ciphertextBytes = ciphertext.length;
  if (ciphertextBytes > maxEnvelopeBytes(policy, use)) throw new Refusal("payload_too_large");
  const ciphertextFormat = detectCiphertextFormat(ciphertext);
  if (policy.requireEncrypted && ciphertextFormat !== "age") throw new Refusal("ciphertext_unrecognized");
  return { ciphertextBytes, ciphertextFormat };
}
