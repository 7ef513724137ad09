import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { getSecret } from "../../src/client/secrets.ts";
import { parseSecretLink } from "../../src/crypto/secret-links.ts";
import { PAGE_TEST_MS, startBrowser } from "../support/browsers.ts";
import { complaint, linkOn, openAs, press, row, secretField, seeScreen, seeTitle } from "../support/page-visits.ts";
import { openPlace as openOwnPlace, shareServer } from "../support/people.ts";
import type { Person } from "../support/people.ts";
import { until } from "../support/polls.ts";
import { clientOf } from "../support/sessions.ts";

setDefaultTimeout(PAGE_TEST_MS);
const browser = await startBrowser();
afterAll(() => browser[Symbol.asyncDispose]());
/** So low that a few megabytes are a large secret. */
const SMALL = ["--max-ciphertext", "64KiB"];
const openPlace = shareServer(SMALL);

const UPLOADS = "**/app/uploads/upl_*";

/** Writes a folder with two files of this many bytes in all. */
async function writeFolder(person: Person, bytes: number): Promise<Readonly<Record<string, Uint8Array>>> {
  const files = { "dumps/a.sql": randomBytes(bytes - 1000), "dumps/sub/b.bin": randomBytes(1000) };
  for (const [name, content] of Object.entries(files)) await Bun.write(join(person.home, name), content);
  return files;
}

const chooseFolder = (page: Page, person: Person) =>
  page.locator("input[webkitdirectory]").setInputFiles(join(person.home, "dumps"));

async function expectOpened(
  person: Person,
  link: string,
  files: Readonly<Record<string, Uint8Array>>,
  args: string[] = [],
) {
  await person.must(["open", "--yes", link, "--output", "in", ...args]);
  for (const [name, content] of Object.entries(files)) {
    expect(Buffer.compare(await Bun.file(join(person.home, "in", name)).bytes(), content)).toBe(0);
  }
}

/** Holds the pieces that the page sends, until they are let go. */
async function holdPieces(page: Page) {
  const held = Promise.withResolvers<void>();
  const arrived = Promise.withResolvers<void>();
  await page.route(UPLOADS, async (route, request) => {
    if (request.method() === "PATCH") {
      arrived.resolve();
      await held.promise;
    }
    await route.continue().catch(() => undefined);
  });
  return { arrived: arrived.promise, letGo: held.resolve };
}

test("a folder that is too large for one envelope is sent in pieces, with a text, and arrives byte for byte", async () => {
  await using place = await openPlace();
  const bob = place.person("bob");
  const visit = await openAs(browser, place, "ann");
  const { page } = visit;
  await page.getByText("Up to 1.0 GB").waitFor();
  const files = await writeFolder(bob, 3_000_000);
  await chooseFolder(page, bob);
  await secretField(page).fill("read me");
  await page.getByText("Opens once · 7 days · no passphrase").click();
  await page.getByText("1 day", { exact: true }).click();
  await page.getByLabel("Passphrase (optional)").fill("correct horse battery");
  const { arrived, letGo } = await holdPieces(page);
  await press(page, "Create link");
  await arrived;
  await seeScreen(visit, "Sending…");
  await row(page, "dumps/sub/b.bin").waitFor();
  letGo();
  await seeTitle(page, "Your link is ready");
  const link = await linkOn(page);
  const client = await clientOf(visit.context, place.server.url);
  const { expires_at: end, created_at: begin, ...secret } = await getSecret(client, parseSecretLink(link).id);
  expect(Date.parse(end) - Date.parse(begin)).toBe(86_400_000);
  expect(secret).toMatchObject({ envelope_version: 2, state: "available" });
  await Bun.write(join(bob.home, "passphrase"), "correct horse battery\n");
  await expectOpened(bob, link, files, ["--passphrase-file", "passphrase"]);
  expect(await Bun.file(join(bob.home, "in/secret.txt")).text()).toBe("read me");
  expect(visit.complaints).toEqual([]);
});

test("while the server can't be reached the page says so, and then goes on by itself", async () => {
  await using place = await openPlace();
  const bob = place.person("bob");
  const visit = await openAs(browser, place, "ann");
  const { page } = visit;
  const files = await writeFolder(bob, 12_000_000);
  await chooseFolder(page, bob);
  let pieces = 0;
  let isAway = false;
  await page.route(UPLOADS, async (route, request) => {
    if (request.method() === "PATCH") isAway = ++pieces === 2;
    await (isAway ? route.abort("connectionreset") : route.continue());
  });
  await press(page, "Create link");
  await seeScreen(visit, "Can't reach the server");
  await page.getByText("8.4 MB of 12.0 MB").waitFor();
  await page.getByText("It goes on from where it was as soon as the connection is back.").waitFor();
  // Once the server is back, it may have gone on before anybody can press anything.
  await press(page, "Try now");
  isAway = false;
  await seeTitle(page, "Your link is ready");
  await expectOpened(bob, await linkOn(page), files);
});

test("canceling ends the upload and gives its room back, and what was chosen stays", async () => {
  await using place = await openPlace();
  const ann = place.person("ann");
  const { page } = await openAs(browser, place, "ann");
  await writeFolder(ann, 3_000_000);
  await chooseFolder(page, ann);
  const { arrived, letGo } = await holdPieces(page);
  await press(page, "Create link");
  await arrived;
  const ended = page.waitForResponse((answer) => answer.request().method() === "DELETE");
  await press(page, "Cancel");
  expect((await ended).status()).toBe(204);
  letGo();
  await complaint(page, "You canceled, so there's no link.");
  await row(page, "dumps/a.sql").waitFor();
});

test("leaving the page ends the upload", async () => {
  await using place = await openPlace();
  const ann = place.person("ann");
  const { page, context } = await openAs(browser, place, "ann");
  await writeFolder(ann, 3_000_000);
  await chooseFolder(page, ann);
  const { arrived } = await holdPieces(page);
  const piece = page.waitForRequest((request) => request.method() === "PATCH");
  await press(page, "Create link");
  await arrived;
  const { options } = await clientOf(context, place.server.url);
  const url = (await piece).url();
  const find = async () =>
    (await options.fetch?.(url, { method: "HEAD", headers: { "tus-resumable": "1.0.0" } }))?.status;
  expect(await find()).toBe(200);
  await page.goto("about:blank");
  await until(async () => (await find()) === 410);
});

test("a file that is gone, a session that is over, and a full quota are said, and what was chosen stays", async () => {
  await using place = await openOwnPlace([...SMALL, "--team-quota", "5MiB"]);
  const ann = place.person("ann");
  const { page, context } = await openAs(browser, place, "ann");
  await page.getByText("Up to 5.2 MB").waitFor();
  await writeFolder(ann, 3_000_000);
  await chooseFolder(page, ann);
  rmSync(join(ann.home, "dumps/a.sql"));
  await press(page, "Create link");
  await complaint(page, "dumps/a.sql can't be read. Is it still there?");
  await row(page, "dumps/a.sql").waitFor();
  await press(page, "Remove dumps/a.sql");
  await press(page, "Remove dumps/sub/b.bin");

  await writeFolder(ann, 3_000_000);
  await chooseFolder(page, ann);
  await press(page, "Create link");
  await seeTitle(page, "Your link is ready");
  await page.goto(place.server.url);
  await chooseFolder(page, ann);
  await press(page, "Create link");
  await complaint(page, "Not enough room is left for this team on the server.");
  await row(page, "dumps/a.sql").waitFor();

  await place.admin("team", "quota", place.team, "50MiB");
  const { arrived, letGo } = await holdPieces(page);
  await press(page, "Create link");
  await arrived;
  await context.clearCookies();
  letGo();
  await complaint(page, "You're signed out");
  await row(page, "dumps/a.sql").waitFor();
});
