import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { bundlePage } from "../../src/cli/server/page-bundle.ts";
import { SESSION_PATH } from "../../src/contract/operations.ts";
import { SCOPES } from "../../src/contract/scopes.ts";
import { invitePerson } from "../../src/domain/signing-in/persons.ts";
import { parseTrustedProxies } from "../../src/http/gate/addresses.ts";
import { PAGE_TEST_MS, startBrowser } from "../support/browsers.ts";
import type { TestPage } from "../support/browsers.ts";
import { complaint, press, seeScreen, seeTitle } from "../support/page-visits.ts";
import { startTestServer } from "../support/server.ts";
import type { TestServer } from "../support/server.ts";

setDefaultTimeout(PAGE_TEST_MS);
const browser = await startBrowser();
afterAll(() => browser[Symbol.asyncDispose]());
const sources = bundlePage();

const OWN = { "sec-fetch-site": "same-origin" };
const ENVELOPE = { version: 1, ciphertext: "fake-local-test-only" };
const DAY_MS = 86_400_000;

const openServer = () =>
  startTestServer({
    http: {
      page: async () => sources,
      logAddresses: true,
      trustedProxies: parseTrustedProxies(["127.0.0.1"]),
    },
  });

/** The browser of an auditor, whose page has the time of the server. */
async function openAuditor({ url, backend }: TestServer, address = "ann@example.com"): Promise<TestPage> {
  const { token } = await invitePerson(backend.service, { team: "team", address });
  const visit = await browser.open();
  await visit.page.clock.setFixedTime(backend.clock.now());
  const answer = await visit.page.request.post(url + SESSION_PATH, { headers: OWN, data: { sign_in_token: token } });
  expect(answer.ok()).toBe(true);
  return visit;
}

/** Sends a secret with the key of the team, and opens it with its link from another network. */
async function sendAndOpen({ backend, call }: TestServer, token: string, query = ""): Promise<string> {
  backend.clock.advance(1000);
  const headers = { "x-forwarded-for": "203.0.113.7" };
  const { json } = await call("POST", `/api/v1/secrets?${query}`, { token, body: { envelope: ENVELOPE } });
  await call("POST", `/api/v1/secrets/${json.id}/claim`, { token: json.claim_token, headers });
  return json.id;
}

const linesOn = (page: Page) => page.locator("main .audit > li");
const textsOn = async (page: Page) => (await linesOn(page).allInnerTexts()).map((text) => text.replace(/\s+/g, " "));

test("an auditor reads what happened, newest first, searches it, and takes it along as CSV", async () => {
  await using server = await openServer();
  const { token } = await server.backend.mint();
  const first = await sendAndOpen(server, token, "reference=OPS-1");
  await sendAndOpen(server, token);
  const visit = await openAuditor(server);
  const { page } = visit;
  await page.goto(server.url);
  await seeTitle(page, "Send a secret");
  await page.locator("summary").filter({ hasText: "Account of" }).click();
  await page.getByRole("link", { name: "Audit log" }).click();
  await linesOn(page).nth(4).waitFor();
  await seeScreen(visit, "Audit log");
  const end = (id: string) => `…${id.slice(-6)}`;
  const lines = await textsOn(page);
  expect(lines).toHaveLength(5);
  expect(lines[0]).toMatch(/Signed in ann@example\.com Signed in/);
  expect(lines[3]).toEndWith(`Opened Secret ${end(first)} OPS-1 Someone with the link With the link From 203.0.113.7`);
  expect(lines[4]).toMatch(new RegExp(`Sent Secret ${end(first)} OPS-1 \\S+ API key From 127`));
  await page
    .getByRole("button", { name: `Search for Secret ${end(first)}` })
    .first()
    .click();
  await page.getByText("2 lines").waitFor();
  expect(await page.getByRole("searchbox").inputValue()).toBe(first);
  const [file] = await Promise.all([page.waitForEvent("download"), press(page, "Export CSV")]);
  const rows = readFileSync(await file.path(), "utf8").split("\r\n");
  expect(rows[0]).toBe("time,type,secret_id,request_id,reference,actor,identity,name,address,proof,network,ask,id");
  expect(rows.slice(1).map((row) => row.split(",")[1])).toEqual(["secret.created", "secret.claimed", undefined]);
  expect(rows[2]).toContain(`,${first},,OPS-1,link,,,,,203.0.113.7,,evt_`);
  await page.getByRole("searchbox").fill("nobody");
  await page.getByText("Nothing matches.").waitFor();
  expect(await page.getByRole("button", { name: "Export CSV" }).count()).toBe(0);
});

test("the days are those of the reader, and what is older is read when it is asked for", async () => {
  await using server = await openServer();
  const { token } = await server.backend.mint();
  await sendAndOpen(server, token);
  server.backend.clock.advance(8 * DAY_MS);
  const { page } = await openAuditor(server);
  await page.goto(`${server.url}/audit`);
  await page.getByText("1 line", { exact: true }).waitFor();
  await page.getByLabel("From", { exact: true }).fill("");
  await page.getByText("3 lines").waitFor();
  const old = new Date(server.backend.clock.now() - DAY_MS).toISOString().slice(0, 10);
  await page.getByLabel("To", { exact: true }).fill(old);
  await page.getByText("2 lines").waitFor();
  await page.getByLabel("From", { exact: true }).fill(old);
  await page.getByText("Nothing happened in this time.").waitFor();
});

test("nothing of it is left when the session is over or it can't be read, and it comes back", async () => {
  await using server = await openServer();
  await server.backend.mint();
  const { page } = await openAuditor(server);
  await page.goto(`${server.url}/audit`);
  await linesOn(page).first().waitFor();
  await page.route("**/app/audit*", (route) => route.abort());
  await page.getByLabel("From", { exact: true }).fill("");
  await complaint(page, "Can't reach the server");
  expect(await linesOn(page).count()).toBe(0);
  await page.unroute("**/app/audit*");
  await page.getByLabel("To", { exact: true }).fill("");
  await linesOn(page).first().waitFor();
  await page.context().clearCookies();
  await page.getByLabel("From", { exact: true }).fill("2026-01-01");
  await complaint(page, /sign/i);
  expect(await linesOn(page).count()).toBe(0);
});

test("somebody without the scope gets no entry and another page, and somebody with it alone comes there", async () => {
  await using server = await openServer();
  await server.backend.mint();
  const { service } = server.backend;
  const { token, person } = await invitePerson(service, { team: "team", address: "ben@example.com" });
  await service.store.setScopes(
    person.id,
    SCOPES.filter((scope) => scope !== "events:read"),
  );
  const { page } = await browser.open();
  await page.request.post(server.url + SESSION_PATH, { headers: OWN, data: { sign_in_token: token } });
  await page.goto(`${server.url}/audit`);
  await seeTitle(page, "Send a secret");
  await page.locator("summary").filter({ hasText: "Account of" }).click();
  await page.getByRole("link", { name: "Your account" }).waitFor();
  expect(await page.getByRole("link", { name: "Audit log" }).count()).toBe(0);
  // An auditor, who may do nothing else, is led there.
  await service.store.setScopes(person.id, ["events:read"]);
  await page.goto(server.url);
  await seeTitle(page, "Audit log");
});
