import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import type { Page } from "playwright-core";
import { bundlePage } from "../../src/cli/server/page-bundle.ts";
import { TOPICS } from "../../src/manual/topics.ts";
import { findViolations, findViolationsInThemes } from "../support/accessibility.ts";
import { PAGE_TEST_MS, startBrowser } from "../support/browsers.ts";
import { startTestServer } from "../support/server.ts";

setDefaultTimeout(PAGE_TEST_MS);
const browser = await startBrowser();
const bundle = bundlePage();
const server = await startTestServer({ http: { page: async () => bundle } });
afterAll(async () => {
  await browser[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

const topic = (name: string) => `${server.url}/manual/${name}`;

async function search(page: Page, words: string): Promise<void> {
  await page.getByRole("searchbox", { name: "Search the manual" }).fill(words);
  await page.getByRole("heading", { level: 1, name: `“${words}”` }).waitFor();
}

test("the search finds a place, leads there, and makes way when it is emptied", async () => {
  const { page, complaints } = await browser.open();
  await page.goto(topic("send"));
  await search(page, "stock tools");
  expect(await findViolations(page)).toEqual([]);
  expect(await page.getByRole("status").textContent()).toMatch(/^\d+ places for “stock tools”$/);
  expect(await page.locator(".hits mark").allTextContents()).toContain("stock");
  expect(await page.locator("article").isVisible()).toBe(false);
  await search(page, "<b>frobnicate");
  expect(await page.locator(".found").textContent()).toContain("No places for “<b>frobnicate”");
  await page.getByRole("searchbox").fill("");
  await page.locator("article").waitFor();
  await search(page, "HANDOFF_TRUSTED_PROXY");
  await page
    .locator(".hits a", { hasText: /^Settings/ })
    .first()
    .click();
  await page.waitForURL(`${topic("settings")}#*`);
  expect(complaints).toEqual([]);
});

test("the search comes back with the words, says how many places it leaves out, and marks words for the same", async () => {
  const { page } = await browser.open();
  await page.goto(topic("send"));
  await search(page, "server");
  expect(await page.locator(".found h1").textContent()).toMatch(/^First 50 of \d+ places for “server”$/);
  expect(await page.locator(".hits > li").count()).toBe(50);
  await search(page, "ssl");
  expect(await page.locator(".hits mark").allTextContents()).toContain("TLS");
  await page.locator(".hits a").first().click();
  await page.locator("article").waitFor();
  await page.goBack();
  await page.getByRole("heading", { level: 1, name: "places for “ssl”" }).waitFor();
  expect(await page.getByRole("searchbox").inputValue()).toBe("ssl");
});

test("the search says when the server can't be reached, and works again after that", async () => {
  const { page } = await browser.open();
  await page.goto(`${server.url}/manual`);
  await page.route("**/passages.json", (route) => route.abort());
  await page.getByRole("searchbox").fill("nginx");
  await page.getByRole("alert").getByText("Can't reach the server.").waitFor();
  await page.unroute("**/passages.json");
  await search(page, "nginx conf");
  await page.locator(".hits a").getByText("Proxies").first().waitFor();
});

test("the manual is in order in both themes and in narrow windows, where wide tables scroll by themselves and no line of code is cut off", async () => {
  const { page, complaints } = await browser.open({ viewport: { width: 320, height: 700 } });
  const cut = "[...document.querySelectorAll('pre')].some((each) => each.scrollWidth > each.clientWidth)";
  const scrolls = "[...document.querySelectorAll('.scroll')].some((box) => box.scrollWidth > box.clientWidth)";
  const widths: Record<string, unknown> = {};
  const scrolling: string[] = [];
  for (const path of ["/manual", ...TOPICS.map(({ name }) => `/manual/${name}`)]) {
    await page.goto(server.url + path);
    widths[path] = await page.evaluate("document.documentElement.scrollWidth");
    if (await page.evaluate(scrolls)) scrolling.push(path);
    // A phone shows no scroll bar.
    expect([path, await page.evaluate(cut)]).toEqual([path, false]);
  }
  expect(Object.entries(widths).filter(([, width]) => width !== 320)).toEqual([]);
  expect(scrolling.length).toBeGreaterThan(0);
  for (const path of ["/manual", "/manual/settings"]) {
    await page.goto(server.url + path);
    expect(await findViolationsInThemes(page)).toEqual([]);
  }
  const ground = () => page.evaluate("getComputedStyle(document.documentElement).backgroundColor");
  const light = await ground();
  await page.emulateMedia({ colorScheme: "dark" });
  expect(await ground()).not.toBe(light);
  expect(complaints).toEqual([]);
});

test("paper has the text alone, and no line of code is cut off", async () => {
  const { page } = await browser.open({ viewport: { width: 700, height: 900 } });
  await page.goto(topic("proxies"));
  await page.emulateMedia({ media: "print" });
  for (const selector of ["header", "footer", "nav.topics", ".search", ".next"]) {
    expect([selector, await page.locator(selector).first().isVisible()]).toEqual([selector, false]);
  }
  expect(await page.getByRole("heading", { level: 1, name: "Proxies" }).isVisible()).toBe(true);
  const cut = "[...document.querySelectorAll('pre')].filter((each) => each.scrollWidth > each.clientWidth).length";
  expect(await page.evaluate(cut)).toBe(0);
});

test("without a script the manual reads and links, and shows no search", async () => {
  const { page } = await browser.open({ javaScriptEnabled: false });
  await page.goto(`${server.url}/manual`);
  expect(await page.locator("form.search").isVisible()).toBe(false);
  await page.getByRole("link", { name: "Backups" }).click();
  await page.getByRole("heading", { level: 1, name: "Backups" }).waitFor();
  await page.getByRole("navigation", { name: "Topics" }).getByRole("link", { name: "Proxies" }).click();
  await page.waitForURL(topic("proxies"));
});

test("'How it works' leads to the manual", async () => {
  const { page } = await browser.open();
  await page.goto(`${server.url}/about`);
  await page.getByRole("link", { name: "How it works" }).click();
  await page.getByRole("heading", { level: 1, name: "Manual" }).waitFor();
});
