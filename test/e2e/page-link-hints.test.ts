import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { PAGE_TEST_MS, startBrowser } from "../support/browsers.ts";
import { answer, press, readText, seeScreen, seeTitle } from "../support/page-visits.ts";
import { openPlace } from "../support/people.ts";

setDefaultTimeout(PAGE_TEST_MS);
const browser = await startBrowser();
afterAll(() => browser[Symbol.asyncDispose]());

/** The link with another hint, which anybody who passes it on can write. */
const hinting = (link: string, hint: string) => {
  const changed = link.replace(/\.\w+$/, `.${hint}`);
  expect(changed).not.toBe(link);
  return changed;
};

test("a false hint disappears once the secret is open: the screen shows the real content", async () => {
  await using place = await openPlace();
  const ann = await place.member("ann");
  const visit = await browser.open();
  const { page } = visit;
  const main = page.locator("main");
  // A text, hinted as a text and 12 files.
  await page.goto(hinting(await ann.must(["send", "--claims", "2"], { stdin: "hunter2" }), "t12"));
  await page.getByText("Text and 12 files").waitFor();
  await press(page, "Open secret");
  for (const again of [false, true]) {
    if (again) await page.reload();
    await seeScreen(visit, /^Secret$/);
    expect(await readText(page)).toBe("hunter2");
    expect(await main.innerText()).not.toMatch(/12|file|ZIP/i);
    expect(await page.title()).not.toMatch(/12|file/i);
  }
  await press(page, "Done, erase now");
  await answer(page, "Erase");
  await seeTitle(page, "Erased here");
  expect(await main.innerText()).not.toMatch(/12|file/i);

  // Files hinted as text.
  for (const name of ["a.txt", "b.txt"]) await Bun.write(join(ann.home, name), "content");
  await page.goto(hinting(await ann.must(["send", "a.txt", "b.txt"]), "t"));
  await page.getByText("Text", { exact: true }).waitFor();
  await press(page, "Open secret");
  await seeScreen(visit, "2 files");
  expect(await main.innerText()).not.toMatch(/\btext\b(?!\.)|\blines?\b|Secret$/m);
  expect(await main.getByRole("group", { name: "The text" }).count()).toBe(0);
});
