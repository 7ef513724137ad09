import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import type { Page } from "playwright-core";
import { bundlePage } from "../../src/cli/server/page-bundle.ts";
import { createHttpClient } from "../../src/client/http-client.ts";
import { claimSecret, createIdempotencyKey } from "../../src/client/secrets.ts";
import { askApproval, decideAsk, listAsks, waitForDecision } from "../../src/client/signing-in/approvals.ts";
import { SESSION_PATH } from "../../src/contract/operations.ts";
import { SCOPES } from "../../src/contract/scopes.ts";
import type { CreatedAsk } from "../../src/contract/secrets.ts";
import { invitePerson } from "../../src/domain/signing-in/persons.ts";
import { PAGE_TEST_MS, startBrowser } from "../support/browsers.ts";
import type { TestPage } from "../support/browsers.ts";
import { errorOf } from "../support/clients.ts";
import { complaint, openDetails, press, seeScreen, seeTitle } from "../support/page-visits.ts";
import { until } from "../support/polls.ts";
import { startTestServer } from "../support/server.ts";
import type { TestServer } from "../support/server.ts";

setDefaultTimeout(PAGE_TEST_MS);
const browser = await startBrowser();
afterAll(() => browser[Symbol.asyncDispose]());
const sources = bundlePage();

const OWN = { "sec-fetch-site": "same-origin" };
const ENVELOPE = { version: 1, ciphertext: "fake-local-test-only" };
const HOUR_MS = 3_600_000;

const openServer = () => startTestServer({ policy: { sendsMails: true }, http: { page: async () => sources } });

/** Somebody of the team who is signed in. */
interface Member extends TestPage {
  readonly id: string;
  /** Posts with their session, and returns the answer. */
  post(path: string, data: object): Promise<Record<string, string>>;
}

/** Opens the browser of a member, whose page has the time of the server; a test moves its clock if it `isMoved`. */
async function openMember({ url, backend }: TestServer, address: string, isMoved = false): Promise<Member> {
  const { token, person } = await invitePerson(backend.service, { team: "team", address });
  const visit = await browser.open();
  const time = backend.clock.now();
  await (isMoved ? visit.page.clock.install({ time }) : visit.page.clock.setFixedTime(time));
  const post: Member["post"] = async (path, data) => {
    const answer = await visit.page.request.post(url + path, { headers: OWN, data });
    if (!answer.ok()) throw new Error(await answer.text());
    return (await answer.json()) as Record<string, string>;
  };
  await post(SESSION_PATH, { sign_in_token: token });
  return { ...visit, id: person.id, post };
}

/** Sends a secret with the session of `sender`, and returns it with a client of its link. */
async function send({ url }: TestServer, sender: Member, query: string) {
  const { id = "", claim_token: credential = "" } = await sender.post(`/app/secrets?${query}`, { envelope: ENVELOPE });
  const client = createHttpClient({ baseUrl: url, credential, isOfLink: true });
  const claim = (ask?: CreatedAsk) =>
    claimSecret(client, id, createIdempotencyKey(), undefined, { approvalToken: ask?.approval_token });
  return { id, name: `Secret …${id.slice(-6)}`, client, claim };
}

const wordsOf = ({ words }: CreatedAsk) => words.join(", ");
/** The card of an ask, and all of them. */
const cardOf = (page: Page, ask: CreatedAsk) =>
  cardsOn(page).filter({ has: page.getByText(wordsOf(ask), { exact: true }) });
const cardsOn = (page: Page) => page.locator("main .asks > li");

async function openActivity({ url }: TestServer, { page }: Member): Promise<void> {
  await page.goto(`${url}/activity`);
  await seeTitle(page, /Activity|Nothing here yet/);
}

test("who wants to open a secret comes up by itself, and is let in by its sender", async () => {
  await using server = await openServer();
  await server.backend.mint();
  const ann = await openMember(server, "ann@example.com");
  const { page } = ann;
  const secret = await send(server, ann, "approval=sender");
  await openActivity(server, ann);
  const ask = await askApproval(secret.client, secret.id);
  const card = cardOf(page, ask);
  await card.getByRole("heading", { name: secret.name }).waitFor();
  const text = await card.innerText();
  expect(text).toContain("Someone wants to open this secret.");
  expect(text).toContain("They see the same words. Ask them by phone.");
  expect(text).toMatch(/Who\s+Someone with the link, no address proven/);
  expect(text).toMatch(/Sent\s+Just now\s+Asked\s+Just now\s+Waits until\s+Today, /);
  await page
    .getByRole("status")
    .filter({ hasText: `Someone wants to open “${secret.name}”: ${wordsOf(ask)}.` })
    .waitFor();
  await seeScreen(ann, "Activity");
  expect(await errorOf(secret.claim(ask))).toMatchObject({ code: "approval_required" });

  await card.getByRole("button", { name: "Let them in" }).click();
  const said = "You let them in, for one opening within 10 minutes.";
  await card.getByRole("status").filter({ hasText: said }).waitFor();
  await card.getByRole("heading").and(page.locator(":focus")).waitFor();
  expect(await card.getByRole("button").allInnerTexts()).toEqual(["Refuse after all"]);
  await seeScreen(ann, "Activity");
  await secret.claim(ask);

  const details = await openDetails(page, secret.id);
  await details.getByRole("listitem").filter({ hasText: "Opened with the link" }).waitFor();
  expect(await details.innerText()).toMatch(/Approval\s+By you/);
  const lines = (await details.getByRole("listitem").allTextContents()).map((line) => line.replace(/Just now$/, ""));
  expect(lines).toEqual([
    "You sent it",
    `Asked to be let in: someone with the link, no address proven (${wordsOf(ask)})`,
    `You let them in (${wordsOf(ask)})`,
    "Opened with the link",
  ]);
  await seeScreen(ann, /^Secret$/);
});

test("somebody who was let in can be refused until they open it", async () => {
  await using server = await openServer();
  await server.backend.mint();
  const ann = await openMember(server, "ann@example.com");
  const secret = await send(server, ann, "approval=sender");
  await openActivity(server, ann);
  const letIn = async () => {
    const ask = await askApproval(secret.client, secret.id);
    const card = cardOf(ann.page, ask);
    const refuse = card.getByRole("button", { name: "Refuse after all" });
    await card.getByRole("button", { name: "Let them in" }).click();
    // It is there once the server has the decision.
    await refuse.waitFor();
    return { ask, card, refuse };
  };
  const first = await letIn();
  await first.refuse.click();
  await first.card.getByText("You refused. They can ask again.").waitFor();
  expect(await first.card.getByRole("button").count()).toBe(0);
  expect(await errorOf(secret.claim(first.ask))).toMatchObject({ code: "approval_required" });
  const second = await letIn();
  // The one that was refused has given way, with its words.
  await first.card.waitFor({ state: "detached" });
  await secret.claim(second.ask);
  await second.refuse.click();
  await second.card.getByText(/^Too late: /).waitFor();
});

test("who is refused stays out, and may ask again, with the address that they have proven", async () => {
  await using server = await openServer();
  await server.backend.mint();
  const [ann, bob] = [await openMember(server, "ann@example.com"), await openMember(server, "bob@example.com")];
  const { page } = ann;
  const secret = await send(server, ann, "approval=sender&for=bob@example.com&reference=OPS-1");
  const { proof_token: proofToken } = await bob.post("/app/proofs", { subject_id: secret.id });
  const first = await askApproval(secret.client, secret.id, proofToken);
  // What waits already is there from the beginning.
  await openActivity(server, ann);
  const card = cardOf(page, first);
  await card.getByRole("heading", { name: "Ticket OPS-1" }).waitFor();
  await card.getByText("bob@example.com, address proven").waitFor();
  await card.getByRole("button", { name: "Refuse" }).click();
  await card.getByRole("status").filter({ hasText: "You refused. They can ask again." }).waitFor();
  const wait = { seconds: 0, stepSeconds: 0, signal: new AbortController().signal };
  const decided = await waitForDecision(secret.client, secret.id, first.approval_token, wait);
  expect(decided.state).toBe("refused");
  expect(await errorOf(secret.claim(first))).toMatchObject({ code: "approval_required" });

  const second = await askApproval(secret.client, secret.id, proofToken);
  await cardOf(page, second).getByRole("button", { name: "Let them in" }).click();
  await cardOf(page, second).getByText("You let them in, for one opening").waitFor();
  await secret.claim(second);
  const details = await openDetails(page, secret.id);
  await details.getByText("Opened by bob@example.com, address proven").waitFor();
  await details.getByText(`Asked to be let in: bob@example.com, address proven (${wordsOf(second)})`).waitFor();
  await details.getByText(`You refused (${wordsOf(first)})`).waitFor();
});

test("where the others of the team decide, the sender has nothing to decide, and one decision is enough", async () => {
  await using server = await openServer();
  const key = await server.backend.mint();
  const other = createHttpClient({ baseUrl: server.url, credential: key.token });
  const [ann, bob] = [await openMember(server, "ann@example.com"), await openMember(server, "bob@example.com")];
  const secret = await send(server, ann, "approval=team&max_claims=2");
  await openActivity(server, ann);
  await openActivity(server, bob);
  await seeTitle(bob.page, "Nothing here yet");
  const ask = await askApproval(secret.client, secret.id);
  await cardOf(bob.page, ask).getByRole("heading", { name: secret.name }).waitFor();
  await seeScreen(bob, "Activity");
  const details = await openDetails(ann.page, secret.id);
  expect(await details.innerText()).toMatch(/Approval\s+By someone else on your team/);
  await details.getByText(`(${wordsOf(ask)})`).waitFor();
  expect(await cardsOn(ann.page).count()).toBe(0);

  await decideAsk(other, secret.id, { id: ask.id, state: "refused" });
  await cardOf(bob.page, ask).waitFor({ state: "detached" });
  await details.getByText(`A teammate refused (${wordsOf(ask)})`).waitFor();
  // Members of the team may ask, too.
  const own = await askApproval(other, secret.id);
  const { identity } =
    (await listAsks(createHttpClient({ baseUrl: server.url, credential: (await server.backend.mint()).token })))[0] ??
    {};
  await cardOf(bob.page, own)
    .getByText(`A teammate, ID …${identity?.slice(-6)}`)
    .waitFor();
  await cardOf(bob.page, own).getByRole("button", { name: "Let them in" }).click();
  await details.getByText(`A teammate let them in (${wordsOf(own)})`).waitFor();
  await claimSecret(other, secret.id, createIdempotencyKey(), undefined, { approvalToken: own.approval_token });
});

test("many who wait are counted on every tab, and leave the search within reach", async () => {
  await using server = await openServer();
  await server.backend.mint();
  const ann = await openMember(server, "ann@example.com");
  const { page } = ann;
  const secret = await send(server, ann, "approval=sender");
  const asks: CreatedAsk[] = [];
  // One network asks three times for a secret.
  const another = await send(server, ann, "approval=sender");
  for (const { client, id } of [secret, secret, secret, another, another]) {
    server.backend.clock.advance(1000);
    asks.push(await askApproval(client, id));
  }
  const tab = (count: number) => page.getByRole("link", { name: `Activity ${count} waiting for you`, exact: true });
  await page.goto(`${server.url}/`);
  await tab(5).waitFor();
  const decision = { headers: OWN, data: { id: asks[0]?.id, state: "refused" } };
  expect((await page.request.patch(`${server.url}/app/secrets/${secret.id}/asks`, decision)).ok()).toBe(true);
  await tab(4).waitFor();

  await openActivity(server, ann);
  await tab(4).waitFor();
  await page.getByRole("button", { name: "Show all 4" }).waitFor();
  expect(await cardsOn(page).count()).toBe(3);
  // The oldest come first.
  expect(await cardOf(page, asks[4] as CreatedAsk).count()).toBe(0);
  await page.getByRole("link", { name: "Needs you 4", exact: true }).click();
  await page.getByText("4 of 6.").waitFor();
  expect(await page.getByText("Show all", { exact: true }).count()).toBe(0);
  await seeScreen(ann, "Activity");
  await page.getByRole("button", { name: "Show all 4" }).click();
  await cardOf(page, asks[4] as CreatedAsk)
    .getByRole("heading")
    .and(page.locator(":focus"))
    .waitFor();
  expect(await cardsOn(page).count()).toBe(4);
  expect(await page.getByRole("button", { name: /^Show all/ }).count()).toBe(0);
  // Asks aren't among what somebody asks for.
  await page.goto(`${server.url}/activity#state=needed&kind=asked`);
  await page.getByRole("link", { name: "Needs you", exact: true }).waitFor();
});

test("what nobody can decide any more goes, or says so", async () => {
  await using server = await openServer();
  await server.backend.mint();
  const ann = await openMember(server, "ann@example.com", true);
  const { page } = ann;
  const [revoked, late] = [await send(server, ann, "approval=sender"), await send(server, ann, "approval=sender")];
  await openActivity(server, ann);
  const [first, second] = [
    await askApproval(revoked.client, revoked.id),
    await askApproval(late.client, late.id),
  ] as const;
  await page.clock.runFor(2000);
  await cardOf(page, first).waitFor();
  await cardOf(page, second).waitFor();
  await ann.page.request.delete(`${server.url}/app/secrets/${revoked.id}`, { headers: OWN });
  await until(async () => {
    await page.clock.runFor(1000);
    return (await cardsOn(page).count()) === 1;
  }, 20);

  await page.route("**/asks", (route) =>
    route.fulfill({ status: 403, contentType: "application/problem+json", json: { code: "not_approver" } }),
  );
  await press(page, "Refuse");
  await cardOf(page, second).getByText("Someone else has to decide this.").waitFor();
  await page.unroute("**/asks");
  await page.reload();
  await cardOf(page, second).waitFor();
  server.backend.clock.advance(HOUR_MS);
  await press(page, "Let them in");
  await cardOf(page, second).getByText("Too late: the time is over, it was opened or revoked").waitFor();

  // No event says that the time of an ask is over.
  const third = await askApproval(late.client, late.id);
  await page.clock.runFor(2000);
  await cardOf(page, third).getByRole("button", { name: "Refuse" }).waitFor();
  await page.clock.runFor(HOUR_MS / 2);
  expect(await cardOf(page, third).count()).toBe(1);
  server.backend.clock.advance(HOUR_MS);
  await until(async () => {
    await page.clock.runFor(60_000);
    return (await cardOf(page, third).count()) === 0;
  }, 60);
});

test("on a phone, who wants to open a secret comes up above the details of any", async () => {
  await using server = await openServer();
  await server.backend.mint();
  const ann = await openMember(server, "ann@example.com");
  const { page } = ann;
  await page.setViewportSize({ width: 390, height: 780 });
  const secret = await send(server, ann, "approval=sender");
  await openActivity(server, ann);
  const details = await openDetails(page, secret.id);
  const list = page.getByRole("searchbox");
  await list.waitFor({ state: "hidden" });
  const ask = await askApproval(secret.client, secret.id);
  await cardOf(page, ask).waitFor();
  expect([await details.isVisible(), await list.isVisible()]).toEqual([true, false]);
  await seeScreen(ann, /^Secret$/);
  await cardOf(page, ask).getByRole("button", { name: "Refuse" }).click();
  await details.getByText(`You refused (${wordsOf(ask)})`).waitFor();
});

test("a decision that doesn't reach the server can be made again", async () => {
  await using server = await openServer();
  await server.backend.mint();
  const ann = await openMember(server, "ann@example.com");
  const { page } = ann;
  const secret = await send(server, ann, "approval=sender");
  const ask = await askApproval(secret.client, secret.id);
  await openActivity(server, ann);
  await page.route("**/app/secrets/*/asks", (route) => route.abort());
  await press(page, "Let them in");
  await complaint(page, "Can't reach the server");
  await page.unroute("**/app/secrets/*/asks");
  await press(page, "Let them in");
  await cardOf(page, ask).getByText("You let them in, for one opening").waitFor();
  await secret.claim(ask);
});

test("a session that may approve nothing doesn't ask what waits, and one that may do nothing else sees it", async () => {
  await using server = await openServer();
  await server.backend.mint();
  const ann = await openMember(server, "ann@example.com");
  const { page } = ann;
  const secret = await send(server, ann, "approval=sender");
  const ask = await askApproval(secret.client, secret.id);
  const called: string[] = [];
  page.on("request", (call) => void called.push(new URL(call.url()).pathname));
  const { store } = server.backend.service;
  await store.setScopes(
    ann.id,
    SCOPES.filter((scope) => scope !== "secrets:approve"),
  );
  await openActivity(server, ann);
  await page.locator("main a.row").waitFor();
  expect([called.includes("/app/secrets"), called.includes("/app/asks")]).toEqual([true, false]);
  expect(await cardsOn(page).count()).toBe(0);
  await store.setScopes(ann.id, ["secrets:approve"]);
  await page.goto(server.url);
  await press(page, "Let them in");
  await cardOf(page, ask).getByText("You let them in, for one opening").waitFor();
});

test("a hidden tab says in its title, and in a notification, who wants to open what", async () => {
  await using server = await openServer();
  await server.backend.mint();
  const ann = await openMember(server, "ann@example.com", true);
  const { page } = ann;
  await page.addInitScript(
    "notified = []; globalThis.Notification = class extends EventTarget { static permission = 'granted'; constructor(text) { super(); notified.push(text); } }",
  );
  const secret = await send(server, ann, "approval=sender");
  await openActivity(server, ann);
  await page.clock.runFor(2000);
  await page.locator("main a.row").waitFor();
  await page.evaluate(
    `Object.defineProperty(document, "hidden", { value: true, configurable: true }); document.dispatchEvent(new Event("visibilitychange"))`,
  );
  const ask = await askApproval(secret.client, secret.id);
  await page.clock.runFor(61_000);
  const news = `Someone wants to open “${secret.name}”: ${wordsOf(ask)}.`;
  await until(async () => (await page.title()).startsWith(news), 20);
  expect(await page.evaluate<string[]>("notified")).toEqual([news]);
});
