import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { startBrowser } from "../support/browsers.ts";
import type { TestPage } from "../support/browsers.ts";
import { openPlace } from "../support/people.ts";
import type { Place } from "../support/people.ts";

const browser = await startBrowser();
afterAll(() => browser[Symbol.asyncDispose]());

/** Resolves once the page's title is this. */
const seeTitle = (page: Page, title: string | RegExp) =>
  page.getByRole("heading", { level: 1 }).filter({ hasText: title }).waitFor({ timeout: 15_000 });
const press = (page: Page, name: string | RegExp) => page.getByRole("button", { name }).click();
const complaint = (page: Page, text: string | RegExp) => page.getByRole("alert").filter({ hasText: text }).waitFor();
/** Everything that the tab keeps and shows. */
const allOf = (page: Page) => page.evaluate<string>("JSON.stringify([{ ...sessionStorage }, document.body.innerText])");

/** Lets `name` of `team` sign in in `page`. */
async function signInOn(page: Page, place: Place, name: string, team = "team"): Promise<void> {
  const data = ["--data-dir", join(place.folder, "data")];
  const url = await place
    .person("admin")
    .must(["admin", "person", "add", name, "--team", team, "--base-url", place.server.url, ...data]);
  await page.goto(url);
  await press(page, "Sign in");
  await seeTitle(page, "Send a secret");
}

/** A browser in which `name` has signed in; whoever is there says yes to every question. */
async function openAs(place: Place, name: string): Promise<TestPage> {
  const visit = await browser.open();
  visit.page.on("dialog", (dialog) => void dialog.accept());
  await signInOn(visit.page, place, name);
  return visit;
}

/** Makes a request on the page, and returns its link. */
async function ask(page: Page, place: Place, note: string, count = 1): Promise<{ link: string; id: string }> {
  await page.goto(`${place.server.url}/ask`);
  await page.getByLabel("What do you ask for?").fill(note);
  await page.getByLabel("How many").fill(String(count));
  await press(page, "Make a request link");
  await seeTitle(page, "Here is your request link");
  const link = (await page.getByLabel("The request link").textContent()) ?? "";
  return { link, id: /req_\w+/.exec(link)?.[0] ?? "" };
}

test("signing out in one tab takes keys, notes and names from every other one", async () => {
  await using place = await openPlace();
  const bob = place.person("bob");
  const { page, context } = await openAs(place, "ann");
  const { link, id } = await ask(page, place, "the staging password");
  const backupLink = (await page.getByLabel("The collect link", { exact: true }).textContent()) ?? "";
  await bob.must(["submit", link], { stdin: "hunter2 for ann" });
  const [collecting, typing, stranger] = [await context.newPage(), await context.newPage(), await context.newPage()];
  await collecting.goto(backupLink);
  await collecting.getByRole("button", { name: /^Open …/ }).waitFor();
  expect(await allOf(collecting)).toContain("AGE-SECRET-KEY");
  await typing.goto(`${place.server.url}/`);
  await typing.getByLabel("The secret", { exact: true }).fill("typed by ann");
  // A link that somebody got is not of whoever signs out.
  const secret = await (await place.member("carl")).must(["send"], { stdin: "text" });
  await stranger.goto(secret);
  await seeTitle(stranger, "Somebody has sent you a secret");

  await page.goto(`${place.server.url}/`);
  await press(page, "Sign out");
  await seeTitle(page, "Hand a secret over, once");
  await seeTitle(collecting, "Sign in first");
  await seeTitle(typing, "Hand a secret over, once");
  for (const tab of [collecting, typing]) expect(await allOf(tab)).not.toMatch(/AGE-SECRET|staging|typed by|ann/);

  await signInOn(page, place, "dora");
  await collecting.goto(`${place.server.url}/c/${id}`);
  await seeTitle(collecting, "The key is not in this browser");
  await press(stranger, "Open the secret");
  await seeTitle(stranger, "The secret");
}, 60_000);

test("in a tab of somebody who is no longer the one signed in, nothing is opened, revoked or signed out", async () => {
  await using place = await openPlace();
  const bob = place.person("bob");
  const { page, context } = await openAs(place, "ann");
  const { link, id } = await ask(page, place, "the staging password");
  await bob.must(["submit", link], { stdin: "hunter2 for ann" });
  await page.getByRole("button", { name: /Take back/ }).waitFor({ state: "detached" });
  const second = await ask(page, place, "another one");
  const collecting = await context.newPage();
  await collecting.goto(`${place.server.url}/c/${id}`);
  await collecting.getByRole("button", { name: /^Open …/ }).waitFor();
  const admin = (...args: readonly string[]) =>
    place.person("admin").must(["admin", ...args, "--data-dir", join(place.folder, "data")]);
  await admin("team", "create", "others");
  const other = await context.newPage();
  await signInOn(other, place, "carl", "others");

  await press(collecting, /^Open …/);
  await complaint(collecting, "somebody else has signed in: carl");
  await press(page, /Take back/);
  await complaint(page, "somebody else has signed in: carl");
  await press(page, "Sign out");
  await page.getByText("somebody else has signed in: carl").first().waitFor();
  await other.reload();
  await seeTitle(other, "Send a secret");

  await signInOn(other, place, "ann");
  expect((await bob.run(["submit", second.link], { stdin: "two" })).exitCode).toBe(0);
  // Nothing of hers was taken for gone meanwhile.
  await collecting.reload();
  await press(collecting, /^Open …/);
  await seeTitle(collecting, "The secret");
}, 60_000);
