import { expect, test } from "bun:test";
import { encodeToken } from "../../src/contract/tokens.ts";
import { findRecipient } from "../../src/crypto/age-identities.ts";
import { formatBackupLink, parseBackupLink } from "../../src/crypto/backup-links.ts";
import { decodeContent, encodeContent } from "../../src/crypto/contents.ts";
import type { Content } from "../../src/crypto/contents.ts";
import {
  EnvelopeRefusedError,
  LINK_WORK_FACTOR,
  openWithAgeIdentity,
  openWithPassphrase,
  sealToRecipient,
  sealWithPassphrase,
} from "../../src/crypto/envelopes.ts";
import { LinkError } from "../../src/crypto/link-faults.ts";
import { parseHint } from "../../src/crypto/link-hints.ts";
import { decodeSeed, encodeSeed } from "../../src/crypto/links.ts";
import { deriveRequestKeys, formatRequestLink, parseRequestLink, pinOf } from "../../src/crypto/request-links.ts";
import {
  deriveSecretLinkKeys,
  formatSecretLink,
  parseSecretLink,
  secretPassphrase,
} from "../../src/crypto/secret-links.ts";
import vectors from "../../src/crypto/vectors.json" with { type: "json" };
import { errorOf } from "../support/clients.ts";

test("tokens, and what is derived from a seed, are those of the vectors", async () => {
  for (const { bytes, claimToken } of vectors.tokens) {
    expect(encodeToken("claim", Uint8Array.fromHex(bytes))).toBe(claimToken);
  }
  for (const { seed: text, ...expected } of vectors.derivations) {
    const seed = decodeSeed(text);
    expect(encodeSeed(seed)).toBe(text);
    expect({ ...(await deriveSecretLinkKeys(seed)), ...(await deriveRequestKeys(seed)) }).toEqual(expected);
  }
});

test("links are taken apart and put together as in the vectors", async () => {
  const { secrets, requests, backups, faulty } = vectors.links;
  for (const { link, seed, hint, ...parts } of secrets) {
    const parsed = parseSecretLink(link);
    const expected = hint === null ? undefined : parseHint(hint);
    expect(parsed).toEqual({ ...parts, seed: decodeSeed(seed), ...(expected !== "extra" && { hint: expected }) });
    expect(formatSecretLink(parsed)).toBe(link);
  }
  for (const { link, seed, recipient, ...parts } of requests) {
    expect(parseRequestLink(link)).toEqual({ ...parts, seed: decodeSeed(seed) });
    expect(formatRequestLink({ ...parts, seed: decodeSeed(seed) })).toBe(link);
    expect(await pinOf(recipient)).toBe(parts.pin);
  }
  for (const { link, recipient, ...parts } of backups) {
    expect(parseBackupLink(link)).toEqual(parts);
    expect(formatBackupLink(parts)).toBe(link);
    expect(await findRecipient(parts.ageIdentity)).toBe(recipient);
  }
  for (const { link, fault } of faulty) {
    const error = await errorOf((async () => parseSecretLink(link))());
    expect(error).toBeInstanceOf(LinkError);
    expect({ link, error }).toMatchObject({ link, error: { fault } });
  }
});

type Vector = (typeof vectors.envelopes)[number];

/** The content of a vector. */
function contentOf({ content }: Vector): Content {
  const bytesOf = (text: string) => Uint8Array.fromBase64(text);
  const files = content.files?.map((file) => ({ ...file, bytes: bytesOf(file.bytes) }));
  return {
    kind: content.kind,
    ...(content.text !== undefined && { text: content.text }),
    ...(content.bytes !== undefined && { bytes: bytesOf(content.bytes) }),
    ...(files && { files }),
  } as Content;
}

test("every envelope of the vectors is opened, and the same content sealed again is opened with the same key", async () => {
  for (const vector of vectors.envelopes) {
    const { name, envelope, seed, passphrase, ageIdentity, recipient } = vector;
    const expected = contentOf(vector);
    const bytes = await encodeContent(expected);
    const open = async (sealed: typeof envelope) => {
      if (ageIdentity !== undefined) return openWithAgeIdentity({ ...sealed, version: 1 }, ageIdentity);
      const { agePassphrase } = await deriveSecretLinkKeys(decodeSeed(seed ?? ""));
      return openWithPassphrase({ ...sealed, version: 1 }, secretPassphrase(agePassphrase, passphrase ?? undefined));
    };
    const seal = async () => {
      if (recipient !== undefined) return sealToRecipient(bytes, recipient);
      const { agePassphrase } = await deriveSecretLinkKeys(decodeSeed(seed ?? ""));
      return sealWithPassphrase(bytes, secretPassphrase(agePassphrase, passphrase ?? undefined), LINK_WORK_FACTOR);
    };
    for (const sealed of [envelope, await seal()]) {
      expect({ name, content: await decodeContent(await open(sealed)) }).toEqual({ name, content: expected });
    }
  }
});

test("what the vectors say that every client refuses is refused, for the reason that they give", async () => {
  for (const { name, seed, envelope, code } of vectors.refused) {
    const { agePassphrase } = await deriveSecretLinkKeys(decodeSeed(seed));
    const error = await errorOf(openWithPassphrase(envelope as { version: 1; ciphertext: string }, agePassphrase));
    expect({ name, error }).toMatchObject({ name, error: { code } });
    expect(error instanceof EnvelopeRefusedError).toBe(code !== "decryption_failed");
  }
});
