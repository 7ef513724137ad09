import { afterEach, beforeEach, expect, test } from "bun:test";
import { Credential } from "../../../src/contract/credentials.ts";
import { exampleId } from "../../../src/contract/ids.ts";
import { RequestMetadata } from "../../../src/contract/requests.ts";
import type { Submission } from "../../../src/contract/requests.ts";
import { SCOPES } from "../../../src/contract/scopes.ts";
import { keepAgeIdentity, listAgeIdentities } from "../../../src/web/browser/age-identities.ts";
import type { KeptAgeIdentity } from "../../../src/web/browser/age-identities.ts";
import { countUsefulKeys, isOver, loadAsked } from "../../../src/web/service/asked.ts";
import { createTestClient, errorOf, exampleOf, refuse } from "../../support/clients.ts";
import { answerFetches } from "../../support/fetches.ts";
import type { TestFetch } from "../../support/fetches.ts";
import { openTab } from "../../support/tabs.ts";
import type { TestTab } from "../../support/tabs.ts";

const [OPEN = "", ANSWERED = "", DONE = "", AWAY = "", GONE = ""] = ["0", "1", "2", "3", "4"].map((end) =>
  exampleId("request").replace(/.$/, end),
);
const submissionOf = (end: string, state: Submission["state"]): Submission => ({
  secret_id: exampleId("secret").replace(/.$/, end),
  state,
  created_at: "2026-11-21T09:30:00.000Z",
});
const requestOf = (id: string, changes: Partial<RequestMetadata> = {}) => {
  const submissions = changes.submissions ?? [];
  return exampleOf(RequestMetadata, { id, submissions, submission_count: submissions.length, ...changes });
};
const kept = (claims: KeptAgeIdentity["claims"] = {}, keptAt = Date.now()): KeptAgeIdentity => ({
  identity: "AGE-SECRET-KEY-1A",
  note: undefined,
  claims,
  keptAt,
});

const listed = [
  requestOf(OPEN),
  requestOf(ANSWERED, {
    state: "fulfilled",
    submissions: [submissionOf("0", "available"), submissionOf("1", "claimed"), submissionOf("2", "claimed")],
  }),
  requestOf(DONE, { state: "fulfilled", submissions: [submissionOf("3", "claimed")] }),
];
// Too old for the list, or in another team by now.
const away = requestOf(AWAY, { state: "expired" });

const LONGEST_MS = 180 * 86_400_000;

let people = 0;
let tab: TestTab;
beforeEach(() => void (tab = openTab()));
let session: TestFetch;
/** The person who is signed in. */
let signedIn = "";
beforeEach(() => {
  session = answerFetches(() => Response.json(credentialOf(signedIn)));
});
afterEach(() => {
  session[Symbol.dispose]();
  tab[Symbol.dispose]();
});
const credentialOf = (id: string) =>
  exampleOf(Credential, { kind: "person", identity: { id, name: "ann" }, scopes: [...SCOPES] });

/** A new person whose browser has keys to these requests. */
async function personWith(...ids: readonly string[]) {
  const id = exampleId("identity").replace(/..$/, String(++people).padStart(2, "0"));
  signedIn = id;
  for (const each of ids) await keepAgeIdentity(id, each, kept());
  const client = createTestClient({
    listRequests: () => ({ data: listed, next_cursor: null }),
    getRequest: ({ id: wanted }) => [...listed, away].find((each) => each.id === wanted) ?? refuse("not_found"),
  });
  return { id, client, credential: credentialOf(id), ways: [], sendsMails: false };
}
const keysOf = async ({ id }: { readonly id: string }) => [...(await listAgeIdentities(id)).keys()].toSorted();

test("a list says how many wait, how many were opened, and what this browser can open", async () => {
  const person = await personWith(ANSWERED);
  const { rows } = await loadAsked(person, { limit: 10 });
  expect(rows.map(({ request, waiting, opened, hasKey }) => [request.id, waiting, opened, hasKey])).toEqual([
    [OPEN, 0, 0, false],
    [ANSWERED, 1, 2, true],
    [DONE, 0, 1, false],
  ]);
  // For requests without submissions the list is enough.
  expect(person.client.calls.flatMap(({ operation, id }) => (operation === "getRequest" ? [id] : []))).toEqual([
    ANSWERED,
    DONE,
  ]);
  expect(person.client.calls[0]?.query).toMatchObject({ created_by: person.id, limit: 10 });
});

test("old requests are counted only where this browser has the key, and settled ones only once", async () => {
  const ids = Array.from({ length: 55 }, (_, at) => exampleId("request").replace(/..$/, String(at).padStart(2, "0")));
  const submissions = [submissionOf("1", "claimed")];
  const settled = ids.map((id) => requestOf(id, { state: "fulfilled", submissions }));
  const person = await personWith(ids[54] ?? "");
  const client = createTestClient({
    listRequests: () => ({ data: settled, next_cursor: null }),
    getRequest: ({ id: wanted }) => settled.find(({ id }) => id === wanted) ?? refuse("not_found"),
  });
  const read = () => loadAsked({ ...person, client }, { limit: 100 });
  const { rows } = await read();
  expect(rows.flatMap(({ isUncounted }, at) => (isUncounted === true ? [at] : []))).toEqual([50, 51, 52, 53]);
  expect(rows.map(({ opened }) => opened)).toEqual(ids.map((_, at) => (at < 50 || at === 54 ? 1 : 0)));
  const before = client.calls.length;
  expect((await read()).rows.slice(0, 50)).toEqual(rows.slice(0, 50));
  expect(client.calls.slice(before).map(({ operation }) => operation)).toEqual(["listRequests"]);
});

test("a collectable request is listed however old it is, and no other older than the list", async () => {
  const person = await personWith(OPEN, ANSWERED, DONE, AWAY, GONE);
  const own = { created_by: person.id, submissions: [submissionOf("0", "available"), submissionOf("1", "claimed")] };
  const older = [requestOf(ANSWERED, own), requestOf(AWAY, { ...own, created_by: exampleId("identity") })];
  const open = requestOf(DONE, { created_by: person.id });
  const client = createTestClient({
    listRequests: () => ({ data: [requestOf(OPEN)], next_cursor: OPEN }),
    getRequest: ({ id }) => [...older, open].find((each) => each.id === id) ?? refuse("not_found"),
  });
  const { rows, hasMore } = await loadAsked({ ...person, client }, { limit: 1 });
  expect(rows.map(({ request, waiting, hasKey }) => [request.id, waiting, hasKey])).toEqual([
    [OPEN, 0, true],
    [ANSWERED, 1, true],
  ]);
  expect(hasMore).toEqual({ all: true, ticket: false });
});

test("keys that can open nothing more are deleted, and no others", async () => {
  const person = await personWith(OPEN, ANSWERED, DONE, AWAY, GONE);
  await keepAgeIdentity(person.id, GONE, kept({}, Date.now() - LONGEST_MS));
  await loadAsked(person, { limit: 10 });
  expect(await keysOf(person)).toEqual([OPEN, ANSWERED].toSorted());
  // A listed request is not read again.
  expect(person.client.calls.map(({ id }) => id)).not.toContain(OPEN);
});

test("no key is deleted while another person is signed in, who sees other requests", async () => {
  const person = await personWith(DONE);
  signedIn = exampleId("identity");
  expect(await errorOf(loadAsked(person, { limit: 10 }))).toMatchObject({ code: "other_person" });
  expect(await keysOf(person)).toEqual([DONE]);
});

test("a key stays while its use is unknown", async () => {
  const person = await personWith(GONE);
  const client = createTestClient({
    listRequests: () => ({ data: [], next_cursor: null }),
    getRequest: () => refuse("connection_lost", "network"),
  });
  await loadAsked({ ...person, client }, { limit: 10 });
  expect(await keysOf(person)).toEqual([GONE]);
  expect(await countUsefulKeys({ ...person, client })).toBe(1);
});

test("a key stays while submissions may wait, even if the server does not show the request", async () => {
  const person = await personWith(GONE);
  await keepAgeIdentity(person.id, GONE, kept({}, Date.now() - LONGEST_MS + 60_000));
  await loadAsked(person, { limit: 10 });
  expect(await keysOf(person)).toEqual([GONE]);
  expect(await countUsefulKeys(person)).toBe(1);
});

test("opened submissions do not count as keys that signing out would lose", async () => {
  const person = await personWith(OPEN, DONE, AWAY, GONE, ANSWERED);
  const claims = { [submissionOf("3", "claimed").secret_id]: { idempotencyKey: "key", replayEndsAt: null } };
  await keepAgeIdentity(person.id, DONE, kept(claims));
  await keepAgeIdentity(person.id, GONE, kept({}, Date.now() - LONGEST_MS));
  expect(await countUsefulKeys(person)).toBe(2);
  // Counting deletes nothing.
  expect(await keysOf(person)).toHaveLength(5);
});

test("a request is over once it has ended, and no claim made here can be repeated", () => {
  const done = requestOf(DONE, { state: "fulfilled", submissions: [submissionOf("3", "claimed")] });
  const claimOf = (replayEndsAt: number | null) =>
    kept({ [submissionOf("3", "claimed").secret_id]: { idempotencyKey: "key", replayEndsAt } });
  expect(isOver(done, kept())).toBeTrue();
  expect(isOver(done, claimOf(null))).toBeFalse();
  expect(isOver(done, claimOf(Date.now() + 60_000))).toBeFalse();
  expect(isOver(done, claimOf(Date.now() - 1))).toBeTrue();
  expect(isOver({ ...done, state: "paused" }, kept())).toBeFalse();
  expect(isOver(listed[1] ?? done, kept())).toBeFalse();
});
