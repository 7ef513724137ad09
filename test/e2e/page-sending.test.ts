import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import type { Page, Request } from "playwright-core";
import { PAGE_TEST_MS, startBrowser } from "../support/browsers.ts";
import { answer, complaint, openAs, press, seeScreen, seeTitle, signInOn } from "../support/page-visits.ts";
import { openPlace } from "../support/people.ts";

setDefaultTimeout(PAGE_TEST_MS);
const browser = await startBrowser();
afterAll(() => browser[Symbol.asyncDispose]());

const secret = (page: Page) => page.getByLabel("Secret", { exact: true });
/** The strip that says what becomes of what was sent. */
const strip = (page: Page) => page.getByRole("region", { name: "What happens to it" });
const linkOn = async (page: Page) => (await page.getByLabel("The link", { exact: true }).textContent()) ?? "";
const chooseFile = (page: Page, name: string, text: string) =>
  page
    .locator("input[type=file]")
    .first()
    .setInputFiles([{ name, mimeType: "", buffer: Buffer.from(text) }]);

async function send(page: Page, text: string): Promise<string> {
  await secret(page).fill(text);
  await press(page, "Create link");
  await seeTitle(page, "Your link is ready");
  return linkOn(page);
}

test("a person sends text and files as one, sees them opened as it happens, and revokes another", async () => {
  await using place = await openPlace();
  const bob = place.person("bob");
  const visit = await openAs(browser, place, "ann@example.com");
  const { page } = visit;
  await secret(page).fill("from the page");
  await chooseFile(page, "a.txt", "of a file");
  await page.getByText("22 bytes of").waitFor();
  await page.getByText("7 days, opens once, no passphrase").click();
  await page.getByLabel("Passphrase (optional)").fill(" correct horse ");
  await page.getByText("Spaces at its start and end don't count.").waitFor();
  await seeScreen(visit, "Send a secret");
  await press(page, "Create link");
  await seeScreen(visit, "Your link is ready");
  const link = await linkOn(page);
  await press(page, "QR code");
  await page.getByRole("img", { name: "QR code" }).waitFor();
  await seeScreen(visit, "Your link is ready");
  await strip(page).getByText("Waiting").waitFor();
  await Bun.write(join(bob.home, "pass"), "correct horse\n");
  await bob.must(["open", "--yes", link, "--passphrase-file", "pass", "--output", "in"]);
  expect(await Bun.file(join(bob.home, "in/a.txt")).text()).toBe("of a file");
  expect(await Bun.file(join(bob.home, "in/secret.txt")).text()).toBe("from the page");
  // Without a reload.
  await seeScreen(visit, "Your secret was opened");
  expect(await page.title()).toStartWith("Your secret was opened");
  expect(await page.getByRole("button", { name: /Copy|QR|Revoke/ }).count()).toBe(0);

  await press(page, "Send another");
  const second = await send(page, "to be revoked");
  await press(page, "Revoke");
  await answer(page, "Cancel");
  await press(page, "Revoke");
  await answer(page, "Revoke");
  await seeScreen(visit, "Your secret was revoked");
  expect(await page.locator("main").innerText()).not.toMatch(/Your link is ready|#1\./);
  expect((await bob.run(["open", "--yes", second])).exitCode).toBe(4);
  expect(place.server.stderr()).not.toMatch(/from the page|hut_|correct horse/);
});

test("a secret that is opened while its sender revokes it is shown as opened, without a complaint", async () => {
  await using place = await openPlace();
  const bob = place.person("bob");
  const { page } = await openAs(browser, place, "ann");
  const link = await send(page, "text");
  await page.evaluate(
    `alerts = []; new MutationObserver(() => alerts.push(...[...document.querySelectorAll("[role=alert]")].map((each) => each.textContent).filter(Boolean))).observe(document.body, { subtree: true, childList: true, characterData: true })`,
  );
  await press(page, "Revoke");
  // What has happened meanwhile reaches the page only afterwards.
  await page.route("**/app/events?*", (route) => route.abort());
  await bob.must(["open", "--yes", link]);
  const revocation = page.waitForResponse((response) => response.request().method() === "DELETE");
  await answer(page, "Revoke");
  expect((await revocation).status()).toBe(410);
  await seeTitle(page, "Your secret was opened");
  expect(await page.evaluate<string[]>("alerts")).toEqual([]);
});

test("of a secret that can be opened several times, the page says how often it was", async () => {
  await using place = await openPlace();
  const bob = place.person("bob");
  const { page } = await openAs(browser, place, "ann");
  await page.getByText("7 days, opens once, no passphrase").click();
  await page.getByText("3 times", { exact: true }).click();
  await page.getByText("1 day", { exact: true }).click();
  await page.getByText("1 day, opens 3 times, no passphrase").waitFor();
  const link = await send(page, "text");
  await page.getByRole("listitem").filter({ hasText: "Opens 3 times" }).waitFor();
  await page.getByText("Expires in 1 day").waitFor();
  await bob.must(["open", "--yes", link]);
  await strip(page).getByText("Opened 1 of 3").waitFor();
  // It can still be passed on.
  expect(await linkOn(page)).toBe(link);
});

test("an answer that is lost sends nothing twice, and so does pressing Ctrl and Enter again", async () => {
  await using place = await openPlace();
  const bob = await place.member("bob");
  const { page } = await openAs(browser, place, "ann");
  await secret(page).fill("once");
  await page.route("**/app/secrets?*", async (route) => {
    await route.fetch();
    await route.fulfill({ status: 500, json: { code: "internal" } });
  });
  await secret(page).press("Control+Enter");
  await complaint(page, "Try again");
  await page.unroute("**/app/secrets?*");
  await secret(page).press("Control+Enter");
  await seeTitle(page, "Your link is ready");
  expect(JSON.parse(await bob.must(["list", "--json"]))).toHaveLength(1);
});

test("what the page sends can be canceled, which it says the truth about, and is then sent once", async () => {
  await using place = await openPlace();
  const bob = await place.member("bob");
  const visit = await openAs(browser, place, "ann");
  const { page } = visit;
  await secret(page).fill("typed");
  const held = Promise.withResolvers<void>();
  await page.route("**/app/secrets?*", async (route) => {
    await route.fetch();
    await held.promise;
    await route.abort().catch(() => undefined);
  });
  await press(page, "Create link");
  await seeScreen(visit, "Sending…");
  await press(page, "Cancel");
  held.resolve();
  await complaint(page, "It may have reached the server, but nobody has the link");
  expect(await secret(page).inputValue()).toBe("typed");
  await page.unroute("**/app/secrets?*");
  await press(page, "Create link");
  await seeTitle(page, "Your link is ready");
  expect(JSON.parse(await bob.must(["list", "--json"]))).toHaveLength(1);
});

test("a message to pass on has the link and its terms, and what the passphrase needs is a step of its own", async () => {
  await using place = await openPlace();
  const visit = await openAs(browser, place, "ann");
  const { page, context } = visit;
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const clipboard = () => page.evaluate<string>("navigator.clipboard.readText()");
  const link = await send(page, "text");
  await press(page, "Copy link");
  await page.getByRole("button", { name: "Copied" }).waitFor();
  expect(await clipboard()).toBe(link);
  await page.getByText("Message to go with it").click();
  await press(page, "Copy message");
  const message = await clipboard();
  expect(message).toContain(link);
  expect(message).toMatch(/It opens once, until \w+day.*\d:\d\d.*:/);

  await press(page, "Send another");
  await page.getByText("7 days, opens once, no passphrase").click();
  await press(page, "Suggest one");
  await page.getByText("55 bits").waitFor();
  const suggested = await page.getByLabel("Passphrase (optional)").inputValue();
  expect(suggested).toMatch(/^([a-z]+-){4}[a-z]+$/);
  await press(page, "Make a password");
  expect(await secret(page).inputValue()).toMatch(/^\w{20}$/);
  await press(page, "Create link");
  await seeScreen(visit, "Your link is ready");
  expect(await page.locator("main").innerText()).not.toContain(suggested);
  expect(await page.locator("main").innerText()).not.toContain("Anyone with the link");
  await press(page, "Show passphrase");
  await page.getByText(suggested).waitFor();
  await press(page, "Copy passphrase");
  expect(await clipboard()).toBe(suggested);
});

test("on a phone that can share, sharing comes first", async () => {
  await using place = await openPlace();
  const visit = await browser.open({ viewport: { width: 390, height: 800 }, isMobile: true, hasTouch: true });
  const { page } = visit;
  await page.addInitScript("shared = []; navigator.share = async (data) => void shared.push(data)");
  await signInOn(page, place, "ann");
  const link = await send(page, "text");
  await seeScreen(visit, "Your link is ready");
  await page.getByRole("button", { name: "Share link…" }).tap();
  expect(await page.evaluate<unknown>("shared")).toEqual([{ url: link }]);
  expect(await page.getByRole("button", { name: "Share", exact: true }).count()).toBe(0);
  // It has left the page, and nothing is lost with it.
  await page.getByRole("button", { name: "Send another" }).tap();
  await seeTitle(page, "Send a secret");
});

test("a copy that the browser refuses is said to be so, and the link is selected", async () => {
  await using place = await openPlace();
  const { page } = await openAs(browser, place, "ann");
  const link = await send(page, "text");
  await page.evaluate("navigator.clipboard.writeText = () => Promise.reject(new Error('refused'))");
  await press(page, "Copy link");
  await page.getByRole("status").filter({ hasText: "let the page copy" }).waitFor();
  expect(await page.evaluate<string>("getSelection().toString()")).toBe(link);
});

test("a name is left out where the sender wants that, and told where they don't", async () => {
  await using place = await openPlace();
  const { page } = await openAs(browser, place, "ann@example.com");
  for (const isNamed of [true, false]) {
    await page.getByText("7 days, opens once, no passphrase").click();
    await page.getByLabel("Tell the recipient it's from ann@example.com").setChecked(isNamed);
    const request = page.waitForRequest(/\/app\/secrets\?/);
    await send(page, "text");
    expect(new URL((await request).url()).searchParams.get("anonymous")).toBe(isNamed ? null : "true");
    await press(page, "Send another");
    await answer(page, "Leave");
  }
});

test("when somebody else signs in in another tab, nothing is sent in their name", async () => {
  await using place = await openPlace();
  const bob = await place.member("bob");
  const { page, context } = await openAs(browser, place, "ann");
  await signInOn(await context.newPage(), place, "carl");
  await secret(page).fill("of ann");
  await press(page, "Create link");
  await complaint(page, "carl");
  expect(await bob.must(["list", "--json"])).toBe("[]");
});

test("somebody who is signed out elsewhere is told so, loses nothing, and goes on once signed in again", async () => {
  await using place = await openPlace();
  const { page, context } = await openAs(browser, place, "ann");
  await secret(page).fill("typed before");
  const data = join(place.folder, "data");
  await place.person("admin").must(["admin", "person", "sign-out", "ann", "--data-dir", data]);
  await press(page, "Create link");
  await complaint(page, "signed out");
  await signInOn(await context.newPage(), place, "ann");
  await press(page, "Create link");
  await seeTitle(page, "Your link is ready");
});

test("what the server allows is what can be chosen, and what is chosen first", async () => {
  await using place = await openPlace(["--max-expires", "30m", "--default-expires", "30m", "--default-claims", "4"]);
  const { page } = await openAs(browser, place, "ann");
  await page.getByText("30 minutes, opens 4 times, no passphrase").click();
  const lifetimes = page.getByRole("group", { name: "Expires in" });
  expect(await lifetimes.getByRole("radio").count()).toBe(2);
  expect(await lifetimes.getByLabel("30 minutes").isChecked()).toBe(true);
  expect(await page.getByLabel("4 times").isChecked()).toBe(true);
  await lifetimes.getByText("Other…").click();
  await lifetimes.getByRole("spinbutton").fill("31");
  await secret(page).fill("x");
  await press(page, "Create link");
  await complaint(page, "Enter a time from 1 minute to 30 minutes.");
  await lifetimes.getByRole("spinbutton").fill("20");
  await page.getByText("20 minutes, opens 4 times, no passphrase").waitFor();
  await press(page, "Create link");
  await page.getByText("Expires in 20 minutes").waitFor();
});

test("a page that nobody looks at holds no connection, and shows what happened when it is looked at again", async () => {
  await using place = await openPlace();
  const { page } = await openAs(browser, place, "ann");
  const open = new Set<Request>();
  page.on("request", (request) => request.url().includes("/app/") && open.add(request));
  page.on("requestfinished", (request) => open.delete(request));
  page.on("requestfailed", (request) => open.delete(request));
  // What was under way before is not among them.
  await page.reload();
  const link = await send(page, "x");
  await strip(page).getByText("Waiting").waitFor();
  const show = (isHidden: boolean) =>
    page.evaluate(
      `Object.defineProperty(document, "hidden", { value: ${isHidden}, configurable: true }); document.dispatchEvent(new Event("visibilitychange"))`,
    );
  await show(true);
  while (open.size > 0) await Bun.sleep(20);
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await place.person("bob").must(["open", "--yes", link]);
  expect(asked).toEqual([]);
  await show(false);
  await seeTitle(page, "Your secret was opened");
});
