import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packTar } from "modern-tar";
import type { Page } from "playwright-core";
import { findViolationsInThemes } from "../support/accessibility.ts";
import { PAGE_TEST_MS, startBrowser } from "../support/browsers.ts";
import { submitForeign } from "../support/foreign-secrets.ts";
import {
  answer,
  ask,
  complaint,
  openSignedIn,
  press,
  readBackupLink,
  row,
  seeScreen,
  seeTitle,
} from "../support/page-visits.ts";
import { openPlace } from "../support/people.ts";
import type { Place } from "../support/people.ts";
import { until } from "../support/polls.ts";

setDefaultTimeout(PAGE_TEST_MS);
const browser = await startBrowser();
afterAll(() => browser[Symbol.asyncDispose]());

test("a submission that can't be opened says so at its button, among many submissions", async () => {
  await using place = await openPlace();
  const visit = await openSignedIn(browser, place, "ann@example.com");
  const { page } = visit;
  const { link, id } = await ask(page, place, "what many hand in", 20);
  for (let i = 0; i < 5; i += 1) await submitForeign(link, new TextEncoder().encode(`honest ${i}`));
  // No client unpacks an entry outside the archive.
  await submitForeign(link, await packTar([{ header: { name: "../outside", size: 4 }, body: "evil" }]));
  for (let i = 0; i < 5; i += 1) await submitForeign(link, new TextEncoder().encode(`later ${i}`));
  await page.setViewportSize({ width: 390, height: 780 });
  await page.goto(`${place.server.url}/c/${id}`);
  await press(page, /^Open: Secret 6 /);
  await complaint(page, "The archive in this secret can't be unpacked");
  await row(page, /Secret 6\D/)
    .getByRole("alert")
    .filter({ hasText: "can't be unpacked" })
    .waitFor();
  // The page scrolls to it once it is there, by whole pixels.
  await until(async () => {
    const box = await page.getByRole("alert").filter({ hasText: "can't be unpacked" }).boundingBox();
    return box !== null && Math.floor(box.y + box.height) <= 780;
  });
  await seeScreen(visit, "what many hand in");
  await press(page, /^Open: Secret 7 /);
  await seeScreen(visit, "Secret");
});

/** Makes a request at the page, and hands in a large file for it by the command line. */
async function askForLarge(page: Page, place: Place) {
  const { link, id } = await ask(page, place, "what is large");
  const backup = await readBackupLink(page);
  const bob = place.person("bob");
  const bytes = Buffer.alloc(300_000, crypto.getRandomValues(new Uint8Array(65_521)));
  await Bun.write(join(bob.home, "disk.img"), bytes);
  await bob.must(["submit", link, "disk.img"]);
  return { id, backup, bytes };
}

test("a large submission is opened into the browser's storage byte for byte, and erased", async () => {
  await using place = await openPlace(["--max-ciphertext=64KiB"]);
  const { page } = await openSignedIn(browser, place, "ann@example.com");
  const { id, bytes, backup } = await askForLarge(page, place);
  await page.setViewportSize({ width: 390, height: 780 });
  // The first download is held back for a while.
  const held = Promise.withResolvers<void>();
  await page.context().route(/\/ciphertext$/, async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.goto(`${place.server.url}/c/${id}`);
  await press(page, /^Open: Secret 1 /);
  await page.getByRole("progressbar", { name: "Opening" }).waitFor();
  expect(await findViolationsInThemes(page)).toEqual([]);
  await press(page, "Stop");
  await complaint(page, "Stopped. What had arrived was deleted.");
  held.resolve();
  await press(page, /^Show again .*: Secret 1 /);
  await seeTitle(page, /^File$/);
  const [file] = await Promise.all([page.waitForEvent("download"), press(page, "Download disk.img")]);
  expect(readFileSync(await file.path()).equals(bytes)).toBe(true);
  await press(page, "Back to the request");
  await press(page, /^Show again .*: Secret 1 /);
  await seeTitle(page, /^File$/);
  await press(page, "Done, erase now");
  await answer(page, "Erase");
  await row(page, /Secret 1\D/)
    .getByText("You opened")
    .waitFor();
  const cay = await place.member("cay", ["requests:read", "secrets:claim"]);
  expect((await cay.run(["collect", "-"], { stdin: backup })).exitCode).not.toBe(0);
});

test("where the browser can't store a large submission, it says how to collect it, and claims nothing", async () => {
  await using place = await openPlace(["--max-ciphertext=64KiB"]);
  const { page } = await openSignedIn(browser, place, "ann@example.com");
  const { id, backup, bytes } = await askForLarge(page, place);
  await page.addInitScript("delete StorageManager.prototype.getDirectory");
  const claims: string[] = [];
  page.on("request", (request) => void (request.url().endsWith("claim") && claims.push(request.url())));
  await page.goto(`${place.server.url}/c/${id}`);
  await press(page, /^Open: Secret 1 /);
  await complaint(page, "type “handoff collect -”, and paste the backup link");
  expect(claims).toEqual([]);
  const cay = await place.member("cay", ["requests:read", "secrets:claim"]);
  await cay.must(["collect", "-", "--output", "in"], { stdin: backup });
  expect(readFileSync(join(cay.home, "in/disk.img")).equals(bytes)).toBe(true);
});

test("a claim that was refused isn't one that the server may have answered", async () => {
  await using place = await openPlace();
  const { page } = await openSignedIn(browser, place, "ann@example.com");
  const { link, id } = await ask(page, place, "what is refused");
  const backup = await readBackupLink(page);
  await place.person("bob").must(["submit", link], { stdin: "kept" });
  const refusal = { status: 503, contentType: "application/problem+json", json: { code: "storage_unavailable" } };
  await page.route(/\/claim$/, (route) => route.fulfill(refusal));
  await page.goto(`${place.server.url}/c/${id}`);
  await press(page, /^Open: Secret 1 /);
  await complaint(page, "You haven't opened the secret yet.");
  // Nothing of this browser's claim is known to the page that is loaded now.
  await page.reload();
  await press(page, /^Open: Secret 1 /);
  await complaint(page, "You haven't opened the secret yet.");
  const cay = await place.member("cay", ["requests:read", "secrets:claim"]);
  expect(await cay.must(["collect", "-"], { stdin: backup })).toBe("kept");
  await row(page, /Secret 1\D/)
    .getByText("Opened by a teammate, or by you elsewhere")
    .waitFor();
  await page.getByText("The private key was deleted").waitFor();
});
