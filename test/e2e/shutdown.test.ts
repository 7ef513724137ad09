import { expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { apiOf, jsonOf, mintKey } from "../support/executions.ts";
import { startProgram } from "../support/running.ts";
import type { RunningProgram } from "../support/running.ts";
import { temporaryFolder } from "../support/temporary.ts";

const start = (folder: string) => startProgram(["serve", "--listen", "127.0.0.1:0", "--data-dir", folder]);

/** A creation whose body is sent in two parts, over its own connection. */
async function beginUpload(url: string, token: string) {
  const body = JSON.stringify({ envelope: { version: 1, ciphertext: "slowly" } });
  const { hostname, port } = new URL(url);
  const { promise: answered, resolve } = Promise.withResolvers<string>();
  let received = "";
  const socket = await Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      data: (_socket, chunk) => void (received += chunk.toString()),
      close: () => resolve(received),
      error: () => resolve(received),
    },
  });
  const head = [
    "POST /api/v1/secrets HTTP/1.1",
    `Host: ${hostname}:${port}`,
    `Authorization: Bearer ${token}`,
    "Content-Type: application/json",
    `Content-Length: ${body.length}`,
    "Connection: close",
  ];
  socket.write(`${head.join("\r\n")}\r\n\r\n${body.slice(0, 20)}`);
  await Bun.sleep(200);
  return { finish: () => void socket.write(body.slice(20)), close: () => void socket.end(), answered };
}

/** The time until the program ends, and its exit code. */
async function ending(server: RunningProgram, since = performance.now()) {
  const exitCode = await server.exited;
  return { exitCode, milliseconds: performance.now() - since };
}

const isListening = (url: string) =>
  fetch(`${url}/health/live`).then(
    () => true,
    () => false,
  );

for (const signal of ["SIGTERM", "SIGINT"] as const) {
  test(`${signal} lets an upload in flight finish, then closes port and database and ends with 0`, async () => {
    using folder = temporaryFolder();
    const token = await mintKey(folder.path);
    await using server = await start(folder.path);
    const upload = await beginUpload(server.url, token);
    server.kill(signal);
    await Bun.sleep(300);
    expect(await isListening(server.url)).toBe(false);
    upload.finish();
    const answer = await upload.answered;
    expect(answer).toStartWith("HTTP/1.1 201 ");
    expect(await ending(server)).toMatchObject({ exitCode: 0 });
    expect(readdirSync(folder.path).toSorted()).toEqual(["ballast", "handoff.db"]);

    await using again = await startProgram(["serve", "--listen", new URL(server.url).host, "--data-dir", folder.path]);
    const { id } = JSON.parse(answer.slice(answer.indexOf("\r\n\r\n{") + 4));
    expect(await jsonOf(apiOf(again.url, token).claim(id))).toMatchObject({ envelope: { ciphertext: "slowly" } });
  }, 20_000);
}

test("SIGTERM answers waiting calls at once", async () => {
  using folder = temporaryFolder();
  const token = await mintKey(folder.path);
  await using server = await start(folder.path);
  const api = apiOf(server.url, token);
  const { id } = await jsonOf(api.create("text"));
  const waiting = api.find(id, "?wait=60");
  await Bun.sleep(200);
  const signalled = performance.now();
  server.kill("SIGTERM");
  expect(await jsonOf(waiting)).toMatchObject({ id, state: "available" });
  const { exitCode, milliseconds } = await ending(server, signalled);
  expect(exitCode).toBe(0);
  expect(milliseconds).toBeLessThan(3000);
}, 20_000);

test("an idle keep-alive connection does not delay the end", async () => {
  using folder = temporaryFolder();
  await using server = await start(folder.path);
  expect(await isListening(server.url)).toBe(true);
  const signalled = performance.now();
  server.kill("SIGTERM");
  const { exitCode, milliseconds } = await ending(server, signalled);
  expect(exitCode).toBe(0);
  expect(milliseconds).toBeLessThan(3000);
}, 20_000);

test("an upload that never ends is cut off after 10 seconds", async () => {
  using folder = temporaryFolder();
  const token = await mintKey(folder.path);
  await using server = await start(folder.path);
  const upload = await beginUpload(server.url, token);
  const signalled = performance.now();
  server.kill("SIGTERM");
  const { exitCode, milliseconds } = await ending(server, signalled);
  expect(exitCode).toBe(0);
  expect(milliseconds).toBeGreaterThan(9000);
  expect(milliseconds).toBeLessThan(13_000);
  expect(await upload.answered).not.toContain("HTTP/1.1 2");
  expect(existsSync(join(folder.path, "handoff.db-wal"))).toBe(false);
}, 30_000);

test("a second signal ends the program at once", async () => {
  using folder = temporaryFolder();
  const token = await mintKey(folder.path);
  await using server = await start(folder.path);
  const upload = await beginUpload(server.url, token);
  server.kill("SIGTERM");
  await Bun.sleep(300);
  const second = performance.now();
  server.kill("SIGTERM");
  const { exitCode, milliseconds } = await ending(server, second);
  expect(exitCode).toBe(143);
  expect(milliseconds).toBeLessThan(2000);
  upload.close();
}, 20_000);
