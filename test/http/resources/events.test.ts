import { expect, test } from "bun:test";
import { createAgeIdentity } from "../../../src/crypto/age-identities.ts";
import { deleteIdentity } from "../../../src/domain/identities.ts";
import { invitePerson, removePerson } from "../../../src/domain/signing-in/persons.ts";
import { startTestServer } from "../../support/server.ts";

const BODY = { envelope: { version: 1, ciphertext: "fake-local-test-only" } };
const OWN = { "sec-fetch-site": "same-origin" };
const { recipient: RECIPIENT } = await createAgeIdentity("x25519");

async function setUp() {
  const server = await startTestServer();
  const { service } = server.backend;
  const { key, token } = await server.backend.mint();
  const { token: link, person } = await invitePerson(service, { team: "team", address: "ann@example.com" });
  const signedIn = await server.call("POST", "/app/session", { body: { sign_in_token: link }, headers: OWN });
  const cookie = (signedIn.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
  return {
    server,
    service,
    token,
    automation: key.identity.id,
    person: person.id,
    byKey: async (method: string, path: string, body?: unknown) =>
      (await server.call(method, `/api/v1${path}`, { token, body })).json,
    byAnn: async (method: string, path: string, body?: unknown) =>
      (await server.call(method, `/app${path}`, { body, headers: { cookie, ...OWN } })).json,
    /** Type, actor and identity of every event. */
    actors: async () => {
      const { data } = (await server.call("GET", "/api/v1/events?limit=100", { token })).json;
      return data.map((event: Record<string, unknown>) => [event["type"], event["actor"], event["identity"]]);
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

test("an event says whether a key, a person or the link caused it, and an expiry has no actor", async () => {
  await using place = await setUp();
  const { server, byKey, byAnn } = place;
  const sent = await byKey("POST", "/secrets?max_claims=3&expires_in=60", BODY);
  await byKey("POST", `/secrets/${sent.id}/claim`);
  await byAnn("POST", `/secrets/${sent.id}/claim`);
  await server.call("POST", `/api/v1/secrets/${sent.id}/claim`, { token: sent.claim_token });
  const own = await byAnn("POST", "/secrets?expires_in=60", BODY);
  await byKey("DELETE", `/secrets/${own.id}`);
  await byKey("POST", "/secrets?expires_in=60", BODY);
  server.backend.clock.advance(60_000);
  await place.service.store.sweep(10);
  const key = { kind: "api_key", id: place.automation, address: null };
  const person = { kind: "person", id: place.person, address: null };
  const link = { kind: "link", id: null, address: null };
  expect(await place.actors()).toEqual([
    ["person.signed_in", person, person.id],
    ["secret.created", key, key.id],
    ["secret.claimed", key, key.id],
    ["secret.claimed", person, person.id],
    ["secret.claimed", link, null],
    ["secret.created", person, person.id],
    ["secret.revoked", key, key.id],
    ["secret.created", key, key.id],
    ["secret.expired", null, null],
  ]);
});

test("a submission came through the link, and the request's fulfillment names no holder of a link", async () => {
  await using place = await setUp();
  const asked = await place.byAnn("POST", "/requests", { recipient: RECIPIENT });
  const path = `/api/v1/requests/${asked.id}/submissions`;
  await place.server.call("POST", path, { token: asked.submit_token, body: BODY });
  const ann = { kind: "person", id: place.person, address: null };
  expect(await place.actors()).toEqual([
    ["person.signed_in", ann, ann.id],
    ["request.created", ann, ann.id],
    ["secret.created", { kind: "link", id: null, address: null }, null],
    ["request.fulfilled", null, null],
  ]);
});

test("events keep the kind of actor after its identity is deleted or its person removed", async () => {
  await using place = await setUp();
  await place.byAnn("POST", "/secrets", BODY);
  await place.byKey("POST", "/secrets", BODY);
  const { token } = await place.server.backend.mint();
  await deleteIdentity(place.service, { nameOrId: place.automation, team: undefined });
  await removePerson(place.service, { nameOrId: place.person, team: undefined });
  const { data } = (await place.server.call("GET", "/api/v1/events", { token })).json;
  const [ann, robot] = [
    { kind: "person", id: place.person, address: null },
    { kind: "api_key", id: place.automation, address: null },
  ];
  expect(data.map(({ type, actor }: { type: unknown; actor: unknown }) => [type, actor])).toEqual([
    ["person.signed_in", ann],
    ["secret.created", ann],
    ["secret.created", robot],
    ["person.signed_out", ann],
  ]);
});

test("a secret's events are visible to its team's readers, and without names to its link's holder", async () => {
  await using place = await setUp();
  const { server, byKey, token } = place;
  const path = "/secrets?max_claims=2&reference=OPS-4711";
  const sent = await byKey("POST", path, BODY);
  const other = await byKey("POST", path, BODY);
  await byKey("POST", `/secrets/${sent.id}/claim`);
  await server.call("POST", `/api/v1/secrets/${sent.id}/claim`, { token: sent.claim_token });
  await server.call("POST", `/api/v1/secrets/${other.id}/claim`, { token: other.claim_token });
  const eventsAs = (credential: string) =>
    server.call("GET", `/api/v1/secrets/${sent.id}/events`, { token: credential });
  const { data: log } = (await server.call("GET", "/api/v1/events", { token })).json;
  const own = log.filter(({ secret_id: id }: { secret_id: string }) => id === sent.id);
  expect(own).toHaveLength(3);
  expect((await eventsAs(token)).json).toEqual({ data: own });
  expect((await place.byAnn("GET", `/secrets/${sent.id}/events`)).data).toEqual(own);
  for (const scope of ["secrets:read", "events:read"] as const) {
    const { token: reader } = await server.backend.mint({ scopes: [scope] });
    expect((await eventsAs(reader)).json).toEqual({ data: own });
  }
  const held = (await eventsAs(sent.claim_token)).json.data;
  expect(held.map(({ type, actor }: { type: string; actor: unknown }) => [type, actor])).toEqual([
    ["secret.created", { kind: "api_key", id: null, address: null }],
    ["secret.claimed", { kind: "api_key", id: null, address: null }],
    ["secret.claimed", { kind: "link", id: null, address: null }],
  ]);
  for (const text of [place.automation, "OPS-4711", "idn_"]) expect(JSON.stringify(held)).not.toContain(text);

  expect((await eventsAs(other.claim_token)).status).toBe(404);
  const { token: stranger } = await server.backend.mint({ team: "others" });
  expect((await eventsAs(stranger)).json).toMatchObject({ code: "not_found" });
  const { token: creator } = await server.backend.mint({ scopes: ["secrets:create"] });
  expect((await eventsAs(creator)).json).toMatchObject({ code: "insufficient_scope" });
});

test("a submission has a history too, and its holder learns nothing about the request", async () => {
  await using place = await setUp();
  const asked = await place.byAnn("POST", "/requests?reference=OPS-1", { recipient: RECIPIENT });
  const path = `/api/v1/requests/${asked.id}/submissions`;
  const { json } = await place.server.call("POST", path, { token: asked.submit_token, body: BODY });
  const { data } = await place.byAnn("GET", `/secrets/${json.secret_id}/events`);
  expect(data).toMatchObject([
    {
      type: "secret.created",
      request_id: asked.id,
      reference: "OPS-1",
      actor: { kind: "link", id: null, address: null },
    },
  ]);
});
