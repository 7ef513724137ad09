import { expect, test } from "bun:test";
import { invitePerson } from "../../src/domain/signing-in/persons.ts";
import { connectRaw } from "../support/raw-connections.ts";
import { startTestServer } from "../support/server.ts";

const PAIRS = 30;

test("of several claims in one packet, none is carried out without an answer", async () => {
  await using server = await startTestServer();
  const { token } = await server.backend.mint();
  const create = async (ciphertext: string): Promise<{ id: string; ciphertext: string; claimToken: string }> => {
    const { json } = await server.call("POST", "/api/v1/secrets", {
      token,
      body: { envelope: { version: 1, ciphertext } },
    });
    return { id: json.id, ciphertext, claimToken: json.claim_token };
  };
  const lost: string[] = [];
  for (let pair = 0; pair < PAIRS; pair++) {
    const secrets = [await create(`first-${pair}-fake`), await create(`second-${pair}-fake`)];
    const connection = await connectRaw(server.url);
    connection.send(
      secrets
        .map(
          ({ id, claimToken }) =>
            `POST /api/v1/secrets/${id}/claim HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${claimToken}\r\nContent-Length: 0\r\n\r\n`,
        )
        .join(""),
    );
    const both = new RegExp(secrets.map(({ ciphertext }) => ciphertext).join(".*"), "s");
    const received = await connection.until(both);
    connection.end();
    for (const { id, ciphertext } of secrets) {
      const { state } = (await server.call("GET", `/api/v1/secrets/${id}`, { token })).json;
      if (state !== "available" && !received.includes(ciphertext)) lost.push(ciphertext);
    }
  }
  expect(lost).toEqual([]);
});

test("a claim and a sign-in use nothing up when their caller disconnects before they begin", async () => {
  await using server = await startTestServer();
  const { service, storage } = server.backend;
  const { token } = await server.backend.mint();
  const { json } = await server.call("POST", "/api/v1/secrets", {
    token,
    body: { envelope: { version: 1, ciphertext: "fake-local-test-only" } },
  });
  const { token: signInToken } = await invitePerson(service, { team: "team", address: "Ann" });
  // Another process locks the database, so that nothing begins before the callers disconnect.
  const lock = await storage.lockWrites();
  const claim = await connectRaw(server.url);
  claim.send(
    `POST /api/v1/secrets/${json.id}/claim HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nContent-Length: 0\r\n\r\n`,
  );
  const body = JSON.stringify({ sign_in_token: signInToken });
  const signIn = await connectRaw(server.url);
  signIn.send(
    `POST /app/session HTTP/1.1\r\nHost: ${new URL(server.url).host}\r\nOrigin: ${server.url}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  await lock.waitedFor();
  claim.end();
  signIn.end();
  // Writes are made in the order of their calls.
  const later = server.call("POST", "/api/v1/secrets", {
    token,
    body: { envelope: { version: 1, ciphertext: "fake-local-test-only" } },
  });
  // Once these are answered, the server has noticed the disconnected callers.
  for (let i = 0; i < 20; i++) await server.call("GET", "/health/live");
  await lock[Symbol.asyncDispose]();
  expect((await later).status).toBe(201);
  expect((await server.call("GET", `/api/v1/secrets/${json.id}`, { token })).json.state).toBe("available");
  const headers = { origin: server.url };
  const again = await server.call("POST", "/app/session", { headers, body: { sign_in_token: signInToken } });
  expect(again.status).toBe(200);
  expect(server.logs.filter((line) => line.includes("failure"))).toEqual([]);
});

/**
 * As the contract says, section 8. Once the runtime answers these, expect a problem here, and remove the sentence
 * there.
 */
test("an unknown method, or a call before the previous answer, closes the connection unanswered", async () => {
  await using server = await startTestServer();
  const { token } = await server.backend.mint();
  const body = JSON.stringify({ envelope: { version: 1, ciphertext: "fake-local-test-only" } });
  const create = (method: string) =>
    `${method} /api/v1/secrets HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  for (const method of ["FOO", "get", "post"]) {
    const connection = await connectRaw(server.url);
    connection.send(create(method));
    expect(await connection.closed).toBe("");
  }
  expect((await server.call("GET", "/api/v1/secrets", { token })).json.data).toEqual([]);
  const connection = await connectRaw(server.url);
  connection.send(create("POST").repeat(2));
  expect(await connection.closed).toBe("");
});
