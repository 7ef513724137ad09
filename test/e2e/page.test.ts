import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { PAGE_TEST_MS, startBrowser } from "../support/browsers.ts";
import { sendLocked } from "../support/foreign-secrets.ts";
import { readText, seeScreen } from "../support/page-visits.ts";
import { openPlace as openOwnPlace, shareServer } from "../support/people.ts";
import { until } from "../support/polls.ts";

const SCOPES = ["requests:create", "requests:read", "requests:revoke"].concat(
  ["create", "read", "claim", "revoke"].map((each) => `secrets:${each}`),
);
const PHONE = { viewport: { width: 390, height: 800 } };

setDefaultTimeout(PAGE_TEST_MS);
const browser = await startBrowser();
afterAll(() => browser[Symbol.asyncDispose]());
const openPlace = shareServer();

const openButton = (page: Page) => page.getByRole("button", { name: "Open secret" });
const heading = (page: Page) => page.getByRole("heading", { level: 1 });

/** The content of a download. */
async function download(page: Page, name: string): Promise<Buffer> {
  const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name }).click()]);
  return readFileSync(await file.path());
}

test("a secret from the command line is opened in the browser once, by a click and not by loading", async () => {
  await using place = await openOwnPlace();
  const ann = await place.member("ann", SCOPES);
  const text = "pä55wörd <script>alert(1)</script>\n  second line";
  const link = await ann.must(["send"], { stdin: text });
  const id = /sec_\w+/.exec(link)?.[0] ?? "";
  const visit = await browser.open();
  const { page } = visit;
  await page.goto(link);
  await seeScreen(visit, "Someone sent you a secret");
  expect(page.url()).toBe(link.replace(/#.*/, ""));
  await page.reload();
  await seeScreen(visit, "Someone sent you a secret");
  expect(await ann.must(["status", id])).toStartWith("waiting");
  // A double click is one claim.
  await openButton(page).dblclick();
  await seeScreen(visit, /^Secret$/);
  expect(await readText(page)).toBe(text);
  await page.getByRole("button", { name: "Hide" }).click();
  expect(await page.locator("main").textContent()).not.toContain("second line");
  expect(await ann.must(["status", id])).toStartWith("opened");
  // During the replay window a reload shows it again, and another browser gets nothing.
  await page.reload();
  await seeScreen(visit, /^Secret$/);
  expect(await readText(page)).toBe(text);
  const stranger = await browser.open();
  await stranger.page.goto(link);
  await seeScreen(stranger, "This secret has been opened");
  const kept: string = await page.evaluate(
    "JSON.stringify([Object.entries(sessionStorage), Object.entries(localStorage), document.cookie])",
  );
  expect(kept).not.toContain("second line");
  // Beyond the tab, the browser keeps when it was opened here, and nothing secret.
  expect(JSON.parse(kept)[1]).toEqual([
    [`handoff opened ${id}`, expect.stringMatching(/^\{"at":"[^"]*","isOpened":true\}$/)],
  ]);
  for (const name of readdirSync(join(place.folder, "data"))) {
    expect(readFileSync(join(place.folder, "data", name), "latin1")).not.toContain("second line");
  }
  expect(place.server.stderr()).not.toMatch(/second line|#1\./);
});

test("once a claim cannot be repeated, nothing of the link is kept", async () => {
  await using place = await openOwnPlace(["--replay-window", "1s"]);
  const ann = await place.member("ann", SCOPES);
  const visit = await browser.open();
  const link = await ann.must(["send"], { stdin: "text" });
  await visit.page.goto(link);
  await openButton(visit.page).click();
  await seeScreen(visit, /^Secret$/);
  const kept = () => visit.page.evaluate<string>("JSON.stringify({ ...sessionStorage })");
  await until(async () => !(await kept()).includes("fragment"), 50);
  expect(await kept()).not.toContain(/#(.*)/.exec(link)?.[1] ?? "");
  await visit.page.reload();
  await seeScreen(visit, "You opened this secret");
});

test("a passphrase is asked for, and a wrong one can be tried again without using anything up", async () => {
  await using place = await openPlace();
  const ann = await place.member("ann", SCOPES);
  await Bun.write(join(ann.home, "pass"), "correct horse\n");
  await Bun.write(join(ann.home, "keys/id_test"), "fake-local-test-only");
  await Bun.write(join(ann.home, "keys/.envrc"), "echo run\n");
  await Bun.write(join(ann.home, "keys/evil.html"), "<script>alert(1)</script>");
  const visit = await browser.open({ ...PHONE, colorScheme: "dark" });
  const { page } = visit;
  await page.goto(await ann.must(["send", "keys", "--passphrase-file", "pass"]));
  await seeScreen(visit, "Someone sent you a secret");
  await page.getByLabel("Passphrase", { exact: true }).fill("wrong");
  await openButton(page).click();
  await page.getByRole("alert").filter({ hasText: "passphrase doesn't work" }).waitFor();
  await page.getByLabel("Passphrase", { exact: true }).fill("ｃｏｒｒｅｃｔ horse");
  await openButton(page).click();
  await seeScreen(visit, "3 files");
  // A download gets no name with a meaning to programs.
  expect((await download(page, "Download keys/_.envrc")).toString()).toBe("echo run\n");
  expect((await download(page, "Download keys/id_test")).toString()).toBe("fake-local-test-only");
  expect((await download(page, "Download keys/evil.html")).toString()).toContain("<script>");
});

test("the tab that claimed the secret opens it, however late the right passphrase comes", async () => {
  await using place = await openOwnPlace(["--replay-window", "1s"]);
  const visit = await browser.open();
  const { page } = visit;
  await page.goto(await sendLocked(place, { kind: "text", text: "text" }, "right"));
  await page.getByLabel("Passphrase", { exact: true }).fill("wrong");
  await openButton(page).click();
  await page.getByRole("alert").filter({ hasText: "passphrase doesn't work" }).waitFor();
  const isRepeatable = "Object.values(sessionStorage).some((each) => JSON.parse(each).until > Date.now())";
  await until(async () => !(await page.evaluate<boolean>(isRepeatable)), 50);
  // As a phone does with a hidden tab.
  await page.reload();
  await page.getByText("still locked by its passphrase").waitFor();
  await page.getByLabel("Passphrase", { exact: true }).fill("right");
  await openButton(page).click();
  await seeScreen(visit, /^Secret$/);
  expect(await readText(page)).toBe("text");
});

test("a server that is briefly away, or has no worker any more, is not mistaken for a theft", async () => {
  await using place = await openPlace();
  const ann = await place.member("ann", SCOPES);
  const visit = await browser.open();
  const { page } = visit;
  const link = await ann.must(["send"], { stdin: "text" });
  await page.route("**/opening-worker.js", (route) => route.fulfill({ status: 404, body: "" }));
  await page.goto(link);
  await openButton(page).click();
  await page.getByRole("alert").filter({ hasText: "You haven't opened the secret yet" }).waitFor();
  expect(await ann.must(["status", link])).toStartWith("waiting");
  await page.unroute("**/opening-worker.js");
  await openButton(page).click();
  await seeScreen(visit, /^Secret$/);
  await page.route("**/claim", (route) => route.fulfill({ status: 500, json: { code: "internal" } }));
  await page.reload();
  await heading(page).filter({ hasText: "That didn't work" }).waitFor();
  await page.unroute("**/claim");
  await page.getByRole("button", { name: "Try again" }).click();
  await seeScreen(visit, /^Secret$/);
});

test("each reason why a secret cannot be opened has its own screen", async () => {
  await using place = await openPlace();
  const ann = await place.member("ann", SCOPES);
  const link = await ann.must(["send"], { stdin: "text" });
  const revoked = await ann.must(["send"], { stdin: "text" });
  await ann.must(["revoke", revoked]);
  const screens: readonly (readonly [string, string])[] = [
    [revoked, "This secret was revoked"],
    [link.replace(/#.*/, ""), "The key is missing from this link"],
    [link.replace("#", "/#"), "Someone sent you a secret"],
    [`${link}). Thanks`, "Someone sent you a secret"],
    [link.replace("#", "%23"), "This link was changed on the way"],
    [link.slice(0, -4), "This link is incomplete"],
    [link.replace(/.(?=\.t$)/, (last) => (last === "A" ? "Q" : "A")), "This link doesn't work"],
    [`${link}A`, "This link has extra characters"],
    [place.server.url, "Send secrets safely"],
    [link.replace("127.0.0.1", "handoff.test"), "This page needs HTTPS"],
  ];
  for (const [url, title] of screens) {
    const visit = await browser.open(PHONE);
    await visit.page.goto(url);
    await seeScreen(visit, title);
    await visit.context.close();
  }
  expect(await ann.must(["open", "--yes", link])).toBe("text");
});

test("the whole link works in a tab where a cut-off one was tried", async () => {
  await using place = await openPlace();
  const ann = await place.member("ann", SCOPES);
  const link = await ann.must(["send"], { stdin: "text" });
  const visit = await browser.open();
  await visit.page.goto(link.slice(0, -4));
  await seeScreen(visit, "This link is incomplete");
  await visit.page.goto(link);
  await seeScreen(visit, "Someone sent you a secret");
  expect(visit.page.url()).not.toContain("#");
});

test("an unreachable server loses nothing: the same button works when it is back", async () => {
  await using place = await openPlace();
  const ann = await place.member("ann", SCOPES);
  const visit = await browser.open();
  const { page, context } = visit;
  await page.goto(await ann.must(["send"], { stdin: "text" }));
  await seeScreen(visit, "Someone sent you a secret");
  await context.setOffline(true);
  await openButton(page).click();
  await page
    .getByRole("alert")
    .filter({ hasText: /can't (reach|be loaded)/i })
    .waitFor();
  await context.setOffline(false);
  await openButton(page).click();
  await heading(page)
    .filter({ hasText: /^Secret$/ })
    .waitFor();
  expect(await readText(page)).toBe("text");
});

test("the page has hashed files and a strict policy, as page-hash says", async () => {
  await using place = await openPlace();
  const { url } = place.server;
  for (const path of ["/", "/s/sec_069q6gv7k1rqf8a0c2m4e6g8io", "/r/req_069q6gv7k1rqf8a0c2m4e6g8io"]) {
    const answer = await fetch(url + path);
    expect(answer.status).toBe(200);
    const policy = answer.headers.get("content-security-policy") ?? "";
    for (const part of ["default-src 'none'", "frame-ancestors 'none'", "require-trusted-types-for 'script'"])
      expect(policy).toContain(part);
    expect(policy).not.toMatch(/unsafe|\*|data:/);
    // Content that is more than pixels is not previewed.
    expect(policy).not.toMatch(/(?:frame|child|fenced-frame|object|media)-src/);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("referrer-policy")).toBe("no-referrer");
    expect(answer.headers.get("cross-origin-opener-policy")).toBe("same-origin");
  }
  const lines = (await place.person("bob").must(["page-hash"])).split("\n");
  const names = lines.map((line) => line.slice(line.lastIndexOf("/") + 1));
  expect(names).toEqual(expect.arrayContaining(["secret.js", "opening-worker.js", "app.css", "favicon.svg"]));
  for (const line of lines) {
    const [hash = "", path = ""] = line.split("  ");
    const answer = await fetch(`${url}/${path}`, { headers: { "accept-encoding": "gzip" }, decompress: false });
    const gzipped = new Uint8Array(await answer.arrayBuffer());
    expect(answer.headers.get("cache-control")).toContain("immutable");
    expect(new Bun.CryptoHasher("sha256").update(Bun.gunzipSync(gzipped)).digest("hex")).toBe(hash);
  }
  expect((await fetch(`${url}/assets/0000000000000000/secret.js`)).status).toBe(404);
});
