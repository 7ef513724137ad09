import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { PAGE_TEST_MS, startBrowser } from "../support/browsers.ts";
import { loadStrings, TAGS } from "../support/languages.ts";
import { openSignedIn } from "../support/page-visits.ts";
import { shareServer } from "../support/people.ts";

setDefaultTimeout(PAGE_TEST_MS);
const browser = await startBrowser();
afterAll(() => browser[Symbol.asyncDispose]());
const openPlace = shareServer();

test("in a window of 320 pixels the account stands beside the tabs, on every screen in every language", async () => {
  await using place = await openPlace();
  const { context } = await openSignedIn(browser, place, "ann@example.com");
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

test("the page uses the browser's language, until another one is chosen for good", async () => {
  await using place = await openPlace();
  const link = await (await place.member("ann")).must(["send"], { stdin: "text" });
  for (const tag of TAGS) {
    const { page, context, complaints } = await browser.open({ locale: tag });
    await page.goto(link);
    const { open, frame } = await loadStrings(tag);
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
  await page.getByRole("button", { name: "Jetzt öffnen" }).waitFor();
  await page.goto(place.server.url);
  await page.getByRole("heading", { level: 1, name: "Vertrauliches sicher senden" }).waitFor();
});
