import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { createAgeIdentity } from "../../src/crypto/age-identities.ts";
import { PAGE_TEST_MS, startBrowser } from "../support/browsers.ts";
import { ask, complaint, loseAnswers, openSignedIn, press, seeScreen, seeTitle } from "../support/page-visits.ts";
import { openPlace as openOwnPlace, shareServer } from "../support/people.ts";

setDefaultTimeout(PAGE_TEST_MS);
const browser = await startBrowser();
afterAll(() => browser[Symbol.asyncDispose]());
const openPlace = shareServer();

const SCOPES = [
  "requests:create",
  "requests:read",
  "requests:revoke",
  "secrets:create",
  "secrets:read",
  "secrets:claim",
];
const MIB = 1024 * 1024;
const PHONE = { viewport: { width: 390, height: 800 } };
const field = (page: Page) => page.getByLabel("What you hand in");
const fileField = (page: Page) => page.locator("input[type=file]").first();

test("a person who was asked hands text in, and the command line collects it", async () => {
  await using place = await openPlace();
  const ann = await place.member("ann", SCOPES);
  const note = "The staging password <b>please</b>\n\u202Eor else";
  const link = await ann.must(["request", "--note", note]);
  const visit = await browser.open(PHONE);
  const { page } = visit;
  await page.goto(link);
  await seeScreen(visit, "You've been asked for a secret");
  expect(page.url()).not.toContain("#");
  expect(await page.locator("blockquote").textContent()).toBe(note.replace("\u202E", "\uFFFD"));
  await press(page, "Hand in");
  await complaint(page, "Type something");
  await field(page).fill("hunter2 from the page");
  await press(page, "Hand in");
  await seeScreen(visit, "Handed in");
  expect(await page.evaluate<string>("JSON.stringify({ ...sessionStorage })")).not.toContain("fragment");
  await page.reload();
  await seeScreen(visit, "Handed in");
  expect(await ann.must(["collect", /req_\w+/.exec(link)?.[0] ?? ""])).toBe("hunter2 from the page");
  const again = await browser.open();
  await again.page.goto(link);
  await seeScreen(again, "This has been handed in");
  expect(place.server.stderr()).not.toContain("hunter2");
});

test("after a reload another can be handed in, for as long as the request takes more", async () => {
  await using place = await openPlace();
  const ann = await place.member("ann", SCOPES);
  const link = await ann.must(["request", "--submissions", "3"]);
  const { page } = await browser.open(PHONE);
  await page.goto(link);
  for (const text of ["one", "two"]) {
    await field(page).fill(text);
    await press(page, "Hand in");
    await seeTitle(page, "Handed in");
    await page.reload();
    await seeTitle(page, "Handed in");
    await press(page, "Hand in another");
    await seeTitle(page, "You've been asked for a secret");
    // The form is here to stay, too.
    await page.reload();
    await seeTitle(page, "You've been asked for a secret");
  }
  await field(page).fill("three");
  await press(page, "Hand in");
  await seeTitle(page, "Handed in");
  await page.reload();
  await page.getByText("Reference").waitFor();
  expect(await page.locator("main").getByRole("button").count()).toBe(0);
  expect(await page.evaluate<string>("JSON.stringify({ ...sessionStorage })")).not.toContain("fragment");

  const other = await ann.must(["request", "--submissions", "2"]);
  await page.goto(other);
  await field(page).fill("one");
  await press(page, "Hand in");
  await page.getByRole("button", { name: "Hand in another" }).waitFor();
  await place.person("bob").must(["submit", other], { stdin: "two" });
  await page.reload();
  await page.getByText("Reference").waitFor();
  expect(await page.locator("main").getByRole("button").count()).toBe(0);
});

test("a lost answer hands nothing in twice, and a name that cannot be written is refused", async () => {
  await using place = await openPlace();
  const ann = await place.member("ann", SCOPES);
  const link = await ann.must(["request", "--submissions", "3"]);
  const visit = await browser.open();
  const { page } = visit;
  await page.goto(link);
  await fileField(page).setInputFiles([{ name: "c:bad", mimeType: "text/plain", buffer: Buffer.from("x") }]);
  await complaint(page, "c:bad");
  expect(await page.locator("main").getByRole("listitem").count()).toBe(0);
  await field(page).fill("once");
  await page.getByText("c:bad").waitFor({ state: "detached" });
  // The server gets it, and the page gets no answer.
  await page.route("**/submissions", async (route) => {
    await route.fetch();
    await route.fulfill({ status: 500, json: { code: "internal" } });
  });
  await press(page, "Hand in");
  await complaint(page, "Try again");
  await page.unroute("**/submissions");
  await press(page, "Hand in");
  await seeScreen(visit, "Handed in");
  expect(await ann.must(["status", /req_\w+/.exec(link)?.[0] ?? ""])).toContain("1 of 3 handed in");
  // More can be handed in, as another submission.
  await press(page, "Hand in another");
  await field(page).fill("twice");
  await press(page, "Hand in");
  await seeTitle(page, "Handed in");
  expect(await ann.must(["status", /req_\w+/.exec(link)?.[0] ?? ""])).toContain("2 of 3 handed in");
});

test("files of 25 MiB go through the page in both directions, and it stays responsive", async () => {
  await using place = await openOwnPlace(["--max-ciphertext", "50MiB"]);
  const ann = await place.member("ann", SCOPES);
  const content = Buffer.alloc(25 * MIB);
  for (let at = 0; at < content.length; at += 65_536) crypto.getRandomValues(content.subarray(at, at + 65_536));
  const path = join(ann.home, "large.bin");
  await Bun.write(path, content);
  const visit = await browser.open();
  const { page } = visit;
  const link = await ann.must(["request"]);
  await page.goto(link);
  await fileField(page).setInputFiles([path]);
  await page.evaluate(
    "said = []; turns = 0; look = () => { const text = document.body.innerText; said.push(text); isEncrypting = text.includes('Encrypting'); }; look(); new MutationObserver(look).observe(document.body, { subtree: true, characterData: true, childList: true }); setInterval(() => { if (isEncrypting) turns++; }, 20)",
  );
  // Slow enough to show progress.
  const cdp = await page.context().newCDPSession(page);
  const throughput = 20 * MIB;
  await cdp.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: throughput,
  });
  await press(page, "Hand in");
  await seeTitle(page, "Handed in");
  expect(await page.evaluate<string>("said.join()")).toMatch(/\d\.\d MB of 26\.2 MB/);
  // On the page's own thread, encryption would block it, with one or two turns in all.
  expect(await page.evaluate<number>("turns")).toBeGreaterThan(10);
  await ann.must(["collect", /req_\w+/.exec(link)?.[0] ?? "", "--output", "in"]);
  expect(Buffer.compare(readFileSync(join(ann.home, "in/large.bin")), content)).toBe(0);
  await page.goto(await ann.must(["send", "large.bin"]));
  await press(page, "Open secret");
  await seeTitle(page, /^File$/);
  const [file] = await Promise.all([page.waitForEvent("download"), press(page, "Download large.bin")]);
  expect(Buffer.compare(readFileSync(await file.path()), content)).toBe(0);
});

test("a server that names another recipient is detected before anything is sent", async () => {
  await using place = await openPlace();
  const ann = await place.member("ann", SCOPES);
  const { recipient } = await createAgeIdentity("hybrid");
  const visit = await browser.open();
  await visit.page.route("**/invitation", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), recipient } });
  });
  await visit.page.goto(await ann.must(["request", "--note", "x"]));
  await seeScreen(visit, "Stop: don't send anything");
  expect(await visit.page.getByRole("button").count()).toBe(0);
});

test("typed content stays when the request ends or pauses meanwhile, and is not reported as handed in", async () => {
  await using place = await openPlace();
  const bob = place.person("bob");
  const carl = await place.member("carl", SCOPES);
  const { page: asking } = await openSignedIn(browser, place, "ann");
  const visit = await browser.open();
  const { page, context } = visit;
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const endings: readonly (readonly [string, (link: string) => Promise<unknown>])[] = [
    ["This has been handed in", (link) => bob.must(["submit", link], { stdin: "of bob" })],
    ["This request was revoked", (link) => carl.must(["revoke", /req_\w+/.exec(link)?.[0] ?? ""])],
  ];
  for (const [title, end] of endings) {
    const { link } = await ask(asking, place, title);
    await page.goto(link);
    await field(page).fill("typed by me");
    await end(link);
    await press(page, "Hand in");
    await seeScreen(visit, title);
    await page.getByText("Your secret wasn't sent.").waitFor();
    // No button hands in any more, and the typed content can be copied.
    expect(await page.locator("main").getByRole("button").allTextContents()).toEqual(["Copy"]);
    expect(await page.locator("main").getByRole("textbox").count()).toBe(0);
    await press(page, "Copy");
    await press(page, "Copied");
    expect(await page.evaluate<string>("navigator.clipboard.readText()")).toBe("typed by me");
  }
  const { link } = await ask(asking, place, "paused");
  await page.goto(link);
  await field(page).fill("typed by me");
  await page.route("**/submissions", (route) =>
    route.fulfill({
      status: 409,
      contentType: "application/problem+json",
      json: { type: "about:blank", title: "Paused", status: 409, code: "request_paused", request_id: "x" },
    }),
  );
  await press(page, "Hand in");
  await complaint(page, "Your secret wasn't sent. Nothing can be handed in now");
  await page.unroute("**/submissions");
  await press(page, "Hand in");
  await seeTitle(page, "Handed in");
});

test("a text corrected after a lost answer is not reported as handed in when the earlier one was", async () => {
  await using place = await openPlace();
  const { page: asking } = await openSignedIn(browser, place, "ann");
  const { page } = await browser.open();
  const correct = async (count: number) => {
    const { link } = await ask(asking, place, "note", count);
    await page.goto(link);
    await field(page).fill("old");
    await loseAnswers(page, "**/submissions");
    await press(page, "Hand in");
    await complaint(page, "Try again");
    await page.unroute("**/submissions");
    await field(page).fill("new");
    await press(page, "Hand in");
  };
  await correct(1);
  await seeTitle(page, "This has been handed in");
  await page.getByText("What you sent first had arrived").waitFor();
  await page.getByText("new", { exact: true }).waitFor();
  page.once("dialog", (dialog) => void dialog.accept());
  await correct(2);
  await seeTitle(page, "Handed in");
  await page.getByText("What you sent before, without an answer, may have arrived too").waitFor();
});

test("the person who asks is named as the server knows them, and only if they were signed in", async () => {
  await using place = await openPlace();
  const { page: asking } = await openSignedIn(browser, place, "ann@example.com");
  const { link } = await ask(asking, place, "the staging password");
  const visit = await browser.open(PHONE);
  await visit.page.goto(link);
  await seeScreen(visit, "ann@example.com asks for a secret");
  await visit.page.getByText("according to this server").waitFor();
  const named = ["ann@example.com", "--team", place.team, "--name", "Ann Lee"];
  await place.admin("person", "add", ...named, "--base-url", place.server.url);
  await visit.page.reload();
  await seeScreen(visit, "Ann Lee asks for a secret");
  await visit.page.getByText(`ann@example.com · ${place.team}`).waitFor();
  await visit.page.getByText("Continue only if you know who sent you this link.").waitFor();
});

test("a canceled submission is reported as possibly arrived, and handed in again it counts once", async () => {
  await using place = await openPlace();
  const ann = await place.member("ann", SCOPES);
  const link = await ann.must(["request", "--submissions", "3"]);
  const { page } = await browser.open();
  await page.goto(link);
  await field(page).fill("typed");
  const held = Promise.withResolvers<void>();
  await page.route("**/submissions", async (route) => {
    await route.fetch();
    await held.promise;
    await route.abort().catch(() => undefined);
  });
  await press(page, "Hand in");
  await seeTitle(page, "Sending…");
  await press(page, "Cancel");
  held.resolve();
  await complaint(page, "It may have arrived already.");
  await page.unroute("**/submissions");
  await press(page, "Hand in");
  await seeTitle(page, "Handed in");
  expect(await page.getByText("What you sent before").count()).toBe(0);
  expect(await ann.must(["status", /req_\w+/.exec(link)?.[0] ?? ""])).toContain("1 of 3 handed in");
});
