import { expect, test } from "bun:test";
import { once } from "node:events";
import { connect } from "node:net";
import type { Socket } from "node:net";
import { openPlace } from "../support/people.ts";
import { until } from "../support/polls.ts";

const CLAIMS = 20;

async function open(url: string): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  // The connection may be closed with unread bytes of ours.
  socket.on("error", () => undefined);
  await once(socket, "connect");
  return socket;
}

test("no claim is carried out for callers who left while the server was stopped", async () => {
  await using place = await openPlace();
  const { server } = place;
  const token = await place.mint();
  const call = (method: string, path: string, body?: unknown) =>
    fetch(`${server.url}/api/v1/secrets${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const requestOf = (method: string, path: string, more = "") =>
    `${method} /api/v1/secrets${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n${more}\r\n`;
  const create = async (): Promise<string> => {
    const envelope = { version: 1, ciphertext: "fake-local-test-only" };
    // oxlint-disable-next-line typescript/no-explicit-any -- what an answer is made of is what a test asserts
    const { id }: any = await (await call("POST", "", { envelope })).json();
    return id;
  };
  const ids = await Promise.all(Array.from({ length: 2 * CLAIMS }, create));
  // Half of the connections have had an answer already; the others begin while the server is stopped.
  const kept = await Promise.all(
    ids.slice(CLAIMS).map(async (id) => {
      const socket = await open(server.url);
      socket.write(requestOf("GET", `/${id}`));
      await once(socket, "data");
      return socket;
    }),
  );
  server.kill("SIGSTOP");
  const fresh = await Promise.all(ids.slice(0, CLAIMS).map(() => open(server.url)));
  for (const [index, socket] of [...fresh, ...kept].entries()) {
    socket.end(requestOf("POST", `/${ids[index]}/claim`, "Content-Length: 0\r\n"));
    await once(socket, "finish");
  }
  server.kill("SIGCONT");
  const claimsInLog = () => server.stderr().split("/claim").length - 1;
  await until(() => claimsInLog() >= ids.length);
  const states = await Promise.all(
    // oxlint-disable-next-line typescript/no-explicit-any -- what an answer is made of is what a test asserts
    ids.map(async (id) => ((await (await call("GET", `/${id}`)).json()) as any).state),
  );
  expect(states).toEqual(ids.map(() => "available"));
  // Remaining callers are answered.
  expect((await call("POST", `/${ids[0]}/claim`)).status).toBe(200);
}, 60_000);
