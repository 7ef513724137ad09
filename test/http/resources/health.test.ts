import { expect, test } from "bun:test";
import { parseTrustedProxies } from "../../../src/http/gate/addresses.ts";
import { startTestServer } from "../../support/server.ts";

const INSTALLATION = "0123456789abcdef0123456789abcdef";

test("health names the installation, and says whether a trusted proxy named the caller's address", async () => {
  for (const [proxies, forwardedFor, clientAddress] of [
    [[], undefined, "connection"],
    [[], "192.0.2.1", "connection"],
    [["127.0.0.1"], undefined, "connection"],
    [["127.0.0.1"], "nobody", "connection"],
    [["127.0.0.1"], "192.0.2.1", "forwarded"],
  ] as const) {
    await using server = await startTestServer({
      http: { trustedProxies: parseTrustedProxies(proxies), installation: () => INSTALLATION },
    });
    const headers = forwardedFor === undefined ? undefined : { "x-forwarded-for": forwardedFor };
    const { status, json } = await server.call("GET", "/health/live", headers && { headers });
    expect({ proxies, status, json }).toEqual({
      proxies,
      status: 200,
      json: { status: "live", version: "0.0.0-test", installation: INSTALLATION, client_address: clientAddress },
    });
  }
});
