import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import type { Page } from "playwright-core";
import { SCREENS, settle } from "../../scripts/screens.ts";
import { bundlePage } from "../../src/cli/server/page-bundle.ts";
import { createHttpClient } from "../../src/client/http-client.ts";
import { createGrammar } from "../../src/web/languages/grammar.ts";
import { isLanguageTag, LANGUAGES } from "../../src/web/languages/languages.ts";
import type { LanguageTag } from "../../src/web/languages/languages.ts";
import { PAGE_TEST_MS, startBrowser } from "../support/browsers.ts";
import { openAs } from "../support/page-visits.ts";
import { openPlace } from "../support/people.ts";
import { startTestServer } from "../support/server.ts";

setDefaultTimeout(PAGE_TEST_MS);
const browser = await startBrowser();
afterAll(() => browser[Symbol.asyncDispose]());

const TAGS = Object.keys(LANGUAGES).filter(isLanguageTag);

/** The language whose texts are the longest in all. */
async function longestLanguage(): Promise<LanguageTag> {
  const lengths = await Promise.all(
    TAGS.map(async (tag) => {
      const strings = (await LANGUAGES[tag].load())(createGrammar(tag));
      return JSON.stringify(strings, (_, each: unknown) => (typeof each === "function" ? String(each) : each)).length;
    }),
  );
  return TAGS[lengths.indexOf(Math.max(...lengths))] ?? "en";
}

/** The elements of the page that reach beyond the window at its end, but for what scrolls by itself. */
const findOverflow = (page: Page): Promise<string[]> =>
  page.evaluate(`[...document.querySelectorAll("body *")]
    .filter((each) => each.getClientRects().length > 0 && !each.closest(".unseen, pre, iframe, .masked"))
    .filter((each) => each.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
    .map((each) => each.tagName + "." + each.className + ": " + each.textContent.slice(0, 40))`);

test("no screen is wider than a window of 320 pixels with text twice as large, in the language with the longest texts", async () => {
  const locale = await longestLanguage();
  const page = bundlePage();
  const seen: Record<string, readonly string[]> = {};
  const names = Object.keys(SCREENS);
  const walk = async () => {
    for (let name = names.shift(); name !== undefined; name = names.shift()) {
      await using server = await startTestServer({ http: { page: async () => page } });
      const { token } = await server.backend.mint();
      const visit = await browser.open({ locale, viewport: { width: 320, height: 700 } });
      await visit.page.clock.setFixedTime(server.backend.clock.now());
      visit.page.on("dialog", (dialog) => void dialog.accept());
      const client = createHttpClient({ baseUrl: server.url, credential: token });
      await SCREENS[name]?.({ server, client, page: visit.page });
      await settle(visit.page);
      await visit.page.evaluate("document.documentElement.style.fontSize = '200%'");
      seen[name] = await findOverflow(visit.page);
      await visit.context.close();
    }
  };
  await Promise.all([walk(), walk()]);
  expect(Object.entries(seen).filter(([, wide]) => wide.length > 0)).toEqual([]);
  expect(Object.keys(seen).length).toBe(Object.keys(SCREENS).length);
});

test("in a window of 320 pixels the account stands beside the tabs, on every screen in every language", async () => {
  await using place = await openPlace();
  const { context } = await openAs(browser, place, "ann@example.com");
  const storageState = await context.storageState();
  for (const locale of TAGS) {
    const visit = await browser.open({ locale, storageState, viewport: { width: 320, height: 640 } });
    for (const path of ["/", "/ask", "/activity"]) {
      await visit.page.goto(place.server.url + path);
      const bar = visit.page.getByRole("banner");
      const tabs = await bar.getByRole("navigation").boundingBox();
      const account = await bar.locator("summary").boundingBox();
      const isBeside = tabs && account && account.y < tabs.y + tabs.height;
      expect({ locale, path, isBeside }).toEqual({ locale, path, isBeside: true });
    }
    await visit.context.close();
  }
});

test("the page speaks the browser's language, and another one for good once somebody has chosen it", async () => {
  await using place = await openPlace();
  const link = await (await place.member("ann")).must(["send"], { stdin: "text" });
  for (const tag of TAGS) {
    const { page, context, complaints } = await browser.open({ locale: tag });
    await page.goto(link);
    const { open, frame } = (await LANGUAGES[tag].load())(createGrammar(tag));
    await page.getByRole("button", { name: open.button }).waitFor();
    expect(await page.locator("html").getAttribute("lang")).toBe(tag);
    expect(await page.getByLabel(frame.language).inputValue()).toBe(tag);
    expect(complaints).toEqual([]);
    await context.close();
  }
  const { page } = await browser.open({ locale: "xx" });
  await page.goto(link);
  await page.getByRole("button", { name: "Open secret" }).waitFor();
  await page.getByLabel("Language").selectOption("de");
  await page.getByRole("button", { name: "Geheimnis öffnen" }).waitFor();
  await page.goto(place.server.url);
  await page.getByRole("heading", { level: 1, name: "Geheimnisse sicher senden" }).waitFor();
});
