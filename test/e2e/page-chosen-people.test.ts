import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import type { Page } from "playwright-core";
import { createHttpClient } from "../../src/client/http-client.ts";
import { submitEnvelope } from "../../src/client/requests.ts";
import { claimSecret, createIdempotencyKey } from "../../src/client/secrets.ts";
import { beginProof, completeProof } from "../../src/client/signing-in/proofs.ts";
import type { ProofSubject } from "../../src/client/signing-in/proofs.ts";
import { sealToRecipient } from "../../src/crypto/envelopes.ts";
import { deriveRequestKeys, parseRequestLink } from "../../src/crypto/request-links.ts";
import { deriveSecretLinkKeys, parseSecretLink } from "../../src/crypto/secret-links.ts";
import { PAGE_TEST_MS, startBrowser } from "../support/browsers.ts";
import { codesIn, openMailServer } from "../support/mail-servers.ts";
import type { MailServer } from "../support/mail-servers.ts";
import {
  complaint,
  linkOn,
  openAs,
  openDetails,
  press,
  secretField,
  seeScreen,
  seeTitle,
  sendText,
} from "../support/page-visits.ts";
import { openPlace, shareServer } from "../support/people.ts";

setDefaultTimeout(PAGE_TEST_MS);
const browser = await startBrowser();
afterAll(() => browser[Symbol.asyncDispose]());
const openMute = shareServer();

const openPost = (mailServer: MailServer) =>
  openPlace(["--smtp-url", `smtp://127.0.0.1:${mailServer.port}`, "--mail-from", "handoff@mail.test"]);
const field = (page: Page, question = "Who may open it?") => page.getByRole("textbox", { name: question });
const chosen = (page: Page, name = "Who may open it?") => page.getByRole("list", { name }).getByRole("listitem");
const openOptions = (page: Page) => page.getByText("Opens once · 7 days · no passphrase").click();

/** The parts of the page for choosing people that it loads from now on. */
function partsOf(page: Page): string[] {
  const asked: string[] = [];
  page.on("request", (request) => void (request.url().includes("/people-field") && asked.push(request.url())));
  return asked;
}

/** Pastes a text into the field that has the focus. */
async function paste(page: Page, text: string): Promise<void> {
  await page.evaluate(`{
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", ${JSON.stringify(text)});
    const init = { bubbles: true, cancelable: true, clipboardData };
    document.activeElement.dispatchEvent(new ClipboardEvent("paste", init));
  }`);
}

/** A client with the token of a link, and what the link leads to. */
async function holdLink(link: string) {
  if (link.includes("/r/")) {
    const { baseUrl, id, seed } = parseRequestLink(link);
    const { submitToken } = await deriveRequestKeys(seed);
    const client = createHttpClient({ baseUrl, credential: submitToken, isOfLink: true });
    return { client, subject: { kind: "request", id } satisfies ProofSubject };
  }
  const { baseUrl, id, seed } = parseSecretLink(link);
  const { claimToken } = await deriveSecretLinkKeys(seed);
  const client = createHttpClient({ baseUrl, credential: claimToken, isOfLink: true });
  return { client, subject: { kind: "secret", id } satisfies ProofSubject };
}

/** Proves an address with the code of the mail that comes next, and returns the token. */
async function prove(
  mailServer: MailServer,
  { client, subject }: Awaited<ReturnType<typeof holdLink>>,
  address: string,
) {
  const former = mailServer.mails.length;
  const proofToken = await beginProof(client, subject, { address, language: "en" });
  const mail = (await mailServer.untilMails(former + 1))[former];
  const code = mail ? (codesIn(mail)[0] ?? "") : "";
  await completeProof(client, subject, { proofToken, code });
  return proofToken;
}

test("a sender chooses people, and Activity says who opened it and whose proof was refused", async () => {
  await using mailServer = await openMailServer();
  await using place = await openPost(mailServer);
  const visit = await openAs(browser, place, "bob@example.com");
  const { page } = visit;
  const asked = partsOf(page);
  await secretField(page).fill("hunter2");
  expect(asked).toEqual([]);
  await openOptions(page);
  await field(page).pressSequentially("ann@example.com,");
  expect(asked.length).toBeGreaterThan(0);
  await chosen(page).filter({ hasText: "ann@example.com" }).waitFor();
  await paste(page, "Cid <cid@example.com>; dan@example.com\nDAN@example.com @example.org");
  await page.getByRole("button", { name: "Remove *@example.org" }).waitFor();
  expect(await chosen(page).allTextContents()).toEqual([
    "ann@example.com",
    "cid@example.com",
    "dan@example.com",
    "*@example.org",
  ]);
  await page.getByText("People who run the server could skip that, so keep the link secret.").waitFor();
  await seeScreen(visit, "Send a secret");
  await press(page, "Remove cid@example.com");
  expect(await field(page).evaluate((input) => input.matches(":focus"))).toBe(true);
  await page.keyboard.press("Backspace");
  await page.getByText("*@example.org").waitFor({ state: "detached" });
  expect(await chosen(page).allTextContents()).toEqual(["ann@example.com", "dan@example.com"]);
  await page.getByText("no passphrase · chosen people only").waitFor();
  await press(page, "Create link");
  await seeTitle(page, "Your link is ready");
  await page.getByText(/^Only the people you chose can open it, once, until/).waitFor();
  expect(await chosen(page, "For").allTextContents()).toEqual(["ann@example.com", "dan@example.com"]);
  await seeScreen(visit, "Your link is ready");
  const held = await holdLink(await linkOn(page));

  await page.goto(`${place.server.url}/activity`);
  const details = await openDetails(page, held.subject.id);
  expect(await chosen(page, "For").allTextContents()).toEqual(["ann@example.com", "dan@example.com"]);
  await beginProof(held.client, held.subject, { address: "eve@example.com", language: "en" });
  const refused = "Someone with the link gave the address eve@example.com and didn't prove one of the chosen ones";
  await page.getByRole("status").filter({ hasText: refused }).waitFor();
  await details.getByRole("listitem").filter({ hasText: refused }).waitFor();
  await seeScreen(visit, /./);
  const proofToken = await prove(mailServer, held, "ann@example.com");
  await claimSecret(held.client, held.subject.id, createIdempotencyKey(), undefined, { proofToken });
  await details.getByRole("listitem").filter({ hasText: "Opened by ann@example.com, address proven" }).waitFor();
});

test("a person who asks chooses who may hand in, and Activity says who did", async () => {
  await using mailServer = await openMailServer();
  await using place = await openPost(mailServer);
  const visit = await openAs(browser, place, "bob@example.com");
  const { page } = visit;
  await page.goto(`${place.server.url}/ask`);
  await page.getByText("Accepts 1 secret · 7 days").click();
  await field(page, "Who may hand in?").fill("ann@example.com");
  await seeScreen(visit, "Ask for a secret");
  // What is still in the field counts.
  await press(page, "Create request link");
  await seeTitle(page, "Your request link is ready");
  expect(await chosen(page, "For").allTextContents()).toEqual(["ann@example.com"]);
  await seeScreen(visit, "Your request link is ready");
  const held = await holdLink((await page.getByLabel("The request link").textContent()) ?? "");
  const { recipient } = (await held.client.call("getInvitation", { id: held.subject.id })) as {
    readonly recipient: string;
  };
  await beginProof(held.client, held.subject, { address: "!@example.com", language: "en" });
  const proofToken = await prove(mailServer, held, "ann@example.com");
  const envelope = await sealToRecipient(new TextEncoder().encode("hunter2"), recipient);
  await submitEnvelope(held.client, held.subject.id, envelope, { proofToken });

  await page.goto(`${place.server.url}/activity`);
  const details = await openDetails(page, held.subject.id);
  await details.getByText("Someone with the link didn't prove one of the chosen addresses").waitFor();
  await details.getByText("Handed in by ann@example.com, address proven").waitFor();
  expect(await chosen(page, "For").allTextContents()).toEqual(["ann@example.com"]);
  await seeScreen(visit, /./);
});

test("what is no address stays in the field with a complaint, and so does what the server refuses", async () => {
  await using mailServer = await openMailServer();
  await using place = await openPost(mailServer);
  const { page, context } = await openAs(browser, place, "bob@example.com");
  await secretField(page).fill("hunter2");
  await openOptions(page);
  await field(page).pressSequentially("ann@example.com example.com ");
  await complaint(page, "This isn't an address. An address looks like ann@example.com.");
  expect(await field(page).inputValue()).toBe("example.com");
  expect(await field(page).getAttribute("aria-invalid")).toBe("true");
  // The same where the options are closed.
  await page.getByText("chosen people only").click();
  await field(page).waitFor({ state: "hidden" });
  await press(page, "Create link");
  await field(page).and(page.locator(":focus")).waitFor();
  await field(page).fill("");
  await page.route("**/app/secrets?**", (route) =>
    route.fulfill({
      status: 422,
      contentType: "application/problem+json",
      json: { code: "schema_mismatch", errors: [{ pointer: "/query/for", code: "format" }] },
    }),
  );
  await press(page, "Create link");
  await complaint(page, "The server doesn't accept one of these addresses. Check them.");
  await field(page).and(page.locator(":focus")).waitFor();
  await page.unroute("**/app/secrets?**");
  await field(page).fill("dan@example.com");
  await field(page).blur();
  await chosen(page).filter({ hasText: "dan@example.com" }).waitFor();
  // They are still there for a person who was signed out, and in again.
  const cookies = await context.cookies();
  await context.clearCookies();
  await press(page, "Create link");
  await complaint(page, /sign/i);
  expect(await chosen(page).allTextContents()).toEqual(["ann@example.com", "dan@example.com"]);
  await context.addCookies(cookies);
  await press(page, "Create link");
  await seeTitle(page, "Your link is ready");
  expect(await chosen(page, "For").allTextContents()).toEqual(["ann@example.com", "dan@example.com"]);
});

test("a server that can't have an address proven doesn't ask for people", async () => {
  await using place = await openMute();
  const { page } = await openAs(browser, place, "bob@example.com");
  const asked = partsOf(page);
  await openOptions(page);
  await sendText(page, "hunter2");
  expect(asked).toEqual([]);
});
