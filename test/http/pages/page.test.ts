import { expect, test } from "bun:test";
import { createTestPage } from "../../support/page-sources.ts";
import { startTestServer } from "../../support/server.ts";

const page = async () => createTestPage();
const ID = "sec_00000000000000000000000000";

test("the page finds its script, styles and icon at each of its places, also where the server lies below a path", async () => {
  await using server = await startTestServer({ http: { page } });
  const places = ["s", "r", "c"].flatMap((kind) => [`/${kind}/${ID}`, `/${kind}/${ID}/`]);
  for (const place of ["/", "/ask", "/ask/", "/sign-in", "/sign-in/", ...places]) {
    const { status, text } = await server.call("GET", place);
    expect([place, status]).toEqual([place, 200]);
    const addresses = [...text.matchAll(/(?:src|href)="([^":]+)"/g)].map(([, address = ""]) => address);
    expect(addresses).toHaveLength(3);
    // A proxy takes the path away before the server sees it.
    const base = "http://proxy.example/below/it";
    for (const address of addresses) {
      const { href } = new URL(address, base + place);
      expect([place, href.slice(0, base.length + 8)]).toEqual([place, `${base}/assets/`]);
      expect((await server.call("GET", href.slice(base.length))).status).toBe(200);
    }
  }
});

test("a browser that asks for an address that is nowhere gets a sentence, and a program a problem", async () => {
  await using server = await startTestServer({ http: { page } });
  const get = (path: string, accept: string) => fetch(server.url + path, { headers: { accept } });
  const browser = "text/html,application/xhtml+xml,*/*;q=0.8";
  for (const path of [`/S/${ID}`, `/${ID}`, "/Ask", "/s/"]) {
    const answer = await get(path, browser);
    expect([path, answer.status, answer.headers.get("content-type")]).toEqual([path, 404, "text/html; charset=utf-8"]);
    expect(await answer.text()).toContain("It may be mistyped: copy the whole link again.");
    expect((await get(path, "*/*")).headers.get("content-type")).toBe("application/problem+json");
  }
  for (const path of ["/api/v1/nowhere", "/app/nowhere"]) {
    expect((await get(path, browser)).headers.get("content-type")).toBe("application/problem+json");
  }
});
