import { expect, test } from "bun:test";
import { deleteIdentity } from "../../../src/domain/identities.ts";
import { parseTrustedProxies } from "../../../src/http/gate/addresses.ts";
import { startTestServer } from "../../support/server.ts";

const MINUTE = 60_000;
const BODY = { envelope: { version: 1, ciphertext: "fake-local-test-only" } };

/** A server that logs addresses, whose time goes on by a minute before each call. */
async function setUp() {
  const server = await startTestServer({
    http: { logAddresses: true, trustedProxies: parseTrustedProxies(["127.0.0.1"]) },
  });
  const { backend } = server;
  const { token, key } = await backend.mint();
  const call = async (method: string, path: string, as: string, body?: unknown) => {
    backend.clock.advance(MINUTE);
    return server.call(method, `/api/v1${path}`, { token: as, body, headers: { "x-forwarded-for": "203.0.113.7" } });
  };
  return {
    server,
    backend,
    token,
    identity: key.identity,
    call,
    send: async (query = "", as = token) => (await call("POST", `/secrets${query}`, as, BODY)).json,
    audit: (query = "", as = token) => server.call("GET", `/api/v1/audit${query}`, { token: as }),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

test("a line says what happened, with the name of its actor, and the network", async () => {
  await using place = await setUp();
  const { id, claim_token: link } = await place.send("?reference=OPS-1");
  await place.call("POST", `/secrets/${id}/claim`, link);
  const { json, status } = await place.audit();
  const time = expect.stringMatching(/^20\d\d-\d\d-\d\dT/);
  const of = { secret_id: id, request_id: null, reference: "OPS-1", address: null, proof: null, ask: null };
  const { id: identity, name } = place.identity;
  const common = { ...of, time, network: "203.0.113.7", id: expect.stringMatching(/^evt_/) };
  expect({ status, json }).toEqual({
    status: 200,
    json: {
      data: [
        { ...common, type: "secret.created", actor: "api_key", identity, name },
        { ...common, type: "secret.claimed", actor: "link", identity: null, name: null },
      ],
      next_cursor: null,
    },
  });
  await deleteIdentity(place.backend.service, { team: "team", nameOrId: name });
  const other = (await place.backend.mint()).token;
  expect((await place.audit("", other)).json.data[0]).toMatchObject({ identity, name: null });
});

test("the refusal of a key has the network that it came from", async () => {
  await using place = await setUp();
  const { token } = await place.backend.mint({ networks: ["10.0.0.0/8"] });
  expect((await place.call("GET", "/secrets", token)).status).toBe(401);
  // A write behind it in the log.
  await place.send();
  expect((await place.audit()).json.data[0]).toMatchObject({ type: "key.refused", network: "203.0.113.7" });
});

test("only the lines of one's own team are read, and only with the scope for it", async () => {
  await using place = await setUp();
  await place.send();
  const elsewhere = await place.backend.mint({ team: "elsewhere" });
  expect((await place.audit("", elsewhere.token)).json).toEqual({ data: [], next_cursor: null });
  const blind = await place.backend.mint({ scopes: ["secrets:create", "secrets:read"] });
  expect((await place.audit("", blind.token)).json).toMatchObject({ status: 403, code: "insufficient_scope" });
});

test("the lines between two times come page by page, each once", async () => {
  await using place = await setUp();
  for (let count = 0; count < 7; count++) await place.send();
  const all = (await place.audit()).json.data;
  const times = all.map(({ time }: { time: string }) => time);
  // The beginning belongs to it, and the end does not.
  const range = `since=${times[1]}&until=${times[6]}`;
  const read: unknown[] = [];
  const sizes: number[] = [];
  for (let cursor = ""; ;) {
    const { json } = await place.audit(`?${range}&limit=2${cursor && `&cursor=${cursor}`}`);
    read.push(...json.data);
    sizes.push(json.data.length);
    if (json.next_cursor === null) break;
    cursor = json.next_cursor;
  }
  expect(read).toEqual(all.slice(1, 6));
  expect(Math.max(...sizes)).toBe(2);
});

test.each([
  ["since=2026-02-31T00:00:00Z", "/query/since", "format"],
  ["until=yesterday", "/query/until", "format"],
  ["since=2026-11-21T00:00:00%2B01:00", "/query/since", "format"],
  ["limit=1001", "/query/limit", "range"],
  ["cursor=evt_7vvvvvvvvvvvvvvvvvvvvvvvvv", "/query/cursor", "range"],
  ["wait=5", "/query", "unexpected"],
])("%s is refused", async (query, pointer, code) => {
  await using place = await setUp();
  const { json } = await place.audit(`?${query}`);
  expect(json).toMatchObject({ status: 422, code: "schema_mismatch", errors: [{ pointer, code }] });
});
