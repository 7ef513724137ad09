import { expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { createApp } from "../../src/http/app.ts";
import { parseTrustedProxies } from "../../src/http/gate/addresses.ts";
import { startServer } from "../../src/http/server.ts";
import { makeCertificate } from "../support/certificates.ts";
import { openTestService } from "../support/service.ts";
import { temporaryFolder } from "../support/temporary.ts";

test("where a new certificate's socket cannot get its name, the server goes on with the old one", async () => {
  await using backend = await openTestService();
  using folder = temporaryFolder();
  const path = join(folder.path, "socket");
  const readPair = (name: string) => {
    mkdirSync(join(folder.path, name));
    const { cert, key } = makeCertificate(join(folder.path, name));
    return { cert: readFileSync(cert, "utf8"), key: readFileSync(key, "utf8") };
  };
  const [first, second] = [readPair("first"), readPair("second")];
  const app = createApp(backend.service, {
    baseUrl: () => "https://localhost",
    trustedProxies: parseTrustedProxies([]),
    bodyMemoryBytes: 64 * 1024 * 1024,
    corsOrigins: [],
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    logAddresses: false,
    page: undefined,
    version: "0.0.0",
    installation: () => "0".repeat(32),
  });
  const server = await startServer(app, { target: { kind: "unix", path }, tls: first });
  const isLive = async (unix: string, ca: string) =>
    (await fetch("https://localhost/health/live", { unix, tls: { ca } })).status;
  // Another file takes the name; clients of the old socket still get answers.
  const moved = join(folder.path, "moved");
  renameSync(path, moved);
  mkdirSync(path);
  expect(() => server.useCertificate(second)).toThrow("cannot listen on");
  expect(await isLive(moved, first.cert)).toBe(200);
  rmdirSync(path);
  renameSync(moved, path);
  expect(await isLive(path, first.cert)).toBe(200);
  server.useCertificate(second);
  expect(await isLive(path, second.cert)).toBe(200);
  expect(readdirSync(folder.path)).not.toContain("socket~");
  await server.stop(1000);
});
