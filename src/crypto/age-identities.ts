import { generateHybridIdentity, generateX25519Identity, identityToRecipient } from "age-encryption";

/** A new age identity for one request. The recipient is public; the identity opens submissions. */
export interface AgeIdentity {
  readonly ageIdentity: string;
  readonly recipient: string;
}

/** Creates an age identity: `hybrid` against quantum computers, `x25519` for submitters with age before 1.3. */
export async function createAgeIdentity(kind: "hybrid" | "x25519"): Promise<AgeIdentity> {
  const ageIdentity = kind === "hybrid" ? await generateHybridIdentity() : await generateX25519Identity();
  return { ageIdentity, recipient: await identityToRecipient(ageIdentity) };
}

/** The recipient of an age identity; undefined when that isn't valid, such as a mistyped one. */
export async function findRecipient(ageIdentity: string): Promise<string | undefined> {
  try {
    return await identityToRecipient(ageIdentity);
  } catch {
    // The library throws for no other reason, and its message may quote the identity.
    return undefined;
  }
}
