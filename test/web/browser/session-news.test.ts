import { expect, test } from "bun:test";
import { forgetAll, takeFragment } from "../../../src/web/browser/fragments.ts";
import type * as SessionNews from "../../../src/web/browser/session-news.ts";
import { until } from "../../support/polls.ts";
import { openTab } from "../../support/tabs.ts";

let loads = 0;
/** The modules of a tab that was just loaded. */
const load = (): Promise<typeof SessionNews> => import(`../../../src/web/browser/session-news.ts?load=${++loads}`);
const keep = (...ids: readonly string[]) => {
  for (const id of ids) takeFragment(id, () => true);
};

test("signing in in one tab notifies the other tabs of the site, and of no other site", async () => {
  using tab = openTab("https://one.example/");
  const [first, second] = [await load(), await load()];
  tab.go("https://two.example/");
  const elsewhere = await load();
  const heard: string[] = [];
  const { promise: told, resolve } = Promise.withResolvers<void>();
  first.onSignIn(() => void heard.push("first"));
  elsewhere.onSignIn(() => void heard.push("elsewhere"));
  const leave = second.onSignIn(() => void heard.push("second"));
  second.onSignIn(() => resolve());
  first.announceSession("signed-out");
  leave();
  first.announceSession("signed-in");
  await told;
  expect(heard).toEqual([]);
  second.announceSession("signed-in");
  await until(() => heard.length > 0);
  expect(heard).toEqual(["first"]);
});

test("signing out in another tab empties and reloads a screen of the session, and deletes what it kept", async () => {
  using tab = openTab("https://three.example/#1.key");
  keep("sec_a");
  const [here, there] = [await load(), await load()];
  here.followSignOuts();
  there.announceSession("signed-in");
  there.announceSession("signed-out");
  expect(await tab.reloaded).toBeTrue();
  expect([...tab.stored]).toEqual([]);
});

test("a screen of a link keeps that link when a person signs out, and no other", async () => {
  using tab = openTab("https://four.example/s/sec_a#1.key");
  keep("sec_a");
  tab.go("#1.other");
  keep("sec_b");
  const [here, there] = [await load(), await load()];
  here.followSignOuts();
  let isReloaded = false;
  void tab.reloaded.then(() => (isReloaded = true));
  there.announceSession("signed-out");
  await until(() => tab.stored.size <= 1);
  expect([...tab.stored.keys()]).toEqual(["handoff:sec_a"]);
  expect(isReloaded).toBeFalse();
  await forgetAll();
});
