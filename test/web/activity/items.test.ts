import { afterEach, beforeEach, expect, test } from "bun:test";
import { Credential } from "../../../src/contract/credentials.ts";
import { exampleId } from "../../../src/contract/ids.ts";
import { RequestMetadata } from "../../../src/contract/requests.ts";
import { Secret } from "../../../src/contract/secrets.ts";
import { countItemsToCollect, groupOf, idOf, loadActivity, progressOf } from "../../../src/web/activity/items.ts";
import { keepAgeIdentity } from "../../../src/web/browser/age-identities.ts";
import { keepLabel } from "../../../src/web/browser/labels.ts";
import type { Person } from "../../../src/web/service/clients.ts";
import { createTestClient, exampleOf } from "../../support/clients.ts";
import { openTab } from "../../support/tabs.ts";
import type { TestTab } from "../../support/tabs.ts";

const [SENT = "", DONE = ""] = ["0", "1"].map((end) => exampleId("secret").replace(/.$/, end));
const [ANSWERED = "", KEYLESS = ""] = ["0", "1"].map((end) => exampleId("request").replace(/.$/, end));
const secrets = [
  exampleOf(Secret, { id: SENT, created_at: "2026-11-21T09:00:00.000Z" }),
  exampleOf(Secret, { id: DONE, state: "claimed", claims: 1, created_at: "2026-11-20T09:00:00.000Z" }),
];
const requests = [ANSWERED, KEYLESS].map((id) =>
  exampleOf(RequestMetadata, {
    id,
    state: "fulfilled",
    created_at: "2026-11-20T12:00:00.000Z",
    submission_count: 1,
    submissions: [
      { secret_id: exampleId("secret"), state: "available", created_at: "2026-11-21T09:30:00.000Z" } as const,
    ],
  }),
);

let tab: TestTab;
beforeEach(() => void (tab = openTab()));
afterEach(() => tab[Symbol.dispose]());

const client = createTestClient({
  listSecrets: async () => ({ data: secrets, next_cursor: null }),
  listRequests: async () => ({ data: requests, next_cursor: null }),
  getRequest: async (options) => requests.find(({ id }) => id === (options as { readonly id: string }).id),
});
const ann: Person = { client, credential: exampleOf(Credential, { kind: "person" }), id: exampleId("identity") };

test("what was sent and asked for is one list, newest first, with one's own names, in the group that it belongs to", async () => {
  await keepLabel(ann.id, SENT, "router, for Ann");
  await keepAgeIdentity(ann.id, ANSWERED, { identity: "AGE-SECRET-KEY-1A", note: undefined, claims: {} });
  const { items, hasMore } = await loadActivity(ann, 20);
  expect(items.map((item) => [idOf(item), groupOf(item)])).toEqual([
    [SENT, "waiting"],
    [ANSWERED, "collect"],
    [KEYLESS, "collect"],
    [DONE, "done"],
  ]);
  expect(items.flatMap((item) => (item.kind === "sent" ? [item.label] : []))).toEqual(["router, for Ann", ""]);
  expect(items.map(progressOf)).toEqual([0, 1, 1, 1]);
  expect(hasMore).toEqual({ all: false, sent: false, asked: false });
  // What this browser has no key for can't be collected in it.
  expect(countItemsToCollect(items)).toBe(1);
});

test("there is more when as many came as were asked for", async () => {
  expect((await loadActivity(ann, 2)).hasMore).toEqual({ all: true, sent: true, asked: true });
});
