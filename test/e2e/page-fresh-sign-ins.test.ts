import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { beginLogin } from "../support/browser-logins.ts";
import { PAGE_TEST_MS, startBrowser } from "../support/browsers.ts";
import { codesIn, openMailServer } from "../support/mail-servers.ts";
import { answer, press, seeScreen, seeTitle, signInOn } from "../support/page-visits.ts";
import { openNamedPlace } from "../support/people.ts";
import type { Place } from "../support/people.ts";
import { openProvided } from "../support/provided-places.ts";
import { inDatabase } from "../support/sqlite-files.ts";
import { addAuthenticator } from "../support/virtual-authenticators.ts";

setDefaultTimeout(PAGE_TEST_MS);
const browser = await startBrowser();
afterAll(() => browser[Symbol.asyncDispose]());

const CHROME = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36";
const ANN = "ann@example.com";

/** Has every session begin a quarter of an hour earlier. */
function age({ folder }: Place): void {
  inDatabase(join(folder, "data"), (database) => database.run("UPDATE sessions SET created_at = created_at - 900000"));
}

const passkeys = (page: Page) => page.getByRole("region", { name: "Passkeys" });

test("somebody with a passkey signs in with it again before they remove one or add another", async () => {
  await using place = await openNamedPlace();
  const visit = await browser.open({ userAgent: CHROME });
  const { page } = visit;
  await signInOn(page, place, ANN);
  await page.goto(`${place.server.url}/account`);
  await passkeys(page).waitFor();
  await seeScreen(visit, "Your account");
  await addAuthenticator(page);
  age(place);
  // With links alone nobody is asked.
  await press(page, "Add a passkey");
  await passkeys(page).getByText("The passkey was added.").waitFor();
  await press(page, "Add a passkey");
  await seeTitle(page, "Sign in again to add a passkey");
  await page.getByRole("link", { name: "Go back" }).click();
  await seeTitle(page, "Your account");
  await press(page, "Remove: Chrome on Linux");
  await answer(page, "Remove");
  await seeTitle(page, "Sign in again to remove a passkey");
  await page.locator("main .person").filter({ hasText: ANN }).waitFor();
  await press(page, "Sign in with a passkey");
  await seeTitle(page, "Your account");
  expect(page.url()).toBe(`${place.server.url}/account`);
  await press(page, "Remove: Chrome on Linux");
  await answer(page, "Remove");
  await passkeys(page).getByText("The passkey was removed.").waitFor();
  age(place);
  await page.goto(`${place.server.url}/ask`);
  await page.goto(`${place.server.url}/account#again-add`);
  visit.complaints.length = 0;
  await seeScreen(visit, "Sign in again to add a passkey");
});

test("somebody with codes by mail types one before they let a terminal in, and comes back to it", async () => {
  await using mailServer = await openMailServer();
  const smtp = ["--smtp-url", `smtp://127.0.0.1:${mailServer.port}`, "--mail-from", "handoff@mail.test"];
  await using place = await openNamedPlace(smtp);
  const visit = await browser.open();
  const { page } = visit;
  await signInOn(page, place, ANN);
  age(place);
  const { command, code, address } = await beginLogin(place);
  await page.goto(`${address}#${code}`);
  await press(page, "Continue");
  await press(page, "Let it in");
  await seeScreen(visit, "Sign in again to let a terminal in");
  expect(await page.getByLabel("Your mail address").inputValue()).toBe(ANN);
  await press(page, "Send me a code");
  const [mail] = await mailServer.untilMails(1);
  await page.getByLabel("Code from the mail").fill((mail ? codesIn(mail) : [])[0] ?? "");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await seeTitle(page, "Let a terminal in");
  expect(await page.getByLabel("Code", { exact: true }).inputValue()).toBe(code);
  await press(page, "Continue");
  await press(page, "Let it in");
  await seeTitle(page, "You let it in");
  expect(await command.exited).toBe(0);
});

test("somebody with a company account goes to its provider again, and comes back also when they cancel there", async () => {
  const ann = { sub: "ann", email: "ann@acme.example", email_verified: true };
  await using provided = await openProvided([ann]);
  const { place, provider } = provided;
  const { url } = place.server;
  const { page } = await browser.open({ userAgent: CHROME });
  await addAuthenticator(page);
  const BUTTON = "Sign in with your company account";
  await page.goto(url);
  await press(page, BUTTON);
  await page.locator("input[name=login]").fill("ann");
  await page.locator("input[name=password]").fill("any");
  await page.locator("button[type=submit]").click();
  await seeTitle(page, "Send a secret");
  age(place);
  await page.goto(`${url}/account`);
  await press(page, "Add a passkey");
  await seeTitle(page, "Sign in again to add a passkey");
  const canceled = `${url}/sign-in?error=access_denied&state=x`;
  await page.route(`${provider.issuer}/**`, (route) =>
    route.fulfill({ contentType: "text/html", body: `<script>location.replace("${canceled}")</script>` }),
  );
  const returned = page.waitForRequest(canceled);
  await press(page, BUTTON);
  await returned;
  await page.waitForURL(`${url}/account#again-add`);
  await seeTitle(page, "Sign in again to add a passkey");
  await page.unroute(`${provider.issuer}/**`);
  await press(page, BUTTON);
  await page.waitForURL(`${url}/account`);
  await seeTitle(page, "Your account");
  await press(page, "Add a passkey");
  await passkeys(page).getByText("The passkey was added.").waitFor();
});
