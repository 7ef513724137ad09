import { expect, test } from "bun:test";
import { createTeam } from "../../src/domain/keys.ts";
import { invitePerson } from "../../src/domain/persons.ts";
import { startTestServer } from "../support/server.ts";

const BODY = { envelope: { version: 1, ciphertext: "fake-local-test-only" } };
const OWN = { "sec-fetch-site": "same-origin" };
const DAY = 86_400_000;

async function setUp() {
  const server = await startTestServer();
  const { service } = server.backend;
  const { token: key } = await server.backend.mint();
  const invite = async (name = "ann", team = "team") => {
    if (!(await service.store.listTeams()).some((each) => each.name === team)) await createTeam(service, team);
    return invitePerson(service, { team, name });
  };
  const signIn = (token: string, headers: Record<string, string> = OWN) =>
    server.call("POST", "/app/session", { body: { sign_in_token: token }, headers });
  const cookieOf = (answer: { headers: Headers }) => (answer.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
  return {
    server,
    service,
    key,
    invite,
    signIn,
    /** Calls of somebody who has signed in. */
    session: async (name?: string, team?: string) => {
      const cookie = cookieOf(await signIn((await invite(name, team)).token));
      return (method: string, path: string, body?: unknown, headers: Record<string, string> = OWN) =>
        server.call(method, `/app${path}`, { body, headers: { cookie, ...headers } });
    },
    cookieOf,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

test("a sign-in link works once and for a day, and the session is a cookie that no script and no other site gets", async () => {
  await using place = await setUp();
  const { token } = await place.invite();
  const first = await place.signIn(token);
  expect(first).toMatchObject({ status: 200, json: { name: "ann", team: "team" } });
  expect(first.headers.get("set-cookie")).toMatch(
    /^__Host-handoff=hut_\w+; Path=\/; Secure; HttpOnly; SameSite=Strict; Max-Age=2592000$/,
  );
  expect(await place.signIn(token)).toMatchObject({ status: 401, json: { code: "credential_invalid" } });
  const late = await place.invite();
  place.server.backend.clock.advance(DAY);
  expect((await place.signIn(late.token)).json.code).toBe("credential_expired");
  expect((await place.signIn(place.key)).json.code).toBe("credential_invalid");
  // A session is no sign-in link, and a link no session.
  expect((await place.signIn(place.cookieOf(first).split("=")[1] ?? "")).json.code).toBe("credential_invalid");
  const { token: fresh } = await place.invite();
  const asCookie = await place.server.call("GET", "/app/credential", {
    headers: { cookie: `__Host-handoff=${fresh}`, ...OWN },
  });
  expect(asCookie.json.code).toBe("credential_invalid");
});

test("a person does what the team may do, and is seen to have done it", async () => {
  await using place = await setUp();
  const call = await place.session();
  expect((await call("GET", "/credential")).json).toMatchObject({ kind: "person", identity: { name: "ann" } });
  const created = await call("POST", "/secrets", BODY);
  expect(created).toMatchObject({ status: 201, json: { state: "available" } });
  expect(created.json.created_by).toMatch(/^idn_/);
  expect((await call("GET", "/secrets")).json.data).toHaveLength(1);
  expect((await call("DELETE", `/secrets/${created.json.id}`)).json.state).toBe("revoked");
  const other = await place.session("eve", "other");
  expect((await other("GET", `/secrets/${created.json.id}`)).status).toBe(404);
});

test("another site cannot have a browser act for a person, and a key is no session", async () => {
  await using place = await setUp();
  const call = await place.session();
  const foreign: Record<string, string>[] = [
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site" },
    { "sec-fetch-site": "none" },
    { origin: "https://evil.example" },
    {},
  ];
  for (const headers of foreign) {
    expect({ headers, ...(await call("POST", "/secrets", BODY, headers)).json }).toMatchObject({
      headers,
      code: "invalid_header",
    });
    expect({ headers, ...(await place.signIn((await place.invite()).token, headers)).json }).toMatchObject({
      headers,
      code: "invalid_header",
    });
  }
  // Browsers of before Fetch Metadata send their origin alone.
  expect((await call("POST", "/secrets", BODY, { origin: place.server.url })).status).toBe(201);
  expect((await place.server.call("GET", "/app/secrets", { headers: OWN })).json.code).toBe("credential_missing");
  expect((await place.server.call("GET", "/app/secrets", { token: place.key, headers: OWN })).json.code).toBe(
    "credential_invalid",
  );
  expect((await call("GET", "/secrets", undefined, { ...OWN, authorization: `Bearer ${place.key}` })).json.code).toBe(
    "credential_invalid",
  );
});

test("under /api/v1 people are strangers", async () => {
  await using place = await setUp();
  const signedIn = await place.signIn((await place.invite()).token);
  const cookie = place.cookieOf(signedIn);
  expect((await place.server.call("GET", "/api/v1/secrets", { headers: { cookie } })).json.code).toBe(
    "credential_missing",
  );
  const token = cookie.split("=")[1] ?? "";
  expect((await place.server.call("GET", "/api/v1/secrets", { token })).json.code).toBe("human_credential");
});

test("a session ends by signing out, by being signed out, by removal, and after 30 days", async () => {
  await using place = await setUp();
  const { store } = place.service;
  const stateOf = async (call: Awaited<ReturnType<typeof place.session>>) =>
    (await call("GET", "/credential")).json.code;
  const [out, signedOut, removed, old] = [
    await place.session("a"),
    await place.session("b"),
    await place.session("c"),
    await place.session("d"),
  ];
  for (const call of [out, signedOut, removed, old]) expect(await stateOf(call)).toBeUndefined();
  expect((await out("DELETE", "/session")).status).toBe(204);
  expect(await stateOf(out)).toBe("credential_invalid");
  const idOf = async (name: string) =>
    (await store.listIdentities(undefined)).find((each) => each.name === name)?.id ?? "";
  await store.deleteHumanTokensOf(await idOf("b"));
  expect(await stateOf(signedOut)).toBe("credential_invalid");
  await store.disableIdentity(await idOf("c"));
  expect(await stateOf(removed)).toBe("credential_invalid");
  place.server.backend.clock.advance(30 * DAY);
  expect(await stateOf(old)).toBe("credential_expired");
});

test("what lies under /app meets the same gate", async () => {
  await using place = await setUp();
  const call = await place.session();
  expect(await call("GET", "/nowhere")).toMatchObject({ status: 404 });
  expect(await call("PUT", "/secrets")).toMatchObject({ status: 405 });
  expect((await call("POST", "/secrets", { ...BODY, password: "x" })).json.code).toBe("plaintext_rejected");
  expect((await call("GET", "/secrets?nonsense=1")).json.code).toBe("schema_mismatch");
  expect((await call("GET", "/requests/req_069q6gv7k1rqf8a0c2m4e6g8io/invitation")).json.code).toBe(
    "insufficient_scope",
  );
  expect((await place.signIn("x".repeat(2000))).json.code).toBe("payload_too_large");
});
