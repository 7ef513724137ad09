import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import type { Page, Request } from "playwright-core";
import { createAgeIdentity } from "../../src/crypto/age-identities.ts";
import { findViolations, findViolationsInThemes } from "../support/accessibility.ts";
import { PAGE_TEST_MS, startBrowser } from "../support/browsers.ts";
import type { TestPage } from "../support/browsers.ts";
import {
  answer,
  ask,
  itemRow,
  openAs,
  openDetails,
  openSignedIn,
  press,
  readBackupLink,
  secretField,
  seeTitle,
  untilTrue,
} from "../support/page-visits.ts";
import { openPlace as openOwnPlace, shareServer } from "../support/people.ts";
import type { Place } from "../support/people.ts";
import { until } from "../support/polls.ts";

setDefaultTimeout(PAGE_TEST_MS);
const browser = await startBrowser();
afterAll(() => browser[Symbol.asyncDispose]());
const openPlace = shareServer();

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

/** The number of private keys that the browser keeps. */
const KEYS_KEPT = `new Promise((resolve) => {
  indexedDB.open("handoff").onsuccess = ({ target: { result } }) => {
    result.transaction("identities").objectStore("identities").count().onsuccess = ({ target }) => resolve(target.result);
  };
})`;

/** Sends secrets with the session on `page`, and returns their IDs, the newest last. */
async function sendOften(page: Page, place: Place, count: number): Promise<string[]> {
  const ids: string[] = [];
  const sendRest = async () => {
    while (ids.length < count) {
      const at = ids.push("") - 1;
      ids[at] = (await send(page, place)).id;
    }
  };
  await Promise.all(Array.from({ length: 16 }, sendRest));
  return ids;
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

/** The IDs of all rows, in their order. */
const idsOf = (page: Page) => page.locator("main a.row").evaluateAll((rows) => rows.map(({ id }) => id));

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
  const visit = await openSignedIn(browser, place, "ann");
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
  await rowsOf(page, "Needs you").waitFor();
  expect(await rowsOf(page, "Needs you").allTextContents()).toEqual([
    expect.stringMatching(/^the staging passwordAsked today, .*1 to collectCollect$/),
  ]);
  expect(await rowsOf(page, "Waiting").allTextContents()).toEqual([
    expect.stringMatching(/^SecretSent today, .*Opened 1 of 37 days left$/),
    expect.stringMatching(/^SecretSent today, .*Waiting7 days left$/),
  ]);
  expect(await rowsOf(page, "Earlier").allTextContents()).toEqual([
    expect.stringMatching(/^SecretSent today, .*Opened\d?\d:\d\d$/),
  ]);
  expect(await idsOf(page)).toEqual([id, some.id, waiting.id, opened.id]);
  expect(await page.locator("main").innerText()).not.toContain(waiting.end);
  const states = page.getByRole("navigation", { name: "State" }).getByRole("link");
  expect(await states.allTextContents()).toEqual(["All", "Needs you 1", "Waiting 2", "Opened 1", "Ended "]);
  await page.getByRole("link", { name: "Activity 1 waiting for you" }).waitFor();
  expect(await findViolationsInThemes(page)).toEqual([]);
  await page.getByRole("link", { name: "Collect: the staging password" }).click();
  await page.getByRole("button", { name: /^Open/ }).waitFor();
  expect(page.url()).toEndWith(`/c/${id}`);
  expect(visit.complaints).toEqual([]);
});

test("secrets to collect are counted and listed first, however many newer requests there are", async () => {
  await using place = await openPlace();
  const visit = await openSignedIn(browser, place, "ann");
  const { page } = visit;
  const { link, id } = await ask(page, place, "the staging password");
  await place.person("bob").must(["submit", link], { stdin: "hunter2" });
  await askOften(page, place, 61);
  await page.goto(`${place.server.url}/`);
  await page.getByRole("link", { name: "Activity 1 waiting for you" }).waitFor();
  await openActivity(visit, place);
  await page.getByText("62 of 62.").waitFor();
  expect((await idsOf(page))[0]).toBe(id);
  expect(await page.locator("main a.row").count()).toBe(50);
  await press(page, "Show 12 more");
  await rowsOf(page, "Waiting").nth(60).waitFor();
  // The focus is on the first of them.
  await untilTrue(page, "[...document.querySelectorAll('main .row')].indexOf(document.activeElement) === 50");
  expect(await page.getByRole("button", { name: /^Show/ }).count()).toBe(0);
});

test("states, picks and the search are in the address, and the back button restores them", async () => {
  await using place = await openPlace();
  const visit = await openSignedIn(browser, place, "ann");
  const { page } = visit;
  const [sent, old] = [await send(page, place), await send(page, place, "?reference=OPS-1")];
  await claim(place, old);
  const { id } = await ask(page, place, "Café router");
  await openActivity(visit, place);
  await itemRow(page, sent.id).waitFor();
  await page.getByRole("link", { name: "Opened 1", exact: true }).click();
  await itemRow(page, sent.id).waitFor({ state: "detached" });
  expect(await idsOf(page)).toEqual([old.id]);
  expect(page.url()).toEndWith("/activity#state=opened");
  await page.getByText("1 of 3.", { exact: true }).waitFor();
  await page.goBack();
  await itemRow(page, sent.id).waitFor();
  await page.getByText("Sent or asked", { exact: true }).click();
  await page.getByRole("link", { name: "Asked for" }).click();
  await itemRow(page, sent.id).waitFor({ state: "detached" });
  expect(await idsOf(page)).toEqual([id]);
  await page.getByRole("link", { name: "Asked for: remove filter" }).click();
  await itemRow(page, sent.id).waitFor();

  // Any word, in any case and without accents; Back leaves the search at once.
  const field = page.getByRole("searchbox", { name: "Search labels, files and tickets" });
  await field.pressSequentially("ROUTER cafe");
  await itemRow(page, sent.id).waitFor({ state: "detached" });
  expect(await idsOf(page)).toEqual([id]);
  expect(await page.locator("main mark").allTextContents()).toEqual(["Café", "router"]);
  expect(await page.locator("main h2").allTextContents()).toEqual([
    new Intl.DateTimeFormat("en", { month: "long" }).format(new Date()),
  ]);
  await page.getByText(/^1 of 3. Labels and file names are searched in this browser/).waitFor();
  expect(await findViolationsInThemes(page)).toEqual([]);
  await page.reload();
  await itemRow(page, id).waitFor();
  expect(await field.inputValue()).toBe("ROUTER cafe");
  await page.goBack();
  await itemRow(page, sent.id).waitFor();
  expect(await field.inputValue()).toBe("");

  await field.fill("ops-1");
  await itemRow(page, sent.id).waitFor({ state: "detached" });
  expect(await idsOf(page)).toEqual([old.id]);
  await field.fill("nowhere");
  await page.getByText("Nothing matches.").waitFor();
  await page.getByRole("link", { name: "Show all" }).click();
  await itemRow(page, sent.id).waitFor();
  await page.getByText("Any time", { exact: true }).click();
  await page.getByRole("link", { name: "Today", exact: true }).click();
  await page.getByRole("link", { name: "Today: remove filter" }).waitFor();
  expect(await idsOf(page)).toHaveLength(3);
  await page.goto(`${place.server.url}/activity#asked`);
  await page.reload();
  await itemRow(page, id).waitFor();
  expect(await idsOf(page)).toEqual([id]);
});

test("a row says what this browser remembers of the content, which no call contains", async () => {
  await using place = await openPlace();
  const visit = await openSignedIn(browser, place, "ann");
  const { page } = visit;
  const calls: string[] = [];
  page.on("request", (each) => calls.push(`${each.url()} ${each.postData() ?? ""} ${JSON.stringify(each.headers())}`));
  const titles: string[] = [];
  const sendFrom = async (fill: () => Promise<void>) => {
    await page.goto(place.server.url);
    await fill();
    await press(page, "Create link");
    await seeTitle(page, "Your link is ready");
  };
  await sendFrom(() => secretField(page).fill("correct-horse-battery"));
  await sendFrom(() => secretField(page).fill("HOST=db\nUSER=ann\nPASSWORD=x\n"));
  await sendFrom(() =>
    page
      .locator("input[type=file]")
      .first()
      .setInputFiles(["Vertrag.pdf", "b.txt"].map((name) => ({ name, mimeType: "", buffer: Buffer.from("x") }))),
  );
  await openActivity(visit, place);
  await rowsOf(page, "Waiting").nth(2).waitFor();
  titles.push(...(await page.locator("main .row-name").allTextContents()));
  expect(titles).toEqual(["2 files, Vertrag.pdf first", "Text, 3 lines", "Password, 21 characters"]);
  await page.getByRole("searchbox").fill("vertrag");
  await page.getByText(/^1 of 3\./).waitFor();
  expect(calls.filter((each) => /vertrag/i.test(each))).toEqual([]);
  const stored = await page.evaluate<string>(`new Promise((resolve) => {
    const opening = indexedDB.open("handoff-labels");
    opening.onsuccess = () => {
      const reading = opening.result.transaction("labels").objectStore("labels").getAll();
      reading.onsuccess = () => resolve(reading.result.map((each) => each.sealed ? new TextDecoder().decode(each.sealed.bytes) : String(each.type) + each.extractable).join());
    };
  })`);
  expect(stored).toContain("secretfalse");
  expect(stored).not.toMatch(/Vertrag|files/);
  // Another browser knows nothing of it.
  const other = await openSignedIn(browser, place, "ann");
  await openActivity(other, place);
  await rowsOf(other.page, "Waiting").nth(2).waitFor();
  expect(await other.page.locator("main .row-name").allTextContents()).toEqual(["Secret", "Secret", "Secret"]);
});

test("the details of a secret show its openings and their credentials, and update while they are open", async () => {
  await using place = await openPlace();
  const visit = await openSignedIn(browser, place, "ann");
  const { page } = visit;
  const sent = await send(page, place, "?max_claims=3");
  const claimAs = (token: string) =>
    fetch(`${place.server.url}/api/v1/secrets/${sent.id}/claim`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}` },
    });
  expect((await claimAs(sent.claimToken)).status).toBe(200);
  await openActivity(visit, place);
  const details = await openDetails(page, sent.id);
  const lines = () => details.getByRole("listitem").allInnerTexts();
  await details.getByText("Opened with the link").waitFor();
  expect(await lines()).toEqual([
    expect.stringMatching(/^You sent it\s+Just now$/),
    expect.stringMatching(/^Opened with the link\s+Just now$/),
  ]);
  await details.getByText("1 of 3", { exact: true }).waitFor();
  expect((await claimAs(await place.mint())).status).toBe(200);
  await details.getByText("Opened with an API key").waitFor();
  await details.getByText("2 of 3", { exact: true }).waitFor();
  expect(await lines()).toHaveLength(3);
  expect(await findViolationsInThemes(page)).toEqual([]);
});

test("extending says until when or how often a secret can be opened now, and offers only what changes that", async () => {
  await using place = await openPlace();
  const visit = await openAs(browser, place, "ann");
  const { page } = visit;
  const sent = await send(page, place, "?expires_in=604800");
  await openActivity(visit, place);
  const details = await openDetails(page, sent.id);
  await details.getByText("Extend", { exact: true }).click();
  const lifetimes = details.getByRole("group", { name: "Expires in" });
  // Seven days are left, so seven more seconds are no offer.
  expect(await lifetimes.getByRole("button").allTextContents()).toEqual(["30 days"]);
  await press(page, "30 days");
  const said = details.getByRole("status");
  await said.filter({ hasText: /^It now expires .*\d\.$/ }).waitFor();
  await untilTrue(
    page,
    `document.querySelector(".details .options [role=status]").getBoundingClientRect().bottom <= innerHeight`,
  );
  await details.getByText("30 days left").waitFor();
  await lifetimes.waitFor({ state: "detached" });
  // The pressed button is gone.
  await untilTrue(page, "document.activeElement?.tagName === 'SUMMARY'");
  await press(page, "Let it be opened once more");
  await said.filter({ hasText: /^It can now be opened 2 times in all\.$/ }).waitFor();
  expect(await findViolationsInThemes(page)).toEqual([]);
});

test("the title of a request stays when everything was opened and its key is deleted", async () => {
  await using place = await openOwnPlace(["--replay-window", "0s"]);
  const visit = await openAs(browser, place, "ann");
  const { page } = visit;
  const { link, id } = await ask(page, place, "the staging password");
  await place.person("bob").must(["submit", link], { stdin: "text" });
  await page.goto(`${place.server.url}/c/${id}`);
  await press(page, /^Open: /);
  await seeTitle(page, /^Secret$/);
  for (let count = 0; count < 2; count++) {
    await openActivity(visit, place);
    expect(await itemRow(page, id).locator(".row-name").textContent()).toBe("the staging password");
  }
  expect(await page.evaluate<number>(KEYS_KEPT)).toBe(0);
  await page.goto(`${place.server.url}/c/${id}`);
  await seeTitle(page, "the staging password");
});

test("rows and details work with the keyboard alone, and the focus follows", async () => {
  await using place = await openPlace();
  const visit = await openSignedIn(browser, place, "ann");
  const { page } = visit;
  const [first, second] = [await send(page, place, "?max_claims=3"), await send(page, place)];
  await openActivity(visit, place);
  await itemRow(page, first.id).focus();
  expect(await itemRow(page, first.id).getAttribute("aria-current")).toBeNull();
  await page.keyboard.press("Enter");
  const details = page.getByRole("region", { name: "Secret" });
  await details.getByRole("heading", { level: 1, name: "Secret" }).and(page.locator(":focus")).waitFor();
  expect(await page.getByRole("heading", { level: 1 }).count()).toBe(1);
  await details.getByText(first.id).waitFor();
  await details.getByText("0 of 3").waitFor();
  expect(await itemRow(page, first.id).getAttribute("aria-current")).toBe("true");
  // A link of its own, which another tab can open.
  expect(page.url()).toEndWith(`/activity#id=${first.id}`);
  await page.keyboard.press("Tab");
  await details.getByRole("link", { name: "Close" }).and(page.locator(":focus")).waitFor();
  await page.keyboard.press("Enter");
  await itemRow(page, first.id).and(page.locator(":focus")).waitFor();
  expect(await page.locator(".details").count()).toBe(0);

  await openDetails(page, first.id);
  await press(page, "Revoke");
  await page.getByRole("dialog").getByText("Revoke this secret?").waitFor();
  await page.keyboard.press("Escape");
  await details.getByRole("button", { name: "Revoke" }).and(page.locator(":focus")).waitFor();
  await page.keyboard.press("Enter");
  await answer(page, "Revoke");
  await details.getByRole("status").filter({ hasText: "Revoked" }).waitFor();
  // The pressed button is gone.
  await details.getByRole("heading", { level: 1 }).and(page.locator(":focus")).waitFor();
  expect(await details.getByRole("button", { name: "Revoke" }).count()).toBe(0);
  expect(await rowsOf(page, "Earlier").allTextContents()).toEqual([expect.stringContaining("Revoked")]);

  // A late revocation shows the final state.
  await openDetails(page, second.id);
  await press(page, "Revoke");
  await page.getByRole("dialog").waitFor();
  await claim(place, second);
  await answer(page, "Revoke");
  await itemRow(page, second.id).filter({ hasText: "Opened" }).waitFor();
  expect(await page.locator("main").innerText()).not.toContain("went wrong");
});

test("on a phone the details take the place of the list, Back returns to it, and filters are a press away", async () => {
  await using place = await openPlace();
  const visit = await openSignedIn(browser, place, "ann");
  const { page } = visit;
  const sent = await send(page, place);
  const { id } = await ask(page, place, "the staging password");
  await page.setViewportSize({ width: 390, height: 700 });
  await openActivity(visit, place);
  const list = page.getByRole("searchbox");
  for (const leave of [
    () => page.goBack(),
    () => page.getByRole("link", { name: "Activity", exact: true }).last().click(),
  ]) {
    const details = await openDetails(page, sent.id);
    await list.waitFor({ state: "hidden" });
    await details.getByRole("heading", { level: 1 }).and(page.locator(":focus")).waitFor();
    expect(await findViolationsInThemes(page)).toEqual([]);
    await leave();
    await list.waitFor();
    await itemRow(page, sent.id).and(page.locator(":focus")).waitFor();
  }
  const length = await page.evaluate<number>("history.length");
  await openDetails(page, sent.id);
  await page.locator(".details").getByRole("link", { name: "Close" }).click();
  await list.waitFor();
  // Closing goes back, and leaves no details behind to go back to.
  expect(await page.evaluate<number>("history.length")).toBe(length);
  expect(await page.getByText("Sent or asked").isVisible()).toBe(false);
  await press(page, "Filters");
  await page.getByText("Sent or asked").click();
  expect(await findViolationsInThemes(page)).toEqual([]);
  await page.getByRole("link", { name: "Asked for" }).click();
  await itemRow(page, sent.id).waitFor({ state: "detached" });
  expect(await idsOf(page)).toEqual([id]);
  expect(visit.complaints).toEqual([]);
});

test("Tab, the arrow keys, Home and End move through the menus, and the focus returns to their button", async () => {
  await using place = await openPlace();
  const visit = await openSignedIn(browser, place, "ann");
  const { page } = visit;
  await ask(page, place, "the staging password");
  await openActivity(visit, place);
  const focused = () =>
    page.evaluate<string>("(document.activeElement.ariaLabel ?? document.activeElement.innerText).trim()");
  const name = "Any time";
  await page.locator("summary").filter({ hasText: name }).focus();
  const trip: readonly (readonly [key: string, at: string])[] = [
    ["End", name],
    ["ArrowDown", "Today"],
    ["ArrowDown", "Last 7 days"],
    ["ArrowDown", "Last 30 days"],
    ["ArrowDown", "Last 30 days"],
    ["Home", "Today"],
    ["End", "Last 30 days"],
    ["ArrowUp", "Last 7 days"],
    ["Tab", "Last 30 days"],
    ["Shift+Tab", "Last 7 days"],
    ["Escape", name],
    ["Enter", name],
    ["Tab", "Today"],
    ["Escape", name],
    ["Space", name],
    ["ArrowDown", "Today"],
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
  await page.getByRole("link", { name: "Last 7 days" }).waitFor({ state: "hidden" });

  await page.locator("summary").filter({ hasText: "Account of ann" }).focus();
  await page.keyboard.press("ArrowDown");
  expect(await focused()).toBe("Your account");
  await page.keyboard.press("ArrowDown");
  expect(await focused()).toBe("Audit log");
  await page.keyboard.press("ArrowDown");
  expect(await focused()).toBe("Sign out");
  await page.keyboard.press("Escape");
  expect(await focused()).toContain("Account of ann");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  await answer(page, "Sign out");
  await seeTitle(page, /You're signed out|Send secrets safely/);
});

test("changes are read out, and a hidden tab shows them in its title and, if allowed, in a notification", async () => {
  await using place = await openPlace();
  const visit = await openSignedIn(browser, place, "ann");
  const { page, context } = visit;
  await page.clock.install();
  await page.addInitScript(
    "notified = []; globalThis.Notification = class extends EventTarget { static permission = 'default'; static requestPermission() { notified.push('asked'); this.permission = 'granted'; return Promise.resolve('granted'); } constructor(text) { super(); notified.push(text); } }",
  );
  const [seen, unseen] = [await send(page, place), await send(page, place)];
  await openActivity(visit, place);
  await itemRow(page, seen.id).waitFor();
  await page.clock.runFor(2000);
  await claim(place, seen);
  await page.clock.runFor(2000);
  await page.getByRole("status").filter({ hasText: "Secret: Opened." }).waitFor();
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
  expect(await page.title()).toContain("Secret: Opened.");
  expect(await page.evaluate<string[]>("notified")).toEqual(["asked", expect.stringContaining("Secret: Opened.")]);
  // By now nobody has used the page for a minute, so its calls are no use of the session.
  const isMarked = (call: Request) => call.headers()["handoff-background"] === "1";
  const marked = page.waitForRequest((call) => call.url().includes("/app/events") && isMarked(call));
  await page.clock.runFor(61_000);
  await marked;
  await show(false);
  await until(async () => (await page.title()).startsWith("Activity"), 20);
  await page.mouse.move(50, 50);
  // One that began before the browser has handed over the movement may still be marked.
  const caused = page.waitForRequest((call) => call.url().includes("/app/") && !isMarked(call));
  await claim(place, await send(page, place));
  await page.clock.runFor(2000);
  await caused;
  await context.close();
});

test("a late answer to an earlier call does not undo a later one", async () => {
  await using place = await openPlace();
  const visit = await openSignedIn(browser, place, "ann");
  const { page } = visit;
  for (let count = 0; count < 3; count++) await send(page, place, "?reference=OPS-1");
  await openActivity(visit, place);
  const rows = page.locator("main a.row");
  await rows.nth(2).waitFor();
  const held = Promise.withResolvers<void>();
  await page.route(
    "**/app/secrets?*",
    async (route) => {
      const answered = await route.fetch();
      await held.promise;
      await route.fulfill({ response: answered });
    },
    { times: 1 },
  );
  const asked = page.waitForRequest(/secrets\?/);
  await send(page, place, "?reference=OPS-1");
  const late = (await asked).url();
  // Another one, of which the first answer knows nothing.
  await send(page, place, "?reference=OPS-1");
  await page.getByText("Ticket", { exact: true }).click();
  await page.getByRole("link", { name: "OPS-1", exact: true }).click();
  await rows.nth(4).waitFor();
  await page.evaluate(
    'fewest = Infinity; new MutationObserver(() => (fewest = Math.min(fewest, document.querySelectorAll("main a.row").length))).observe(document.body, { subtree: true, childList: true })',
  );
  const answered = page.waitForResponse(late);
  held.resolve();
  await answered;
  // The page has handled it by the time it shows a later event.
  await send(page, place, "?reference=OPS-1");
  await rows.nth(5).waitFor();
  expect(await page.evaluate<number>("fewest")).toBeGreaterThan(4);
});

test("2,000 rows are all there to be searched, 50 of them shown, and the first show at once", async () => {
  await using place = await openPlace();
  const visit = await openAs(browser, place, "ann");
  const { page } = visit;
  const ids = await sendOften(page, place, 2000);
  // As a former version kept them, so that all are encrypted at once.
  await page.evaluate(`new Promise((resolve) => {
    const opening = indexedDB.open("handoff-labels");
    opening.onupgradeneeded = () => opening.result.createObjectStore("labels");
    opening.onsuccess = async () => {
      const { identity } = await (await fetch("/app/credential")).json();
      const transaction = opening.result.transaction("labels", "readwrite");
      for (const [at, id] of ${JSON.stringify(ids)}.entries()) transaction.objectStore("labels").put({ label: "label " + at, keptAt: 1 }, [identity.id, id]);
      transaction.oncomplete = resolve;
    };
  })`);
  const longest: number[] = [];
  for (let visits = 0; visits < 2; visits++) {
    await page.goto("about:blank");
    longest.push(
      await longestTaskOf(page, async () => {
        await openActivity(visit, place);
        await page.locator("main a.row").nth(49).waitFor();
        await page.getByText("2,000 of 2,000.").waitFor();
        await page.getByRole("searchbox").fill("label 1234");
        await page.getByText(/^1 of 2,000/).waitFor();
        expect(await page.locator("main .row-name").allTextContents()).toEqual(["label 1234"]);
        await page.getByRole("searchbox").fill("");
        await page.getByRole("button", { name: "Show 50 more" }).waitFor();
      }),
    );
    expect(await page.locator("main a.row").count()).toBe(50);
  }
  // No press goes unanswered for long. The first visit encrypts, too.
  expect(longest[1]).toBeLessThan(100);

  // The first rows do not wait for the others.
  const held = Promise.withResolvers<void>();
  await page.route(/secrets\?.*cursor=/, async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.goto("about:blank");
  await openActivity(visit, place);
  await page.locator("main a.row").nth(49).waitFor();
  await page.locator(".count-line").filter({ hasText: "One moment …" }).waitFor();
  held.resolve();
  await page.getByText("2,000 of 2,000.").waitFor();
});

/**
 * The processor time of the longest task of the page's thread during `work`, in milliseconds: a busy machine makes
 * tasks longer, and not this.
 */
async function longestTaskOf(page: Page, work: () => Promise<void>): Promise<number> {
  const chromium = page.context().browser();
  if (!chromium) throw new Error("there is no browser");
  await chromium.startTracing(page, { categories: ["disabled-by-default-devtools.timeline", "devtools.timeline"] });
  await work();
  const { traceEvents } = JSON.parse((await chromium.stopTracing()).toString()) as {
    readonly traceEvents: readonly { readonly name: string; readonly pid: number; readonly tdur?: number }[];
  };
  const renderer = traceEvents.find(({ name }) => name === "FunctionCall")?.pid;
  const tasks = traceEvents.filter(({ name, pid }) => name === "RunTask" && pid === renderer);
  if (tasks.length === 0) throw new Error("no task was traced");
  return Math.max(...tasks.map(({ tdur = 0 }) => tdur)) / 1000;
}

test("in forced colors the chosen tab and filter stand out", async () => {
  await using place = await openPlace();
  const visit = await openSignedIn(browser, place, "ann");
  const { page } = visit;
  await send(page, place);
  await openActivity(visit, place);
  await page.locator("main .filter").waitFor();
  await page.emulateMedia({ forcedColors: "active" });
  for (const name of ["Main", "State"]) {
    const lines = await page.evaluate<readonly (readonly [boolean, boolean])[]>(
      `[...document.querySelectorAll("nav[aria-label=${name}] a")].map((link) => [link.hasAttribute("aria-current"), getComputedStyle(link).textDecorationLine === "underline"])`,
    );
    expect(lines.length).toBeGreaterThan(2);
    for (const [isChosen, isUnderlined] of lines) expect([name, isUnderlined]).toEqual([name, isChosen]);
  }
});

test("no screen of a signed-in person is wider than 320 pixels with doubled text size", async () => {
  await using place = await openPlace();
  const visit = await openSignedIn(browser, place, "somebody-with-a-long-address@department.example.com");
  const { page } = visit;
  const { link, id } = await ask(page, place, "the certificate of the VPN that Ben's laptop needs_".repeat(4));
  await send(page, place, "?max_claims=3");
  await place.person("bob").must(["submit", link], { stdin: "hunter2" });
  await page.setViewportSize({ width: 320, height: 640 });
  const widthOf = async (path: string) => {
    await page.goto(`${place.server.url}${path}`);
    await page.getByRole("heading", { level: 1 }).waitFor();
    if (path.startsWith("/activity"))
      await page
        .locator(path.includes("#") ? ".details" : "a.row")
        .first()
        .waitFor();
    await page.evaluate("document.documentElement.style.fontSize = '200%'");
    await page.evaluate(
      "for (const each of document.querySelectorAll('main details')) each.open = !each.classList.contains('menu')",
    );
    return page.evaluate<number>("document.documentElement.scrollWidth");
  };
  const paths = ["/activity", `/activity#id=${id}`, "/ask", "/about", "/sign-in", `/c/${id}`];
  for (const path of paths) expect([path, await widthOf(path)]).toEqual([path, 320]);
  await ask(page, place, "note");
  await readBackupLink(page);
  await page.evaluate("document.documentElement.style.fontSize = '200%'");
  expect(await page.evaluate<number>("document.documentElement.scrollWidth")).toBe(320);
});
