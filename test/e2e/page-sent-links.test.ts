import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { PAGE_TEST_MS, startBrowser } from "../support/browsers.ts";
import {
  answer,
  linkOn,
  openAs,
  press,
  secretField,
  seeScreen,
  seeTitle,
  sendText,
  sentStrip,
  signInOn,
} from "../support/page-visits.ts";
import { shareServer } from "../support/people.ts";

setDefaultTimeout(PAGE_TEST_MS);
const browser = await startBrowser();
afterAll(() => browser[Symbol.asyncDispose]());
const openPlace = shareServer();

test("for a secret with several claims, the page says how often it was opened", async () => {
  await using place = await openPlace();
  const bob = place.person("bob");
  const { page } = await openAs(browser, place, "ann");
  await page.getByText("Opens once · 7 days · no passphrase").click();
  await page.getByText("3 times", { exact: true }).click();
  await page.getByText("1 day", { exact: true }).click();
  await page.getByText("Opens 3 times · 1 day · no passphrase").waitFor();
  const link = await sendText(page, "text");
  await page.getByText(/^Anyone with it can open the secret 3 times, until tomorrow, \d+:\d+\. The link/).waitFor();
  await bob.must(["open", "--yes", link]);
  await sentStrip(page).getByText("Opened 1 of 3").waitFor();
  // The link can still be passed on.
  expect(await linkOn(page)).toBe(link);
});

test("the message has the link and its terms, and a passphrase is a separate step", async () => {
  await using place = await openPlace();
  const visit = await openAs(browser, place, "ann");
  const { page, context } = visit;
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const clipboard = () => page.evaluate<string>("navigator.clipboard.readText()");
  const link = await sendText(page, "text");
  await page.getByText(/^Anyone with it can open the secret once, until /).waitFor();
  await press(page, "Copy link");
  await page.getByRole("button", { name: "Copied" }).waitFor();
  expect(await clipboard()).toBe(link);
  await press(page, "Copy as a message");
  const message = await clipboard();
  expect(message).toContain(link);
  expect(message).toMatch(/It opens once, until \w+day.*\d:\d\d.*:/);

  await press(page, "Send another");
  await page.getByText("Opens once · 7 days · no passphrase").click();
  await press(page, "Suggest one");
  await page.getByText("55 bits").waitFor();
  const suggested = await page.getByLabel("Passphrase (optional)").inputValue();
  expect(suggested).toMatch(/^([a-z]+-){4}[a-z]+$/);
  await press(page, "Make a password");
  expect(await secretField(page).inputValue()).toMatch(/^\w{20}$/);
  await press(page, "Create link");
  await seeScreen(visit, "Your link is ready");
  expect(await page.locator("main").innerText()).not.toContain(suggested);
  expect(await page.locator("main").innerText()).not.toContain("Anyone with it");
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
  const link = await sendText(page, "text");
  await seeScreen(visit, "Your link is ready");
  await page.getByRole("button", { name: "Share…" }).tap();
  // A message that says what the link is, and not the link alone.
  expect(await page.evaluate<unknown>("shared")).toEqual([
    { text: expect.stringMatching(/^Here is a secret for you\./) },
  ]);
  expect(await page.evaluate<string>("shared[0].text")).toEndWith(`\n${link}`);
  // The link was shared, and leaving loses nothing.
  await page.getByRole("button", { name: "Send another" }).tap();
  await seeTitle(page, "Send a secret");
});

test("a refused copy is reported, and the link is selected", async () => {
  await using place = await openPlace();
  const { page } = await openAs(browser, place, "ann");
  const link = await sendText(page, "text");
  await page.evaluate("navigator.clipboard.writeText = () => Promise.reject(new Error('refused'))");
  await press(page, "Copy link");
  await page.getByRole("status").filter({ hasText: "let the page copy" }).waitFor();
  expect(await page.evaluate<string>("getSelection().toString()")).toBe(link);
});

test("the sender's name is hidden on request, and otherwise shown", async () => {
  await using place = await openPlace();
  const { page } = await openAs(browser, place, "ann@example.com");
  for (const isNamed of [true, false]) {
    await page.getByText("Opens once · 7 days · no passphrase").click();
    await page.getByLabel("Tell the recipient it's from ann@example.com").setChecked(isNamed);
    const request = page.waitForRequest(/\/app\/secrets\?/);
    await sendText(page, "text");
    expect(new URL((await request).url()).searchParams.get("anonymous")).toBe(isNamed ? null : "true");
    await press(page, "Send another");
    await answer(page, "Leave");
  }
});
