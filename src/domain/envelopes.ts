import type { IncomingEnvelope } from "../contract/envelopes.ts";
import { MAX_NOTE_BYTES } from "../contract/limits.ts";
import { detectCiphertextFormat } from "./age-files.ts";
import { Refusal } from "./errors.ts";
import type { SecretRecord } from "./ports/secrets.ts";
import type { ServerPolicy } from "./server-policies.ts";

/** The use of an envelope: a secret, created or handed in, or the note of a request. */
export type EnvelopeUse = "secret" | "note";

/** The most bytes that the ciphertext of an envelope may have on this server. */
export function maxEnvelopeBytes(policy: ServerPolicy, use: EnvelopeUse): number {
  return use === "note" ? Math.min(MAX_NOTE_BYTES, policy.maxCiphertextBytes) : policy.maxCiphertextBytes;
}

/**
 * Checks an envelope beyond its schema, whatever it is stored as. Returns what is known of its ciphertext, sizes in
 * bytes. Throws a Refusal: `payload_too_large`, `ciphertext_unrecognized`.
 */
export function inspectEnvelope(
  policy: ServerPolicy,
  { ciphertext }: IncomingEnvelope,
  use: EnvelopeUse,
): Pick<SecretRecord, "ciphertextBytes" | "ciphertextFormat"> {
  // The schema admits ASCII alone, so that characters are bytes.
  const ciphertextBytes = ciphertext.length;
  if (ciphertextBytes > maxEnvelopeBytes(policy, use)) throw new Refusal("payload_too_large");
  const ciphertextFormat = detectCiphertextFormat(ciphertext);
  if (policy.requireEncrypted && ciphertextFormat !== "age") throw new Refusal("ciphertext_unrecognized");
  return { ciphertextBytes, ciphertextFormat };
}
