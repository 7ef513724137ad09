import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import type { Page } from "playwright-core";
import type { Content } from "../../src/crypto/contents.ts";
import { PAGE_TEST_MS, startBrowser } from "../support/browsers.ts";
import { sendLocked } from "../support/foreign-secrets.ts";
import {
  answer,
  ask,
  complaint,
  itemRow,
  loseAnswers,
  openDetails,
  openSignedIn,
  press,
  readBackupLink,
  row,
  seeTitle,
  signInOn,
  signOutOn,
} from "../support/page-visits.ts";
import { openPlace as openOwnPlace, shareServer } from "../support/people.ts";
import type { Place } from "../support/people.ts";
import { until } from "../support/polls.ts";

setDefaultTimeout(PAGE_TEST_MS);
const browser = await startBrowser();
afterAll(() => browser[Symbol.asyncDispose]());
const openPlace = shareServer();

/** The shortest replay window that a server can be set to. */
const WINDOW_MS = 1000;
/** The name of the button that opens a submission, or shows it again. */
const OPEN = /^(Open|Show again|Try again).*: Secret 1 /;
/** Everything that the tab stores and shows. */
const allOf = (page: Page) => page.evaluate<string>("JSON.stringify([{ ...sessionStorage }, document.body.innerText])");

test("signing out in one tab deletes keys, notes and names in all others", async () => {
  await using place = await openPlace();
  const bob = place.person("bob");
  const { page, context } = await openSignedIn(browser, place, "ann");
  const { link, id } = await ask(page, place, "the staging password");
  const backupLink = await readBackupLink(page);
  await bob.must(["submit", link], { stdin: "hunter2 for ann" });
  const [collecting, typing, stranger] = [await context.newPage(), await context.newPage(), await context.newPage()];
  await collecting.goto(backupLink);
  await collecting.getByRole("button", { name: OPEN }).waitFor();
  expect(await allOf(collecting)).toContain("AGE-SECRET-KEY");
  await typing.goto(`${place.server.url}/`);
  await typing.getByLabel("Secret", { exact: true }).fill("typed by ann");
  // A link that was received does not belong to the session.
  const secret = await (await place.member("carl")).must(["send"], { stdin: "text" });
  await stranger.goto(secret);
  await seeTitle(stranger, "Someone sent you a secret");

  await page.goto(`${place.server.url}/`);
  await signOutOn(page);
  // Of the text typed in the other tab, and of the key.
  await answer(page, "Sign out");
  await page.getByRole("dialog").getByText("private key of 1 request").waitFor();
  await answer(page, "Sign out");
  await seeTitle(page, "Send secrets safely");
  await seeTitle(collecting, "Sign in first");
  await seeTitle(typing, "Send secrets safely");
  for (const tab of [collecting, typing]) expect(await allOf(tab)).not.toMatch(/AGE-SECRET|staging|typed by|ann/);

  await signInOn(page, place, "dora");
  await collecting.goto(`${place.server.url}/c/${id}`);
  await seeTitle(collecting, "The key isn't in this browser");
  await press(stranger, "Open secret");
  await seeTitle(stranger, /^Secret$/);
});

test("a tab of a person who is no longer signed in opens, revokes and signs out nothing", async () => {
  await using place = await openPlace();
  const bob = place.person("bob");
  const { page, context } = await openSignedIn(browser, place, "ann");
  const { link, id } = await ask(page, place, "the staging password");
  await bob.must(["submit", link], { stdin: "hunter2 for ann" });
  const second = await ask(page, place, "another one");
  const [collecting, activity] = [await context.newPage(), await context.newPage()];
  await collecting.goto(`${place.server.url}/c/${id}`);
  await collecting.getByRole("button", { name: OPEN }).waitFor();
  await activity.goto(`${place.server.url}/activity`);
  await itemRow(activity, second.id).waitFor();
  const others = `others-of-${place.team}`;
  await place.admin("team", "create", others);
  const other = await context.newPage();
  await signInOn(other, place, "carl", others);

  await press(collecting, OPEN);
  await complaint(collecting, "carl is now signed in");
  await (await openDetails(activity, second.id)).getByRole("button", { name: "Revoke" }).click();
  await answer(activity, "Revoke");
  await complaint(activity, "carl is now signed in");
  await signOutOn(page);
  await answer(page, "Leave");
  await seeTitle(page, "That didn't work");
  await other.reload();
  await seeTitle(other, "Send a secret");

  await signInOn(other, place, "ann");
  expect((await bob.run(["submit", second.link], { stdin: "two" })).exitCode).toBe(0);
  // None of her items was taken for deleted meanwhile.
  await collecting.reload();
  await press(collecting, OPEN);
  await seeTitle(collecting, /^Secret$/);
});

test("signing in elsewhere during the reading of a list deletes no key", async () => {
  await using place = await openPlace();
  const { page, context } = await openSignedIn(browser, place, "ann");
  const { id } = await ask(page, place, "the staging password");
  const others = `others-of-${place.team}`;
  await place.admin("team", "create", others);
  // The list is read after carl has signed in, and his team has no such request.
  const [asked, signedIn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await page.route("**/app/requests?*", async (route) => {
    asked.resolve();
    await signedIn.promise;
    await route.continue();
  });
  await page.goto(`${place.server.url}/activity`);
  await asked.promise;
  const other = await context.newPage();
  await signInOn(other, place, "carl", others);
  signedIn.resolve();
  await page.getByRole("status").filter({ hasText: "carl is now signed in" }).waitFor();
  expect(await page.getByText(/Nothing here yet|haven't asked/).count()).toBe(0);
  await signInOn(other, place, "ann");
  await row(page, "the staging password").waitFor();
  await page.goto(`${place.server.url}/c/${id}`);
  await seeTitle(page, "the staging password");
});

test("a claim whose answer is lost is never called refused, and trying again gets the secret", async () => {
  await using place = await openPlace();
  const ann = await place.member("ann");
  const { page } = await browser.open();
  const link = await ann.must(["send"], { stdin: "text" });
  await page.goto(link);
  await page.getByText("Opens once").waitFor();
  await loseAnswers(page, "**/claim");
  await press(page, "Open secret");
  await complaint(page, "That didn't work");
  expect(await ann.must(["status", link])).toStartWith("opened");
  const seen = await page.locator("main").innerText();
  expect(seen.match(/Try again/g)).toHaveLength(1);
  expect(seen).not.toMatch(/opened once|haven't opened|used up|is lost/);
  await page.reload();
  await page.getByText("Try again right away in this tab").waitFor();
  await page.unroute("**/claim");
  await press(page, "Try again");
  await seeTitle(page, /^Secret$/);
  await page.getByText(/You can show it again in this tab for [45]:\d\d\./).waitFor();
});

test("after the replay window the tab says that it sent a claim, and blames nobody", async () => {
  await using place = await openOwnPlace(["--replay-window", "1s"]);
  const ann = await place.member("ann");
  const { page } = await browser.open();
  const link = await ann.must(["send"], { stdin: "text" });
  await page.goto(link);
  await loseAnswers(page, "**/claim");
  await press(page, "Open secret");
  await page.getByText("Try again right away in this tab").waitFor();
  await complaint(page, "That didn't work");
  await page.unroute("**/claim");
  await Bun.sleep(WINDOW_MS + 100);
  await press(page, "Open secret");
  for (const again of [() => undefined, () => page.reload(), () => page.goto(link)]) {
    await again();
    await seeTitle(page, "This secret has been opened");
    expect(await page.locator("main").innerText()).toMatch(
      /This tab asked for it .*\d:\d\d.*, and the answer never arrived/,
    );
  }
});

test("an answer lost while collecting is reported as such, within the replay window and after it", async () => {
  const collectLost = async (place: Place) => {
    const { page } = await openSignedIn(browser, place, "ann");
    const { link, id } = await ask(page, place, "note");
    await place.person("bob").must(["submit", link], { stdin: "hunter2" });
    await page.goto(`${place.server.url}/c/${id}`);
    await loseAnswers(page, "**/claim");
    await press(page, OPEN);
    await complaint(page, /The server may have handed it out.* until .*\d:\d\d/);
    await page.unroute("**/claim");
    await page.reload();
    await row(page, /Try again right away in this browser, by default until .*\d:\d\d/).waitFor();
    return page;
  };
  await using place = await openPlace();
  const page = await collectLost(place);
  await press(page, OPEN);
  await seeTitle(page, /^Secret$/);
  await press(page, "Back to the request");
  await answer(page, "Close");
  await row(page, "You opened it in this browser.").waitFor();

  await using hasty = await openOwnPlace(["--replay-window", "1s"]);
  const late = await collectLost(hasty);
  await Bun.sleep(WINDOW_MS + 100);
  await press(late, OPEN);
  await complaint(late, "It never arrived here. Ask for it to be handed in again.");
  await late.reload();
  await row(late, "It never arrived here. Ask for it to be handed in again.").waitFor();
  expect(await late.getByText("isn't in this browser").count()).toBe(0);
});

test("trying a link mistyped as the other kind loses nothing in the tab", async () => {
  for (const window of ["0s", "5m"]) {
    await using place = await openOwnPlace(["--replay-window", window]);
    const ann = await place.member("ann");
    const { page } = await browser.open();
    const openMistyped = async () => {
      const link = await sendLocked(place, { kind: "text", text: "text" }, "right");
      await page.goto(link.replace("#1p.", "#1."));
      await press(page, "Open secret");
      await complaint(
        page,
        "It needs a passphrase, too. Ask the sender for it, or compare this link with the original",
      );
      return link;
    };
    const openRight = async () => {
      await page.getByLabel("Passphrase", { exact: true }).fill("right");
      await press(page, "Open secret");
      await seeTitle(page, /^Secret$/);
    };
    const link = await openMistyped();
    await page.reload();
    await page.getByText("still locked by its passphrase. Keep this tab open").waitFor();
    await page.goto(link);
    await page.getByText("still locked by its passphrase. Keep this tab open").waitFor();
    await openRight();
    await page.goto((await ann.must(["send"], { stdin: "text" })).replace("#1.", "#1p."));
    await page.getByLabel("Passphrase", { exact: true }).fill("there is none");
    await press(page, "Open secret");
    await seeTitle(page, /^Secret$/);
  }
});

test("for a secret with several claims, the page says how many are left", async () => {
  await using place = await openPlace();
  const ann = await place.member("ann");
  const link = await ann.must(["send", "--claims", "3"], { stdin: "text" });
  await ann.must(["open", "--yes", link]);
  const { page } = await browser.open();
  await page.goto(link);
  await page.getByText("Opens 2 more times").waitFor();
  await press(page, "Open secret");
  await page.getByText("The link can be opened 1 more time.").waitFor();
});

test("signing out asks first when something is typed in another tab", async () => {
  await using place = await openPlace();
  const { page, context } = await browser.open();
  await signInOn(page, place, "ann");
  const typing = await context.newPage();
  await typing.goto(`${place.server.url}/`);
  await typing.getByLabel("Secret", { exact: true }).fill("typed by ann");
  await signOutOn(page);
  await page.getByRole("dialog").getByText("Another tab has text that isn't sent").waitFor();
  await answer(page, "Cancel");
  expect(await typing.getByLabel("Secret", { exact: true }).inputValue()).toBe("typed by ann");
  await signOutOn(page);
  await answer(page, "Sign out");
  await seeTitle(page, "Send secrets safely");
  await seeTitle(typing, "Send secrets safely");
});

test("a sign-in whose answer is lost is finished in the same tab, and in no other one", async () => {
  await using place = await openPlace();
  const { page } = await browser.open();
  const url = await place.admin("person", "add", "carl", "--team", place.team, "--base-url", place.server.url);
  await page.goto(url);
  // The server gets it, and the browser gets neither answer nor cookie.
  await page.route("**/app/session", async (route) => {
    const request = route.request();
    if (request.method() !== "POST") return route.continue();
    const response = await fetch(request.url(), {
      method: "POST",
      headers: await request.allHeaders(),
      body: request.postData(),
    });
    expect(response.status).toBe(200);
    await route.abort();
  });
  await press(page, "Sign in");
  await page.getByText("The link may have been used, and then it works in this tab only.").waitFor();
  const { page: other } = await browser.open();
  await other.goto(url);
  await press(other, "Sign in");
  await seeTitle(other, "This sign-in link doesn't work");
  // As a phone does with a hidden tab.
  await page.reload();
  await press(page, "Sign in");
  await page.getByText("The link may have been used").waitFor();
  await page.unroute("**/app/session");
  await press(page, "Try again");
  await seeTitle(page, "Send a secret");
  expect(await page.evaluate<string>("JSON.stringify({ ...sessionStorage })")).toBe("{}");
});

/** Limits the tab's storage to almost nothing. */
const SMALL_STORAGE =
  'const set = Storage.prototype.setItem; Storage.prototype.setItem = function (key, text) { if (text.length > 10_000) throw new DOMException("full", "QuotaExceededError"); set.call(this, key, text); };';

/** A file of random bytes, of so many times 64 KiB. */
function largeFile(times = 1): Content {
  const part = crypto.getRandomValues(Buffer.alloc(65_536));
  const bytes = Buffer.concat(Array.from({ length: times }, () => part));
  return { kind: "files", files: [{ name: "large.bin", bytes, isExecutable: false, isFolder: false }] };
}

/** The number of envelopes that the browser keeps because they are too large for a tab. */
const keptIn = (page: Page) =>
  page.evaluate<number>(
    `new Promise((resolve) => { indexedDB.open("handoff-envelopes").onsuccess = ({ target }) => { target.result.transaction("envelopes").objectStore("envelopes").count().onsuccess = (event) => { target.result.close(); resolve(event.target.result); }; }; })`,
  );

/** Claims with a wrong passphrase, and waits until the claim cannot be repeated. */
const tryWrong = async (page: Page, link: string) => {
  await page.goto(link);
  await page.getByLabel("Passphrase", { exact: true }).fill("wrong");
  await press(page, "Open secret");
  await complaint(page, "passphrase doesn't work");
  const isRepeatable = "Object.values(sessionStorage).some((each) => JSON.parse(each).until > Date.now())";
  await until(async () => !(await page.evaluate<boolean>(isRepeatable)), 50);
};

test("an envelope too large for tab storage survives a reload until it is decrypted or signed out of", async () => {
  await using place = await openOwnPlace(["--replay-window", "1s"]);
  const send = () => sendLocked(place, largeFile(110), "right");
  const { page, context } = await browser.open();
  await tryWrong(page, await send());
  expect(await keptIn(page)).toBe(1);
  await page.reload();
  await page.getByText("still locked by its passphrase. Keep this tab open").waitFor();
  await page.getByLabel("Passphrase", { exact: true }).fill("right");
  await press(page, "Open secret");
  await seeTitle(page, /^File$/);
  await until(async () => (await keptIn(page)) === 0, 20);
  expect(await page.evaluate<string>("JSON.stringify({ ...sessionStorage })")).not.toContain("fragment");

  // Signing out leaves nothing that was opened in this tab.
  await tryWrong(page, await send());
  await signInOn(page, place, "dora");
  expect(await keptIn(page)).toBe(1);
  const other = await context.newPage();
  await other.goto(place.server.url);
  await other.locator("summary").filter({ hasText: "Account of" }).click();
  await press(other, "Sign out");
  await seeTitle(page, "Send secrets safely");
  expect(await keptIn(page)).toBe(0);
});

test("where the browser keeps no large envelopes, the page says so and asks before leaving", async () => {
  await using place = await openOwnPlace(["--replay-window", "0s"]);
  const { page } = await browser.open();
  await page.addInitScript('Object.defineProperty(globalThis, "indexedDB", { value: undefined })');
  await page.addInitScript(SMALL_STORAGE);
  await page.goto(await sendLocked(place, largeFile(), "right"));
  await page.getByLabel("Passphrase", { exact: true }).fill("wrong");
  await press(page, "Open secret");
  await complaint(page, "passphrase doesn't work");
  await page.getByText("This browser can't keep it: don't close or reload this tab").waitFor();
  const asked = Promise.withResolvers<string>();
  page.once("dialog", (dialog) => {
    asked.resolve(dialog.type());
    void dialog.dismiss();
  });
  // The suppressed reload never ends.
  void page.reload({ timeout: 1000 }).catch(() => undefined);
  expect(await asked.promise).toBe("beforeunload");
  await page.getByLabel("Passphrase", { exact: true }).fill("right");
  await press(page, "Open secret");
  await seeTitle(page, /^File$/);
});

test("the envelope of a closed tab is deleted after a week", async () => {
  await using place = await openOwnPlace(["--replay-window", "1s"]);
  const link = await sendLocked(place, largeFile(), "right");
  const { page, context } = await browser.open();
  await page.addInitScript(SMALL_STORAGE);
  await tryWrong(page, link);
  await page.close();
  const later = await context.newPage();
  const day = 24 * 60 * 60 * 1000;
  await later.clock.install({ time: Date.now() + 6 * day });
  await later.goto(link);
  await seeTitle(later, "You opened this secret");
  expect(await keptIn(later)).toBe(1);
  await later.clock.fastForward(day);
  await later.reload();
  await until(async () => (await keptIn(later)) === 0, 20);
});
