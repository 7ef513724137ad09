import { expect, test } from "bun:test";
import { startTestServer } from "../support/server.ts";

const BODY = { envelope: { version: 1, ciphertext: "fake-local-test-only" } };

test("while another process locks the database, writes wait and reads are answered", async () => {
  await using server = await startTestServer();
  const { token } = await server.backend.mint();
  const create = () => server.call("POST", "/api/v1/secrets", { token, body: BODY });
  const { id } = (await create()).json;
  const lock = await server.backend.storage.lockWrites();
  let isAnswered = false;
  const waiting = create().finally(() => (isAnswered = true));
  await lock.waitedFor();
  expect(await server.call("GET", `/api/v1/secrets/${id}`, { token })).toMatchObject({ status: 200 });
  expect(isAnswered).toBe(false);
  await lock[Symbol.asyncDispose]();
  expect((await waiting).status).toBe(201);
  expect((await server.call("GET", "/health/ready")).status).toBe(200);
});
