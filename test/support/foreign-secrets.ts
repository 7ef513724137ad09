import type { Envelope } from "../../src/contract/envelopes.ts";
import { encodeContent } from "../../src/crypto/contents.ts";
import type { Content } from "../../src/crypto/contents.ts";
import { LINK_WORK_FACTOR, sealToRecipient, sealWithPassphrase } from "../../src/crypto/envelopes.ts";
import { createSeed } from "../../src/crypto/links.ts";
import { deriveRequestKeys, parseRequestLink } from "../../src/crypto/request-links.ts";
import { deriveSecretLinkKeys, formatSecretLink, secretPassphrase } from "../../src/crypto/secret-links.ts";

/** A server, and a new key for it. */
interface Target {
  readonly server: { readonly url: string };
  mint(): Promise<string>;
}

/**
 * Stores an envelope as a client of somebody else's may make it from the link's age passphrase, and returns the link.
 */
export async function sendForeign(
  place: Target,
  seal: (agePassphrase: string) => Envelope | Promise<Envelope>,
  { needsPassphrase = false, maxClaims = 1 } = {},
): Promise<string> {
  const seed = createSeed();
  const { agePassphrase, claimTokenHash } = await deriveSecretLinkKeys(seed);
  const query = `claim_token_hash=${claimTokenHash}&max_claims=${maxClaims}`;
  const stored = await fetch(`${place.server.url}/api/v1/secrets?${query}`, {
    method: "POST",
    headers: { authorization: `Bearer ${await place.mint()}`, "content-type": "application/json" },
    body: JSON.stringify({ envelope: await seal(agePassphrase) }),
  });
  const { id } = (await stored.json()) as { readonly id: string };
  return formatSecretLink({ baseUrl: place.server.url, id, seed, needsPassphrase });
}

/** Above that of a link without a passphrase, by which the page tells them apart, and far below what commands take. */
const QUICK_WORK_FACTOR = LINK_WORK_FACTOR + 1;

/**
 * Sends content with a passphrase, and returns the link. It is sealed with a low work factor: with that of `handoff
 * send`, sealing it and each attempt to open it take about a second of the processor.
 */
export async function sendLocked(place: Target, content: Content, passphrase: string): Promise<string> {
  const bytes = await encodeContent(content);
  const seal = (derived: string) => sealWithPassphrase(bytes, secretPassphrase(derived, passphrase), QUICK_WORK_FACTOR);
  return sendForeign(place, seal, { needsPassphrase: true });
}

/** Hands in, through a request link, what no client of ours would make. */
export async function submitForeign(link: string, bytes: Uint8Array): Promise<void> {
  const { baseUrl, id, seed } = parseRequestLink(link);
  const { submitToken } = await deriveRequestKeys(seed);
  const headers = { authorization: `Bearer ${submitToken}`, "content-type": "application/json" };
  const invitation = await fetch(`${baseUrl}/api/v1/requests/${id}/invitation`, { headers });
  const { recipient } = (await invitation.json()) as { readonly recipient: string };
  const body = JSON.stringify({ envelope: await sealToRecipient(bytes, recipient) });
  const answer = await fetch(`${baseUrl}/api/v1/requests/${id}/submissions`, { method: "POST", headers, body });
  if (answer.status !== 201) throw new Error(await answer.text());
}
