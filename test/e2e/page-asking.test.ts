import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { findViolations } from "../support/accessibility.ts";
import { PAGE_TEST_MS, startBrowser } from "../support/browsers.ts";
import {
  answer,
  ask,
  itemRow,
  openAs,
  openSignedIn,
  press,
  readBackupLink,
  readText,
  revokeOn,
  row,
  seeScreen,
  seeTitle,
  signInOn,
  signOutOn,
} from "../support/page-visits.ts";
import { openPlace as openOwnPlace, shareServer } from "../support/people.ts";
import { until } from "../support/polls.ts";

setDefaultTimeout(PAGE_TEST_MS);
const browser = await startBrowser();
afterAll(() => browser[Symbol.asyncDispose]());
const openPlace = shareServer();

const SCOPES = ["requests:create", "requests:read", "requests:revoke"].concat(
  ["create", "read", "claim", "revoke"].map((each) => `secrets:${each}`),
);
const PHONE = { viewport: { width: 390, height: 800 } };

/** Prompts a page to report what its browser keeps for requests. */
const KEPT_IN_BROWSER = `new Promise((resolve) => { indexedDB.open("handoff").onsuccess = ({ target }) => { target.result.transaction("identities").objectStore("identities").getAll().onsuccess = (event) => resolve(JSON.stringify(event.target.result)); }; })`;
const keptKeys = (page: Page) => page.evaluate<string>(KEPT_IN_BROWSER);
const countKeys = async (page: Page) => (JSON.parse(await keptKeys(page)) as unknown[]).length;

/** The content of a download. */
async function download(page: Page, name: string): Promise<Buffer> {
  const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name }).click()]);
  return readFileSync(await file.path());
}

const openSecret = (page: Page) => press(page, /^(Open|Show again|Try again).*: Secret 1 /);

test("a person asks, sees a submission arrive, and opens it; the browser's storage has no plaintext", async () => {
  await using place = await openPlace();
  const bob = place.person("bob");
  const visit = await openAs(browser, place, "ann");
  const { page, context } = visit;
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Ask" }).click();
  await seeScreen(visit, "Ask for a secret");
  const { link, id } = await ask(page, place, "the staging password");
  await seeScreen(visit, "Your request link is ready");
  await page.getByText("It accepts 1 secret until").waitFor();
  const strip = page.getByRole("region", { name: "What happens to it" });
  await strip.getByText("Nothing yet").waitFor();
  await bob.must(["submit", link], { stdin: "hunter2 for ann" });
  // Without a reload.
  await seeScreen(visit, "Everything was handed in");
  await strip.getByText("1 to collect").waitFor();
  await page.getByRole("main").getByRole("link", { name: "Collect" }).first().click();
  await seeScreen(visit, "the staging password");
  await page.getByText("1 of 1 handed in.").waitFor();
  expect(await page.getByRole("navigation", { name: "Main" }).getByRole("link").count()).toBe(3);
  const stored = await keptKeys(page);
  expect(stored).toContain("AGE-SECRET-KEY-PQ-1");
  expect(stored).not.toMatch(/staging|hunter2/);
  await openSecret(page);
  await seeScreen(visit, /^Secret$/);
  expect(await readText(page)).toBe("hunter2 for ann");
  await page.reload();
  // While the claim can be repeated, in this browser only.
  await page.getByRole("button", { name: /^Show again \(5 min/ }).click();
  await seeScreen(visit, /^Secret$/);
  await press(page, "Back to the request");
  await answer(page, "Close");
  await seeScreen(visit, "the staging password");
  await row(page, "You opened it in this browser.").waitFor();
  const other = await context.newPage();
  await other.goto(`${place.server.url}/c/${id}`);
  await openSecret(other);
  await seeTitle(other, /^Secret$/);
  await page.getByRole("main").getByRole("link", { name: "Activity" }).click();
  await row(page, "the staging password").filter({ hasText: "Collected" }).waitFor();
  expect(page.url()).toEndWith("/activity#asked");
  expect(place.server.stderr()).not.toMatch(/hunter2|staging|AGE-SECRET/);
});

test("the request link and the private key never look alike: one is copied, the other is a file", async () => {
  await using place = await openPlace();
  const visit = await openSignedIn(browser, place, "ann");
  const { page } = visit;
  const { link, id } = await ask(page, place, "the staging password");
  const main = page.getByRole("main");
  // At first only the request link is visible.
  expect(await main.innerText()).not.toMatch(/AGE-SECRET|\/c\//);
  expect(await main.getByRole("button", { name: /Copy/ }).allTextContents()).toEqual([
    "Copy request link",
    "Copy as a message",
  ]);
  await page.getByText("Save a backup key").click();
  await seeScreen(visit, "Your request link is ready");
  await page.getByText("Never send it to anyone").waitFor();
  const file = (await download(page, "Save key file")).toString();
  expect(file).toContain("Never send it to anyone.");
  const backupLink = file.split("\n").find((line) => line.startsWith("http")) ?? "";
  expect(backupLink).toStartWith(`${place.server.url}/c/${id}#1.AGE-SECRET-KEY-PQ-1`);
  await page.getByText(`handoff-backup-${id.slice(-6)}.txt`).waitFor();
  // The text appears only after a warning, and without a copy button like the link's.
  await press(page, "Show as text");
  await page.getByRole("alert").filter({ hasText: "holds the private key" }).waitFor();
  expect(await main.innerText()).not.toContain("AGE-SECRET");
  await press(page, "Show backup link");
  expect(await page.getByLabel("The backup link", { exact: true }).textContent()).toBe(backupLink);
  await seeScreen(visit, "Your request link is ready");
  expect(await main.getByRole("button", { name: /Copy/ }).allTextContents()).toEqual([
    "Copy request link",
    "Copy as a message",
  ]);
  // The one code is that of the request link.
  expect(await page.getByRole("img").count()).toBe(1);
  expect(link).not.toContain("AGE-SECRET");
});

test("where the browser keeps no key, the backup is open, and leaving without it asks first", async () => {
  await using place = await openPlace();
  const { page } = await openSignedIn(browser, place, "ann");
  await page.addInitScript('Object.defineProperty(globalThis, "indexedDB", { value: undefined })');
  await ask(page, place, "the staging password");
  await page.getByText("This browser can't keep the private key").waitFor();
  await page.evaluate("navigator.clipboard.writeText = () => Promise.resolve()");
  await press(page, "Copy request link");
  await press(page, "Ask for another");
  await answer(page, "Cancel");
  await download(page, "Save key file");
  await press(page, "Ask for another");
  await seeTitle(page, "Ask for a secret");
});

test("the backup link opens submissions in another browser, and on the command line", async () => {
  await using place = await openPlace();
  const bob = await place.member("bob", SCOPES);
  const { page } = await openSignedIn(browser, place, "ann");
  const { link, id } = await ask(page, place, "", 3);
  const backupLink = await readBackupLink(page);

  const stranger = await browser.open(PHONE);
  await stranger.page.goto(backupLink);
  await seeScreen(stranger, "Sign in first");
  expect(stranger.page.url()).not.toContain("#");
  const second = await openSignedIn(browser, place, "carl");
  await second.page.goto(`${place.server.url}/c/${id}`);
  await seeScreen(second, "The key isn't in this browser");
  await second.page.goto(backupLink.slice(0, -3));
  await seeScreen(second, "This link is incomplete");
  await second.page.goto(backupLink);
  await seeScreen(second, "Your request");
  await second.page.getByText("Nothing handed in yet. This page updates itself.").waitFor();
  expect(second.page.url()).not.toContain("#");
  await bob.must(["submit", link], { stdin: "one" });
  // As it happens.
  await openSecret(second.page);
  await seeScreen(second, /^Secret$/);
  expect(await readText(second.page)).toBe("one");
  // The person who asked sees that somebody else opened it.
  await page.goto(`${place.server.url}/c/${id}`);
  await row(page, "Opened by a teammate, or by you elsewhere").waitFor();
  await bob.must(["submit", link], { stdin: "two" });
  expect((await bob.run(["collect", id])).stderr).toContain("isn't on this machine");
  expect((await bob.run(["collect", "-"], { stdin: backupLink.slice(0, -3) })).exitCode).toBe(2);
  await bob.must(["collect", "-", "--output", "in"], { stdin: backupLink });
  expect(bob.files().filter((name) => name.startsWith("in/"))).toHaveLength(1);

  // Once revoked, a request accepts nothing more.
  await revokeOn(page, place, id);
  await itemRow(page, id).filter({ hasText: "Collected" }).waitFor();
  expect((await bob.run(["submit", link], { stdin: "three" })).exitCode).toBe(4);
  expect(place.server.stderr()).not.toContain("AGE-SECRET");
});

test("signing out deletes the person's keys, and asks first while they can open something", async () => {
  await using place = await openPlace();
  const bob = place.person("bob");
  const visit = await openSignedIn(browser, place, "ann");
  const { page } = visit;
  const { link, id } = await ask(page, place, "the staging password");
  // Another person has used this browser, and keeps their key.
  await page.evaluate(
    `new Promise((resolve) => { indexedDB.open("handoff").onsuccess = ({ target }) => { const change = target.result.transaction("identities", "readwrite"); change.objectStore("identities").put({ identity: "of somebody else", claims: {} }, ["idn_other", "req_other"]); change.oncomplete = () => resolve(); }; })`,
  );
  expect(await keptKeys(page)).toContain("AGE-SECRET-KEY");
  const leave = async () => {
    await page.goto(`${place.server.url}/`);
    await signOutOn(page);
  };
  const question = page.getByRole("dialog").getByText("This browser will delete the private key of 1 request.");
  await leave();
  await question.waitFor();
  await answer(page, "Cancel");
  // Staying signed in loses nothing.
  await bob.must(["submit", link], { stdin: "hunter2 for ann" });
  await page.goto(`${place.server.url}/c/${id}`);
  await page.getByRole("button", { name: /^Open: / }).waitFor();

  await page.goto(`${place.server.url}/`);
  await page.evaluate("IDBObjectStore.prototype.delete = () => { throw new Error('refused'); }");
  await signOutOn(page);
  await answer(page, "Sign out");
  await page.getByText("This browser didn't delete the private keys").waitFor();
  expect(await keptKeys(page)).toContain("AGE-SECRET-KEY");

  await signInOn(page, place, "ann");
  await leave();
  await question.waitFor();
  await answer(page, "Sign out");
  await seeScreen(visit, "Send secrets safely");
  expect(await keptKeys(page)).toBe(JSON.stringify([{ identity: "of somebody else", claims: {} }]));

  // Nothing is left to ask about.
  await signInOn(page, place, "ann");
  await page.goto(`${place.server.url}/c/${id}`);
  await seeScreen(visit, "The key isn't in this browser");
  await leave();
  await seeScreen(visit, "Send secrets safely");
});

test("asking twice creates two requests, and a key is deleted with the last submission that it opens", async () => {
  await using place = await openOwnPlace(["--replay-window", "0s"]);
  const bob = place.person("bob");
  const visit = await openSignedIn(browser, place, "ann");
  const { page } = visit;
  const [first, second] = [await ask(page, place, "the same"), await ask(page, place, "the same")];
  expect(first.link).not.toBe(second.link);
  expect(await countKeys(page)).toBe(2);
  await bob.must(["submit", first.link], { stdin: "x".repeat(200_000) });
  await page.goto(`${place.server.url}/activity`);
  await page.getByRole("link", { name: "Collect: the same" }).click();
  await openSecret(page);
  // Only the beginning of a very long text is shown, and all of it can be copied.
  await seeScreen(visit, /^Secret$/);
  expect(await readText(page)).toHaveLength(50_000);
  expect(await download(page, "Download")).toHaveLength(200_000);
  await press(page, "Back to the request");
  await row(page, "Opened").waitFor();
  await page.getByText("The private key was deleted.").waitFor();
  expect(await page.getByRole("button", { name: /: Secret 1 / }).count()).toBe(0);
  await until(async () => (await countKeys(page)) === 1, 20);
  await revokeOn(page, place, second.id);
  await itemRow(page, second.id).filter({ hasText: "Revoked" }).waitFor();
  await until(async () => (await countKeys(page)) === 0, 20);
});

test("the link of an ended request is hidden, and the backup stays while it opens something", async () => {
  await using place = await openPlace();
  const bob = await place.member("bob", SCOPES);
  const { page } = await openSignedIn(browser, place, "ann");
  const main = page.getByRole("main");
  const gone = await ask(page, place, "to be revoked");
  await bob.must(["revoke", gone.id]);
  await seeTitle(page, "Your request was revoked");
  expect(await main.getByRole("button", { name: /Copy|QR/ }).count()).toBe(0);
  expect(await main.innerText()).not.toMatch(/#1\.|AGE-SECRET|Back up/);

  const answered = await ask(page, place, "two of them", 2);
  await bob.must(["submit", answered.link], { stdin: "one" });
  const strip = page.getByRole("region", { name: "What happens to it" });
  await strip.getByText("1 to collect").waitFor();
  await bob.must(["revoke", answered.id]);
  await seeTitle(page, "Your request was revoked");
  expect(await page.getByLabel("The request link").count()).toBe(0);
  expect(await readBackupLink(page)).toContain("AGE-SECRET-KEY");

  const full = await ask(page, place, "one of them");
  await bob.must(["submit", full.link], { stdin: "one" });
  await seeTitle(page, "Everything was handed in");
  expect(await page.getByLabel("The request link").count()).toBe(0);
});

test("a request is revoked beside its link, after a question that says what can still be opened", async () => {
  await using place = await openPlace();
  const bob = await place.member("bob", SCOPES);
  const visit = await openSignedIn(browser, place, "ann");
  const { page } = visit;
  const strip = page.getByRole("region", { name: "What happens to it" });
  const question = page.getByRole("dialog");
  await ask(page, place, "nothing yet");
  await strip.getByRole("button", { name: "Revoke" }).click();
  await question.getByText("Nothing can be handed in after that.").waitFor();
  expect(await findViolations(page)).toEqual([]);
  await answer(page, "Cancel");
  await seeTitle(page, "Your request link is ready");
  // The focus is back where it was.
  await strip.getByRole("button", { name: "Revoke" }).and(page.locator(":focus")).waitFor();
  await page.keyboard.press("Enter");
  await answer(page, "Revoke");
  await seeScreen(visit, "Your request was revoked");
  expect(await strip.getByRole("button", { name: "Revoke" }).count()).toBe(0);

  const { link, id } = await ask(page, place, "one of two", 2);
  await bob.must(["submit", link], { stdin: "one" });
  await strip.getByText("1 to collect").waitFor();
  await strip.getByRole("button", { name: "Revoke" }).click();
  await question.getByText("You can still open what was handed in.").waitFor();
  // Somebody else is faster.
  await page.route("**/app/events?*", (route) => route.abort());
  await bob.must(["revoke", id]);
  await answer(page, "Revoke");
  await seeTitle(page, "Your request was revoked");
  expect(await page.getByRole("alert").allTextContents()).not.toContainEqual(expect.stringMatching(/\S/));
});

test("a person who asks can leave out their name", async () => {
  await using place = await openPlace();
  const { page } = await openSignedIn(browser, place, "ann@example.com");
  const { page: asked } = await browser.open();
  for (const isNamed of [true, false]) {
    await page.goto(`${place.server.url}/ask`);
    if (!isNamed) {
      await page.getByText("Accepts 1 secret · 7 days").click();
      await page.getByLabel("Show that ann@example.com asks").uncheck();
    }
    await press(page, "Create request link");
    await asked.goto((await page.getByLabel("The request link").textContent()) ?? "");
    await asked.getByRole("heading", { level: 1 }).waitFor();
    expect((await asked.locator("main").innerText()).includes("ann@example.com")).toBe(isNamed);
  }
});
