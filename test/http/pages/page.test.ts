import { expect, test } from "bun:test";
import type { Brand } from "../../../src/http/options.ts";
import { createTestPage } from "../../support/page-sources.ts";
import { startTestServer } from "../../support/server.ts";

const page = async () => createTestPage();
const ID = "sec_00000000000000000000000000";

const COLORS = {
  accent: "#4338a8",
  "accent-hover": "#372e8d",
  "accent-press": "#2b2472",
  "on-accent": "#ffffff",
  "accent-tint": "#ecebf8",
  "accent-line": "#c9c6ea",
  flap: "#4338a8",
  "flap-deep": "#2b2472",
  "on-flap": "#ffffff",
};
const ACME: Brand = {
  name: 'ACME "& <Sons>',
  logo: { type: "image/svg+xml", bytes: Buffer.from("<svg>light</svg>") },
  logoDark: { type: "image/png", bytes: Buffer.from("dark") },
  colors: { light: COLORS, dark: { ...COLORS, accent: "#b9b4ff" } },
  contact: "mailto:it@acme.example?subject=a&body=b",
  imprint: "https://acme.example/imprint",
  privacy: "https://acme.example/privacy",
};

/** The elements of a document that have `attribute`: their names and all attributes. */
function elementsWith(attribute: string, html: string) {
  const found: Readonly<Record<string, string>>[] = [];
  new HTMLRewriter()
    .on(`[${attribute}]`, {
      element: (element) => void found.push({ element: element.tagName, ...Object.fromEntries(element.attributes) }),
    })
    .transform(html);
  return found;
}

/** The metadata of a document by name, as a browser reads it. */
function metadataOf(html: string): Readonly<Record<string, string>> {
  const read = (text = "") =>
    text.replaceAll("&quot;", '"').replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
  return Object.fromEntries(
    elementsWith("content", html).map(({ name, property, content }) => [name ?? property ?? "", read(content)]),
  );
}

test("the page finds its files at each of its addresses, also behind a proxy that serves it below a path", async () => {
  await using server = await startTestServer({ http: { page, brand: ACME } });
  const places = ["s", "r", "c"].flatMap((kind) => [`/${kind}/${ID}`, `/${kind}/${ID}/`]);
  for (const place of ["/", "/ask", "/ask/", "/sign-in", "/sign-in/", "/login", "/login/", ...places]) {
    const { status, text } = await server.call("GET", place);
    expect([place, status]).toEqual([place, 200]);
    const { "handoff-logo": logo = "", "handoff-logo-dark": logoDark = "" } = metadataOf(text);
    const addresses = [...text.matchAll(/(?:src|href|srcset)="([^":]+)"/g)].map(([, address = ""]) => address);
    expect(addresses).toEqual(expect.arrayContaining([logo, logoDark]));
    const count = /^\/[sr]\//.test(place) ? 6 : /^\/(c\/|login)/.test(place) ? 7 : 8;
    expect(addresses).toHaveLength(count);
    // The proxy removes the path before the server sees it.
    const base = "http://proxy.example/below/it";
    for (const address of addresses) {
      const { href } = new URL(address, base + place);
      expect([place, href]).toEqual([place, expect.stringMatching(/below\/it\/(assets\/|brand\/|manifest)/)]);
      expect((await server.call("GET", href.slice(base.length))).status).toBe(200);
    }
  }
});

test("a preview says which kind of link it is, and nothing about its content", async () => {
  await using server = await startTestServer({ http: { page, baseUrl: () => "https://handoff.example/below" } });
  const seen = new Map<string, unknown>();
  for (const place of ["/", `/s/${ID}`, `/r/${ID}`, `/c/${ID}`]) {
    const { text } = await server.call("GET", place);
    const found = metadataOf(text);
    expect(found["og:image"]).toMatch(/^https:\/\/handoff\.example\/below\/assets\/\w+\/touch-icon\.png$/);
    expect(found["description"]).toBe(found["og:description"]);
    expect(found["robots"]).toBe("noindex");
    expect(text).not.toContain("00000000");
    seen.set(place.slice(0, 3), found["og:title"]);
  }
  expect(Object.fromEntries(seen)).toEqual({
    "/": "handoff",
    "/s/": "Someone sent you a secret",
    "/r/": "You've been asked for a secret",
    "/c/": "Backup link, only for its owner",
  });
});

test("browsers don't translate the page, and only the start page is offered as an app", async () => {
  await using server = await startTestServer({ http: { page } });
  const { text } = await server.call("GET", "/");
  expect(text).toContain('<html lang="en" dir="ltr" translate="no">');
  expect(metadataOf(text)["google"]).toBe("notranslate");
  expect(text).toContain('rel="manifest" href="manifest.webmanifest"');
  expect((await server.call("GET", `/s/${ID}`)).text).not.toContain("manifest");
  const { headers, json } = await server.call("GET", "/manifest.webmanifest");
  expect(headers.get("content-type")).toBe("application/manifest+json");
  expect(json).toMatchObject({ name: "handoff", start_url: "./", id: "./", theme_color: "#f0f3ee" });
  expect(json.icons.map(({ type }: { type: string }) => type)).toEqual(["image/svg+xml", "image/png"]);
  for (const { src } of json.icons) expect((await server.call("GET", `/${src}`)).status).toBe(200);
});

test("a brand replaces the product's name, mark and colors, and adds contacts", async () => {
  await using server = await startTestServer({ http: { page, brand: ACME } });
  const { text } = await server.call("GET", `/s/${ID}`);
  expect(metadataOf(text)).toMatchObject({
    "application-name": 'ACME "& <Sons>',
    "og:site_name": 'ACME "& <Sons>',
    "handoff-contact": "mailto:it@acme.example?subject=a&body=b",
    "handoff-imprint": "https://acme.example/imprint",
    "handoff-privacy": "https://acme.example/privacy",
  });
  expect(text).toContain("<title>ACME &quot;&amp; &lt;Sons&gt;</title>");
  // The product's icon doesn't represent the brand.
  expect(text).not.toMatch(/favicon|touch-icon|<Sons/);
  const sheets = elementsWith("href", text).filter(({ rel }) => rel === "stylesheet");
  expect(sheets.map(({ href = "" }) => href.replace(/[0-9a-f]{16}/, "…"))).toEqual([
    "../assets/…/app.css",
    "../brand/…/brand.css",
  ]);
  const sheet = await server.call("GET", (sheets[1]?.["href"] ?? "").slice(2));
  expect(sheet.headers.get("content-type")).toBe("text/css; charset=utf-8");
  expect(sheet.text).toMatch(/^:root \{\n {2}--accent: #4338a8;/);
  expect(sheet.text).toMatch(/@media \(prefers-color-scheme: dark\) \{\n:root \{\n {2}--accent: #b9b4ff;/);
  const logo = await server.call("GET", (metadataOf(text)["handoff-logo"] ?? "").slice(2));
  expect([logo.text, logo.headers.get("content-type")]).toEqual(["<svg>light</svg>", "image/svg+xml"]);
  // An SVG is not checked: the sandbox has no exceptions, and allows only its own styles.
  expect(logo.headers.get("content-security-policy")?.split("; ")).toEqual([
    "default-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "style-src 'unsafe-inline'",
    "sandbox",
  ]);
  expect(logo.headers.get("x-content-type-options")).toBe("nosniff");
  expect(logo.headers.get("cache-control")).toContain("immutable");
  expect((await server.call("GET", "/manifest.webmanifest")).json).toMatchObject({ name: 'ACME "& <Sons>' });
});

test("a brand with only a color has the product's mark in that color", async () => {
  await using server = await startTestServer({ http: { page, brand: { colors: ACME.colors } } });
  const { text } = await server.call("GET", "/");
  const icon = elementsWith("href", text).find(({ rel }) => rel === "icon");
  const { text: drawing } = await server.call("GET", `/${icon?.["href"]}`);
  expect(drawing).toContain(".tile{fill:#4338a8}");
  expect(drawing).toContain("@media (prefers-color-scheme:dark){.tile{fill:#b9b4ff}");
  expect(metadataOf(text)).toMatchObject({ "application-name": "handoff" });
});

test("at an unknown address a browser gets a page, and a program a problem", async () => {
  await using server = await startTestServer({ http: { page } });
  const get = (path: string, accept: string) => fetch(server.url + path, { headers: { accept } });
  const browser = "text/html,application/xhtml+xml,*/*;q=0.8";
  for (const path of [`/S/${ID}`, `/${ID}`, "/Ask", "/s/", "/a/b//c", "/assets/0/nothing.js"]) {
    const answer = await get(path, browser);
    expect([path, answer.status, answer.headers.get("content-type")]).toEqual([path, 404, "text/html; charset=utf-8"]);
    expect(answer.headers.get("content-security-policy")).not.toContain("script");
    expect(answer.headers.get("cache-control")).toBe("no-store");
    const text = await answer.text();
    expect(text).toContain("It may be mistyped or cut off. Copy the whole link again.");
    expect(text).not.toContain("<script");
    for (const { href = "" } of elementsWith("href", text)) {
      const found = new URL(href, server.url + path);
      expect([path, href, (await fetch(found)).status]).toEqual([path, href, 200]);
    }
    expect((await get(path, "*/*")).headers.get("content-type")).toBe("application/problem+json");
  }
  for (const path of ["/api/v1/nowhere", "/app/nowhere"]) {
    expect((await get(path, browser)).headers.get("content-type")).toBe("application/problem+json");
  }
  expect((await get("/x".repeat(3000), browser)).status).toBe(404);
});
