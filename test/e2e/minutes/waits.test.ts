import { expect, test } from "bun:test";
import { join } from "node:path";
import { makeCertificate } from "../../support/certificates.ts";
import { apiOf, jsonOf, mintKey } from "../../support/executions.ts";
import { startProxied } from "../../support/proxied-servers.ts";
import { PROXIES } from "../../support/proxies.ts";
import { startProgram } from "../../support/running.ts";
import { temporaryFolder } from "../../support/temporary.ts";

const WAIT_SECONDS = 60;

/** Waits as long as a call can for a change that does not happen. Checks that the answer comes then and not before. */
async function waitWhole(url: string, token: string, init: BunFetchRequestInit): Promise<void> {
  const api = apiOf(url, token, init);
  const { id } = await jsonOf(api.create("text"));
  const start = performance.now();
  const answer = await api.find(id, `?wait=${WAIT_SECONDS}`);
  const seconds = (performance.now() - start) / 1000;
  expect(await jsonOf(answer)).toMatchObject({ id, state: "available" });
  expect(Math.round(seconds)).toBeGreaterThanOrEqual(WAIT_SECONDS);
}

/** Its own server, with a key. */
async function startServer(folder: string, listen: string, ...flags: readonly string[]) {
  const token = await mintKey(folder);
  const server = await startProgram(["serve", "--listen", listen, "--data-dir", folder, ...flags]);
  return { server, token };
}

// All at the same time, because they only wait.

test.concurrent(
  "a call waits for the whole minute over TCP",
  async () => {
    using folder = temporaryFolder();
    const { server, token } = await startServer(folder.path, "127.0.0.1:0");
    await using _ = server;
    await waitWhole(server.url, token, {});
  },
  90_000,
);

test.concurrent(
  "a call waits for the whole minute over TLS",
  async () => {
    using folder = temporaryFolder();
    const { cert, key } = makeCertificate(folder.path);
    const tls = ["--tls-cert", cert, "--tls-key", key];
    const { server, token } = await startServer(join(folder.path, "data"), "127.0.0.1:0", ...tls);
    await using _ = server;
    await waitWhole(server.url, token, { tls: { ca: await Bun.file(cert).text() } });
  },
  90_000,
);

test.concurrent(
  "a call waits for the whole minute over a Unix socket",
  async () => {
    using folder = temporaryFolder();
    const socket = join(folder.path, "socket");
    const { server, token } = await startServer(join(folder.path, "data"), `unix:${socket}`);
    await using _ = server;
    await waitWhole(server.url, token, { unix: socket });
  },
  90_000,
);

for (const kind of PROXIES) {
  test.concurrent(
    `a call waits for the whole minute through ${kind}, set up as in the manual`,
    async () => {
      await using place = await startProxied(kind);
      await waitWhole(place.proxy.url, place.token, { tls: { ca: await Bun.file(place.proxy.ca).text() } });
    },
    90_000,
  );
}
