import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import type { Request } from "playwright-core";
import { PAGE_TEST_MS, startBrowser } from "../support/browsers.ts";
import {
  complaint,
  openAs,
  press,
  secretField,
  seeTitle,
  sendText,
  sentStrip,
  signInOn,
} from "../support/page-visits.ts";
import { openPlace as openOwnPlace, shareServer } from "../support/people.ts";
import { until } from "../support/polls.ts";

setDefaultTimeout(PAGE_TEST_MS);
const browser = await startBrowser();
afterAll(() => browser[Symbol.asyncDispose]());
const openPlace = shareServer();

test("when another person signs in in another tab, nothing is sent in their name", async () => {
  await using place = await openPlace();
  const bob = await place.member("bob");
  const { page, context } = await openAs(browser, place, "ann");
  await signInOn(await context.newPage(), place, "carl");
  await secretField(page).fill("of ann");
  await press(page, "Create link");
  await complaint(page, "carl");
  expect(await bob.must(["list", "--json"])).toBe("[]");
});

test("a person signed out elsewhere is told so, and goes on with the typed content after signing in", async () => {
  await using place = await openPlace();
  const { page, context } = await openAs(browser, place, "ann");
  await secretField(page).fill("typed before");
  await place.admin("person", "sign-out", "ann", "--team", place.team);
  await press(page, "Create link");
  await complaint(page, "signed out");
  await signInOn(await context.newPage(), place, "ann");
  await press(page, "Create link");
  await seeTitle(page, "Your link is ready");
});

test("the welcome disappears with the first keystroke, and when the session turns out to be over", async () => {
  await using place = await openPlace();
  const { page } = await browser.open();
  await signInOn(page, place, "ann");
  const welcome = page.getByText("You're signed in as ann");
  await welcome.waitFor();
  await secretField(page).press("x");
  await welcome.waitFor({ state: "detached" });
  expect(await secretField(page).inputValue()).toBe("x");

  await signInOn(page, place, "ann");
  await welcome.waitFor();
  await place.admin("person", "sign-out", "ann", "--team", place.team);
  await welcome.waitFor({ state: "detached" });
  await secretField(page).fill("x");
  await press(page, "Create link");
  await complaint(page, "signed out");
});

test("the choices and defaults are those that the server allows", async () => {
  await using place = await openOwnPlace(["--max-expires", "30m", "--default-expires", "30m", "--default-claims", "4"]);
  const { page } = await openAs(browser, place, "ann");
  await page.getByText("Opens 4 times · 30 minutes · no passphrase").click();
  const lifetimes = page.getByRole("group", { name: "Expires in" });
  expect(await lifetimes.getByRole("radio").count()).toBe(2);
  expect(await lifetimes.getByLabel("30 minutes").isChecked()).toBe(true);
  expect(await page.getByLabel("4 times").isChecked()).toBe(true);
  await lifetimes.getByText("Other…").click();
  await lifetimes.getByRole("spinbutton").fill("31");
  await secretField(page).fill("x");
  await press(page, "Create link");
  await complaint(page, "Enter a time from 1 minute to 30 minutes.");
  await lifetimes.getByRole("spinbutton").fill("20");
  await page.getByText("Opens 4 times · 20 minutes · no passphrase").waitFor();
  await press(page, "Create link");
  await page.getByText(/until (today|tomorrow), \d+:\d+\./).waitFor();
});

test("a hidden page holds no connection, and is up to date when it is visible again", async () => {
  await using place = await openPlace();
  const { page } = await openAs(browser, place, "ann");
  const open = new Set<Request>();
  page.on("request", (request) => request.url().includes("/app/") && open.add(request));
  page.on("requestfinished", (request) => open.delete(request));
  page.on("requestfailed", (request) => open.delete(request));
  // Calls that were pending before are not among them.
  await page.reload();
  const link = await sendText(page, "x");
  await sentStrip(page).getByText("Waiting").waitFor();
  const show = (isHidden: boolean) =>
    page.evaluate(
      `Object.defineProperty(document, "hidden", { value: ${isHidden}, configurable: true }); document.dispatchEvent(new Event("visibilitychange"))`,
    );
  await show(true);
  await until(() => open.size === 0, 20);
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await place.person("bob").must(["open", "--yes", link]);
  expect(asked).toEqual([]);
  await show(false);
  await seeTitle(page, "Your secret was opened");
});
