import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import type { Page } from "playwright-core";
import { PAGE_TEST_MS, startBrowser } from "../support/browsers.ts";
import { itemRow, linkOn, openAs, openDetails, press, seeTitle } from "../support/page-visits.ts";
import { openPlace } from "../support/people.ts";

setDefaultTimeout(PAGE_TEST_MS);
const browser = await startBrowser();
afterAll(() => browser[Symbol.asyncDispose]());

const choose = (page: Page, bytes: number) =>
  page
    .locator("input[type=file]")
    .first()
    .setInputFiles([{ name: "a.bin", mimeType: "", buffer: Buffer.alloc(bytes, "x") }]);

/** Every size in a text. */
const sizesIn = (text: string) => text.match(/[\d.,]+ ?(?:bytes|KB|MB)/g) ?? [];

test("every screen shows the same size of a secret, that of its content, and none for a tiny one", async () => {
  await using place = await openPlace(["--max-secret", "0"]);
  const { page } = await openAs(browser, place, "ann");
  const { page: opening } = await browser.open();
  const sizes: readonly (readonly [bytes: number, size: string, isSaid: boolean])[] = [
    [4_500_000, "4.5 MB", true],
    [250_000, "250 KB", true],
    [12_345, "12 KB", false],
  ];
  for (const [bytes, size, isSaid] of sizes) {
    await page.goto(`${place.server.url}/`);
    await choose(page, bytes);
    await page.locator(".file-meta").getByText(size, { exact: true }).waitFor();
    // How much of the room it takes is said once that is half of it.
    await page.getByText(bytes > 4_000_000 ? "4.5 MB of 7.8 MB" : "Up to 7.8 MB", { exact: true }).waitFor();
    await press(page, "Create link");
    await seeTitle(page, "Your link is ready");
    const link = await linkOn(page);
    await page.goto(`${place.server.url}/activity`);
    const id = /sec_\w+/.exec(link)?.[0] ?? "";
    await itemRow(page, id).waitFor();
    expect(sizesIn(await itemRow(page, id).innerText())).toEqual(isSaid ? [size] : []);
    expect(sizesIn(await (await openDetails(page, id)).innerText())).toEqual([isSaid ? size : "100 KB"]);

    await opening.goto(link);
    await seeTitle(opening, "sent you a secret");
    expect(sizesIn(await opening.locator("main").innerText())).toEqual(isSaid ? [size] : []);
    await press(opening, "Open secret");
    await seeTitle(opening, /^File$/);
    expect(sizesIn(await opening.locator("main").innerText())).toEqual([size]);
    opening.once("dialog", (dialog) => void dialog.accept());
  }
});
