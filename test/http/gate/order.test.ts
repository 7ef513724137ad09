import { expect, test } from "bun:test";
import { startTestServer } from "../../support/server.ts";

const GOOD = { envelope: { version: 1, ciphertext: "fake-local-test-only" } };
const KEY = "hak_000000000000000000000000000000000zq7ma";

/** A call whose faults are corrected one by one. */
interface Attempt {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly credential: "none" | "wrong" | "spent" | "narrow" | "good";
  readonly type: string;
  readonly body: string;
}

/** Every fault at once. */
const FAULTY: Attempt = {
  method: "PUT",
  path: "/api/v1/nowhere",
  query: `?key=x&expires_in=1`,
  credential: "none",
  type: "text/plain",
  body: JSON.stringify({ envelope: { version: 1, ciphertext: "a".repeat(70_000) } }),
};

const large = (ciphertext: string) => JSON.stringify({ envelope: { version: 1, ciphertext } });

/** The refusals in their order, each with the correction of its fault: contract, section 8. */
const MENDINGS: readonly (readonly [code: string, mend: Partial<Attempt>])[] = [
  ["not_found", { path: "/api/v1/secrets" }],
  ["method_not_allowed", { method: "POST" }],
  ["credential_in_query", { query: "?expires_in=1" }],
  ["credential_missing", { credential: "wrong" }],
  ["credential_invalid", { credential: "spent" }],
  ["rate_limited", { credential: "narrow" }],
  ["insufficient_scope", { credential: "good" }],
  ["unsupported_media_type", { type: "application/json" }],
  ["payload_too_large", { body: '{"envelope":' }],
  ["malformed_json", { body: large("prose is no ciphertext") }],
  ["schema_mismatch", { query: "" }],
  ["schema_mismatch", { body: large("a".repeat(65_537)) }],
  ["payload_too_large", { body: JSON.stringify(GOOD) }],
];

test("of all faults the first in the contract's order is reported, and the next once it is corrected", async () => {
  await using server = await startTestServer({
    policy: { maxCiphertextBytes: 65_536, callsPerSecond: 1, callBurst: 100 },
  });
  const tokens = {
    none: undefined,
    wrong: KEY,
    spent: (await server.backend.mint({ scopes: ["events:read"] })).token,
    narrow: (await server.backend.mint({ scopes: ["events:read"] })).token,
    good: (await server.backend.mint()).token,
  };
  // Calls without the scope count like any other.
  for (let n = 0; n < 100; n++) {
    const { json } = await server.call("GET", "/api/v1/secrets", { token: tokens.spent });
    expect(json.code).toBe("insufficient_scope");
  }
  let attempt = FAULTY;
  const told: string[] = [];
  const send = async () => {
    const { method, path, query, credential, type, body } = attempt;
    const token = tokens[credential];
    return server.call(method, path + query, {
      headers: { "content-type": type },
      body,
      ...(token === undefined ? {} : { token }),
    });
  };
  for (const [, mend] of MENDINGS) {
    told.push((await send()).json.code);
    attempt = { ...attempt, ...mend };
  }
  expect(told).toEqual(MENDINGS.map(([code]) => code));
  expect((await send()).status).toBe(201);
});

test("a submission is checked in the same order, and for the state of its request last", async () => {
  await using server = await startTestServer({ policy: { maxCiphertextBytes: 65_536 } });
  const { token } = await server.backend.mint();
  const ask = async () =>
    (
      await server.call("POST", "/api/v1/requests", {
        token,
        body: { recipient: "age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p" },
      })
    ).json;
  const [own, other] = [await ask(), await ask()];
  await server.call("PATCH", `/api/v1/requests/${own.id}`, { token, body: { state: "paused" } });
  const send = async (id: string, by: string, type: string, body: string) =>
    (
      await server.call("POST", `/api/v1/requests/${id}/submissions`, {
        token: by,
        headers: { "content-type": type },
        body,
      })
    ).json.code;
  const codes = [
    await send("Nobody", token, "text/plain", "{"),
    await send(own.id, token, "text/plain", "{"),
    await send(other.id, own.submit_token, "text/plain", "{"),
    await send(own.id, own.submit_token, "text/plain", "{"),
    await send(own.id, own.submit_token, "application/json", "{"),
    await send(own.id, own.submit_token, "application/json", "{}"),
    await send(own.id, own.submit_token, "application/json", JSON.stringify(GOOD)),
  ];
  expect(codes).toEqual([
    "not_found",
    "insufficient_scope",
    "not_found",
    "unsupported_media_type",
    "malformed_json",
    "schema_mismatch",
    "request_paused",
  ]);
});

test("below /app the origin of a call is checked before its path and method", async () => {
  await using server = await startTestServer();
  const codeOf = async (method: string, path: string, headers: Readonly<Record<string, string>>) =>
    (await server.call(method, path, { headers })).json.code;
  const foreign = { "sec-fetch-site": "cross-site" };
  const own = { "sec-fetch-site": "same-origin" };
  expect(await codeOf("PUT", "/app/nowhere?key=x", foreign)).toBe("invalid_header");
  expect(await codeOf("PUT", "/app/nowhere?key=x", own)).toBe("not_found");
  expect(await codeOf("PUT", "/app/secrets?key=x", own)).toBe("method_not_allowed");
  expect(await codeOf("POST", "/app/secrets?key=x", own)).toBe("credential_in_query");
  expect(await codeOf("POST", "/app/secrets", own)).toBe("credential_missing");
  // A read needs no origin.
  expect(await codeOf("GET", "/app/secrets", {})).toBe("credential_missing");
  expect(await codeOf("POST", "/app/secrets", {})).toBe("invalid_header");
});
