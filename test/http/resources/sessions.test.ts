import { expect, test } from "bun:test";
import type { ServerPolicy } from "../../../src/domain/server-policies.ts";
import { invitePerson } from "../../../src/domain/signing-in/persons.ts";
import { createTeam } from "../../../src/domain/teams.ts";
import { Refusal } from "../../../src/domain/values/errors.ts";
import { until } from "../../support/polls.ts";
import { startTestServer } from "../../support/server.ts";

const BODY = { envelope: { version: 1, ciphertext: "fake-local-test-only" } };
const OWN = { "sec-fetch-site": "same-origin" };
const DAY = 86_400_000;

async function setUp(policy: Partial<ServerPolicy> = {}) {
  const server = await startTestServer({ policy });
  const { service } = server.backend;
  const { token: key } = await server.backend.mint();
  const invite = async (name = "ann", team = "team") => {
    if (!(await service.store.listTeams()).some((each) => each.name === team)) await createTeam(service, team);
    return invitePerson(service, { team, address: name });
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
    /** Calls with a person's session. */
    session: async (name?: string, team?: string) => {
      const cookie = cookieOf(await signIn((await invite(name, team)).token));
      return (method: string, path: string, body?: unknown, headers: Record<string, string> = OWN) =>
        server.call(method, `/app${path}`, { body, headers: { cookie, ...headers } });
    },
    cookieOf,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

test("a sign-in link works once and for a day, and its cookie is out of reach of scripts and other sites", async () => {
  await using place = await setUp();
  const { token } = await place.invite();
  const first = await place.signIn(token);
  expect(first).toMatchObject({ status: 200, json: { name: null, address: "ann", team: "team" } });
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

test("findSession never fails, and an invalid session counts as a failed authentication", async () => {
  await using place = await setUp({ failedAuthenticationsPerMinute: 3 });
  const find = (cookie?: string, method = "GET") =>
    place.server.call(method, "/app/session", { headers: { ...OWN, ...(cookie ? { cookie } : {}) } });
  const call = await place.session();
  const elsewhere = await call("GET", "/session", undefined, { "sec-fetch-site": "cross-site" });
  expect(elsewhere.json.code).toBe("invalid_header");
  const credential = await call("GET", "/credential");
  expect(await call("GET", "/session")).toMatchObject({ status: 200, json: { credential: credential.json } });
  for (let count = 0; count < 5; count++)
    expect(await find()).toMatchObject({ status: 200, json: { credential: null } });
  expect((await find(undefined, "HEAD")).status).toBe(200);
  const { token } = await place.invite();
  const wrong = `__Host-handoff=${token}`;
  expect(await find(wrong)).toMatchObject({ status: 200, json: { credential: null } });
  expect((await find(wrong)).status).toBe(200);
  expect(await find(wrong)).toMatchObject({ status: 429, json: { code: "rate_limited" } });
  expect((await call("GET", "/session")).json.credential).toEqual(credential.json);
});

test("a sign-in whose answer is lost gets the same session again from the same browser, until it ends", async () => {
  await using place = await setUp();
  const { clock } = place.server.backend;
  const key = (name: string, cookie = "") => ({ ...OWN, "idempotency-key": name, cookie });
  const { token } = await place.invite();
  const first = await place.signIn(token, key("one"));
  expect(first.headers.get("idempotency-replayed")).toBeNull();
  const cookie = place.cookieOf(first);
  // Even if the cookie arrived, it is not the former session to end.
  for (const headers of [key("one"), key("one", cookie)]) {
    const again = await place.signIn(token, headers);
    expect(again).toMatchObject({ status: 200, json: first.json });
    expect([place.cookieOf(again), again.headers.get("idempotency-replayed")]).toEqual([cookie, "true"]);
  }
  const isSignedIn = async () =>
    (await place.server.call("GET", "/app/credential", { headers: { cookie, ...OWN } })).status === 200;
  expect(await isSignedIn()).toBe(true);
  // The link alone lets no other browser in.
  for (const headers of [OWN, key("two"), key("tw o"), key("One")]) {
    expect((await place.signIn(token, headers)).status).toBeGreaterThanOrEqual(400);
  }
  const { token: other } = await place.invite("bob");
  expect((await place.signIn(other, key("one"))).json).toMatchObject({ address: "bob" });
  // Two at the same time get one session.
  const { token: twice } = await place.invite("cid");
  const both = await Promise.all([place.signIn(twice, key("x")), place.signIn(twice, key("x"))]);
  expect(both.map(({ status }) => status)).toEqual([200, 200]);
  expect(new Set(both.map(place.cookieOf)).size).toBe(1);

  clock.advance(DAY - 1);
  expect((await place.signIn(token, key("one"))).status).toBe(200);
  clock.advance(1);
  expect((await place.signIn(token, key("one"))).json.code).toBe("credential_invalid");
  expect(await isSignedIn()).toBe(true);
});

test("repeating a sign-in does not restore a session that was ended, or a person who was removed", async () => {
  await using place = await setUp();
  const { store } = place.service;
  const headers = { ...OWN, "idempotency-key": "one" };
  const ends: readonly ((cookie: string, id: string) => Promise<unknown>)[] = [
    (cookie) => place.server.call("DELETE", "/app/session", { headers: { ...OWN, cookie } }),
    (_, id) => store.signOutPerson(id),
    (_, id) => store.disableIdentity(id),
  ];
  for (const end of ends) {
    const { token, person } = await place.invite();
    const answer = await place.signIn(token, headers);
    expect(answer.status).toBe(200);
    await end(place.cookieOf(answer), person.id);
    expect((await place.signIn(token, headers)).json.code).toBe("credential_invalid");
  }
});

test("a person may do what their team may, and events name them", async () => {
  await using place = await setUp();
  const call = await place.session();
  expect((await call("GET", "/credential")).json).toMatchObject({
    kind: "person",
    identity: { name: "ann" },
    person: { name: null, address: "ann", team: "team" },
  });
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
  // Browsers without Fetch Metadata send their origin only.
  expect((await call("POST", "/secrets", BODY, { origin: place.server.url })).status).toBe(201);
  expect((await place.server.call("GET", "/app/secrets", { headers: OWN })).json.code).toBe("credential_missing");
  expect((await place.server.call("GET", "/app/secrets", { token: place.key, headers: OWN })).json.code).toBe(
    "credential_invalid",
  );
  expect((await call("GET", "/secrets", undefined, { ...OWN, authorization: `Bearer ${place.key}` })).json.code).toBe(
    "credential_invalid",
  );
});

test("a session is no credential under /api/v1", async () => {
  await using place = await setUp();
  const signedIn = await place.signIn((await place.invite()).token);
  const cookie = place.cookieOf(signedIn);
  expect((await place.server.call("GET", "/api/v1/secrets", { headers: { cookie } })).json.code).toBe(
    "credential_missing",
  );
  const token = cookie.split("=")[1] ?? "";
  expect((await place.server.call("GET", "/api/v1/secrets", { token })).json.code).toBe("human_credential");
});

test("a session ends by signing out, by an admin, by removal, and after 30 days", async () => {
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
  await store.signOutPerson(await idOf("b"));
  expect(await stateOf(signedOut)).toBe("credential_invalid");
  await store.disableIdentity(await idOf("c"));
  expect(await stateOf(removed)).toBe("credential_invalid");
  place.server.backend.clock.advance(30 * DAY);
  expect(await stateOf(old)).toBe("credential_expired");
});

test("calls under /app pass the same gate", async () => {
  await using place = await setUp();
  const call = await place.session();
  expect(await call("GET", "/nowhere")).toMatchObject({ status: 404 });
  expect(await call("PUT", "/secrets")).toMatchObject({ status: 405 });
  expect((await call("POST", "/secrets", { ...BODY, password: "x" })).json.code).toBe("plaintext_rejected");
  expect((await call("GET", "/secrets?nonsense=1")).json.code).toBe("schema_mismatch");
  expect((await call("GET", "/requests/req_069q6gv7k1rqf8a0c2m4e6g8io/invitation")).json.code).toBe(
    "insufficient_scope",
  );
  expect((await place.signIn("x".repeat(20_000))).json.code).toBe("payload_too_large");
});

test("a newer sign-in link ends the earlier ones, and signing in again ends the former session", async () => {
  await using place = await setUp();
  const [first, second] = [await place.invite(), await place.invite()];
  expect((await place.signIn(first.token)).json.code).toBe("credential_invalid");
  const cookie = place.cookieOf(await place.signIn(second.token));
  const third = await place.invite();
  expect((await place.signIn(third.token, { ...OWN, cookie })).status).toBe(200);
  const former = await place.server.call("GET", "/app/credential", { headers: { cookie, ...OWN } });
  expect(former.json.code).toBe("credential_invalid");
});

test("a removed person's wait gets no answer, and a new link lets them in again", async () => {
  await using place = await setUp();
  const { store } = place.service;
  const call = await place.session();
  const waiting = call("GET", "/events?after=now&wait=30");
  await until(() => place.service.waits.waiting() > 0);
  const [ann] = (await store.listIdentities(undefined)).filter(({ kind }) => kind === "person");
  await store.disableIdentity(ann?.id ?? "");
  await place.server.call("POST", "/api/v1/secrets", { token: place.key, body: BODY });
  expect(await waiting).toMatchObject({ status: 401, json: { code: "credential_invalid" } });
  expect(await (await place.session())("GET", "/credential")).toMatchObject({ status: 200 });
  // Their former sessions stay ended.
  expect((await call("GET", "/credential")).json.code).toBe("credential_invalid");
});

test("a revoked key's wait gets no answer", async () => {
  await using place = await setUp();
  const { key, token } = await place.server.backend.mint();
  const waiting = place.server.call("GET", "/api/v1/events?after=now&wait=30", { token });
  await until(() => place.service.waits.waiting() > 0);
  await place.service.store.revokeKey(key.id);
  await place.server.call("POST", "/api/v1/secrets", { token: place.key, body: BODY });
  expect(await waiting).toMatchObject({ status: 401, json: { code: "credential_invalid" } });
});

test("lists can be limited to a person's own items, and events to new ones", async () => {
  await using place = await setUp();
  const call = await place.session();
  const mine = await call("POST", "/secrets", BODY);
  expect(mine.headers.get("location")).toBe(`/app/secrets/${mine.json.id}`);
  await place.server.call("POST", "/api/v1/secrets", { token: place.key, body: BODY });
  const me = (await call("GET", "/credential")).json.identity.id;
  const ids = async (path: string) => (await call("GET", path)).json.data.map(({ id }: { id: string }) => id);
  expect(await ids(`/secrets?created_by=${me}`)).toEqual([mine.json.id]);
  expect(await ids("/secrets")).toHaveLength(2);
  expect(await ids(`/requests?created_by=${me}`)).toEqual([]);
  // Another team's items are never listed, in any filter.
  const other = await place.session("eve", "other");
  for (const what of ["secrets", "requests"]) {
    expect((await other("GET", `/${what}?created_by=${me}`)).json.data).toEqual([]);
  }
  const start = await call("GET", "/events?after=now");
  expect(start.json.data).toEqual([]);
  const next = await call("POST", "/secrets", BODY);
  const { json } = await call("GET", `/events?after=${start.json.next_cursor}`);
  expect(json.data).toMatchObject([{ secret_id: next.json.id }]);
});

test("a call without a session is no failed authentication, and sign-ins are refused in the gate's order", async () => {
  await using place = await setUp({ failedAuthenticationsPerMinute: 20 });
  for (let count = 0; count < 25; count++) {
    const { status } = await place.server.call("GET", "/app/credential", { headers: OWN });
    expect(status).toBe(401);
  }
  const { token } = await place.invite();
  const put = await place.server.call("PUT", "/app/session", { headers: OWN });
  expect([put.status, put.headers.get("allow")]).toEqual([405, "POST, GET, DELETE, HEAD"]);
  expect((await place.server.call("PUT", `/app/session?token=${token}`, { headers: OWN })).status).toBe(405);
  const post = (path: string, type: string) =>
    fetch(place.server.url + path, {
      method: "POST",
      headers: { ...OWN, "content-type": type },
      body: JSON.stringify({ sign_in_token: token }),
    }).then((answer) => answer.status);
  // In the order of the contract: the method, a credential in the query, the type of the body.
  expect(await post(`/app/session?token=${token}`, "text/plain")).toBe(400);
  expect(await post("/app/session", "text/plain")).toBe(415);
  expect(await post(`/app/session?token=${token}`, "application/json")).toBe(400);
  expect(await post("/app/session", "application/json")).toBe(200);
});

test("failed sign-ins count by address, storage failures do not, and a valid link is always accepted", async () => {
  await using place = await setUp({ failedAuthenticationsPerMinute: 3 });
  const { store } = place.service;
  const link = (await place.invite()).token;
  const used = (await place.invite("bob")).token;
  await place.signIn(used);
  const { tradeSignIn } = store;
  store.tradeSignIn = () => Promise.reject(new Refusal("storage_unavailable"));
  for (let count = 0; count < 5; count++) {
    expect(await place.signIn(link)).toMatchObject({ status: 503, json: { code: "storage_unavailable" } });
  }
  store.tradeSignIn = tradeSignIn;
  const codes = [];
  for (const token of [used, place.key, "x", used, used]) codes.push((await place.signIn(token)).json.code);
  expect(codes).toEqual([...Array(3).fill("credential_invalid"), "rate_limited", "rate_limited"]);
  expect((await place.signIn(link)).status).toBe(200);
  expect((await place.server.call("GET", "/api/v1/credential", { token: "wrong" })).json.code).toBe("rate_limited");
  place.server.backend.clock.advance(60_000);
  expect((await place.signIn(used)).json.code).toBe("credential_invalid");
});

test("a session ends after its life, or unused; a page that only waits doesn't use it", async () => {
  const policy = { sessionLifetimeSeconds: 10 * (DAY / 1000), sessionIdleSeconds: 2 * (DAY / 1000) };
  await using place = await setUp(policy);
  const { clock } = place.server.backend;
  const used = await place.session();
  const waiting = await place.session();
  const stateOf = async (call: typeof used) => (await call("GET", "/credential")).json;
  const end = clock.now() + 10 * DAY;
  expect((await stateOf(used))["expires_at"]).toBe(new Date(clock.now() + 2 * DAY).toISOString());
  for (let day = 0; day < 9; day++) {
    if (day === 2) expect((await waiting("GET", "/events?wait=1&after=now")).json.code).toBe("credential_expired");
    if (day < 2) await waiting("GET", "/events?wait=1");
    if (day < 2) await waiting("GET", "/secrets", undefined, { ...OWN, "handoff-background": "1" });
    if (day < 2) await waiting("GET", "/session", undefined, { ...OWN, "handoff-background": "1" });
    // Uses are written behind their calls, in the order of all changes.
    await place.invite("bob");
    clock.advance(DAY);
    const answer = await stateOf(used);
    expect(answer["expires_at"]).toBe(new Date(Math.min(end, clock.now() + 2 * DAY)).toISOString());
  }
  clock.advance(DAY - 1);
  expect((await stateOf(used))["kind"]).toBe("person");
  clock.advance(1);
  expect((await stateOf(used)).code).toBe("credential_expired");
  expect((await place.session().then(stateOf))["kind"]).toBe("person");
});

test("a person sees their sessions, the last used first, and ends one, or all others", async () => {
  await using place = await setUp();
  const { clock } = place.server.backend;
  const agents = [
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0 Safari/537.36 Edg/141.0",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Safari/604.1",
    "<script>alert(1)</script>",
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/150.0.0.0 Safari/537.36",
  ];
  const cookies: string[] = [];
  for (const agent of agents) {
    const headers = { ...OWN, "user-agent": agent };
    cookies.push(place.cookieOf(await place.signIn((await place.invite()).token, headers)));
    clock.advance(60_000);
  }
  const bob = await place.session("bob");
  const call = (n: number, method: string, path: string) =>
    place.server.call(method, `/app${path}`, { headers: { ...OWN, cookie: cookies[n] ?? "" } });
  const list = async (n: number) =>
    (await call(n, "GET", "/sessions")).json["data"] as (Record<string, unknown> & { readonly id: string })[];
  const [used, fourth, third, second] = await list(0);
  expect([used, fourth, third, second]).toMatchObject([
    { way: "link", browser: "Edge", system: "Windows", is_current: true },
    { browser: "Chrome", system: "Linux", is_current: false },
    { browser: null, system: null, is_current: false },
    { browser: "Safari", system: "iPhone", is_current: false },
  ]);
  expect((await bob("DELETE", `/sessions/${second?.id}`)).json.code).toBe("not_found");
  expect((await call(0, "DELETE", `/sessions/${second?.id}`)).status).toBe(204);
  expect((await call(1, "GET", "/sessions")).json.code).toBe("credential_invalid");
  expect((await call(0, "DELETE", `/sessions/${second?.id}`)).json.code).toBe("not_found");
  expect((await call(0, "DELETE", "/sessions")).status).toBe(204);
  expect((await call(2, "GET", "/sessions")).json.code).toBe("credential_invalid");
  expect(await list(0)).toMatchObject([{ id: used?.["id"] }]);
  // Its own, too.
  expect((await call(0, "DELETE", `/sessions/${used?.id}`)).status).toBe(204);
  expect((await call(0, "GET", "/sessions")).json.code).toBe("credential_invalid");
  expect((await bob("GET", "/sessions")).json["data"]).toHaveLength(1);
});

test("a person may do what their scopes say", async () => {
  await using place = await setUp();
  const call = await place.session();
  const [ann] = (await place.service.store.listIdentities(undefined)).filter(({ name }) => name === "ann");
  expect((await call("POST", "/secrets", BODY)).status).toBe(201);
  await place.service.store.setScopes(ann?.id ?? "", ["secrets:read"]);
  expect(await call("POST", "/secrets", BODY)).toMatchObject({ status: 403, json: { code: "insufficient_scope" } });
  expect((await call("GET", "/secrets")).status).toBe(200);
  expect((await call("GET", "/credential")).json["scopes"]).toEqual(["secrets:read"]);
  // About themselves they may do everything.
  expect((await call("GET", "/sessions")).status).toBe(200);
});
