import { expect, test } from "bun:test";
import { X509Certificate } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import type net from "node:net";
import { join } from "node:path";
import tls from "node:tls";
import { makeCertificate, makeDatedCertificate } from "../support/certificates.ts";
import { apiOf, jsonOf, mintKey, runExecutable } from "../support/executions.ts";
import { startProgram } from "../support/running.ts";
import type { RunningProgram } from "../support/running.ts";
import { temporaryFolder } from "../support/temporary.ts";

/** A folder with several pairs, each in its own folder, and a place from which a server reads. */
function makePairs(folder: string) {
  const make = (name: string) => {
    mkdirSync(join(folder, name));
    const pair = makeCertificate(join(folder, name));
    return { ...pair, fingerprint: new X509Certificate(readFileSync(pair.cert)).fingerprint256 };
  };
  const place = { cert: join(folder, "cert.pem"), key: join(folder, "key.pem") };
  const put = (cert: string, key: string) => {
    copyFileSync(cert, place.cert);
    copyFileSync(key, place.key);
  };
  return { first: make("first"), second: make("second"), place, put };
}

type Address = net.NetConnectOpts;

/** The fingerprint of the certificate that a new connection gets. */
function fingerprintAt(address: Address): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = tls.connect({ ...address, rejectUnauthorized: false }, () => {
      resolve(socket.getPeerCertificate().fingerprint256);
      socket.end();
    });
    socket.on("error", reject);
  });
}

/** Sends SIGHUP and resolves with the line that is logged for it. */
async function hangUp(server: RunningProgram): Promise<Record<string, unknown>> {
  const before = server.stderr().length;
  server.kill("SIGHUP");
  for (;;) {
    const line = server
      .stderr()
      .slice(before)
      .split("\n")
      .find((each) => /"msg":"(no )?certificate /.test(each));
    if (line?.endsWith("}")) return JSON.parse(line);
    await Bun.sleep(10);
  }
}

for (const kind of ["tcp", "unix"] as const) {
  test(`SIGHUP over ${kind} loads a new certificate and cuts no call, and ignores a bad pair`, async () => {
    using folder = temporaryFolder();
    const { first, second, place, put } = makePairs(folder.path);
    put(first.cert, first.key);
    const data = join(folder.path, "data");
    const token = await mintKey(data);
    const socket = join(folder.path, "socket");
    const listen = kind === "unix" ? `unix:${socket}` : "127.0.0.1:0";
    const files = ["--tls-cert", place.cert, "--tls-key", place.key];
    await using server = await startProgram(["serve", "--listen", listen, "--data-dir", data, ...files]);
    const address: Address =
      kind === "unix" ? { path: socket } : { host: "127.0.0.1", port: Number(new URL(server.url).port) };
    const url = kind === "unix" ? "https://localhost" : server.url;
    const api = apiOf(url, token, { tls: { rejectUnauthorized: false }, ...(kind === "unix" ? { unix: socket } : {}) });
    const { id } = await jsonOf(api.create("text"));
    const waiting = api.find(id, "?wait=60");
    expect(await fingerprintAt(address)).toBe(first.fingerprint);

    put(second.cert, second.key);
    expect(await hangUp(server)).toMatchObject({ msg: "certificate read again", tls_cert: place.cert });
    expect(await fingerprintAt(address)).toBe(second.fingerprint);

    put(first.cert, second.key);
    const refused = await hangUp(server);
    expect(refused).toMatchObject({ msg: "certificate not changed" });
    expect(refused["reason"]).toContain("do not belong together");
    expect(await fingerprintAt(address)).toBe(second.fingerprint);
    if (kind === "unix") expect(statSync(socket).mode & 0o777).toBe(0o660);

    await api.revoke(id);
    expect(await jsonOf(waiting)).toMatchObject({ id, state: "revoked" });
    const { id: other } = await jsonOf(api.create("text"));
    const last = api.find(other, "?wait=60");
    put(first.cert, first.key);
    await Bun.sleep(200);
    await hangUp(server);
    server.kill("SIGTERM");
    expect(await jsonOf(last)).toMatchObject({ id: other, state: "available" });
    expect(await server.exited).toBe(0);
    expect(existsSync(socket)).toBe(false);
  }, 30_000);
}

test("SIGHUP does nothing to a server without a certificate", async () => {
  using folder = temporaryFolder();
  await using server = await startProgram(["serve", "--listen", "127.0.0.1:0", "--data-dir", folder.path]);
  expect(await hangUp(server)).toMatchObject({ msg: "no certificate to read again" });
  expect((await fetch(`${server.url}/health/ready`)).status).toBe(200);
});

test("no second server starts on the port of one with a certificate", async () => {
  using folder = temporaryFolder();
  const { first } = makePairs(folder.path);
  const files = ["--tls-cert", first.cert, "--tls-key", first.key];
  const data = join(folder.path, "data");
  await using server = await startProgram(["serve", "--listen", "127.0.0.1:0", "--data-dir", data, ...files]);
  const { host } = new URL(server.url);
  for (const flags of [files, []]) {
    const args = ["serve", "--listen", host, "--data-dir", join(folder.path, "other"), ...flags];
    const { exitCode, stderr } = await runExecutable(args);
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: expect.stringContaining(`listens on ${host}`) });
  }
});

test("unusable keys and certificates are named with their fault, before the server listens", async () => {
  using folder = temporaryFolder();
  const { first, second } = makePairs(folder.path);
  const path = (name: string, ...parts: readonly string[]) => {
    const file = join(folder.path, name);
    writeFileSync(file, parts.join(""));
    return file;
  };
  const text = (file: string) => readFileSync(file, "utf8");
  const damaged = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
  const locked = join(folder.path, "locked.pem");
  await Bun.$`openssl pkey -in ${first.key} -aes256 -passout pass:word -out ${locked}`.quiet();
  const wrong: [cert: string, key: string, named: RegExp][] = [
    [
      first.cert,
      second.key,
      /certificate in '.*first\/cert.pem' .* key in '.*second\/key.pem' .* do not belong together/,
    ],
    [
      first.key,
      first.cert,
      /--tls-cert and --tls-key are swapped: '.*key.pem' holds a private key, and '.*cert.pem' a/,
    ],
    [first.key, first.key, /--tls-cert: the file '.*key.pem' holds no certificate/],
    [first.cert, first.cert, /--tls-key: the file '.*cert.pem' holds no private key/],
    [path("order.pem", text(second.cert), text(first.cert)), first.key, /own certificate has to be the first one/],
    [path("chain.pem", text(first.cert), damaged), first.key, /certificate 2 in the file '.*chain.pem' is damaged/],
    [first.cert, path("key.pem", text(first.key).replace(/^.{8}$|\n.{30}/m, "\n")), /private key in .* is damaged/],
    [first.cert, locked, /protected by a passphrase.*openssl pkey -in/],
    [first.cert, folder.path, /--tls-key: the file '.*' cannot be read: it is a folder/],
    [first.cert, "/nonexistent", /--tls-key: the file '\/nonexistent' cannot be read: there is no such file/],
  ];
  const data = join(folder.path, "data");
  for (const [cert, key, named] of wrong) {
    const files = ["--tls-cert", cert, "--tls-key", key];
    const { exitCode, stderr } = await runExecutable([
      "serve",
      "--listen",
      "127.0.0.1:0",
      "--data-dir",
      data,
      ...files,
    ]);
    expect({ named, exitCode, stderr, isMade: existsSync(data) }).toEqual({
      named,
      exitCode: 2,
      stderr: expect.stringMatching(named),
      isMade: false,
    });
    expect(stderr).not.toContain("-----BEGIN");
  }
}, 30_000);

test("a chain and a key in one file are accepted", async () => {
  using folder = temporaryFolder();
  const { first, second } = makePairs(folder.path);
  const both = join(folder.path, "both.pem");
  writeFileSync(both, [first.key, first.cert, second.cert].map((file) => readFileSync(file, "utf8")).join(""));
  const files = ["--tls-cert", both, "--tls-key", both];
  await using server = await startProgram(["serve", "--listen", "127.0.0.1:0", "--data-dir", folder.path, ...files]);
  const port = Number(new URL(server.url).port);
  expect(await fingerprintAt({ host: "127.0.0.1", port })).toBe(first.fingerprint);
});

/** The log lines that warn about a certificate. */
function warningsOf(server: RunningProgram): Record<string, unknown>[] {
  const lines = server.stderr().split("\n");
  return lines
    .filter((line) => /certificate/.test(line) && /"level":"warn"/.test(line))
    .map((line) => JSON.parse(line));
}

test("an expired or not yet valid certificate is reported with its dates at startup and SIGHUP", async () => {
  using folder = temporaryFolder();
  const make = (name: string, from: string, to: string) => {
    mkdirSync(join(folder.path, name));
    return makeDatedCertificate(join(folder.path, name), from, to);
  };
  const expired = make("expired", "20200101000000Z", "20210101000000Z");
  const early = make("early", "20980101000000Z", "20990101000000Z");
  const { first, place, put } = makePairs(folder.path);
  const data = ["--data-dir", join(folder.path, "data"), "--listen", "127.0.0.1:0"];

  put(expired.cert, expired.key);
  await using server = await startProgram(["serve", ...data, "--tls-cert", place.cert, "--tls-key", place.key]);
  const dates = { not_before: "2020-01-01T00:00:00.000Z", not_after: "2021-01-01T00:00:00.000Z" };
  const had = { tls_cert: place.cert, certificate: 1, ...dates };
  expect(warningsOf(server)).toMatchObject([{ ...had, msg: expect.stringContaining("the certificate has expired") }]);
  expect(server.stderr()).toMatch(/"not_after":"2021-01-01T00:00:00.000Z","msg":"listening"/);

  put(early.cert, early.key);
  expect(await hangUp(server)).toMatchObject({ msg: "certificate read again", not_after: "2099-01-01T00:00:00.000Z" });
  expect(warningsOf(server)[1]).toMatchObject({ certificate: 1, msg: expect.stringContaining("isn't valid yet") });

  writeFileSync(place.cert, [first.cert, expired.cert].map((file) => readFileSync(file, "utf8")).join(""));
  copyFileSync(first.key, place.key);
  await hangUp(server);
  expect(warningsOf(server)[2]).toMatchObject({
    ...had,
    certificate: 2,
    msg: expect.stringContaining("a certificate of the chain has expired"),
  });

  put(first.cert, first.key);
  const { not_after } = await hangUp(server);
  expect(Date.parse(String(not_after))).toBeGreaterThan(Date.now());
  expect(warningsOf(server)).toHaveLength(3);
}, 30_000);
