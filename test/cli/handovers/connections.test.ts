import { expect, test } from "bun:test";
import { join } from "node:path";
import { makeCertificate } from "../../support/certificates.ts";
import { runProgram } from "../../support/program.ts";
import { startProxy } from "../../support/proxy-listeners.ts";
import { startTestServer } from "../../support/server.ts";
import { temporaryFolder } from "../../support/temporary.ts";

/** Every name under which a program may look for a proxy. */
const NAMES = ["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"];

test("plain http goes through no proxy, whatever the variable is called", async () => {
  await using server = await startTestServer();
  const { token } = await server.backend.mint();
  using proxy = startProxy();
  for (const name of NAMES) {
    const env = { [name]: proxy.url, HANDOFF_URL: server.url, HANDOFF_API_KEY: token };
    expect({ name, ...(await runProgram(["list"], env)) }).toMatchObject({ name, exitCode: 0 });
  }
  // Nor to another machine, which here is one that nobody can reach.
  const env = Object.fromEntries(NAMES.map((name) => [name, proxy.url]));
  const away = { ...env, HANDOFF_URL: "http://handoff.invalid", HANDOFF_API_KEY: token, HANDOFF_ALLOW_HTTP: "1" };
  expect(await runProgram(["list"], away)).toMatchObject({ exitCode: 6 });
  expect(proxy.received()).toBe("");
}, 60_000);

test("https goes through the proxy that is set, unread, but not to this machine", async () => {
  using folder = temporaryFolder();
  const { cert, key } = makeCertificate(folder.path);
  using origin = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    tls: { cert: Bun.file(cert), key: Bun.file(key) },
    fetch: () => Response.json({ data: [], next_cursor: null }),
  });
  using proxy = startProxy();
  const token = "hak_lFA6LboL2xx0ldQH2K1TdSrwuqMMiME345JaEG";
  const env = { ALL_PROXY: proxy.url, HANDOFF_API_KEY: token, NODE_EXTRA_CA_CERTS: join(cert) };
  expect(await runProgram(["list"], { ...env, HANDOFF_URL: origin.url.origin })).toMatchObject({ exitCode: 0 });
  expect(proxy.received()).toBe("");
  const { exitCode, stderr } = await runProgram(["list"], { ...env, HANDOFF_URL: "https://handoff.invalid" });
  expect({ exitCode, stderr }).toEqual({ exitCode: 6, stderr: expect.stringContaining("proxy") });
  expect(proxy.received()).toStartWith("CONNECT handoff.invalid:443 ");
  expect(proxy.received()).not.toContain(token);
}, 60_000);

test("no answer is asked to be compressed, and one that is gets a sentence of ours and nothing else", async () => {
  const asked = new Set<string | null>();
  const right = Bun.gzipSync(JSON.stringify({ data: [], next_cursor: null }));
  const answers = [
    ["gzip", right],
    ["gzip", "damaged"],
    ["identity, br", "damaged"],
    ["x-unknown", right],
  ] as const;
  for (const [encoding, body] of answers) {
    using server = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch({ headers }) {
        asked.add(headers.get("accept-encoding"));
        return new Response(body, { headers: { "content-encoding": encoding, "content-type": "application/json" } });
      },
    });
    const env = { HANDOFF_URL: server.url.origin, HANDOFF_API_KEY: "hak_lFA6LboL2xx0ldQH2K1TdSrwuqMMiME345JaEG" };
    expect({ encoding, ...(await runProgram(["list"], env)) }).toEqual({
      encoding,
      exitCode: 6,
      stdout: "",
      stderr:
        "handoff: The answer is compressed, which this program doesn't ask for (HTTP 200). Check the server URL, and whether a proxy in front of the server compresses what passes through it.\n",
    });
  }
  expect([...asked]).toEqual(["identity"]);
}, 30_000);
