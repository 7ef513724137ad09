import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import type { Page } from "playwright-core";
import { createHttpClient } from "../../src/client/http-client.ts";
import type { HttpClient } from "../../src/client/http-client.ts";
import { claimSecret, createIdempotencyKey, getSecret, listSecrets, revokeSecret } from "../../src/client/secrets.ts";
import { sendSecret } from "../../src/client/sends.ts";
import { askApproval, decideAsk, listAsks } from "../../src/client/signing-in/approvals.ts";
import { APP_PREFIX } from "../../src/contract/operations.ts";
import type { PendingAsk } from "../../src/contract/secrets.ts";
import { deriveSecretLinkKeys, parseSecretLink } from "../../src/crypto/secret-links.ts";
import { findViolations } from "../support/accessibility.ts";
import { PAGE_TEST_MS, startBrowser } from "../support/browsers.ts";
import { loadStrings } from "../support/languages.ts";
import { codesIn, openMailServer } from "../support/mail-servers.ts";
import {
  complaint,
  linkOn,
  openAs,
  openSignedIn,
  press,
  readText,
  secretField,
  seeScreen,
  seeTitle,
  untilTrue,
} from "../support/page-visits.ts";
import { openPlace as openOwnPlace, shareServer } from "../support/people.ts";
import type { Place } from "../support/people.ts";

setDefaultTimeout(PAGE_TEST_MS);
const browser = await startBrowser();
afterAll(() => browser[Symbol.asyncDispose]());
const openPlace = shareServer();

const TEXT = "correct horse";
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const TITLE = "Someone sent you a secret";
const WAITING = "Waiting to be let in";
const SCOPES = ["secrets:create", "secrets:read", "secrets:revoke", "secrets:approve"];
const CHOICES = ["Nobody", "Ask me first", "Somebody else of the team"];

const clientOf = async ({ server, mint }: Place) =>
  createHttpClient({ baseUrl: server.url, credential: await mint(SCOPES) });

/** Sends a secret of which the sender has to approve each opening. */
const send = (client: HttpClient, more: { passphrase?: string; addressees?: readonly string[] } = {}) =>
  sendSecret(client, {
    content: { kind: "text", text: TEXT },
    passphrase: undefined,
    approver: "sender",
    ttlSeconds: 7200,
    maxClaims: 1,
    ...more,
  });

const wordsOn = (page: Page) => page.getByRole("list", { name: "Three words" }).getByRole("listitem").allTextContents();
const choices = (page: Page) => page.getByRole("group", { name: "Who has to agree?" }).locator("label");

/** Asks on the page, and returns the ask as its approver sees it. */
async function ask(page: Page, client: HttpClient, button = "Ask to open"): Promise<PendingAsk> {
  await press(page, button);
  await seeTitle(page, WAITING);
  const [asked, ...others] = await listAsks(client);
  if (!asked || others.length > 0) throw new Error("there isn't one ask alone");
  return asked;
}

const decide = (client: HttpClient, { id, secret_id: secretId }: PendingAsk, state: "approved" | "refused") =>
  decideAsk(client, secretId, { id, state });

/** The parts of the page for approvals that it loads from now on. */
function partsOf(page: Page): string[] {
  const asked: string[] = [];
  page.on(
    "request",
    (request) => void (/\/(ask-approval|approver-field)/.test(request.url()) && asked.push(request.url())),
  );
  return asked;
}

test("a phone asks to open, shows the words that the sender sees, and opens once the sender agrees", async () => {
  await using place = await openPlace();
  const client = await clientOf(place);
  const { link, secret } = await send(client);
  const visit = await browser.open(PHONE);
  const { page } = visit;
  await page.goto(link);
  await page.getByText("Somebody has to let you in before you can open it.").waitFor();
  await page.getByText("Opens once").waitFor();
  await seeScreen(visit, TITLE);
  expect(await listAsks(client)).toEqual([]);
  const asked = await ask(page, client);
  expect(await wordsOn(page)).toEqual(asked.words);
  // It is announced: the title has the focus, and the words are in a region that is read out when it changes.
  await untilTrue(page, `document.activeElement?.textContent === '${WAITING}'`);
  const announced = page.getByRole("status").filter({ hasText: "it goes on by itself. They can decide until" });
  expect(await announced.getByRole("listitem").allTextContents()).toEqual(asked.words);
  await seeScreen(visit, WAITING);
  expect((await getSecret(client, secret.id)).claims).toBe(0);
  await decide(client, asked, "approved");
  expect(await readText(page)).toBe(TEXT);
  expect((await getSecret(client, secret.id)).state).toBe("claimed");
  // A repeated claim needs no approval.
  await page.reload();
  expect(await readText(page)).toBe(TEXT);
});

test("a reload keeps the ask, and a line that is lost ends no wait", async () => {
  await using place = await openPlace();
  const client = await clientOf(place);
  const { page } = await browser.open();
  await page.goto((await send(client)).link);
  const asked = await ask(page, client);
  await page.reload();
  await seeTitle(page, WAITING);
  expect(await wordsOn(page)).toEqual(asked.words);
  expect(await listAsks(client)).toEqual([asked]);
  const looks = /\/ask(\?|$)/;
  await page.route(looks, (route) => route.abort("connectionrefused"));
  await page.reload();
  await page.getByRole("status").filter({ hasText: "This page tries again by itself." }).waitFor();
  expect(await wordsOn(page)).toEqual(asked.words);
  await page.unroute(looks);
  await page.getByText("This page tries again by itself.").waitFor({ state: "detached" });
  // As networks answer that want their visitors to sign in first.
  await page.route(looks, (route) => route.fulfill({ status: 200, body: "Sign in first" }));
  await page.reload();
  await page.getByText("Something between here and the server answered in its place.").waitFor();
  expect(await wordsOn(page)).toEqual(asked.words);
  await page.unroute(looks);
  await press(page, "Try again");
  await page.getByText("Something between here and the server").waitFor({ state: "detached" });
  await decide(client, asked, "approved");
  expect(await readText(page)).toBe(TEXT);
});

/** The time after which the page tries by itself what failed. */
const LATER_MS = 10_000;
/** Stops the clock of a page before it tries anything by itself. */
const pause = async (page: Page) => page.clock.pauseAt((await page.evaluate<number>("Date.now()")) + LATER_MS / 2);

for (const [back, comeBack] of [
  ["it is online again", (page: Page) => page.evaluate("void dispatchEvent(new Event('online'))")],
  [
    "somebody looks at it again",
    (page: Page) => page.evaluate("void document.dispatchEvent(new Event('visibilitychange'))"),
  ],
  ["some seconds later", (page: Page) => page.clock.runFor(LATER_MS)],
] as const) {
  test(`a phone that was away goes on by itself once ${back}`, async () => {
    await using place = await openPlace();
    const client = await clientOf(place);
    const { page } = await browser.open(PHONE);
    await page.clock.install();
    await page.goto((await send(client)).link);
    const asked = await ask(page, client);
    // As networks answer that want their visitors to sign in first.
    const looks = /\/ask(\?|$)/;
    await page.route(looks, (route) => route.fulfill({ status: 200, body: "Sign in first" }));
    await page.evaluate("void document.dispatchEvent(new Event('visibilitychange'))");
    await page.getByText("Something between here and the server answered in its place.").waitFor();
    await pause(page);
    await page.unroute(looks);
    const looked = page.waitForResponse(looks);
    await comeBack(page);
    expect((await looked).ok()).toBe(true);
    await page.clock.resume();
    await page.getByText("Something between here and the server").waitFor({ state: "detached" });
    await page.route("**/claim", (route) => route.abort("internetdisconnected"));
    await decide(client, asked, "approved");
    await complaint(page, "Can't reach the server.");
    await pause(page);
    await page.unroute("**/claim");
    const claimed = page.waitForResponse("**/claim");
    await comeBack(page);
    expect((await claimed).ok()).toBe(true);
    await page.clock.resume();
    expect(await readText(page)).toBe(TEXT);
  });
}

test("a no is said as it is, and an ask that is over can be made again", async () => {
  await using place = await openPlace();
  const client = await clientOf(place);
  const { link, secret } = await send(client);
  const visit = await browser.open();
  const { page } = visit;
  await page.goto(link);
  const first = await ask(page, client);
  await decide(client, first, "refused");
  await page.getByText("You haven't opened the secret. If you need it, talk to the sender, then ask again.").waitFor();
  await seeScreen(visit, "The answer is no");
  const second = await ask(page, client, "Ask again");
  expect(await wordsOn(page)).toEqual(second.words);
  // As the server answers after an hour.
  const over = { status: 404, contentType: "application/problem+json", json: { code: "not_found" } };
  await page.route("**/ask", (route) => route.fulfill(over));
  await page.reload();
  await page.getByText("You're no longer waiting to be let in. There's an hour to decide").waitFor();
  await seeScreen(visit, TITLE);
  await page.unroute("**/ask");
  const full = { status: 429, contentType: "application/problem+json", json: { code: "rate_limited" } };
  await page.route("**/asks", (route) => route.fulfill(full));
  await press(page, "Ask again");
  await complaint(page, "Too many others are waiting to be let in.");
  await page.unroute("**/asks");
  await press(page, "Ask again");
  await seeTitle(page, WAITING);
  await revokeSecret(client, secret.id);
  await seeTitle(page, "This secret was revoked");
});

test("who waits while somebody else opens it reads that it was opened elsewhere, also after a reload", async () => {
  await using place = await openPlace();
  const client = await clientOf(place);
  const { link, secret } = await send(client);
  const { claimToken } = await deriveSecretLinkKeys(parseSecretLink(link).seed);
  const other = createHttpClient({ baseUrl: place.server.url, credential: claimToken });
  const visit = await browser.open(PHONE);
  const { page } = visit;
  await page.goto(link);
  await ask(page, client);
  const sleeping = await browser.open(PHONE);
  await sleeping.page.goto(link);
  await press(sleeping.page, "Ask to open");
  await seeTitle(sleeping.page, WAITING);
  await sleeping.page.goto("about:blank");
  const asked = await askApproval(other, secret.id);
  await decideAsk(client, secret.id, { id: asked.id, state: "approved" });
  await claimSecret(other, secret.id, createIdempotencyKey(), undefined, { approvalToken: asked.approval_token });
  await page.getByText("It wasn't opened in this tab. Somebody else was let in").waitFor();
  await seeScreen(visit, "This secret has been opened");
  expect(await page.getByText("If that wasn't you").count()).toBe(0);
  // As a phone loads a page again that it has put aside.
  await sleeping.page.goto(link.replace(/#.*/, ""));
  await sleeping.page.getByText("It wasn't opened in this tab. Somebody else was let in").waitFor();
  await seeTitle(sleeping.page, "This secret has been opened");
});

test("in another language than English, a note says that the words are English", async () => {
  await using place = await openPlace();
  const client = await clientOf(place);
  const { link } = await send(client);
  for (const tag of ["en", "de"] as const) {
    const { page, context } = await browser.open({ ...PHONE, locale: tag });
    const { approving } = await loadStrings(tag);
    await page.goto(link);
    await press(page, approving.button);
    await seeTitle(page, approving.waiting);
    const hints = await page.getByRole("status").locator(".hint").allTextContents();
    expect(hints).toEqual(tag === "en" ? [] : [approving.english]);
    const [asked] = await listAsks(client);
    if (asked) await decide(client, asked, "refused");
    await context.close();
  }
});

test("an approval that came too late to be used leads back to the ask", async () => {
  await using place = await openPlace();
  const client = await clientOf(place);
  const { page } = await browser.open();
  await page.goto((await send(client, { passphrase: "open sesame" })).link);
  await decide(client, await ask(page, client), "approved");
  await page.getByText("You're let in. Open it by").waitFor();
  await untilTrue(page, "document.activeElement?.id === 'passphrase'");
  const late = { status: 403, contentType: "application/problem+json", json: { code: "approval_required" } };
  await page.route("**/claim", (route) => route.fulfill(late), { times: 1 });
  await page.keyboard.type("open sesame");
  await press(page, "Open secret");
  await page.getByText("You're no longer waiting to be let in. There's an hour to decide").waitFor();
  await decide(client, await ask(page, client, "Ask again"), "approved");
  // What was typed is still there.
  await press(page, "Open secret");
  expect(await readText(page)).toBe(TEXT);
});

test("chosen people prove their address, and then ask; the approver sees it", async () => {
  await using mailServer = await openMailServer();
  const mail = ["--smtp-url", `smtp://127.0.0.1:${mailServer.port}`, "--mail-from", "handoff@mail.test"];
  await using place = await openOwnPlace(mail);
  const client = await clientOf(place);
  const { page } = await browser.open(PHONE);
  const parts = partsOf(page);
  await page.goto((await send(client, { addressees: ["ann@example.com"] })).link);
  await page.getByText("After that, somebody has to let you in before you can open it.").waitFor();
  await page.getByLabel("Your mail address").fill("ann@example.com");
  await press(page, "Send me a code");
  const [letter] = await mailServer.untilMails(1);
  await page.getByLabel("Code from the mail").fill(letter ? (codesIn(letter)[0] ?? "") : "");
  expect(parts).toEqual([]);
  await press(page, "Continue");
  await page.getByRole("button", { name: "Ask to open" }).waitFor();
  // No second code is needed.
  await page.reload();
  await page.getByRole("button", { name: "Ask to open" }).waitFor();
  const asked = await ask(page, client);
  expect(await page.evaluate<string>("JSON.stringify(sessionStorage)")).not.toContain("handoff-proof:");
  expect(asked.address).toBe("ann@example.com");
  // The ask stands for the proof.
  await page.reload();
  await seeTitle(page, WAITING);
  expect(await wordsOn(page)).toEqual(asked.words);
  await decide(client, asked, "refused");
  await seeTitle(page, "The answer is no");
  await press(page, "Ask again");
  await page.getByLabel("Your mail address").waitFor();
});

test("a link that nobody has to approve loads nothing of it", async () => {
  await using place = await openPlace();
  const client = await clientOf(place);
  const { page } = await browser.open();
  const parts = partsOf(page);
  const content = { kind: "text", text: TEXT } as const;
  const terms = { passphrase: undefined, ttlSeconds: 3600, maxClaims: 1 };
  await page.goto((await sendSecret(client, { content, ...terms })).link);
  await press(page, "Open secret");
  expect(await readText(page)).toBe(TEXT);
  await page.goto((await send(client)).link);
  await page.getByRole("button", { name: "Ask to open" }).waitFor();
  expect(parts.length).toBe(1);
});

test("a sender wants to be asked first, and lets the recipient in", async () => {
  await using place = await openPlace();
  const client = await clientOf(place);
  const visit = await openAs(browser, place, "bob@example.com");
  const { page } = visit;
  const parts = partsOf(page);
  await secretField(page).fill(TEXT);
  expect(parts).toEqual([]);
  await page.getByText("Opens once · 7 days · no passphrase").click();
  await choices(page).first().waitFor();
  expect(await choices(page).allTextContents()).toEqual(CHOICES);
  await choices(page).filter({ hasText: "Somebody else" }).click();
  await page.getByText("Activity asks the others of your team to let them in or not. You can't.").waitFor();
  await page.getByText("no passphrase · somebody else agrees").waitFor();
  await choices(page).filter({ hasText: "Ask me first" }).click();
  await page.getByRole("status").filter({ hasText: "Activity asks you to let them in or not." }).waitFor();
  await page.getByText("People who run the server could skip it, so keep the link secret.").waitFor();
  await seeScreen(visit, "Send a secret");
  await page.getByText("no passphrase · ask me first").waitFor();
  await press(page, "Create link");
  await seeTitle(page, "Your link is ready");
  await page.getByText(/^Anyone with it can ask to open the secret, which opens once, until/).waitFor();
  await page.getByText("You decide who gets in.").waitFor();
  await seeScreen(visit, "Your link is ready");
  await visit.context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await press(page, "Copy as a message");
  const message = await page.evaluate<string>("navigator.clipboard.readText()");
  expect(message.split("\n").slice(1)).toEqual([
    await linkOn(page),
    "Before it opens, I have to let you in. You'll see three words: I may call you and ask for them.",
  ]);

  const other = await browser.open();
  await other.page.goto(await linkOn(page));
  await other.page.getByText("bob@example.com has to let you in before you can open it.").waitFor();
  await press(other.page, "Ask to open");
  await seeTitle(other.page, "Waiting for bob@example.com");
  // As the page of the sender lets them in.
  await page.evaluate(`(async () => {
    const { data: [{ id, secret_id }] } = await (await fetch("${APP_PREFIX}/asks")).json();
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify({ id, state: "approved" });
    await fetch("${APP_PREFIX}/secrets/" + secret_id + "/asks", { method: "PATCH", headers, body });
  })()`);
  expect(await readText(other.page)).toBe(TEXT);

  // The next secret begins without it.
  await seeTitle(page, "Your secret was opened");
  await press(page, "Send another");
  await page.getByText("Opens once · 7 days · no passphrase").click();
  expect(await page.getByLabel("Nobody").isChecked()).toBe(true);
  const [sent] = await listSecrets(client, { limit: 1 });
  expect(sent?.approval).toBe("sender");
});

for (const { rule, offered, chosen, first } of [
  { rule: "sender", offered: CHOICES.slice(1), chosen: "sender", first: "ask me first" },
  { rule: "team", offered: CHOICES.slice(2), chosen: "team", first: "somebody else agrees" },
] as const) {
  test(`a team's rule of an approval by at least the ${rule} offers no less, and has it chosen`, async () => {
    await using place = await openPlace();
    await place.admin("team", "rules", place.team, "--approval", rule);
    const client = await clientOf(place);
    const visit = await openSignedIn(browser, place, "ann");
    const { page } = visit;
    await page.goto(place.server.url);
    await secretField(page).fill(TEXT);
    await page.getByText(`no passphrase · ${first}`).click();
    await choices(page).first().waitFor();
    expect(await choices(page).allTextContents()).toEqual(offered);
    await page.getByText("Your team's rules ask for this.").waitFor();
    expect(await findViolations(page)).toEqual([]);
    await press(page, "Create link");
    await seeTitle(page, "Your link is ready");
    await page.getByText(rule === "sender" ? "You decide" : "Somebody else of your team decides").waitFor();
    const [sent] = await listSecrets(client, { limit: 1 });
    expect(sent?.approval).toBe(chosen);
  });
}

test("a person who may not approve can have somebody else of the team asked", async () => {
  await using place = await openPlace();
  await place.admin(
    "person",
    "add",
    "cid",
    "--team",
    place.team,
    "--scope",
    "secrets:create",
    "--base-url",
    place.server.url,
  );
  const { page } = await openSignedIn(browser, place, "cid");
  await page.goto(place.server.url);
  await page.getByText("Opens once · 7 days · no passphrase").click();
  await choices(page).first().waitFor();
  expect(await choices(page).allTextContents()).toEqual(["Nobody", "Somebody else of the team"]);
});
