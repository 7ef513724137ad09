import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import type { Page } from "playwright-core";
import { createAgeIdentity } from "../../src/crypto/age-identities.ts";
import { findViolations, findViolationsInThemes } from "../support/accessibility.ts";
import { PAGE_TEST_MS, startBrowser } from "../support/browsers.ts";
import type { TestPage } from "../support/browsers.ts";
import { answer, ask, openAs, press, readBackupLink, row, seeTitle } from "../support/page-visits.ts";
import { openPlace } from "../support/people.ts";
import type { Place } from "../support/people.ts";
import { until } from "../support/polls.ts";

setDefaultTimeout(PAGE_TEST_MS);
const browser = await startBrowser();
afterAll(() => browser[Symbol.asyncDispose]());

/** Sends a secret with the session on `page`, and returns it with its link's keys. */
interface Sent {
  readonly id: string;
  readonly end: string;
  readonly claimToken: string;
}

const BODY = JSON.stringify({ envelope: { version: 1, ciphertext: "fake-local-test-only" } });

async function send(page: Page, place: Place, query = ""): Promise<Sent> {
  const cookie = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join();
  const headers = { cookie, "content-type": "application/json", "sec-fetch-site": "same-origin" };
  const response = await fetch(`${place.server.url}/app/secrets${query}`, { method: "POST", headers, body: BODY });
  const { id, claim_token: claimToken } = (await response.json()) as { id: string; claim_token: string };
  return { id, end: id.slice(-6), claimToken };
}

/** Creates requests with the session on `page`. Their keys are not kept. */
async function askOften(page: Page, place: Place, count: number): Promise<void> {
  const cookie = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join();
  const headers = { cookie, "content-type": "application/json", "sec-fetch-site": "same-origin" };
  const { recipient } = await createAgeIdentity("hybrid");
  for (let at = 0; at < count; at++) {
    const body = JSON.stringify({ recipient });
    const response = await fetch(`${place.server.url}/app/requests`, { method: "POST", headers, body });
    expect(response.status).toBe(201);
  }
}

async function claim(place: Place, { id, claimToken }: Sent): Promise<void> {
  const headers = { authorization: `Bearer ${claimToken}` };
  const response = await fetch(`${place.server.url}/api/v1/secrets/${id}/claim`, { method: "POST", headers });
  expect(response.status).toBe(200);
}

const menuOf = (page: Page, end: string) => row(page, end).locator("summary");

async function choose(page: Page, end: string, name: string | RegExp): Promise<void> {
  await menuOf(page, end).click();
  await row(page, end).getByRole("button", { name }).click();
}

/** The rows below a heading. */
const rowsOf = (page: Page, group: string) =>
  page.getByRole("heading", { name: group, exact: true }).locator("xpath=..").getByRole("listitem");

async function openActivity(visit: TestPage, place: Place): Promise<Page> {
  const { page } = visit;
  await page.goto(`${place.server.url}/activity`);
  await seeTitle(page, /Activity|Nothing here yet/);
  return page;
}

test("sent secrets and requests are one list, those to collect first, each with its state as a word", async () => {
  await using place = await openPlace();
  const visit = await openAs(browser, place, "ann");
  const { page } = visit;
  await openActivity(visit, place);
  await seeTitle(page, "Nothing here yet");
  expect(await page.getByRole("link", { name: "Send a secret" }).count()).toBe(1);
  expect(await findViolations(page)).toEqual([]);

  const { link, id } = await ask(page, place, "the staging password");
  const [waiting, opened, some] = [
    await send(page, place),
    await send(page, place),
    await send(page, place, "?max_claims=3"),
  ];
  await claim(place, opened);
  await claim(place, some);
  await place.person("bob").must(["submit", link], { stdin: "hunter2" });
  await openActivity(visit, place);
  await page.getByText("1 to collect, 2 waiting").waitFor();
  expect(await rowsOf(page, "To collect").allTextContents()).toEqual([expect.stringContaining("the staging password")]);
  expect(await rowsOf(page, "Waiting").allTextContents()).toEqual([
    expect.stringMatching(new RegExp(`${some.end}Opened 1 of 3Expires in`)),
    expect.stringMatching(new RegExp(`${waiting.end}WaitingExpires in`)),
  ]);
  expect(await rowsOf(page, "Done").allTextContents()).toEqual([
    expect.stringMatching(new RegExp(`${opened.end}Openedtoday at`)),
  ]);
  await page.getByRole("link", { name: "Activity 1 to collect" }).waitFor();
  expect(await findViolationsInThemes(page)).toEqual([]);
  await page.getByRole("link", { name: "Collect: the staging password" }).click();
  await page.getByRole("button", { name: /^Open/ }).waitFor();
  expect(page.url()).toEndWith(`/c/${id}`);
  expect(visit.complaints).toEqual([]);
});

test("secrets to collect are counted and listed, however many newer requests there are", async () => {
  await using place = await openPlace();
  const visit = await openAs(browser, place, "ann");
  const { page } = visit;
  const { link } = await ask(page, place, "the staging password");
  await place.person("bob").must(["submit", link], { stdin: "hunter2" });
  await askOften(page, place, 21);
  await page.goto(`${place.server.url}/`);
  await page.getByRole("link", { name: "Activity 1 to collect" }).waitFor();
  await openActivity(visit, place);
  const summary = page.getByRole("main").getByRole("paragraph").filter({ hasText: "to collect" });
  expect(await summary.textContent()).toBe("1 to collect");
  expect(await rowsOf(page, "To collect").allTextContents()).toEqual([expect.stringContaining("the staging password")]);
  expect(await rowsOf(page, "Waiting").count()).toBe(20);
  await press(page, "Show more");
  await rowsOf(page, "Waiting").nth(20).waitFor();
  expect(await rowsOf(page, "To collect").count()).toBe(1);
  expect(await summary.textContent()).toBe("1 to collect, 21 waiting");
});

test("the filter is in the address, and the back button restores it", async () => {
  await using place = await openPlace();
  const visit = await openAs(browser, place, "ann");
  const { page } = visit;
  const sent = await send(page, place);
  await openActivity(visit, place);
  await row(page, sent.end).waitFor();
  await page.getByRole("link", { name: "Asked for" }).click();
  await page.getByText("You haven't asked for anything yet.").waitFor();
  expect(page.url()).toEndWith("/activity#asked");
  await page.goBack();
  await row(page, sent.end).waitFor();
  await page.goto(`${place.server.url}/activity#asked`);
  await page.reload();
  await page.getByText("You haven't asked for anything yet.").waitFor();
  expect(await page.getByRole("link", { name: "Asked for" }).getAttribute("aria-current")).toBe("true");
});

test("the details of a secret show its openings and their credentials, and update while they are open", async () => {
  await using place = await openPlace();
  const visit = await openAs(browser, place, "ann");
  const { page } = visit;
  const sent = await send(page, place, "?max_claims=3");
  const claimAs = (token: string) =>
    fetch(`${place.server.url}/api/v1/secrets/${sent.id}/claim`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}` },
    });
  expect((await claimAs(sent.claimToken)).status).toBe(200);
  await openActivity(visit, place);
  await choose(page, sent.end, "Details");
  const details = page.getByRole("dialog");
  await details.getByRole("heading", { name: "History" }).waitFor();
  expect(await details.locator("section dt").allTextContents()).toEqual(["Opened with the link"]);
  expect((await claimAs(await place.mint())).status).toBe(200);
  await details.getByText("Opened with an API key").waitFor();
  expect(await details.locator("section dt").allTextContents()).toEqual([
    "Opened with the link",
    "Opened with an API key",
  ]);
  expect(await findViolations(page)).toEqual([]);
});

test("a menu works with the keyboard alone, shows details, and revokes after a question", async () => {
  await using place = await openPlace();
  const visit = await openAs(browser, place, "ann");
  const { page } = visit;
  const [first, second] = [await send(page, place, "?max_claims=3"), await send(page, place)];
  await openActivity(visit, place);
  await menuOf(page, first.end).focus();
  await page.keyboard.press("Enter");
  await row(page, first.end).getByRole("button", { name: "Details" }).waitFor();
  await page.keyboard.press("Escape");
  await row(page, first.end).getByRole("button", { name: "Details" }).waitFor({ state: "hidden" });
  expect(
    await menuOf(page, first.end).evaluate("document.activeElement === document.querySelector('main summary:focus')"),
  ).toBe(true);
  await menuOf(page, first.end).click();
  await page.getByRole("heading", { level: 1 }).click();
  await row(page, first.end).getByRole("button", { name: "Details" }).waitFor({ state: "hidden" });

  await choose(page, first.end, "Details");
  const details = page.getByRole("dialog");
  await details.getByText(first.id).waitFor();
  await details.getByText("0 of 3").waitFor();
  expect(await findViolations(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await details.waitFor({ state: "detached" });

  await choose(page, first.end, "Revoke");
  await page.getByRole("dialog").getByText("Revoke this secret?").waitFor();
  await page.keyboard.press("Escape");
  await row(page, first.end).filter({ hasText: "Waiting" }).waitFor();
  await choose(page, first.end, "Revoke");
  await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
  await row(page, first.end).filter({ hasText: "Revoked" }).waitFor();
  expect(await rowsOf(page, "Done").count()).toBe(1);
  // The focus is on the row at its new place.
  await page.locator(`#${first.id}:focus`).waitFor();

  // A late revocation shows the final state.
  await menuOf(page, second.end).click();
  await row(page, second.end).getByRole("button", { name: "Revoke" }).click();
  await page.getByRole("dialog").waitFor();
  await claim(place, second);
  await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
  await row(page, second.end).filter({ hasText: "Opened" }).waitFor();
  expect(await page.locator("main").innerText()).not.toContain("went wrong");
});

test("Tab, the arrow keys, Home and End move through the menus, and the focus returns to their button", async () => {
  await using place = await openPlace();
  const visit = await openAs(browser, place, "ann");
  const { page } = visit;
  const { id } = await ask(page, place, "one of two", 2);
  const sent = await send(page, place);
  await openActivity(visit, place);
  const focused = () =>
    page.evaluate<string>("(document.activeElement.ariaLabel ?? document.activeElement.innerText).trim()");
  const button = menuOf(page, sent.end);
  const name = `More for Secret …${sent.end}`;
  await button.focus();
  const trip: readonly (readonly [key: string, at: string])[] = [
    ["End", name],
    ["ArrowDown", "Details"],
    ["ArrowDown", "Revoke"],
    ["ArrowDown", "Revoke"],
    ["Home", "Details"],
    ["End", "Revoke"],
    ["ArrowUp", "Details"],
    ["ArrowUp", "Details"],
    ["Tab", "Revoke"],
    ["Shift+Tab", "Details"],
    ["Escape", name],
    ["Enter", name],
    ["Tab", "Details"],
    ["Escape", name],
    ["Space", name],
    ["ArrowDown", "Details"],
  ];
  for (const [key, at] of trip) {
    await page.keyboard.press(key);
    expect([key, await focused()]).toEqual([key, at]);
  }
  expect(await findViolations(page)).toEqual([]);
  expect(await page.locator("[role^=menu]").count()).toBe(0);
  // Leaving the menu closes it.
  await page.keyboard.press("End");
  await page.keyboard.press("Tab");
  await row(page, sent.end).getByRole("button", { name: "Details" }).waitFor({ state: "hidden" });
  expect(await focused()).toBe(`More for one of two …${id.slice(-6)}`);
  // A choice returns the focus to the button, once its dialog is closed.
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").getByText(id).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  expect(await focused()).toBe(`More for one of two …${id.slice(-6)}`);

  await page.locator("summary").filter({ hasText: "Account of ann" }).focus();
  await page.keyboard.press("ArrowDown");
  expect(await focused()).toBe("Sign out");
  await page.keyboard.press("Escape");
  expect(await focused()).toContain("Account of ann");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await answer(page, "Sign out");
  await seeTitle(page, /You're signed out|Send secrets safely/);
});

test("changes are read out, and a hidden tab shows them in its title and, if allowed, in a notification", async () => {
  await using place = await openPlace();
  const visit = await openAs(browser, place, "ann");
  const { page, context } = visit;
  await page.clock.install();
  await page.addInitScript(
    "notified = []; globalThis.Notification = class extends EventTarget { static permission = 'default'; static requestPermission() { notified.push('asked'); this.permission = 'granted'; return Promise.resolve('granted'); } constructor(text) { super(); notified.push(text); } }",
  );
  const [seen, unseen] = [await send(page, place), await send(page, place)];
  await openActivity(visit, place);
  await row(page, seen.end).waitFor();
  await page.clock.runFor(2000);
  await claim(place, seen);
  await page.clock.runFor(2000);
  await page
    .getByRole("status")
    .filter({ hasText: `${seen.end}: Opened.` })
    .waitFor();
  expect(await page.title()).toStartWith("Activity");
  // Only the press of a button asks for permission.
  expect(await page.evaluate<string[]>("notified")).toEqual([]);
  await press(page, /^Notify me/);
  await page.getByText("This browser notifies you").waitFor();

  const show = (isHidden: boolean) =>
    page.evaluate(
      `Object.defineProperty(document, "hidden", { value: ${isHidden}, configurable: true }); document.dispatchEvent(new Event("visibilitychange"))`,
    );
  await show(true);
  await claim(place, unseen);
  await page.clock.runFor(61_000);
  await until(async () => (await page.title()).includes("Opened"), 20);
  expect(await page.title()).toContain(`${unseen.end}: Opened.`);
  expect(await page.evaluate<string[]>("notified")).toEqual([
    "asked",
    expect.stringContaining(`${unseen.end}: Opened.`),
  ]);
  await show(false);
  await until(async () => (await page.title()).startsWith("Activity"), 20);
  await context.close();
});

test("a late answer to an earlier call does not undo a later one", async () => {
  await using place = await openPlace();
  const visit = await openAs(browser, place, "ann");
  const { page } = visit;
  for (let count = 0; count < 30; count++) await send(page, place);
  await openActivity(visit, place);
  await page.getByRole("button", { name: "Show more" }).waitFor();
  const held = Promise.withResolvers<void>();
  await page.route("**/app/secrets?*limit=20*", async (route) => {
    await held.promise;
    await route.continue();
  });
  const asked = page.waitForRequest(/secrets\?.*limit=20/);
  await send(page, place);
  await asked;
  const rows = page.locator("main li");
  await page.getByRole("button", { name: "Show more" }).click();
  await rows.nth(30).waitFor();
  await page.evaluate(
    'fewest = Infinity; new MutationObserver(() => (fewest = Math.min(fewest, document.querySelectorAll("main li").length))).observe(document.body, { subtree: true, childList: true })',
  );
  const answered = page.waitForResponse(/secrets\?.*limit=20/);
  held.resolve();
  await answered;
  // The page has handled it by the time it shows a later event.
  await send(page, place);
  await rows.nth(31).waitFor();
  expect(await page.evaluate<number>("fewest")).toBeGreaterThan(30);
});

test("in forced colors the chosen tab and filter stand out", async () => {
  await using place = await openPlace();
  const visit = await openAs(browser, place, "ann");
  const { page } = visit;
  await send(page, place);
  await openActivity(visit, place);
  await page.emulateMedia({ forcedColors: "active" });
  for (const name of ["Main", "Show"]) {
    const lines = await page.evaluate<readonly (readonly [boolean, boolean])[]>(
      `[...document.querySelectorAll("nav[aria-label=${name}] a")].map((link) => [link.hasAttribute("aria-current"), getComputedStyle(link).textDecorationLine === "underline"])`,
    );
    expect(lines.length).toBe(3);
    for (const [isChosen, isUnderlined] of lines) expect([name, isUnderlined]).toEqual([name, isChosen]);
  }
});

test("no screen of a signed-in person is wider than 320 pixels with doubled text size", async () => {
  await using place = await openPlace();
  const visit = await openAs(browser, place, "somebody-with-a-long-address@department.example.com");
  const { page } = visit;
  const { link, id } = await ask(page, place, "the certificate of the VPN that Ben's laptop needs_".repeat(4), 2);
  await send(page, place, "?max_claims=3");
  await place.person("bob").must(["submit", link], { stdin: "hunter2" });
  await page.setViewportSize({ width: 320, height: 640 });
  const widthOf = async (path: string) => {
    await page.goto(`${place.server.url}${path}`);
    await page.getByRole("heading", { level: 1 }).waitFor();
    if (path === "/activity") await row(page, id.slice(-6)).waitFor();
    await page.evaluate("document.documentElement.style.fontSize = '200%'");
    await page.evaluate(
      "for (const each of document.querySelectorAll('main details')) each.open = !each.classList.contains('menu')",
    );
    return page.evaluate<number>("document.documentElement.scrollWidth");
  };
  const paths = ["/activity", "/ask", "/about", "/sign-in", `/c/${id}`];
  for (const path of paths) expect([path, await widthOf(path)]).toEqual([path, 320]);
  await ask(page, place, "note");
  await readBackupLink(page);
  await page.evaluate("document.documentElement.style.fontSize = '200%'");
  expect(await page.evaluate<number>("document.documentElement.scrollWidth")).toBe(320);
});
