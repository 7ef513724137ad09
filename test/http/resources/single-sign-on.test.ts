import { expect, test } from "bun:test";
import type { ServerPolicy } from "../../../src/domain/server-policies.ts";
import { invitePerson, removePerson } from "../../../src/domain/signing-in/persons.ts";
import type { AdmissionRules } from "../../../src/domain/signing-in/single-sign-on.ts";
import { createTeam } from "../../../src/domain/teams.ts";
import { createProvider } from "../../../src/signing-in/provider.ts";
import { startHostileProvider } from "../../support/hostile-providers.ts";
import type { Deviations, HostileProvider } from "../../support/hostile-providers.ts";
import { startProvider } from "../../support/oidc-providers.ts";
import type { TestAccount } from "../../support/oidc-providers.ts";
import { startTestServer } from "../../support/server.ts";

const ORIGIN = "https://handoff.test";
const OWN = { "sec-fetch-site": "same-origin" };
const ANN: TestAccount = {
  sub: "1",
  email: "Ann@Acme.example",
  email_verified: true,
  name: "Ann Lee",
  groups: ["a", "b"],
};

interface Options {
  readonly rules?: Partial<AdmissionRules>;
  readonly policy?: Partial<ServerPolicy>;
  readonly accounts?: readonly TestAccount[];
}

/** What a provider's test double has that the server needs. */
type Client = Pick<HostileProvider, "issuer" | "clientId" | "clientSecret">;

/** A server with single sign-on at `client`. */
async function setUpAt(client: Client, { rules = {}, policy = {} }: Omit<Options, "accounts"> = {}) {
  const server = await startTestServer({
    policy: { signInWays: ["link", "passkey", "oidc"], ...policy },
    http: {
      baseUrl: () => ORIGIN,
      singleSignOn: {
        provider: async () => ours,
        rules: {
          allow: [{ claim: "email_domain", value: "acme.example" }],
          addressClaim: "email",
          team: "team",
          ...rules,
        },
      },
    },
  });
  const { service, clock } = server.backend;
  const { issuer, clientId, clientSecret } = client;
  const ours = createProvider({ issuer, clientId, clientSecret, claims: [], clock });
  await createTeam(service, "team");
  const call = (method: string, path: string, { body, cookie }: { body?: unknown; cookie?: string } = {}) =>
    server.call(method, `/app${path}`, { body, headers: { ...OWN, ...(cookie && { cookie }) } });
  const begin = async (silent = false) => {
    const answer = await call("POST", "/session/oidc", { body: { silent } });
    return { answer, url: String(answer.json["url"]), attempt: cookieOf(answer) };
  };
  return {
    server,
    service,
    clock,
    call,
    begin,
    finish: async (query: string, cookie: string) => {
      const answer = await call("POST", "/session", { body: { oidc: { query } }, cookie });
      return { ...answer, cookie: cookieOf(answer) };
    },
    sessions: async (cookie: string) => (await call("GET", "/sessions", { cookie })).json.data,
    add: async (address: string, team = "team") => (await invitePerson(service, { team, address })).person,
    events: async (name = "team") => {
      const team = (await service.store.listTeams()).find((each) => each.name === name);
      return (await service.store.listEvents(team?.id ?? "", undefined, 1000)).map(({ type }) => type);
    },
    logOut: (token: string) =>
      server.call("POST", "/oidc/backchannel-logout", {
        body: new URLSearchParams({ logout_token: token }).toString(),
        headers: { "content-type": "application/x-www-form-urlencoded" },
      }),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** The same with a real provider. */
async function setUp({ accounts = [ANN], ...options }: Options = {}) {
  const provider = await startProvider(`${ORIGIN}/sign-in`, accounts);
  const place = await setUpAt(provider, options);
  return {
    ...place,
    provider,
    signIn: async (sub = "1", former = "", jar = new Map<string, string>()) => {
      const { url, attempt } = await place.begin();
      return place.finish(await provider.authorize(url, sub, jar), `${former}; ${attempt}`);
    },
    async [Symbol.asyncDispose]() {
      await place[Symbol.asyncDispose]();
      await provider[Symbol.asyncDispose]();
    },
  };
}

/** The same with a provider that deviates. */
async function setUpHostile(options: Omit<Options, "accounts"> = {}) {
  const provider = await startHostileProvider();
  const place = await setUpAt(provider, options);
  return {
    ...place,
    provider,
    signIn: async (former = "") => {
      const { answer, url, attempt } = await place.begin();
      if (answer.status !== 200) return { ...answer, cookie: "" };
      return place.finish(provider.authorize(url), `${former}; ${attempt}`);
    },
    async [Symbol.asyncDispose]() {
      await place[Symbol.asyncDispose]();
      await provider[Symbol.asyncDispose]();
    },
  };
}

function cookieOf(answer: { headers: Headers }): string {
  return answer.headers.get("set-cookie")?.split(";")[0] ?? "";
}

test("a person whom a rule lets in signs in at the provider, and is one person from then on", async () => {
  await using place = await setUp();
  expect((await place.call("GET", "/session")).json["ways"]).toContain("oidc");
  const { answer, url, attempt } = await place.begin();
  expect(answer.status).toBe(200);
  expect(answer.headers.get("set-cookie")).toMatch(
    /^__Host-handoff-oidc=hut_\w+; Path=\/; Secure; HttpOnly; SameSite=Strict; Max-Age=300$/,
  );
  const asked = Object.fromEntries(new URL(url).searchParams);
  expect(asked).toMatchObject({
    response_type: "code",
    code_challenge_method: "S256",
    redirect_uri: `${ORIGIN}/sign-in`,
  });
  expect(asked["prompt"]).toBeUndefined();
  const signedIn = await place.finish(await place.provider.authorize(url, "1"), attempt);
  expect(signedIn).toMatchObject({
    status: 200,
    json: { name: "Ann Lee", address: "Ann@Acme.example", team: "team" },
  });
  const sessions = (await place.call("GET", "/sessions", { cookie: signedIn.cookie })).json.data;
  expect(sessions).toMatchObject([{ way: "oidc", is_current: true }]);
  // The address is another one now, and the account is still hers.
  place.provider.accounts.set("1", { ...ANN, email: "ann.lee@acme.example" });
  expect((await place.signIn()).json).toMatchObject({ address: "Ann@Acme.example" });
  expect(await place.events()).toEqual(["person.signed_in", "person.signed_in"]);
});

test("an answer of the provider is used once, by the browser that asked, within five minutes", async () => {
  await using place = await setUp();
  const { url, attempt } = await place.begin();
  const query = await place.provider.authorize(url, "1");
  expect(await place.finish(query, "")).toMatchObject({ status: 401, json: { code: "credential_expired" } });
  const other = await place.begin();
  expect(await place.finish(query, other.attempt)).toMatchObject({ status: 401, json: { code: "credential_expired" } });
  // An answer that isn't to this attempt doesn't use it up, nor does a passkey that another tab asks for.
  expect((await place.finish("code=x&state=y", attempt)).json.code).toBe("credential_expired");
  expect((await place.finish(query, attempt)).status).toBe(200);
  expect((await place.finish(await place.provider.authorize(other.url, "1"), other.attempt)).status).toBe(200);
  expect(await place.finish(query, attempt)).toMatchObject({ status: 401, json: { code: "credential_expired" } });
  const late = await place.begin();
  const lateQuery = await place.provider.authorize(late.url, "1");
  place.clock.advance(300_000);
  expect(await place.finish(lateQuery, late.attempt)).toMatchObject({ json: { code: "credential_expired" } });
});

test("a silent attempt shows nothing, and an error of the provider is no session", async () => {
  await using place = await setUp();
  const { url, attempt } = await place.begin(true);
  expect(new URL(url).searchParams.get("prompt")).toBe("none");
  const query = await place.provider.authorize(url, "1");
  expect(new URLSearchParams(query).get("error")).toBe("login_required");
  expect(await place.finish(query, attempt)).toMatchObject({ status: 401, json: { code: "credential_invalid" } });
  const jar = new Map<string, string>();
  await place.signIn("1", "", jar);
  const again = await place.begin(true);
  expect((await place.finish(await place.provider.authorize(again.url, "1", jar), again.attempt)).status).toBe(200);
});

test("a silent attempt goes on with nobody else than the browser's person", async () => {
  await using place = await setUpHostile();
  const { cookie } = await place.signIn();
  place.provider.deviate({ claims: { sub: "2", email: "ben@acme.example" } });
  const silent = await place.begin(true);
  const answer = await place.finish(place.provider.authorize(silent.url), `${cookie}; ${silent.attempt}`);
  expect(answer).toMatchObject({ status: 401, cookie: "", json: { code: "credential_invalid" } });
  expect((await place.sessions(cookie)).length).toBe(1);
  expect((await place.signIn(cookie)).json).toMatchObject({ address: "ben@acme.example" });
});

test("rules decide who comes in, and addresses that nobody has verified count for nothing", async () => {
  const accounts = [
    { ...ANN, sub: "verified" },
    { ...ANN, sub: "unverified", email: "dan@acme.example", email_verified: false },
    { ...ANN, sub: "elsewhere", email: "ann@acme.example.evil.example" },
    { ...ANN, sub: "groups", email: "ben@other.example" },
    { ...ANN, sub: "group", email: "cy@other.example", groups: "b" },
  ];
  const statuses = async (rules: Partial<AdmissionRules>) => {
    await using place = await setUp({ accounts, rules });
    const found: Record<string, number> = {};
    for (const { sub } of accounts) found[sub] = (await place.signIn(sub)).status;
    return found;
  };
  const none = { verified: 401, unverified: 401, elsewhere: 401, groups: 401, group: 401 };
  expect(await statuses({ allow: [] })).toEqual(none);
  expect(await statuses({})).toEqual({ ...none, verified: 200 });
  const inGroup = await statuses({ allow: [{ claim: "groups", value: "b" }] });
  // Without a verified address, nobody can be told who it is.
  expect(inGroup).toEqual({ verified: 200, unverified: 401, elsewhere: 200, groups: 200, group: 200 });
  expect(await statuses({ allow: [{ claim: "groups", value: "a,b" }] })).toEqual(none);
});

test("another claim than email is an address without being verified, where the admin says so", async () => {
  const account = { sub: "1", name: "ann@acme.example", groups: ["a"] };
  const rules = { allow: [{ claim: "groups", value: "a" }] };
  await using place = await setUp({ accounts: [account], rules: { ...rules, addressClaim: "name" } });
  expect((await place.signIn()).json).toMatchObject({ address: "ann@acme.example" });
});

test("without a team, people whom an admin has added come in, by their verified address, and nobody else", async () => {
  const ben = { ...ANN, sub: "2", email: "ben@acme.example" };
  await using place = await setUp({ accounts: [ANN, ben], rules: { team: undefined } });
  const ann = await place.add("ann@acme.example");
  const signedIn = await place.signIn();
  expect(signedIn.json).toMatchObject({ address: "ann@acme.example" });
  expect((await place.service.store.findProviderAccount(ann.id))?.subject).toBe("1");
  expect(await place.signIn("2")).toMatchObject({ status: 401, json: { code: "credential_invalid" } });
  // Another account with the same address is another person's.
  place.provider.accounts.set("2", { ...ANN, sub: "2" });
  expect(await place.signIn("2")).toMatchObject({ status: 401, json: { code: "credential_invalid" } });
  expect((await place.events()).filter((type) => type === "person.refused")).toHaveLength(1);
});

test("an address in several teams is that of the team of the setting, or nobody's", async () => {
  const signInWith = async (rules: Partial<AdmissionRules>) => {
    await using place = await setUp({ rules });
    await createTeam(place.service, "other");
    await place.add("ann@acme.example");
    await place.add("ann@acme.example", "other");
    return await place.signIn();
  };
  expect((await signInWith({ team: "other" })).json).toMatchObject({ team: "other" });
  expect(await signInWith({ team: undefined })).toMatchObject({ status: 401, json: { code: "credential_invalid" } });
});

test("a removed person is refused, and an admin who adds them again lets in the next owner of the address", async () => {
  const next = { ...ANN, sub: "2" };
  await using place = await setUp({ accounts: [ANN, next] });
  const { cookie } = await place.signIn();
  await removePerson(place.service, { nameOrId: "Ann@Acme.example", team: "team" });
  expect((await place.call("GET", "/sessions", { cookie })).status).toBe(401);
  for (const sub of ["1", "2"]) {
    expect(await place.signIn(sub)).toMatchObject({ status: 401, json: { code: "credential_invalid" } });
  }
  const { id } = await place.add("Ann@Acme.example");
  expect((await place.signIn("2")).status).toBe(200);
  expect((await place.service.store.findProviderAccount(id))?.subject).toBe("2");
  expect(await place.events()).toEqual([
    "person.signed_in",
    "person.signed_out",
    "person.refused",
    "person.refused",
    "person.signed_in",
  ]);
});

test("a session ends when the provider hasn't confirmed it for a while, and a new sign-in renews it", async () => {
  await using place = await setUpHostile({ policy: { oidcRecheckSeconds: 3600 } });
  const first = await place.signIn();
  const start = place.clock.now();
  const [session] = await place.sessions(first.cookie);
  expect(session).toMatchObject({ way: "oidc", expires_at: new Date(start + 3_600_000).toISOString() });
  const login = await place.server.call("POST", "/api/v1/logins", { body: { machine: "laptop" } });
  const code = String(login.json["user_code"]).replace("-", "").toLowerCase();
  expect((await place.call("POST", `/logins/${code}`, { cookie: first.cookie })).status).toBe(204);
  const key = await place.server.call("POST", "/api/v1/logins/token", {
    body: { device_code: login.json["device_code"] },
  });
  expect(key.json["expires_at"]).toBe(new Date(start + 3_600_000).toISOString());
  const token = String(key.json["api_key"]);
  place.clock.advance(3_600_000);
  const over = await place.call("GET", "/sessions", { cookie: first.cookie });
  expect(over).toMatchObject({ status: 401, json: { code: "credential_expired" } });
  expect((await place.server.call("GET", "/api/v1/credential", { token })).json.code).toBe("credential_expired");
  const again = await place.signIn(first.cookie);
  expect((await place.server.call("GET", "/api/v1/credential", { token })).status).toBe(200);
  expect((await place.call("GET", "/sessions", { cookie: first.cookie })).json.code).toBe("credential_invalid");
  const sessions: { way: string }[] = await place.sessions(again.cookie);
  expect(sessions.toSorted((one, other) => one.way.localeCompare(other.way))).toMatchObject([
    { id: session.id, created_at: new Date(place.clock.now()).toISOString(), is_current: true },
    { way: "terminal" },
  ]);
  expect(await place.events()).toEqual(["person.signed_in", "person.signed_in"]);
});

test("a terminal is let in after signing in at the provider again, and not after a silent sign-in", async () => {
  await using place = await setUpHostile();
  const first = await place.signIn();
  place.clock.advance(900_000);
  const login = await place.server.call("POST", "/api/v1/logins", { body: { machine: "laptop" } });
  const path = `/logins/${String(login.json["user_code"]).replace("-", "").toLowerCase()}`;
  const allow = (cookie: string) => place.call("POST", path, { cookie });
  expect(await allow(first.cookie)).toMatchObject({ status: 403, json: { code: "sign_in_too_old" } });
  const { url, attempt } = await place.begin(true);
  const silent = await place.finish(place.provider.authorize(url), `${first.cookie}; ${attempt}`);
  expect(silent.status).toBe(200);
  expect((await allow(silent.cookie)).json.code).toBe("sign_in_too_old");
  const again = await place.signIn(silent.cookie);
  expect((await allow(again.cookie)).status).toBe(204);
});

test("a renewed session doesn't outlive the lifetime of sessions, and another person's is no renewal", async () => {
  await using place = await setUpHostile({ policy: { oidcRecheckSeconds: 86_400, sessionLifetimeSeconds: 7200 } });
  const first = await place.signIn();
  const [before] = await place.sessions(first.cookie);
  place.provider.deviate({ claims: { sub: "2", email: "ben@acme.example" } });
  const other = await place.signIn(first.cookie);
  const [ofOther] = await place.sessions(other.cookie);
  expect(ofOther.id).not.toBe(before.id);
  expect((await place.sessions(other.cookie)).length).toBe(1);
  place.clock.advance(7_200_000);
  const next = await place.signIn(other.cookie);
  const [after] = await place.sessions(next.cookie);
  expect(after.id).not.toBe(ofOther.id);
});

test("what a provider says wrongly is no session", async () => {
  await using place = await setUpHostile();
  const now = Math.floor(Date.now() / 1000);
  const wrong: Record<string, Deviations> = {
    "no signature": { alg: "none" },
    "signed with the secret of the client": { alg: "HS256" },
    "signed by a stranger": { isForged: true },
    "another nonce": { claims: { nonce: "other" } },
    "no nonce": { claims: { nonce: undefined } },
    "another audience": { claims: { aud: "other" } },
    "several audiences, made for another": { claims: { aud: ["handoff", "other"], azp: "other" } },
    "another issuer": { claims: { iss: "https://evil.example" } },
    "long over": { claims: { iat: now - 500, exp: now - 90 } },
    "no subject": { claims: { sub: undefined } },
    "an empty subject": { claims: { sub: "" } },
  };
  for (const [name, deviations] of Object.entries(wrong)) {
    place.provider.deviate(deviations);
    const answer = await place.signIn();
    expect({ name, status: answer.status, code: answer.json.code, cookie: answer.cookie }).toEqual({
      name,
      status: 401,
      code: "credential_invalid",
      cookie: "",
    });
  }
  place.provider.deviate({ claims: { iat: now + 50, exp: now - 50 } });
  expect((await place.signIn()).status).toBe(200);
});

test("a provider that is away, lies about itself or says too much is unavailable, and nothing of it is logged", async () => {
  await using place = await setUpHostile();
  const broken = () => new Response("<html>", { status: 502 });
  const answers: Record<string, () => Response> = {
    "no JSON": () => new Response("secret-of-the-provider"),
    "a redirect": () => Response.redirect(`${place.provider.issuer}/elsewhere`),
    "an error": broken,
    "too much": () => new Response("x".repeat(1024 * 1024)),
  };
  const faults: Record<string, Deviations> = Object.fromEntries(
    ["/.well-known/openid-configuration", "/token", "/jwks"].flatMap((path) =>
      Object.entries(answers).map(([name, answer]) => [`${name} at ${path}`, { answers: { [path]: answer } }]),
    ),
  );
  const all: Record<string, Deviations> = {
    ...faults,
    "another issuer": { document: { issuer: "http://127.0.0.1:1" } },
    "a document that is too long": { document: { more: "x".repeat(1024 * 1024) } },
  };
  for (const [name, deviations] of Object.entries(all)) {
    // Everything that was read before is read again.
    place.clock.advance(3_600_000);
    place.provider.deviate(deviations);
    const answer = await place.signIn();
    expect({ name, status: answer.status, code: answer.json.code, cookie: answer.cookie }).toEqual({
      name,
      status: 502,
      code: "provider_unavailable",
      cookie: "",
    });
  }
  expect(place.provider.count("/elsewhere")).toBe(0);
  expect(place.server.logs.join()).not.toContain("secret-of-the-provider");
  for (const code of ["TOO_LARGE", "OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED"])
    expect(place.server.logs.join()).toContain(`"code":"${code}"`);
  place.provider.deviate({});
  expect((await place.signIn()).status).toBe(200);
});

test("the log says why single sign-on refuses a person, and nothing of the account; the page says no more", async () => {
  const accounts: TestAccount[] = [
    ANN,
    { ...ANN, sub: "2", email_verified: false },
    { ...ANN, sub: "3", email: undefined },
    { ...ANN, sub: "4", email: "ben@acme.example", groups: ["z"] },
    { ...ANN, sub: "5" },
  ];
  const rules = { allow: [{ claim: "groups", value: "b" }], team: undefined };
  const refusals = async (change: Partial<AdmissionRules>, subs: readonly string[], isTeamed = false) => {
    await using place = await setUp({ accounts, rules: { ...rules, ...change } });
    if (isTeamed) await place.add("ann@acme.example");
    await place.signIn("1");
    const told: unknown[] = [];
    for (const sub of subs) {
      const { status, json } = await place.signIn(sub);
      const line = JSON.parse(place.server.logs.at(-1) ?? "{}");
      expect({ status, code: line.code }).toEqual({ status: 401, code: "credential_invalid" });
      told.push([json["detail"], line.reason]);
    }
    expect(place.server.logs.join()).not.toMatch(/acme\.example|Ann|ben/);
    return told;
  };
  const unlike = "No rule of this server lets this account in.";
  const stranger = "Nobody with the address of this account was added here";
  expect(await refusals({}, ["2", "3", "4", "1"])).toEqual([
    ["The address of this account isn't verified.", expect.stringContaining("doesn't say that the address")],
    ["This account has no address.", "This account has no claim email, its address."],
    [unlike, "No rule of --oidc-allow lets this account in: its claim groups has other values."],
    [`${stranger}.`, `${stranger}, and without --oidc-team nobody is new.`],
  ]);
  expect(await refusals({ team: "nowhere" }, ["1"])).toEqual([
    [`${stranger}.`, `${stranger}, and the team of --oidc-team doesn't exist.`],
  ]);
  const several = ["email_domain", "email", "roles"].map((claim) => ({ claim, value: "other.example" }));
  const why = (reasons: string) => [unlike, `No rule of --oidc-allow lets this account in: ${reasons}.`];
  expect(await refusals({ allow: several }, ["1", "2", "3"])).toEqual([
    why("its email_domain is another one, its email is another one, it has no claim roles"),
    why("its address isn't verified, it has no claim roles"),
    why("it has no claim email, it has no claim roles"),
  ]);
  const other = "This person was removed, or has another account at the provider.";
  expect(await refusals({}, ["5"], true)).toEqual([
    [other, "The person with the address of this account has another account at the provider."],
  ]);
  await using place = await setUp({ accounts, rules });
  await place.add("ann@acme.example");
  await removePerson(place.service, { nameOrId: "ann@acme.example", team: "team" });
  expect((await place.signIn()).json["detail"]).toBe(other);
  expect(place.server.logs.at(-1)).toContain('"reason":"The person of this account was removed."');
});

test("the log says in a sentence why an answer proves nothing, and what is wrong with a provider", async () => {
  await using place = await setUpHostile();
  const refuse = (error: string, status = 400, headers: Record<string, string> = {}) => ({
    answers: { "/token": () => Response.json({ error, error_description: "secret" }, { status, headers }) },
  });
  const now = Math.floor(Date.now() / 1000);
  const client = "The provider refuses the client ID or its secret. Check --oidc-client-id";
  const cases: readonly (readonly [Deviations, number, string])[] = [
    [{ isForged: true }, 401, "The signature of the ID token is wrong."],
    [
      { claims: { iat: now - 500, exp: now - 90 } },
      401,
      "The ID token has expired, or isn't valid yet. Check both clocks.",
    ],
    [{ claims: { aud: "other" } }, 401, "The ID token is for another server, or another sign-in."],
    [{ claims: { sub: "" } }, 401, "The ID token names no account."],
    [refuse("invalid_grant"), 401, "The provider doesn't take the code of the browser."],
    [refuse("invalid_client", 401, { "www-authenticate": "Basic" }), 502, client],
    [refuse("invalid_client", 401), 502, client],
    [refuse("unauthorized_client"), 502, client],
    [refuse("invalid_request"), 502, "The provider gives no tokens: invalid_request."],
    [refuse("secret"), 502, "The provider gives no tokens."],
    [{ answers: { "/token": () => new Response("secret") } }, 502, "(OAUTH_RESPONSE_IS_NOT_JSON)."],
  ];
  for (const [deviations, status, reason] of cases) {
    place.provider.deviate(deviations);
    const answer = await place.signIn();
    const line = JSON.parse(place.server.logs.at(-1) ?? "{}");
    expect({ status: answer.status, reason: line.reason }).toEqual({ status, reason: expect.stringContaining(reason) });
  }
  const failure = place.server.logs.map((line) => JSON.parse(line)).find(({ code }) => code === "CLIENT_REFUSED");
  expect(failure).toMatchObject({ message: "failure", level: "error", reason: expect.stringContaining(client) });
  place.provider.deviate({});
  for (const [error, said] of [
    ["access_denied", ": access_denied."],
    ["a-secret", "."],
  ] as const) {
    const { url, attempt } = await place.begin();
    const state = new URL(url).searchParams.get("state") ?? "";
    await place.finish(new URLSearchParams({ error, state }).toString(), attempt);
    const { reason } = JSON.parse(place.server.logs.at(-1) ?? "{}");
    expect(reason).toBe(`The provider refused the sign-in${said}`);
  }
  expect(place.server.logs.join()).not.toContain('secret"');
});

test("a slow provider holds up nobody else, and is asked once at a time", async () => {
  await using place = await setUpHostile();
  const { promise, resolve } = Promise.withResolvers<Response>();
  place.provider.deviate({ answers: { "/.well-known/openid-configuration": () => promise } });
  const [slow, other, logout] = [place.begin(), place.begin(), place.logOut(await place.provider.logoutToken())];
  expect((await place.call("GET", "/session")).status).toBe(200);
  expect((await other).answer.status).toBe(502);
  expect((await logout).status).toBe(502);
  expect(place.provider.count("/.well-known/openid-configuration")).toBe(1);
  expect((await slow).answer).toMatchObject({ status: 502, json: { code: "provider_unavailable" } });
  resolve(new Response(""));
}, 20_000);

test("the answer of another provider is refused where this one names itself (RFC 9207)", async () => {
  await using place = await setUpHostile();
  place.provider.deviate({ document: { authorization_response_iss_parameter_supported: true } });
  const { url, attempt } = await place.begin();
  const query = `${place.provider.authorize(url)}&iss=${encodeURIComponent("https://evil.example")}`;
  expect(await place.finish(query, attempt)).toMatchObject({ status: 401, json: { code: "credential_invalid" } });
  const without = await place.signIn();
  expect(without).toMatchObject({ status: 401, json: { code: "credential_invalid" } });
  const right = await place.begin();
  const named = `${place.provider.authorize(right.url)}&iss=${encodeURIComponent(place.provider.issuer)}`;
  expect((await place.finish(named, right.attempt)).status).toBe(200);
});

test("a new key of the provider counts at once, and its document is read once an hour", async () => {
  await using place = await setUpHostile();
  await place.signIn();
  await place.provider.rotate();
  expect((await place.signIn()).status).toBe(200);
  expect(place.provider.count("/.well-known/openid-configuration")).toBe(1);
  expect(place.provider.count("/jwks")).toBe(2);
  place.clock.advance(3_600_000);
  await place.signIn();
  expect(place.provider.count("/.well-known/openid-configuration")).toBe(2);
});

test("the provider ends its sessions with a logout token, and nobody else does", async () => {
  await using place = await setUpHostile();
  const { issuer } = place.provider;
  const first = await place.signIn();
  place.provider.deviate({ claims: { sid: "session-2" } });
  const second = await place.signIn();
  place.provider.deviate({ claims: { sub: "2", sid: "session-3", email: "ben@acme.example" } });
  const bens = await place.signIn();
  const isLive = async ({ cookie }: { cookie: string }) =>
    (await place.call("GET", "/sessions", { cookie })).status === 200;
  const now = Math.floor(Date.now() / 1000);
  const events = { "http://schemas.openid.net/event/backchannel-logout": {} };
  const wrong = [
    await place.provider.logoutToken({}, true),
    await place.provider.logoutToken({ iss: "https://evil.example" }),
    await place.provider.logoutToken({ aud: "other" }),
    await place.provider.logoutToken({ nonce: "n" }),
    await place.provider.logoutToken({ events: {} }),
    await place.provider.logoutToken({ events: "http://schemas.openid.net/event/backchannel-logout" }),
    await place.provider.logoutToken({ sub: undefined, sid: undefined }),
    await place.provider.logoutToken({ jti: undefined }),
    await place.provider.logoutToken({ iat: undefined }),
    await place.provider.logoutToken({ iat: now - 600 }),
    await place.provider.logoutToken({ iat: now - 300, exp: now - 120 }),
    "",
    "no token",
    `${await place.provider.logoutToken({ events, iss: issuer })}x`,
  ];
  for (const [at, token] of wrong.entries()) {
    const { status, headers, json } = await place.logOut(token);
    const told = { at, status, cache: headers.get("cache-control"), error: json["error"] };
    expect(told).toEqual({ at, status: 400, cache: "no-store", error: "invalid_request" });
  }
  expect([await isLive(first), await isLive(second), await isLive(bens)]).toEqual([true, true, true]);
  const token = await place.provider.logoutToken({ sub: undefined, sid: "session-1" });
  const answer = await place.logOut(token);
  expect([answer.status, answer.text, answer.headers.get("cache-control")]).toEqual([200, "", "no-store"]);
  expect([await isLive(first), await isLive(second), await isLive(bens)]).toEqual([false, true, true]);
  expect((await place.logOut(token)).status).toBe(400);
  // Some providers leave the end out.
  const again = await place.signIn();
  expect(
    (await place.logOut(await place.provider.logoutToken({ sub: "2", sid: undefined, exp: undefined }))).status,
  ).toBe(200);
  expect(await isLive(again)).toBe(false);
  await place.logOut(await place.provider.logoutToken({ sid: undefined, sub: "1" }));
  expect(await isLive(second)).toBe(false);
  const large = await place.server.call("POST", "/oidc/backchannel-logout", {
    body: `logout_token=${"x".repeat(20_000)}`,
    headers: { "content-type": "application/x-www-form-urlencoded" },
  });
  expect(large.status).toBe(413);
});

test("a logout that couldn't be carried out is good for another try", async () => {
  await using place = await setUpHostile();
  const { issuer, clientId, clientSecret } = place.provider;
  const ours = createProvider({ issuer, clientId, clientSecret, claims: [], clock: place.clock });
  const token = await place.provider.logoutToken();
  const failing = ours.carryOutLogout(token, () => Promise.reject(new Error("the disk is full")));
  expect(await failing.catch(String)).toBe("Error: the disk is full");
  expect(await ours.carryOutLogout(token, async () => undefined)).toBe(true);
  expect(await ours.carryOutLogout(token, async () => undefined)).toBe(false);
});

test("a server without a provider, or without this way to sign in, has no single sign-on", async () => {
  await using plain = await startTestServer({ http: { baseUrl: () => ORIGIN } });
  const asked = await plain.call("POST", "/app/session/oidc", { body: { silent: false }, headers: OWN });
  expect(asked.status).toBe(404);
  expect((await plain.call("GET", "/app/session", { headers: OWN })).json["ways"]).not.toContain("oidc");
  await using narrowed = await setUpHostile({ policy: { signInWays: ["link"] } });
  expect((await narrowed.begin()).answer.status).toBe(404);
  expect((await narrowed.call("GET", "/session")).json["ways"]).toEqual(["link"]);
});

test("a person may choose another account at the provider, in the way that it has", async () => {
  await using place = await setUpHostile();
  const promptOf = async (body: object) => {
    const { json } = await place.call("POST", "/session/oidc", { body });
    return new URL(json["url"]).searchParams.get("prompt");
  };
  expect(await promptOf({ silent: false, other_account: false })).toBe(null);
  expect(await promptOf({ silent: false, other_account: true })).toBe("select_account");
  expect(await promptOf({ silent: true, other_account: true })).toBe("none");
  for (const [prompts, prompt] of [
    [["none", "select_account", "login"], "select_account"],
    [["none", "login"], "login"],
    [["none"], null],
  ] as const) {
    place.provider.deviate({ document: { prompt_values_supported: prompts } });
    place.clock.advance(3_600_000);
    expect(await promptOf({ silent: false, other_account: true })).toBe(prompt);
  }
});

test("a network begins ten times as many sign-ins at the provider as others", async () => {
  await using place = await setUpHostile({ policy: { failedAuthenticationsPerMinute: 1 } });
  for (let n = 0; n < 10; n++) expect((await place.begin()).answer.status).toBe(200);
  expect((await place.begin()).answer.status).toBe(429);
});
