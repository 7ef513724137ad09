import { expect, spyOn, test } from "bun:test";
import { pageFiles } from "../../../src/http/pages/page.ts";
import { startTestServer } from "../../support/server.ts";

test("the reader of the documentation comes whole from this server, and runs nothing inline", async () => {
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
  expect(assets).toHaveLength(3);
  for (const asset of assets) {
    const answer = await server.call("GET", `/${asset}`);
    expect({ asset, status: answer.status }).toEqual({ asset, status: 200 });
    expect(answer.headers.get("cache-control")).toBe("public, max-age=3600");
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    expect(answer.headers.get("content-type")).toBe(
      asset?.endsWith(".css") ? "text/css; charset=utf-8" : "text/javascript; charset=utf-8",
    );
  }
  const init = await server.call("GET", "/docs/init.js");
  expect(init.text).toContain('url: "openapi.json"');
  expect(init.text).toContain("validatorUrl: null");
  expect(init.text).not.toMatch(/https?:\/\//);
});

test("there is nothing else beside the reader", async () => {
  await using server = await startTestServer();
  for (const path of ["/docs/", "/docs/nothing.js", "/docs/..%2fapp.ts", "/docs/__proto__", "/docs/toString"]) {
    expect((await server.call("GET", path)).json).toMatchObject({ status: 404, code: "not_found" });
  }
});

test("what of the reader could not be read once is read again", async () => {
  await using server = await startTestServer();
  const get = async () => (await server.call("GET", "/docs/swagger-ui.css")).status;
  {
    const broken = { bytes: () => Promise.reject(new Error("the disk fails")) };
    using _ = spyOn(Bun, "file").mockImplementation(() => Object.assign(new Blob(), broken) as never);
    expect(await get()).toBe(500);
  }
  expect(await get()).toBe(200);
});

test("every error has a page that explains it", async () => {
  await using server = await startTestServer();
  const { json } = await server.call("GET", "/api/v1/secrets");
  const page = await server.call("GET", new URL(json.type).pathname);
  expect(page.status).toBe(200);
  expect(page.text).toContain(json.title);
  expect((await server.call("GET", "/problems/nonsense")).status).toBe(404);
});

test("long texts are compressed where the client takes that, and never sent again to who has them", async () => {
  const page = {
    texts: { language: "en", direction: "ltr", name: "handoff", loading: "Loading", noScript: "Turn on JavaScript." },
    app: "app();".repeat(1000),
    worker: "work",
    styles: "styles",
  };
  await using server = await startTestServer({ http: { page } });
  const [app, worker] = pageFiles(page).assets;
  const get = (path: string, headers: Readonly<Record<string, string>>) =>
    fetch(server.url + path, { headers, decompress: false });
  for (const path of ["/openapi.json", "/docs/swagger-ui.js", "/docs/swagger-ui.css", `/${app?.path}`]) {
    const plain = await get(path, { "accept-encoding": "identity" });
    const text = await plain.text();
    for (const accepted of ["gzip", "br, gzip;q=0.5", "*", "GZIP ; q=1"]) {
      const answer = await get(path, { "accept-encoding": accepted });
      expect([path, accepted, answer.headers.get("content-encoding")]).toEqual([path, accepted, "gzip"]);
      expect(answer.headers.get("vary")).toContain("Accept-Encoding");
      expect(answer.headers.get("content-type")).toBe(plain.headers.get("content-type"));
      expect(new TextDecoder().decode(Bun.gunzipSync(await answer.arrayBuffer()))).toBe(text);
    }
    for (const refused of ["", "br", "gzip;q=0", "gzip; q=0.000, *", "*;q=0"]) {
      const answer = await get(path, { "accept-encoding": refused });
      expect([path, refused, answer.headers.get("content-encoding")]).toEqual([path, refused, null]);
      expect(await answer.text()).toBe(text);
    }
    for (const coding of ["gzip", "identity"]) {
      const etag = (await get(path, { "accept-encoding": coding })).headers.get("etag") ?? "";
      expect(etag).toMatch(/^"[\w-]+"$/);
      for (const known of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
        const again = await get(path, { "accept-encoding": coding, "if-none-match": known });
        expect([again.status, await again.text(), again.headers.get("etag")]).toEqual([304, "", etag]);
      }
      const changed = await get(path, { "accept-encoding": coding, "if-none-match": '"other"' });
      expect(changed.status).toBe(200);
    }
  }
  const short = await get(`/${worker?.path}`, { "accept-encoding": "gzip" });
  expect([short.headers.get("content-encoding"), await short.text()]).toEqual([null, "work"]);
  expect((await get("/openapi.json", {})).headers.get("cache-control")).toBe("no-cache");
});
