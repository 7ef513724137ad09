import { deriveAgePassphrase, deriveLinkToken, hashLinkToken } from "./derivations.ts";
import { faultyLink } from "./link-faults.ts";
import { formatHint, parseHint } from "./link-hints.ts";
import type { LinkHint } from "./link-hints.ts";
import { decodeSeed, encodeSeed, joinLink, splitLink, strangeFragment } from "./links.ts";

/**
 * A link to a secret, contract section 10: `{base_url}/s/{id}#1.{S}`, with `#1p.` where a passphrase is needed too. A hint
 * may follow.
 */
export interface SecretLink {
  readonly baseUrl: string;
  readonly id: string;
  readonly seed: Uint8Array<ArrayBuffer>;
  readonly needsPassphrase: boolean;
  /** A hint at what waits, as far as the link says. Undefined when it does not, or this version cannot tell. */
  readonly hint?: LinkHint | undefined;
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
  const [, kind, key = "", rest] = /^(1p?)\.([^.]*)(?:\.(.*))?$/.exec(fragment) ?? [];
  if (kind === undefined) throw strangeFragment(fragment, ["1", "1p"]);
  const seed = decodeSeed(key);
  const hint = rest === undefined ? undefined : parseHint(rest);
  if (hint === "extra") throw faultyLink("extra");
  return { baseUrl, id, seed, needsPassphrase: kind === "1p", hint };
}

/** Writes a link to a secret. */
export function formatSecretLink({ baseUrl, id, seed, needsPassphrase, hint }: SecretLink): string {
  const fragment = `${needsPassphrase ? "1p" : "1"}.${encodeSeed(seed)}${formatHint(hint)}`;
  return joinLink("secret", { baseUrl, id, fragment });
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
