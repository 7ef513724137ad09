import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import axe from "axe-core";
import type { Page, Request } from "playwright-core";
import { createAgeIdentity } from "../../src/crypto/age-identities.ts";
import { PAGE_TEST_MS, startBrowser } from "../support/browsers.ts";
import type { TestPage } from "../support/browsers.ts";
import { readText } from "../support/page-visits.ts";
import { openPlace } from "../support/people.ts";
import type { Place } from "../support/people.ts";

const SCOPES = ["requests:create", "requests:read", "requests:revoke"].concat(
  ["create", "read", "claim", "revoke"].map((each) => `secrets:${each}`),
);
const PHONE = { viewport: { width: 390, height: 800 } };
const MIB = 1024 * 1024;

setDefaultTimeout(PAGE_TEST_MS);
const browser = await startBrowser();
afterAll(() => browser[Symbol.asyncDispose]());

const openButton = (page: Page) => page.getByRole("button", { name: "Open secret" });
const heading = (page: Page) => page.getByRole("heading", { level: 1 });

/** What a page is told to say of what its browser keeps for requests. */
const KEPT_IN_BROWSER = `new Promise((resolve) => { indexedDB.open("handoff").onsuccess = ({ target }) => { target.result.transaction("identities").objectStore("identities").getAll().onsuccess = (event) => resolve(JSON.stringify(event.target.result)); }; })`;

/** Waits for a screen with this title, and has axe look at it. */
async function seeScreen({ page, complaints }: TestPage, title: string | RegExp): Promise<void> {
  await heading(page).filter({ hasText: title }).waitFor();
  expect(complaints).toEqual([]);
  // Its styles and scripts are injected past the policy of the page, as an extension's would be.
  const cdp = await page.context().newCDPSession(page);
  const { result } = await cdp.send("Runtime.evaluate", {
    expression: `${axe.source}; axe.run({ runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] }).then((found) => JSON.stringify(found.violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => html) }))))`,
    awaitPromise: true,
    returnByValue: true,
  });
  expect({ title: String(title), violations: JSON.parse(String(result.value)) }).toEqual({
    title: String(title),
    violations: [],
  });
}

/** What a download holds. */
async function download(page: Page, name: string): Promise<Buffer> {
  const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name }).click()]);
  return readFileSync(await file.path());
}

test("a secret from the command line is opened in the browser, once, by a click and not by loading", async () => {
  await using place = await openPlace();
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
  expect(await ann.must(["status", id])).toStartWith("available");
  // A double click is one claim.
  await openButton(page).dblclick();
  await seeScreen(visit, /^Secret$/);
  expect(await readText(page)).toBe(text);
  await page.getByRole("button", { name: "Hide" }).click();
  expect(await page.locator("main").textContent()).not.toContain("second line");
  expect(await ann.must(["status", id])).toStartWith("claimed");
  // For as long as the claim can be repeated, a reload shows it again; another browser gets nothing.
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
  // Beyond the tab, the browser knows when it was opened here, and nothing that opens anything.
  expect(JSON.parse(kept)[1]).toEqual([
    [`handoff opened ${id}`, expect.stringMatching(/^\{"at":"[^"]*","isOpened":true\}$/)],
  ]);
  for (const name of readdirSync(join(place.folder, "data"))) {
    expect(readFileSync(join(place.folder, "data", name), "latin1")).not.toContain("second line");
  }
  expect(place.server.stderr()).not.toMatch(/second line|#1\./);
});

test("once a claim cannot be repeated, nothing of the link is kept", async () => {
  await using place = await openPlace(["--replay-window", "1s"]);
  const ann = await place.member("ann", SCOPES);
  const visit = await browser.open();
  const link = await ann.must(["send"], { stdin: "text" });
  await visit.page.goto(link);
  await openButton(visit.page).click();
  await seeScreen(visit, /^Secret$/);
  const kept = () => visit.page.evaluate<string>("JSON.stringify({ ...sessionStorage })");
  while ((await kept()).includes("fragment")) await Bun.sleep(50);
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
  // What programs obey is no name that a download gets.
  expect((await download(page, "Download keys/_.envrc")).toString()).toBe("echo run\n");
  expect((await download(page, "Download keys/id_test")).toString()).toBe("fake-local-test-only");
  expect((await download(page, "Download keys/evil.html")).toString()).toContain("<script>");
});

test("however late the right passphrase comes, the tab that took the secret opens it", async () => {
  await using place = await openPlace(["--replay-window", "1s"]);
  const ann = await place.member("ann", SCOPES);
  await Bun.write(join(ann.home, "pass"), "right\n");
  const visit = await browser.open();
  const { page } = visit;
  await page.goto(await ann.must(["send", "--passphrase-file", "pass"], { stdin: "text" }));
  await page.getByLabel("Passphrase", { exact: true }).fill("wrong");
  await openButton(page).click();
  await page.getByRole("alert").filter({ hasText: "passphrase doesn't work" }).waitFor();
  const isRepeatable = "Object.values(sessionStorage).some((each) => JSON.parse(each).until > Date.now())";
  while (await page.evaluate<boolean>(isRepeatable)) await Bun.sleep(50);
  // As a phone does with a tab that nobody looks at.
  await page.reload();
  await page.getByText("You've opened this link").waitFor();
  await page.getByLabel("Passphrase", { exact: true }).fill("right");
  await openButton(page).click();
  await seeScreen(visit, /^Secret$/);
  expect(await readText(page)).toBe("text");
});

test("a server that is away for a moment, or has no worker any more, is not mistaken for a thief", async () => {
  await using place = await openPlace();
  const ann = await place.member("ann", SCOPES);
  const visit = await browser.open();
  const { page } = visit;
  const link = await ann.must(["send"], { stdin: "text" });
  await page.route("**/worker.js", (route) => route.fulfill({ status: 404, body: "" }));
  await page.goto(link);
  await openButton(page).click();
  await page.getByRole("alert").filter({ hasText: "You haven't opened the secret yet" }).waitFor();
  expect(await ann.must(["status", link])).toStartWith("available");
  await page.unroute("**/worker.js");
  await openButton(page).click();
  await seeScreen(visit, /^Secret$/);
  await page.route("**/claim", (route) => route.fulfill({ status: 500, json: { code: "internal" } }));
  await page.reload();
  await heading(page).filter({ hasText: "That didn't work" }).waitFor();
  await page.unroute("**/claim");
  await page.getByRole("button", { name: "Try again" }).click();
  await seeScreen(visit, /^Secret$/);
});

test("what cannot be opened is explained on a screen of its own", async () => {
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

test("the whole link works in the tab in which a cut-off one was tried", async () => {
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

test("a server that cannot be reached loses nothing: the same button works when it is back", async () => {
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

test("somebody who is asked hands text in, and the command line collects it", async () => {
  await using place = await openPlace();
  const ann = await place.member("ann", SCOPES);
  const note = "The staging password <b>please</b>\n\u202Eor else";
  const link = await ann.must(["request", "--note", note]);
  const visit = await browser.open(PHONE);
  const { page } = visit;
  await page.goto(link);
  await seeScreen(visit, "You are asked for a secret");
  expect(page.url()).not.toContain("#");
  expect(await page.locator("blockquote").textContent()).toBe(note);
  await page.getByRole("button", { name: "Encrypt and send" }).click();
  await page.getByRole("alert").filter({ hasText: "Type something" }).waitFor();
  await page.getByLabel("The secret").fill("hunter2 from the page");
  await page.getByRole("button", { name: "Encrypt and send" }).click();
  await seeScreen(visit, "Handed in");
  expect(await page.evaluate<string>("JSON.stringify({ ...sessionStorage })")).not.toContain("fragment");
  await page.reload();
  await seeScreen(visit, "Handed in");
  expect(await ann.must(["collect", /req_\w+/.exec(link)?.[0] ?? ""])).toBe("hunter2 from the page");
  const again = await browser.open();
  await again.page.goto(link);
  await seeScreen(again, "This has been handed in");
  expect(place.server.stderr()).not.toContain("hunter2");
});

test("an answer that is lost hands nothing in twice, and a name that cannot be written is refused", async () => {
  await using place = await openPlace();
  const ann = await place.member("ann", SCOPES);
  const link = await ann.must(["request", "--submissions", "3"]);
  const visit = await browser.open();
  const { page } = visit;
  await page.goto(link);
  await page
    .getByLabel("Or files")
    .setInputFiles([{ name: "c:bad", mimeType: "text/plain", buffer: Buffer.from("x") }]);
  await page.getByRole("button", { name: "Encrypt and send" }).click();
  await page.getByRole("alert").filter({ hasText: "c:bad" }).waitFor();
  await page.getByRole("button", { name: "Remove c:bad" }).click();
  await page.getByLabel("The secret").fill("once");
  // The server gets it, and the page gets no answer.
  await page.route("**/submissions", async (route) => {
    await route.fetch();
    await route.fulfill({ status: 500, json: { code: "internal" } });
  });
  await page.getByRole("button", { name: "Encrypt and send" }).click();
  await page.getByRole("alert").filter({ hasText: "Try again" }).waitFor();
  await page.unroute("**/submissions");
  await page.getByRole("button", { name: "Encrypt and send" }).click();
  await seeScreen(visit, "Handed in");
  expect(await ann.must(["status", /req_\w+/.exec(link)?.[0] ?? ""])).toContain("1 of 3 handed in");
});

test("files of 25 MiB go through the page in both directions, and it stays responsive", async () => {
  await using place = await openPlace(["--max-ciphertext", "50MiB"]);
  const ann = await place.member("ann", SCOPES);
  const content = Buffer.alloc(25 * MIB);
  for (let at = 0; at < content.length; at += 65_536) crypto.getRandomValues(content.subarray(at, at + 65_536));
  const file = join(ann.home, "large.bin");
  await Bun.write(file, content);
  const visit = await browser.open();
  const { page } = visit;
  const link = await ann.must(["request"]);
  await page.goto(link);
  await page.getByLabel("Or files").setInputFiles([file]);
  await page.evaluate(
    "said = []; turns = 0; look = () => { const text = document.body.innerText; said.push(text); isEncrypting = text.includes('Encrypting'); }; look(); new MutationObserver(look).observe(document.body, { subtree: true, characterData: true, childList: true }); setInterval(() => { if (isEncrypting) turns++; }, 20)",
  );
  // Slow enough to see how far it is.
  const cdp = await page.context().newCDPSession(page);
  const throughput = 20 * MIB;
  await cdp.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: throughput,
  });
  await page.getByRole("button", { name: "Encrypt and send" }).click();
  await heading(page).filter({ hasText: "Handed in" }).waitFor();
  expect(await page.evaluate<string>("said.join()")).toMatch(/Sending … \d+ %/);
  // Done on the page's own thread, encrypting would be one pause from its beginning to its end, with one turn or two.
  expect(await page.evaluate<number>("turns")).toBeGreaterThan(10);
  await ann.must(["collect", /req_\w+/.exec(link)?.[0] ?? "", "--output", "in"]);
  expect(Buffer.compare(readFileSync(join(ann.home, "in/large.bin")), content)).toBe(0);
  await page.goto(await ann.must(["send", "large.bin"]));
  await openButton(page).click();
  await heading(page)
    .filter({ hasText: /^File$/ })
    .waitFor();
  expect(Buffer.compare(await download(page, "Download large.bin"), content)).toBe(0);
});

test("a server that names another recipient is caught before anything is sent", async () => {
  await using place = await openPlace();
  const ann = await place.member("ann", SCOPES);
  const { recipient } = await createAgeIdentity("hybrid");
  const visit = await browser.open();
  await visit.page.route("**/invitation", async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, json: { ...(await answer.json()), recipient } });
  });
  await visit.page.goto(await ann.must(["request", "--note", "x"]));
  await seeScreen(visit, "Stop: do not send anything");
  expect(await visit.page.getByRole("button").count()).toBe(0);
});

test("the page comes hashed and with a hard shell, small, and as page-hash says", async () => {
  await using place = await openPlace();
  const { url } = place.server;
  for (const path of ["/", "/s/sec_069q6gv7k1rqf8a0c2m4e6g8io", "/r/req_069q6gv7k1rqf8a0c2m4e6g8io"]) {
    const answer = await fetch(url + path);
    expect(answer.status).toBe(200);
    const policy = answer.headers.get("content-security-policy") ?? "";
    for (const part of ["default-src 'none'", "frame-ancestors 'none'", "require-trusted-types-for 'script'"])
      expect(policy).toContain(part);
    expect(policy).not.toMatch(/unsafe|\*|data: *script/);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("referrer-policy")).toBe("no-referrer");
    expect(answer.headers.get("cross-origin-opener-policy")).toBe("same-origin");
  }
  const lines = (await place.person("bob").must(["page-hash"])).split("\n");
  const names = lines.map((line) => line.slice(line.lastIndexOf("/") + 1));
  expect(names).toEqual(expect.arrayContaining(["app.js", "worker.js", "app.css", "favicon.svg"]));
  let bytes = 0;
  for (const line of lines) {
    const [hash = "", path = ""] = line.split("  ");
    const answer = await fetch(`${url}/${path}`, { headers: { "accept-encoding": "gzip" }, decompress: false });
    const gzipped = new Uint8Array(await answer.arrayBuffer());
    if (/\/(app|worker)\.\w+$/.test(path)) bytes += gzipped.length;
    expect(answer.headers.get("cache-control")).toContain("immutable");
    expect(new Bun.CryptoHasher("sha256").update(Bun.gunzipSync(gzipped)).digest("hex")).toBe(hash);
  }
  expect(bytes).toBeLessThan(90 * 1024);
  expect((await fetch(`${url}/assets/0000000000000000/app.js`)).status).toBe(404);
});

/** Lets `name` sign in, in a browser of their own. */
async function signIn(place: Place, name: string): Promise<TestPage> {
  const data = join(place.folder, "data");
  const add = ["admin", "person", "add", name, "--team", "team", "--data-dir", data, "--base-url", place.server.url];
  const url = await place.person("admin").must(add);
  const visit = await browser.open();
  await visit.page.goto(url);
  await seeScreen(visit, "Sign in");
  expect(visit.page.url()).not.toContain("#");
  await visit.page.getByRole("button", { name: "Sign in" }).click();
  await seeScreen(visit, "Send a secret");
  const again = await browser.open();
  await again.page.goto(url);
  await again.page.getByRole("button", { name: "Sign in" }).click();
  await seeScreen(again, "This sign-in link does not work");
  await again.context.close();
  // The page asks before something is lost or taken back; whoever is there says yes.
  visit.page.on("dialog", (dialog) => void dialog.accept());
  return visit;
}

test("a person signs in once by their link, sends, sees it opened as it happens, takes back, and signs out", async () => {
  await using place = await openPlace();
  const bob = place.person("bob");
  const visit = await signIn(place, "ann@example.com");
  const { page, context } = visit;
  const [cookie] = await context.cookies();
  expect(cookie).toMatchObject({ name: "__Host-handoff", httpOnly: true, secure: true, sameSite: "Strict", path: "/" });

  await page.getByLabel("The secret", { exact: true }).fill("from the page");
  await page.getByLabel("Passphrase (optional)").fill("correct horse");
  await page.getByRole("button", { name: "Encrypt and make a link" }).click();
  await seeScreen(visit, "Here is your link");
  const link = (await page.getByLabel("The link").textContent()) ?? "";
  await page.getByRole("button", { name: "QR code" }).click();
  await page.getByRole("img", { name: "QR code" }).waitFor();
  await Bun.write(join(bob.home, "pass"), "correct horse\n");
  await page.getByRole("listitem").filter({ hasText: "Waiting" }).waitFor();
  expect(await bob.must(["open", "--yes", link, "--passphrase-file", "pass"])).toBe("from the page");
  // Without a reload.
  await page.getByRole("listitem").filter({ hasText: "Opened" }).waitFor();

  await page.getByRole("button", { name: "Send another one" }).click();
  await page
    .getByLabel("Or files")
    .setInputFiles([{ name: "a.txt", mimeType: "text/plain", buffer: Buffer.from("file") }]);
  await page.getByRole("button", { name: "Encrypt and make a link" }).click();
  await seeScreen(visit, "Here is your link");
  const second = (await page.getByLabel("The link").textContent()) ?? "";
  await page.getByRole("button", { name: /Take back/ }).click();
  await page.getByRole("listitem").filter({ hasText: "Taken back" }).waitFor();
  expect((await bob.run(["open", "--yes", second])).exitCode).toBe(4);

  await page.getByRole("button", { name: "Sign out" }).click();
  await seeScreen(visit, "Send secrets safely");
  expect(await context.cookies()).toEqual([]);
  expect(place.server.stderr()).not.toMatch(/from the page|hut_|correct horse/);
});

test("a secret that is opened while its sender revokes it is shown as opened, without a complaint", async () => {
  await using place = await openPlace();
  const bob = place.person("bob");
  const visit = await signIn(place, "ann");
  const { page } = visit;
  await page.getByLabel("The secret", { exact: true }).fill("text");
  await page.getByRole("button", { name: "Encrypt and make a link" }).click();
  await seeScreen(visit, "Here is your link");
  const link = (await page.getByLabel("The link").textContent()) ?? "";
  await page.evaluate(
    `alerts = []; new MutationObserver(() => alerts.push(...[...document.querySelectorAll("[role=alert]")].map((each) => each.textContent).filter(Boolean))).observe(document.body, { subtree: true, childList: true, characterData: true })`,
  );
  page.removeAllListeners("dialog");
  // While the page asks, nothing new reaches it.
  const opened = Promise.withResolvers<string>();
  page.once("dialog", async (dialog) => {
    opened.resolve(await bob.must(["open", "--yes", link]));
    await dialog.accept();
  });
  const revocation = page.waitForResponse((response) => response.request().method() === "DELETE");
  await page.getByRole("button", { name: /Take back/ }).click();
  expect(await opened.promise).toBe("text");
  expect((await revocation).status()).toBe(410);
  await page.getByRole("listitem").filter({ hasText: "Opened" }).waitFor();
  expect(await page.evaluate<string[]>("alerts")).toEqual([]);
});

/** The list's row with this text, as soon as it is there. */
const row = (page: Page, text: string | RegExp) => page.getByRole("listitem").filter({ hasText: text });

test("a person asks, sees the answer come in, and opens it; what is kept in the browser cannot be read", async () => {
  await using place = await openPlace();
  const bob = place.person("bob");
  const visit = await signIn(place, "ann");
  const { page } = visit;
  await page.getByRole("link", { name: "Ask for a secret" }).click();
  await seeScreen(visit, "Ask for a secret");
  await page.getByLabel("What do you ask for?").fill("the staging password");
  await page.getByRole("button", { name: "Make a request link" }).click();
  await seeScreen(visit, "Here is your request link");
  const link = (await page.getByLabel("The request link").textContent()) ?? "";
  const id = /req_\w+/.exec(link)?.[0] ?? "";
  const collectLink = (await page.getByLabel("The backup link", { exact: true }).textContent()) ?? "";
  expect(collectLink).toStartWith(`${place.server.url}/c/${id}#1.AGE-SECRET-KEY-PQ-1`);
  await row(page, "Nothing yet").filter({ hasText: "the staging password" }).waitFor();
  await bob.must(["submit", link], { stdin: "hunter2 for ann" });
  // Without a reload.
  await row(page, "One to collect").getByRole("link", { name: "Collect" }).click();
  await seeScreen(visit, "What you asked for");
  expect(await page.locator("blockquote").textContent()).toBe("the staging password");
  const stored = await page.evaluate<string>(KEPT_IN_BROWSER);
  expect(stored).toContain("AGE-SECRET-KEY-PQ-1");
  expect(stored).not.toMatch(/staging|hunter2/);
  await page.getByRole("button", { name: /^Open …/ }).click();
  await seeScreen(visit, /^Secret$/);
  expect(await readText(page)).toBe("hunter2 for ann");
  await page.reload();
  // For as long as the claim can be repeated, in this tab alone.
  await page.getByRole("button", { name: /^Open …/ }).click();
  await seeScreen(visit, /^Secret$/);
  await page.getByRole("button", { name: "Back" }).click();
  await seeScreen(visit, "What you asked for");
  const other = await visit.context.newPage();
  await other.goto(`${place.server.url}/c/${id}`);
  // In another tab of this browser too, but in no other one.
  await other.getByRole("button", { name: /^Open …/ }).click();
  await heading(other)
    .filter({ hasText: /^Secret$/ })
    .waitFor();
  expect(place.server.stderr()).not.toMatch(/hunter2|staging|AGE-SECRET/);
});

test("the collect link opens the answer in another browser, and on the command line", async () => {
  await using place = await openPlace();
  const bob = await place.member("bob", SCOPES);
  const visit = await signIn(place, "ann");
  const { page } = visit;
  await page.goto(`${place.server.url}/ask`);
  await page.getByLabel("How many").fill("3");
  await page.getByRole("button", { name: "Make a request link" }).click();
  await seeScreen(visit, "Here is your request link");
  const link = (await page.getByLabel("The request link").textContent()) ?? "";
  const collectLink = (await page.getByLabel("The backup link", { exact: true }).textContent()) ?? "";
  const id = /req_\w+/.exec(link)?.[0] ?? "";

  const stranger = await browser.open(PHONE);
  await stranger.page.goto(collectLink);
  await seeScreen(stranger, "Sign in first");
  expect(stranger.page.url()).not.toContain("#");
  const second = await signIn(place, "carl");
  await second.page.goto(`${place.server.url}/c/${id}`);
  await seeScreen(second, "The key is not in this browser");
  await second.page.goto(collectLink.slice(0, -3));
  await seeScreen(second, "This link is incomplete");
  await second.page.goto(collectLink);
  await seeScreen(second, "What you asked for");
  expect(second.page.url()).not.toContain("#");
  await bob.must(["submit", link], { stdin: "one" });
  // As it happens.
  await second.page.getByRole("button", { name: /^Open …/ }).click();
  await seeScreen(second, /^Secret$/);
  expect(await readText(second.page)).toBe("one");
  await bob.must(["submit", link], { stdin: "two" });
  expect((await bob.run(["collect", id])).stderr).toContain("isn't on this machine");
  expect((await bob.run(["collect", "-"], { stdin: collectLink.slice(0, -3) })).exitCode).toBe(2);
  await bob.must(["collect", "-", "--output", "in"], { stdin: collectLink });
  expect(bob.files().filter((name) => name.startsWith("in/"))).toHaveLength(1);

  // Taken back, nothing more can be handed in.
  await page.getByRole("button", { name: /Take back/ }).click();
  await row(page, "2 of 3 handed in, Collected, Taken back").waitFor();
  expect((await bob.run(["submit", link], { stdin: "three" })).exitCode).toBe(4);
  expect(place.server.stderr()).not.toContain("AGE-SECRET");
});

test("signing out deletes the person's keys from the browser, asked first while something can be opened with them", async () => {
  await using place = await openPlace();
  const bob = place.person("bob");
  const visit = await signIn(place, "ann");
  const { page } = visit;
  const questions: string[] = [];
  let answer: "accept" | "dismiss" = "dismiss";
  page.removeAllListeners("dialog");
  page.on("dialog", (dialog) => {
    // The link that was not copied yet may go.
    if (dialog.type() === "beforeunload") return void dialog.accept();
    questions.push(dialog.message());
    return void dialog[answer]();
  });
  const signOut = async () => {
    await page.goto(`${place.server.url}/`);
    await page.getByRole("button", { name: "Sign out" }).click();
  };
  await page.goto(`${place.server.url}/ask`);
  await page.getByLabel("What do you ask for?").fill("the staging password");
  await page.getByRole("button", { name: "Make a request link" }).click();
  await seeScreen(visit, "Here is your request link");
  const link = (await page.getByLabel("The request link").textContent()) ?? "";
  const id = /req_\w+/.exec(link)?.[0] ?? "";
  // Somebody else has used this browser, and their key is theirs.
  await page.evaluate(
    `new Promise((resolve) => { indexedDB.open("handoff").onsuccess = ({ target }) => { const change = target.result.transaction("identities", "readwrite"); change.objectStore("identities").put({ identity: "of somebody else", claims: {} }, ["idn_other", "req_other"]); change.oncomplete = () => resolve(); }; })`,
  );
  const keptKeys = () => page.evaluate<string>(KEPT_IN_BROWSER);
  expect(await keptKeys()).toContain("AGE-SECRET-KEY");

  await signOut();
  while (questions.length === 0) await Bun.sleep(20);
  expect(questions.splice(0)).toEqual([
    expect.stringMatching(/^Sign out\? This browser will delete the private key of 1 request/),
  ]);
  // Whoever stays signed in has lost nothing.
  await bob.must(["submit", link], { stdin: "hunter2 for ann" });
  await page.goto(`${place.server.url}/c/${id}`);
  await page.getByRole("button", { name: /^Open …/ }).waitFor();

  answer = "accept";
  await page.goto(`${place.server.url}/`);
  await page.evaluate("IDBObjectStore.prototype.delete = () => { throw new Error('refused'); }");
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByText("This browser did not delete the private keys").waitFor();
  expect(questions.splice(0)).toHaveLength(1);
  expect(await keptKeys()).toContain("AGE-SECRET-KEY");

  const data = join(place.folder, "data");
  const add = ["admin", "person", "add", "ann", "--team", "team", "--data-dir", data, "--base-url", place.server.url];
  const signInAgain = async () => {
    await page.goto(await place.person("admin").must(add));
    await page.getByRole("button", { name: "Sign in" }).click();
    await seeScreen(visit, "Send a secret");
  };
  await signInAgain();
  await signOut();
  await seeScreen(visit, "Send secrets safely");
  expect(questions.splice(0)).toHaveLength(1);
  expect(await keptKeys()).toBe(JSON.stringify([{ identity: "of somebody else", claims: {} }]));

  // There is nothing to be asked about any more.
  await signInAgain();
  await page.goto(`${place.server.url}/c/${id}`);
  await seeScreen(visit, "The key is not in this browser");
  await signOut();
  await seeScreen(visit, "Send secrets safely");
  expect(questions).toEqual([]);
});

test("asking twice for the same makes two requests, and a key goes with the last thing that it opens", async () => {
  await using place = await openPlace(["--replay-window", "0s"]);
  const bob = place.person("bob");
  const visit = await signIn(place, "ann");
  const { page } = visit;
  await page.goto(`${place.server.url}/ask`);
  const ask = async () => {
    await page.getByLabel("What do you ask for?").fill("the same");
    await page.getByRole("button", { name: "Make a request link" }).click();
    await heading(page).filter({ hasText: "Here is your request link" }).waitFor();
    const link = (await page.getByLabel("The request link").textContent()) ?? "";
    await page.getByRole("button", { name: "Ask for something else" }).click();
    return link;
  };
  const [first, second] = [await ask(), await ask()];
  expect(first).not.toBe(second);
  const keys = () =>
    page.evaluate<number>(
      `new Promise((resolve) => { indexedDB.open("handoff").onsuccess = ({ target }) => { target.result.transaction("identities").objectStore("identities").count().onsuccess = (event) => resolve(event.target.result); }; })`,
    );
  expect(await keys()).toBe(2);
  await bob.must(["submit", first], { stdin: "x".repeat(200_000) });
  await row(page, "One to collect").getByRole("link", { name: "Collect" }).click();
  await page.getByRole("button", { name: /^Open …/ }).click();
  // Of a very long text only the beginning is laid out, and all of it can be had.
  await seeScreen(visit, /^Secret$/);
  expect(await readText(page)).toHaveLength(50_000);
  expect(await download(page, "Download")).toHaveLength(200_000);
  await page.getByRole("button", { name: "Back" }).click();
  await row(page, "Opened").waitFor();
  expect(await page.getByRole("button", { name: /^Open …/ }).count()).toBe(0);
  while ((await keys()) !== 1) await Bun.sleep(20);
  await page.getByRole("link", { name: "Everything you asked for" }).click();
  await row(page, "Collected").waitFor();
  await page.getByRole("button", { name: /Take back/ }).click();
  await row(page, "Taken back").waitFor();
  while ((await keys()) !== 0) await Bun.sleep(20);
});

test("when somebody else signs in in another tab, nothing is sent in their name", async () => {
  await using place = await openPlace();
  const bob = await place.member("bob", SCOPES);
  const visit = await signIn(place, "ann");
  const data = join(place.folder, "data");
  const add = ["admin", "person", "add", "carl", "--team", "team", "--data-dir", data, "--base-url", place.server.url];
  const other = await visit.context.newPage();
  await other.goto(await place.person("admin").must(add));
  await other.getByRole("button", { name: "Sign in" }).click();
  await heading(other).filter({ hasText: "Send a secret" }).waitFor();
  const { page } = visit;
  await page.getByLabel("The secret", { exact: true }).fill("of ann");
  await page.getByRole("button", { name: "Encrypt and make a link" }).click();
  await page.getByRole("alert").filter({ hasText: "carl" }).waitFor();
  expect(await bob.must(["list", "--json"])).toBe("[]");
});

test("somebody who is signed out elsewhere is told so, loses nothing, and goes on once signed in again", async () => {
  await using place = await openPlace();
  const visit = await signIn(place, "ann");
  const { page } = visit;
  await page.getByLabel("The secret", { exact: true }).fill("typed before");
  const data = join(place.folder, "data");
  await place.person("admin").must(["admin", "person", "sign-out", "ann", "--data-dir", data]);
  await page.getByRole("button", { name: "Encrypt and make a link" }).click();
  await page.getByRole("alert").filter({ hasText: "no longer signed in" }).waitFor();
  const add = ["admin", "person", "add", "ann", "--team", "team", "--data-dir", data, "--base-url", place.server.url];
  const other = await visit.context.newPage();
  await other.goto(await place.person("admin").must(add));
  await other.getByRole("button", { name: "Sign in" }).click();
  await heading(other).filter({ hasText: "Send a secret" }).waitFor();
  await page.getByRole("button", { name: "Encrypt and make a link" }).click();
  await seeScreen(visit, "Here is your link");
});

test("the sign-in link survives a server that is away, and a reload", async () => {
  await using place = await openPlace();
  const data = join(place.folder, "data");
  const add = ["admin", "person", "add", "ann", "--team", "team", "--data-dir", data, "--base-url", place.server.url];
  const visit = await browser.open(PHONE);
  const { page } = visit;
  await page.goto(await place.person("admin").must(add));
  await page.route("**/app/session", (route) => route.abort());
  await page.getByRole("button", { name: "Sign in" }).click();
  await heading(page).filter({ hasText: "That didn't work" }).waitFor();
  await page.unroute("**/app/session");
  await page.reload();
  await page.getByRole("button", { name: "Sign in" }).click();
  await heading(page).filter({ hasText: "Send a secret" }).waitFor();
  expect(await page.evaluate<number>("sessionStorage.length")).toBe(0);
});

test("what the server allows is what can be chosen, and what is chosen first", async () => {
  await using place = await openPlace(["--max-expires", "30m", "--default-expires", "30m", "--default-claims", "3"]);
  const visit = await signIn(place, "ann");
  const { page } = visit;
  expect(await page.getByLabel("The link works for").locator("option").allTextContents()).toEqual(["30 minutes"]);
  expect(await page.getByRole("spinbutton").inputValue()).toBe("3");
  await page.getByLabel("The secret", { exact: true }).fill("x");
  await page.getByRole("button", { name: "Encrypt and make a link" }).click();
  await seeScreen(visit, "Here is your link");
  // How often a secret is opened is no number of secrets that are asked for.
  await page.getByRole("link", { name: "Ask for a secret" }).click();
  await seeScreen(visit, "Ask for a secret");
  expect(await page.getByRole("spinbutton").inputValue()).toBe("1");
});

test("a page that nobody looks at holds no connection, and shows what happened when it is looked at again", async () => {
  await using place = await openPlace();
  const visit = await signIn(place, "ann");
  const { page } = visit;
  const open = new Set<Request>();
  page.on("request", (request) => request.url().includes("/app/") && open.add(request));
  page.on("requestfinished", (request) => open.delete(request));
  page.on("requestfailed", (request) => open.delete(request));
  // What was under way before is not among them.
  await page.reload();
  await page.getByLabel("The secret", { exact: true }).fill("x");
  await page.getByRole("button", { name: "Encrypt and make a link" }).click();
  await row(page, "Waiting").waitFor();
  const link = (await page.getByLabel("The link").textContent()) ?? "";
  const show = (isHidden: boolean) =>
    page.evaluate(
      `Object.defineProperty(document, "hidden", { value: ${isHidden}, configurable: true }); document.dispatchEvent(new Event("visibilitychange"))`,
    );
  await show(true);
  while (open.size > 0) await Bun.sleep(20);
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await place.person("bob").must(["open", "--yes", link]);
  expect(asked).toEqual([]);
  expect(await row(page, "Waiting").count()).toBe(1);
  await show(false);
  await row(page, "Opened").waitFor();
});
