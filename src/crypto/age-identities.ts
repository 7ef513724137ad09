import { generateHybridIdentity, generateX25519Identity, identityToRecipient } from "age-encryption";

/** A fresh age identity for one request: the recipient is public, the identity opens what is handed in. */
export interface AgeIdentity {
  readonly ageIdentity: string;
  readonly recipient: string;
}

/** `hybrid` is safe from a quantum computer; `x25519` is for submitters with an age older than 1.3. */
export async function createAgeIdentity(kind: "hybrid" | "x25519"): Promise<AgeIdentity> {
  const ageIdentity = kind === "hybrid" ? await generateHybridIdentity() : await generateX25519Identity();
  return { ageIdentity, recipient: await identityToRecipient(ageIdentity) };
}

/** The recipient of an age identity; undefined when that is none, such as a mistyped one. */
export async function findRecipient(ageIdentity: string): Promise<string | undefined> {
  try {
    return await identityToRecipient(ageIdentity);
  } catch {
    // The library throws for nothing else, and what it says may quote the identity.
    return undefined;
  }
}
