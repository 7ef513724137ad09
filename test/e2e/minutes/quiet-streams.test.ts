import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { makeCertificate } from "../../support/certificates.ts";
import { openStream } from "../../support/event-streams.ts";
import { apiOf, mintKey, UNLIMITED } from "../../support/executions.ts";
import { startReverseProxy } from "../../support/proxies.ts";
import { startProgram } from "../../support/running.ts";
import { temporaryFolder } from "../../support/temporary.ts";

const serve = (folder: string, listen = "127.0.0.1:0", ...flags: readonly string[]) =>
  startProgram(["serve", "--listen", listen, "--data-dir", folder, ...UNLIMITED, ...flags]);

// Longer than the idle timeout of a connection, and than nginx's default for silence. All at the same time, because
// they only wait.
const QUIET_MS = 100_000;

/** A way to a server: its URL, and the extra options of a call. */
interface Way {
  readonly url: string;
  readonly init?: BunFetchRequestInit;
}

/** Opens a silent stream over each way to one server, and then sends each an event. */
async function stayOpen(token: string, ...ways: readonly [Way, ...Way[]]) {
  const streams = await Promise.all(ways.map((way) => staysQuiet(token, way)));
  // Only after all have been silent, because each would get it.
  await apiOf(ways[0].url, token, ways[0].init).create("text");
  const createdAt = performance.now();
  for (const stream of streams) expect(await stream.event()).toMatchObject({ type: "secret.created" });
  expect(performance.now() - createdAt).toBeLessThan(1000);
  for (const stream of streams) stream.leave();
}

async function staysQuiet(token: string, { url, init }: Way) {
  const stream = await openStream(`${url}/api/v1/events?after=now`, { authorization: `Bearer ${token}` }, init);
  expect(stream.response.status).toBe(200);
  await stream.next();
  const start = performance.now();
  let comments = 0;
  while (performance.now() - start < QUIET_MS) {
    expect(await stream.next()).toHaveProperty("comment");
    comments += 1;
  }
  expect(Math.abs(comments - QUIET_MS / 15_000)).toBeLessThan(2);
  return stream;
}

test.concurrent(
  "a quiet stream stays open over TCP",
  async () => {
    using folder = temporaryFolder();
    const token = await mintKey(folder.path, ["all"]);
    await using server = await serve(folder.path);
    await stayOpen(token, { url: server.url });
  },
  QUIET_MS + 60_000,
);

test.concurrent(
  "a quiet stream stays open over TLS",
  async () => {
    using folder = temporaryFolder();
    const { cert, key } = makeCertificate(folder.path);
    const data = join(folder.path, "data");
    const token = await mintKey(data, ["all"]);
    await using server = await serve(data, "127.0.0.1:0", "--tls-cert", cert, "--tls-key", key);
    await stayOpen(token, { url: server.url, init: { tls: { ca: await Bun.file(cert).text() } } });
  },
  QUIET_MS + 60_000,
);

test.concurrent(
  "a quiet stream stays open over a Unix socket, and through a proxy that would buffer pieces",
  async () => {
    using folder = temporaryFolder();
    const socket = join(folder.path, "socket");
    const data = join(folder.path, "data");
    const token = await mintKey(data, ["all"]);
    await using server = await serve(data, `unix:${socket}`);
    const change = (block: string) => block.replace("proxy_buffering off;", "");
    const options = { folder: join(folder.path, "nginx"), upstream: socket, change };
    await using proxy = await startReverseProxy("nginx", options);
    const overSocket = { url: server.url, init: { unix: socket } };
    const overProxy = { url: proxy.url, init: { tls: { ca: readFileSync(proxy.ca, "utf8") } } };
    await stayOpen(token, overSocket, overProxy);
  },
  QUIET_MS + 60_000,
);
