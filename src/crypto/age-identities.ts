import { generateHybridIdentity, generateX25519Identity, identityToRecipient } from "age-encryption";

/** A fresh age identity for one request: the recipient is public, the identity opens what is handed in. */
export interface AgeIdentity {
  readonly ageIdentity: string;
  readonly recipient: string;
}

/** `hybrid` is safe from a quantum computer; `x25519` is for submitters with an age older than 1.3. */
export async function createAgeIdentity(kind: "hybrid" | "x25519"): Promise<AgeIdentity> {
  const identity = kind === "hybrid" ? await generateHybridIdentity() : await generateX25519Identity();
  return { ageIdentity: identity, recipient: await identityToRecipient(identity) };
}

/** The recipient of an identity. Throws an Error when it is none. */
export function recipientOf(identity: string): Promise<string> {
  return identityToRecipient(identity);
}
