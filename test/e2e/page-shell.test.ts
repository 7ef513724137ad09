import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { findViolations } from "../support/accessibility.ts";
import { PAGE_TEST_MS, startBrowser } from "../support/browsers.ts";
import { seeTitle } from "../support/page-visits.ts";
import { openPlace as openOwnPlace, shareServer } from "../support/people.ts";
import { temporaryFolder } from "../support/temporary.ts";

setDefaultTimeout(PAGE_TEST_MS);
const browser = await startBrowser();
afterAll(() => browser[Symbol.asyncDispose]());
const openPlace = shareServer();

const THEMES = ["light", "dark"] as const;
const LOGO = join(import.meta.dir, "../../src/web/static/favicon.svg");

test("a recipient loads at most 48 KB before they can click, and only files that they need", async () => {
  await using place = await openPlace();
  const ann = await place.member("ann");
  const { page, complaints } = await browser.open();
  const loaded = new Set<string>();
  page.on("request", (request) => loaded.add(request.url()));
  await page.goto(await ann.must(["send"], { stdin: "text" }));
  await page.getByRole("button", { name: "Open" }).click();
  await page.getByRole("button", { name: "Copy" }).first().waitFor();
  // An icon may be requested last.
  const icon = (await page.locator("link[rel=icon]").getAttribute("href")) ?? "";
  const files = [...loaded, new URL(icon, page.url()).href].filter((url) => !url.includes("/api/"));
  const sizes = new Map<string, number>();
  for (const url of files) {
    const answer = await fetch(url, { headers: { "accept-encoding": "br, gzip" }, decompress: false });
    sizes.set(url.replace(/^.*\//, "").replace(/^sec_.*/, "{id}"), (await answer.bytes()).length);
  }
  const texts = ["opening.js", "page.js"];
  // However many pieces the bundler cuts the script into.
  const names = new Set([...sizes.keys()].map((name) => name.replace(/-[a-z0-9]{8}\.js$/, ".js")));
  const expected = ["app.css", "favicon.svg", "opening-worker.js", "secret.js", "{id}", ...texts];
  expect([...names].toSorted()).toEqual(expected.toSorted());
  const total = [...sizes.values()].reduce((sum, bytes) => sum + bytes);
  // The decryption code loads while they read, and is needed only after the click.
  expect(total - (sizes.get("opening-worker.js") ?? 0)).toBeLessThanOrEqual(48_000);
  expect(complaints).toEqual([]);
});

test("without JavaScript the page says that it needs it, and what to do", async () => {
  await using place = await openPlace();
  const link = await (await place.member("ann")).must(["send"], { stdin: "text" });
  for (const colorScheme of THEMES) {
    const { page } = await browser.open({ javaScriptEnabled: false, colorScheme });
    await page.goto(link);
    await seeTitle(page, "This page needs JavaScript");
    expect(await page.locator("noscript .lede").innerText()).toMatch(
      /^Turn on JavaScript to decrypt in your browser, then reload\./,
    );
    expect(await page.getByRole("heading", { level: 1 }).count()).toBe(1);
    expect(await page.getByText("One moment").isVisible()).toBe(false);

    // Axe is a script itself: it checks the same document with only the page's script missing.
    const visit = await browser.open({ colorScheme });
    await visit.page.route(`${place.server.url}/s/*`, async (route) => {
      const answer = await route.fetch();
      const body = (await answer.text()).replaceAll(/<\/?noscript>|<script.*<\/script>/g, "");
      await route.fulfill({ response: answer, body });
    });
    await visit.page.goto(link);
    await seeTitle(visit.page, "This page needs JavaScript");
    expect(await findViolations(visit.page)).toEqual([]);
    expect(visit.complaints).toEqual([]);
  }
});

test("a page whose script fails to load says so after a moment", async () => {
  await using place = await openPlace();
  const link = await (await place.member("ann")).must(["send"], { stdin: "text" });
  for (const colorScheme of THEMES) {
    const { page } = await browser.open({ colorScheme });
    await page.route("**/secret.js", (route) => route.abort());
    await page.goto(link);
    await page.getByText("One moment").waitFor();
    expect(await page.getByRole("heading").count()).toBe(0);
    await seeTitle(page, "This page hasn't loaded yet");
    expect(await page.getByText("One moment").isVisible()).toBe(false);
    expect(await page.getByRole("heading").count()).toBe(1);
    expect(await findViolations(page)).toEqual([]);
    // The text is shown only while it is true.
    await page.unroute("**/secret.js");
    await page.reload();
    await page.getByRole("button", { name: "Open" }).waitFor();
    expect(await page.getByText("hasn't loaded").count()).toBe(0);
  }
});

test("a server with a brand shows it, and stays readable in both themes", async () => {
  const brand = {
    name: "ACME <Handover>",
    color: "#4338a8",
    logo: LOGO,
  };
  const flags = Object.entries(brand).flatMap(([key, value]) => [`--brand-${key}`, value]);
  await using place = await openOwnPlace([...flags, "--contact", "it@acme.example"]);
  const link = await (await place.member("ann")).must(["send"], { stdin: "text" });
  const accents = new Set<unknown>();
  for (const colorScheme of THEMES) {
    const visit = await browser.open({ colorScheme });
    await visit.page.goto(link);
    await visit.page.getByRole("button", { name: "Open" }).waitFor();
    accents.add(await visit.page.evaluate(`getComputedStyle(document.documentElement).getPropertyValue("--accent")`));
    expect(await findViolations(visit.page)).toEqual([]);

    // A document without a script has all of it.
    await visit.page.goto(`${place.server.url}/nowhere`);
    await seeTitle(visit.page, "There's nothing at this address");
    await visit.page.getByRole("banner").getByText("ACME <Handover>").waitFor();
    expect(await visit.page.evaluate(`document.querySelector(".brand img").naturalWidth`)).toBeGreaterThan(0);
    const contact = visit.page.getByRole("link", { name: "Contact" });
    expect(await contact.getAttribute("href")).toBe("mailto:it@acme.example");
    expect(await findViolations(visit.page)).toEqual([]);

    // Opened by itself, the logo shows, and has its own origin.
    const logo = (await visit.page.locator(".brand img").getAttribute("src")) ?? "";
    await visit.page.goto(new URL(logo, visit.page.url()).href);
    expect(await visit.page.evaluate("origin")).toBe("null");
    expect(visit.complaints).toEqual([]);
  }
  expect([...accents]).toEqual(["#4338a8", expect.stringMatching(/^#[a-e]/)]);
});

test("an SVG logo with scripts and outside content shows as a picture, and does nothing", async () => {
  using folder = temporaryFolder();
  const asked: string[] = [];
  using elsewhere = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: ({ url }) => {
      asked.push(url);
      return new Response("");
    },
  });
  const path = join(folder.path, "logo.svg");
  writeFileSync(
    path,
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8" onload="document.documentElement.id = 'ran'">
<script>document.documentElement.id = "ran"; fetch("${elsewhere.url.href}fetched")</script>
<style>@import "${elsewhere.url.href}sheet";</style>
<image href="${elsewhere.url.href}picture" width="8" height="8"/>
<foreignObject width="8" height="8"><iframe xmlns="http://www.w3.org/1999/xhtml" src="${elsewhere.url.href}frame"/></foreignObject>
<rect width="8" height="8"/></svg>`,
  );
  await using place = await openOwnPlace(["--brand-logo", path]);
  const { page } = await browser.open();
  await page.goto(`${place.server.url}/nowhere`);
  expect(await page.evaluate(`document.querySelector(".brand img").decode().then(() => "shown")`)).toBe("shown");
  const logo = (await page.locator(".brand img").getAttribute("src")) ?? "";
  await page.goto(new URL(logo, page.url()).href, { waitUntil: "load" });
  expect(await page.evaluate("document.documentElement.id")).toBe("");
  expect(await page.evaluate("origin")).toBe("null");
  expect(asked).toEqual([]);
});

test("an unknown address has a page in the same style, at any depth", async () => {
  await using place = await openPlace();
  for (const colorScheme of THEMES) {
    const { page, complaints } = await browser.open({ colorScheme });
    for (const path of ["/nowhere", "/S/sec_1", "/a/b/c/"]) {
      const answer = await page.goto(place.server.url + path);
      expect(answer?.status()).toBe(404);
      await seeTitle(page, "There's nothing at this address");
      expect(await page.evaluate(`getComputedStyle(document.querySelector(".card")).borderRadius`)).toBe("18px");
      expect(await findViolations(page)).toEqual([]);
      expect(complaints).toEqual([]);
    }
    await page.getByRole("link", { name: "Go to the start page" }).click();
    await page.waitForURL(`${place.server.url}/`);
  }
});
