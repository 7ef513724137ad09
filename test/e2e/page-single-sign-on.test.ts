import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { findViolationsInThemes } from "../support/accessibility.ts";
import { PAGE_TEST_MS, startBrowser } from "../support/browsers.ts";
import type { TestAccount, TestProvider } from "../support/oidc-providers.ts";
import { complaint, press, seeScreen, seeTitle, signInOn, signOutOn } from "../support/page-visits.ts";
import { openPlace } from "../support/people.ts";
import { freePort } from "../support/ports.ts";
import { openProvided } from "../support/provided-places.ts";

setDefaultTimeout(PAGE_TEST_MS);
const browser = await startBrowser();
afterAll(() => browser[Symbol.asyncDispose]());

const BUTTON = "Sign in with your company account";
const ANN: TestAccount = { sub: "ann", email: "ann@acme.example", email_verified: true, name: "Ann Lee" };
const EVE: TestAccount = { sub: "eve", email: "eve@other.example", email_verified: true };

/** Signs `sub` in on the provider's page. */
async function enter(page: Page, sub: string): Promise<void> {
  await page.locator("input[name=login]").fill(sub);
  await page.locator("input[name=password]").fill("any");
  await page.locator("button[type=submit]").click();
}

/** How often the provider was asked to sign somebody in. */
const asked = ({ calls }: TestProvider) => calls.filter((each) => each.startsWith("/auth?")).length;

test("a person signs in with the account of their company, and silently from then on, until they sign out", async () => {
  await using provided = await openProvided([ANN, EVE]);
  const { place, provider } = provided;
  const visit = await browser.open();
  const { page, context } = visit;
  await page.goto(place.server.url);
  await page.getByRole("button", { name: BUTTON }).waitFor();
  expect(await findViolationsInThemes(page)).toEqual([]);
  await press(page, BUTTON);
  await enter(page, "ann");
  await seeTitle(page, "Send a secret");
  await page.getByText("You're signed in as Ann Lee, team.").waitFor();
  expect(page.url()).not.toContain("code=");

  const show = ["admin", "person", "show", "ann@acme.example", "--data-dir", join(place.folder, "data")];
  const shown = await place.person("admin").must([...show, "--json"]);
  expect(JSON.parse(shown)).toMatchObject({ account: { issuer: provider.issuer, subject: "ann" } });
  expect(await place.person("admin").must(show)).toContain(`ann at ${provider.issuer}, since `);

  // The server forgets the session; the provider has its own.
  await context.clearCookies({ name: "__Host-handoff" });
  // In an office, many may do so in one minute.
  await page.route("**/app/session/oidc", (route) => route.fulfill({ status: 429 }), { times: 1 });
  await page.goto(`${place.server.url}/ask`);
  await page.getByRole("button", { name: BUTTON }).waitFor();
  await page.goto(`${place.server.url}/ask`);
  await seeTitle(page, "Ask for a secret");
  expect(page.url()).toBe(`${place.server.url}/ask`);
  expect(asked(provider)).toBe(2);

  await signOutOn(page);
  await page.getByText("You're signed out", { exact: true }).waitFor();
  await page.goto(place.server.url);
  await page.getByRole("button", { name: BUTTON }).waitFor();
  expect(asked(provider)).toBe(2);
});

test("a browser that the provider knows no more sees the start page, and asks once", async () => {
  await using provided = await openProvided([ANN, EVE]);
  const { place, provider } = provided;
  const { page, context } = await browser.open();
  await page.goto(place.server.url);
  await press(page, BUTTON);
  await enter(page, "ann");
  await seeTitle(page, "Send a secret");
  await context.clearCookies();
  for (let n = 0; n < 3; n++) {
    await page.goto(place.server.url);
    await page.getByRole("button", { name: BUTTON }).waitFor();
  }
  expect(asked(provider)).toBe(2);
  // A person who came in by a link is not sent to the provider either.
  await signInOn(page, place, "bob@acme.example");
  await context.clearCookies({ name: "__Host-handoff" });
  await page.goto(place.server.url);
  await page.getByRole("button", { name: BUTTON }).waitFor();
  expect(asked(provider)).toBe(2);
});

test("a person who isn't let in, who cancels, or who comes too late is told so", async () => {
  await using provided = await openProvided([ANN, EVE]);
  const { place } = provided;
  const visit = await browser.open();
  const { page } = visit;
  await page.goto(place.server.url);
  await press(page, BUTTON);
  await enter(page, "eve");
  await page.getByText("This account can't sign in here. Ask your admin.").waitFor();
  expect(new URL(page.url()).search).toBe("");
  visit.complaints.length = 0;
  await seeScreen(visit, "You aren't signed in");
  // The provider has her signed in, and is asked for another account. This one refuses to be, and is asked as before.
  const choosing = page.waitForRequest(/\/auth\?.*prompt=select_account/);
  await press(page, BUTTON);
  await choosing;
  await page.getByText("The sign-in was canceled, or your provider refused it.").waitFor();
  const plain = page.waitForRequest((request) => /\/auth\?(?!.*prompt=)/.test(request.url()));
  await press(page, BUTTON);
  await plain;
  await page.getByText("This account can't sign in here. Ask your admin.").waitFor();
  await page.goto(`${place.server.url}/sign-in?error=access_denied&state=x`);
  await page.getByText("The sign-in was canceled, or your provider refused it.").waitFor();
  await page.goto(`${place.server.url}/sign-in?code=x&state=x`);
  await page.getByText("That took too long, or was used already. Sign in again.").waitFor();
});

test("while the provider is away, the server starts, and the start page says so on the press of the button", async () => {
  const gone = `http://127.0.0.1:${freePort()}`;
  const oidc = ["--oidc-issuer", gone, "--oidc-client-id", "handoff", "--oidc-allow", "email_domain=acme.example"];
  await using place = await openPlace(oidc);
  const { page } = await browser.open();
  await page.goto(place.server.url);
  await press(page, BUTTON);
  await complaint(page, "The provider of your company account isn't available. Try again in a minute.");
  await press(page, BUTTON);
});
