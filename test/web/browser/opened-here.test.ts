import { afterEach, beforeEach, expect, test } from "bun:test";
import {
  adoptClaim,
  claimOf,
  forget,
  forgetAll,
  keepForReplay,
  noteClaimSent,
  replayEndOf,
  takeFragment,
} from "../../../src/web/browser/fragments.ts";
import type * as OpenedHere from "../../../src/web/browser/opened-here.ts";
import { openTab } from "../../support/tabs.ts";
import type { TestTab } from "../../support/tabs.ts";

const ID = "sec_a";
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

let sites = 0;
let tab: TestTab;
beforeEach(() => void (tab = openTab(`https://site-${++sites}.example/s/sec_a#1.key`)));
afterEach(async () => {
  await forgetAll();
  tab[Symbol.dispose]();
});

let loads = 0;
/** The modules of a tab that was just loaded. */
const load = (): Promise<typeof OpenedHere> => import(`../../../src/web/browser/opened-here.ts?load=${++loads}`);

/** A tab that has the link, and answers other tabs about it. */
async function loadTabs() {
  const kept = takeFragment(ID, () => true);
  if (!kept || kept === "broken") throw new Error("the tab has no link");
  const [first, second] = [await load(), await load()];
  const leave = first.answerOtherTabs();
  return { key: kept.idempotencyKey, first, second, [Symbol.dispose]: leave };
}

/** All messages between tabs while `work` runs. */
async function overhear(work: () => Promise<unknown>): Promise<readonly unknown[]> {
  const open = () => new BroadcastChannel(`handoff claims https://site-${sites}.example`);
  const heard: unknown[] = [];
  const [channel, end] = [open(), open()];
  const { promise: isOver, resolve } = Promise.withResolvers<void>();
  channel.addEventListener("message", ({ data }) => (data === "over" ? resolve() : void heard.push(data)));
  await work();
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none
  end.postMessage("over");
  await isOver;
  for (const each of [channel, end]) each.close();
  return heard;
}

test("a tab learns from another one how to repeat its claim, and no message has a secret", async () => {
  using tabs = await loadTabs();
  tabs.first.rememberClaimSent(ID);
  noteClaimSent(ID);
  expect(await tabs.second.findClaimElsewhere(ID)).toEqual({ idempotencyKey: tabs.key, until: null });
  keepForReplay(ID, MINUTE);
  const claim = { idempotencyKey: tabs.key, until: replayEndOf(ID) };
  const said = await overhear(async () => expect(await tabs.second.findClaimElsewhere(ID)).toEqual(claim));
  expect(said).toEqual([
    { kind: "asked", id: ID },
    { kind: "told", id: ID, claim },
  ]);
});

test("other tabs are not asked about a secret that this browser has not claimed", async () => {
  using tabs = await loadTabs();
  noteClaimSent(ID);
  keepForReplay(ID, MINUTE);
  expect(await overhear(async () => expect(await tabs.second.findClaimElsewhere(ID)).toBeUndefined())).toEqual([]);
});

test("a tab does not answer once it was left, has erased the secret, or cannot repeat a claim", async () => {
  using tabs = await loadTabs();
  tabs.first.rememberClaimSent(ID);
  // This tab has sent nothing.
  expect(await tabs.second.findClaimElsewhere(ID)).toBeUndefined();
  noteClaimSent(ID);
  keepForReplay(ID, 0);
  expect(await tabs.second.findClaimElsewhere(ID)).toBeUndefined();
  tab.go("#1.key");
  takeFragment(ID, () => true);
  noteClaimSent(ID);
  expect(await tabs.second.findClaimElsewhere("sec_b")).toBeUndefined();
  await forget(ID);
  expect(await tabs.second.findClaimElsewhere(ID)).toBeUndefined();
  tab.go("#1.key");
  takeFragment(ID, () => true);
  noteClaimSent(ID);
  expect(await tabs.second.findClaimElsewhere(ID)).toBeDefined();
  tabs[Symbol.dispose]();
  expect(await tabs.second.findClaimElsewhere(ID)).toBeUndefined();
});

test("messages that no tab of this version sends are ignored", async () => {
  const asking = await load();
  asking.rememberClaimSent(ID);
  const channel = new BroadcastChannel(`handoff claims https://site-${sites}.example`);
  const claims = [
    {},
    { idempotencyKey: "a b", until: null },
    { idempotencyKey: "a", until: Date.now() - 1 },
    { idempotencyKey: "a" },
  ];
  const good = { idempotencyKey: "good", until: null };
  channel.addEventListener("message", () => {
    for (const message of [
      null,
      "told",
      { kind: "told", id: "sec_b", claim: good },
      ...claims.map((claim) => ({ kind: "told", id: ID, claim })),
      { kind: "told", id: ID, claim: good },
    ]) {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none
      channel.postMessage(message);
    }
  });
  expect(await asking.findClaimElsewhere(ID)).toEqual(good);
  channel.close();
});

test("a claim of another tab replaces one that was not sent, and ends when that one does", () => {
  const claim = { idempotencyKey: "theirs", until: Date.now() + MINUTE };
  expect(adoptClaim(ID, claim)).toBeFalse();
  takeFragment(ID, () => true);
  expect(adoptClaim(ID, claim)).toBeTrue();
  expect(claimOf(ID)).toEqual(claim);
  expect(adoptClaim(ID, { idempotencyKey: "others", until: null })).toBeFalse();
  expect(claimOf(ID)).toEqual(claim);
  // The time counts from the first claim, whatever the server says later.
  keepForReplay(ID, DAY);
  expect(replayEndOf(ID)).toBe(claim.until);
});

test("the first opening is remembered for 30 days in all tabs, and nothing else is", async () => {
  const page = await load();
  const before = Date.now();
  page.rememberClaimSent(ID);
  expect(page.openedHereAt(ID)).toBeUndefined();
  page.rememberOpened(ID);
  const at = page.openedHereAt(ID);
  expect(Date.parse(at ?? "")).toBeWithin(before, Date.now() + 1);
  expect([...tab.local]).toEqual([[`handoff opened ${ID}`, JSON.stringify({ at, isOpened: true })]]);
  page.rememberOpened(ID);
  page.rememberClaimSent(ID);
  expect((await load()).openedHereAt(ID)).toBe(at);
  const recordOf = (ageMs: number) =>
    JSON.stringify({ at: new Date(Date.now() - ageMs).toISOString(), isOpened: true });
  tab.local.set("handoff opened sec_old", recordOf(31 * DAY));
  tab.local.set("handoff opened sec_torn", "{");
  tab.local.set("handoff opened sec_late", recordOf(29 * DAY));
  tab.local.set("handoff language", "de");
  expect(page.openedHereAt("sec_old")).toBeUndefined();
  page.rememberOpened("sec_b");
  expect([...tab.local.keys()].toSorted()).toEqual([
    "handoff language",
    `handoff opened ${ID}`,
    "handoff opened sec_b",
    "handoff opened sec_late",
  ]);
  // Showing it again keeps the time of the first opening.
  const late = tab.local.get("handoff opened sec_late");
  page.rememberOpened("sec_late");
  expect(tab.local.get("handoff opened sec_late")).toBe(late);
});

test("where the browser stores nothing, nothing is remembered and nothing fails", async () => {
  const page = await load();
  tab.refuseStorage();
  page.rememberClaimSent(ID);
  page.rememberOpened(ID);
  expect(page.openedHereAt(ID)).toBeUndefined();
  expect(await page.findClaimElsewhere(ID)).toBeUndefined();
});
