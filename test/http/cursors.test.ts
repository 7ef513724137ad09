import { expect, test } from "bun:test";
import { createAgeIdentity } from "../../src/crypto/age-identities.ts";
import { startTestServer } from "../support/server.ts";

const { recipient } = await createAgeIdentity("x25519");
const MINUTE = 60_000;

test("a cursor from the future is refused, and one of the current instant is not", async () => {
  await using server = await startTestServer();
  const { token } = await server.backend.mint();
  const call = (method: string, path: string, body?: unknown) =>
    server.call(method, `/api/v1${path}`, { token, ...(body === undefined ? {} : { body }) });
  const made = async () => ({
    secret: (await call("POST", "/secrets", { envelope: { version: 1, ciphertext: "fake-local-test-only" } })).json.id,
    request: (await call("POST", "/requests", { recipient })).json.id,
    event: (await call("GET", "/events?after=now")).json.next_cursor,
  });
  const lists = (cursors: Awaited<ReturnType<typeof made>>) => [
    { path: `/secrets?cursor=${cursors.secret}`, pointer: "/query/cursor" },
    { path: `/requests?cursor=${cursors.request}`, pointer: "/query/cursor" },
    { path: `/events?after=${cursors.event}`, pointer: "/query/after" },
    { path: `/events?wait=60&after=${cursors.event}`, pointer: "/query/after" },
  ];
  const now = await made();
  for (const { path } of lists(now).slice(0, 3)) expect((await call("GET", path)).status).toBe(200);

  // Another server, whose clock is ahead, returns cursors that this one considers future.
  await using ahead = await startTestServer();
  ahead.backend.clock.advance(MINUTE);
  const later = {
    secret: ahead.backend.service.ids.next("secret"),
    request: ahead.backend.service.ids.next("request"),
    event: ahead.backend.service.ids.next("event"),
  };
  const last = { secret: `sec_${"v".repeat(26)}`, request: `req_${"v".repeat(26)}`, event: `evt_${"v".repeat(26)}` };
  for (const { path, pointer } of [...lists(later), ...lists(last)]) {
    expect((await call("GET", path)).json).toMatchObject({
      status: 422,
      code: "schema_mismatch",
      errors: [{ pointer, code: "range" }],
    });
  }
  server.backend.clock.advance(MINUTE);
  for (const { path } of lists(later).slice(0, 3)) expect((await call("GET", path)).status).toBe(200);
});
