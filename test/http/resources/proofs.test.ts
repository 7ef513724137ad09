import { expect, test } from "bun:test";
import { MAIL_SIGN_IN } from "../../../src/contract/operations.ts";
import { createAgeIdentity } from "../../../src/crypto/age-identities.ts";
import { createMailSender } from "../../../src/domain/mails/sender.ts";
import type { MailSender } from "../../../src/domain/mails/sender.ts";
import type { ServerPolicy } from "../../../src/domain/server-policies.ts";
import { invitePerson } from "../../../src/domain/signing-in/persons.ts";
import { createTeam } from "../../../src/domain/teams.ts";
import { createMailer } from "../../../src/mail/mailer.ts";
import { codesIn, openMailServer } from "../../support/mail-servers.ts";
import type { MailServer } from "../../support/mail-servers.ts";
import { startTestServer } from "../../support/server.ts";

const MINUTE = 60_000;
const OWN = { "sec-fetch-site": "same-origin" };
const ANN = "ann@a.test";
const BODY = { envelope: { version: 1, ciphertext: "fake-local-test-only" } };
const LOOK = { baseUrl: "https://handoff.test", name: "handoff", accent: { light: "#14563f", dark: "#7cd3b1" } };
const { recipient: RECIPIENT } = await createAgeIdentity("x25519");

/** The real app, which sends its mails to `mailServer`, and a key with every scope. */
async function setUp(mailServer: MailServer, policy: Partial<ServerPolicy> = {}) {
  let sender: MailSender | undefined;
  const server = await startTestServer({
    policy: { sendsMails: true, ...policy },
    http: { wakeMails: () => void sender?.look() },
  });
  const { service } = server.backend;
  const running = createMailSender({
    store: service.store,
    clock: service.clock,
    mailer: createMailer({
      server: mailServer.target,
      from: { name: "", address: "handoff@mail.test" },
      look: () => LOOK,
      ca: mailServer.ca,
      timeoutMs: 2000,
    }),
    domains: [],
    onError: (error) => {
      throw error;
    },
    onFailure: () => undefined,
  });
  sender = running;
  const { token: key } = await server.backend.mint();
  const post = (path: string, token: string, body?: unknown, headers: Readonly<Record<string, string>> = {}) =>
    server.call("POST", `/api/v1${path}`, { token, body, headers });
  /** Makes a secret or a request for these people. Its `token` is that of the link. */
  const make = async (kind: "secrets" | "requests", people: string, query = "") => {
    const body = kind === "secrets" ? BODY : { recipient: RECIPIENT };
    const made = await post(`/${kind}?for=${encodeURIComponent(people)}${query}`, key, body);
    return { made, id: String(made.json.id), token: String(made.json.claim_token ?? made.json.submit_token) };
  };
  type Link = Awaited<ReturnType<typeof make>>;
  const pathOf = ({ id }: Link) => `/${id.startsWith("sec_") ? "secrets" : "requests"}/${id}`;
  const begin = (link: Link, address: string) =>
    post(`${pathOf(link)}/proofs`, link.token, { address, language: "en" });
  const complete = (link: Link, proof: string, code: string) =>
    post(`${pathOf(link)}/proofs/code`, link.token, { proof_token: proof, code });
  return {
    server,
    service,
    key,
    post,
    make,
    begin,
    complete,
    settle: () => running.settle(),
    /** Begins a proof, and reads its code from the mail. */
    async ask(link: Link, address = ANN) {
      const before = mailServer.mails.length;
      const { proof_token: proof } = (await begin(link, address)).json;
      const mail = (await mailServer.untilMails(before + 1))[before];
      await running.settle();
      return { proof: String(proof), code: (mail ? codesIn(mail) : [])[0] ?? "", mail };
    },
    claim: (link: Link, proof?: string, idempotencyKey?: string) =>
      post(`${pathOf(link)}/claim`, link.token, undefined, {
        ...(proof === undefined ? {} : { "handoff-proof": proof }),
        ...(idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey }),
      }),
    /** How the addresses in the log were proven, from the first event on. */
    proofs: async () =>
      (
        await server.backend.storage.run<{ proof: string | null }>("SELECT proof FROM events ORDER BY created_at, id")
      ).map(({ proof }) => proof),
    seen: async (link: Link, token = key) => (await server.call("GET", `/api/v1${pathOf(link)}`, { token })).json,
    events: async (link: Link, token = key) =>
      (await server.call("GET", `/api/v1${pathOf(link)}/events`, { token })).json.data.map(
        ({ type, actor }: { type: string; actor: object }) => ({ type, actor }),
      ),
    /** Signs a person in, and returns how they call. */
    async signIn(address: string, team = "team") {
      if (!(await service.store.listTeams()).some(({ name }) => name === team)) await createTeam(service, team);
      const { token } = await invitePerson(service, { team, address });
      const answer = await server.call("POST", "/app/session", { body: { sign_in_token: token }, headers: OWN });
      const cookie = answer.headers.get("set-cookie")?.split(";")[0] ?? "";
      return (path: string, body?: unknown) =>
        server.call("POST", `/app${path}`, { body, headers: { cookie, ...OWN } });
    },
    async [Symbol.asyncDispose]() {
      await running.stop();
      await server[Symbol.asyncDispose]();
    },
  };
}

const wrongOf = (code: string) => (code === "00000000" ? "00000001" : "00000000");

test("a secret for chosen people is handed out to a proven address alone, which its team sees", async () => {
  await using mailServer = await openMailServer();
  await using place = await setUp(mailServer);
  const link = await place.make("secrets", `${ANN},*@b.test`);
  expect(link.made.json.for).toEqual([ANN, "*@b.test"]);
  expect((await place.seen(link)).for).toEqual([ANN, "*@b.test"]);
  // The holder of the link may be somebody else.
  expect((await place.seen(link, link.token)).for).toEqual(["a…@a.test", "*@b.test"]);
  expect(await place.claim(link)).toMatchObject({ status: 403, json: { code: "proof_required" } });
  const { proof, code, mail } = await place.ask(link, "Ann@A.test");
  expect(mail?.mail.subject).not.toContain(code);
  expect(mail?.mail.text).toContain("Someone who has a link on handoff.test asked for a code");
  expect(await place.claim(link, proof)).toMatchObject({ status: 403, json: { code: "proof_required" } });
  expect(await place.complete(link, proof, wrongOf(code))).toMatchObject({
    status: 422,
    json: { code: "code_invalid" },
  });
  expect(await place.complete(link, proof, code)).toMatchObject({
    status: 200,
    json: { proof_token: proof, address: "Ann@A.test" },
  });
  expect((await place.complete(link, proof, code)).json.code).toBe("code_expired");
  expect(await place.seen(link)).toMatchObject({ state: "available", claims: 0 });
  expect(await place.claim(link, proof)).toMatchObject({ status: 200, json: { secret: { state: "claimed" } } });
  const actor = { kind: "address", id: null, address: "Ann@A.test" };
  expect((await place.events(link)).at(-1)).toEqual({ type: "secret.claimed", actor });
  expect((await place.events(link, link.token)).at(-1).actor).toEqual({ ...actor, address: null });
  expect(await place.proofs()).toEqual([null, "code"]);
});

test("everybody is answered the same, and only chosen people get a mail", async () => {
  await using mailServer = await openMailServer();
  await using place = await setUp(mailServer);
  const link = await place.make("secrets", ANN);
  const stranger = await place.begin(link, "eve@a.test");
  const { proof, code } = await place.ask(link);
  expect(Object.keys(stranger.json)).toEqual(["proof_token", "expires_at"]);
  expect(stranger).toMatchObject({ status: 202, json: { expires_at: expect.any(String) } });
  await place.settle();
  expect(mailServer.mails.map(({ to }) => to)).toEqual([[ANN]]);
  const guess = await place.complete(link, String(stranger.json.proof_token), code);
  expect(guess.json.code).toBe("code_invalid");
  // At a chosen domain too, an address that reads like a sentence or hides something gets no mail.
  const open = await place.make("secrets", "*@b.test");
  for (const odd of ["\u202egnp", "ann@a.test (proven)", "a,b", "a b", "<i>x</i>", 'x"y'].map(
    (each) => `${each}@b.test`,
  )) {
    expect((await place.begin(open, odd)).status).toBe(202);
  }
  await place.settle();
  expect(mailServer.mails).toHaveLength(1);
  // A text that is no address is in no log.
  await place.begin(link, "<b>@a.test");
  for (const expected of ["code_invalid", "code_invalid", "code_invalid", "code_invalid", "code_invalid"]) {
    expect((await place.complete(link, proof, wrongOf(code))).json.code).toBe(expected);
  }
  expect((await place.complete(link, proof, code)).json.code).toBe("code_expired");
  const refused = (address: string | null) => ({
    type: "secret.proof_refused",
    actor: { kind: "link", id: null, address },
  });
  expect((await place.events(link)).slice(1)).toEqual([refused("eve@a.test"), refused(null), refused(ANN)]);
  // To the holder of the link, an event would tell that an address isn't chosen.
  expect(await place.events(link, link.token)).toMatchObject([{ type: "secret.created" }]);
  expect(await place.seen(link)).toMatchObject({ state: "available", claims: 0 });
});

test("a proof counts for its own link, and for ten minutes, and a claim is repeated without one", async () => {
  await using mailServer = await openMailServer();
  await using place = await setUp(mailServer);
  const [link, other] = [await place.make("secrets", ANN, "&max_claims=2"), await place.make("secrets", ANN)];
  const { proof, code } = await place.ask(link);
  expect((await place.complete(other, proof, code)).json.code).toBe("code_expired");
  await place.complete(link, proof, code);
  expect((await place.claim(other, proof)).json.code).toBe("proof_required");
  expect((await place.claim(link, proof, "k1")).status).toBe(200);
  place.server.backend.clock.advance(4 * MINUTE);
  expect((await place.claim(link, undefined, "k1")).headers.get("idempotency-replayed")).toBe("true");
  place.server.backend.clock.advance(6 * MINUTE);
  expect((await place.claim(link, proof, "k2")).json.code).toBe("proof_required");
  await place.server.call("DELETE", `/api/v1/secrets/${other.id}`, { token: place.key });
  expect((await place.begin(other, ANN)).json.code).toBe("secret_revoked");
  const late = await place.ask(link);
  place.server.backend.clock.advance(10 * MINUTE);
  expect((await place.complete(link, late.proof, late.code)).json.code).toBe("code_expired");
});

test("a person proves the address of their session, whatever their team, and a key proves none", async () => {
  await using mailServer = await openMailServer();
  await using place = await setUp(mailServer);
  const link = await place.make("secrets", ANN, "&max_claims=3");
  const [ann, eve] = [await place.signIn(ANN, "other"), await place.signIn("eve@a.test")];
  const proven = await ann("/proofs", { subject_id: link.id });
  expect(proven).toMatchObject({ status: 201, json: { address: ANN } });
  expect((await place.claim(link, proven.json.proof_token)).status).toBe(200);
  const foreign = await eve("/proofs", { subject_id: link.id });
  expect(foreign.status).toBe(201);
  expect((await place.claim(link, foreign.json.proof_token)).json.code).toBe("proof_required");
  // Members of the team too, and keys that may claim.
  expect((await eve(`/secrets/${link.id}/claim`)).json.code).toBe("proof_required");
  expect((await place.post(`/secrets/${link.id}/claim`, place.key)).json.code).toBe("proof_required");
  expect(await place.post("/proofs", place.key, { subject_id: link.id })).toMatchObject({
    status: 403,
    json: { code: "proof_required" },
  });
  const ownAnn = await place.signIn(ANN);
  expect((await ownAnn(`/secrets/${link.id}/claim`)).status).toBe(200);
  const kinds = (await place.events(link)).map(({ actor }: { actor: { kind: string } }) => actor.kind);
  expect(kinds).toEqual(["api_key", "address", "person"]);
  expect((await place.proofs()).filter((proof) => proof !== null)).toEqual(["session", "session"]);
  // A proof is no credential.
  expect((await place.post(`/secrets/${link.id}/claim`, proven.json.proof_token)).json.code).toBe("credential_invalid");
});

test("only chosen people hand in to a request, and the team sees who did", async () => {
  await using mailServer = await openMailServer();
  await using place = await setUp(mailServer);
  const link = await place.make("requests", "*@a.test");
  expect(link.made.json.for).toEqual(["*@a.test"]);
  const invitation = await place.server.call("GET", `/api/v1/requests/${link.id}/invitation`, { token: link.token });
  expect(invitation.json.for).toEqual(["*@a.test"]);
  const submit = (proof?: string) =>
    place.post(`/requests/${link.id}/submissions`, link.token, BODY, proof ? { "handoff-proof": proof } : {});
  expect(await submit()).toMatchObject({ status: 403, json: { code: "proof_required" } });
  await place.begin(link, "eve@b.test");
  const { proof, code } = await place.ask(link);
  await place.complete(link, proof, code);
  const submitted = await submit(proof);
  expect(submitted.status).toBe(201);
  const { data } = (await place.server.call("GET", "/api/v1/events", { token: place.key })).json;
  expect(data.slice(1)).toMatchObject([
    { type: "request.proof_refused", actor: { kind: "link", id: null, address: "eve@b.test" }, request_id: link.id },
    { type: "secret.created", actor: { kind: "address", address: ANN }, secret_id: submitted.json.secret_id },
    { type: "request.fulfilled", actor: null },
  ]);
  expect(await place.proofs()).toEqual([null, null, "code", null]);
  // What was handed in is the team's.
  expect((await place.post(`/secrets/${submitted.json.secret_id}/claim`, place.key)).status).toBe(200);
});

test("people who can't be chosen are refused, and so is a code that can't be sent", async () => {
  await using mailServer = await openMailServer();
  await using place = await setUp(mailServer);
  const refused = {
    status: 422,
    json: { code: "schema_mismatch", errors: [{ pointer: "/query/for", code: "format" }] },
  };
  const many = Array.from({ length: 21 }, (_, index) => `a${index}@a.test`).join();
  for (const people of ["", "ann", "@a.test", "*@", "ann@a.test,", "a\u202eb@a.test", "*b@a.test", many]) {
    const { made } = await place.make("secrets", people);
    expect({ people, made }).toMatchObject({ people, made: { status: 422, json: { code: "schema_mismatch" } } });
  }
  expect((await place.make("secrets", "ann@a.test,*@a.test,Ann@a.test")).made.json.for).toEqual([
    "Ann@a.test",
    "*@a.test",
  ]);
  const open = await place.post("/secrets", place.key, BODY);
  const link = { made: open, id: open.json.id, token: open.json.claim_token };
  expect(open.json.for).toBeNull();
  expect(await place.begin(link, ANN)).toMatchObject({ status: 404 });
  // Without mail and single sign-on nobody could prove an address.
  await using silent = await setUp(mailServer, { sendsMails: false });
  expect((await silent.make("secrets", ANN)).made).toMatchObject(refused);
  expect((await silent.make("requests", ANN)).made).toMatchObject(refused);
  const credential = await silent.server.call("GET", "/api/v1/credential", { token: silent.key });
  expect(credential.json.limits.proves_addresses).toBe(false);
  await using onlyOidc = await setUp(mailServer, { sendsMails: false, signInWays: ["link", "oidc"] });
  const of = await onlyOidc.make("secrets", ANN);
  expect(of.made.status).toBe(201);
  expect(await onlyOidc.begin(of, ANN)).toMatchObject({ status: 404 });
});

test("an address can be sent five mails for a link, whether it is chosen or not, and no stranger uses them up", async () => {
  await using mailServer = await openMailServer();
  await using place = await setUp(mailServer, { signInWays: ["link", "mail"] });
  const link = await place.make("secrets", ANN);
  for (const address of [ANN, "eve@a.test"]) {
    const statuses: number[] = [];
    for (let count = 0; count < 6; count++) statuses.push((await place.begin(link, address)).status);
    expect({ address, statuses }).toEqual({ address, statuses: [202, 202, 202, 202, 202, 429] });
  }
  const zoe = await place.make("secrets", `zoe@b.test,${ANN}`);
  expect((await place.begin(zoe, ANN)).status).toBe(202);
  // Anybody may type an address to sign in with.
  for (let count = 0; count < 5; count++) {
    const body = { address: "zoe@b.test", language: "en" };
    const { status } = await place.server.call("POST", MAIL_SIGN_IN.path, {
      body,
      headers: { "sec-fetch-site": "same-origin" },
    });
    expect(status).toBe(202);
  }
  expect((await place.begin(zoe, "zoe@b.test")).status).toBe(202);
  await place.settle();
});
