import { afterEach, beforeEach, expect, jest, test } from "bun:test";
import type * as Identities from "../../../src/web/browser/age-identities.ts";
import { openTab } from "../../support/tabs.ts";
import type { TestTab } from "../../support/tabs.ts";

const KEPT = { identity: "AGE-SECRET-KEY-1A", note: undefined, claims: {}, keptAt: 0 };
const ANN = "idn_ann";
const BOB = "idn_bob";

let tab: TestTab;
beforeEach(() => {
  jest.useFakeTimers({ now: Date.parse("2026-11-21T09:30:00Z") });
  tab = openTab();
});
afterEach(() => {
  tab[Symbol.dispose]();
  jest.useRealTimers();
});

let loads = 0;
/** The modules of a page that was just loaded, with empty memory. */
const load = (): Promise<typeof Identities> => import(`../../../src/web/browser/age-identities.ts?load=${++loads}`);

test("a request's key outlives the page, and belongs to the person who created the request", async () => {
  const page = await load();
  expect(await page.keepAgeIdentity(ANN, "req_1", KEPT)).toBeTrue();
  const next = await load();
  expect(await next.findAgeIdentity(ANN, "req_1")).toEqual(KEPT);
  expect(await next.findAgeIdentity(BOB, "req_1")).toBeUndefined();
  expect(await next.findAgeIdentity(ANN, "req_2")).toBeUndefined();
  await next.keepAgeIdentity(BOB, "req_2", KEPT);
  expect([...(await next.listAgeIdentities(ANN)).keys()]).toEqual(["req_1"]);
  await next.forgetAgeIdentity(ANN, "req_1");
  await page.forgetAgeIdentity(ANN, "req_1");
  expect(await page.findAgeIdentity(ANN, "req_1")).toBeUndefined();
  expect(await (await load()).findAgeIdentity(ANN, "req_1")).toBeUndefined();
});

test("signing out deletes the keys of that person only", async () => {
  const page = await load();
  for (const [person, id] of [
    [ANN, "req_1"],
    [ANN, "req_2"],
    [BOB, "req_1"],
  ] as const) {
    await page.keepAgeIdentity(person, id, KEPT);
  }
  expect(await page.forgetAgeIdentities(ANN)).toBeTrue();
  expect((await page.listAgeIdentities(ANN)).size).toBe(0);
  expect([...(await (await load()).listAgeIdentities(BOB)).keys()]).toEqual(["req_1"]);
});

test("a secret is claimed under one key in all tabs, until the claim cannot be repeated", async () => {
  const page = await load();
  await page.keepAgeIdentity(ANN, "req_1", KEPT);
  const [first, second] = await Promise.all([
    page.claimKeyOf(ANN, "req_1", "sec_1"),
    (await load()).claimKeyOf(ANN, "req_1", "sec_1"),
  ]);
  expect(first).toBe(second);
  expect(await page.claimKeyOf(ANN, "req_1", "sec_2")).not.toBe(first);
  const claimOf = async () => (await page.findAgeIdentity(ANN, "req_1"))?.claims["sec_1"];
  // Without an answer the claim may have been made.
  expect(await claimOf()).toMatchObject({ replayEndsAt: null });
  expect(page.isRepeatable(await claimOf())).toBeTrue();
  await page.noteReplayEnd(ANN, "req_1", { secretId: "sec_1", inMs: 60_000 });
  jest.advanceTimersByTime(30_000);
  // Repeating the claim does not extend the time.
  await page.noteReplayEnd(ANN, "req_1", { secretId: "sec_1", inMs: 60_000 });
  expect(await claimOf()).toMatchObject({ idempotencyKey: first, replayEndsAt: Date.now() + 30_000 });
  expect(page.isRepeatable(await claimOf())).toBeTrue();
  jest.advanceTimersByTime(30_000);
  expect(page.isRepeatable(await claimOf())).toBeFalse();
});

test("a claim that the server calls over stays over", async () => {
  const page = await load();
  await page.keepAgeIdentity(ANN, "req_1", KEPT);
  await page.claimKeyOf(ANN, "req_1", "sec_1");
  await page.noteReplayEnd(ANN, "req_1", { secretId: "sec_1", inMs: 60_000 });
  await page.noteReplayEnd(ANN, "req_1", { secretId: "sec_1", inMs: "over" });
  const claimOf = async (id: string) => (await page.findAgeIdentity(ANN, "req_1"))?.claims[id];
  expect(page.isRepeatable(await claimOf("sec_1"))).toBeFalse();
  expect(page.isRepeatable(undefined)).toBeFalse();
  // The first claim was answered. The other one never will be.
  expect(await claimOf("sec_1")).toMatchObject({ replayEndsAt: Date.now() });
  await page.claimKeyOf(ANN, "req_1", "sec_2");
  await page.noteReplayEnd(ANN, "req_1", { secretId: "sec_2", inMs: "over" });
  expect(await claimOf("sec_2")).toMatchObject({ replayEndsAt: 0 });
});

test("a claim that was refused is made again under the same key, and counts as made from then on", async () => {
  const page = await load();
  await page.keepAgeIdentity(ANN, "req_1", KEPT);
  const key = await page.claimKeyOf(ANN, "req_1", "sec_1");
  const claimOf = async () => (await page.findAgeIdentity(ANN, "req_1"))?.claims["sec_1"];
  await page.noteReplayEnd(ANN, "req_1", { secretId: "sec_1", inMs: "over" });
  expect(page.isRepeatable(await claimOf())).toBeFalse();
  expect(await page.claimKeyOf(ANN, "req_1", "sec_1")).toBe(key);
  expect(await claimOf()).toMatchObject({ replayEndsAt: null });
  // A refusal in another tab doesn't hide the answer in this one.
  await page.noteReplayEnd(ANN, "req_1", { secretId: "sec_1", inMs: "over" });
  await page.noteReplayEnd(ANN, "req_1", { secretId: "sec_1", inMs: 60_000 });
  expect(await claimOf()).toMatchObject({ replayEndsAt: Date.now() + 60_000 });
});

test("where the browser stores nothing, the page keeps keys until it is left, and reports that", async () => {
  tab.refuseStorage();
  const page = await load();
  expect(await page.keepAgeIdentity(ANN, "req_1", KEPT)).toBeFalse();
  expect(await page.findAgeIdentity(ANN, "req_1")).toEqual(KEPT);
  const key = await page.claimKeyOf(ANN, "req_1", "sec_1");
  expect(await page.claimKeyOf(ANN, "req_1", "sec_1")).toBe(key);
  expect([...(await page.listAgeIdentities(ANN)).keys()]).toEqual(["req_1"]);
  expect(await page.forgetAgeIdentities(ANN)).toBeFalse();
  expect(await page.findAgeIdentity(ANN, "req_1")).toBeUndefined();
  expect(await (await load()).findAgeIdentity(ANN, "req_1")).toBeUndefined();
});

test("a browser that does not answer delays the page by at most two seconds", async () => {
  const page = await load();
  tab.silence();
  const kept = page.keepAgeIdentity(ANN, "req_1", KEPT);
  let isOver = false;
  void kept.then(() => (isOver = true));
  jest.advanceTimersByTime(1999);
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();
  expect(isOver).toBeFalse();
  jest.advanceTimersByTime(1);
  expect(await kept).toBeFalse();
});

test("a browser without persistent storage reports that it may evict data", async () => {
  expect(await (await load()).requestPersistence()).toBeFalse();
});
