import { expect, test } from "bun:test";
import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { connect } from "node:tls";
import type { PeerCertificate } from "node:tls";
import { startAcmeDirectory } from "../support/acme-directory.ts";
import { makeDatedCertificate } from "../support/certificates.ts";
import { handoffCommand } from "../support/executable.ts";
import { runExecutable } from "../support/executions.ts";
import { until } from "../support/polls.ts";
import { freePort } from "../support/ports.ts";
import { startProgram } from "../support/running.ts";
import { temporaryFolder } from "../support/temporary.ts";

const NAMES = ["handoff.test", "www.handoff.test"];

/** An authority, and the arguments of a server that gets its certificate there. */
function setUp() {
  const folder = temporaryFolder();
  const [port, challengePort] = [freePort(), freePort()];
  const authority = startAcmeDirectory(folder.path, () => challengePort);
  const data = join(folder.path, "data");
  const listen = ["--listen", `127.0.0.1:${port}`, "--acme-listen", `127.0.0.1:${challengePort}`];
  const args = ["serve", "--data-dir", data, ...listen, "--acme-directory", authority.url];
  return {
    authority,
    data,
    folder: folder.path,
    args: [...args, ...NAMES.flatMap((name) => ["--acme", name]), "--acme-contact", "ops@handoff.test"],
    http: `http://127.0.0.1:${challengePort}`,
    /** The certificate that the server shows. Rejects when it is not of the authority, unless `isOfAnybody`. */
    shown: (isOfAnybody = false) =>
      new Promise<PeerCertificate>((resolve, reject) => {
        const checks = { ca: authority.ca, servername: NAMES[0] ?? "", rejectUnauthorized: !isOfAnybody };
        const socket = connect({ host: "127.0.0.1", port, ...checks }, () => {
          resolve(socket.getPeerCertificate());
          socket.destroy();
        });
        socket.on("error", reject);
      }),
    troubles: async (): Promise<string[]> => {
      const tls = { rejectUnauthorized: false };
      const answer = await fetch(`https://127.0.0.1:${port}/health/ready`, { tls });
      expect(answer.status).toBe(200);
      return ((await answer.json()) as { troubles: { code: string }[] }).troubles.map(({ code }) => code);
    },
    [Symbol.dispose]() {
      authority[Symbol.dispose]();
      folder[Symbol.dispose]();
    },
  };
}

/** The answer to a request that is sent as it is. */
async function rawRequest(origin: string, head: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let text = "";
  const { hostname, port } = new URL(origin);
  await Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      open: (socket) => void socket.write(`${head}\r\nConnection: close\r\n\r\n`),
      data: (_, bytes) => void (text += bytes.toString()),
      close: () => resolve(text),
      error: (_, error) => reject(error),
    },
  });
  return promise;
}

test("a server gets a certificate for its names, keeps it, and sends those who come by HTTP on", async () => {
  using place = setUp();
  {
    await using server = await startProgram(place.args);
    const certificate = await place.shown();
    expect(certificate.subjectaltname).toBe(NAMES.map((name) => `DNS:${name}`).join(", "));
    expect(place.authority.contacts).toEqual(["mailto:ops@handoff.test"]);
    expect(server.stderr()).toContain('"url":"https://handoff.test"');
    const sent = await fetch(`${place.http}/s/sec_1?a=b`, { redirect: "manual", headers: { host: "handoff.test" } });
    expect([sent.status, sent.headers.get("location")]).toEqual([308, "https://handoff.test/s/sec_1?a=b"]);
    expect((await fetch(`${place.http}/.well-known/acme-challenge/token-of-twenty-two-and-nothing`)).status).toBe(404);
    for (const path of ["//evil.test/x", "/\\evil.test/x"]) {
      const bent = await rawRequest(place.http, `GET ${path} HTTP/1.1\r\nHost: handoff.test`);
      expect({ path, bent }).toEqual({ path, bent: expect.stringMatching(/^location: https:\/\/handoff\.test\//im) });
    }
    const wrong = await rawRequest(place.http, "GET //evil.test/x HTTP/1.1\r\nHost: evil.test:99@foo");
    expect(wrong).toMatch(/^HTTP\/1\.1 400 /);
    expect((await fetch(`${place.http}/api/v1/secrets`, { method: "POST", body: "{}" })).status).toBe(403);
  }
  for (const name of ["account.json", "certificate.pem"]) {
    expect(statSync(join(place.data, "acme", name)).mode & 0o777).toBe(0o600);
  }
  await using again = await startProgram(place.args);
  await place.shown();
  expect([place.authority.given(), again.stderr().includes("getting a certificate")]).toEqual([1, false]);
});

test("a certificate for other names is replaced while it is served, and stays when the authority refuses", async () => {
  using place = setUp();
  const former = makeDatedCertificate(place.folder, "20200101000000Z", "20991231000000Z");
  mkdirSync(join(place.data, "acme"), { recursive: true, mode: 0o700 });
  const kept = readFileSync(former.key, "utf8") + readFileSync(former.cert, "utf8");
  writeFileSync(join(place.data, "acme/certificate.pem"), kept, { mode: 0o600 });
  place.authority.isRefusing = true;
  {
    await using server = await startProgram(place.args);
    await until(async () => (await place.troubles()).includes("certificate_not_renewed"));
    expect((await place.shown(true)).subject.CN).toBe("localhost");
    expect(server.stderr()).toContain("The authority refuses this name");
  }
  place.authority.isRefusing = false;
  await using server = await startProgram(place.args);
  await until(() => server.stderr().includes("certificate renewed"));
  expect((await place.shown()).issuer.CN).toBe("an authority");
  expect(await place.troubles()).toEqual([]);
});

test("a server without a valid certificate does not start when it gets none, and says why", async () => {
  using place = setUp();
  place.authority.isRefusing = true;
  const { exitCode, stderr } = await runExecutable(place.args);
  expect(exitCode).toBe(1);
  expect(stderr).toContain("no certificate for handoff.test, www.handoff.test: The authority refuses this name");
});

test("an authority that has lost the account gets it again, with the same key", async () => {
  using place = setUp();
  const account = join(place.data, "acme/account.json");
  {
    await using _ = await startProgram(place.args);
  }
  const { key, directory } = JSON.parse(readFileSync(account, "utf8"));
  // As earlier versions kept it.
  writeFileSync(account, JSON.stringify({ key, directory, url: `${directory}/lost` }), { mode: 0o600 });
  rmSync(join(place.data, "acme/certificate.pem"));
  place.authority.forget();
  await using _ = await startProgram(place.args);
  expect([place.authority.given(), JSON.parse(readFileSync(account, "utf8")).key]).toEqual([2, key]);
});

test("an authority that puts orders off for long is not waited for, and a pause too long for a timer warns of nothing", async () => {
  using place = setUp();
  for (const retryAfter of ["86400", "9999999999", new Date(Date.now() + 7_200_000).toUTCString()]) {
    place.authority.retryAfter = retryAfter;
    const { exitCode, stderr } = await runExecutable(place.args);
    expect({ retryAfter, exitCode, stderr }).toEqual({
      retryAfter,
      exitCode: 1,
      stderr: expect.stringContaining(`the authority asks for a pause (Retry-After: ${retryAfter}): Too many orders`),
    });
    expect(stderr).not.toContain("TimeoutOverflowWarning");
  }
});

const FIRST_FREE_PORT = Number(readFileSync("/proc/sys/net/ipv4/ip_unprivileged_port_start", "utf8"));

test.if(process.getuid?.() === 0 && FIRST_FREE_PORT > 443)(
  "a user who may not listen on port 80 or 443 is told the command for a unit that may",
  async () => {
    using place = setUp();
    chmodSync(place.folder, 0o777);
    const run = async (...args: readonly string[]) => {
      const nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"];
      const child = Bun.spawn([...nobody, ...handoffCommand(), ...args], { env: {}, stderr: "pipe" });
      return child.stderr.text();
    };
    const data = ["serve", "--data-dir", place.data];
    expect(await run(...data, "--acme", "handoff.test")).toContain("'handoff admin service --acme NAME' prints");
    expect(await run(...data, "--listen", "127.0.0.1:443")).toContain("'handoff admin service --listen' prints");
  },
);

test("settings that leave no place for a certificate are refused", async () => {
  for (const [args, why] of [
    [["--acme", "10.0.0.1"], "names that the internet's DNS knows"],
    [["--acme", "handoff.test", "--tls-cert", "a", "--tls-key", "b"], "--acme and --tls-cert are both set"],
    [["--acme", "handoff.test", "--database", "postgresql://db.test/handoff"], "this server has none"],
    [["--acme", "handoff.test", "--listen", ":80"], "--acme-listen needs another address than --listen"],
  ] as const) {
    const { exitCode, stderr } = await runExecutable(["serve", ...args]);
    expect({ args, exitCode, stderr }).toEqual({ args, exitCode: 2, stderr: expect.stringContaining(why) });
  }
});

test("an order that is interrupted ends the server without an error", async () => {
  using place = setUp();
  using silent = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Promise<Response>(() => undefined) });
  const child = Bun.spawn([...handoffCommand(), ...place.args, "--acme-directory", silent.url.href], {
    env: { HOME: "/nonexistent" },
    stderr: "pipe",
  });
  await until(() => silent.pendingRequests > 0);
  child.kill("SIGTERM");
  expect([await child.exited, await child.stderr.text()]).toEqual([0, expect.stringContaining('"msg":"stopping"')]);
});

test("an authority that can't be reached, or answers with something else, is named with the reason", async () => {
  using place = setUp();
  using other = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response("", { status: 404 }) });
  for (const [url, why] of [
    ["http://127.0.0.1:1/directory", "http://127.0.0.1:1/directory can't be reached ("],
    [other.url.href, `${other.url.href} answers with HTTP 404.`],
  ] as const) {
    const { exitCode, stderr } = await runExecutable([...place.args, "--acme-directory", url]);
    expect({ url, exitCode, stderr }).toEqual({ url, exitCode: 1, stderr: expect.stringContaining(why) });
  }
});
