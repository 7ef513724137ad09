import { expect, test } from "bun:test";
import { startTestServer } from "../../support/server.ts";

const PAGE = {
  texts: { language: "en", direction: "ltr", name: "handoff", loading: "Loading", noScript: "Turn on JavaScript." },
  app: "app();",
  worker: "work();",
  styles: "p {}",
};
const ID = "sec_00000000000000000000000000";

test("the page finds its script and styles at each of its places, also where the server lies below a path", async () => {
  await using server = await startTestServer({ http: { page: PAGE } });
  const places = ["s", "r", "c"].flatMap((kind) => [`/${kind}/${ID}`, `/${kind}/${ID}/`]);
  for (const place of ["/", "/ask", "/sign-in", ...places]) {
    const { status, text } = await server.call("GET", place);
    expect([place, status]).toEqual([place, 200]);
    const addresses = [...text.matchAll(/(?:src|href)="([^":]+)"/g)].map(([, address = ""]) => address);
    expect(addresses).toHaveLength(2);
    // A proxy takes the path away before the server sees it.
    const base = "http://proxy.example/below/it";
    for (const address of addresses) {
      const { href } = new URL(address, base + place);
      expect([place, href.slice(0, base.length + 8)]).toEqual([place, `${base}/assets/`]);
      expect((await server.call("GET", href.slice(base.length))).status).toBe(200);
    }
  }
});
