import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import type { Page, Route } from "playwright-core";
import { PAGE_TEST_MS, startBrowser } from "../support/browsers.ts";
import { UNLIMITED } from "../support/executions.ts";
import {
  answer,
  ask,
  complaint,
  installClock,
  linkOn,
  openAs,
  openDetails,
  openSignedIn,
  press,
  readText,
  row,
  secretField,
  seeTitle,
  sendText,
} from "../support/page-visits.ts";
import { openPlace as openOwnPlace, shareServer } from "../support/people.ts";
import { startProgram } from "../support/running.ts";

setDefaultTimeout(PAGE_TEST_MS);
const browser = await startBrowser();
afterAll(() => browser[Symbol.asyncDispose]());
const openPlace = shareServer();

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const MAYBE = /may have handed out/;

/** An answer of a server whose storage is unavailable. */
const unavailable = (problem: object = {}, retryAfter = "5") => ({
  status: 503,
  contentType: "application/problem+json",
  headers: { "retry-after": retryAfter },
  json: { type: "about:blank", title: "x", status: 503, code: "storage_unavailable", request_id: "x", ...problem },
});
/** Holds calls to `path` back until they are released. */
async function holdUp(
  page: Page,
  path: string | RegExp,
): Promise<(answer: (route: Route) => Promise<void>) => Promise<void>> {
  const held: Route[] = [];
  let settle: ((route: Route) => Promise<void>) | undefined;
  await page.route(path, (route) => (settle ? settle(route) : void held.push(route)));
  return async (answered) => {
    settle = answered;
    await Promise.all(held.splice(0).map(answered));
  };
}
const mainText = (page: Page) => page.locator("main").innerText();

test("a secret that was surely not handed out is reported so, during retries and after a reload", async () => {
  await using place = await openPlace();
  const ann = await place.member("ann");
  const { page } = await browser.open(PHONE);
  const passTimeUntil = await installClock(page);
  const link = await ann.must(["send"], { stdin: "text" });
  await page.goto(link);
  await seeTitle(page, "Someone sent you a secret");
  await page.route("**/claim", (route) => route.fulfill(unavailable()));
  await press(page, "Open secret");
  await page.getByText("The server answered that nothing was handed out. This tab is trying again.").waitFor();
  expect(await mainText(page)).not.toMatch(MAYBE);
  await passTimeUntil(page.getByRole("alert").filter({ hasText: "unavailable" }));
  await complaint(page, "The server is unavailable. Try again in a minute. You haven't opened the secret yet.");
  expect(await mainText(page)).not.toMatch(/may have handed out|trying again/);
  await page.reload();
  await page.getByText("Opens once").waitFor();
  expect(await mainText(page)).not.toMatch(MAYBE);
  // Also in the middle of it.
  await press(page, "Open secret");
  await page.getByText("This tab is trying again.").waitFor();
  await page.reload();
  await page.getByText("Opens once").waitFor();
  expect(await mainText(page)).not.toMatch(MAYBE);
  await page.unroute("**/claim");
  await press(page, "Open secret");
  expect(await readText(page)).toBe("text");
});

test("a secret that may have been handed out is reported so from the first unclear answer on", async () => {
  await using place = await openPlace();
  const ann = await place.member("ann");
  const unknown = (route: Route) => route.fulfill(unavailable({ outcome: "unknown" }));
  for (const lose of [unknown, (route: Route) => route.abort()]) {
    const { page } = await browser.open(PHONE);
    const passTimeUntil = await installClock(page);
    await page.goto(await ann.must(["send"], { stdin: "text" }));
    const attempts: number[] = [];
    // A later refusal says nothing about the first attempt.
    await page.route("**/claim", (route) => (attempts.push(1) === 1 ? lose(route) : route.fulfill(unavailable())));
    await press(page, "Open secret");
    await page.getByText("already. This tab is trying again: keep it open.").waitFor();
    expect(await mainText(page)).not.toMatch(/Try again|handed out nothing|nothing was handed out/);
    await passTimeUntil(page.getByRole("alert").filter({ hasText: "unavailable" }));
    await page.getByText("already. Try again right away in this tab.").waitFor();
    expect(await page.getByRole("alert").innerText()).toBe("The server is unavailable.");
    await page.reload();
    await page.getByText("already. Try again right away in this tab.").waitFor();
    await page.unroute("**/claim");
    await press(page, "Open secret");
    expect(await readText(page)).toBe("text");
  }
});

test("a submission, too, is reported as possibly handed out only when it may have been", async () => {
  await using place = await openPlace();
  const { page } = await openSignedIn(browser, place, "ann");
  const { link, id } = await ask(page, place, "note");
  await place.person("bob").must(["submit", link], { stdin: "hunter2" });
  await page.goto(`${place.server.url}/c/${id}`);
  const attempts: number[] = [];
  await page.route("**/claim", (route) =>
    route.fulfill(unavailable(attempts.push(1) === 3 ? { outcome: "unknown" } : {}, "90")),
  );
  const tryToOpen = () => Promise.all([page.waitForResponse("**/claim"), press(page, /^Open: Secret 1 /)]);
  for (const _ of ["first", "second"]) {
    await tryToOpen();
    await complaint(page, "The server is unavailable. Try again in a minute. You haven't opened the secret yet.");
  }
  // The fourth attempt leaves the outcome of the third unknown.
  for (const _ of ["third", "fourth"]) {
    await tryToOpen();
    await complaint(page, MAYBE);
  }
  await page.unroute("**/claim");
  await press(page, /^Open: Secret 1 /);
  expect(await readText(page)).toBe("hunter2");
});

test("a slow server is reported as not having answered yet, and nothing else", async () => {
  await using place = await openPlace();
  const ann = await place.member("ann");
  const { page } = await browser.open(PHONE);
  await page.clock.install();
  const link = await ann.must(["send"], { stdin: "text" });
  const reading = await holdUp(page, /\/api\/v1\/secrets\/\w+$/);
  await page.goto(link);
  await page.getByText("One moment …").waitFor();
  await page.clock.runFor(6000);
  await page.getByText("The server hasn't answered yet.").waitFor();
  await reading((route) => route.continue());
  await seeTitle(page, "Someone sent you a secret");
  const claiming = await holdUp(page, "**/claim");
  await press(page, "Open secret");
  await page.getByRole("button", { name: "Opening…" }).waitFor();
  expect(await mainText(page)).not.toMatch(/hasn't answered|may have/);
  await page.clock.runFor(6000);
  await page.getByText("The server hasn't answered yet.").waitFor();
  expect(await mainText(page)).not.toMatch(MAYBE);
  await claiming((route) => route.continue());
  expect(await readText(page)).toBe("text");
});

test("sending shows that it waits for the server, before it encrypts or sends more", async () => {
  await using place = await openPlace();
  const { page } = await openAs(browser, place, "ann");
  await secretField(page).fill("text");
  const asking = await holdUp(page, "**/app/session");
  await press(page, "Create link");
  await seeTitle(page, "Waiting for the server to answer…");
  await page.getByText("The secret hasn't been sent yet.").waitFor();
  await asking((route) => route.continue());
  await seeTitle(page, "Your link is ready");
});

test("a revocation shows its progress at its button, until it is done or has failed", async () => {
  await using place = await openPlace();
  const { page, context } = await openSignedIn(browser, place, "ann");
  await page.setViewportSize(PHONE.viewport);
  const { id } = await ask(page, place, "note");
  const asked = await context.newPage();
  await asked.setViewportSize(PHONE.viewport);
  await asked.goto(`${place.server.url}/activity`);
  const item = await openDetails(asked, id);
  const revoking = await holdUp(asked, `**/requests/${id}`);
  await item.getByRole("button", { name: "Revoke" }).click();
  await answer(asked, "Revoke");
  await item.getByText("Revoking…").first().waitFor();
  await revoking((route) => route.fulfill(unavailable({}, "90")));
  await complaint(asked, "The server is unavailable. Try again in a minute.");
  expect(await item.getByText("Revoking…").count()).toBe(0);

  await page.goto(place.server.url);
  await sendText(page, "text");
  const strip = page.getByRole("region", { name: "What happens to it" });
  const ending = await holdUp(page, /\/app\/secrets\/\w+$/);
  await press(page, "Revoke");
  await answer(page, "Revoke");
  const button = strip.getByRole("button", { name: "Revoking…" });
  await button.waitFor();
  expect(await button.getAttribute("aria-disabled")).toBe("true");
  await ending((route) => route.continue());
  await seeTitle(page, "Your secret was revoked");
});

test("the notice of an unavailable server disappears once it answers, and stale content is marked", async () => {
  await using place = await openPlace();
  const { page } = await openSignedIn(browser, place, "ann");
  await page.clock.install();
  await page.goto(place.server.url);
  await sendText(page, "text");
  const strip = page.getByRole("region", { name: "What happens to it" });
  await strip.getByText("Waiting").waitFor();
  await page.route(/\/app\/secrets\/\w+$/, (route) =>
    route.request().method() === "DELETE" ? route.fulfill(unavailable({}, "90")) : route.continue(),
  );
  await press(page, "Revoke");
  await answer(page, "Revoke");
  await complaint(page, "The server is unavailable. Try again in a minute.");
  // An event elsewhere arrives, and is read.
  const bob = await place.member("bob");
  await bob.must(["send"], { stdin: "another" });
  await complaint(page, "That didn't work, but the server answers again. Try again.");
  // No retry is left.
  await bob.must(["open", "--yes", await linkOn(page)]);
  await seeTitle(page, "Your secret was opened");
  expect(await strip.getByRole("alert").innerText()).toBe("");
});

test("a list is marked as stale while the server does not answer", async () => {
  await using place = await openOwnPlace();
  const { page } = await openSignedIn(browser, place, "ann");
  await ask(page, place, "note");
  await page.goto(`${place.server.url}/activity`);
  await row(page, "note").waitFor();
  const stale = page.getByText("Can't reach the server. What you see may be out of date.");
  expect(await stale.count()).toBe(0);
  place.server.kill("SIGKILL");
  await stale.waitFor();
  expect(await page.getByRole("button", { name: "Try again" }).count()).toBe(0);
  const { host } = new URL(place.server.url);
  const data = ["--data-dir", join(place.folder, "data")];
  await using _ = await startProgram(["serve", "--listen", host, ...data, ...UNLIMITED]);
  await stale.waitFor({ state: "detached" });
});
