import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { packTar } from "modern-tar";
import { PAGE_TEST_MS, startBrowser } from "../support/browsers.ts";
import { submitForeign } from "../support/foreign-secrets.ts";
import { ask, complaint, openSignedIn, press, readBackupLink, row, seeScreen } from "../support/page-visits.ts";
import { openPlace } from "../support/people.ts";

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
  const box = await page.getByRole("alert").filter({ hasText: "can't be unpacked" }).boundingBox();
  // Pages scroll by whole pixels.
  expect(box && Math.floor(box.y + box.height)).toBeLessThanOrEqual(780);
  await seeScreen(visit, "what many hand in");
  await press(page, /^Open: Secret 7 /);
  await seeScreen(visit, "Secret");
});

test("a large submission is for the command line, and nothing of it is used up", async () => {
  await using place = await openPlace(["--max-ciphertext=64KiB"]);
  const { page } = await openSignedIn(browser, place, "ann@example.com");
  const { link, id } = await ask(page, place, "what is large");
  await place.person("bob").must(["submit", link], { stdin: "x".repeat(100_000) });
  await page.goto(`${place.server.url}/c/${id}`);
  await press(page, /^Open: Secret 1 /);
  await complaint(page, "type “handoff collect -”, and paste the backup link");
  await page.reload();
  await page.getByRole("button", { name: /^Open: Secret 1 / }).waitFor();
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
