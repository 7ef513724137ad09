import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { exampleId } from "../../src/contract/ids.ts";
import { parseTokenKind } from "../../src/contract/tokens.ts";
import { parseBackupLink } from "../../src/crypto/backup-links.ts";
import { LinkError } from "../../src/crypto/link-faults.ts";
import { createSeed } from "../../src/crypto/links.ts";
import { deriveRequestKeys, formatRequestLink, parseRequestLink, pinOf } from "../../src/crypto/request-links.ts";
import { deriveSecretLinkKeys, formatSecretLink, parseSecretLink } from "../../src/crypto/secret-links.ts";

const seed = fc.uint8Array({ minLength: 16, maxLength: 16 }).map((bytes) => new Uint8Array(bytes));
const baseUrl = fc.constantFrom("https://handoff.example", "http://127.0.0.1:8080", "https://example.com/tools/s/x");
const [secretId, requestId] = [exampleId("secret"), exampleId("request")];

/** The message for `link`; undefined when it is valid. */
function complaint(parse: (text: string) => unknown, link: string): string | undefined {
  try {
    parse(link);
    return undefined;
  } catch (error) {
    if (error instanceof LinkError) return error.message;
    throw error;
  }
}

test("a link to a secret round-trips, with white space around it", () => {
  fc.assert(
    fc.property(baseUrl, seed, fc.boolean(), (url, bytes, needsPassphrase) => {
      const link = { baseUrl: url, id: secretId, seed: bytes, needsPassphrase };
      expect(parseSecretLink(` ${formatSecretLink(link)}\n`)).toEqual(link);
    }),
  );
});

test("a request link round-trips", () => {
  fc.assert(
    fc.property(baseUrl, seed, (url, bytes) => {
      const link = { baseUrl: url, id: requestId, seed: bytes, pin: "A".repeat(22) };
      expect(parseRequestLink(formatRequestLink(link))).toEqual(link);
    }),
  );
});

test("a link that is cut off anywhere is refused, and the message doesn't quote it", () => {
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
      expect(said).toMatch(/incomplete|The key is missing|not a /);
      expect(said).not.toContain("BwcHBw");
    }
  }
  expect(complaint(parseSecretLink, share.slice(0, -1))).toContain("This link is incomplete.");
  expect(complaint(parseSecretLink, share.slice(0, share.indexOf("#")))).toContain("The key is missing from this link");
});

test("other text, another kind of link and another version have different errors", () => {
  const id = secretId;
  const fragment = "1.AAAAAAAAAAAAAAAAAAAAAA";
  const cases: readonly (readonly [link: string, said: RegExp])[] = [
    ["", /not a link to a secret/],
    ["sec_123", /not a link to a secret/],
    [`ftp://handoff.example/s/${id}#${fragment}`, /not a link to a secret/],
    [`https://handoff.example/r/${requestId}#${fragment}.AAAAAAAAAAAAAAAAAAAAAA`, /is a request link/],
    [`https://handoff.example/s/${id}#${fragment}x`, /has extra characters/],
    [`https://handoff.example/s/${id}#2.AAAA`, /newer version/],
    [`https://handoff.example/s/${id}#1.AAAAAAAAAAAAAAA!AAAAAA`, /mistyped/],
    // 22 characters whose last one has bits that no seed sets.
    [`https://handoff.example/s/${id}#1.AAAAAAAAAAAAAAAAAAAAAB`, /mistyped/],
    [`https://handoff.example/s/${id.slice(0, -1)}#${fragment}`, /mistyped/],
  ];
  for (const [link, said] of cases)
    expect({ link, said: complaint(parseSecretLink, link) }).toEqual({ link, said: expect.stringMatching(said) });
  for (const pin of ["AAAAAAAAAAAAAAAAAAAA!A", "AAAAAAAAAAAAAAAAAAAAAB"]) {
    const link = `https://handoff.example/r/${requestId}#${fragment}.${pin}`;
    expect({ link, said: complaint(parseRequestLink, link) }).toEqual({
      link,
      said: expect.stringMatching(/mistyped/),
    });
  }
  expect(complaint(parseRequestLink, `https://handoff.example/s/${id}#${fragment}`)).toMatch(/is a link to a secret/);
});

/** The fault of `link`; undefined when it is valid. */
function faultOf(parse: (text: string) => unknown, link: string): string | undefined {
  try {
    parse(link);
    return undefined;
  } catch (error) {
    if (error instanceof LinkError) return error.fault;
    throw error;
  }
}

const BASE = "https://handoff.example";
const FRAGMENTS = [
  [parseSecretLink, `/s/${secretId}`, "#1p.AAAAAAAAAAAAAAAAAAAAAA"],
  [parseRequestLink, `/r/${requestId}`, "#1.AAAAAAAAAAAAAAAAAAAAAA.AAAAAAAAAAAAAAAAAAAAAA"],
  [parseBackupLink, `/c/${requestId}`, `#1.AGE-SECRET-KEY-1${"Q".repeat(58)}`],
] as const;

test("punctuation around a link in a message is no part of it", () => {
  for (const [parse, path, fragment] of FRAGMENTS) {
    const link = `${BASE}${path}${fragment}`;
    const whole = parse(link);
    for (const [before, after] of [
      ["", "."],
      [" <", ">"],
      ["(", ")."],
      ["[", ")"],
      ['"', '",'],
      ["“", "”"],
      ["„", "“!"],
      ["«\u00a0", "\u00a0»"],
      ["「", "」。"],
      ["`", "`"],
      ["**", "**"],
      ["_", "_"],
      ["\ufeff", "\u200b\r\n"],
      ["👉", "👈"],
      ["", " and thanks: https://elsewhere.example/"],
      ["", "\n\nIt opens once, until Saturday."],
    ]) {
      expect({ before, after, read: parse(`${before}${link}${after}`) }).toEqual({ before, after, read: whole });
    }
    expect(parse(link.replace("https", "Https").replace("#", "/#"))).toEqual(whole);
  }
});

test("every fault of a link has a code", () => {
  for (const [parse, path, fragment] of FRAGMENTS) {
    const place = `${BASE}${path}`;
    for (const [link, fault] of [
      [`${place}${fragment}`, undefined],
      [place, "no_key"],
      [`${place}#`, "no_key"],
      [`${place}.`, "no_key"],
      [`${place}${fragment.replace("#", "%23")}`, "encoded"],
      [`<${place}${fragment.replace("#", "%2523")}>.`, "encoded"],
      [`${place}#1`, "incomplete"],
      [`${place}${fragment.slice(0, -1)}`, "incomplete"],
      [`${place}${fragment.slice(0, -1)}…`, "incomplete"],
      [`${place}${fragment.slice(0, -2)} ${fragment.slice(-2)}`, "incomplete"],
      [place.slice(0, -1), "incomplete"],
      [`${place.slice(0, -1)}${fragment}`, "mistyped"],
      [`${place}${fragment}?utm_source=mail`, "extra"],
      [`${place}${fragment}.Junk`, "extra"],
      [`${place}${fragment}.AAAAAAAAAAAAAAAAAAAAAA`, "extra"],
      [`${place}${fragment.slice(0, -5)}!${fragment.slice(-5)}`, "mistyped"],
      [`${place}#x.${fragment.slice(3)}`, "mistyped"],
      [`${place}#2.${fragment.slice(3)}`, "newer_version"],
      [`${place}#1q.${fragment.slice(3)}`, "newer_version"],
      [`${place}${fragment.slice(0, 9)}\u200b${fragment.slice(9)}`, "hidden"],
      [`${BASE}/x/${secretId}${fragment}`, "other"],
      ["hello", "other"],
    ] as const) {
      expect({ link, fault: faultOf(parse, link) }).toEqual({ link, fault });
    }
  }
});

test("the tokens derived from a seed are well-formed and independent", async () => {
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

test("recipients have different pins", async () => {
  expect(await pinOf("age1a")).toMatch(/^[\w-]{22}$/);
  expect(await pinOf("age1a")).not.toBe(await pinOf("age1b"));
});

test("a link with a user name or invisible characters is refused", () => {
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
      expect(() => parseSecretLink(link.replace(at, `${at}${hidden}`))).toThrow("characters that can't be seen");
    }
  }
});
