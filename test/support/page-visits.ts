import type { Locator, Page, Request } from "playwright-core";
import { SESSION_OPERATIONS, SESSION_PATH } from "../../src/contract/operations.ts";
import { findViolationsInThemes } from "./accessibility.ts";
import type { TestBrowser, TestPage } from "./browsers.ts";
import type { Place } from "./people.ts";

/** Resolves once the page's title is this. */
export const seeTitle = (page: Page, title: string | RegExp) =>
  page.getByRole("heading", { level: 1 }).filter({ hasText: title }).waitFor();
/** Presses the button of this name, as soon as it can be. */
export const press = (page: Page, name: string | RegExp) => page.getByRole("button", { name }).click();
/** Resolves once `expression` is true in the page. */
export const untilTrue = (page: Page, expression: string) =>
  // A text would be evaluated again and again, which the page's policy forbids.
  // oxlint-disable-next-line typescript/no-implied-eval -- it runs in the page, whose globals have no types here
  page.waitForFunction(new Function(`return ${expression}`) as () => unknown);
/** Resolves once the page complains of this. */
export const complaint = (page: Page, text: string | RegExp) =>
  page.getByRole("alert").filter({ hasText: text }).waitFor();
/** The entries of a list that have this text. */
export const row = (page: Page, text: string | RegExp) => page.getByRole("listitem").filter({ hasText: text });

/** The row of a secret or request in the list of what was sent and asked for, by its ID or the end of it. */
export const itemRow = (page: Page, idEnd: string) => page.locator(`main a.row[id$="${idEnd}"]`);
/** Opens the details of a row, and returns them. */
export async function openDetails(page: Page, idEnd: string): Promise<Locator> {
  await itemRow(page, idEnd).click();
  const details = page.locator("section.details").filter({ hasText: idEnd });
  await details.waitFor();
  return details;
}

/** Waits for a screen with this title, and has axe look at it in both themes. */
export async function seeScreen({ page, complaints }: TestPage, title: string | RegExp): Promise<void> {
  await seeTitle(page, title);
  if (complaints.length > 0) throw new Error(`${String(title)}: ${complaints.join("\n")}`);
  const violations = await findViolationsInThemes(page);
  if (violations.length > 0) throw new Error(`${String(title)}: ${JSON.stringify(violations)}`);
}

/** Answers the question that the page asks in a dialog of its own. */
export const answer = (page: Page, name: string | RegExp) =>
  page.getByRole("dialog").getByRole("button", { name }).click();

/** Adds `name` to `team`, and returns a link with which they sign in. */
const invite = (place: Place, name: string, team = place.team) =>
  place.admin("person", "add", name, "--team", team, "--base-url", place.server.url);

/** Lets `name` of `team` sign in in `page`. */
export async function signInOn(page: Page, place: Place, name: string, team?: string): Promise<void> {
  await page.goto(await invite(place, name, team));
  await press(page, "Sign in");
  await seeTitle(page, "Send a secret");
}

/**
 * A browser in which `name` has signed in, and no page is loaded yet; every question of the page is answered with yes.
 * It signs in without the page, whose loading would take most of the time of many tests.
 */
export async function openSignedIn(browser: TestBrowser, place: Place, name: string): Promise<TestPage> {
  const link = await invite(place, name);
  const visit = await browser.open();
  visit.page.on("dialog", (dialog) => void dialog.accept());
  const signedIn = await fetch(place.server.url + SESSION_PATH, {
    method: SESSION_OPERATIONS.signIn.method,
    headers: { "content-type": "application/json", "sec-fetch-site": "same-origin" },
    body: JSON.stringify({ sign_in_token: new URL(link).hash.slice(1) }),
  });
  if (!signedIn.ok) throw new Error(await signedIn.text());
  const [cookie = "", value = ""] = /^[^;]+/.exec(signedIn.headers.get("set-cookie") ?? "")?.[0].split("=") ?? [];
  await visit.context.addCookies([
    { name: cookie, value, domain: "127.0.0.1", path: "/", secure: true, httpOnly: true, sameSite: "Strict" },
  ]);
  return visit;
}

/** The same, with the page for sending loaded. */
export async function openAs(browser: TestBrowser, place: Place, name: string): Promise<TestPage> {
  const visit = await openSignedIn(browser, place, name);
  await visit.page.goto(place.server.url);
  await seeTitle(visit.page, "Send a secret");
  return visit;
}

/** Makes a request on the page, and returns its link. */
export async function ask(page: Page, place: Place, note: string, count = 1): Promise<{ link: string; id: string }> {
  await page.goto(`${place.server.url}/ask`);
  await page.getByLabel("What do you need?").fill(note);
  if (count !== 1) {
    await page.getByText("Accepts 1 secret · 7 days").click();
    const field = page.getByRole("group", { name: "Secrets to hand in" });
    await field.getByText("Other…").click();
    await field.getByRole("spinbutton").fill(String(count));
  }
  await press(page, "Create request link");
  await seeTitle(page, "Your request link is ready");
  const link = (await page.getByLabel("The request link").textContent()) ?? "";
  return { link, id: /req_\w+/.exec(link)?.[0] ?? "" };
}

/** The backup link of the request that was just made on the page. */
export async function readBackupLink(page: Page): Promise<string> {
  await page.getByText("Save a backup key").click();
  await press(page, "Show as text");
  await press(page, "Show backup link");
  return (await page.getByLabel("The backup link", { exact: true }).textContent()) ?? "";
}

/** Revokes something, by its id, in the list of what was sent and asked for. */
export async function revokeOn(page: Page, place: Place, id: string): Promise<void> {
  await page.goto(`${place.server.url}/activity`);
  await (await openDetails(page, id)).getByRole("button", { name: "Revoke" }).click();
  await answer(page, "Revoke");
}

/** Signs out by the menu of the account. */
export async function signOutOn(page: Page): Promise<void> {
  await page.locator("summary").filter({ hasText: "Account of" }).click();
  await page.getByRole("banner").getByRole("button", { name: "Sign out" }).click();
}

/** Has the server get what goes to `path`, and the page no answer. */
export async function loseAnswers(page: Page, path: string): Promise<void> {
  await page.route(path, async (route) => {
    await route.fetch();
    await route.fulfill({ status: 500, json: { code: "internal" } });
  });
}

/** The text of the secret on the screen, which is shown first where it is hidden. */
export async function readText(page: Page): Promise<string> {
  const text = page.getByRole("group", { name: "The text", exact: true });
  const show = page.getByRole("button", { name: "Show", exact: true });
  await text.or(show).first().waitFor();
  if (await show.isVisible()) await show.click();
  return (await text.textContent()) ?? "";
}

/** The field for the secret that somebody sends. */
export const secretField = (page: Page) => page.getByLabel("Secret", { exact: true });
/** The strip that says what becomes of what was sent. */
export const sentStrip = (page: Page) => page.getByRole("region", { name: "What happens to it" });
/** The link that the page shows. */
export const linkOn = async (page: Page) => (await page.getByLabel("The link", { exact: true }).textContent()) ?? "";

/** Sends `text` from the page of somebody who is signed in, and returns the link. */
export async function sendText(page: Page, text: string): Promise<string> {
  await secretField(page).fill(text);
  await press(page, "Create link");
  await seeTitle(page, "Your link is ready");
  return linkOn(page);
}

/**
 * Installs a clock in `page`, and returns a function that moves it on until `sight` is there. The clock is not moved
 * during a call: the page would run out of patience with a server that had no time to answer.
 */
export async function installClock(page: Page): Promise<(sight: Locator) => Promise<void>> {
  const calls = new Set<Request>();
  const end = (call: Request) => void calls.delete(call);
  page.on("request", (call) => void calls.add(call));
  page.on("requestfinished", end);
  page.on("requestfailed", end);
  await page.clock.install();
  return async (sight) => {
    while ((await sight.count()) === 0) await (calls.size === 0 ? page.clock.runFor(2500) : Bun.sleep(10));
  };
}
