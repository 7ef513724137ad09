import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import type { Page } from "playwright-core";
import { askForSecret } from "../../src/client/asks.ts";
import { createHttpClient } from "../../src/client/http-client.ts";
import type { HttpClient } from "../../src/client/http-client.ts";
import { getRequest } from "../../src/client/requests.ts";
import { getSecret } from "../../src/client/secrets.ts";
import { sendSecret } from "../../src/client/sends.ts";
import { PAGE_TEST_MS, startBrowser } from "../support/browsers.ts";
import { codesIn, openMailServer } from "../support/mail-servers.ts";
import type { MailServer } from "../support/mail-servers.ts";
import { complaint, openSignedIn, press, readText, seeScreen, seeTitle, untilTrue } from "../support/page-visits.ts";
import { openPlace } from "../support/people.ts";
import type { Place } from "../support/people.ts";
import { openProvided } from "../support/provided-places.ts";

setDefaultTimeout(PAGE_TEST_MS);
const browser = await startBrowser();
afterAll(() => browser[Symbol.asyncDispose]());

const ANN = "ann@example.com";
const TEXT = "correct horse";
const TITLE = "Someone sent you a secret";
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const ALL = ["secrets:create", "secrets:read", "requests:create", "requests:read"];
const MADE = { ttlSeconds: undefined, note: undefined, identityKind: "x25519" } as const;

const address = (page: Page) => page.getByLabel("Your mail address");
const code = (page: Page) => page.getByLabel("Code from the mail");
const openSecret = (page: Page) => press(page, "Open secret");

const openPost = (mailServer: MailServer) =>
  openPlace(["--smtp-url", `smtp://127.0.0.1:${mailServer.port}`, "--mail-from", "handoff@mail.test"]);

const clientOf = async ({ server, mint }: Place) =>
  createHttpClient({ baseUrl: server.url, credential: await mint(ALL) });

/** Sends a secret for the chosen people. */
const send = (client: HttpClient, addressees: readonly string[], passphrase?: string) =>
  sendSecret(client, { content: { kind: "text", text: TEXT }, passphrase, addressees, ttlSeconds: 3600, maxClaims: 1 });

const ask = (client: HttpClient, addressees: readonly string[], maxSubmissions = 1) =>
  askForSecret(client, { ...MADE, addressees, maxSubmissions }, () => ({
    assign: () => undefined,
    drop: () => undefined,
  }));

async function askForCode(page: Page, text: string) {
  await address(page).fill(text);
  await press(page, "Send me a code");
  await page.getByText(`If ${text} is one of the chosen addresses, a mail with a code is on its way.`).waitFor();
}

/** The code in the mail with this number, counted from 1. */
async function codeOf(mailServer: MailServer, count: number): Promise<string> {
  const mail = (await mailServer.untilMails(count))[count - 1];
  return mail ? (codesIn(mail)[0] ?? "") : "";
}

test("a phone opens a secret for chosen people with two taps and one code", async () => {
  await using mailServer = await openMailServer();
  await using place = await openPost(mailServer);
  const client = await clientOf(place);
  const { link, secret } = await send(client, [ANN]);
  const visit = await browser.open(PHONE);
  const { page } = visit;
  await page.goto(link);
  await page.getByText("This is for a…\u2060@example.com.").waitFor();
  await page.getByText("it starts with a and ends with @example.com").waitFor();
  await page.getByText("Opens once").waitFor();
  expect(await address(page).inputValue()).toBe("");
  await seeScreen(visit, TITLE);
  await press(page, "Send me a code");
  await complaint(page, "Enter your address first.");
  await askForCode(page, ANN);
  await untilTrue(page, "document.activeElement?.autocomplete === 'one-time-code'");
  await page.getByText("Opens once").waitFor();
  await seeScreen(visit, TITLE);
  const typed = await codeOf(mailServer, 1);
  await code(page).fill(typed === "00000000" ? "00000001" : "00000000");
  await openSecret(page);
  await complaint(page, "This code doesn't work.");
  // The tab of a phone is loaded again when its person comes back from the mail.
  await page.reload();
  await code(page).fill(`${typed.slice(0, 4)} ${typed.slice(4)}`);
  await openSecret(page);
  expect(await readText(page)).toBe(TEXT);
  expect((await getSecret(client, secret.id)).state).toBe("claimed");
  // A repeated claim needs no proof.
  await page.reload();
  expect(await readText(page)).toBe(TEXT);
});

test("an address that isn't chosen is told the same, gets no mail, and opens nothing", async () => {
  await using mailServer = await openMailServer();
  await using place = await openPost(mailServer);
  const client = await clientOf(place);
  const { link, secret } = await send(client, [ANN, "*@example.org"]);
  const { page } = await browser.open();
  await page.goto(link);
  await page.getByText("This is for:").waitFor();
  expect(await page.getByRole("main").getByRole("listitem").allInnerTexts()).toEqual(
    expect.arrayContaining(["a…\u2060@example.com", "Everyone at example.org"]),
  );
  await askForCode(page, "amy@example.com");
  for (let n = 0; n < 5; n++) {
    await code(page).fill("00000000");
    await openSecret(page);
    await complaint(page, "This code doesn't work.");
  }
  await openSecret(page);
  await complaint(page, "It expired, was used, or 5 wrong codes were entered.");
  await press(page, "Send another code");
  await page.getByText("If amy@example.com is one of the chosen addresses, a mail with another code").waitFor();
  expect((await getSecret(client, secret.id)).claims).toBe(0);
  await press(page, "Use another address");
  await askForCode(page, "bob@example.org");
  const [mail, ...others] = await mailServer.untilMails(1);
  expect([mail?.to, others]).toEqual([["bob@example.org"], []]);
  await code(page).fill(await codeOf(mailServer, 1));
  await openSecret(page);
  expect(await readText(page)).toBe(TEXT);
});

test("a signed-in person who is chosen opens it in one tap, and another one is asked for an address", async () => {
  await using mailServer = await openMailServer();
  await using place = await openPost(mailServer);
  const client = await clientOf(place);
  const visit = await openSignedIn(browser, place, ANN);
  const { page } = visit;
  await page.goto((await send(client, [ANN])).link);
  await page.getByRole("button", { name: `Open as ${ANN}` }).waitFor();
  await seeScreen(visit, TITLE);
  await press(page, `Open as ${ANN}`);
  expect(await readText(page)).toBe(TEXT);

  // Only the server can tell these two apart.
  const refused = await send(client, ["amy@example.com"]);
  await page.goto(refused.link);
  await press(page, `Open as ${ANN}`);
  await page.getByText(`You're signed in as ${ANN}, and this isn't for that address.`).waitFor();
  await address(page).waitFor();
  await untilTrue(page, "document.activeElement?.type === 'email'");
  await seeScreen(visit, TITLE);
  expect((await getSecret(client, refused.secret.id)).claims).toBe(0);

  await page.goto((await send(client, ["*@example.org"])).link);
  await page.getByText("This is for everyone at example.org.").waitFor();
  await page.getByText(`You're signed in as ${ANN}, and this isn't for that address.`).waitFor();
  expect(await page.getByRole("button", { name: "Open as" }).count()).toBe(0);
  expect(mailServer.mails).toEqual([]);
});

test("where the server sends no mails, a stranger is asked to sign in", async () => {
  await using provided = await openProvided([]);
  const { link } = await send(await clientOf(provided.place), ["ann@acme.example"]);
  const visit = await browser.open();
  await visit.page.goto(link);
  await visit.page.getByText("This server sends no mail. Sign in there, then open this link again.").waitFor();
  await seeScreen(visit, TITLE);
  expect(await address(visit.page).count()).toBe(0);
  await visit.page.getByRole("link", { name: "Sign in" }).click();
  await seeTitle(visit.page, "Send secrets safely");
});

test("with a passphrase too, the code comes first", async () => {
  await using mailServer = await openMailServer();
  await using place = await openPost(mailServer);
  const { page } = await browser.open();
  await page.goto((await send(await clientOf(place), [ANN], "open sesame")).link);
  await askForCode(page, ANN);
  await code(page).fill(await codeOf(mailServer, 1));
  await press(page, "Continue");
  await page.getByLabel("Passphrase", { exact: true }).waitFor();
  await untilTrue(page, "document.activeElement?.id === 'passphrase'");
  await page.keyboard.type("open sesame");
  await openSecret(page);
  expect(await readText(page)).toBe(TEXT);
});

test("only chosen people hand in, and a proof that has ended costs nothing that was typed", async () => {
  await using mailServer = await openMailServer();
  await using place = await openPost(mailServer);
  const client = await clientOf(place);
  const { link, request } = await ask(client, [ANN], 2);
  const visit = await browser.open(PHONE);
  const { page } = visit;
  await page.goto(link);
  await page.getByText("This is for a…\u2060@example.com.").waitFor();
  expect(await page.getByLabel("What you hand in").count()).toBe(0);
  await seeScreen(visit, "You've been asked for a secret");
  await askForCode(page, ANN);
  await code(page).fill(await codeOf(mailServer, 1));
  await press(page, "Continue");
  await page.getByLabel("What you hand in").fill(TEXT);
  // As the server answers after ten minutes.
  await page.route("**/submissions", (route) => route.fulfill({ status: 403, json: { code: "proof_required" } }), {
    times: 1,
  });
  await press(page, "Hand in");
  await page.getByText("You proved your address more than 10 minutes ago.").waitFor();
  expect(await page.getByLabel("What you hand in").inputValue()).toBe(TEXT);
  expect(await address(page).inputValue()).toBe(ANN);
  await seeScreen(visit, "You've been asked for a secret");
  await press(page, "Send me a code");
  await code(page).fill(await codeOf(mailServer, 2));
  await press(page, "Continue");
  await press(page, "Hand in");
  await seeTitle(page, "Handed in");
  // The proof holds for another one.
  await press(page, "Hand in another");
  await page.getByLabel("What you hand in").fill(TEXT);
  await press(page, "Hand in");
  await seeTitle(page, "Handed in");
  expect((await getRequest(client, request.id)).submission_count).toBe(2);
});
