import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { findViolations, findViolationsInThemes } from "../support/accessibility.ts";
import { PAGE_TEST_MS, startBrowser } from "../support/browsers.ts";
import { complaint, openAs, press, seeTitle } from "../support/page-visits.ts";
import { shareServer } from "../support/people.ts";
import type { Place } from "../support/people.ts";

setDefaultTimeout(PAGE_TEST_MS);
const browser = await startBrowser();
afterAll(() => browser[Symbol.asyncDispose]());
const openPlace = shareServer();

const PHONE = { viewport: { width: 390, height: 800 } };

/** A sign-in link for a person. */
const invite = (place: Place, address: string, ...more: readonly string[]) =>
  place.admin("person", "add", address, "--team", place.team, "--base-url", place.server.url, ...more);

test("a sign-in link that is cut off, too long, mistyped, missing or used has its own notice", async () => {
  await using place = await openPlace();
  const link = await invite(place, "ann@example.com");
  const faults: readonly (readonly [string, string])[] = [
    [link.slice(0, -3), "This sign-in link is incomplete"],
    [`${link}abc`, "This sign-in link has extra characters"],
    [link.replace(/.$/, (last) => (last === "a" ? "b" : "a")), "This sign-in link is mistyped"],
    [link.replace(/#.*/, ""), "Sign in"],
  ];
  for (const [url, title] of faults) {
    const visit = await browser.open(PHONE);
    await visit.page.goto(url);
    await seeTitle(visit.page, title);
    expect(await visit.page.getByRole("button", { name: "Sign in" }).count()).toBe(0);
    expect([title, await findViolations(visit.page), visit.complaints]).toEqual([title, [], []]);
    await visit.context.close();
  }
  const { page } = await browser.open();
  // With the punctuation of a sentence.
  await page.goto(`${link}.`);
  await press(page, "Sign in");
  await seeTitle(page, "Send a secret");
  const late = await browser.open();
  await late.page.goto(link);
  await press(late.page, "Sign in");
  await seeTitle(late.page, "This sign-in link doesn't work");
});

test("a browser without cookies gets a notice before the link is used, and the link still works later", async () => {
  await using place = await openPlace();
  const visit = await browser.open(PHONE);
  const { page, context } = visit;
  const cdp = await context.newCDPSession(page);
  const called: string[] = [];
  page.on("request", (request) => request.method() === "GET" || called.push(request.url()));
  await cdp.send("Emulation.setDocumentCookieDisabled", { disabled: true });
  await page.goto(await invite(place, "ann@example.com"));
  await seeTitle(page, "This browser doesn't keep you signed in");
  expect(await page.getByRole("button", { name: "Sign in" }).count()).toBe(0);
  expect([await findViolations(page), visit.complaints, called]).toEqual([[], [], []]);
  await cdp.send("Emulation.setDocumentCookieDisabled", { disabled: false });
  await page.reload();
  await press(page, "Sign in");
  await seeTitle(page, "Send a secret");
  expect((await context.cookies()).map(({ name }) => name)).toEqual(["__Host-handoff"]);
});

test("the sign-in link survives an unavailable server, and a reload", async () => {
  await using place = await openPlace();
  const visit = await browser.open(PHONE);
  const { page } = visit;
  await page.goto(await invite(place, "ann@example.com"));
  await page.getByRole("button", { name: "Sign in" }).waitFor();
  expect(page.url()).toBe(`${place.server.url}/sign-in`);
  await page.route("**/app/session", (route) => route.abort());
  await press(page, "Sign in");
  await seeTitle(page, "That didn't work");
  await page.unroute("**/app/session");
  await page.reload();
  await press(page, "Sign in");
  await seeTitle(page, "Send a secret");
  expect(await page.evaluate<number>("sessionStorage.length")).toBe(0);
});

test("signing in shows the person, and someone already signed in chooses between the two", async () => {
  await using place = await openPlace();
  const visit = await browser.open();
  const { page } = visit;
  await page.goto(await invite(place, "ann@example.com", "--name", "Ann Lee"));
  await page.getByText("The link works once.").waitFor();
  expect(await findViolationsInThemes(page)).toEqual([]);
  await press(page, "Sign in");
  // The server sets the time.
  await page
    .getByText(/You're signed in as Ann Lee, team-\d+. Without use, you'll be signed out \w{3} \d+ \w{3}, \d+:\d+\./)
    .waitFor();
  expect(page.url()).toBe(`${place.server.url}/`);
  await page.reload();
  await seeTitle(page, "Send a secret");
  expect(await page.getByText("You're signed in as").count()).toBe(0);

  await page.goto(`${place.server.url}/sign-in`);
  await seeTitle(page, "You're signed in");
  await page.getByText("Ann Lee").first().waitFor();
  const bob = await invite(place, "bob@example.com");
  await page.goto(bob);
  await page.getByText("You're already signed in in this browser.").waitFor();
  await page.getByRole("link", { name: "Stay signed in" }).click();
  await seeTitle(page, "Send a secret");
  await page.getByText("Account of Ann Lee").waitFor({ state: "attached" });
  await page.goto(bob);
  await press(page, "Sign in");
  await page.getByText(`You're signed in as bob@example.com, ${place.team}.`).waitFor();
  await press(page, "Not you? Sign out");
  await seeTitle(page, "Send secrets safely");
  expect(visit.complaints).toEqual([]);
});

test("a stranger's browser has nothing to log: no call is refused, and none fails", async () => {
  await using place = await openPlace();
  const { page, complaints } = await browser.open();
  const refused: string[] = [];
  page.on("response", (answer) => answer.status() >= 400 && refused.push(`${answer.status()} ${answer.url()}`));
  for (const path of ["/", "/ask", "/activity", "/about", "/sign-in"]) {
    await page.goto(place.server.url + path);
    await page.getByRole("heading", { level: 1 }).waitFor();
  }
  expect([refused, complaints]).toEqual([[], []]);
});

test("a pasted link is opened from the start page, and another server is shown first", async () => {
  await using place = await openPlace();
  const link = await (await place.member("carl")).must(["send"], { stdin: "text" });
  const visit = await browser.open(PHONE);
  const { page } = visit;
  await page.goto(`${place.server.url}/about`);
  await seeTitle(page, "Send secrets safely");
  expect(await findViolationsInThemes(page)).toEqual([]);
  const paste = async (text: string) => {
    await page.getByLabel("Got a link? Paste it here.").fill(text);
    await press(page, "Open");
  };
  await paste("hello");
  await complaint(page, "This isn't a link from handoff.");
  await page.getByLabel("Got a link? Paste it here.").fill("");
  expect(await page.getByText("This isn't a link from handoff.").count()).toBe(0);
  await paste(link.replace(/#.*/, ""));
  await complaint(page, "It's the key.");
  await paste(link.replace(/^https?:\/\/[^/]+/, "https://elsewhere.example"));
  await page.getByText("This link leads to another server, elsewhere.example.").waitFor();
  expect(await page.getByRole("link", { name: "Go to elsewhere.example" }).count()).toBe(1);
  expect(page.url()).toBe(`${place.server.url}/about`);
  await paste(`Here it is: ${link}. Bye`);
  await page.getByRole("button", { name: /^Open/ }).waitFor();
  expect(page.url()).toBe(link.replace(/#.*/, ""));
  expect(visit.complaints).toEqual([]);
});

test("the command line section is reached from the footer of the start page", async () => {
  await using place = await openPlace();
  const { page } = await browser.open();
  await page.goto(place.server.url);
  await page.getByRole("contentinfo").getByRole("link", { name: "Command line" }).click();
  await page.getByText("handoff login").waitFor();
  await page.waitForFunction("document.activeElement?.matches('#command-line > summary')");
  expect(await page.getByRole("contentinfo").getByRole("link", { name: "API" }).getAttribute("href")).toEndWith(
    "/docs",
  );
});

test("the account menu says who is signed in, closes with Escape, and signs out", async () => {
  await using place = await openPlace();
  const { page } = await openAs(browser, place, "ann@example.com");
  const menu = page.locator("summary").filter({ hasText: "Account of ann@example.com" });
  const signOut = page.getByRole("banner").getByRole("button", { name: "Sign out" });
  await menu.click();
  await signOut.waitFor();
  await page.keyboard.press("Escape");
  await signOut.waitFor({ state: "hidden" });
  await menu.press("Enter");
  await signOut.click();
  await seeTitle(page, "Send secrets safely");
  await page.getByRole("status").getByText("You're signed out", { exact: true }).waitFor();
});

test("screens for signed-in people tell strangers that they're signed out, and the start page doesn't", async () => {
  await using place = await openPlace();
  const { page } = await browser.open();
  const notice = page.getByRole("status").getByText("You're signed out", { exact: true });
  for (const path of ["/activity", "/ask"]) {
    await page.goto(place.server.url + path);
    await notice.waitFor();
    await seeTitle(page, "Send secrets safely");
  }
  await page.goto(place.server.url);
  await seeTitle(page, "Send secrets safely");
  expect(await notice.count()).toBe(0);
});

test("the page shows its server's name, and the contact for help", async () => {
  await using place = await openPlace();
  const visit = await browser.open();
  const { page } = visit;
  const meta = Object.entries({
    "application-name": "ACME Vault",
    "handoff-contact": "mailto:it@acme.example",
    "handoff-imprint": "https://acme.example/imprint",
    "handoff-privacy": "https://acme.example/privacy",
  }).map(([name, content]) => `<meta name="${name}" content="${content}">`);
  await page.route(`${place.server.url}/`, async (route) => {
    const response = await route.fetch();
    const html = (await response.text()).replace(/<meta[^>]*application-name[^>]*>/, "");
    await route.fulfill({ response, body: html.replace("</head>", `${meta.join("")}</head>`) });
  });
  await page.goto(place.server.url);
  await seeTitle(page, "Send secrets safely");
  expect(await page.title()).toEndWith("ACME Vault");
  await page.getByRole("banner").getByText("ACME Vault").waitFor();
  const foot = page.getByRole("contentinfo");
  await foot.getByText("Run by ACME Vault on").waitFor();
  const hrefs = async (name: string) => foot.getByRole("link", { name }).getAttribute("href");
  expect([await hrefs("Help"), await hrefs("Imprint"), await hrefs("Privacy")]).toEqual([
    "mailto:it@acme.example",
    "https://acme.example/imprint",
    "https://acme.example/privacy",
  ]);
  await page.getByRole("main").getByRole("link", { name: "it@acme.example" }).waitFor();
  expect(visit.complaints).toEqual([]);
});
