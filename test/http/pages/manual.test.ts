import { expect, test } from "bun:test";
import type { Brand } from "../../../src/http/options.ts";
import { TOPICS } from "../../../src/manual/topics.ts";
import { createTestPage } from "../../support/page-sources.ts";
import { startTestServer } from "../../support/server.ts";

const startWithPage = (brand?: Brand) => startTestServer({ http: { page: async () => createTestPage(), brand } });

/** The addresses that the document at `url` links to, with its files. */
const addressesIn = (html: string, url: string) =>
  [...html.matchAll(/(?:href|src|data-passages)="([^"]*)"/g)].map(([, address = ""]) => new URL(address, url));

test("the manual lists every topic with its summary", async () => {
  await using server = await startWithPage();
  const { status, text, headers } = await server.call("GET", "/manual");
  expect(status).toBe(200);
  expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
  for (const { name, title, summary } of TOPICS) {
    expect(text).toContain(`href="manual/${name}"><b>${title}</b><span>${summary}</span>`);
  }
  expect(text).toContain("describes version 0.0.0-test");
});

test("every link and file of the manual is there, from every address of a document, with its heading", async () => {
  await using server = await startWithPage();
  const documents = new Map<string, string>();
  const read = async (path: string) => {
    const text = documents.get(path) ?? (await server.call("GET", path)).text;
    documents.set(path, text);
    return text;
  };
  const paths = ["/manual", "/manual/", "/manual/send/", ...TOPICS.map(({ name }) => `/manual/${name}`)];
  const broken: string[] = [];
  let links = 0;
  for (const path of paths) {
    for (const { origin, pathname, hash } of addressesIn(await read(path), `${server.url}${path}`)) {
      if (origin !== new URL(server.url).origin) continue;
      // The files of the manual are those of the real page.
      if (/^\/assets\/\w+\/manual\.(js|css)$/.test(pathname)) continue;
      links += 1;
      const text = await read(pathname);
      if (text.includes('"code":"not_found"')) broken.push(`${path}: ${pathname}`);
      if (hash && !text.includes(` id="${hash.slice(1)}"`)) broken.push(`${path}: ${pathname}${hash}`);
    }
  }
  expect(broken).toEqual([]);
  expect(links).toBeGreaterThan(TOPICS.length ** 2);
});

test("the manual has the page's policy, is revalidated, and is no part of the API's document", async () => {
  await using server = await startWithPage();
  for (const path of ["/manual", "/manual/backups", "/manual/passages.json"]) {
    const { headers } = await server.call("GET", path);
    const policy = headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).not.toContain("unsafe");
    expect(headers.get("cache-control")).toBe("no-cache");
    const again = await server.call("GET", path, { headers: { "if-none-match": headers.get("etag") ?? "" } });
    expect([path, again.status, again.text]).toEqual([path, 304, ""]);
  }
  const document = (await server.call("GET", "/openapi.json")).json;
  expect(Object.keys(document.paths).filter((path) => path.includes("manual"))).toEqual([]);
});

test("the path of a topic's file leads to the topic", async () => {
  await using server = await startWithPage();
  for (const path of ["/manual/recipes/ci", "/manual/recipes/ci/", "/manual/recipes/ci.md"]) {
    const { status, headers } = await server.call("GET", path);
    const location = new URL(headers.get("location") ?? "", `${server.url}${path}`);
    expect([path, status, location.pathname]).toEqual([path, 308, "/manual/ci"]);
  }
});

test("unknown topics are not found, of which browsers get a page", async () => {
  await using server = await startWithPage();
  const browser = await server.call("GET", "/manual/nothing", { headers: { accept: "text/html,*/*;q=0.8" } });
  expect([browser.status, browser.headers.get("content-type")]).toEqual([404, "text/html; charset=utf-8"]);
  for (const path of [
    "/manual/recipes/nothing",
    "/manual/recipes/toString",
    "/manual/nothing",
    "/manual/toString",
    "/manual/send/more",
    "/manual/..%2fsend",
  ]) {
    expect((await server.call("GET", path)).json).toMatchObject({ status: 404, code: "not_found" });
  }
});

test("the manual has the name of a brand, and its addresses", async () => {
  await using server = await startWithPage({ name: "ACME & Sons", contact: "mailto:help@acme.example" });
  for (const path of ["/manual", "/manual/send"]) {
    const { text } = await server.call("GET", path);
    expect(text).toContain("<span>ACME &amp; Sons</span>");
    expect(text).toContain("· ACME &amp; Sons</title>");
    expect(text).toContain('href="mailto:help@acme.example"');
  }
});
