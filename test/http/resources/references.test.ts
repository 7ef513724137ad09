import { expect, test } from "bun:test";
import { startTestServer } from "../../support/server.ts";

const RECIPIENT = "age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p";
const ENVELOPE = { envelope: { version: 1, ciphertext: "fake-local-test-only" } };
const DAY = 86_400_000;

async function setUp() {
  const server = await startTestServer();
  const { token } = await server.backend.mint();
  const call = async (method: string, path: string, body?: unknown, more = {}) =>
    server.call(method, `/api/v1${path}`, { token, ...(body === undefined ? {} : { body }), ...more });
  return {
    server,
    call,
    send: async (query: string, headers = {}) => call("POST", `/secrets${query}`, ENVELOPE, { headers }),
    ask: async (query: string) => call("POST", `/requests${query}`, { recipient: RECIPIENT }),
    ids: async (path: string): Promise<string[]> =>
      (await call("GET", path)).json.data.map(({ id }: { id: string }) => id),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

test("a sender's ticket is in the metadata, in lists by ticket, and in events, until the end", async () => {
  await using place = await setUp();
  const { json: secret } = await place.send("?reference=OPS-4711");
  const { json: plain } = await place.send("");
  expect([secret.reference, plain.reference]).toEqual(["OPS-4711", null]);
  await place.call("POST", `/secrets/${secret.id}/claim`);
  expect((await place.call("GET", `/secrets/${secret.id}`)).json).toMatchObject({
    state: "claimed",
    reference: "OPS-4711",
  });
  expect(await place.ids("/secrets?reference=OPS-4711")).toEqual([secret.id]);
  expect(await place.ids("/secrets?reference=OPS-4711&state=available")).toEqual([]);
  expect(await place.ids("/secrets?reference=OPS-471")).toEqual([]);
  const { json: events } = await place.call("GET", "/events");
  const told = events.data.map(({ type, secret_id: id, reference }: Record<string, unknown>) => [type, id, reference]);
  expect(told).toEqual([
    ["secret.created", secret.id, "OPS-4711"],
    ["secret.created", plain.id, null],
    ["secret.claimed", secret.id, "OPS-4711"],
  ]);
  place.server.backend.clock.advance(40 * DAY);
  while (await place.server.backend.service.store.sweep(100));
  expect(await place.ids("/secrets?reference=OPS-4711")).toEqual([]);
  const old = (await place.call("GET", "/events")).json.data.filter((each: { reference: unknown }) => each.reference);
  expect(old).toEqual([]);
});

test("a submission has its request's ticket, which neither its sender nor a holder of a link sees", async () => {
  await using place = await setUp();
  const { json: request } = await place.ask("?reference=OPS-4711");
  const submitter = { token: request.submit_token };
  const invitation = await place.server.call("GET", `/api/v1/requests/${request.id}/invitation`, submitter);
  const receipt = await place.call("POST", `/requests/${request.id}/submissions`, ENVELOPE, submitter);
  expect(JSON.stringify([invitation.json, receipt.json])).not.toContain("OPS");
  const { secret_id: id } = receipt.json;
  expect(request.reference).toBe("OPS-4711");
  expect((await place.call("GET", `/secrets/${id}`)).json.reference).toBe("OPS-4711");
  expect((await place.call("GET", `/requests/${request.id}`)).json.reference).toBe("OPS-4711");
  expect(await place.ids("/secrets?reference=OPS-4711")).toEqual([id]);
  expect(await place.ids("/requests?reference=OPS-4711")).toEqual([request.id]);
  expect(await place.ids("/requests?reference=OPS-4712")).toEqual([]);
  const { json: events } = await place.call("GET", "/events");
  expect(events.data.map(({ reference }: { reference: unknown }) => reference)).toEqual(Array(3).fill("OPS-4711"));

  const { json: secret } = await place.send("?reference=OPS-1");
  const holder = { token: secret.claim_token };
  const seen = await place.server.call("GET", `/api/v1/secrets/${secret.id}`, holder);
  const claimed = await place.server.call("POST", `/api/v1/secrets/${secret.id}/claim`, holder);
  expect([seen.json.reference, claimed.json.secret.reference]).toEqual([null, null]);
  expect(place.server.logs.length).toBeGreaterThan(5);
  expect(place.server.logs.filter((line) => line.includes("OPS-"))).toEqual([]);
});

test("a repetition has to name the same ticket", async () => {
  await using place = await setUp();
  const again = { "idempotency-key": "key" };
  const first = await place.send("?reference=OPS-4711", again);
  const second = await place.send("?reference=OPS-4711", again);
  expect(second.json).toEqual(first.json);
  for (const query of ["", "?reference=OPS-4712"]) {
    expect(await place.send(query, again)).toMatchObject({ status: 409, json: { code: "idempotency_conflict" } });
  }
});

test("an invalid ticket is refused everywhere, and never quoted", async () => {
  await using place = await setUp();
  const texts = [
    "",
    "OPS",
    "OPS-",
    "-4711",
    "4711",
    "4-4711",
    "OPS-4711-1",
    "OPS 4711",
    "OPS_4711",
    "OPS-47x1",
    "OPS-4711\n",
    "\nOPS-4711",
    "OPS-4711\u0000",
    "OPS-%",
    "%-1",
    "'; DROP TABLE secrets; --",
    '{"a":1}',
    "ÄÖÜ-1",
    "OPS-\u0661\u0662",
    "\u202eOPS-1",
    "O\u200bPS-1",
    "🎫-1",
    "A2345678901234567-1",
    "OPS-1234567890",
    "x".repeat(1000),
  ];
  for (const text of texts) {
    const query = `?reference=${encodeURIComponent(text)}`;
    const answers = [
      await place.send(query),
      await place.ask(query),
      await place.call("GET", `/secrets${query}`),
      await place.call("GET", `/requests${query}`),
    ];
    for (const { status, json } of answers) {
      expect([text, status, json.code, json.errors]).toEqual([
        text,
        422,
        "schema_mismatch",
        [{ pointer: "/query/reference", code: /^\d+$/.test(text) ? "type" : "format" }],
      ]);
    }
  }
  for (const query of ["?reference=OPS-1&reference=OPS-2", "?Reference=OPS-1"]) {
    expect((await place.send(query)).json.code).toBe("schema_mismatch");
  }
  // A key is detected before anything else is checked.
  const { token } = await place.server.backend.mint({ scopes: ["events:read"] });
  expect((await place.send(`?reference=${token}`)).json.code).toBe("credential_in_query");
  expect(await place.ids("/secrets")).toEqual([]);
  for (const longest of ["A-1", "A234567890123456-123456789"]) {
    expect((await place.send(`?reference=${longest}`)).json.reference).toBe(longest);
  }
});
