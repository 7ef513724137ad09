import { expect, test } from "bun:test";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { request } from "node:https";
import { join } from "node:path";
import { handoffCommand } from "../support/executable.ts";
import { apiOf, jsonOf, runExecutable } from "../support/executions.ts";
import { manualBlock } from "../support/manual.ts";
import { until } from "../support/polls.ts";
import { startProxied } from "../support/proxied-servers.ts";
import { PROXIES, startReverseProxy } from "../support/proxies.ts";
import type { Proxy } from "../support/proxies.ts";
import { temporaryFolder } from "../support/temporary.ts";

const NOBODY = 65_534;
const MIB = 1024 * 1024;
/** A file that barely fits into the largest ciphertext, after base64url, its name and the encryption. */
const FILE_BYTES = 7.5 * MIB - 64 * 1024;

/** The status of a call from an address of this machine, with an invalid credential. */
function failFrom(localAddress: string, { port, ca }: Proxy, forwardedFor?: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const call = request({
      host: "127.0.0.1",
      servername: "localhost",
      port,
      localAddress,
      ca: readFileSync(ca),
      agent: false,
      path: "/api/v1/credential",
      headers: {
        host: `localhost:${port}`,
        authorization: "Bearer wrong",
        ...(forwardedFor === undefined ? {} : { "x-forwarded-for": forwardedFor }),
      },
    });
    call.on("response", (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    call.on("error", reject);
    call.end();
  });
}

for (const kind of PROXIES) {
  test(`a secret of the largest size goes up and down through ${kind}, set up as in the manual`, async () => {
    await using place = await startProxied(kind);
    const ann = place.person("ann");
    const bytes = crypto.getRandomValues(new Uint8Array(65_536));
    const file = Buffer.concat(Array.from({ length: FILE_BYTES / bytes.length }, () => bytes));
    writeFileSync(join(ann.home, "large"), file);
    const link = await ann.must(["send", "large"]);
    expect(link).toStartWith(`${place.proxy.url}/s/`);
    await place.person("bob").must(["open", "--yes", "--output", "got", link]);
    expect(readFileSync(join(place.person("bob").home, "got/large")).equals(file)).toBe(true);
  }, 60_000);

  test(`failures through ${kind} count for the client that made them, whatever address it names`, async () => {
    await using place = await startProxied(kind, { flags: ["--failed-authentications", "2"] });
    const { proxy } = place;
    const statuses: (number | undefined)[] = [];
    for (const from of ["127.0.0.1", "127.0.0.1", "127.0.0.1", "127.0.0.2"]) statuses.push(await failFrom(from, proxy));
    expect(statuses).toEqual([401, 401, 429, 401]);
    // It neither escapes its own limit, nor puts another client into it.
    expect(await failFrom("127.0.0.1", proxy, "192.0.2.1")).toBe(429);
    expect(await failFrom("127.0.0.2", proxy, "127.0.0.3")).toBe(401);
    expect(await failFrom("127.0.0.2", proxy, "127.0.0.3")).toBe(429);
    expect(await failFrom("127.0.0.3", proxy)).toBe(401);
  }, 30_000);

  test(`events pass ${kind} immediately, and bodies are not buffered`, async () => {
    using folder = temporaryFolder();
    const socket = join(folder.path, "socket");
    const { promise: isRead, resolve: goOn } = Promise.withResolvers<void>();
    const { promise: beginning, resolve: begin } = Promise.withResolvers<string>();
    using _ = Bun.serve({
      unix: socket,
      async fetch(incoming) {
        if (incoming.method === "POST") {
          let text = "";
          for await (const part of incoming.body ?? []) begin((text += new TextDecoder().decode(part)));
          return new Response(text);
        }
        const events = async function* () {
          yield "data: first\n\n";
          await isRead;
          yield "data: second\n\n";
        };
        return new Response(events, { headers: { "content-type": "text/event-stream" } });
      },
    });
    await using proxy = await startReverseProxy(kind, { folder: join(folder.path, kind), upstream: socket });
    const tls = { ca: readFileSync(proxy.ca, "utf8") };
    const answer = await fetch(`${proxy.url}/api/v1/events`, { tls, headers: { accept: "text/event-stream" } });
    const reader = answer.body?.getReader();
    const decoder = new TextDecoder();
    // The second is not written before the first has arrived.
    expect(decoder.decode((await reader?.read())?.value)).toBe("data: first\n\n");
    goOn();
    expect(decoder.decode((await reader?.read())?.value)).toBe("data: second\n\n");

    // The rest of the body is not sent before its beginning has arrived.
    const { promise: isAnswered, resolve: send } = Promise.withResolvers<void>();
    const parts = async function* () {
      yield "beginning";
      await isAnswered;
      yield ", end";
    };
    const posted = fetch(`${proxy.url}/api/v1/secrets`, { tls, method: "POST", body: parts() });
    expect(await beginning).toBe("beginning");
    send();
    expect(await (await posted).text()).toBe("beginning, end");
  }, 30_000);

  test(`${kind} logs neither query nor Referer, for successes and failures`, async () => {
    await using place = await startProxied(kind);
    const { proxy, server } = place;
    const headers = { referer: "https://elsewhere.example/?token=leaked-1", "user-agent": "leaked-2" };
    const call = (path: string) =>
      fetch(`${proxy.url}${path}`, { headers, tls: { ca: readFileSync(proxy.ca, "utf8") } }).then(
        ({ status }) => status,
      );
    expect(await call("/api/v1/secrets/sec_a?api_key=leaked-3")).toBe(400);
    server.kill("SIGTERM");
    await server.exited;
    expect(await call("/api/v1/secrets/sec_b?api_key=leaked-4")).toBe(502);
    await until(() => proxy.logs().includes("sec_b"));
    expect(proxy.logs()).toContain("/api/v1/secrets/sec_a");
    expect(proxy.logs()).not.toContain("leaked");
    const kept = readdirSync(proxy.folder, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
    for (const { parentPath, name } of kept) {
      expect(readFileSync(join(parentPath, name), "utf8")).not.toContain("leaked");
    }
  }, 30_000);

  test(`while handoff is stopped, clients report that something in front of it answers, as ${kind} does`, async () => {
    await using place = await startProxied(kind);
    const ann = place.person("ann");
    place.server.kill("SIGTERM");
    await place.server.exited;
    const { exitCode, stderr } = await ann.run(["whoami"]);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 6,
      stderr: expect.stringContaining("something in front of it answered with HTTP 502"),
    });
    const settings = { ...place.settings, NODE_EXTRA_CA_CERTS: place.proxy.ca };
    const checked = await runExecutable(["admin", "check", "--data-dir", place.data], settings);
    expect(checked.exitCode).toBe(1);
    expect(checked.stdout).toContain(`The proxy at ${place.proxy.url} doesn't reach handoff (502)`);
  }, 40_000);
}

test("a refusal passes nginx while the body is still being sent", async () => {
  await using place = await startProxied("nginx", { flags: ["--failed-authentications", "1000"] });
  const ca = readFileSync(place.proxy.ca);
  const statuses = new Set<number | undefined>();
  for (let count = 0; count < 60; count++) {
    statuses.add(
      await new Promise<number | undefined>((resolve, reject) => {
        const headers = { "content-type": "application/json", "content-length": 10 * MIB };
        const call = request(`${place.proxy.url}/api/v1/secrets`, { method: "POST", ca, headers });
        call.on("response", (response) => {
          resolve(response.statusCode);
          call.destroy();
        });
        call.on("error", reject);
        call.write(" ".repeat(65_536));
      }),
    );
  }
  expect([...statuses]).toEqual([401]);
}, 30_000);

test("without its line for waiting, nginx gives up on a call before handoff answers", async () => {
  expect(Number(/proxy_read_timeout (\d+)s;/.exec(manualBlock("proxies", "", "nginx"))?.[1])).toBeGreaterThan(60);
  const change = (block: string) => block.replace(/proxy_read_timeout \d+s;/, "proxy_read_timeout 1s;");
  await using place = await startProxied("nginx", { change });
  const api = apiOf(place.proxy.url, place.token, { tls: { ca: readFileSync(place.proxy.ca, "utf8") } });
  const { id } = await jsonOf(api.create("AAAA"));
  expect((await api.find(id, "?wait=10")).status).toBe(504);
  expect((await api.find(id, "?wait=0")).status).toBe(200);
}, 30_000);

test("nginx reaches another user's socket only through the group that the manual names", async () => {
  using folder = temporaryFolder();
  // Only root can act as another user, as in CI.
  expect(process.getuid?.()).toBe(0);
  const groupOf = (name: string) =>
    Number(new RegExp(`^${name}:x:(\\d+)`, "m").exec(readFileSync("/etc/group", "utf8"))?.[1]);
  const run = join(folder.path, "run");
  mkdirSync(run);
  chownSync(run, NOBODY, NOBODY);
  for (const path of [folder.path, run]) chmodSync(path, 0o755);
  const upstream = join(run, "socket");
  await using proxy = await startReverseProxy("nginx", {
    folder: join(folder.path, "nginx"),
    upstream,
    user: "www-data",
  });
  for (const [group, status] of [
    ["www-data", 200],
    ["nogroup", 502],
  ] as const) {
    const as = ["setpriv", `--reuid=${NOBODY}`, `--regid=${NOBODY}`, `--groups=${groupOf(group)}`];
    const serve = ["serve", "--data-dir", join(run, "data"), "--listen", `unix:${upstream}`, "--socket-group", group];
    const child = Bun.spawn([...as, ...handoffCommand(), ...serve], {
      env: { HOME: "/nonexistent" },
      stderr: "ignore",
    });
    while (!existsSync(upstream) || statSync(upstream).gid !== groupOf(group)) await Bun.sleep(10);
    const { status: found } = await fetch(proxy.url, { tls: { ca: readFileSync(proxy.ca, "utf8") } });
    child.kill("SIGTERM");
    await child.exited;
    expect({ group, found }).toEqual({ group, found: status });
  }
}, 30_000);
