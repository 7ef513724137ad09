import { expect, test } from "bun:test";
import type { ServerPolicy } from "../../../src/domain/server-policies.ts";
import { invitePerson } from "../../../src/domain/signing-in/persons.ts";
import { createTeam } from "../../../src/domain/teams.ts";
import { startTestServer } from "../../support/server.ts";

const OWN = { "sec-fetch-site": "same-origin" };
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

async function setUp(policy: Partial<ServerPolicy> = {}) {
  const server = await startTestServer({ policy });
  const { service } = server.backend;
  await createTeam(service, "team");
  const cookieOf = (answer: { headers: Headers }) => (answer.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
  const begin = async (machine = "build-7") => {
    const { json } = await server.call("POST", "/api/v1/logins", { body: { machine } });
    const path = `/logins/${String(json["user_code"]).replace("-", "").toLowerCase()}`;
    return { json, path, deviceCode: String(json["device_code"]) };
  };
  const poll = (deviceCode: string) =>
    server.call("POST", "/api/v1/logins/token", { body: { device_code: deviceCode } });
  return {
    server,
    service,
    begin,
    poll,
    /** Signs a person in, and returns a function that calls as their page. */
    page: async (address = "ann") => {
      const { token } = await invitePerson(service, { team: "team", address });
      const body = { sign_in_token: token };
      const cookie = cookieOf(await server.call("POST", "/app/session", { body, headers: OWN }));
      return (method: string, path: string) => server.call(method, `/app${path}`, { headers: { ...OWN, cookie } });
    },
    /** Lets a terminal in, and returns its key. */
    login: async (page: (method: string, path: string) => Promise<unknown>) => {
      const { path, deviceCode } = await begin();
      await page("POST", path);
      return String((await poll(deviceCode)).json["api_key"]);
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

test("a terminal that a person lets in acts as that person, and is listed among their sessions", async () => {
  await using place = await setUp();
  const { clock } = place.server.backend;
  const page = await place.page();
  const { json, path, deviceCode } = await place.begin();
  expect(json).toMatchObject({ expires_in: 600, interval: 3, verification_uri: `${place.server.url}/login` });
  expect(json["user_code"]).toMatch(/^[BCDFGHJKMNPQRSTVWXZ]{4}-[BCDFGHJKMNPQRSTVWXZ]{4}$/);
  expect(json["verification_uri_complete"]).toBe(`${place.server.url}/login#${json["user_code"]}`);
  expect((await place.poll(deviceCode)).json).toEqual({ state: "pending", api_key: null, expires_at: null });
  const waits = { machine: "build-7", address: "127.0.0.1", created_at: new Date(clock.now()).toISOString() };
  expect((await page("GET", path)).json).toEqual(waits);
  expect((await page("POST", path)).status).toBe(204);
  expect((await page("GET", path)).json.code).toBe("not_found");
  const { state, api_key: token, expires_at: end } = (await place.poll(deviceCode)).json;
  expect({ state, end }).toEqual({ state: "approved", end: new Date(clock.now() + 12 * HOUR).toISOString() });
  expect((await place.poll(deviceCode)).json.code).toBe("credential_expired");
  const call = (method: string, at: string) => place.server.call(method, `/api/v1${at}`, { token: String(token) });
  const who = { kind: "person", key_id: null, identity: { name: "ann" }, person: { address: "ann" }, expires_at: end };
  expect((await call("GET", "/credential")).json).toMatchObject(who);
  expect((await call("GET", "/secrets")).status).toBe(200);
  const sessions = (await page("GET", "/sessions")).json["data"];
  expect(sessions).toMatchObject([
    { way: "terminal", browser: "handoff", system: "build-7", is_current: false },
    { way: "link", is_current: true },
  ]);
  // No cookie of a browser, and a cookie is no key.
  const asCookie = { ...OWN, cookie: `__Host-handoff=${String(token)}` };
  expect((await place.server.call("GET", "/app/credential", { headers: asCookie })).json.code).toBe(
    "credential_invalid",
  );
  clock.advance(12 * HOUR - 1);
  expect((await call("GET", "/credential")).status).toBe(200);
  clock.advance(1);
  expect((await call("GET", "/credential")).json.code).toBe("credential_expired");
});

test("a terminal's login ends with the session that let it in, by itself, and with its person", async () => {
  await using place = await setUp();
  const { service } = place;
  const stateOf = async (token: string) =>
    (await place.server.call("GET", "/api/v1/credential", { token })).json.code ?? "live";
  const ends: readonly ((token: string, page: Awaited<ReturnType<typeof place.page>>) => Promise<unknown>)[] = [
    (_, page) => page("DELETE", "/session"),
    (token) => place.server.call("DELETE", "/api/v1/logins", { token }),
    async () => {
      const [ann] = (await service.store.listIdentities(undefined)).filter(({ name }) => name === "ann");
      await service.store.signOutPerson(ann?.id ?? "");
    },
    async (_, page) => {
      const { data } = (await page("GET", "/sessions")).json;
      await page("DELETE", `/sessions/${data.find(({ way }: { way: string }) => way === "terminal").id}`);
    },
  ];
  for (const end of ends) {
    const page = await place.page();
    const [token, other] = [await place.login(page), await place.login(await place.page("bob"))];
    expect(await stateOf(token)).toBe("live");
    await end(token, page);
    expect([await stateOf(token), await stateOf(other)]).toEqual(["credential_invalid", "live"]);
  }
  const { token: key } = await place.server.backend.mint();
  expect((await place.server.call("DELETE", "/api/v1/logins", { token: key })).json.code).toBe("not_found");
});

test("a terminal is let in only soon after signing in, where its person can sign in again without an admin", async () => {
  await using place = await setUp({ signInWays: ["link", "mail"] });
  const [old, named] = [await place.page("ann@a.test"), await place.page("bob")];
  place.server.backend.clock.advance(15 * MINUTE);
  const [{ path }, other] = [await place.begin(), await place.begin()];
  expect(await old("POST", path)).toMatchObject({ status: 403, json: { code: "sign_in_too_old" } });
  expect((await old("GET", path)).status).toBe(200);
  expect((await old("DELETE", path)).status).toBe(204);
  expect((await named("POST", other.path)).status).toBe(204);
});

test("a terminal's login goes on when its person signs in again in that browser, and ends when another does", async () => {
  await using place = await setUp();
  const { server } = place;
  const enter = async (address: string, cookie = "") => {
    const { token } = await invitePerson(place.service, { team: "team", address });
    const body = { sign_in_token: token };
    const answer = await server.call("POST", "/app/session", { body, headers: { ...OWN, cookie } });
    return (answer.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
  };
  const call = (cookie: string) => (method: string, path: string) =>
    server.call(method, `/app${path}`, { headers: { ...OWN, cookie } });
  const first = await enter("ann");
  const token = await place.login(call(first));
  const statusOf = async () => (await server.call("GET", "/api/v1/credential", { token })).status;
  const second = await enter("ann", first);
  expect(await statusOf()).toBe(200);
  expect((await call(first)("GET", "/sessions")).status).toBe(401);
  expect((await call(second)("GET", "/sessions")).json.data).toHaveLength(2);
  await enter("bob", second);
  expect(await statusOf()).toBe(401);
  const third = await enter("ann");
  const other = await place.login(call(third));
  await call(await enter("ann", third))("DELETE", "/session");
  expect((await server.call("GET", "/api/v1/credential", { token: other })).status).toBe(401);
});

test("a login that is refused, late, or approved by a session that has ended lets nobody in", async () => {
  await using place = await setUp();
  const page = await place.page();
  const [refused, late, orphan] = [await place.begin(), await place.begin(), await place.begin()];
  expect((await page("DELETE", refused.path)).status).toBe(204);
  const no = { state: "refused", api_key: null, expires_at: null };
  expect((await place.poll(refused.deviceCode)).json).toEqual(no);
  expect((await place.poll(refused.deviceCode)).json.code).toBe("credential_expired");
  expect((await page("POST", orphan.path)).status).toBe(204);
  await page("DELETE", "/session");
  expect((await place.poll(orphan.deviceCode)).json).toEqual(no);
  place.server.backend.clock.advance(10 * MINUTE);
  const again = await place.page();
  expect((await again("GET", late.path)).json.code).toBe("not_found");
  expect((await again("POST", late.path)).json.code).toBe("not_found");
  expect((await place.poll(late.deviceCode)).json.code).toBe("credential_expired");
});

test("a terminal's login ends when the session that let it in wasn't used for too long", async () => {
  await using place = await setUp({ sessionIdleSeconds: 300 });
  const { clock } = place.server.backend;
  const page = await place.page();
  const token = await place.login(page);
  const stateOf = async () => (await place.server.call("GET", "/api/v1/credential", { token })).json.code ?? "live";
  clock.advance(4 * MINUTE);
  const { path, deviceCode } = await place.begin();
  expect((await page("POST", path)).status).toBe(204);
  // A use of the terminal is none of the browser's session.
  for (let n = 0; n < 3; n++) {
    expect(await stateOf()).toBe("live");
    // Uses are written before the next change.
    await place.begin();
    clock.advance(MINUTE);
  }
  clock.advance(2 * MINUTE);
  expect(await stateOf()).toBe("credential_expired");
  expect((await place.poll(deviceCode)).json).toEqual({ state: "refused", api_key: null, expires_at: null });
  const again = await place.page();
  expect((await again("GET", "/sessions")).json["data"]).toMatchObject([{ way: "link" }]);
});

test("codes are guessed a few times in a minute, logins begun a few times, and names can't deceive", async () => {
  await using place = await setUp({ failedAuthenticationsPerMinute: 3 });
  const page = await place.page();
  const guesses = [];
  for (let n = 0; n < 4; n++) guesses.push((await page("POST", "/logins/bbbbbbbb")).status);
  expect(guesses).toEqual([404, 404, 404, 429]);
  // Nor is a right one any use then.
  await using limited = await setUp({ failedAuthenticationsPerMinute: 3 });
  const [asPerson, { path }] = [await limited.page(), await limited.begin()];
  for (let n = 0; n < 3; n++) await asPerson("GET", "/logins/bbbbbbbb");
  expect(await asPerson("POST", path)).toMatchObject({ status: 429, json: { code: "rate_limited" } });
  limited.server.backend.clock.advance(MINUTE);
  expect((await asPerson("POST", path)).status).toBe(204);
  const begun = [];
  for (let n = 0; n < 4; n++) {
    begun.push((await place.server.call("POST", "/api/v1/logins", { body: { machine: "m" } })).status);
  }
  expect(begun).toEqual([201, 201, 201, 429]);
  // An office that logs in its terminals can still use its passkeys.
  const passkey = await place.server.call("POST", "/app/session/passkey", { headers: OWN });
  expect(passkey.json.code).toBe("not_found");
  await using other = await setUp();
  for (const machine of ["", "a\u202eb", "a\nb", "\u200b", "x".repeat(65), 7]) {
    const { json } = await other.server.call("POST", "/api/v1/logins", { body: { machine } });
    expect({ machine, code: json.code }).toEqual({ machine, code: "schema_mismatch" });
  }
});

test("a terminal has the scopes of its person, also once they change, and its waits end with it", async () => {
  await using place = await setUp();
  const page = await place.page();
  const token = await place.login(page);
  const call = (at: string) => place.server.call("GET", `/api/v1${at}`, { token });
  const [ann] = (await place.service.store.listIdentities(undefined)).filter(({ name }) => name === "ann");
  const wait = call("/events?after=now&wait=1");
  await page("DELETE", "/session");
  expect((await wait).json.code).toBe("credential_invalid");
  const second = await place.login(await place.page());
  await place.service.store.setScopes(ann?.id ?? "", ["secrets:create"]);
  expect((await place.server.call("GET", "/api/v1/secrets", { token: second })).json.code).toBe("insufficient_scope");
});

test("a login's key in a query string ends the login", async () => {
  await using place = await setUp();
  const token = await place.login(await place.page());
  const stateOf = async () => (await place.server.call("GET", "/api/v1/credential", { token })).json.code ?? "live";
  expect(await stateOf()).toBe("live");
  const exposed = await place.server.call("GET", `/api/v1/credential?key=${token}`, { token });
  expect(exposed.json.code).toBe("credential_in_query");
  expect(await stateOf()).toBe("credential_invalid");
});
