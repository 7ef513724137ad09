import { deriveAgePassphrase, deriveLinkToken, hashLinkToken } from "./derivations.ts";
import { faultyLink } from "./link-faults.ts";
import { formatHint, parseHint } from "./link-hints.ts";
import type { LinkHint } from "./link-hints.ts";
import { decodeSeed, encodeSeed, joinLink, splitLink, strangeFragment } from "./links.ts";

/** A link to a secret, contract section 10: `{base_url}/s/{id}#1.{S}`, `#1p.` with a passphrase, and maybe a hint. */
export interface SecretLink {
  readonly baseUrl: string;
  readonly id: string;
  readonly seed: Uint8Array<ArrayBuffer>;
  readonly needsPassphrase: boolean;
  /** The hint at the kind of content; undefined for none, or one that this version doesn't know. */
  readonly hint?: LinkHint | undefined;
}

/** The keys that are derived from the seed of a link to a secret. */
export interface SecretLinkKeys {
  readonly claimToken: string;
  /** The server gets this hash instead of the token. */
  readonly claimTokenHash: string;
  /** The age passphrase. `secretPassphrase` combines it with the sender's passphrase. */
  readonly agePassphrase: string;
}

/** Parses a link to a secret. Throws LinkError. */
export function parseSecretLink(text: string): SecretLink {
  const { baseUrl, id, fragment } = splitLink("secret", text);
  const [, kind, key = "", rest] = /^(1p?)\.([^.]*)(?:\.(.*))?$/.exec(fragment) ?? [];
  if (kind === undefined) throw strangeFragment(fragment, ["1", "1p"]);
  const seed = decodeSeed(key);
  const hint = rest === undefined ? undefined : parseHint(rest);
  if (hint === "extra") throw faultyLink("extra");
  return { baseUrl, id, seed, needsPassphrase: kind === "1p", hint };
}

/** Formats a link to a secret. */
export function formatSecretLink({ baseUrl, id, seed, needsPassphrase, hint }: SecretLink): string {
  const fragment = `${needsPassphrase ? "1p" : "1"}.${encodeSeed(seed)}${formatHint(hint)}`;
  return joinLink("secret", { baseUrl, id, fragment });
}

/** Derives the keys of a link to a secret. */
export async function deriveSecretLinkKeys(seed: Uint8Array<ArrayBuffer>): Promise<SecretLinkKeys> {
  const [claimToken, agePassphrase] = await Promise.all([
    deriveLinkToken(seed, "claim"),
    deriveAgePassphrase(seed, "age"),
  ]);
  return { claimToken, claimTokenHash: await hashLinkToken(claimToken), agePassphrase };
}

/** Combines the age passphrase of a link with the sender's passphrase, if there is one, for a single stanza. */
export function secretPassphrase(agePassphrase: string, passphrase: string | undefined): string {
  return passphrase === undefined ? agePassphrase : `${agePassphrase}:${passphrase.normalize("NFKC")}`;
}
