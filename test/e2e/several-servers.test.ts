import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ClientError } from "../../src/client/errors.ts";
import { followEvents } from "../../src/client/events.ts";
import type { HttpClient } from "../../src/client/http-client.ts";
import { acknowledgeClaim, claimSecret } from "../../src/client/secrets.ts";
import type { ClaimTokens } from "../../src/client/secrets.ts";
import { askApproval, decideAsk, waitForDecision } from "../../src/client/signing-in/approvals.ts";
import { isTransient } from "../../src/client/waits.ts";
import { openStream } from "../support/event-streams.ts";
import { jsonOf } from "../support/executions.ts";
import { startProvider } from "../support/oidc-providers.ts";
import { until } from "../support/polls.ts";
import { openReceiver } from "../support/receivers.ts";
import type { ReceivedCall } from "../support/receivers.ts";
import { startSeveralServers } from "../support/several-servers.ts";
import type { OneServer, SeveralServers } from "../support/several-servers.ts";
import { temporaryFolder } from "../support/temporary.ts";

const WORKERS = 16;
/** How often each of the two is ended. */
const ROUNDS = 2;
/** The secrets to create before a server is ended, and before it restarts. */
const PROGRESS = 50;

/** The facts that clients know for certain, from answers. */
interface Knowledge {
  /** Ciphertexts by id. */
  readonly created: Map<string, string>;
  /** Those of which each claim has to be approved. */
  readonly guarded: Set<string>;
  readonly claimed: Set<string>;
}

/** Creates a secret, and returns its id and the token of its link. */
async function create(client: HttpClient, ciphertext: string, approval?: "sender") {
  const body = { envelope: { version: 1, ciphertext } } as const;
  const answer = await client.call("createSecret", { body, query: { approval }, idempotencyKey: crypto.randomUUID() });
  const { id, claim_token: token } = answer as { id: string; claim_token: string };
  return { id, token };
}

/** Makes a call again that isn't repeated by itself, for as long as its server is away. */
async function insist<T>(call: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!isTransient(error)) throw error;
      await Bun.sleep(50);
    }
  }
}

/**
 * Asks with the link of a secret, and approves as its sender. Returns the token of the approval. Before that, nobody
 * gets the secret.
 */
async function letIn(sender: HttpClient, asker: HttpClient, id: string): Promise<string> {
  const { id: askId, approval_token: approvalToken } = await insist(() => askApproval(asker, id));
  const early = claimSecret(sender, id, crypto.randomUUID(), undefined, { approvalToken });
  expect(await early.catch(({ code }: ClientError) => code)).toBe("approval_required");
  await Promise.all([1, 2].map(() => insist(() => decideAsk(sender, id, { id: askId, state: "approved" }))));
  const { state } = await waitForDecision(asker, id, approvalToken, {
    seconds: 60,
    stepSeconds: 10,
    signal: new AbortController().signal,
  });
  expect(state).toBe("approved");
  return approvalToken;
}

/** Claims a secret for two concurrent callers, and records the one that got it. Throws unless that is exactly one. */
async function claimTwice(client: HttpClient, id: string, known: Knowledge, tokens: ClaimTokens = {}): Promise<void> {
  const keys = [crypto.randomUUID(), crypto.randomUUID()];
  const outcomes = await Promise.allSettled(keys.map((key) => claimSecret(client, id, key, undefined, tokens)));
  const ends = outcomes.map((outcome) =>
    outcome.status === "fulfilled" ? outcome.value.envelope.ciphertext : outcome.reason.code,
  );
  expect(new Set(ends)).toEqual(new Set([known.created.get(id), "secret_claimed"]));
  known.claimed.add(id);
  const winner = keys[outcomes.findIndex(({ status }) => status === "fulfilled")] ?? "";
  await acknowledgeClaim(client, id, winner);
}

/** Creates and claims until `isOver`; leaves every third secret unclaimed, and has every fifth approved. */
async function work(several: SeveralServers, client: HttpClient, known: Knowledge, isOver: () => boolean) {
  const name = crypto.randomUUID();
  for (let number = 0; !isOver(); number++) {
    const ciphertext = `${name}-${number}-`.padEnd(1000, "x");
    const isGuarded = number % 5 === 0;
    const { id, token } = await create(client, ciphertext, isGuarded ? "sender" : undefined);
    known.created.set(id, ciphertext);
    if (isGuarded) {
      known.guarded.add(id);
      const approvalToken = await letIn(client, several.client({ credential: token }), id);
      await claimTwice(client, id, known, { approvalToken });
    } else if (number % 3 < 2) {
      await claimTwice(client, id, known);
    }
  }
}

/** Ends the servers in turn under load, by a crash or an update, and restarts them. */
async function endInTurn({ servers }: SeveralServers, known: Knowledge): Promise<void> {
  const progress = async () => {
    const before = known.created.size;
    await until(() => known.created.size >= before + PROGRESS);
  };
  for (let round = 0; round < ROUNDS; round++) {
    for (const server of servers) {
      await progress();
      await server.end(round === 1 ? "SIGTERM" : "SIGKILL");
      await progress();
      await server.start();
    }
  }
}

/** The events that one of our clients gets, from the first one on. */
function follow(several: SeveralServers) {
  const told: string[] = [];
  const away = new AbortController();
  const client = several.client({ signal: away.signal });
  const read = async () => {
    for await (const event of followEvents(client, { after: undefined, signal: away.signal })) {
      told.push(`${event.id} ${event.type} ${event.secret_id}`);
    }
  };
  const reading = read().catch((error: unknown) => {
    if (!away.signal.aborted) throw error;
  });
  return {
    told,
    async leave() {
      away.abort();
      await reading;
    },
  };
}

test("while one of two servers is killed repeatedly, retries succeed, and nothing is lost or done twice", async () => {
  await using several = await startSeveralServers();
  const known: Knowledge = { created: new Map(), guarded: new Set(), claimed: new Set() };
  let [retries, isOver] = [0, false];
  const client = several.client({ onRetry: () => (retries += 1) });
  const follower = follow(several);
  const working = Array.from({ length: WORKERS }, () => work(several, client, known, () => isOver));
  await Promise.race([endInTurn(several, known), Promise.all(working)]).finally(() => (isOver = true));
  await Promise.all(working);
  // Some kills have interrupted pending calls.
  expect(retries).toBeGreaterThan(0);

  const [one, two] = several.servers;
  const left = known.created.keys().filter((id) => !known.claimed.has(id));
  for (const [number, id] of [...left].entries()) {
    const answer = await [one, two][number % 2]?.api.claim(id);
    expect((await jsonOf(answer as Response)).envelope.ciphertext).toBe(known.created.get(id));
    known.claimed.add(id);
  }
  for (const id of known.claimed) expect((await one.api.claim(id)).status).toBe(410);
  const expected = [...known.created.keys()].flatMap((id) => [`secret.created ${id}`, `secret.claimed ${id}`]);
  const toldOf = (isIt: (type: string) => boolean) =>
    follower.told.map((event) => event.slice(event.indexOf(" ") + 1)).filter(isIt);
  const isApproval = (event: string) => /^secret.appro/.test(event);
  const isOther = (event: string) => !isApproval(event);
  await until(() => toldOf(isOther).length >= expected.length);
  await follower.leave();
  expect(follower.told).toEqual(follower.told.toSorted());
  expect(toldOf(isOther).toSorted()).toEqual(expected.toSorted());
  // Each was approved once, and not before somebody had asked.
  const approved = toldOf((event) => event.startsWith("secret.approved"));
  expect(approved.toSorted()).toEqual([...known.guarded].map((id) => `secret.approved ${id}`).toSorted());
  const asked = new Set(toldOf((event) => event.startsWith("secret.approval_asked")));
  expect(asked).toEqual(new Set([...known.guarded].map((id) => `secret.approval_asked ${id}`)));
  for (const { running } of several.servers) expect(running.stderr()).not.toContain('"level":"error"');
}, 120_000);

test("a wait at one server gets events from another, and a broken stream resumes there", async () => {
  await using several = await startSeveralServers();
  const [one, two] = several.servers;
  const headers = { authorization: `Bearer ${several.token}` };
  const url = "http://localhost/api/v1/events";
  const stream = await openStream(url, headers, two.way);
  const ids: string[] = [];
  for (let number = 0; number < 5; number++) {
    const { id } = await jsonOf(one.api.create(`text${number}`));
    ids.push(id);
    const startedAt = performance.now();
    const waiting = jsonOf(two.api.find(id, "?wait=60"));
    expect((await two.api.find(id)).status).toBe(200);
    await one.api.claim(id);
    expect(await waiting).toMatchObject({ id, state: "claimed" });
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  }
  const heard = [];
  while (heard.length < ids.length) heard.push(await stream.event());
  expect(heard.map((event) => event?.data["secret_id"])).toEqual(ids.flatMap((id) => [id, id]).slice(0, ids.length));
  const lastEventId = heard.at(-1)?.id ?? "";
  await two.end("SIGKILL");
  const { id: later } = await jsonOf(one.api.create("later"));
  const rest = await openStream(url, { ...headers, "last-event-id": lastEventId }, one.way);
  const events = [];
  while (events.length < ids.length + 1) events.push(await rest.event());
  expect(events.map((event) => event?.data["secret_id"])).toEqual([...ids.flatMap((id) => [id, id]).slice(5), later]);
  rest.leave();
}, 60_000);

test("one of two servers calls webhooks, and when it is killed the other goes on in order", async () => {
  await using several = await startSeveralServers();
  await using receiver = openReceiver();
  await several.admin("webhook", "create", "--team", "team", "--url", receiver.url);
  const about = ({ body }: ReceivedCall): string =>
    (JSON.parse(body) as { data: { secret_id: string } }).data.secret_id;
  const idOf = ({ headers }: ReceivedCall) => headers.get("webhook-id");
  const ids: string[] = [];
  const tellOf = async ({ api }: OneServer) => {
    for (let number = 0; number < 10; number++) ids.push((await jsonOf(api.create("text"))).id);
  };
  const [one, two] = several.servers;
  // Whichever of them calls is killed in one of the two rounds.
  for (const [killed, other] of [
    [one, two],
    [two, one],
  ] as const) {
    const before = receiver.calls.length;
    await tellOf(killed);
    await tellOf(other);
    // If the other called too, there would be more of them by now.
    const calls = (await receiver.untilCalls(before + 15)).slice(before).map(idOf);
    expect(new Set(calls).size).toBe(calls.length);
    await killed.end("SIGKILL");
    await tellOf(other);
    while (!receiver.calls.some((call) => about(call) === ids.at(-1))) await receiver.nextCall();
    await killed.start();
  }
  // Deliveries that were not recorded yet may be repeated under the same id.
  const first = receiver.calls.filter(
    (call, index, all) => all.findIndex((each) => idOf(each) === idOf(call)) === index,
  );
  expect(first.map(about)).toEqual(ids);
}, 60_000);

test("a sign-in at the provider begins at one server and ends at another, once", async () => {
  const origin = "https://handoff.test";
  const ann = { sub: "ann", email: "ann@acme.example", email_verified: true };
  await using provider = await startProvider(`${origin}/sign-in`, [ann]);
  using folder = temporaryFolder();
  const secret = join(folder.path, "secret");
  writeFileSync(secret, provider.clientSecret, { mode: 0o600 });
  const client = ["--oidc-client-id", provider.clientId, "--oidc-client-secret-file", secret];
  const admitted = ["--oidc-team", "team", "--oidc-allow", "email_domain=acme.example"];
  const flags = ["--base-url", origin, "--oidc-issuer", provider.issuer, ...client, ...admitted];
  await using several = await startSeveralServers(flags);
  const [one, two] = several.servers;
  const call = ({ way }: OneServer, path: string, { body, cookie = "" }: { body?: object; cookie?: string }) =>
    fetch(`http://localhost/app/session${path}`, {
      ...way,
      ...(body && { method: "POST", body: JSON.stringify(body) }),
      headers: { "sec-fetch-site": "same-origin", "content-type": "application/json", cookie },
    });
  const cookieOf = ({ headers }: Response) => headers.get("set-cookie")?.split(";")[0] ?? "";
  const begun = await call(one, "/oidc", { body: { silent: false } });
  const { url } = await jsonOf(begun);
  const body = { oidc: { query: await provider.authorize(url, "ann") } };
  const signedIn = await call(two, "", { body, cookie: cookieOf(begun) });
  expect(await jsonOf(signedIn)).toMatchObject({ address: "ann@acme.example", team: "team" });
  for (const server of [one, two]) {
    const { credential } = await jsonOf(call(server, "", { cookie: cookieOf(signedIn) }));
    expect(credential).toMatchObject({ kind: "person", identity: { name: "ann@acme.example" } });
    const repeated = await call(server, "", { body, cookie: cookieOf(begun) });
    expect(await jsonOf(repeated)).toMatchObject({ status: 401, code: "credential_expired" });
  }
}, 60_000);

test("a key revoked by an admin command is refused by all servers at the next call", async () => {
  await using several = await startSeveralServers();
  const statuses = () => Promise.all(several.servers.map(async ({ api }) => (await api.create("text")).status));
  expect(await statuses()).toEqual([201, 201]);
  const [{ id } = { id: "" }] = JSON.parse(await several.admin("key", "list", "--json")) as { id: string }[];
  await several.admin("key", "revoke", id);
  expect(await statuses()).toEqual([401, 401]);
}, 30_000);
