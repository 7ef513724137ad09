import type { Page } from "playwright-core";
import { askForSecret } from "../src/client/asks.ts";
import { getCredential } from "../src/client/credentials.ts";
import type { HttpClient } from "../src/client/http-client.ts";
import { createHttpClient } from "../src/client/http-client.ts";
import type { AskedRequest } from "../src/client/requests.ts";
import { getInvitation, revokeRequest } from "../src/client/requests.ts";
import { acknowledgeClaim, claimSecret, createIdempotencyKey, revokeSecret } from "../src/client/secrets.ts";
import { sendSecret } from "../src/client/sends.ts";
import type { SentSecret } from "../src/client/stored-secrets.ts";
import { submitSecret } from "../src/client/submissions.ts";
import { SESSION_PATH } from "../src/contract/operations.ts";
import type { Content } from "../src/crypto/contents.ts";
import { deriveRequestKeys, parseRequestLink } from "../src/crypto/request-links.ts";
import { deriveSecretLinkKeys, parseSecretLink } from "../src/crypto/secret-links.ts";
import { beginLogin } from "../src/domain/signing-in/logins.ts";
import { invitePerson } from "../src/domain/signing-in/persons.ts";
import type { PageSources } from "../src/http/options.ts";
import { authenticators } from "../src/signing-in/passkeys.ts";
import { samplePdf, samplePng } from "../test/support/samples.ts";
import { startTestServer } from "../test/support/server.ts";
import type { TestServer } from "../test/support/server.ts";
import { clientOf } from "../test/support/sessions.ts";

/** A server whose clock can be moved, a team in which nobody has done anything, and a page without a history. */
export interface Stage {
  readonly server: TestServer;
  readonly team: string;
  /** A key of the team with every scope. */
  readonly client: HttpClient;
  readonly page: Page;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const TEXT = "correct horse battery staple";
const FILES = [
  { name: "id_ed25519", text: "fake-local-test-only\n" },
  { name: "config/database.yml", text: "password: fake-local-test-only\n" },
].map(({ name, text }) => ({ name, bytes: Buffer.from(text), isExecutable: false, isFolder: false }));
const LINES =
  "URL: https://cloud.example.com\nUser: mia@example.com\nPassword: fake-local-test-only\nRecovery code: 1234 5678\n";
const DOCUMENTS = [
  { name: "guest-wifi.png", bytes: samplePng(600) },
  { name: "contract.pdf", bytes: samplePdf("Contract") },
].map((file) => ({ ...file, isExecutable: false, isFolder: false }));

/** Starts the server of a stage. It has passkeys, and so a name and no address. Some files are too large for it. */
export function startStageServer(page: PageSources): Promise<TestServer> {
  return startTestServer({
    policy: { maxSecretBytes: 8_000_000 },
    http: { page: async () => page, authenticators: async () => authenticators },
    listen: { target: { kind: "tcp", hostname: "localhost", port: 0 } },
  });
}

/** The way to each screen. It selects elements by role and not by text, because texts change and are translated. */
export const SCREENS: Readonly<Record<string, (stage: Stage) => Promise<unknown>>> = {
  start: ({ server, page }) => page.goto(server.url),
  "sign-in": async (stage) => stage.page.goto(await signInLink(stage)),
  "sign-in-needs-https": async (stage) => {
    // As Safari refuses the cookie over http.
    await stage.page.addInitScript(`{
      const { get, set } = Object.getOwnPropertyDescriptor(Document.prototype, "cookie");
      const keep = function (cookie) { if (!cookie.includes("Secure")) set.call(this, cookie); };
      Object.defineProperty(Document.prototype, "cookie", { get, set: keep });
    }`);
    await stage.page.goto(await signInLink(stage));
  },
  "sign-in-no-cookie": async (stage) => {
    await stage.page.addInitScript(`Object.defineProperty(Document.prototype, "cookie", { get: () => "", set() {} })`);
    await stage.page.goto(await signInLink(stage));
  },
  "sign-in-incomplete": ({ server, page }) => page.goto(`${server.url}/sign-in`),
  "sign-in-used": async (stage) => {
    const link = await signInLink(stage);
    await signInLink(stage);
    await stage.page.goto(link);
    await submit(stage.page);
  },
  "login-stranger": async (stage) => stage.page.goto(`${stage.server.url}/login#${await loginCode(stage)}`),
  login: async (stage) => signIn(stage, "/login"),
  "login-wrong": async (stage) => {
    await signIn(stage, "/login#BCDF-GHJK");
    await stage.page.locator("main form button[type=submit]").click();
    await stage.page.locator("main form .wrong").waitFor();
  },
  "login-terminal": openTerminal,
  "login-allowed": async (stage) => {
    await openTerminal(stage);
    await stage.page.locator("main .button.primary").click();
    await stage.page.locator("main .seal.good").waitFor();
  },
  "login-refused": async (stage) => {
    await openTerminal(stage);
    await stage.page.locator("main .button:not(.primary)").click();
    await stage.page.locator("main .seal").waitFor();
  },
  "login-gone": async (stage) => {
    await openTerminal(stage);
    await advance(stage, 600_000);
    await stage.page.locator("main .button.primary").click();
    await stage.page.locator("main .seal").waitFor();
  },
  "sign-in-passkey-unknown": async ({ server, page }) => {
    await page.route("**/app/session/passkey", (route) =>
      route.fulfill({ status: 401, json: { code: "credential_invalid" } }),
    );
    await page.goto(server.url);
    await page.locator("main .hero .buttons button").first().click();
    await page.locator("main .wrong").waitFor();
  },
  "signed-out": ({ server, page }) => page.goto(`${server.url}/activity`),
  "signed-in": async (stage) => {
    await signIn(stage, "/#signed-in");
    await stage.page.locator("main .notice:not(.good) button").first().waitFor();
  },
  "nothing-allowed": async (stage) => {
    await signIn(stage, "/about");
    await stage.server.backend.service.store.setScopes(await personIdOf(stage), []);
    await stage.page.goto(stage.server.url);
  },
  "account-empty": (stage) => signIn(stage, "/account"),
  account: openAccount,
  "account-remove": async (stage) => {
    await openAccount(stage);
    await stage.page.locator("main .things button").first().click();
    await stage.page.locator("dialog").waitFor();
  },
  "account-signed-out": async (stage) => {
    await openAccount(stage);
    await stage.server.backend.service.store.signOutPerson(await personIdOf(stage));
    await stage.page.locator("main .things button").last().click();
    await stage.page.locator("main .wrong").waitFor();
  },
  send: signIn,
  "send-nothing": async (stage) => {
    await signIn(stage);
    await stage.page.locator("main form button[type=submit]").first().click();
  },
  "send-files": async (stage) => {
    await signIn(stage);
    await stage.page.locator("main form textarea").fill(TEXT);
    await stage.page
      .locator("input[type=file]")
      .first()
      .setInputFiles(FILES.map(({ name, bytes }) => ({ name: name.replace("/", "-"), mimeType: "", buffer: bytes })));
  },
  "send-long-text": async (stage) => {
    await signIn(stage);
    await stage.page.locator("main form textarea").fill(`${TEXT}\n`.repeat(300_000));
    await stage.page.locator("main form .file").waitFor();
  },
  "send-guessable": async (stage) => {
    await signIn(stage);
    await stage.page.locator("main form summary").click();
    await stage.page.locator("main form input[type=password]").fill("extra");
  },
  "send-options": async (stage) => {
    await signIn(stage);
    await stage.page.locator("main form summary").click();
    await stage.page.locator("main form .options-body .button.inline").click();
    await stage.page.locator("main form .options-body [role=status] p").waitFor();
  },
  "send-too-large": async (stage) => {
    await signIn(stage);
    await chooseLarge(stage.page, 9_000_000);
    await stage.page.locator("main form .wrong").waitFor();
  },
  sending: async (stage) => {
    await signIn(stage);
    await stage.page.locator("main form textarea").fill(TEXT);
    await chooseLarge(stage.page, 3_000_000);
    await stage.page.route("**/app/secrets?*", () => undefined);
    await submit(stage.page);
    await stage.page.locator("main progress").waitFor();
  },
  sent: sendFromPage,
  "sent-ticket": async (stage) => {
    await signIn(stage);
    await stage.page.locator("main form summary").click();
    await stage.page.locator("main form input[autocapitalize=characters]").fill("OPS-4711");
    await stage.page.locator("main form textarea").fill(TEXT);
    await submit(stage.page);
    await stage.page.locator("main .link").waitFor();
  },
  "sent-passphrase": async (stage) => {
    await signIn(stage);
    await stage.page.locator("main form summary").click();
    await stage.page.locator("main form input[type=password]").fill("extra");
    await stage.page.locator("main form textarea").fill(TEXT);
    await submit(stage.page);
    await stage.page.locator("main .link").waitFor();
  },
  "sent-code": async (stage) => {
    await sendFromPage(stage);
    // Wide windows show the code beside the link.
    const button = stage.page.locator("main [aria-expanded]");
    if (await button.isVisible()) await button.click();
  },
  "sent-and-opened": async (stage) => {
    await sendFromPage(stage);
    const link = (await stage.page.locator(".link").textContent()) ?? "";
    await change(stage.page, () => openElsewhere(stage, link));
  },
  "activity-empty": (stage) => signIn(stage, "/activity"),
  activity: async (stage) => {
    await showActivity(stage);
    await stage.page.locator("main li").nth(5).waitFor();
  },
  "activity-ticket": async (stage) => {
    await showActivity(stage);
    await stage.page.goto(`${stage.server.url}/activity#ticket=OPS-4711`);
    await stage.page.locator(".pick.is-on").waitFor();
  },
  "activity-search": async (stage) => {
    await showActivity(stage);
    await stage.page.locator("main input[type=search]").fill("vpn");
    await stage.page.locator("main mark").waitFor();
  },
  "activity-pick": async (stage) => {
    await showActivity(stage);
    const more = stage.page.locator(".find-more");
    if (await more.isVisible()) await more.click();
    await stage.page.locator("summary.pick").last().click();
  },
  "activity-details": async (stage) => {
    await showActivity(stage);
    await stage.page.locator("main .row:not(.is-ready)").first().click();
    await stage.page.locator(".details").waitFor();
  },
  "activity-history": async (stage) => {
    await showActivity(stage);
    await stage.page.locator("main .row:has(.state.good)").first().click();
    await stage.page.locator(".story .is-good").waitFor();
  },
  "activity-extend": async (stage) => {
    await showActivity(stage);
    await stage.page.locator("main .row:not(.is-ready)").first().click();
    await stage.page.locator(".details .options summary").click();
    await stage.page.locator(".details .options button").last().click();
    await stage.page.locator(".details .options [role=status]:not(:empty)").waitFor();
  },
  "activity-request": async (stage) => {
    await showActivity(stage);
    await stage.page.locator("main .row.is-ready").first().click();
    await stage.page.locator(".details").waitFor();
  },
  "activity-approval": async (stage) => {
    await showActivity(stage);
    await askToOpen(stage);
    await stage.page.reload();
    await stage.page.locator("main .asks button").first().waitFor();
  },
  audit: async (stage) => {
    await showActivity(stage);
    await askToOpen(stage);
    await stage.page.goto(`${stage.server.url}/audit`);
    await stage.page.locator("main .audit li").first().waitFor();
  },
  ask: (stage) => signIn(stage, "/ask"),
  "ask-options": async (stage) => {
    await signIn(stage, "/ask");
    await stage.page.locator("main form summary").click();
  },
  "ask-form": async (stage) => {
    await signIn(stage, "/ask");
    await stage.page.locator("main .templates label").nth(1).click();
    await stage.page.locator("main .fields").waitFor();
  },
  "ask-own-form": async (stage) => {
    await signIn(stage, "/ask");
    await stage.page.locator("main .templates label").last().click();
    await stage.page.locator("main .fields").waitFor();
    await stage.page.locator("main form button[type=submit]").click();
    await stage.page.locator("main .fields .wrong").first().waitFor();
  },
  asked: askFromPage,
  "asked-backup": async (stage) => {
    await askFromPage(stage);
    await stage.page.locator(".backup summary").click();
    await stage.page.locator(".backup button").last().click();
  },
  "asked-and-handed-in": async (stage) => {
    await handIn(stage, await askFromPage(stage));
    await stage.page.locator("main a.primary[href*='/c/']").waitFor();
  },
  "collect-nothing": async (stage) => collect(stage, await askFromPage(stage)),
  "collect-waiting": async (stage) => {
    const link = await askFromPage(stage);
    await handIn(stage, link);
    await collect(stage, link);
  },
  "collect-opened": async (stage) => {
    const link = await askFromPage(stage);
    await handIn(stage, link);
    await collect(stage, link);
    await change(stage.page, () => stage.page.locator("main li button").first().click());
  },
  "collect-shown-again": async (stage) => {
    const link = await askFromPage(stage);
    await handIn(stage, link);
    await collect(stage, link);
    await change(stage.page, () => stage.page.locator("main li button").first().click());
    await stage.page.reload();
    await collect(stage, link);
    await stage.page.locator("main li button").waitFor();
  },
  "collect-form": async (stage) => {
    const link = await askForLogin(stage);
    await stage.page.goto(link);
    await stage.page.locator("main form input[type=text]").fill("mia@example.com");
    await stage.page.locator("main form input[type=password]").fill("fake-local-test-only");
    await submit(stage.page);
    await collect(stage, link);
    await change(stage.page, () => stage.page.locator("main li button").first().click());
  },
  "collect-wrong-key-file": async (stage) => {
    await signIn(stage);
    const { link, request } = await ask(stage);
    await stage.page.goto(`${stage.server.url}/c/${request.id}`);
    const file = { name: "backup.txt", mimeType: "text/plain", buffer: Buffer.from(link) };
    await stage.page.locator("input[type=file]").setInputFiles([file]);
    await stage.page.locator("main .wrong").waitFor();
  },
  "collect-no-key": async (stage) => {
    await signIn(stage);
    await stage.page.goto(`${stage.server.url}/c/${(await ask(stage)).request.id}`);
  },
  "collect-signed-out": async (stage) => {
    const { request, ageIdentity } = await ask(stage);
    await stage.page.goto(`${stage.server.url}/c/${request.id}#1.${ageIdentity}`);
  },
  ready: async (stage) => stage.page.goto((await send(stage)).link),
  "ready-many": async (stage) => stage.page.goto((await send(stage, { maxClaims: 3 })).link),
  "ready-passphrase": async (stage) => stage.page.goto((await send(stage, { passphrase: "extra" })).link),
  "wrong-passphrase": async (stage) => {
    await stage.page.goto((await send(stage, { passphrase: "extra" })).link);
    await stage.page.locator("main input[type=password]").fill("another");
    await stage.page.locator("main form button[type=submit]").click();
    await stage.page.locator("main input[aria-invalid=true]").waitFor();
  },
  "opened-text": async (stage) => openIn(stage.page, (await send(stage)).link),
  "ready-by-person": async (stage) => stage.page.goto(await sendAsPerson(stage)),
  "opened-lines": async (stage) =>
    openIn(stage.page, (await send(stage, { content: { kind: "text", text: LINES } })).link),
  "opened-both": async (stage) => {
    const content = {
      kind: "both",
      text: "The contract, and the Wi-Fi of the guests.\nSign here, please.",
      files: DOCUMENTS,
    } as const;
    await openIn(stage.page, (await send(stage, { content, maxClaims: 3 })).link);
    for (const row of await stage.page.locator("main li").all()) await row.locator("button").first().click();
    await stage.page.waitForTimeout(500);
  },
  "opened-elsewhere": async (stage) => {
    const { link } = await send(stage);
    const first = await stage.page.context().newPage();
    await openIn(first, link);
    await stage.page.goto(link);
  },
  erased: async (stage) => {
    await openIn(stage.page, (await send(stage)).link);
    await stage.page.locator("main .left button").click();
    await stage.page.locator("dialog .danger").click();
    await stage.page.locator("main .is-over").waitFor();
  },
  "erase-first": async (stage) => {
    await openIn(stage.page, (await send(stage)).link);
    await stage.page.locator("main .left button").click();
    await stage.page.locator("dialog").waitFor();
  },
  "link-encoded": async (stage) => stage.page.goto((await send(stage)).link.replace("#", "%23")),
  "opened-files": async (stage) => openIn(stage.page, (await send(stage, { files: true })).link),
  "already-opened": async (stage) => {
    const sent = await send(stage);
    await openElsewhere(stage, sent.link);
    await stage.page.goto(sent.link);
  },
  expired: async (stage) => {
    const { link } = await send(stage);
    await advance(stage, 8 * DAY_MS);
    await stage.page.goto(link);
  },
  revoked: async (stage) => {
    const { link, secret } = await send(stage);
    await revokeSecret(stage.client, secret.id);
    await stage.page.goto(link);
  },
  "link-cut-off": async (stage) => stage.page.goto((await send(stage)).link.slice(0, -4)),
  "link-without-key": async (stage) => stage.page.goto((await send(stage)).link.replace(/#.*/, "")),
  "link-mistyped": async (stage) => stage.page.goto((await send(stage)).link.replace(/#1\.\w/, "#1._")),
  unreachable: async (stage) => {
    const { link } = await send(stage);
    await stage.page.route("**/api/**", (route) => route.abort());
    await stage.page.goto(link);
  },
  "hand-in": async (stage) => stage.page.goto((await ask(stage)).link),
  "hand-in-from-person": async (stage) => {
    const link = await askFromPage(stage);
    await stage.page.goto(link);
    await stage.page.locator("main blockquote").waitFor();
  },
  "hand-in-form": async (stage) => {
    await stage.page.goto(await askForLogin(stage));
    await stage.page.locator("main input[type=password]").waitFor();
  },
  "hand-in-form-empty": async (stage) => {
    await stage.page.goto(await askForLogin(stage));
    await stage.page.locator("main form button[type=submit]").click();
    await stage.page.locator("main form .wrong").first().waitFor();
  },
  "handed-in": async (stage) => handInFrom(stage.page, (await ask(stage)).link),
  "handed-in-too-late": async (stage) => {
    const { link } = await ask(stage);
    await stage.page.goto(link);
    await stage.page.locator("main form textarea").fill(TEXT);
    await handIn(stage, link);
    await submit(stage.page);
    await stage.page.locator("main .seal").waitFor();
  },
  "request-fulfilled": async (stage) => {
    const { link } = await ask(stage);
    await handIn(stage, link);
    await stage.page.goto(link);
  },
  "request-paused": async (stage) => {
    const { link, request } = await ask(stage);
    await stage.client.call("patchRequest", { id: request.id, body: { state: "paused" } });
    await stage.page.goto(link);
  },
  "request-revoked": async (stage) => {
    const { link, request } = await ask(stage);
    await revokeRequest(stage.client, request.id);
    await stage.page.goto(link);
  },
  "request-expired": async (stage) => {
    const { link } = await ask(stage);
    await advance(stage, 8 * DAY_MS);
    await stage.page.goto(link);
  },
};

/** Moves the time, on the server and in the page. */
async function advance({ server, page }: Stage, ms: number): Promise<void> {
  server.backend.clock.advance(ms);
  await page.clock.setFixedTime(server.backend.clock.now());
}

/** A secret that the stage's key has sent. */
function send(
  { client }: Stage,
  terms: {
    readonly files?: boolean;
    readonly content?: Content;
    readonly passphrase?: string;
    readonly maxClaims?: number;
  } = {},
): Promise<SentSecret> {
  return sendSecret(client, {
    content: terms.content ?? (terms.files ? { kind: "files", files: FILES } : { kind: "text", text: TEXT }),
    passphrase: terms.passphrase,
    maxClaims: terms.maxClaims,
    ttlSeconds: undefined,
  });
}

/** The link to a secret of a signed-in person. */
async function sendAsPerson(stage: Stage): Promise<string> {
  await signIn(stage);
  const client = await clientOf(stage.page.context(), stage.server.url);
  const { link } = await send({ ...stage, client }, { content: { kind: "both", text: TEXT, files: DOCUMENTS } });
  await stage.page.context().clearCookies();
  return link;
}

/** A request that the stage's key has made. */
function ask({ client }: Stage): Promise<AskedRequest> {
  const options = { note: "the staging password", identityKind: "hybrid", ttlSeconds: undefined } as const;
  return askForSecret(client, { ...options, maxSubmissions: undefined }, () => ({ assign() {}, drop() {} }));
}

const signInLink = async (stage: Stage) => `${stage.server.url}/sign-in#${await inviteToken(stage)}`;

/** A token by which a person can sign in once. */
async function inviteToken({ server, team }: Stage): Promise<string> {
  return (await invitePerson(server.backend.service, { team, address: "ann@example.com" })).token;
}

/** Signs a person in without the page, and opens `path`. */
async function signIn(stage: Stage, path = "/"): Promise<void> {
  const answer = await stage.page.request.post(stage.server.url + SESSION_PATH, {
    headers: { "sec-fetch-site": "same-origin" },
    data: { sign_in_token: await inviteToken(stage) },
  });
  if (!answer.ok()) throw new Error(`nobody signs in: ${await answer.text()}`);
  await stage.page.goto(stage.server.url + path);
  await settle(stage.page);
}

/** The code of a terminal that waits to be let in. */
async function loginCode({ server }: Stage): Promise<string> {
  const terminal = { machine: "ann-laptop.example.com", address: "203.0.113.7" };
  return (await beginLogin(server.backend.service, terminal)).userCode;
}

async function openTerminal(stage: Stage): Promise<void> {
  await signIn(stage, `/login#${await loginCode(stage)}`);
  await stage.page.locator("main form button[type=submit]").click();
  await stage.page.locator("main dl").waitFor();
}

/** The ID of the person who has signed in. */
async function personIdOf({ server, page }: Stage): Promise<string> {
  const { id } = (await getCredential(await clientOf(page.context(), server.url))).identity ?? { id: "" };
  return id;
}

/** Shows the account of a person who has passkeys, and is signed in in several browsers. */
async function openAccount(stage: Stage): Promise<void> {
  const { server, page } = stage;
  const { service, clock } = server.backend;
  const elsewhere = async (agent: string) =>
    fetch(server.url + SESSION_PATH, {
      method: "POST",
      headers: { "content-type": "application/json", "sec-fetch-site": "same-origin", "user-agent": agent },
      body: JSON.stringify({ sign_in_token: await inviteToken(stage) }),
    });
  await elsewhere("Mozilla/5.0 (iPhone) Version/19.0 Safari/604.1");
  await advance(stage, 3 * DAY_MS);
  await elsewhere("Lynx");
  await signIn(stage);
  const identity = await service.store.findPerson(await personIdOf(stage));
  if (!identity) throw new Error("nobody has signed in");
  const times = { createdAt: clock.now() - DAY_MS, counter: 0, transports: [], publicKey: new Uint8Array(1), identity };
  const add = (browser: string, system: string, lastUsedAt: number | null) => {
    const id = service.ids.next("passkey");
    return service.store.addPasskey({ ...times, id, credentialId: id, browser, system, lastUsedAt }, 20);
  };
  await add("Chrome", "macOS", clock.now());
  await add("Safari", "iPhone", null);
  await page.goto(`${server.url}/account`);
  await settle(page);
}

function chooseLarge(page: Page, bytes: number): Promise<void> {
  const file = { name: "database-dump.sql", mimeType: "", buffer: Buffer.alloc(bytes) };
  return page.locator("input[type=file]").first().setInputFiles([file]);
}

async function sendFromPage(stage: Stage): Promise<void> {
  await signIn(stage);
  await stage.page.locator("main form textarea").fill(TEXT);
  await submit(stage.page);
}

/** Asks for a secret from the page. Returns the request link. */
async function askFromPage(stage: Stage): Promise<string> {
  await signIn(stage, "/ask");
  await stage.page.locator("main form :is(textarea, input:not([type=number]))").first().fill("the staging password");
  await submit(stage.page);
  return (await stage.page.locator(".link").first().textContent()) ?? "";
}

/** Asks for a user and a password from the page. Returns the request link. */
async function askForLogin(stage: Stage): Promise<string> {
  await signIn(stage, "/ask");
  await stage.page.locator("main .templates label").nth(1).click();
  await submit(stage.page);
  return (await stage.page.locator(".link").first().textContent()) ?? "";
}

/** The stages whose person has been active. */
const filled = new WeakSet<Stage>();

/** Shows the activity of a person who has sent and asked for something in every state: once for each stage. */
async function showActivity(stage: Stage): Promise<void> {
  if (!filled.has(stage)) await fillActivity(stage);
  filled.add(stage);
  await stage.page.goto(`${stage.server.url}/activity`);
  await stage.page.locator("main li").first().waitFor();
}

/** Asks to open a secret of the signed-in person, who has to approve it. */
async function askToOpen({ page, server }: Stage): Promise<void> {
  const { id, claim_token: token } = await page.evaluate<{ readonly id: string; readonly claim_token: string }>(
    `fetch("/app/secrets?approval=sender&reference=OPS-4711", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ envelope: { version: 1, ciphertext: "fake-local-test-only" } }) }).then((answer) => answer.json())`,
  );
  await createHttpClient({ baseUrl: server.url, credential: token }).call("askApproval", { id });
}

async function fillActivity(stage: Stage): Promise<void> {
  const { page, server } = stage;
  const answered = await askFromPage(stage);
  await handIn(stage, answered);
  const make = (most: number, seconds: number, ticket = "") =>
    page.evaluate<{ readonly id: string; readonly claim_token: string }>(
      `fetch("/app/secrets?max_claims=${most}&expires_in=${seconds}${ticket && `&reference=${ticket}`}", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ envelope: { version: 1, ciphertext: "fake-local-test-only".repeat(9) } }) }).then((answer) => answer.json())`,
    );
  const open = async ({ id, claim_token: token }: Awaited<ReturnType<typeof make>>) =>
    createHttpClient({ baseUrl: server.url, credential: token }).call("claimSecret", { id });
  await make(1, 60);
  await advance(stage, 120_000);
  await make(1, 7 * 86_400, "OPS-4711");
  const some = await make(3, 86_400);
  await open(some);
  await open(await make(1, 86_400, "OPS-4711"));
  const { id } = await make(1, 86_400);
  await page.evaluate(`fetch("/app/secrets/${id}", { method: "DELETE" })`);
  await page.goto(`${server.url}/ask`);
  await page.locator("main form textarea").fill("the certificate of the VPN");
  await submit(page);
}

async function collect({ server, page }: Stage, requestLink: string): Promise<void> {
  await page.goto(`${server.url}/c/${/req_\w+/.exec(requestLink)?.[0]}`);
  await settle(page);
}

/** Hands in what the request asks for, without the page. */
async function handIn({ server }: Stage, text: string): Promise<void> {
  const link = parseRequestLink(text);
  const { submitToken } = await deriveRequestKeys(link.seed);
  const client = createHttpClient({ baseUrl: server.url, credential: submitToken });
  const { recipient } = await getInvitation(client, link);
  await submitSecret(client, { requestId: link.id, recipient, content: { kind: "text", text: TEXT } });
}

async function handInFrom(page: Page, link: string): Promise<void> {
  await page.goto(link);
  await page.locator("main form textarea").fill(TEXT);
  await submit(page);
  await page.locator("main .wax").waitFor();
}

async function openIn(page: Page, link: string): Promise<void> {
  await page.goto(link);
  await submit(page);
}

/** Opens a secret, without the page. */
async function openElsewhere({ server }: Stage, text: string): Promise<void> {
  const { id, seed } = parseSecretLink(text);
  const { claimToken } = await deriveSecretLinkKeys(seed);
  const client = createHttpClient({ baseUrl: server.url, credential: claimToken });
  const idempotencyKey = createIdempotencyKey();
  await claimSecret(client, id, idempotencyKey);
  await acknowledgeClaim(client, id, idempotencyKey);
}

/** Presses the main button of a screen, that of its form or its only one, and waits for the next screen. */
async function submit(page: Page): Promise<void> {
  await settle(page);
  const ofForm = page.locator("main form button[type=submit]");
  const button = (await ofForm.count()) > 0 ? ofForm : page.locator("main button");
  await change(page, () => button.first().click());
}

/** Runs an action that leads to another screen, and waits for that screen. */
async function change(page: Page, act: () => Promise<void>): Promise<void> {
  await settle(page);
  const before = (await page.locator("main h1").textContent()) ?? "";
  await act();
  await page.locator("main h1").filter({ hasNotText: before }).waitFor();
}

/** Waits until a page shows a screen. */
export function settle(page: Page): Promise<void> {
  return page.locator("main h1").waitFor();
}
