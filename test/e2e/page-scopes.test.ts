import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import type { Page } from "playwright-core";
import { bundlePage } from "../../src/cli/server/page-bundle.ts";
import { createHttpClient } from "../../src/client/http-client.ts";
import { getInvitation } from "../../src/client/requests.ts";
import { submitSecret } from "../../src/client/submissions.ts";
import { SESSION_PATH } from "../../src/contract/operations.ts";
import { SCOPES } from "../../src/contract/scopes.ts";
import type { Scope } from "../../src/contract/scopes.ts";
import { deriveRequestKeys, parseRequestLink } from "../../src/crypto/request-links.ts";
import { invitePerson } from "../../src/domain/signing-in/persons.ts";
import { findViolationsInThemes } from "../support/accessibility.ts";
import { PAGE_TEST_MS, startBrowser } from "../support/browsers.ts";
import type { TestPage } from "../support/browsers.ts";
import { openDetails, press, seeTitle, sendText } from "../support/page-visits.ts";
import { startTestServer } from "../support/server.ts";
import type { TestServer } from "../support/server.ts";

setDefaultTimeout(PAGE_TEST_MS);
const browser = await startBrowser();
afterAll(() => browser[Symbol.asyncDispose]());
const sources = bundlePage();

/** Somebody who is signed in, and what they may do. */
interface Member extends TestPage {
  /** Changes their scopes, and opens `path`. */
  allow(scopes: readonly Scope[], path?: string): Promise<void>;
}

async function openMember(server: TestServer): Promise<Member> {
  await server.backend.mint();
  const { service } = server.backend;
  const { token, person } = await invitePerson(service, { team: "team", address: "ann@example.com" });
  const visit = await browser.open();
  visit.page.on("dialog", (dialog) => void dialog.accept());
  const answer = await visit.page.request.post(server.url + SESSION_PATH, {
    headers: { "sec-fetch-site": "same-origin" },
    data: { sign_in_token: token },
  });
  expect(answer.ok()).toBe(true);
  return {
    ...visit,
    async allow(scopes, path = "/") {
      await service.store.setScopes(person.id, scopes);
      await visit.page.goto(server.url + path);
      await visit.page.getByRole("heading", { level: 1 }).waitFor();
    },
  };
}

/** Asks for a secret on the page, and returns the request link. */
async function ask(page: Page, { url }: TestServer): Promise<string> {
  await page.goto(`${url}/ask`);
  await page.getByLabel("What do you need?").fill("the staging password");
  await press(page, "Create request link");
  await seeTitle(page, "Your request link is ready");
  return (await page.getByLabel("The request link").textContent()) ?? "";
}

/** Hands in what a request asks for, without the page. */
async function handIn({ url }: TestServer, text: string): Promise<void> {
  const link = parseRequestLink(text);
  const { submitToken } = await deriveRequestKeys(link.seed);
  const client = createHttpClient({ baseUrl: url, credential: submitToken });
  const { recipient } = await getInvitation(client, link);
  await submitSecret(client, {
    requestId: link.id,
    recipient,
    content: { kind: "text", text: "fake-local-test-only" },
  });
}

const tabsOn = (page: Page) => page.getByRole("banner").getByRole("navigation").getByRole("link").allInnerTexts();

test("somebody sees the tabs that they may use, and is led to the first of them", async () => {
  await using server = await startTestServer({ http: { page: async () => sources } });
  const { page, allow, complaints } = await openMember(server);
  await allow(["secrets:create", "requests:create"]);
  await seeTitle(page, "Send a secret");
  expect(await tabsOn(page)).toEqual(["Send", "Ask"]);
  await allow(["requests:create", "requests:read"]);
  await seeTitle(page, "Ask for a secret");
  expect([await tabsOn(page), page.url()]).toEqual([["Ask", "Activity"], `${server.url}/ask`]);
  await allow(["secrets:read"]);
  await seeTitle(page, "Nothing here yet");
  expect([await tabsOn(page), page.url()]).toEqual([["Activity"], `${server.url}/activity`]);
  // What may not be done is offered nowhere.
  expect(await page.getByRole("main").getByRole("link").count()).toBe(0);
  await allow(["secrets:create"], "/ask");
  await seeTitle(page, "Send a secret");
  expect(page.url()).toBe(`${server.url}/`);
  await page.goto(`${server.url}/about`);
  await page.getByRole("link", { name: "Send a secret" }).waitFor();
  expect(await page.getByRole("link", { name: "Ask for a secret" }).count()).toBe(0);

  for (const path of ["/", "/ask", "/activity"]) {
    await allow(["secrets:claim"], path);
    await seeTitle(page, "You can't send or ask yet");
    expect(await page.getByRole("navigation").count()).toBe(0);
  }
  expect(await findViolationsInThemes(page)).toEqual([]);
  await page.locator("summary").filter({ hasText: "Account of" }).click();
  await page.getByRole("link", { name: "Your account" }).click();
  await seeTitle(page, "Your account");
  expect(complaints).toEqual([]);
});

test("who may only send and ask sees no state that could be old, and no button that can only fail", async () => {
  await using server = await startTestServer({ http: { page: async () => sources } });
  const { page, allow, complaints } = await openMember(server);
  await allow(["secrets:create", "requests:create"]);
  await sendText(page, "text");
  expect(await page.getByRole("button", { name: "Revoke" }).count()).toBe(0);
  expect(await page.locator("main .state").count()).toBe(0);
  expect(await page.getByText("You're signed out").count()).toBe(0);
  await ask(page, server);
  expect(await page.getByRole("button", { name: "Revoke" }).count()).toBe(0);
  expect(await page.locator("main .state").count()).toBe(0);
  expect(await page.getByText("You're signed out").count()).toBe(0);
  expect(complaints).toEqual([]);
});

test("opening, revoking and extending are offered to people who may, and the rest stays readable", async () => {
  await using server = await startTestServer({ http: { page: async () => sources } });
  const { page, allow, complaints } = await openMember(server);
  await allow(SCOPES);
  const secret = /sec_\w+/.exec(await sendText(page, "text"))?.[0] ?? "";
  const request = await ask(page, server);
  await handIn(server, request);
  const id = /req_\w+/.exec(request)?.[0] ?? "";
  /** What the details of an item offer. */
  const offered = async (item: string) => {
    await page.goto(`${server.url}/activity`);
    const details = await openDetails(page, item);
    const names = ["Revoke", "Extend", "Collect"];
    const found = await Promise.all(names.map((name) => details.getByText(name, { exact: true }).count()));
    return names.filter((_, index) => found[index]);
  };
  const reading: readonly Scope[] = ["secrets:read", "requests:read"];
  await allow(reading);
  expect([await offered(secret), await offered(id)]).toEqual([[], []]);
  await allow([...reading, "secrets:revoke"]);
  expect([await offered(secret), await offered(id)]).toEqual([["Revoke", "Extend"], []]);
  await allow([...reading, "requests:revoke", "secrets:claim"]);
  // What was handed in fulfilled the request.
  expect([await offered(secret), await offered(id)]).toEqual([[], ["Collect"]]);

  await allow(reading, `/c/${id}`);
  await page.getByText("1 of 1 handed in.").waitFor();
  expect(await page.getByRole("button", { name: /^Open: / }).count()).toBe(0);
  await allow([...reading, "secrets:claim"], `/c/${id}`);
  await press(page, /^Open: /);
  await seeTitle(page, /^Secret$/);
  await allow(["secrets:claim"], `/c/${id}`);
  await page.getByText("The server didn't accept this.").waitFor();
  expect(complaints).toEqual([]);
});
