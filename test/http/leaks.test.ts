import { expect, test } from "bun:test";
import { MARKER, SCENARIOS } from "../support/gate-scenarios.ts";
import { startTestServer } from "../support/server.ts";
import type { Answer } from "../support/server.ts";

const RECIPIENT = "age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p";
const CIPHERTEXT = "ciphertext-of-the-leak-test";

test("no log line, error or database file contains a secret", async () => {
  await using server = await startTestServer({ policy: { maxCiphertextBytes: 65_536 } });
  const { token } = await server.backend.mint();
  const { token: narrow } = await server.backend.mint({ scopes: ["events:read"] });
  const answers: Answer[] = [];
  const call = async (...[method, path, options]: Parameters<typeof server.call>) => {
    const answer = await server.call(method, path, options);
    answers.push(answer);
    return answer;
  };
  const idempotent = { "idempotency-key": `idempotency-${MARKER}` };
  const body = { envelope: { version: 1, ciphertext: CIPHERTEXT } };

  const created = await call("POST", "/api/v1/secrets?expires_in=61&max_claims=2", {
    token,
    body,
    headers: idempotent,
  });
  const { id, claim_token: claimToken } = created.json;
  await call("GET", `/api/v1/secrets/${id}`, { token: claimToken });
  await call("POST", `/api/v1/secrets/${id}/claim`, { token: claimToken, headers: idempotent });
  await call("POST", `/api/v1/secrets/${id}/acknowledgement`, { token: claimToken, headers: idempotent });
  await call("DELETE", `/api/v1/secrets/${id}`, { token });
  await call("POST", `/api/v1/secrets/${id}/claim`, { token });
  const sealed = { version: 1, ciphertext: `${CIPHERTEXT}-of-a-note` };
  const asked = await call("POST", "/api/v1/requests", {
    token,
    body: { recipient: RECIPIENT, note: sealed },
    headers: idempotent,
  });
  const { id: request, submit_token: submitToken } = asked.json;
  const link = { token: submitToken };
  await call("GET", `/api/v1/requests/${request}/invitation`, link);
  await call("POST", `/api/v1/requests/${request}/submissions`, {
    ...link,
    body: { envelope: { ...body.envelope, [MARKER]: 1 } },
  });
  const handedIn = await call("POST", `/api/v1/requests/${request}/submissions`, {
    ...link,
    body,
    headers: idempotent,
  });
  await call("POST", `/api/v1/requests/${request}/submissions`, { ...link, body });
  await call("PATCH", `/api/v1/requests/${request}`, { token, body: { state: "paused" } });
  await call("POST", `/api/v1/secrets/${handedIn.json.secret_id}/claim`, { token });
  await call("GET", `/api/v1/requests/${request}`, { token });
  await call("DELETE", `/api/v1/requests/${request}`, { token });
  await call("GET", `/api/v1/credential`, { token: narrow });
  await call("GET", `/api/v1/secrets`, { token: narrow });
  await call("GET", `/api/v1/secrets?access_token=${token}`, { token });
  for (const { method = "GET", path = "/", headers, body: bad, token: none } of SCENARIOS) {
    const credential = none === null || headers?.["authorization"] ? {} : { token };
    await call(method, path, { ...credential, ...(headers ? { headers } : {}), body: bad });
  }
  for (const { headers, json } of answers) await server.lineOf(headers.get("x-request-id") ?? json.request_id);

  const tokens: string[] = [token, narrow, claimToken, submitToken];
  const secrets = [...tokens, ...tokens.map((each) => each.slice(4, 36)), MARKER, CIPHERTEXT];
  const tales = [...secrets, "expires_in=61", "access_token", '"envelope"'];
  const refusals = answers.filter(({ status }) => status >= 400).map(({ text }) => text);
  expect(server.logs).toHaveLength(answers.length);
  expect(refusals.length).toBeGreaterThan(SCENARIOS.length);
  for (const tale of tales) {
    expect(server.logs.filter((line) => line.includes(tale))).toEqual([]);
    expect(refusals.filter((text) => text.includes(tale))).toEqual([]);
  }
  await server.backend.reopen();
  for (const secret of secrets) {
    expect({ secret, isHeld: await server.backend.storage.holds(secret) }).toEqual({ secret, isHeld: false });
  }
}, 30_000);

test("an unforeseen error is logged with its place and without its message, even during authentication", async () => {
  await using server = await startTestServer();
  const { token } = await server.backend.mint();
  const fail = () => Promise.reject(new Error(`quoted input ${MARKER}`));
  const { store } = server.backend.service;
  for (const [method, broken] of [
    ["GET", { listSecrets: fail }],
    ["POST", { findKeyByHash: fail }],
  ] as const) {
    Object.assign(store, broken);
    const body = method === "POST" ? { body: {} } : {};
    const answer = await server.call(method, "/api/v1/secrets", { token, ...body });
    expect(answer.json).toMatchObject({ status: 500, code: "internal" });
    expect(answer.headers.get("retry-after")).toBe("5");
    const id = answer.json.request_id;
    await server.lineOf(id);
    const failure = server.logs.find((line) => line.includes('"failure"') && line.includes(id));
    expect(failure).toContain("leaks.test.ts");
    expect(JSON.parse(failure ?? "")).toMatchObject({ route: "/api/v1/secrets" });
    expect(server.logs.join("\n") + answer.text).not.toContain(MARKER);
  }
});
