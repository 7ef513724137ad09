import { afterEach, beforeEach, expect, jest, test } from "bun:test";
import {
  claimOf,
  claimSentAt,
  dropEnvelope,
  forget,
  forgetAll,
  holdEnvelope,
  keepForReplay,
  noteClaimSent,
  prolongReplay,
  renewKey,
  replayEndOf,
  takeFragment,
} from "../../../src/web/browser/fragments.ts";
import { readPast, rememberPast } from "../../../src/web/browser/past-links.ts";
import { openTab } from "../../support/tabs.ts";
import type { TestTab } from "../../support/tabs.ts";

const ID = "sec_a";
const MINUTE = 60_000;
const ENVELOPE = { version: 1, ciphertext: "Q2lwaGVydGV4dA" } as const;
const whole = () => true;

let tab: TestTab;
beforeEach(() => {
  jest.useFakeTimers({ now: Date.parse("2026-11-21T09:30:00Z") });
  tab = openTab("https://handoff.example/below/s/sec_a#1.key");
});
afterEach(async () => {
  await forgetAll();
  tab[Symbol.dispose]();
  jest.useRealTimers();
});

test("the key is removed from the address, and kept across a reload", () => {
  const taken = takeFragment(ID, whole);
  expect(taken).toEqual({ fragment: "1.key", idempotencyKey: expect.any(String), until: null });
  expect(tab.address()).toBe("https://handoff.example/below/s/sec_a");
  expect(takeFragment(ID, whole)).toEqual(taken);
  expect(takeFragment("sec_b", whole)).toBeUndefined();
});

test("an empty fragment is removed from the address, too", () => {
  tab.go("https://handoff.example/s/sec_a#");
  expect(takeFragment(ID, whole)).toBeUndefined();
  expect(tab.address()).toBe("https://handoff.example/s/sec_a");
});

test("a cut-off link does not replace a whole one, but another whole link does", () => {
  const first = takeFragment(ID, whole);
  tab.go("#1.k");
  expect(takeFragment(ID, () => false)).toBe("broken");
  expect(tab.address()).not.toContain("#");
  expect(takeFragment(ID, whole)).toEqual(first);
  tab.go("#1.other");
  const second = takeFragment(ID, whole);
  expect(second).toMatchObject({ fragment: "1.other", until: null });
  expect(second).not.toMatchObject({ idempotencyKey: (first as { idempotencyKey: string }).idempotencyKey });
});

test("correcting a link that was mistyped as the other kind keeps its claim", () => {
  const first = takeFragment(ID, whole) as { idempotencyKey: string };
  noteClaimSent(ID);
  tab.go("#1p.key");
  const corrected = { fragment: "1p.key", idempotencyKey: first.idempotencyKey, sentAt: Date.now() };
  expect(takeFragment(ID, whole)).toMatchObject(corrected);
  expect(takeFragment(ID, whole)).toMatchObject(corrected);
});

test("a sent claim is known after a reload, and a new claim has a new key and was not sent", () => {
  const first = takeFragment(ID, whole);
  expect(claimSentAt(ID)).toBeUndefined();
  noteClaimSent(ID);
  keepForReplay(ID, MINUTE);
  expect(claimSentAt(ID)).toBe(Date.now());
  expect(takeFragment(ID, whole)).toMatchObject({ sentAt: Date.now() });
  renewKey(ID);
  expect(claimSentAt(ID)).toBeUndefined();
  expect(takeFragment(ID, whole)).toMatchObject({ fragment: "1.key", until: null });
  expect(takeFragment(ID, whole)).not.toMatchObject({
    idempotencyKey: (first as { idempotencyKey: string }).idempotencyKey,
  });
});

test("a link is forgotten once its claim cannot be repeated", () => {
  takeFragment(ID, whole);
  expect(replayEndOf(ID)).toBeNull();
  keepForReplay(ID, MINUTE);
  const end = Date.now() + MINUTE;
  expect(replayEndOf(ID)).toBe(end);
  jest.advanceTimersByTime(MINUTE / 2);
  // A reload repeats the claim, which does not extend its time.
  keepForReplay(ID, MINUTE);
  expect(replayEndOf(ID)).toBe(end);
  jest.advanceTimersByTime(MINUTE / 2);
  expect(replayEndOf(ID)).toBeNull();
  expect([...tab.stored]).toEqual([]);
});

test("a link kept by an earlier page of the tab is forgotten in time after a reload", () => {
  const keep = (id: string, until: number | null, more = {}) =>
    tab.stored.set(`handoff:${id}`, JSON.stringify({ fragment: "1.x", idempotencyKey: "key", until, ...more }));
  keep("sec_over", Date.now());
  keep("sec_soon", Date.now() + MINUTE);
  keep("sec_unclaimed", null);
  keep("sec_held", Date.now(), { envelope: ENVELOPE });
  tab.stored.set("another", "site's");
  tab.go("https://handoff.example/");
  expect(takeFragment(ID, whole)).toBeUndefined();
  const kept = () => [...tab.stored.keys()].toSorted();
  expect(kept()).toEqual(["another", "handoff:sec_held", "handoff:sec_soon", "handoff:sec_unclaimed"]);
  jest.advanceTimersByTime(MINUTE);
  expect(kept()).toEqual(["another", "handoff:sec_held", "handoff:sec_unclaimed"]);
  tab.stored.delete("another");
});

test("a claimed envelope is kept until it is decrypted, however long that takes", async () => {
  takeFragment(ID, whole);
  keepForReplay(ID, MINUTE);
  expect(await holdEnvelope(ID, ENVELOPE)).toBeTrue();
  jest.advanceTimersByTime(10 * MINUTE);
  expect(takeFragment(ID, whole)).toMatchObject({ envelope: ENVELOPE });
  dropEnvelope(ID);
  expect([...tab.stored]).toEqual([]);
});

test("a secret decrypted in time can be shown again until the claim cannot be repeated", async () => {
  takeFragment(ID, whole);
  keepForReplay(ID, MINUTE);
  expect(await holdEnvelope(ID, ENVELOPE)).toBeTrue();
  dropEnvelope(ID);
  const kept = takeFragment(ID, whole);
  expect(kept).toMatchObject({ fragment: "1.key" });
  expect(kept).not.toHaveProperty("envelope");
  jest.advanceTimersByTime(MINUTE);
  expect([...tab.stored]).toEqual([]);
});

test("a claim that is prolonged is repeatable, and its link kept, until the new end", () => {
  takeFragment(ID, whole);
  keepForReplay(ID, MINUTE);
  jest.advanceTimersByTime(MINUTE / 2);
  prolongReplay(ID, Date.now() + 2 * MINUTE);
  // A call that was made before is answered after it.
  prolongReplay(ID, Date.now() + MINUTE);
  jest.advanceTimersByTime(2 * MINUTE - 1);
  expect(claimOf(ID)).toEqual({ idempotencyKey: expect.any(String), until: Date.now() + 1 });
  jest.advanceTimersByTime(1);
  expect(takeFragment(ID, whole)).toBeUndefined();
  prolongReplay(ID, Date.now() + MINUTE);
  expect(claimOf(ID)).toBeUndefined();
});

test("signing out forgets all links but one, and the history of the others", async () => {
  for (const id of ["sec_a", "sec_b"]) {
    tab.go("#1.key");
    takeFragment(id, whole);
    rememberPast(id, { kind: "over" });
  }
  await forgetAll("sec_a");
  expect(takeFragment("sec_a", whole)).toMatchObject({ fragment: "1.key" });
  expect(takeFragment("sec_b", whole)).toBeUndefined();
  expect([readPast("sec_a"), readPast("sec_b")]).toEqual([{ kind: "over" }, undefined]);
  await forget("sec_a");
  expect(takeFragment("sec_a", whole)).toBeUndefined();
});

test("where the browser stores nothing, the page keeps links until it is left", () => {
  tab.refuseStorage();
  const taken = takeFragment(ID, whole);
  expect(taken).toMatchObject({ fragment: "1.key" });
  expect(tab.address()).not.toContain("#");
  expect(takeFragment(ID, whole)).toEqual(taken);
  keepForReplay(ID, MINUTE);
  jest.advanceTimersByTime(MINUTE);
  expect(takeFragment(ID, whole)).toBeUndefined();
});

test("foreign values in the storage are not taken for links", () => {
  tab.stored.set(`handoff:${ID}`, "{");
  tab.go("https://handoff.example/s/sec_a");
  expect(takeFragment(ID, whole)).toBeUndefined();
  expect(claimSentAt(ID)).toBeUndefined();
});

test("a claim is offered from when it is sent until it cannot be repeated, also when a timer sleeps", () => {
  const kept = takeFragment(ID, whole);
  const idempotencyKey = kept && kept !== "broken" ? kept.idempotencyKey : "";
  expect(claimOf(ID)).toBeUndefined();
  noteClaimSent(ID);
  expect(claimOf(ID)).toEqual({ idempotencyKey, until: null });
  keepForReplay(ID, MINUTE);
  expect(claimOf(ID)).toEqual({ idempotencyKey, until: Date.now() + MINUTE });
  jest.setSystemTime(Date.now() + MINUTE);
  expect(claimOf(ID)).toBeUndefined();
});
