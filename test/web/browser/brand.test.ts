import { expect, test } from "bun:test";
import { readBrand } from "../../../src/web/browser/brand.ts";

/** A document at `baseURI` with this metadata in its head. */
function documentWith(metadata: Readonly<Record<string, string>>, baseURI = "https://example.com/below/s/sec_1") {
  return {
    baseURI,
    querySelector(selector: string) {
      const [, name = ""] = /^meta\[name="([^"]+)"\]$/.exec(selector) ?? [];
      return Object.hasOwn(metadata, name) ? { getAttribute: () => metadata[name] ?? null } : null;
    },
  };
}

test("a document without a brand shows the product's own", () => {
  const none = { logo: undefined, contact: undefined, imprint: undefined, privacy: undefined };
  expect(readBrand(documentWith({}))).toEqual({ name: "handoff", ...none });
  expect(readBrand(documentWith({ "application-name": "", "handoff-contact": "" }))).toEqual({
    name: "handoff",
    ...none,
  });
});

test("the brand comes from the document, and its pictures are relative to the page", () => {
  const brand = readBrand(
    documentWith({
      "application-name": "ACME & Sons",
      "handoff-logo": "../brand/0a/logo.svg",
      "handoff-logo-dark": "../brand/0a/logo-dark.png",
      "handoff-contact": "mailto:it@acme.example",
      "handoff-imprint": "https://acme.example/imprint",
      "handoff-privacy": "https://acme.example/privacy",
    }),
  );
  expect(brand).toEqual({
    name: "ACME & Sons",
    logo: {
      light: "https://example.com/below/brand/0a/logo.svg",
      dark: "https://example.com/below/brand/0a/logo-dark.png",
    },
    contact: { href: "mailto:it@acme.example", text: "it@acme.example" },
    imprint: "https://acme.example/imprint",
    privacy: "https://acme.example/privacy",
  });
});

test("a contact is shown as people write it", () => {
  const texts = {
    "mailto:it@acme.example?subject=handoff": "it@acme.example",
    "mailto:j%C3%BCrgen@acme.example": "jürgen@acme.example",
    "tel:+49-30-1234": "+49-30-1234",
    "https://acme.example/help/": "acme.example/help",
    "https://acme.example/100%": "acme.example/100%",
  };
  for (const [href, text] of Object.entries(texts)) {
    expect(readBrand(documentWith({ "handoff-contact": href })).contact).toEqual({ href, text });
  }
});
