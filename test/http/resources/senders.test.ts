import { expect, test } from "bun:test";
import { createAgeIdentity } from "../../../src/crypto/age-identities.ts";
import type { ServerPolicy } from "../../../src/domain/server-policies.ts";
import { invitePerson } from "../../../src/domain/signing-in/persons.ts";
import { startTestServer } from "../../support/server.ts";

const BODY = { envelope: { version: 1, ciphertext: "fake-local-test-only" } };
const OWN = { "sec-fetch-site": "same-origin" };
const ANN = { name: "Ann Lee", address: "ann@example.com", team: "team" };
const { recipient: RECIPIENT } = await createAgeIdentity("x25519");

async function setUp(policy: Partial<ServerPolicy> = {}) {
  const server = await startTestServer({ policy });
  const { service } = server.backend;
  const { token: key } = await server.backend.mint();
  const invite = (name?: string) => invitePerson(service, { team: "team", address: ANN.address, name });
  const { token, person } = await invite(ANN.name);
  const signedIn = await server.call("POST", "/app/session", { body: { sign_in_token: token }, headers: OWN });
  const cookie = (signedIn.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
  const byKey = (path: string, body: unknown = BODY) => server.call("POST", `/api/v1${path}`, { token: key, body });
  const byAnn = (path: string, body: unknown = BODY) =>
    server.call("POST", `/app${path}`, { body, headers: { cookie, ...OWN } });
  return {
    server,
    service,
    key,
    person,
    invite,
    signedIn,
    byKey,
    byAnn,
    /** The metadata of a secret for the holder of its claim token. */
    seen: async ({ id, claim_token: held }: { id: string; claim_token: string }, query = "") =>
      (await server.call("GET", `/api/v1/secrets/${id}${query}`, { token: held })).json,
    invitation: async ({ id, submit_token: held }: { id: string; submit_token: string }) =>
      (await server.call("GET", `/api/v1/requests/${id}/invitation`, { token: held })).json,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

test("the holder of a link sees which person sent the secret, before and with the claim", async () => {
  await using place = await setUp();
  const created = (await place.byAnn("/secrets")).json;
  expect(created).toMatchObject({ sender: null, created_by: place.person.id });
  for (const query of ["", "?wait=0"]) {
    expect(await place.seen(created, query)).toMatchObject({ sender: ANN, created_by: null, request_id: null });
  }
  const { server, key: token } = place;
  const member = await server.call("GET", `/api/v1/secrets/${created.id}`, { token });
  expect(member.json).toMatchObject({ sender: null, created_by: place.person.id });
  const list = await server.call("GET", "/api/v1/secrets", { token });
  expect(list.json.data).toMatchObject([{ id: created.id, sender: null, created_by: place.person.id }]);
  const claimed = await server.call("POST", `/api/v1/secrets/${created.id}/claim`, { token: created.claim_token });
  expect(claimed.json.secret).toMatchObject({ state: "claimed", sender: ANN, created_by: null });
  expect(await place.seen(created)).toMatchObject({ state: "claimed", sender: ANN });
});

test("a sender who asked to be anonymous is not named, nor is an automation", async () => {
  await using place = await setUp();
  for (const created of [
    await place.byAnn("/secrets?anonymous=true"),
    await place.byKey("/secrets"),
    await place.byKey("/secrets?anonymous=false"),
    await place.byKey("/secrets?anonymous=true"),
  ]) {
    expect(created.status).toBe(201);
    const seen = await place.seen(created.json);
    expect(seen).toMatchObject({ state: "available", sender: null, created_by: null });
    expect(JSON.stringify(seen)).not.toMatch(/ann@|Ann Lee|script|idn_/);
  }
  expect(await place.seen((await place.byAnn("/secrets?anonymous=false")).json)).toMatchObject({ sender: ANN });
  const body = { recipient: RECIPIENT };
  for (const asked of [await place.byAnn("/requests?anonymous=true", body), await place.byKey("/requests", body)]) {
    expect(await place.invitation(asked.json)).toMatchObject({ recipient: RECIPIENT, asked_by: null });
  }
  for (const path of [
    "/secrets?anonymous=yes",
    "/secrets?anonymous=1",
    "/secrets?anonymous=",
    "/requests?anonymous=no",
  ]) {
    const refused = await place.byAnn(path, path.startsWith("/secrets") ? BODY : body);
    expect({ path, ...refused.json }).toMatchObject({
      path,
      code: "schema_mismatch",
      errors: [{ pointer: "/query/anonymous", code: "type" }],
    });
  }
});

test("an invitation says which person asks, and the metadata of the request does not", async () => {
  await using place = await setUp();
  const asked = (await place.byAnn("/requests", { recipient: RECIPIENT })).json;
  expect(asked).not.toHaveProperty("asked_by");
  expect(await place.invitation(asked)).toEqual({
    recipient: RECIPIENT,
    note: null,
    expires_at: asked.expires_at,
    submissions_left: 1,
    asked_by: ANN,
    for: null,
  });
  const { server, key: token } = place;
  const path = `/api/v1/requests/${asked.id}`;
  expect((await server.call("GET", path, { token })).text).not.toContain("Ann Lee");
  // A submission has no sender.
  const handedIn = await server.call("POST", `${path}/submissions`, { token: asked.submit_token, body: BODY });
  const claimed = await server.call("POST", `/api/v1/secrets/${handedIn.json.secret_id}/claim`, { token });
  expect(claimed.json.secret).toMatchObject({ sender: null, created_by: null, request_id: asked.id });
});

test("a name is the person's current one, also after they were removed", async () => {
  await using place = await setUp();
  expect(place.signedIn.json).toEqual(ANN);
  const created = (await place.byAnn("/secrets?max_claims=2")).json;
  const { server, service } = place;
  await place.invite();
  expect(await place.seen(created)).toMatchObject({ sender: ANN });
  await place.invite("Ann Lee-Ruiz");
  expect(await place.seen(created)).toMatchObject({ sender: { ...ANN, name: "Ann Lee-Ruiz" } });
  await service.store.disableIdentity(place.person.id);
  expect(await place.seen(created)).toMatchObject({ sender: { ...ANN, name: "Ann Lee-Ruiz" } });
  for (const line of server.logs) expect(line).not.toMatch(/Ann|ann@/);
});

test("with senders turned off nobody is named, even for earlier secrets", async () => {
  await using place = await setUp();
  const created = (await place.byAnn("/secrets")).json;
  const asked = (await place.byAnn("/requests", { recipient: RECIPIENT })).json;
  const limits = async () =>
    (await place.server.call("GET", "/api/v1/credential", { token: created.claim_token })).json.limits;
  expect(await limits()).toMatchObject({ show_senders: true });
  Object.assign(place.service.policy, { showSenders: false });
  expect(await limits()).toMatchObject({ show_senders: false });
  expect(await place.seen(created)).toMatchObject({ sender: null });
  expect(await place.invitation(asked)).toMatchObject({ asked_by: null });
  expect(await place.seen((await place.byAnn("/secrets")).json)).toMatchObject({ sender: null });
});
