import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import type { Page } from "playwright-core";
import { SCREENS, settle, startStageServer } from "../../scripts/screens.ts";
import type { Stage } from "../../scripts/screens.ts";
import { bundlePage } from "../../src/cli/server/page-bundle.ts";
import { createHttpClient } from "../../src/client/http-client.ts";
import type { LanguageTag } from "../../src/web/languages/languages.ts";
import { PAGE_TEST_MS, startBrowser } from "../support/browsers.ts";
import type { TestPage } from "../support/browsers.ts";
import { loadStrings, TAGS } from "../support/languages.ts";

// 75 screens take as long as several tests.
setDefaultTimeout(2 * PAGE_TEST_MS);
const browser = await startBrowser();
afterAll(() => browser[Symbol.asyncDispose]());

/** The language with the longest texts in total. */
async function longestLanguage(): Promise<LanguageTag> {
  const lengths = await Promise.all(
    TAGS.map(async (tag) => {
      const strings = await loadStrings(tag);
      // Without functions: their source has letters of other scripts as escapes.
      return JSON.stringify(strings, (_, each: unknown) => (typeof each === "function" ? undefined : each)).length;
    }),
  );
  return TAGS[lengths.indexOf(Math.max(...lengths))] ?? "en";
}

/** Screens with a lasting effect on their page's documents. */
const CHANGES_DOCUMENTS = ["sign-in-needs-https", "sign-in-no-cookie"];

/** The team of a screen. Those that show the same activity have the same one, as making it takes several screens. */
const teamOf = (screen: string) => screen.replace(/^activity-(?!empty).*/, "activity");

/** A page in a narrow window, which leaves a screen without a question. */
async function openNarrow(locale: LanguageTag): Promise<TestPage> {
  const visit = await browser.open({ locale, viewport: { width: 320, height: 700 } });
  visit.page.on("dialog", (dialog) => void dialog.accept());
  return visit;
}

/**
 * Makes the page of a screen one without a history, for the next screen. That costs a third of another page, of an
 * empty one too: for either the browser starts another process.
 */
async function forget({ page, context }: TestPage, url: string): Promise<void> {
  for (const other of context.pages()) if (other !== page) await other.close();
  await page.unrouteAll({ behavior: "ignoreErrors" });
  // It is of the same origin, and runs no script.
  await page.goto(`${url}/robots.txt`);
  await page.evaluate(`(async () => {
    localStorage.clear();
    sessionStorage.clear();
    for (const { name } of await indexedDB.databases()) indexedDB.deleteDatabase(name);
  })()`);
  await context.clearCookies();
}

/** The elements that reach beyond either side of the window, except those that scroll by themselves. */
const findOverflow = (page: Page): Promise<string[]> =>
  page.evaluate(`[...document.querySelectorAll("body *")]
    .filter((each) => each.getClientRects().length > 0 && !each.closest(".unseen, pre, iframe, .filter"))
    .filter((each) => {
      // What an element cuts off reaches no further than that element.
      let box = each.parentElement;
      while (box !== null && getComputedStyle(box).overflowX === "visible") box = box.parentElement;
      const { left, right } = (box ?? each).getBoundingClientRect();
      return left < -1 || right > document.documentElement.clientWidth + 1;
    })
    .map((each) => each.tagName + "." + each.className + ": " + each.textContent.slice(0, 40))`);

test("no screen is wider than 320 pixels with doubled text size, in the language with the longest texts", async () => {
  const locale = await longestLanguage();
  const sources = bundlePage();
  await using server = await startStageServer(sources);
  const seen: Record<string, readonly string[]> = {};
  let visit: TestPage | undefined;
  let stage: Stage | undefined;
  for (const [name, lead] of Object.entries(SCREENS)) {
    const team = teamOf(name);
    visit ??= await openNarrow(locale);
    const { page } = visit;
    if (stage?.team !== team) {
      if (stage?.page === page) await forget(visit, server.url);
      const { token } = await server.backend.mint({ team });
      const client = createHttpClient({ baseUrl: server.url, credential: token });
      await page.clock.setFixedTime(server.backend.clock.now());
      stage = { server, team, client, page };
    }
    await lead(stage);
    await settle(page);
    await page.evaluate("document.documentElement.style.fontSize = '200%'");
    seen[name] = await findOverflow(page);
    if (!CHANGES_DOCUMENTS.includes(name)) continue;
    await visit.context.close();
    visit = undefined;
  }
  expect(Object.entries(seen).filter(([, wide]) => wide.length > 0)).toEqual([]);
  expect(Object.keys(seen)).toEqual(Object.keys(SCREENS));
});
