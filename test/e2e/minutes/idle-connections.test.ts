import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import net from "node:net";
import { join } from "node:path";
import tls from "node:tls";
import type { ListenTarget } from "../../../src/http/server.ts";
import { makeCertificate } from "../../support/certificates.ts";
import { startTestServer } from "../../support/server.ts";
import { temporaryFolder } from "../../support/temporary.ts";

/** Bun counts idle time in steps of four seconds: of fewer than five, the first step may end at once. */
const IDLE_SECONDS = 5;
/** A new connection has ten seconds for its first headers. */
const LATEST_MS = 20_000;
const KINDS = ["tcp", "tls", "unix"] as const;
const HEAD = "GET /health/live HTTP/1.1\r\nHost: localhost\r\n";

/** The bytes that a connection sends first, after an answer, and all the time. */
const HABITS: Readonly<Record<string, { first: string; second: string; drip: string }>> = {
  "that says nothing": { first: "", second: "", drip: "" },
  "whose headers drip": { first: `${HEAD}X-Slow: `, second: "", drip: "a" },
  "that was answered and idles": { first: `${HEAD}\r\n`, second: "", drip: "" },
  "that was answered and whose next headers drip": { first: `${HEAD}\r\n`, second: `${HEAD}X-Slow: `, drip: "a" },
};

/** Resolves with how long the server keeps such a connection open, in milliseconds. */
async function lifeOf(socket: net.Socket, { first, second, drip }: (typeof HABITS)[string]): Promise<number> {
  const start = performance.now();
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  let isAnswered = !first.endsWith("\r\n\r\n");
  socket.on("close", () => resolve()).on("error", () => resolve());
  socket.once("data", (answer) => {
    isAnswered = String(answer).startsWith("HTTP/1.1 200 ");
    socket.write(second);
  });
  socket.resume().write(first);
  const timer = setInterval(() => drip !== "" && socket.write(drip), 500);
  try {
    await Promise.race([closed, Bun.sleep(LATEST_MS + 5000)]);
  } finally {
    clearInterval(timer);
    socket.destroy();
  }
  return isAnswered ? performance.now() - start : Infinity;
}

for (const kind of KINDS) {
  test.concurrent(
    `a connection over ${kind} that asks for nothing is ended`,
    async () => {
      using folder = temporaryFolder();
      const { cert, key } = makeCertificate(folder.path);
      const path = join(folder.path, "socket");
      const target: ListenTarget = kind === "unix" ? { kind, path } : { kind: "tcp", hostname: "127.0.0.1", port: 0 };
      const pair = { cert: readFileSync(cert, "utf8"), key: readFileSync(key, "utf8") };
      const listen = { target, tls: kind === "tls" ? pair : undefined, idleTimeoutSeconds: IDLE_SECONDS };
      await using server = await startTestServer({ listen });
      const port = Number(new URL(server.url).port);
      const connect = () => {
        if (kind === "unix") return net.connect(path);
        return kind === "tls"
          ? tls.connect({ port, host: "127.0.0.1", ca: pair.cert })
          : net.connect(port, "127.0.0.1");
      };
      const lives = Object.entries(HABITS).map(
        async ([habit, says]) => [habit, await lifeOf(connect(), says)] as const,
      );
      for (const [habit, milliseconds] of await Promise.all(lives)) {
        expect({ habit, isEnded: milliseconds < LATEST_MS }).toEqual({ habit, isEnded: true });
      }
    },
    40_000,
  );
}

test.concurrent(
  "a call that waits longer than the idle timeout is answered all the same",
  async () => {
    await using server = await startTestServer({ listen: { idleTimeoutSeconds: IDLE_SECONDS } });
    const { token } = await server.backend.mint();
    const body = { envelope: { version: 1, ciphertext: "fake-local-test-only" } };
    const { json } = await server.call("POST", "/api/v1/secrets", { token, body });
    // Two of Bun's steps, and one second.
    const answer = await server.call("GET", `/api/v1/secrets/${json.id}?wait=9`, { token });
    expect(answer.json).toMatchObject({ state: "available" });
  },
  20_000,
);
