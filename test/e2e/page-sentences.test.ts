import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import type { Page } from "playwright-core";
import { encodeToken, TOKEN_ENTROPY_BYTES } from "../../src/contract/tokens.ts";
import { PAGE_TEST_MS, startBrowser } from "../support/browsers.ts";
import { answer, ask, itemRow, openSignedIn, press, revokeOn, seeTitle, signOutOn } from "../support/page-visits.ts";
import { openPlace as openOwnPlace, shareServer } from "../support/people.ts";

setDefaultTimeout(PAGE_TEST_MS);
const browser = await startBrowser();
afterAll(() => browser[Symbol.asyncDispose]());
const openPlace = shareServer();

/** `link` with another valid character in place of the one at `index`. */
function mistype(link: string, index: number): string {
  const at = link.length + index;
  return `${link.slice(0, at)}${link[at] === "E" ? "I" : "E"}${link.slice(at + 1)}`;
}

/** The text of the page while it waits to try again. */
const notice = (page: Page) => page.getByRole("status").filter({ hasText: "Trying again in" });

test("after too many wrong links the page shows how long it waits, and for no longer; a right link works", async () => {
  await using place = await openOwnPlace(["--failed-authentications", "1"]);
  const ann = await place.member("ann");
  const [link, other] = [await ann.must(["send"], { stdin: "text" }), await ann.must(["send"], { stdin: "text" })];
  const { page } = await browser.open();
  await page.clock.install();
  await page.goto(mistype(link, -5));
  await seeTitle(page, "This link doesn't work");
  await page.goto(mistype(other, -5));
  // It tries again four times.
  for (let count = 0; count < 4; count++) {
    await notice(page).filter({ hasText: "Too many attempts from your network." }).waitFor();
    const answered = page.waitForResponse((given) => given.status() === 429);
    await page.clock.fastForward(61_000);
    await answered;
  }
  await seeTitle(page, "Too many attempts");
  await page.getByText("This link doesn't work, and too many from your network have failed.").waitFor();
  expect(await notice(page).count()).toBe(0);
  await page.goto(link);
  await seeTitle(page, "Someone sent you a secret");

  // The same for a sign-in link, which is not reported as used.
  await page.goto(`${place.server.url}/sign-in#${encodeToken("person", new Uint8Array(TOKEN_ENTROPY_BYTES))}`);
  await press(page, "Sign in");
  await seeTitle(page, "Too many attempts");
  expect(await page.locator("main").innerText()).not.toContain("may have been used");
});

test("a request link with a typo is distinguished from a server that swaps keys, as far as possible", async () => {
  await using place = await openPlace();
  const ann = await place.member("ann", ["requests:create"]);
  const link = await ann.must(["request", "--note", "x"]);
  const { page } = await browser.open();
  const screens: readonly (readonly [string, string])[] = [
    // The pin at its end: either the server or the link is wrong, and the page cannot know which.
    [mistype(link, -3), "Stop: don't send anything"],
    [mistype(link, -22), "Stop: don't send anything"],
    // The seed before it: the server does not know the token.
    [mistype(link, -30), "This link doesn't work"],
    // A character that no link has, and one that its last character cannot be.
    [`${link.slice(0, -3)}!${link.slice(-2)}`, "This link doesn't work"],
    [`${link.slice(0, -1)}B`, "This link doesn't work"],
    [link.slice(0, -1), "This link is incomplete"],
    [`${link}A`, "This link has extra characters"],
  ];
  for (const [wrong, title] of screens) {
    await page.goto(wrong);
    await seeTitle(page, title);
    expect(await page.getByRole("button", { name: "Hand in" }).count()).toBe(0);
  }
  await page.goto(mistype(link, -3));
  await page
    .getByText("The link is damaged, or the server is trying to read what you send. Nothing was sent.")
    .waitFor();
  await page.goto(link);
  await seeTitle(page, "You've been asked for a secret");
});

test("notices of an unavailable server and of being signed out disappear when they are over", async () => {
  await using place = await openPlace();
  const { page } = await openSignedIn(browser, place, "ann");
  await page.clock.install();
  await page.goto(`${place.server.url}/activity`);
  await seeTitle(page, "Nothing here yet");
  await page.route("**/app/secrets?*", (route) =>
    route.fulfill({
      status: 503,
      headers: { "retry-after": "30" },
      contentType: "application/problem+json",
      json: { type: "about:blank", title: "x", status: 503, code: "storage_unavailable", request_id: "x" },
    }),
  );
  await page.reload();
  await page.getByText("The server is unavailable. Trying again in 30 seconds…").waitFor();
  await page.unroute("**/app/secrets?*");
  await page.clock.fastForward(31_000);
  await seeTitle(page, "Nothing here yet");
  expect(await notice(page).count()).toBe(0);

  const cookies = await page.context().cookies();
  await page.context().clearCookies();
  await page.reload();
  await seeTitle(page, "Send secrets safely");
  await page.context().addCookies(cookies);
  await page.reload();
  await seeTitle(page, "Nothing here yet");
});

test("at sign-out the page asks about as many keys as can still open something", async () => {
  await using place = await openOwnPlace(["--replay-window", "0s"]);
  const bob = place.person("bob");
  const { page } = await openSignedIn(browser, place, "ann");
  const asked = async (text: string): Promise<void> => {
    await page.goto(`${place.server.url}/`);
    await signOutOn(page);
    await page.getByRole("dialog").getByText(text).waitFor();
    await answer(page, "Cancel");
  };
  const collect = async (id: string): Promise<void> => {
    await page.goto(`${place.server.url}/c/${id}`);
    await press(page, /^Open: /);
    await seeTitle(page, /^Secret$/);
  };
  const [first, second, third] = [
    await ask(page, place, "one"),
    await ask(page, place, "two"),
    await ask(page, place, "three"),
  ];
  await asked("the private keys of 3 requests. Without their backups, nobody");
  // Revoked without submissions, and opened: neither needs its key.
  await revokeOn(page, place, third.id);
  await itemRow(page, third.id).filter({ hasText: "Revoked" }).waitFor();
  await asked("the private keys of 2 requests.");
  await bob.must(["submit", first.link], { stdin: "secret" });
  await collect(first.id);
  await asked("the private key of 1 request. Without its backup, nobody");
  // A fulfilled request that was not opened yet does.
  await bob.must(["submit", second.link], { stdin: "secret" });
  await asked("the private key of 1 request.");
  await collect(second.id);
  await page.goto(`${place.server.url}/`);
  await signOutOn(page);
  await seeTitle(page, "Send secrets safely");
});
