import { expect, test } from "bun:test";
import type { ServerPolicy } from "../../../src/domain/server-policies.ts";
import { invitePerson, removePerson } from "../../../src/domain/signing-in/persons.ts";
import { createTeam } from "../../../src/domain/teams.ts";
import type { HttpOptions } from "../../../src/http/options.ts";
import { authenticators } from "../../../src/signing-in/passkeys.ts";
import { createAuthenticator } from "../../support/authenticators.ts";
import type { Deviation, Options } from "../../support/authenticators.ts";
import { startTestServer } from "../../support/server.ts";

const ORIGIN = "https://handoff.test";
const OWN = { "sec-fetch-site": "same-origin" };
const FIVE_MINUTES = 300_000;
const FIFTEEN_MINUTES = 900_000;

interface Begun {
  readonly attempt: string;
  readonly options: Options;
}

type Authenticator = Awaited<ReturnType<typeof createAuthenticator>>;

async function setUp(policy: Partial<ServerPolicy> = {}, http: Partial<HttpOptions> = {}) {
  const server = await startTestServer({
    policy,
    http: { baseUrl: () => ORIGIN, authenticators: async () => authenticators, ...http },
  });
  const { service } = server.backend;
  await createTeam(service, "team");
  const cookies = (answer: { headers: Headers }) => answer.headers.get("set-cookie")?.split(";")[0] ?? "";
  const call = (method: string, path: string, { body, cookie }: { body?: unknown; cookie?: string } = {}) => {
    return server.call(method, `/app${path}`, { body, headers: { ...OWN, ...(cookie && { cookie }) } });
  };
  const invite = async (address = "ann") => (await invitePerson(service, { team: "team", address })).token;
  const begin = async (): Promise<Begun> => {
    const asked = await call("POST", "/session/passkey");
    return { attempt: cookies(asked), options: asked.json["options"] as Options };
  };
  return {
    server,
    service,
    call,
    begin,
    /** Signs a person in with a link, and returns their cookie. */
    enter: async (address?: string) =>
      cookies(await call("POST", "/session", { body: { sign_in_token: await invite(address) } })),
    /** Adds a passkey as the person with the session `cookie`. */
    add: async (cookie: string, authenticator: Authenticator, deviation?: Deviation) => {
      const asked = await call("POST", "/passkeys/options", { cookie });
      const passkey = await authenticator.create(asked.json["options"] as Options, deviation);
      return call("POST", "/passkeys", { body: { passkey, language: "de" }, cookie: `${cookie}; ${cookies(asked)}` });
    },
    /** Signs in with a passkey. */
    signIn: async (authenticator: Authenticator, deviation?: Deviation, former = "") => {
      const { attempt, options } = await begin();
      const passkey = await authenticator.get(options, deviation);
      const answer = await call("POST", "/session", { body: { passkey }, cookie: `${former}; ${attempt}` });
      return { ...answer, cookie: cookies(answer) };
    },
    events: async () => {
      const [team] = await service.store.listTeams();
      return (await service.store.listEvents(team?.id ?? "", undefined, 1000)).map(({ type }) => type);
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

test("a passkey is added by a signed-in person, signs them in, and ends the browser's former session", async () => {
  await using place = await setUp();
  const authenticator = await createAuthenticator(ORIGIN);
  const cookie = await place.enter();
  const added = await place.add(cookie, authenticator);
  expect(added).toMatchObject({ status: 201, json: { browser: null, system: null, last_used_at: null } });
  const asked = await place.call("POST", "/passkeys/options", { cookie });
  expect(asked.json["options"] as Options).toMatchObject({
    rp: { id: "handoff.test", name: "handoff" },
    user: { name: "ann", displayName: "ann" },
    attestation: "none",
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
    excludeCredentials: [{ id: authenticator.credentialId, transports: ["internal"] }],
  });
  expect(asked.headers.get("set-cookie")).toMatch(
    /^__Host-handoff-attempt=hut_\w+; Path=\/; Secure; HttpOnly; SameSite=Strict; Max-Age=300$/,
  );
  const signedIn = await place.signIn(authenticator, {}, cookie);
  expect(signedIn).toMatchObject({ status: 200, json: { address: "ann", team: "team" } });
  const at = new Date(place.service.clock.now()).toISOString();
  const [passkey] = (await place.call("GET", "/passkeys", { cookie: signedIn.cookie })).json.data;
  expect(passkey).toEqual({ ...added.json, last_used_at: at });
  const sessions = (await place.call("GET", "/sessions", { cookie: signedIn.cookie })).json.data;
  expect(sessions).toMatchObject([{ way: "passkey", is_current: true }]);
  expect((await place.call("GET", "/sessions", { cookie })).json.code).toBe("credential_invalid");
  expect(await place.events()).toEqual([
    "person.signed_in",
    "person.passkey_added",
    "person.signed_out",
    "person.signed_in",
  ]);
});

test("a new passkey is mailed to its person, once, where mails are sent and they have an address", async () => {
  await using place = await setUp({ sendsMails: true });
  const due = () => place.service.store.listDueMails(10);
  const [cookie, other] = [await place.enter("ann@a.test"), await place.enter("bob")];
  const authenticator = await createAuthenticator(ORIGIN);
  await place.add(cookie, authenticator);
  const mail = { kind: "passkey_added", address: "ann@a.test", language: "de", data: {}, tries: 0 };
  expect(await due()).toMatchObject([mail]);
  expect(await place.add(cookie, authenticator)).toMatchObject({ status: 422 });
  await place.add(other, await createAuthenticator(ORIGIN));
  expect(await due()).toHaveLength(1);
  await using silent = await setUp();
  await silent.add(await silent.enter("ann@a.test"), await createAuthenticator(ORIGIN));
  expect(await silent.service.store.listDueMails(10)).toEqual([]);
});

test("who has a passkey adds and removes one only soon after signing in", async () => {
  await using place = await setUp();
  const { clock } = place.server.backend;
  const authenticator = await createAuthenticator(ORIGIN);
  const old = await place.enter();
  const begin = (cookie: string) => place.call("POST", "/passkeys/options", { cookie });
  // Somebody who has links alone would need an admin for it.
  clock.advance(FIFTEEN_MINUTES);
  const { json: passkey } = await place.add(old, authenticator);
  const path = `/passkeys/${String(passkey["id"])}`;
  expect(await begin(old)).toMatchObject({ status: 403, json: { code: "sign_in_too_old" } });
  expect((await place.call("DELETE", path, { cookie: old })).json.code).toBe("sign_in_too_old");
  expect((await place.call("GET", "/passkeys", { cookie: old })).json.data).toHaveLength(1);
  const { cookie } = await place.signIn(authenticator, {}, old);
  clock.advance(FIFTEEN_MINUTES - 1);
  expect((await begin(cookie)).status).toBe(200);
  clock.advance(1);
  expect((await begin(cookie)).json.code).toBe("sign_in_too_old");
  const linked = await place.enter();
  expect((await begin(linked)).status).toBe(200);
  expect((await place.call("DELETE", path, { cookie: linked })).status).toBe(204);
});

test("an address that gets codes by mail is asked to sign in again before the first passkey", async () => {
  await using place = await setUp({ signInWays: ["link", "passkey", "mail"] });
  const [mailed, named] = [await place.enter("ann@a.test"), await place.enter("ann")];
  place.server.backend.clock.advance(FIFTEEN_MINUTES);
  const begin = (cookie: string) => place.call("POST", "/passkeys/options", { cookie });
  expect((await begin(mailed)).json.code).toBe("sign_in_too_old");
  expect((await begin(named)).status).toBe(200);
});

test("a sign-in that doesn't prove everything is refused, and is an event of the team", async () => {
  await using place = await setUp();
  const authenticator = await createAuthenticator(ORIGIN);
  await place.add(await place.enter(), authenticator);
  const before = await place.events();
  const wrong: readonly Deviation[] = [
    { origin: "https://handoff.test.evil.example" },
    { origin: "http://handoff.test" },
    { rpId: "evil.example" },
    { type: "webauthn.create" },
    { crossOrigin: true },
    { challenge: Buffer.alloc(32).toString("base64url") },
    { isVerified: false },
    { isForged: true },
    { userHandle: Buffer.from("idn_00000000000000000000000000").toString("base64url") },
    { userHandle: undefined },
  ];
  for (const deviation of wrong) {
    const answer = await place.signIn(authenticator, deviation);
    expect({ deviation, status: answer.status, code: answer.json.code, cookie: answer.cookie }).toEqual({
      deviation,
      status: 401,
      code: "credential_invalid",
      cookie: "",
    });
  }
  expect((await place.events()).slice(before.length)).toEqual(wrong.map(() => "person.refused"));
  // Of a passkey that nobody has, there is nobody to tell.
  expect((await place.signIn(await createAuthenticator(ORIGIN))).json.code).toBe("credential_invalid");
  expect(await place.events()).toHaveLength(before.length + wrong.length);
  expect((await place.signIn(authenticator)).status).toBe(200);
});

test("what is no answer of an authenticator is refused", async () => {
  await using place = await setUp();
  const authenticator = await createAuthenticator(ORIGIN);
  const cookie = await place.enter();
  await place.add(cookie, authenticator);
  const { credentialId: id } = authenticator;
  const junk = [
    {},
    { id: 7 },
    { id },
    { id, response: null },
    { id, response: { userHandle: 7 } },
    { id, rawId: id, response: {} },
  ];
  for (const passkey of junk) {
    const { attempt } = await place.begin();
    const answer = await place.call("POST", "/session", { body: { passkey }, cookie: attempt });
    expect({ passkey, code: answer.json.code }).toEqual({ passkey, code: "credential_invalid" });
    const asked = await place.call("POST", "/passkeys/options", { cookie });
    const both = `${cookie}; ${asked.headers.get("set-cookie")?.split(";")[0]}`;
    expect((await place.call("POST", "/passkeys", { body: { passkey }, cookie: both })).json.code).toBe(
      "schema_mismatch",
    );
  }
  for (const body of [{ passkey: "x" }, { passkey: {}, sign_in_token: "x" }, {}]) {
    expect((await place.call("POST", "/session", { body })).json.code).toBe("schema_mismatch");
  }
});

test("an attempt works once, for five minutes, in the browser that began it, and for what it was begun for", async () => {
  await using place = await setUp();
  const authenticator = await createAuthenticator(ORIGIN);
  const cookie = await place.enter();
  await place.add(cookie, authenticator);
  const finish = async (at: Begun, attempt = at.attempt) => {
    const passkey = await authenticator.get(at.options);
    return (await place.call("POST", "/session", { body: { passkey }, cookie: attempt })).json.code;
  };
  const [late, other, own] = [await place.begin(), await place.begin(), await place.begin()];
  expect(await finish(own, "")).toBe("credential_expired");
  // Challenge and attempt of two browsers.
  expect(await finish(own, other.attempt)).toBe("credential_invalid");
  expect(await finish(other)).toBe("credential_expired");
  expect(await finish(own)).toBeUndefined();
  expect(await finish(own)).toBe("credential_expired");
  place.server.backend.clock.advance(FIVE_MINUTES);
  expect(await finish(late)).toBe("credential_expired");
  const registration = await place.call("POST", "/passkeys/options", { cookie });
  const attempt = registration.headers.get("set-cookie")?.split(";")[0] ?? "";
  expect(await finish({ attempt, options: registration.json["options"] as Options })).toBe("credential_expired");
  // Another person has signed in meanwhile.
  const ofAnn = await place.call("POST", "/passkeys/options", { cookie });
  const another = await (await createAuthenticator(ORIGIN)).create(ofAnn.json["options"] as Options);
  const asBob = `${await place.enter("bob")}; ${ofAnn.headers.get("set-cookie")?.split(";")[0]}`;
  const added = await place.call("POST", "/passkeys", { body: { passkey: another }, cookie: asBob });
  expect(added.json.detail).toBe("This attempt is over. Begin again.");
  const { attempt: signInAttempt, options } = await place.begin();
  const passkey = await (await createAuthenticator(ORIGIN)).create({ ...options, rp: { id: "handoff.test" } });
  const answer = await place.call("POST", "/passkeys", { body: { passkey }, cookie: `${cookie}; ${signInAttempt}` });
  expect(answer).toMatchObject({ status: 422, json: { detail: "This attempt is over. Begin again." } });
});

test("a signature counter that doesn't grow is refused, and an authenticator without one isn't", async () => {
  await using place = await setUp();
  const [counting, plain] = [await createAuthenticator(ORIGIN), await createAuthenticator(ORIGIN)];
  counting.count(7);
  const cookie = await place.enter();
  for (const each of [counting, plain]) expect((await place.add(cookie, each)).status).toBe(201);
  const codes = [];
  for (const counter of [7, 8, 8, 3, 0, 100]) {
    codes.push((await place.signIn(counting, { counter })).json.code ?? "signed in");
  }
  const invalid = "credential_invalid";
  expect(codes).toEqual([invalid, "signed in", invalid, invalid, invalid, "signed in"]);
  expect((await place.events()).filter((type) => type === "person.refused")).toHaveLength(4);
  for (let n = 0; n < 2; n++) expect((await place.signIn(plain)).status).toBe(200);
});

test("a passkey that was removed signs nobody in, nor does one of a person who was removed", async () => {
  await using place = await setUp();
  const [first, second] = [await createAuthenticator(ORIGIN), await createAuthenticator(ORIGIN)];
  const cookie = await place.enter();
  const { json } = await place.add(cookie, first);
  await place.add(cookie, second);
  const bob = await place.enter("bob");
  expect((await place.call("DELETE", `/passkeys/${json.id}`, { cookie: bob })).json.code).toBe("not_found");
  expect((await place.call("DELETE", `/passkeys/${json.id}`, { cookie })).status).toBe(204);
  expect((await place.call("DELETE", `/passkeys/${json.id}`, { cookie })).json.code).toBe("not_found");
  expect((await place.signIn(first)).json.code).toBe("credential_invalid");
  expect(await place.events()).toContain("person.passkey_removed");
  const { options, attempt } = await place.begin();
  await removePerson(place.service, { nameOrId: "ann", team: undefined });
  const passkey = await second.get(options);
  expect((await place.call("POST", "/session", { body: { passkey }, cookie: attempt })).json.code).toBe(
    "credential_invalid",
  );
  // Let in again, they begin anew.
  const again = await place.enter();
  expect((await place.call("GET", "/passkeys", { cookie: again })).json.data).toEqual([]);
  expect((await place.signIn(second)).json.code).toBe("credential_invalid");
});

test("adding is refused for a passkey that is known, proves nothing, vouches with certificates, or is one too many", async () => {
  await using place = await setUp();
  const authenticator = await createAuthenticator(ORIGIN);
  const [cookie, bob] = [await place.enter(), await place.enter("bob")];
  const certificates = new Map<string, unknown>([
    ["alg", -7],
    ["sig", new Uint8Array(8)],
    ["x5c", [new Uint8Array(8)]],
  ]);
  const refused: readonly Deviation[] = [
    { attestation: { format: "packed", statement: certificates } },
    { attestation: { format: "android-safetynet", statement: new Map() } },
    { origin: "https://evil.example" },
    { rpId: "evil.example" },
    { type: "webauthn.get" },
    { crossOrigin: true },
    { challenge: Buffer.alloc(32).toString("base64url") },
    { isVerified: false },
  ];
  for (const deviation of refused) {
    const { status, json } = await place.add(cookie, authenticator, deviation);
    expect({ deviation, status, detail: json.detail }).toEqual({
      deviation,
      status: 422,
      detail: "The browser's answer is no new passkey of this server.",
    });
  }
  expect((await place.add(cookie, authenticator)).status).toBe(201);
  expect((await place.add(bob, authenticator)).json.detail).toBe("This passkey is known already.");
  for (let n = 1; n < 20; n++) expect((await place.add(cookie, await createAuthenticator(ORIGIN))).status).toBe(201);
  expect((await place.add(cookie, await createAuthenticator(ORIGIN))).json.detail).toBe(
    "20 passkeys are the most. Remove one first.",
  );
});

test("passkeys are there over TLS at a name, and at localhost, unless an admin leaves them out", async () => {
  const cases: readonly [string, Partial<ServerPolicy>, boolean][] = [
    ["https://handoff.test/below", {}, true],
    ["http://localhost:8080", {}, true],
    ["http://handoff.test", {}, false],
    ["https://192.0.2.1", {}, false],
    ["https://[2001:db8::1]", {}, false],
    ["https://handoff.test", { signInWays: ["link"] }, false],
  ];
  for (const [baseUrl, policy, isThere] of cases) {
    await using place = await setUp(policy, { baseUrl: () => baseUrl });
    const { ways } = (await place.call("GET", "/session")).json;
    const cookie = await place.enter();
    const { status } = await place.call("POST", "/session/passkey");
    const asked = await place.call("POST", "/passkeys/options", { cookie });
    expect({ baseUrl, ways, status, asked: asked.status }).toEqual({
      baseUrl,
      ways: isThere ? ["link", "passkey"] : ["link"],
      status: isThere ? 200 : 404,
      asked: isThere ? 200 : 404,
    });
  }
});

test("an address begins few sign-ins in a minute, and calls about passkeys come from the page alone", async () => {
  await using place = await setUp({ failedAuthenticationsPerMinute: 3 });
  const statuses = [];
  for (let n = 0; n < 4; n++) statuses.push((await place.call("POST", "/session/passkey")).status);
  expect(statuses).toEqual([200, 200, 200, 429]);
  const elsewhere = { "sec-fetch-site": "cross-site", origin: "https://evil.example" };
  for (const path of ["/session/passkey", "/passkeys", "/passkeys/options"]) {
    const { json } = await place.server.call("POST", `/app${path}`, { headers: elsewhere });
    expect(json.code).toBe("invalid_header");
  }
  const { json } = await place.server.call("GET", "/app/passkeys", { headers: OWN });
  expect(json.code).toBe("credential_missing");
});
