import { expect, test } from "bun:test";
import type { ServerPolicy } from "../../../src/domain/server-policies.ts";
import { invitePerson } from "../../../src/domain/signing-in/persons.ts";
import { setTeamRules } from "../../../src/domain/teams.ts";
import { parseTrustedProxies } from "../../../src/http/gate/addresses.ts";
import { startTestServer } from "../../support/server.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const OWN = { "sec-fetch-site": "same-origin" };
const BODY = { envelope: { version: 1, ciphertext: "fake-local-test-only" } };

/** The real app, with two identities of one team that may do everything. */
async function setUp(policy: Partial<ServerPolicy> = {}) {
  const server = await startTestServer({
    policy: { sendsMails: true, ...policy },
    http: { trustedProxies: parseTrustedProxies(["127.0.0.1"]) },
  });
  let networks = 0;
  const { backend } = server;
  const [sender, other] = [(await backend.mint()).token, (await backend.mint()).token];
  const call = (method: string, path: string, token: string, body?: unknown, headers: Record<string, string> = {}) =>
    server.call(method, `/api/v1${path}`, { token, body, headers });
  /** Makes a secret; its `token` is that of the link. */
  const make = async (query: string) => {
    const made = await call("POST", `/secrets?${query}`, sender, BODY);
    return { made, id: String(made.json.id), token: String(made.json.claim_token) };
  };
  type Link = Awaited<ReturnType<typeof make>>;
  return {
    server,
    sender,
    other,
    call,
    make,
    /** Asks from another network each time, unless `headers` say otherwise. */
    ask: async (link: Link, headers: Record<string, string> = {}, token = link.token) => {
      const {
        json,
        status,
        headers: answered,
      } = await call("POST", `/secrets/${link.id}/asks`, token, undefined, {
        "x-forwarded-for": `203.0.113.${++networks}`,
        ...headers,
      });
      return {
        json,
        status,
        retryAfter: answered.get("retry-after"),
        id: String(json.id),
        token: String(json.approval_token),
      };
    },
    look: (link: Link, approval: string, query = "") =>
      call("GET", `/secrets/${link.id}/ask${query}`, link.token, undefined, { "handoff-approval": approval }),
    decide: (link: Link, ask: { readonly id: string }, state: string, token: string) =>
      call("PATCH", `/secrets/${link.id}/asks`, token, { id: ask.id, state }),
    claim: (link: Link, headers: Record<string, string> = {}, token = link.token) =>
      call("POST", `/secrets/${link.id}/claim`, token, undefined, headers),
    asks: async (token: string, query = "") => (await call("GET", `/asks${query}`, token)).json.data,
    events: async (link: Link, token = sender) =>
      (await call("GET", `/secrets/${link.id}/events`, token)).json.data.map(({ type }: { type: string }) => type),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** Signs somebody of the team in, and returns the headers of their calls and a function that proves their address. */
async function signIn({ server }: Awaited<ReturnType<typeof setUp>>, address: string) {
  const { token } = await invitePerson(server.backend.service, { team: "team", address });
  const answer = await server.call("POST", "/app/session", { body: { sign_in_token: token }, headers: OWN });
  const headers = { cookie: answer.headers.get("set-cookie")?.split(";")[0] ?? "", ...OWN };
  return {
    headers,
    proof: async (id: string): Promise<string> =>
      (await server.call("POST", "/app/proofs", { body: { subject_id: id }, headers })).json.proof_token,
  };
}

test("the sender lets one asker in, who sees the same words, and nobody else", async () => {
  await using place = await setUp();
  const link = await place.make("approval=sender&max_claims=2");
  expect(link.made.json.approval).toBe("sender");
  expect(await place.claim(link)).toMatchObject({ status: 403, json: { code: "approval_required" } });
  const [mine, others] = [await place.ask(link), await place.ask(link)];
  expect(mine).toMatchObject({ status: 201, json: { state: "waiting" } });
  expect(mine.json.words).toHaveLength(3);
  expect(mine.json.words).not.toEqual(others.json.words);
  const waiting = await place.asks(place.sender);
  expect(waiting.map(({ words }: { words: string[] }) => words)).toEqual([mine.json.words, others.json.words]);
  expect(waiting[0]).toMatchObject({ id: mine.id, secret_id: link.id, address: null, identity: null });
  // The sender alone decides.
  expect(await place.asks(place.other)).toEqual([]);
  expect((await place.decide(link, mine, "approved", place.other)).json.code).toBe("not_approver");
  expect((await place.decide(link, mine, "approved", link.token)).json.code).toBe("insufficient_scope");
  expect((await place.look(link, mine.token)).json.state).toBe("waiting");
  expect((await place.claim(link, { "handoff-approval": mine.token })).json.code).toBe("approval_required");
  expect(await place.decide(link, mine, "approved", place.sender)).toMatchObject({
    status: 200,
    json: { id: mine.id },
  });
  expect((await place.look(link, mine.token)).json.state).toBe("approved");
  expect((await place.claim(link, { "handoff-approval": others.token })).json.code).toBe("approval_required");
  const once = { "handoff-approval": mine.token, "idempotency-key": "once" };
  expect((await place.claim(link, once)).status).toBe(200);
  // The repeated call gets its answer; the approval is used up.
  expect((await place.claim(link, once)).status).toBe(200);
  expect((await place.claim(link, { "handoff-approval": mine.token })).json.code).toBe("approval_required");
  expect((await place.look(link, mine.token)).json.code).toBe("not_found");
  expect(await place.events(link)).toEqual([
    "secret.created",
    "secret.approval_asked",
    "secret.approval_asked",
    "secret.approved",
    "secret.claimed",
  ]);
  expect(await place.events(link, link.token)).toEqual(["secret.created", "secret.claimed"]);
});

test("somebody else than the sender has to agree, and not with their own ask", async () => {
  await using place = await setUp();
  const link = await place.make("approval=team");
  const ask = await place.ask(link);
  expect(await place.asks(place.sender)).toEqual([]);
  expect((await place.decide(link, ask, "approved", place.sender)).json.code).toBe("not_approver");
  const own = await place.ask(link, {}, place.other);
  expect((await place.decide(link, own, "approved", place.other)).json.code).toBe("not_approver");
  expect((await place.asks(place.other)).map(({ id }: { id: string }) => id)).toEqual([ask.id]);
  // An approval can be taken back, and a refusal is final.
  expect((await place.decide(link, ask, "approved", place.other)).status).toBe(200);
  expect((await place.decide(link, ask, "refused", place.other)).status).toBe(200);
  expect((await place.look(link, ask.token)).json.state).toBe("refused");
  expect((await place.claim(link, { "handoff-approval": ask.token })).json.code).toBe("approval_required");
  expect((await place.decide(link, ask, "approved", place.other)).json.code).toBe("not_found");
  const again = await place.ask(link);
  expect(again.id).not.toBe(ask.id);
  await place.decide(link, again, "approved", place.other);
  expect((await place.claim(link, { "handoff-approval": again.token })).status).toBe(200);
  expect((await place.look(link, again.token)).json.code).toBe("secret_claimed");
  expect((await place.decide(link, again, "approved", place.other)).json.code).toBe("not_found");
});

test("an approval lasts ten minutes, and an ask an hour", async () => {
  await using place = await setUp();
  const link = await place.make("approval=sender&expires_in=86400");
  const ask = await place.ask(link);
  await place.decide(link, ask, "approved", place.sender);
  place.server.backend.clock.advance(10 * MINUTE);
  expect((await place.claim(link, { "handoff-approval": ask.token })).json.code).toBe("approval_required");
  const second = await place.ask(link);
  place.server.backend.clock.advance(HOUR - 1);
  expect((await place.look(link, second.token)).status).toBe(200);
  place.server.backend.clock.advance(1);
  expect((await place.look(link, second.token)).json.code).toBe("not_found");
  expect((await place.decide(link, second, "approved", place.sender)).json.code).toBe("not_found");
  expect(await place.asks(place.sender)).toEqual([]);
});

test("five asks can wait, and a later one of the same person takes the place of theirs", async () => {
  await using place = await setUp();
  const link = await place.make("approval=sender");
  for (let count = 0; count < 5; count++) expect((await place.ask(link)).status).toBe(201);
  const refused = await place.ask(link);
  expect(refused).toMatchObject({ status: 429, json: { code: "rate_limited" } });
  // A stranger's asks keep nobody out for longer than it takes to refuse them.
  for (const ask of await place.asks(place.sender)) await place.decide(link, ask, "refused", place.sender);
  expect((await place.ask(link)).status).toBe(201);
  // Nor longer than ten minutes, because people leave without a word.
  const left = await place.make("approval=sender");
  const first5 = [];
  for (let count = 0; count < 5; count++) first5.push(await place.ask(left));
  place.server.backend.clock.advance(10 * MINUTE - 1);
  const tooEarly = await place.ask(left);
  expect([tooEarly.status, tooEarly.retryAfter]).toEqual([429, "1"]);
  place.server.backend.clock.advance(1);
  expect((await place.ask(left)).status).toBe(201);
  expect((await place.look(left, first5[0]?.token ?? "")).json.code).toBe("not_found");
  expect((await place.look(left, first5[1]?.token ?? "")).json.state).toBe("waiting");
  const another = await place.make("approval=sender");
  const [first, second] = [await place.ask(another, {}, place.other), await place.ask(another, {}, place.other)];
  expect((await place.look(another, first.token)).json.code).toBe("not_found");
  // Approvers see one ask, with the words that they may have heard.
  expect(second).toMatchObject({ id: first.id, json: { words: first.json.words, state: "waiting" } });
  expect((await place.look(another, second.token)).json.state).toBe("waiting");
  expect(await place.events(another)).toEqual(["secret.created", "secret.approval_asked"]);
});

test("one network can't take all places of a secret, nor ask again and again", async () => {
  await using place = await setUp();
  const link = await place.make("approval=sender");
  const askHere = () => place.ask(link, { "x-forwarded-for": "198.51.100.7" });
  for (let count = 0; count < 3; count++) expect((await askHere()).status).toBe(201);
  expect(await askHere()).toMatchObject({ status: 429, retryAfter: "200", json: { code: "rate_limited" } });
  expect((await place.ask(link)).status).toBe(201);
  // Another secret, and later, is another matter.
  const other = await place.make("approval=sender");
  expect((await place.ask(other, { "x-forwarded-for": "198.51.100.7" })).status).toBe(201);
  place.server.backend.clock.advance(200_000);
  expect((await askHere()).status).toBe(201);
  expect((await askHere()).status).toBe(429);
});

test("an ask for chosen people needs a proof, which its approval replaces", async () => {
  await using place = await setUp();
  const link = await place.make("approval=team&for=ann@a.test");
  expect((await place.ask(link)).json.code).toBe("proof_required");
  const { headers, proof } = await signIn(place, "ann@a.test");
  const ask = await place.ask(link, { "handoff-proof": await proof(link.id) });
  expect((await place.asks(place.other))[0]).toMatchObject({ address: "ann@a.test" });
  // Ann may approve for the team, and not what she asked for with her address.
  const own = await place.server.call("PATCH", `/app/secrets/${link.id}/asks`, {
    body: { id: ask.id, state: "approved" },
    headers,
  });
  expect(own.json.code).toBe("not_approver");
  await place.decide(link, ask, "approved", place.other);
  expect((await place.claim(link, { "handoff-approval": ask.token })).status).toBe(200);
  const { json } = await place.call("GET", `/secrets/${link.id}/events`, place.sender);
  expect(json.data.at(-1)).toMatchObject({
    type: "secret.claimed",
    actor: { kind: "address", address: "ann@a.test" },
    ask: { id: ask.id, words: ask.json.words },
  });
  const ofLink = await place.call("GET", `/secrets/${link.id}/events`, link.token);
  expect(ofLink.json.data.at(-1)).toMatchObject({ type: "secret.claimed", ask: null });
  const log = await place.server.backend.storage.run<{ type: string; proof: string | null }>(
    "SELECT type, proof FROM events WHERE secret_id IS NOT NULL ORDER BY created_at, id",
  );
  expect(log).toEqual([
    { type: "secret.created", proof: null },
    { type: "secret.approval_asked", proof: "session" },
    { type: "secret.approved", proof: null },
    { type: "secret.claimed", proof: "session" },
  ]);
});

test("nobody approves an ask with their own proof, which came after that of another person", async () => {
  await using place = await setUp();
  const link = await place.make("approval=team&for=*@a.test");
  const [ann, bob] = [await signIn(place, "ann@a.test"), await signIn(place, "bob@a.test")];
  const byKey = async (proof: string) => place.ask(link, { "handoff-proof": proof }, place.sender);
  const first = await byKey(await ann.proof(link.id));
  const second = await byKey(await bob.proof(link.id));
  expect(second.id).not.toBe(first.id);
  const decide = (ask: { readonly id: string }, { headers }: { readonly headers: Record<string, string> }) =>
    place.server.call("PATCH", `/app/secrets/${link.id}/asks`, { body: { id: ask.id, state: "approved" }, headers });
  expect((await decide(second, bob)).json.code).toBe("not_approver");
  // Mails to it come to the same person.
  const bobToo = await signIn(place, "Bob+phone@a.test");
  expect((await decide(second, bobToo)).json.code).toBe("not_approver");
  expect((await decide(first, ann)).json.code).toBe("not_approver");
  expect((await byKey(await bob.proof(link.id))).id).toBe(second.id);
  expect((await decide(second, ann)).status).toBe(200);
});

test("a look waits for the decision, and a list for the first ask", async () => {
  await using place = await setUp();
  const link = await place.make("approval=sender");
  const listed = place.asks(place.sender, "?wait=60");
  const ask = await place.ask(link);
  expect((await listed).map(({ id }: { id: string }) => id)).toEqual([ask.id]);
  const looked = place.look(link, ask.token, "?wait=60");
  await place.decide(link, ask, "refused", place.sender);
  expect((await looked).json.state).toBe("refused");
});

test("what nobody has to approve can't be asked for, and asks end with their secret", async () => {
  await using place = await setUp();
  const free = await place.make("max_claims=2");
  expect(free.made.json.approval).toBeNull();
  expect((await place.ask(free)).json.code).toBe("not_found");
  const link = await place.make("approval=sender");
  const ask = await place.ask(link);
  await place.decide(link, ask, "approved", place.sender);
  await place.call("DELETE", `/secrets/${link.id}`, place.sender);
  expect((await place.look(link, ask.token)).json.code).toBe("secret_revoked");
  expect((await place.claim(link, { "handoff-approval": ask.token })).json.code).toBe("secret_revoked");
  expect((await place.ask(link)).json.code).toBe("secret_revoked");
});

test("a sender who may approve nothing can't ask to approve, and a team's rule asks for it", async () => {
  await using place = await setUp();
  const { backend } = place.server;
  const { token } = await backend.mint({ scopes: ["secrets:create"] });
  const alone = await place.call("POST", "/secrets?approval=sender", token, BODY);
  expect(alone).toMatchObject({ status: 403, json: { code: "insufficient_scope" } });
  expect((await place.call("POST", "/secrets?approval=team", token, BODY)).status).toBe(201);
  await setTeamRules(backend.service, "team", { approval: "team" });
  for (const query of ["", "approval=sender"]) {
    const { json } = await place.call("POST", `/secrets?${query}`, place.sender, BODY);
    expect(json).toMatchObject({ code: "team_rule", rule: "approval" });
  }
  expect((await place.call("POST", "/secrets?approval=team", place.sender, BODY)).status).toBe(201);
  await setTeamRules(backend.service, "team", { approval: "sender" });
  for (const approver of ["team", "sender"]) {
    expect((await place.call("POST", `/secrets?approval=${approver}`, place.sender, BODY)).status).toBe(201);
  }
});
