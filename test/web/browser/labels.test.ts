import { afterEach, beforeEach, expect, jest, test } from "bun:test";
import type * as Labels from "../../../src/web/browser/labels.ts";
import { openTab } from "../../support/tabs.ts";
import type { TestTab } from "../../support/tabs.ts";

const ANN = "idn_ann";
const BOB = "idn_bob";
const NOW = Date.parse("2026-11-21T09:30:00Z");

let tab: TestTab;
beforeEach(() => {
  jest.useFakeTimers({ now: NOW });
  tab = openTab();
});
afterEach(() => {
  tab[Symbol.dispose]();
  jest.useRealTimers();
});

let loads = 0;
/** The modules of a page that was just loaded, with empty memory. */
const load = (): Promise<typeof Labels> => import(`../../../src/web/browser/labels.ts?load=${++loads}`);
const listed = async (page: typeof Labels, person = ANN) =>
  Object.fromEntries([...(await page.listRemembered(person))].map(([id, { label }]) => [id, label]));
/** All that the browser stores, as far as it is text or bytes. */
const storedText = () =>
  [...tab.database]
    .map(([key, value]) => {
      const { sealed } = value as { readonly sealed?: { readonly bytes: ArrayBuffer } };
      return key + JSON.stringify(value) + (sealed ? Buffer.from(sealed.bytes).toString("latin1") : "");
    })
    .join("\n");

test("a label outlives the page, belongs to one person, and can be changed and removed", async () => {
  const page = await load();
  expect(await page.keepLabel(ANN, "sec_1", "  router, for Ann ")).toBeTrue();
  await page.keepLabel(BOB, "sec_1", "not Ann's");
  await page.keepLabel(ANN, "req_1", "𝒳".repeat(81));
  const next = await load();
  expect(await listed(next)).toEqual({ sec_1: "router, for Ann", req_1: "𝒳".repeat(80) });
  expect(await listed(next, BOB)).toEqual({ sec_1: "not Ann's" });
  expect(storedText()).not.toMatch(/router|Ann's/);
  await next.keepLabel(ANN, "sec_1", "another");
  await next.keepLabel(ANN, "req_1", "  ");
  for (const each of [page, next]) expect(await listed(each)).toEqual({ sec_1: "another" });
});

test("labels of items that the server no longer lists are deleted, and newer ones stay", async () => {
  const page = await load();
  await page.keepLabel(ANN, "sec_old", "old");
  await page.keepLabel(ANN, "sec_listed", "listed");
  await page.keepLabel(BOB, "sec_bob", "Bob's");
  jest.setSystemTime(NOW + 1000);
  const askedAt = Date.now();
  await page.keepLabel(ANN, "sec_new", "new");
  await page.pruneLabels(ANN, new Set(["sec_listed"]), askedAt);
  expect(await listed(await load())).toEqual({ sec_listed: "listed", sec_new: "new" });
  expect(await listed(page, BOB)).toEqual({ sec_bob: "Bob's" });
});

test("signing out deletes the labels of that person only", async () => {
  const page = await load();
  await page.keepLabel(ANN, "sec_1", "Ann's");
  await page.keepLabel(BOB, "sec_2", "Bob's");
  expect(await page.forgetLabels(ANN)).toBeTrue();
  expect([...tab.database.keys()].toSorted()).toEqual([[BOB, "sec_2"], [BOB]].map((key) => JSON.stringify(key)));
  expect([await listed(page), await listed(page, BOB)]).toEqual([{}, { sec_2: "Bob's" }]);
});

test("where the browser stores nothing, labels last as long as the page, without an error", async () => {
  const page = await load();
  tab.refuseStorage();
  expect(await page.keepLabel(ANN, "sec_1", "router")).toBeFalse();
  expect(await listed(page)).toEqual({ sec_1: "router" });
  await page.pruneLabels(ANN, new Set(["sec_1"]), Date.now());
  expect(await listed(page)).toEqual({ sec_1: "router" });
  expect(await listed(await load())).toEqual({});
  expect(await page.forgetLabels(ANN)).toBeFalse();
  expect(await listed(page)).toEqual({});
});

test("the content of a secret is remembered beside its label, encrypted, and each can change without the other", async () => {
  const page = await load();
  const files = { kind: "files", count: 3, firstName: `contract${"x".repeat(300)}` } as const;
  expect(await page.keepContentSummary(ANN, "sec_1", files)).toBeTrue();
  await page.keepContentSummary(ANN, "sec_2", { kind: "password", characters: 24 });
  await page.keepLabel(ANN, "sec_1", "papers");
  const next = await load();
  expect(Object.fromEntries(await next.listRemembered(ANN))).toEqual({
    sec_1: { label: "papers", content: { ...files, firstName: files.firstName.slice(0, 255) } },
    sec_2: { label: "", content: { kind: "password", characters: 24 } },
  });
  expect(storedText()).not.toMatch(/contract|password|papers/);
  await next.keepLabel(ANN, "sec_1", "");
  expect((await next.listRemembered(ANN)).get("sec_1")).toMatchObject({ label: "", content: { kind: "files" } });
  jest.setSystemTime(NOW + 1);
  await next.pruneLabels(ANN, new Set(["sec_2"]), NOW + 1);
  expect([...(await (await load()).listRemembered(ANN)).keys()]).toEqual(["sec_2"]);
});

test("a label that a former version stored in plain text is read, and encrypted from then on", async () => {
  tab.database.set(JSON.stringify([ANN, "sec_1"]), { label: "router", keptAt: NOW });
  expect(await listed(await load())).toEqual({ sec_1: "router" });
  while (storedText().includes("router")) await new Promise<void>((resolve) => setImmediate(resolve));
  const next = await load();
  expect(await listed(next)).toEqual({ sec_1: "router" });
  jest.setSystemTime(NOW + 1);
  // It is as old as before.
  await next.pruneLabels(ANN, new Set(), NOW + 1);
  expect(await listed(next)).toEqual({});
});

test("the key cannot be read, and opens a text only where it was stored", async () => {
  const page = await load();
  await page.keepLabel(ANN, "sec_1", "router");
  const key = tab.database.get(JSON.stringify([ANN]));
  expect(key).toBeInstanceOf(CryptoKey);
  expect(key).toMatchObject({ type: "secret", extractable: false });
  const kept = tab.database.get(JSON.stringify([ANN, "sec_1"]));
  tab.database.set(JSON.stringify([ANN, "sec_2"]), kept);
  expect(await listed(await load())).toEqual({ sec_1: "router" });
  tab.database.delete(JSON.stringify([ANN]));
  expect(await listed(await load())).toEqual({});
});
