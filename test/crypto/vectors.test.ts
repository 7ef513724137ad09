import { expect, test } from "bun:test";
import type { Envelope } from "../../src/contract/envelopes.ts";
import { findRecipient } from "../../src/crypto/age-identities.ts";
import { decodeContent } from "../../src/crypto/contents.ts";
import { openWithAgeIdentity, openWithPassphrase } from "../../src/crypto/envelopes.ts";
import { decodeSeed, encodeSeed } from "../../src/crypto/links.ts";
import { deriveRequestKeys, pinOf } from "../../src/crypto/request-links.ts";
import {
  deriveSecretLinkKeys,
  formatSecretLink,
  parseSecretLink,
  secretPassphrase,
} from "../../src/crypto/secret-links.ts";
import vectors from "./vectors.json" with { type: "json" };

// Frozen: an independent program computed the links, and everything ever sent must stay readable.

test("the tokens and passphrases derived from a seed never change", async () => {
  for (const { seed: text, ...expected } of vectors.links) {
    const seed = decodeSeed(text);
    expect(encodeSeed(seed)).toBe(text);
    expect({ ...(await deriveSecretLinkKeys(seed)), ...(await deriveRequestKeys(seed)) }).toEqual(expected);
  }
});

test("the parsing of links to secrets never changes, with and without a hint", () => {
  for (const { link, seed, needsPassphrase, hint } of vectors.secretLinks) {
    const expected = { baseUrl: "https://handoff.example", needsPassphrase, seed: decodeSeed(seed), hint };
    expect(parseSecretLink(link)).toMatchObject(expected);
    expect(formatSecretLink(parseSecretLink(link))).toBe(link);
  }
});

test("the pin of a recipient never changes", async () => {
  for (const { recipient, pin } of vectors.pins) expect(await pinOf(recipient)).toBe(pin);
});

for (const vector of vectors.envelopes) {
  test(`an old envelope can be opened: ${vector.name}`, async () => {
    const envelope: Envelope = { version: 1, ciphertext: vector.ciphertext };
    const payload = await decodeContent(await openVector(vector, envelope));
    const { text, files } = vector;
    if (files === undefined) expect(payload).toEqual({ kind: "text", text: text ?? "" });
    else
      expect(payload).toMatchObject({
        ...(text === undefined ? { kind: "files" } : { kind: "both", text }),
        files: files.map((name) => ({ name })),
      });
  });
}

async function openVector(vector: (typeof vectors.envelopes)[number], envelope: Envelope): Promise<Uint8Array> {
  if (vector.identity !== undefined) {
    expect(await findRecipient(vector.identity)).toBe(vector.recipient);
    return openWithAgeIdentity(envelope, vector.identity);
  }
  const { agePassphrase } = await deriveSecretLinkKeys(decodeSeed(vector.seed ?? ""));
  return openWithPassphrase(envelope, secretPassphrase(agePassphrase, vector.passphrase));
}
