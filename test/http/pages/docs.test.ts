import { beforeAll, expect, test } from "bun:test";
import { brotliDecompressSync } from "node:zlib";
import { pageAssets } from "../../../src/http/pages/page-assets.ts";
import { createTestPage } from "../../support/page-sources.ts";
import { startTestServer } from "../../support/server.ts";

// Loaded first, because its macro runs for seconds.
beforeAll(() => import("../../../src/http/pages/docs-sources.ts"));

const TYPES: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  svg: "image/svg+xml",
};

test("the documentation comes completely from this server, and runs nothing inline", async () => {
  await using server = await startTestServer();
  const page = await server.call("GET", "/docs");
  expect(page.status).toBe(200);
  expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
  const policy = page.headers.get("content-security-policy") ?? "";
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("script-src 'self';");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(page.headers.get("referrer-policy")).toBe("no-referrer");
  expect(page.headers.get("cache-control")).toBe("no-store");
  expect(page.text).not.toMatch(/https?:\/\//);
  expect(page.text).not.toMatch(/<script(?![^>]*\ssrc=)|\son\w+=/);

  const assets = [...page.text.matchAll(/(?:src|href)="(docs\/[^"]+)"/g)].map((match) => match[1]);
  expect(assets).toHaveLength(4);
  for (const asset of assets) {
    const answer = await server.call("GET", `/${asset}`);
    expect({ asset, status: answer.status }).toEqual({ asset, status: 200 });
    expect(answer.headers.get("cache-control")).toBe("public, max-age=3600");
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    expect(answer.headers.get("content-type")).toBe(TYPES[asset?.split(".").at(-1) ?? ""] ?? "");
  }
  const init = await server.call("GET", "/docs/init.js");
  expect(init.text).toContain('url: "openapi.json"');
  expect(init.text).toContain("validatorUrl: null");
  expect(init.text).not.toMatch(/https?:\/\//);
});

test("the documentation links to the manual, and is found with a slash too", async () => {
  await using server = await startTestServer({ http: { page: async () => createTestPage() } });
  const [, link = ""] = /<a href="([^"]+)">Manual</.exec((await server.call("GET", "/docs")).text) ?? [];
  expect((await server.call("GET", `/${link}`)).text).toContain("<title>The API ·");
  const { status, headers } = await server.call("GET", "/docs/");
  expect([status, new URL(headers.get("location") ?? "", `${server.url}/docs/`).pathname]).toEqual([308, "/docs"]);
});

test("until Swagger UI has loaded, the page lists every operation of the API", async () => {
  await using server = await startTestServer();
  const { text } = await server.call("GET", "/docs");
  const { paths } = (await server.call("GET", "/openapi.json")).json;
  const ofApi = Object.entries<object>(paths).filter(([path]) => path.startsWith("/api/"));
  const described = ofApi.flatMap(([path, item]) =>
    Object.entries<{ summary: string }>({ ...item }).map(
      ([method, { summary }]) => `${method.toUpperCase()} ${path}: ${summary}`,
    ),
  );
  const listed = [...text.matchAll(/<li><code>(.+)<\/code> (.+)<\/li>/g)].map(
    ([, call, summary]) => `${call}: ${summary}`,
  );
  expect(listed.toSorted()).toEqual(described.toSorted());
  expect(listed.length).toBeGreaterThan(10);
});

test("unknown paths beside the documentation are not found", async () => {
  await using server = await startTestServer();
  for (const path of ["/docs/nothing.js", "/docs/..%2fapp.ts", "/docs/__proto__", "/docs/toString"]) {
    expect((await server.call("GET", path)).json).toMatchObject({ status: 404, code: "not_found" });
  }
});

test("every error has a page that explains it", async () => {
  await using server = await startTestServer();
  const { json } = await server.call("GET", "/api/v1/secrets");
  const page = await server.call("GET", new URL(json.type).pathname);
  expect(page.status).toBe(200);
  expect(page.text).toContain(json.title);
  expect((await server.call("GET", "/problems/nonsense")).status).toBe(404);
});

const decode = {
  br: (bytes: ArrayBuffer) => brotliDecompressSync(bytes),
  gzip: (bytes: ArrayBuffer) => Bun.gunzipSync(bytes),
};

test("long texts are compressed for clients that accept it, and not sent again to those that have them", async () => {
  const page = createTestPage("app();".repeat(1000));
  await using server = await startTestServer({ http: { page: async () => page } });
  const get = (path: string, headers: Readonly<Record<string, string>>) =>
    fetch(server.url + path, { headers, decompress: false });
  const [app] = pageAssets(page).assets;
  for (const path of ["/openapi.json", "/docs/swagger-ui.js", "/docs/swagger-ui.css", `/${app?.path}`]) {
    const plain = await get(path, { "accept-encoding": "identity" });
    const text = await plain.text();
    const answers = [
      ["gzip", "gzip"],
      ["gzip;q=1.0, br;q=0.999", "gzip"],
      ["*", "gzip"],
      ["GZIP ; q=1", "gzip"],
      ["gzip, deflate, br, zstd", "br"],
      ["br;q=0.5, gzip;q=0.5, *;q=0", "br"],
      ["br;q=0, gzip;q=0.001", "gzip"],
      ["br", "br"],
      ["", null],
      ["zstd", null],
      ["gzip;q=0", null],
      ["gzip; q=0.000, *", null],
      ["*;q=0", null],
      ["br;q=0, *;q=0.0", null],
    ] as const;
    for (const [accepted, coding] of answers) {
      const answer = await get(path, { "accept-encoding": accepted });
      expect([path, accepted, answer.headers.get("content-encoding")]).toEqual([path, accepted, coding]);
      expect(answer.headers.get("vary")).toContain("Accept-Encoding");
      expect(answer.headers.get("content-type")).toBe(plain.headers.get("content-type"));
      const bytes = await answer.arrayBuffer();
      expect(new TextDecoder().decode(coding === null ? bytes : decode[coding](bytes)) === text).toBe(true);
    }
    const etags = new Set<string>();
    for (const coding of ["br", "gzip", "identity"]) {
      const etag = (await get(path, { "accept-encoding": coding })).headers.get("etag") ?? "";
      expect(etag).toMatch(/^"[\w-]+"$/);
      etags.add(etag);
      for (const known of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
        const again = await get(path, { "accept-encoding": coding, "if-none-match": known });
        expect([again.status, await again.text(), again.headers.get("etag")]).toEqual([304, "", etag]);
        expect(again.headers.get("vary")).toContain("Accept-Encoding");
      }
      const changed = await get(path, { "accept-encoding": coding, "if-none-match": '"other"' });
      expect(changed.status).toBe(200);
    }
    expect(etags.size).toBe(3);
  }
  const short = await get("/manifest.webmanifest", { "accept-encoding": "gzip, br" });
  expect([short.headers.get("content-encoding"), short.headers.get("vary")]).toEqual([null, null]);
  expect(await short.text()).toContain("start_url");
  expect((await get("/openapi.json", {})).headers.get("cache-control")).toBe("no-cache");
});
