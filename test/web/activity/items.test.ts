import { afterEach, beforeEach, expect, test } from "bun:test";
import { Credential } from "../../../src/contract/credentials.ts";
import { exampleId } from "../../../src/contract/ids.ts";
import { RequestMetadata } from "../../../src/contract/requests.ts";
import { SCOPES } from "../../../src/contract/scopes.ts";
import type { Scope } from "../../../src/contract/scopes.ts";
import { Secret } from "../../../src/contract/secrets.ts";
import type { PendingAsk } from "../../../src/contract/secrets.ts";
import { titleOf } from "../../../src/web/activity/descriptions.ts";
import {
  canRevoke,
  countItemsToCollect,
  groupOf,
  idOf,
  isReady,
  loadActivity,
  progressOf,
  standingOf,
} from "../../../src/web/activity/items.ts";
import { keepAgeIdentity } from "../../../src/web/browser/age-identities.ts";
import { keepContentSummary, keepLabel } from "../../../src/web/browser/labels.ts";
import type { Person } from "../../../src/web/service/clients.ts";
import { createTestClient, exampleOf } from "../../support/clients.ts";
import { openTab } from "../../support/tabs.ts";
import type { TestTab } from "../../support/tabs.ts";

const [SENT = "", DONE = ""] = ["0", "1"].map((end) => exampleId("secret").replace(/.$/, end));
const [ANSWERED = "", KEYLESS = ""] = ["0", "1"].map((end) => exampleId("request").replace(/.$/, end));
const secrets = [
  exampleOf(Secret, { id: SENT, created_at: "2026-11-21T09:00:00.000Z", ended_at: null }),
  exampleOf(Secret, {
    id: DONE,
    state: "claimed",
    claims: 1,
    created_at: "2026-11-20T13:00:00.000Z",
    ended_at: "2026-11-22T09:00:00.000Z",
  }),
];
const requests = [ANSWERED, KEYLESS].map((id) =>
  exampleOf(RequestMetadata, {
    id,
    state: "fulfilled",
    created_at: "2026-11-20T12:00:00.000Z",
    ended_at: "2026-11-20T14:00:00.000Z",
    submission_count: 1,
    submissions: [
      { secret_id: exampleId("secret"), state: "available", created_at: "2026-11-21T09:30:00.000Z" } as const,
    ],
  }),
);
const ask: PendingAsk = {
  id: exampleId("ask"),
  secret_id: SENT,
  created_at: "2026-11-21T09:20:00.000Z",
  sender: null,
  words: ["maple", "river", "nine"],
  address: null,
  identity: null,
  reference: null,
  asked_at: "2026-11-21T09:30:00.000Z",
  expires_at: "2026-11-21T10:30:00.000Z",
};

let tab: TestTab;
beforeEach(() => void (tab = openTab()));
afterEach(() => tab[Symbol.dispose]());

const client = createTestClient({
  listSecrets: async () => ({ data: secrets, next_cursor: null }),
  listRequests: async () => ({ data: requests, next_cursor: null }),
  listAsks: async () => ({ data: [ask] }),
  getRequest: async (options) => requests.find(({ id }) => id === (options as { readonly id: string }).id),
});
const personWith = (scopes: readonly Scope[]): Person => ({
  client,
  credential: exampleOf(Credential, { kind: "person", scopes: [...scopes] }),
  id: exampleId("identity"),
  ways: [],
  sendsMails: false,
});
const ann = personWith(SCOPES);

test("secrets and requests are one list, what changed last first, with what this browser remembers", async () => {
  await keepLabel(ann.id, SENT, "router, for Ann");
  await keepContentSummary(ann.id, DONE, { kind: "text", lines: 2 });
  await keepAgeIdentity(ann.id, ANSWERED, { identity: "AGE-SECRET-KEY-1A", note: undefined, claims: {} });
  const { items, hasMore } = await loadActivity(ann, { limit: 20 });
  expect(items.map((item) => [idOf(item), groupOf(item)])).toEqual([
    [DONE, "earlier"],
    [SENT, "waiting"],
    [ANSWERED, "needed"],
    [KEYLESS, "needed"],
  ]);
  expect(items.flatMap((item) => (item.kind === "sent" ? [[item.label, item.content]] : []))).toEqual([
    ["", { kind: "text", lines: 2 }],
    ["router, for Ann", undefined],
  ]);
  expect(items.map(progressOf)).toEqual([1, 0, 1, 1]);
  expect(hasMore).toBe(false);
  // Without its key, a submission cannot be collected in this browser.
  expect(countItemsToCollect(items)).toBe(1);
});

test("a request whose key is deleted keeps its note as its title", async () => {
  const person = { ...ann, id: exampleId("identity").replace(/.$/, "7") };
  await keepLabel(person.id, KEYLESS, "the VPN");
  const { items } = await loadActivity(person, { limit: 20 });
  expect(items.flatMap((item) => (item.kind === "asked" ? [[idOf(item), titleOf(item)]] : []))).toEqual([
    [ANSWERED, titleOf({ kind: "asked", asked: { request: requests[0], note: "" } } as never)],
    [KEYLESS, "the VPN"],
  ]);
});

test("a request without waiting submissions is over once it has ended, and waits while it is open or paused", () => {
  const groups = (["open", "paused", "fulfilled", "expired", "revoked"] as const).map((state) => {
    const request = exampleOf(RequestMetadata, { state });
    return groupOf({ kind: "asked", asked: { request, waiting: 0, hasKey: true }, label: "" } as never);
  });
  expect(groups).toEqual(["waiting", "waiting", "earlier", "earlier", "earlier"]);
});

test("opened is what was opened to its last, and everything else that is over has ended", () => {
  const secretIn = (state: Secret["state"], claims: number) =>
    standingOf({ kind: "sent", secret: exampleOf(Secret, { state, claims }), label: "", content: undefined });
  expect([secretIn("claimed", 1), secretIn("expired", 1), secretIn("revoked", 0), secretIn("available", 1)]).toEqual([
    "opened",
    "ended",
    "ended",
    "waiting",
  ]);
  const requestWith = (opened: number) => {
    const request = exampleOf(RequestMetadata, { state: "expired", submission_count: 2 });
    return standingOf({ kind: "asked", asked: { request, waiting: 0, opened, hasKey: true } } as never);
  };
  expect([requestWith(2), requestWith(1), requestWith(0)]).toEqual(["opened", "ended", "ended"]);
});

test("what a person may approve is asked for, and nothing by anybody else", async () => {
  expect((await loadActivity(personWith(["secrets:approve"]), { limit: 20 })).asks).toEqual([ask]);
  const before = client.called().filter((each) => each === "listAsks").length;
  const others = SCOPES.filter((scope) => scope !== "secrets:approve");
  expect((await loadActivity(personWith(others), { limit: 20 })).asks).toEqual([]);
  expect(client.called().filter((each) => each === "listAsks")).toHaveLength(before);
});

test("of what a person may not read, nothing is asked for, and what they may not do is not offered", async () => {
  await keepAgeIdentity(ann.id, ANSWERED, { identity: "AGE-SECRET-KEY-1A", note: undefined, claims: {} });
  const idsFor = async (...scopes: readonly Scope[]) =>
    (await loadActivity(personWith(scopes), { limit: 20 })).items.map(idOf);
  expect(await idsFor("secrets:read")).toEqual([DONE, SENT]);
  expect(await idsFor("requests:read")).toEqual([ANSWERED, KEYLESS]);

  const collector = personWith(["requests:read", "secrets:claim"]);
  const reader = personWith(["secrets:read", "requests:read"]);
  const readyFor = async (person: Person) =>
    (await loadActivity(person, { limit: 20 })).items.filter(isReady).map(idOf);
  expect([await readyFor(collector), await readyFor(reader)]).toEqual([[ANSWERED], []]);

  const { items } = await loadActivity(ann, { limit: 20 });
  const open = {
    kind: "asked",
    asked: { request: exampleOf(RequestMetadata, { id: KEYLESS, state: "open" }) },
  } as never;
  const revocableFor = (...scopes: readonly Scope[]) =>
    [...items, open].filter((item) => canRevoke(personWith(scopes), item)).map(idOf);
  expect(revocableFor("secrets:revoke")).toEqual([SENT]);
  expect(revocableFor("requests:revoke")).toEqual([KEYLESS]);
  expect(revocableFor("secrets:read", "requests:read")).toEqual([]);
});

test("a full page means that there is more", async () => {
  expect((await loadActivity(ann, { limit: 2 })).hasMore).toBe(true);
});

test("the items of a ticket are listed however old they are, beside the newest, and each once", async () => {
  const reference = "OPS-4711";
  const old = exampleOf(Secret, {
    id: exampleId("secret").replace(/.$/, "2"),
    reference,
    created_at: "2026-10-01T09:00:00.000Z",
    ended_at: null,
  });
  const asked = exampleOf(RequestMetadata, {
    id: KEYLESS,
    reference,
    created_at: "2026-11-20T12:00:00.000Z",
    ended_at: null,
  });
  const about = <T>(all: readonly T[], found: readonly T[]) => ({
    answer: async (options: unknown) => {
      const { query } = options as { readonly query: { readonly reference?: string } };
      return { data: query.reference === reference ? found : all, next_cursor: null };
    },
  });
  const [sent, requested] = [about(secrets, [old]), about([asked], [asked])];
  const person = {
    ...ann,
    client: createTestClient({
      listSecrets: sent.answer,
      listRequests: requested.answer,
      listAsks: async () => ({ data: [] }),
    }),
  };
  const { items, ticket } = await loadActivity(person, { limit: 20, ticket: reference });
  expect(items.map(idOf)).toEqual([DONE, SENT, KEYLESS, old.id]);
  expect(ticket).toBe(reference);
});
