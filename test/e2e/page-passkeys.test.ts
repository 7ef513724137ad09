import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { findViolationsInThemes } from "../support/accessibility.ts";
import { PAGE_TEST_MS, startBrowser } from "../support/browsers.ts";
import {
  answer,
  complaint,
  press,
  row,
  seeScreen,
  seeTitle,
  signInOn,
  signOutOn,
  untilTrue,
} from "../support/page-visits.ts";
import { openNamedPlace } from "../support/people.ts";
import type { Place } from "../support/people.ts";
import { addAuthenticator } from "../support/virtual-authenticators.ts";

setDefaultTimeout(PAGE_TEST_MS);
const browser = await startBrowser();
afterAll(() => browser[Symbol.asyncDispose]());

/** Browsers without a window have a name that the server doesn't know. */
const CHROME = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36";
const IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Version/19.0 Safari/604.1";

const offer = (page: Page) => page.getByText("So that you need no link next time, add a passkey.");
const passkeys = (page: Page) => page.getByRole("region", { name: "Passkeys" });
const sessions = (page: Page) => page.getByRole("region", { name: "Where you're signed in" });
const openAccount = async (page: Page, place: Place) => {
  await page.goto(`${place.server.url}/account`);
  await seeTitle(page, "Your account");
};
/** Signs out, and waits for that. */
const leave = async (page: Page) => {
  await signOutOn(page);
  await page.getByText("You're signed out", { exact: true }).waitFor();
};
/** Presses a button that asks for a dialog of the browser, which is canceled. Waits until it can be pressed again. */
const cancel = async (page: Page, name: string, begins: RegExp) => {
  const begun = page.waitForResponse(begins);
  await press(page, name);
  await begun;
  await settle(page);
  await page.getByRole("button", { name, disabled: false }).waitFor();
  expect(await page.getByRole("alert").allInnerTexts()).not.toContainEqual(expect.stringMatching(/\S/));
};
/** Resolves once the page has shown what it had to show. */
const settle = (page: Page) => page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))");
/** Resolves once the sentence about who has signed in is seen. */
const seeFreshSession = (page: Page) => page.getByText("You're signed in as ann@example.com, team.").waitFor();

test("a passkey is added after signing in, and signs in by itself; the account says when", async () => {
  await using place = await openNamedPlace();
  const visit = await browser.open({ userAgent: CHROME });
  const { page, complaints } = visit;
  await signInOn(page, place, "ann@example.com");
  await offer(page).waitFor();
  expect(await findViolationsInThemes(page)).toEqual([]);
  const device = await addAuthenticator(page);
  await press(page, "Add a passkey");
  await page.getByText("The passkey was added.").waitFor();
  expect(await device.count()).toBe(1);

  await page.locator("summary").filter({ hasText: "Account of" }).click();
  await page.getByRole("link", { name: "Your account" }).click();
  await seeTitle(page, "Your account");
  const [passkey] = await passkeys(page).getByRole("listitem").all();
  expect(await passkey?.innerText()).toMatch(/Chrome on Linux\s+Added today, \d+:\d+\s+Not used yet/);

  await leave(page);
  await press(page, "Sign in with a passkey");
  await seeFreshSession(page);
  await seeTitle(page, "Your account");
  expect(await offer(page).count()).toBe(0);
  await passkeys(page)
    .getByText(/^Last used today, /)
    .waitFor();
  await seeScreen(visit, "Your account");
  expect(complaints).toEqual([]);
});

test("a removed passkey no longer signs in, and the page says what to do", async () => {
  await using place = await openNamedPlace();
  const visit = await browser.open({ userAgent: CHROME });
  const { page } = visit;
  await addAuthenticator(page);
  await signInOn(page, place, "ann@example.com");
  await openAccount(page, place);
  await passkeys(page).getByText("You have no passkey yet.").waitFor();
  await press(page, "Add a passkey");
  await passkeys(page).getByText("The passkey was added.").waitFor();
  // The device has one already.
  await press(page, "Add a passkey");
  await complaint(page, "You already have a passkey there.");
  await press(page, "Remove: Chrome on Linux");
  await answer(page, "Cancel");
  expect(await passkeys(page).getByRole("listitem").count()).toBe(1);
  // By keyboard alone. The pressed button is gone afterwards, and the focus is at the heading.
  await page.getByRole("button", { name: "Remove: Chrome on Linux" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").getByText("You can't sign in with it after that.").waitFor();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await passkeys(page).getByText("The passkey was removed.").waitFor();
  await passkeys(page).getByText("You have no passkey yet.").waitFor();
  await untilTrue(page, "document.activeElement?.textContent === 'Passkeys'");

  await signOutOn(page);
  await press(page, "Sign in with a passkey");
  await complaint(page, "This passkey doesn't work here.");
  await seeScreen(visit, "Send secrets safely");
});

test("a passkey is offered once in a browser, and not to somebody who has one", async () => {
  await using place = await openNamedPlace();
  const { page } = await browser.open({ userAgent: CHROME });
  await addAuthenticator(page);
  await signInOn(page, place, "ann@example.com");
  await offer(page).waitFor();
  await press(page, "Not now");
  await offer(page).waitFor({ state: "detached" });
  await seeFreshSession(page);
  await leave(page);
  const loaded = page.waitForResponse(/\/account-screen-\w+\.js$/);
  await signInOn(page, place, "ann@example.com");
  await seeFreshSession(page);
  await loaded;
  await settle(page);
  expect(await offer(page).count()).toBe(0);
  // Another person is asked, in the same browser.
  await leave(page);
  await signInOn(page, place, "bob@example.com");
  await offer(page).waitFor();

  await openAccount(page, place);
  await press(page, "Add a passkey");
  await passkeys(page).getByText("The passkey was added.").waitFor();
  // In another browser, where nobody was asked yet.
  const other = await browser.open({ userAgent: CHROME });
  await addAuthenticator(other.page);
  const listed = other.page.waitForResponse(/\/app\/passkeys$/);
  await signInOn(other.page, place, "bob@example.com");
  await listed;
  await settle(other.page);
  expect(await offer(other.page).count()).toBe(0);
});

test("who cancels the dialog of the browser comes back to a calm screen", async () => {
  await using place = await openNamedPlace();
  const visit = await browser.open({ userAgent: CHROME });
  const { page } = visit;
  const device = await addAuthenticator(page);
  await signInOn(page, place, "ann@example.com");
  await device.recognize(false);
  await cancel(page, "Add a passkey", /\/app\/passkeys\/options$/);
  await offer(page).waitFor();
  await openAccount(page, place);
  await cancel(page, "Add a passkey", /\/app\/passkeys\/options$/);
  await passkeys(page).getByText("You have no passkey yet.").waitFor();
  await device.recognize(true);
  await press(page, "Add a passkey");
  await passkeys(page).getByText("The passkey was added.").waitFor();
  await signOutOn(page);
  await device.recognize(false);
  await cancel(page, "Sign in with a passkey", /\/app\/session\/passkey$/);
  await device.recognize(true);
  await press(page, "Sign in with a passkey");
  await seeFreshSession(page);
});

test("after too many attempts the page says when to try again", async () => {
  await using place = await openNamedPlace(["--failed-authentications", "1"]);
  const { page } = await browser.open({ userAgent: CHROME });
  await addAuthenticator(page);
  await page.goto(place.server.url);
  // The device has no passkey, which a browser reports like a canceled dialog.
  await cancel(page, "Sign in with a passkey", /\/app\/session\/passkey$/);
  await press(page, "Sign in with a passkey");
  await complaint(page, "Too many calls. Try again in a minute.");
});

test("a sign-in link that no longer works leaves the passkey to sign in with", async () => {
  await using place = await openNamedPlace();
  const visit = await browser.open({ userAgent: CHROME });
  const { page } = visit;
  await page.goto(`${place.server.url}/sign-in`);
  await seeScreen(visit, "Sign in");
  await addAuthenticator(page);
  await signInOn(page, place, "ann@example.com");
  await press(page, "Add a passkey");
  await page.getByText("The passkey was added.").waitFor();
  await leave(page);
  await page.goto(`${place.server.url}/sign-in`);
  await press(page, "Sign in with a passkey");
  await seeFreshSession(page);
});

test("somebody sees where they are signed in, and signs out one browser or all others", async () => {
  await using place = await openNamedPlace();
  const visit = await browser.open({ userAgent: CHROME });
  const { page } = visit;
  await signInOn(page, place, "ann@example.com");
  await openAccount(page, place);
  expect(await sessions(page).getByRole("listitem").count()).toBe(1);
  expect(await sessions(page).getByText("Sign out everywhere else").count()).toBe(0);

  const phone = await browser.open({ userAgent: IPHONE });
  const odd = await browser.open({ userAgent: "Lynx" });
  await signInOn(phone.page, place, "ann@example.com");
  await phone.page.goto(`${place.server.url}/activity`);
  await seeTitle(phone.page, "Nothing here yet");
  await signInOn(odd.page, place, "ann@example.com");

  await page.reload();
  await row(page, "Unknown browser").waitFor();
  await row(page, "Chrome on Linux").getByText("This browser").waitFor();
  await row(page, "Safari on iPhone")
    .getByText(/^Last used today, /)
    .waitFor();
  await seeScreen(visit, "Your account");
  await press(page, "Sign out: Safari on iPhone");
  await sessions(page).getByText("Signed out there.").waitFor();
  await row(page, "Safari on iPhone").waitFor({ state: "detached" });
  // Its page says so without being asked.
  await phone.page.getByText("You're signed out. This list is no longer updated.").waitFor();

  await press(page, "Sign out everywhere else");
  await sessions(page).getByText("Signed out everywhere else.").waitFor();
  expect(await sessions(page).getByRole("listitem").count()).toBe(1);
  await odd.page.reload();
  await seeTitle(odd.page, "Send secrets safely");
  await press(page, "Sign out: Chrome on Linux");
  await page.getByText("You're signed out", { exact: true }).waitFor();
});

test("a session that ended elsewhere, and a server that is away, are told in the account", async () => {
  await using place = await openNamedPlace();
  const visit = await browser.open({ userAgent: CHROME });
  const { page } = visit;
  await addAuthenticator(page);
  await signInOn(page, place, "ann@example.com");
  await page.route("**/app/sessions", (route) => route.abort());
  await page.goto(`${place.server.url}/account`);
  await seeTitle(page, "Can't reach the server");
  await page.unroute("**/app/sessions");
  await press(page, "Try again");
  await seeTitle(page, "Your account");
  const admin = place.person("admin");
  await admin.must(["admin", "person", "sign-out", "ann@example.com", "--data-dir", join(place.folder, "data")]);
  await press(page, "Add a passkey");
  await complaint(page, "You're signed out. Sign in again in another tab, then try again here.");
});
