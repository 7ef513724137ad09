import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import type { Page } from "playwright-core";
import { PAGE_TEST_MS, startBrowser } from "../support/browsers.ts";
import { complaint, linkOn, openAs, press, seeTitle } from "../support/page-visits.ts";
import { openPlace } from "../support/people.ts";

setDefaultTimeout(PAGE_TEST_MS);
const browser = await startBrowser();
afterAll(() => browser[Symbol.asyncDispose]());

/** Reverses the text behind it: `exe.gpj` looks like `jpg.exe`. */
const TURN = "\u202E";
/** The text of the page, its accessible names and its title. */
const everythingOn = (page: Page) => page.evaluate<string>("document.title + document.documentElement.outerHTML");

test("a file name cannot reverse the text beside it, on any screen or as a download", async () => {
  await using place = await openPlace();
  const { page: ann } = await openAs(browser, place, "ann");
  const file = { name: `invoice${TURN}fdp.exe`, mimeType: "text/plain", buffer: Buffer.from("text") };
  for (let times = 0; times < 2; times++) await ann.locator("input[type=file]").first().setInputFiles(file);
  await ann.getByRole("button", { name: "invoice\uFFFDfdp.exe" }).waitFor();
  // The second time it has the name of the first.
  await complaint(ann, "invoice\uFFFDfdp.exe");
  expect(await everythingOn(ann)).not.toContain(TURN);
  await press(ann, "Create link");
  await seeTitle(ann, "Your link is ready");
  const link = await linkOn(ann);

  const { page } = await browser.open();
  await page.goto(link);
  await press(page, "Open secret");
  await seeTitle(page, "File");
  expect(await everythingOn(page)).not.toContain(TURN);
  const saving = page.waitForEvent("download");
  await press(page, "Download invoice_fdp.exe");
  expect((await saving).suggestedFilename()).toBe("invoice_fdp.exe");
});
