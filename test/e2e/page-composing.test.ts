import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { PAGE_TEST_MS, startBrowser } from "../support/browsers.ts";
import { complaint, linkOn, openAs, press, seeScreen, seeTitle, untilTrue } from "../support/page-visits.ts";
import { openPlace as openOwnPlace, shareServer } from "../support/people.ts";

setDefaultTimeout(PAGE_TEST_MS);
const browser = await startBrowser();
afterAll(() => browser[Symbol.asyncDispose]());
const openPlace = shareServer();

const secret = (page: Page) => page.getByLabel("Secret", { exact: true });
const files = (page: Page) => page.locator("form").getByRole("listitem");
/** Dispatches `type` on the page, with files of these names and sizes, and optionally a text. */
const bring = (page: Page, type: "drop" | "paste", brought: Readonly<Record<string, number>>, text = "") =>
  page.evaluate(`{
    const data = new DataTransfer();
    for (const [name, size] of Object.entries(${JSON.stringify(brought)})) {
      data.items.add(new File([new Uint8Array(size)], name, name.endsWith(".png") ? { type: "image/png" } : {}));
    }
    if (${JSON.stringify(text)} !== "") data.setData("text/plain", ${JSON.stringify(text)});
    const init = { bubbles: true, cancelable: true, dataTransfer: data, clipboardData: data };
    const events = "${type}" === "paste" ? [new ClipboardEvent("paste", init)] : ["dragover", "drop"].map((each) => new DragEvent(each, init));
    for (const each of events) document.body.dispatchEvent(each);
  }`);

test("files dropped or pasted anywhere on the page are added, and pictures get names", async () => {
  await using place = await openPlace();
  const bob = place.person("bob");
  const visit = await openAs(browser, place, "ann");
  const { page } = visit;
  await bring(page, "drop", { "a.txt": 3, "keys/id": 5 });
  await files(page).nth(1).waitFor();
  await bring(page, "paste", { "image.png": 10 });
  await bring(page, "paste", { "image.png": 10 });
  await files(page).filter({ hasText: "image-2.png" }).waitFor();
  // Text that a program also offers as a picture stays text.
  await bring(page, "paste", { "image.png": 10 }, "a cell");
  await bring(page, "drop", { "a.txt": 4, "b.txt": 1 });
  await complaint(page, "There is already a file named a.txt.");
  await files(page).nth(4).waitFor();
  await page.getByRole("button", { name: "Remove keys/id" }).click();
  // The next change clears the complaint, and the focus is at a useful place.
  await page.getByText("There is already a file").waitFor({ state: "detached" });
  await untilTrue(page, "document.activeElement?.localName === 'textarea'");
  await seeScreen(visit, "Send a secret");
  await press(page, "Create link");
  await seeTitle(page, "Your link is ready");
  const link = (await page.getByLabel("The link", { exact: true }).textContent()) ?? "";
  await bob.must(["open", "--yes", link, "--output", "in"]);
  expect(
    bob
      .files()
      .filter((path) => path.startsWith("in/"))
      .toSorted(),
  ).toEqual(["in/a.txt", "in/b.txt", "in/image-1.png", "in/image-2.png"]);
  expect(await Bun.file(join(bob.home, "in/a.txt")).arrayBuffer()).toHaveProperty("byteLength", 3);
});

test("a folder is sent with its files", async () => {
  await using place = await openPlace();
  const bob = place.person("bob");
  const { page } = await openAs(browser, place, "ann");
  await Bun.write(join(bob.home, "config/keys/id"), "fake-local-test-only");
  await Bun.write(join(bob.home, "config/.env"), "A=1");
  await page.locator("input[webkitdirectory]").setInputFiles(join(bob.home, "config"));
  await files(page).filter({ hasText: "config/keys/id" }).waitFor();
  await press(page, "Create link");
  await seeTitle(page, "Your link is ready");
  const link = (await page.getByLabel("The link", { exact: true }).textContent()) ?? "";
  await bob.must(["open", "--yes", "--exact-names", link, "--output", "in"]);
  expect(await Bun.file(join(bob.home, "in/config/keys/id")).text()).toBe("fake-local-test-only");
  expect(await Bun.file(join(bob.home, "in/config/.env")).text()).toBe("A=1");
});

test("content that is too large gets a complaint with the limit at once, until it is removed", async () => {
  await using place = await openOwnPlace(["--max-ciphertext", "1MiB", "--max-secret", "0"]);
  const bob = await place.member("bob");
  const visit = await openAs(browser, place, "ann");
  const { page } = visit;
  await page.getByText("Up to 781 KB").waitFor();
  await bring(page, "drop", { "dump.sql": 900_000 });
  await complaint(page, "dump.sql is too large. It's 900 KB; the limit is 781 KB.");
  await seeScreen(visit, "Send a secret");
  await press(page, "Create link");
  await complaint(page, "dump.sql is too large.");
  await untilTrue(page, "document.activeElement?.localName === 'textarea'");
  await page.getByRole("button", { name: "Remove dump.sql" }).click();
  await page.getByText("is too large").waitFor({ state: "detached" });
  expect(await bob.must(["list", "--json"])).toBe("[]");
  await secret(page).fill("x");
  await press(page, "Create link");
  await seeTitle(page, "Your link is ready");
});

test("a private name stays in this browser, in the list and on the screen of the link", async () => {
  await using place = await openPlace();
  const { page } = await openAs(browser, place, "ann");
  const bodies: string[] = [];
  page.on("request", (request) => bodies.push(request.url() + (request.postData() ?? "")));
  await secret(page).fill("text");
  await press(page, "Create link");
  await seeTitle(page, "Your link is ready");
  await page.getByLabel("What is it?").fill("router, for Ann");
  await press(page, "Save");
  await page.getByRole("button", { name: "Saved" }).waitFor();
  await page.getByRole("link", { name: "Activity" }).click();
  await seeTitle(page, "Activity");
  await page.getByRole("listitem").filter({ hasText: "router, for Ann" }).waitFor();
  expect(bodies.join("\n")).not.toContain("router");
});

test("invalid options get their complaints at their place, even when they are closed", async () => {
  await using place = await openPlace();
  const { page } = await openAs(browser, place, "ann");
  const summary = page.getByText("Opens once · 7 days · no passphrase");
  await summary.click();
  await page.getByLabel("Passphrase (optional)").fill("   ");
  await complaint(page, "That's only spaces.");
  // Closed again, they open where something is invalid.
  await page.getByText("Opens once · 7 days · no passphrase").click();
  await page.getByLabel("Passphrase (optional)").waitFor({ state: "hidden" });
  await secret(page).fill("x");
  await press(page, "Create link");
  await untilTrue(page, "document.activeElement?.type === 'password'");
  await page.getByLabel("Passphrase (optional)").fill("");
  await page.getByText("That's only spaces.").waitFor({ state: "detached" });
  await press(page, "Create link");
  await seeTitle(page, "Your link is ready");
});

test("megabytes of pasted text don't block the page, are shown by their size, and arrive unchanged", async () => {
  await using place = await openPlace();
  const bob = place.person("bob");
  const visit = await openAs(browser, place, "ann");
  const { page, context } = visit;
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const line = "0123456789 abcdefghij klmnopqrs\n";
  const paste = async (lines: number) => {
    await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(line)}.repeat(${lines}))`);
    await page.keyboard.press("ControlOrMeta+V");
  };
  // Normal typing stays in the field.
  await secret(page).focus();
  await paste(1000);
  expect((await secret(page).inputValue()).length).toBe(32_000);
  await secret(page).fill("before\nafter");
  await page.keyboard.press("Home");
  const started = performance.now();
  await paste(200_000);
  const row = page.getByRole("listitem").filter({ hasText: "200,002 lines · 6.4 MB" });
  await row.waitFor();
  await page.getByText("Too long to edit here.").waitFor();
  // In a field, layout would take minutes, and seconds at each key.
  expect(performance.now() - started).toBeLessThan(20_000);
  expect(await page.locator("textarea").count()).toBe(0);
  await untilTrue(page, "document.activeElement?.getAttribute('aria-label') === 'Secret'");
  await seeScreen(visit, "Send a secret");
  // Removing it brings the field back.
  await press(page, "Remove Text");
  await secret(page).fill("before\nafter");
  await untilTrue(page, "document.activeElement.tagName === 'TEXTAREA'");
  await page.keyboard.press("Home");
  await paste(200_000);
  await row.waitFor();
  await press(page, "Create link");
  await seeTitle(page, "Your link is ready");
  const opened = await bob.run(["open", "--yes", await linkOn(page)]);
  expect(opened.exitCode).toBe(0);
  expect(opened.stdout === `before\n${line.repeat(200_000)}after`).toBe(true);
});
