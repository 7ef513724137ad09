import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { exampleId } from "../../src/contract/ids.ts";
import { parseTokenKind } from "../../src/contract/tokens.ts";
import { createSeed, LinkError } from "../../src/crypto/links.ts";
import { deriveRequestKeys, formatRequestLink, parseRequestLink, pinOf } from "../../src/crypto/request-links.ts";
import { deriveSecretLinkKeys, formatSecretLink, parseSecretLink } from "../../src/crypto/secret-links.ts";

const seed = fc.uint8Array({ minLength: 16, maxLength: 16 }).map((bytes) => new Uint8Array(bytes));
const baseUrl = fc.constantFrom("https://handoff.example", "http://127.0.0.1:8080", "https://example.com/tools/s/x");
const [secretId, requestId] = [exampleId("secret"), exampleId("request")];

/** What is said of `link`; undefined when it is taken. */
function complaint(parse: (text: string) => unknown, link: string): string | undefined {
  try {
    parse(link);
    return undefined;
  } catch (error) {
    if (error instanceof LinkError) return error.message;
    throw error;
  }
}

test("a share link is read as it was written, with white space around it", () => {
  fc.assert(
    fc.property(baseUrl, seed, fc.boolean(), (url, bytes, needsPassphrase) => {
      const link = { baseUrl: url, id: secretId, seed: bytes, needsPassphrase };
      expect(parseSecretLink(` ${formatSecretLink(link)}\n`)).toEqual(link);
    }),
  );
});

test("a request link is read as it was written", () => {
  fc.assert(
    fc.property(baseUrl, seed, (url, bytes) => {
      const link = { baseUrl: url, id: requestId, seed: bytes, pin: "A".repeat(22) };
      expect(parseRequestLink(formatRequestLink(link))).toEqual(link);
    }),
  );
});

test("a link that is cut off anywhere is refused, and the message has nothing of it", () => {
  const bytes = new Uint8Array(16).fill(7);
  const share = formatSecretLink({
    baseUrl: "https://handoff.example",
    id: secretId,
    seed: bytes,
    needsPassphrase: true,
  });
  const request = formatRequestLink({
    baseUrl: "https://handoff.example",
    id: requestId,
    seed: bytes,
    pin: "B".repeat(22),
  });
  for (const [parse, link] of [
    [parseSecretLink, share],
    [parseRequestLink, request],
  ] as const) {
    for (let length = 0; length < link.length; length++) {
      const said = complaint(parse, link.slice(0, length));
      expect(said).toMatch(/cut off|not a /);
      expect(said).not.toContain("BwcHBw");
    }
  }
  expect(complaint(parseSecretLink, share.slice(0, -1))).toContain("cut off");
  expect(complaint(parseSecretLink, share.slice(0, share.indexOf("#")))).toContain("cut off");
});

test("what is no link, another link, or of another version is told apart", () => {
  const id = secretId;
  const fragment = "1.AAAAAAAAAAAAAAAAAAAAAA";
  const cases: readonly (readonly [link: string, said: RegExp])[] = [
    ["", /not a link to a secret/],
    ["sec_123", /not a link to a secret/],
    [`ftp://handoff.example/s/${id}#${fragment}`, /not a link to a secret/],
    [`https://handoff.example/r/${requestId}#${fragment}.AAAAAAAAAAAAAAAAAAAAAA`, /is a request link/],
    [`https://handoff.example/s/${id}#${fragment}x`, /at its end/],
    [`https://handoff.example/s/${id}#2.AAAA`, /newer version/],
    [`https://handoff.example/s/${id}#1.AAAAAAAAAAAAAAAAAAAAA!`, /mistyped/],
    // 22 characters whose last one has bits that no seed sets.
    [`https://handoff.example/s/${id}#1.AAAAAAAAAAAAAAAAAAAAAB`, /mistyped/],
    [`https://handoff.example/s/${id.slice(0, -1)}#${fragment}`, /cut off or mistyped/],
  ];
  for (const [link, said] of cases)
    expect({ link, said: complaint(parseSecretLink, link) }).toEqual({ link, said: expect.stringMatching(said) });
  for (const pin of ["AAAAAAAAAAAAAAAAAAAAA!", "AAAAAAAAAAAAAAAAAAAAAB"]) {
    const link = `https://handoff.example/r/${requestId}#${fragment}.${pin}`;
    expect({ link, said: complaint(parseRequestLink, link) }).toEqual({
      link,
      said: expect.stringMatching(/mistyped/),
    });
  }
  expect(complaint(parseRequestLink, `https://handoff.example/s/${id}#${fragment}`)).toMatch(/is a link to a secret/);
});

test("the tokens of a seed are well-formed, of their kind, and tell nothing of one another", async () => {
  await fc.assert(
    fc.asyncProperty(seed, async (bytes) => {
      const [share, request] = [await deriveSecretLinkKeys(bytes), await deriveRequestKeys(bytes)];
      expect([parseTokenKind(share.claimToken), parseTokenKind(request.submitToken)]).toEqual(["claim", "submit"]);
      expect(
        new Set([share.agePassphrase, request.notePassphrase, share.claimTokenHash, request.submitTokenHash]).size,
      ).toBe(4);
      for (const passphrase of [share.agePassphrase, request.notePassphrase]) expect(passphrase).toMatch(/^[\w-]{43}$/);
    }),
    { numRuns: 30 },
  );
});

test("a pin belongs to one recipient", async () => {
  expect(await pinOf("age1a")).toMatch(/^[\w-]{22}$/);
  expect(await pinOf("age1a")).not.toBe(await pinOf("age1b"));
});

test("a link with a user name, or with what cannot be seen in it, is refused where links are read", () => {
  const link = formatSecretLink({
    baseUrl: "https://handoff.example",
    id: exampleId("secret"),
    seed: createSeed(),
    needsPassphrase: false,
  });
  for (const bad of [link.replace("//", "//user:password@"), link.replace("//", "//user@")]) {
    expect(() => parseSecretLink(bad)).toThrow("a user name or password");
  }
  for (const at of ["/s/", "#1.", "handoff"]) {
    for (const hidden of ["\u200B", "\u202E", "\u0007"]) {
      expect(() => parseSecretLink(link.replace(at, `${at}${hidden}`))).toThrow("characters in it that don't belong");
    }
  }
});
