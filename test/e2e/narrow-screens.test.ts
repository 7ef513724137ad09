import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import type { Page } from "playwright-core";
import { SCREENS, settle } from "../../scripts/screens.ts";
import { bundlePage } from "../../src/cli/server/page-bundle.ts";
import { createHttpClient } from "../../src/client/http-client.ts";
import type { LanguageTag } from "../../src/web/languages/languages.ts";
import { PAGE_TEST_MS, startBrowser } from "../support/browsers.ts";
import type { TestPage } from "../support/browsers.ts";
import { loadStrings, TAGS } from "../support/languages.ts";
import { startTestServer } from "../support/server.ts";

// 65 screens take as long as several tests.
setDefaultTimeout(2 * PAGE_TEST_MS);
const browser = await startBrowser();
afterAll(() => browser[Symbol.asyncDispose]());

/** The language with the longest texts in total. */
async function longestLanguage(): Promise<LanguageTag> {
  const lengths = await Promise.all(
    TAGS.map(async (tag) => {
      const strings = await loadStrings(tag);
      return JSON.stringify(strings, (_, each: unknown) => (typeof each === "function" ? String(each) : each)).length;
    }),
  );
  return TAGS[lengths.indexOf(Math.max(...lengths))] ?? "en";
}

/** Screens with a lasting effect on their page's documents. */
const CHANGES_DOCUMENTS = ["sign-in-needs-https", "sign-in-no-cookie"];

/** A page in a narrow window, which leaves a screen without a question. */
async function openNarrow(locale: LanguageTag): Promise<TestPage> {
  const visit = await browser.open({ locale, viewport: { width: 320, height: 700 } });
  visit.page.on("dialog", (dialog) => void dialog.accept());
  return visit;
}

/**
 * Returns a fresh page for the next screen. Reuses the same one if possible, because opening another takes longer than
 * most screens.
 */
async function startOver(visit: TestPage, isSpent: boolean): Promise<TestPage | undefined> {
  const { page, context } = visit;
  if (isSpent) return void (await context.close());
  for (const other of context.pages()) if (other !== page) await other.close();
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await page.goto("about:blank");
  await context.clearCookies();
  return visit;
}

/** The elements that reach beyond the page's end of the window, except those that scroll by themselves. */
const findOverflow = (page: Page): Promise<string[]> =>
  page.evaluate(`[...document.querySelectorAll("body *")]
    .filter((each) => each.getClientRects().length > 0 && !each.closest(".unseen, pre, iframe, .filter"))
    .filter((each) => each.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
    .map((each) => each.tagName + "." + each.className + ": " + each.textContent.slice(0, 40))`);

test("no screen is wider than 320 pixels with doubled text size, in the language with the longest texts", async () => {
  const locale = await longestLanguage();
  const page = bundlePage();
  const seen: Record<string, readonly string[]> = {};
  const names = Object.keys(SCREENS);
  const walk = async () => {
    let visit: TestPage | undefined;
    for (let name = names.shift(); name !== undefined; name = names.shift()) {
      await using server = await startTestServer({ http: { page: async () => page } });
      const { token } = await server.backend.mint();
      visit ??= await openNarrow(locale);
      await visit.page.clock.setFixedTime(server.backend.clock.now());
      const client = createHttpClient({ baseUrl: server.url, credential: token });
      await SCREENS[name]?.({ server, client, page: visit.page });
      await settle(visit.page);
      await visit.page.evaluate("document.documentElement.style.fontSize = '200%'");
      seen[name] = await findOverflow(visit.page);
      visit = await startOver(visit, CHANGES_DOCUMENTS.includes(name));
    }
    await visit?.context.close();
  };
  await Promise.all([walk(), walk()]);
  expect(Object.entries(seen).filter(([, wide]) => wide.length > 0)).toEqual([]);
  expect(Object.keys(seen).length).toBe(Object.keys(SCREENS).length);
});
