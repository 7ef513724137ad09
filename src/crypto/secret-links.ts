import { deriveAgePassphrase, deriveLinkToken, hashLinkToken } from "./derivations.ts";
import { decodeSeed, encodeSeed, joinLink, LinkError, splitLink } from "./links.ts";

/** A link to a secret, contract section 10: `{base_url}/s/{id}#1.{S}`, with `#1p.` where a passphrase is needed too. */
export interface SecretLink {
  readonly baseUrl: string;
  readonly id: string;
  readonly seed: Uint8Array<ArrayBuffer>;
  readonly needsPassphrase: boolean;
}

/** The keys that the seed of a link to a secret stands for. */
export interface SecretLinkKeys {
  readonly claimToken: string;
  /** The hash that a server gets instead of the token. */
  readonly claimTokenHash: string;
  /** The age passphrase; with a passphrase of the sender's, `secretPassphrase` makes one of both. */
  readonly agePassphrase: string;
}

/** Reads a link to a secret. Throws LinkError. */
export function parseSecretLink(text: string): SecretLink {
  const { baseUrl, id, fragment } = splitLink("secret", text);
  const match = /^(1p?)\.(.*)$/.exec(fragment);
  if (!match) {
    if (/^\d/.test(fragment) && !/^1p?$/.test(fragment))
      throw new LinkError("The link is of a newer version of handoff.");
    throw new LinkError("The link is cut off or mistyped: the part after the '#' is not as it was made.");
  }
  return { baseUrl, id, seed: decodeSeed(match[2] ?? ""), needsPassphrase: match[1] === "1p" };
}

/** Writes a link to a secret. */
export function formatSecretLink({ baseUrl, id, seed, needsPassphrase }: SecretLink): string {
  return joinLink("secret", { baseUrl, id, fragment: `${needsPassphrase ? "1p" : "1"}.${encodeSeed(seed)}` });
}

/** Derives what the seed of a link to a secret stands for. */
export async function deriveSecretLinkKeys(seed: Uint8Array<ArrayBuffer>): Promise<SecretLinkKeys> {
  const [claimToken, agePassphrase] = await Promise.all([
    deriveLinkToken(seed, "claim"),
    deriveAgePassphrase(seed, "age"),
  ]);
  return { claimToken, claimTokenHash: await hashLinkToken(claimToken), agePassphrase };
}

/** The age passphrase of a secret that needs both its link and a passphrase: one stanza, both needed. */
export function secretPassphrase(agePassphrase: string, passphrase: string | undefined): string {
  return passphrase === undefined ? agePassphrase : `${agePassphrase}:${passphrase.normalize("NFKC")}`;
}
