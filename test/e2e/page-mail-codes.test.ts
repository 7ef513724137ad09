import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import type { Page } from "playwright-core";
import { findViolationsInThemes } from "../support/accessibility.ts";
import { PAGE_TEST_MS, startBrowser } from "../support/browsers.ts";
import { codesIn, openMailServer } from "../support/mail-servers.ts";
import type { MailServer } from "../support/mail-servers.ts";
import { complaint, press, seeScreen, seeTitle, signInOn, signOutOn, untilTrue } from "../support/page-visits.ts";
import { openNamedPlace } from "../support/people.ts";
import type { Place } from "../support/people.ts";
import { addAuthenticator } from "../support/virtual-authenticators.ts";

setDefaultTimeout(PAGE_TEST_MS);
const browser = await startBrowser();
afterAll(() => browser[Symbol.asyncDispose]());

const ANN = "ann@example.com";
const address = (page: Page) => page.getByLabel("Your mail address");
const code = (page: Page) => page.getByLabel("Code from the mail");
const submit = (page: Page) => page.getByRole("button", { name: "Sign in", exact: true }).click();
const seePerson = (page: Page) => page.getByText(`You're signed in as ${ANN}, team.`).waitFor();

const openPost = (mailServer: MailServer) =>
  openNamedPlace(["--smtp-url", `smtp://127.0.0.1:${mailServer.port}`, "--mail-from", "handoff@mail.test"]);

/** Adds Ann, and opens the start page as a stranger. */
async function visitAs(place: Place) {
  const visit = await browser.open();
  await signInOn(visit.page, place, ANN);
  await leave(visit.page, place);
  return visit;
}

/** Signs out, and opens the start page. */
async function leave(page: Page, place: Place): Promise<void> {
  await signOutOn(page);
  await page.getByText("You're signed out", { exact: true }).waitFor();
  await page.goto(place.server.url);
}

async function ask(page: Page, text = ANN) {
  await address(page).fill(text);
  await press(page, "Send me a code");
}

test("a person asks for a code, types it as it came, and is offered a passkey", async () => {
  await using mailServer = await openMailServer();
  await using place = await openPost(mailServer);
  const visit = await visitAs(place);
  const { page, complaints } = visit;
  await address(page).waitFor();
  expect(await findViolationsInThemes(page)).toEqual([]);
  await press(page, "Send me a code");
  await complaint(page, "Enter your address first.");
  await ask(page, "ann");
  await complaint(page, "An address looks like ann@example.com.");
  await ask(page);
  await page.getByText(`If ${ANN} is known here, a code is on its way.`).waitFor();
  const [mail] = await mailServer.untilMails(1);
  const [typed = ""] = mail ? codesIn(mail) : [];
  expect(mail?.mail.text).toContain(`sign in to ${new URL(place.server.url).host}`);
  expect(await findViolationsInThemes(page)).toEqual([]);
  await untilTrue(page, "document.activeElement?.autocomplete === 'one-time-code'");
  await submit(page);
  await complaint(page, "Enter the code first.");
  await code(page).fill("1234");
  await submit(page);
  await complaint(page, "A code has 8 digits.");
  await code(page).fill(typed === "00000000" ? "00000001" : "00000000");
  await submit(page);
  await complaint(page, "This code doesn't work.");
  // The tab of a phone is loaded again when its person comes back from the mail.
  await page.reload();
  await code(page).fill(` ${typed.slice(0, 4)}-${typed.slice(4)} `);
  await page.keyboard.press("Enter");
  await seePerson(page);
  await page.getByText("So that you need no link next time, add a passkey.").waitFor();
  await seeTitle(page, "Send a secret");
  await seeScreen(visit, "Send a secret");
  expect(complaints.filter((each) => !each.includes("401"))).toEqual([]);
});

test("a stranger is told the same as a person, and an attempt that is over can be begun again", async () => {
  await using mailServer = await openMailServer();
  await using place = await openPost(mailServer);
  const { page } = await visitAs(place);
  await ask(page, "eve@example.com");
  await page.getByText("If eve@example.com is known here, a code is on its way.").waitFor();
  for (let n = 0; n < 5; n++) {
    await code(page).fill("00000000");
    await submit(page);
    await complaint(page, "This code doesn't work.");
  }
  await submit(page);
  await complaint(page, "It expired, was used, or 5 wrong codes were entered.");
  await press(page, "Send another code");
  await page.getByText("If eve@example.com is known here, another code is on its way.").waitFor();
  await press(page, "Use another address");
  await ask(page);
  const [mail] = await mailServer.untilMails(1);
  expect(mail?.to).toEqual([ANN]);
  await code(page).fill(mail ? (codesIn(mail)[0] ?? "") : "");
  await submit(page);
  await seePerson(page);
});

test("the browser offers passkeys in the field for the address", async () => {
  await using mailServer = await openMailServer();
  await using place = await openPost(mailServer);
  const visit = await browser.open();
  const { page } = visit;
  const device = await addAuthenticator(page);
  await signInOn(page, place, ANN);
  await press(page, "Add a passkey");
  await page.getByText("The passkey was added.").waitFor();
  expect(await device.count()).toBe(1);
  await leave(page, place);
  await address(page).focus();
  await seePerson(page);
});

test("somebody who came to a tab by its address gets there once they have signed in", async () => {
  await using mailServer = await openMailServer();
  await using place = await openPost(mailServer);
  const { page } = await visitAs(place);
  await page.goto(`${place.server.url}/activity`);
  await ask(page);
  const [mail] = await mailServer.untilMails(1);
  await code(page).fill((mail ? codesIn(mail) : [])[0] ?? "");
  await submit(page);
  await seeTitle(page, "Nothing here yet");
  await seePerson(page);
});

test("a sign-in link that no longer works leaves a code by mail to sign in with", async () => {
  await using mailServer = await openMailServer();
  await using place = await openPost(mailServer);
  const { page } = await visitAs(place);
  await page.goto(`${place.server.url}/sign-in#hut_cut`);
  await ask(page);
  const [mail] = await mailServer.untilMails(1);
  await code(page).fill((mail ? codesIn(mail) : [])[0] ?? "");
  await submit(page);
  await seePerson(page);
  await seeTitle(page, "Send a secret");
});
