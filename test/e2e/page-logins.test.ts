import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { hostname } from "node:os";
import type { Page } from "playwright-core";
import { beginLogin } from "../support/browser-logins.ts";
import { PAGE_TEST_MS, startBrowser } from "../support/browsers.ts";
import { complaint, openAs, press, seeScreen, seeTitle, signInOn, signOutOn } from "../support/page-visits.ts";
import { shareServer } from "../support/people.ts";

setDefaultTimeout(PAGE_TEST_MS);
const browser = await startBrowser();
afterAll(() => browser[Symbol.asyncDispose]());
const openPlace = shareServer();

const PHONE = { viewport: { width: 390, height: 800 } };
const MACHINE = hostname();

const field = (page: Page) => page.getByLabel("Code", { exact: true });

/** Enters a code, and waits for the terminal that it belongs to. */
async function enter(page: Page, code: string): Promise<void> {
  await field(page).fill(code);
  await press(page, "Continue");
  await seeTitle(page, "Let this terminal in?");
}

test("a person enters the code, sees what asks, and lets the terminal in as themselves", async () => {
  await using place = await openPlace();
  const visit = await openAs(browser, place, "ann@example.com");
  const { page } = visit;
  const { person, command, code, address } = await beginLogin(place);
  expect(address).toBe(`${place.server.url}/login`);
  await page.goto(address);
  await seeScreen(visit, "Let a terminal in");
  await press(page, "Continue");
  await complaint(page, "Enter the code first.");
  await field(page).fill("BCDF-GHJ");
  await press(page, "Continue");
  await complaint(page, "A code has 8 letters");
  // As it comes out of a phone's keyboard.
  await enter(page, ` ${code.toLowerCase().replace("-", " – ")}`);
  await seeScreen(visit, "Let this terminal in?");
  const facts = page.locator("main dl");
  expect(await facts.innerText()).toContain(MACHINE);
  expect(await facts.innerText()).toContain("as it calls itself");
  expect(await facts.innerText()).toContain("127.0.0.1");
  expect(await facts.innerText()).toContain("Just now");
  await page.getByText("Go on only if you just ran").waitFor();
  await page.locator("main .person").filter({ hasText: "ann@example.com" }).waitFor();
  await press(page, "Let it in");
  await seeScreen(visit, "You let it in");
  expect(await command.exited).toBe(0);
  expect(JSON.parse(await person.must(["whoami", "--json"]))).toMatchObject({
    kind: "person",
    identity: { name: "ann@example.com" },
  });
  // The code opens nothing a second time, and the tab has forgotten it.
  await page.reload();
  expect(await field(page).inputValue()).toBe("");
});

test("a terminal that is refused isn't logged in", async () => {
  await using place = await openPlace();
  const visit = await openAs(browser, place, "ann@example.com");
  const { person, command, code, address } = await beginLogin(place);
  await visit.page.goto(address);
  await enter(visit.page, code);
  await press(visit.page, "Refuse");
  await seeScreen(visit, "Refused");
  expect(await command.exited).toBe(3);
  expect(command.screen()).toContain("The login was refused at the page.");
  expect(person.files()).toEqual([]);
});

test("a wrong code gets a complaint, and what was typed stays", async () => {
  await using place = await openPlace();
  const { page } = await openAs(browser, place, "ann@example.com");
  const { command, code, address } = await beginLogin(place);
  await page.goto(address);
  const wrong = code.replace(/^./, (first) => (first === "B" ? "C" : "B"));
  await field(page).fill(wrong);
  await press(page, "Continue");
  await complaint(page, "No terminal waits with this code");
  expect(await field(page).inputValue()).toBe(wrong);
  await page.route("**/app/logins/*", (route) => route.abort());
  await field(page).fill(code);
  await press(page, "Continue");
  await complaint(page, "Can't reach the server.");
  await page.unroute("**/app/logins/*");
  await page.route("**/app/logins/*", (route) =>
    route.fulfill({ status: 429, contentType: "application/problem+json", json: { code: "rate_limited" } }),
  );
  await press(page, "Continue");
  await complaint(page, "Too many calls.");
  await page.unroute("**/app/logins/*");
  await enter(page, code);
  command.kill("SIGINT");
  await command.exited;
});

test("the code of a link is filled in, leaves the address, and lets nothing in without a click", async () => {
  await using place = await openPlace();
  const { page } = await openAs(browser, place, "ann@example.com");
  const { command, code, address } = await beginLogin(place);
  const called: string[] = [];
  page.on("request", (request) => request.url().includes("/app/logins/") && called.push(request.method()));
  await page.goto(`${address}#${code}`);
  await field(page).waitFor();
  expect([await field(page).inputValue(), page.url(), called]).toEqual([code, address, []]);
  await press(page, "Continue");
  await seeTitle(page, "Let this terminal in?");
  expect(called).toEqual(["GET"]);
  // While the screen waits, the terminal is let in elsewhere.
  const other = await openAs(browser, place, "bob@example.com");
  await other.page.goto(`${address}#${code}`);
  await press(other.page, "Continue");
  await press(other.page, "Let it in");
  expect(await command.exited).toBe(0);
  await press(page, "Let it in");
  await seeTitle(page, "This terminal no longer waits");
  await press(page, "Enter another code");
  expect(await field(page).inputValue()).toBe("");
});

test("a stranger signs in in another tab, and the code is still there", async () => {
  await using place = await openPlace();
  const visit = await browser.open(PHONE);
  const { page, context } = visit;
  const { person, command, code, address } = await beginLogin(place);
  await page.goto(`${address}#${code}`);
  await seeScreen(visit, "Sign in first");
  await page.getByText(`This tab keeps the code ${code}.`).waitFor();
  expect(page.url()).toBe(address);
  const [tab] = await Promise.all([context.waitForEvent("page"), page.getByRole("link", { name: "Sign in" }).click()]);
  await signInOn(tab, place, "ann@example.com");
  await seeTitle(page, "Let a terminal in");
  expect(await field(page).inputValue()).toBe(code);
  await press(page, "Continue");
  await press(page, "Let it in");
  expect(await command.exited).toBe(0);
  expect(await person.must(["whoami"])).toContain("ann@example.com");
});

test("a person who signed out meanwhile, or is another one by now, lets nothing in until they have signed in", async () => {
  await using place = await openPlace();
  const visit = await openAs(browser, place, "ann@example.com");
  const { page, context } = visit;
  const { person, command, code, address } = await beginLogin(place);
  await page.goto(address);
  await enter(page, code);
  // In another tab of this browser.
  const tab = await context.newPage();
  await tab.goto(place.server.url);
  await signOutOn(tab);
  await seeTitle(page, "Sign in first");
  await page.getByText(`This tab keeps the code ${code}.`).waitFor();
  await signInOn(tab, place, "bob@example.com");
  await press(page, "Continue");
  await page.locator("main .person").filter({ hasText: "bob@example.com" }).waitFor();
  // Without a word to this tab.
  const carl = await openAs(browser, place, "carl@example.com");
  await context.clearCookies();
  await context.addCookies(await carl.context.cookies());
  await press(page, "Let it in");
  await page.getByText("carl@example.com is now signed in. Reload to continue.").waitFor();
  await page.reload();
  await press(page, "Continue");
  await context.clearCookies();
  await press(page, "Let it in");
  await seeTitle(page, "You're signed out");
  await signInOn(tab, place, "dan@example.com");
  await press(page, "Continue");
  await page.locator("main .person").filter({ hasText: "dan@example.com" }).waitFor();
  await press(page, "Let it in");
  expect(await command.exited).toBe(0);
  expect(await person.must(["whoami"])).toContain("dan@example.com");
});
