import { expect, test } from "bun:test";
import { startTestServer } from "../support/server.ts";

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

test("every error has a page that explains it", async () => {
  await using server = await startTestServer();
  const { json } = await server.call("GET", "/api/v1/secrets");
  const page = await server.call("GET", new URL(json.type).pathname);
  expect(page.status).toBe(200);
  expect(page.text).toContain(json.title);
  expect((await server.call("GET", "/problems/nonsense")).status).toBe(404);
});
