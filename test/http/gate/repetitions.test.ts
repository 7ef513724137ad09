import { expect, test } from "bun:test";
import { createAgeIdentity } from "../../../src/crypto/age-identities.ts";
import { startTestServer } from "../../support/server.ts";
import type { Answer } from "../../support/server.ts";

const { recipient } = await createAgeIdentity("x25519");
const ENVELOPE = { version: 1, ciphertext: "fake-local-test-only" };
const BODY = { envelope: ENVELOPE };

/** One call of each POST, with the resources that it needs. */
async function postsOf(server: Awaited<ReturnType<typeof startTestServer>>) {
  const { token } = await server.backend.mint();
  const post = (path: string, body: unknown, by = token) => {
    return (key: string | undefined, other = body) =>
      server.call("POST", `/api/v1${path}`, {
        token: by,
        ...(other === undefined ? {} : { body: other }),
        headers: key === undefined ? {} : { "idempotency-key": key },
      });
  };
  const { id } = (await post("/secrets", BODY)(undefined)).json;
  const asked = (await post("/requests?max_submissions=5", { recipient })(undefined)).json;
  return {
    create: post("/secrets", BODY),
    ask: post("/requests", { recipient }),
    submit: post(`/requests/${asked.id}/submissions`, BODY, asked.submit_token),
    claim: post(`/secrets/${id}/claim`, undefined),
    acknowledge: post(`/secrets/${id}/acknowledgement`, undefined),
  };
}

const isReplay = ({ headers }: Answer) => headers.get("idempotency-replayed");

test("every POST marks an answer that was given before", async () => {
  await using server = await startTestServer();
  const posts = await postsOf(server);
  for (const [name, post] of Object.entries(posts)) {
    const first = await post("key");
    expect({ name, status: first.status, replay: isReplay(first) }).toEqual({
      name,
      status: { claim: 200, acknowledge: 204 }[name] ?? 201,
      replay: null,
    });
    // The claim is repeated before its acknowledgement, which ends it.
    const second = await post("key");
    expect({ name, replay: isReplay(second), text: second.text }).toEqual({ name, replay: "true", text: first.text });
  }
  const other = { envelope: { ...ENVELOPE, ciphertext: "another" } };
  for (const post of [posts.create, posts.submit]) {
    const refused = await post("key", other);
    expect(refused.json).toMatchObject({ status: 409, code: "idempotency_conflict" });
    expect(isReplay(refused)).toBeNull();
    expect(isReplay(await post(undefined))).toBeNull();
  }
});

test("a repetition gets the first answer, whatever the server accepts by now", async () => {
  await using server = await startTestServer();
  const { create, ask, submit } = await postsOf(server);
  for (const post of [create, ask, submit]) {
    const first = await post("key");
    const { policy } = server.backend.service;
    const before = { ...policy };
    Object.assign(policy, { requireEncrypted: true, maxCiphertextBytes: 1, maxTtlSeconds: 60, teamQuotaBytes: 1 });
    const second = await post("key");
    expect({ status: second.status, text: second.text, replay: isReplay(second) }).toEqual({
      status: 201,
      text: first.text,
      replay: "true",
    });
    Object.assign(policy, before);
  }
});

test("a late acknowledgement is no repetition, a second one is", async () => {
  await using server = await startTestServer();
  const { claim, acknowledge } = await postsOf(server);
  await claim("key");
  server.backend.clock.advance(600_000);
  expect(isReplay(await acknowledge("key"))).toBeNull();
  expect(isReplay(await acknowledge("key"))).toBe("true");
});

test("pages of other origins can read whether an answer was given before", async () => {
  await using server = await startTestServer({ http: { corsOrigins: ["https://app.example"] } });
  const answer = await server.call("GET", "/api/v1/credential", { headers: { origin: "https://app.example" } });
  expect(answer.headers.get("access-control-expose-headers")).toContain("Idempotency-Replayed");
});
