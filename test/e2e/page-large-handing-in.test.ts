import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { PAGE_TEST_MS, startBrowser } from "../support/browsers.ts";
import { complaint, press, row, seeScreen, seeTitle } from "../support/page-visits.ts";
import { openPlace as openOwnPlace, shareServer } from "../support/people.ts";
import type { Person } from "../support/people.ts";
import { until } from "../support/polls.ts";

setDefaultTimeout(PAGE_TEST_MS);
const browser = await startBrowser();
afterAll(() => browser[Symbol.asyncDispose]());
/** So low that a few megabytes are a large secret. */
const SMALL = ["--max-ciphertext", "64KiB"];
const openPlace = shareServer(SMALL);
const ASKED = ["requests:create", "requests:read", "secrets:read", "secrets:claim"];
const UPLOADS = "**/api/v1/uploads/upl_*";
const TITLE = /asks for a secret|been asked for a secret/;

/** Asks for secrets on the command line. Returns the link and the id of the request. */
async function ask(ann: Person, ...flags: readonly string[]) {
  const link = await ann.must(["request", ...flags]);
  return { link, id: /req_\w+/.exec(link)?.[0] ?? "" };
}

async function chooseFile(page: Page, ann: Person, bytes: Uint8Array, name = "dump.sql"): Promise<void> {
  await Bun.write(join(ann.home, name), bytes);
  await page.locator("input[type=file]").first().setInputFiles(join(ann.home, name));
}

/** Holds the pieces that the page sends, until they are let go. */
async function holdPieces(page: Page) {
  const held = Promise.withResolvers<void>();
  const arrived = Promise.withResolvers<string>();
  await page.route(UPLOADS, async (route, request) => {
    if (request.method() === "PATCH") {
      arrived.resolve(request.url());
      await held.promise;
    }
    await route.continue().catch(() => undefined);
  });
  return { arrived: arrived.promise, letGo: held.resolve };
}

test("a file and a text that are too large for one envelope are handed in, and arrive byte for byte", async () => {
  await using place = await openPlace();
  const ann = await place.member("ann", ASKED);
  const { link, id } = await ask(ann);
  const visit = await browser.open({ viewport: { width: 390, height: 844 } });
  const { page } = visit;
  await page.goto(link);
  await seeTitle(page, TITLE);
  await page.getByText("Up to 1.0 GB").waitFor();
  const bytes = randomBytes(3_000_000);
  await chooseFile(page, ann, bytes);
  await page.getByRole("textbox").first().fill("read me");
  const { arrived, letGo } = await holdPieces(page);
  await press(page, "Hand in");
  await arrived;
  await seeScreen(visit, "Sending…");
  await row(page, "dump.sql").waitFor();
  letGo();
  await seeScreen(visit, "Handed in");
  await ann.must(["collect", id, "--output", "in"]);
  expect(readFileSync(join(ann.home, "in/dump.sql")).equals(bytes)).toBe(true);
  expect(readFileSync(join(ann.home, "in/secret.txt"), "utf8")).toBe("read me");
  expect(visit.complaints).toEqual([]);
});

test("canceling and leaving end the upload, and nothing is handed in", async () => {
  await using place = await openPlace();
  const ann = await place.member("ann", ASKED);
  const { link, id } = await ask(ann);
  const { page } = await browser.open();
  await page.goto(link);
  await seeTitle(page, TITLE);
  await chooseFile(page, ann, randomBytes(3_000_000));
  const { arrived } = await holdPieces(page);
  await press(page, "Hand in");
  await arrived;
  const ended = page.waitForResponse((answer) => answer.request().method() === "DELETE");
  await press(page, "Cancel");
  expect((await ended).status()).toBe(204);
  await complaint(page, "You canceled, so nothing was handed in.");
  await row(page, "dump.sql").waitFor();

  const [begun] = await Promise.all([
    page.waitForRequest((request) => request.method() === "PATCH"),
    press(page, "Hand in"),
  ]);
  const authorization = (await begun.headerValue("authorization")) ?? "";
  const find = async () =>
    (await fetch(begun.url(), { method: "HEAD", headers: { authorization, "tus-resumable": "1.0.0" } })).status;
  expect(await find()).toBe(200);
  await page.goto("about:blank");
  await until(async () => (await find()) === 410);
  expect((await ann.run(["collect", id])).exitCode).toBe(7);
});

test("a request that ends meanwhile and a full quota are said, and a form has one envelope", async () => {
  await using place = await openOwnPlace([...SMALL, "--team-quota", "5MiB"]);
  const ann = await place.member("ann", [...ASKED, "requests:revoke"]);
  const { link, id } = await ask(ann, "--submissions", "2");
  const { page } = await browser.open();
  await page.goto(link);
  await page.getByText("Up to 5.2 MB").waitFor();
  await chooseFile(page, ann, randomBytes(3_000_000));
  await press(page, "Hand in");
  await seeTitle(page, "Handed in");
  await press(page, "Hand in another");
  await seeTitle(page, TITLE);
  await chooseFile(page, ann, randomBytes(3_000_000));
  await press(page, "Hand in");
  await complaint(page, "Not enough room is left for this team on the server.");
  await place.admin("team", "quota", place.team, "50MiB");
  const { arrived, letGo } = await holdPieces(page);
  await press(page, "Hand in");
  await arrived;
  await ann.must(["revoke", id]);
  letGo();
  await seeTitle(page, /./);
  await page.getByText("Your secret wasn't sent.").waitFor();

  const form = await ask(ann, "--field", "password");
  await page.goto(form.link);
  await page.getByRole("textbox", { name: "password" }).fill("x".repeat(60_000));
  await press(page, "Hand in");
  await complaint(page, "That's too large.");
});
