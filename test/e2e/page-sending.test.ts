import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import type { Page, Route } from "playwright-core";
import { PAGE_TEST_MS, startBrowser } from "../support/browsers.ts";
import {
  answer,
  complaint,
  linkOn,
  openAs,
  press,
  secretField,
  seeScreen,
  seeTitle,
  sendText,
  sentStrip,
} from "../support/page-visits.ts";
import { shareServer } from "../support/people.ts";
import type { Person } from "../support/people.ts";

setDefaultTimeout(PAGE_TEST_MS);
const browser = await startBrowser();
afterAll(() => browser[Symbol.asyncDispose]());
const openPlace = shareServer();

const chooseFile = (page: Page, name: string, text: string) =>
  page
    .locator("input[type=file]")
    .first()
    .setInputFiles([{ name, mimeType: "", buffer: Buffer.from(text) }]);

test("a person sends text and files together, sees them opened live, and revokes another secret", async () => {
  await using place = await openPlace();
  const bob = place.person("bob");
  const visit = await openAs(browser, place, "ann@example.com");
  const { page } = visit;
  await secretField(page).fill("from the page");
  await chooseFile(page, "a.txt", "of a file");
  await page.locator(".file-meta").getByText("9 bytes", { exact: true }).waitFor();
  await page.getByText("Opens once · 7 days · no passphrase").click();
  await page.getByLabel("Passphrase (optional)").fill(" correct horse ");
  await page.getByText("Spaces at its start and end don't count.").waitFor();
  await seeScreen(visit, "Send a secret");
  await press(page, "Create link");
  await seeScreen(visit, "Your link is ready");
  const link = await linkOn(page);
  await page.getByRole("img", { name: "QR code" }).waitFor();
  await seeScreen(visit, "Your link is ready");
  await sentStrip(page).getByText("Waiting").waitFor();
  await Bun.write(join(bob.home, "pass"), "correct horse\n");
  await bob.must(["open", "--yes", link, "--passphrase-file", "pass", "--output", "in"]);
  expect(await Bun.file(join(bob.home, "in/a.txt")).text()).toBe("of a file");
  expect(await Bun.file(join(bob.home, "in/secret.txt")).text()).toBe("from the page");
  // Without a reload.
  await seeScreen(visit, "Your secret was opened");
  expect(await page.title()).toStartWith("Your secret was opened");
  expect(await page.getByRole("button", { name: /Copy|QR|Revoke/ }).count()).toBe(0);

  await press(page, "Send another");
  const second = await sendText(page, "to be revoked");
  await press(page, "Revoke");
  await answer(page, "Cancel");
  await press(page, "Revoke");
  await answer(page, "Revoke");
  await seeScreen(visit, "Your secret was revoked");
  expect(await page.locator("main").innerText()).not.toMatch(/Your link is ready|#1\./);
  expect((await bob.run(["open", "--yes", second])).exitCode).toBe(4);
  expect(place.server.stderr()).not.toMatch(/from the page|hut_|correct horse/);
});

test("a secret opened during its revocation is shown as opened, without a complaint", async () => {
  await using place = await openPlace();
  const bob = place.person("bob");
  const { page } = await openAs(browser, place, "ann");
  const link = await sendText(page, "text");
  await page.evaluate(
    `alerts = []; new MutationObserver(() => alerts.push(...[...document.querySelectorAll("[role=alert]")].map((each) => each.textContent).filter(Boolean))).observe(document.body, { subtree: true, childList: true, characterData: true })`,
  );
  await press(page, "Revoke");
  // The event reaches the page only afterwards.
  await page.route("**/app/events?*", (route) => route.abort());
  await bob.must(["open", "--yes", link]);
  const revocation = page.waitForResponse((response) => response.request().method() === "DELETE");
  await answer(page, "Revoke");
  expect((await revocation).status()).toBe(410);
  await seeTitle(page, "Your secret was opened");
  expect(await page.evaluate<string[]>("alerts")).toEqual([]);
});

test("neither a lost answer nor a second Ctrl + Enter sends anything twice", async () => {
  await using place = await openPlace();
  const bob = await place.member("bob");
  const { page } = await openAs(browser, place, "ann");
  await secretField(page).fill("once");
  await page.route("**/app/secrets?*", async (route) => {
    await route.fetch();
    await route.fulfill({ status: 500, json: { code: "internal" } });
  });
  await secretField(page).press("Control+Enter");
  await complaint(page, "Try again");
  await page.unroute("**/app/secrets?*");
  await secretField(page).press("Control+Enter");
  await seeTitle(page, "Your link is ready");
  expect(JSON.parse(await bob.must(["list", "--json"]))).toHaveLength(1);
});

const statesOf = async (reader: Person) =>
  (JSON.parse(await reader.must(["list", "--json"])) as readonly { readonly state: string }[]).map(
    ({ state }) => state,
  );

/**
 * Lets the page's creation reach the server, and loses the answer until released. Resolves with the function that
 * releases it.
 */
async function holdCreation(page: Page, reach: (route: Route) => Promise<unknown>): Promise<() => void> {
  const held = Promise.withResolvers<void>();
  await page.route("**/app/secrets?*", async (route) => {
    if (route.request().method() !== "POST") return route.continue();
    await reach(route);
    await held.promise;
    return route.abort().catch(() => undefined);
  });
  return held.resolve;
}

test("a secret canceled after it arrived is revoked, with a message, and can then be sent anew", async () => {
  await using place = await openPlace();
  const bob = await place.member("bob");
  const visit = await openAs(browser, place, "ann");
  const { page } = visit;
  await sendText(page, "alike");
  await press(page, "Send another");
  await answer(page, "Leave");
  await secretField(page).fill("typed");
  const letGo = await holdCreation(page, (route) => route.fetch());
  await press(page, "Create link");
  await seeScreen(visit, "Sending…");
  await press(page, "Cancel");
  await complaint(page, "It had already reached the server, so it was revoked");
  letGo();
  // An earlier secret of the same size stays.
  expect(await statesOf(bob)).toEqual(["revoked", "available"]);
  expect(await secretField(page).inputValue()).toBe("typed");
  await page.unroute("**/app/secrets?*");
  await press(page, "Create link");
  await seeTitle(page, "Your link is ready");
  expect(await statesOf(bob)).toEqual(["available", "revoked", "available"]);
  expect(await bob.must(["open", "--yes", await linkOn(page)])).toBe("typed");
});

test("a secret canceled while the server stores it is revoked as soon as the answer arrives", async () => {
  await using place = await openPlace();
  const bob = await place.member("bob");
  const visit = await openAs(browser, place, "ann");
  const { page, context } = visit;
  const cdp = await context.newCDPSession(page);
  const answered = Promise.withResolvers<string>();
  cdp.on("Fetch.requestPaused", ({ requestId, request }) => {
    if (request.method === "POST") answered.resolve(requestId);
    else void cdp.send("Fetch.continueRequest", { requestId });
  });
  // The server has stored it, and its answer is still on the way.
  await cdp.send("Fetch.enable", { patterns: [{ urlPattern: "*/app/secrets?*", requestStage: "Response" }] });
  await secretField(page).fill("typed");
  await press(page, "Create link");
  const requestId = await answered.promise;
  await page.getByText("Waiting for the server to answer…").waitFor();
  await press(page, "Cancel");
  await seeScreen(visit, "Canceling…");
  expect(await statesOf(bob)).toEqual(["available"]);
  await cdp.send("Fetch.continueRequest", { requestId });
  await complaint(page, "It had already reached the server, so it was revoked");
  expect(await statesOf(bob)).toEqual(["revoked"]);
});

test("the page tells the truth about a secret canceled before it arrived, and about an unknown outcome", async () => {
  await using place = await openPlace();
  const bob = await place.member("bob");
  const { page, context } = await openAs(browser, place, "ann");
  await secretField(page).fill("typed");
  const letGo = await holdCreation(page, async () => undefined);
  await press(page, "Create link");
  await press(page, "Cancel");
  await complaint(page, "The server has stored nothing of it");
  letGo();
  expect(await statesOf(bob)).toEqual([]);
  await page.unroute("**/app/secrets?*");

  const reached = Promise.withResolvers<void>();
  const letGoAgain = await holdCreation(page, async (route) => {
    await route.fetch();
    reached.resolve();
  });
  await press(page, "Create link");
  await reached.promise;
  await context.setOffline(true);
  await press(page, "Cancel");
  await complaint(page, "if it's waiting in Activity, revoke it there");
  letGoAgain();
  expect(await statesOf(bob)).toEqual(["available"]);
  await page.unroute("**/app/secrets?*");
  await context.setOffline(false);
  await press(page, "Create link");
  await seeTitle(page, "Your link is ready");
  expect(await statesOf(bob)).toEqual(["available"]);
});
