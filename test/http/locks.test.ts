import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { startTestServer } from "../support/server.ts";

const BODY = { envelope: { version: 1, ciphertext: "fake-local-test-only" } };

test("while another process holds the database, writes wait and everything else is answered", async () => {
  await using server = await startTestServer();
  const { token } = await server.backend.mint();
  const create = () => server.call("POST", "/api/v1/secrets", { token, body: BODY });
  const { id } = (await create()).json;
  const other = new Database(join(server.backend.folder, "handoff.db"));
  other.run("BEGIN IMMEDIATE");
  let isAnswered = false;
  const waiting = create().finally(() => (isAnswered = true));
  const ready = async () => (await server.call("GET", "/health/ready")).status;
  while ((await ready()) === 200) await Bun.sleep(10);
  expect(await server.call("GET", `/api/v1/secrets/${id}`, { token })).toMatchObject({ status: 200 });
  expect(isAnswered).toBe(false);
  other.run("COMMIT");
  expect((await waiting).status).toBe(201);
  expect(await ready()).toBe(200);
  other.close();
});
