import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { PAGE_TEST_MS, startBrowser } from "../support/browsers.ts";
import type { TestPage } from "../support/browsers.ts";
import { readText, seeScreen } from "../support/page-visits.ts";
import { openPlace } from "../support/people.ts";
import type { Place } from "../support/people.ts";

const SCOPES = ["requests:create", "requests:read", "requests:revoke"].concat(
  ["create", "read", "claim", "revoke"].map((each) => `secrets:${each}`),
);
const PHONE = { viewport: { width: 390, height: 800 } };

setDefaultTimeout(PAGE_TEST_MS);
const browser = await startBrowser();
afterAll(() => browser[Symbol.asyncDispose]());

const openButton = (page: Page) => page.getByRole("button", { name: "Open secret" });
const heading = (page: Page) => page.getByRole("heading", { level: 1 });

/** What a page is told to say of what its browser keeps for requests. */
const KEPT_IN_BROWSER = `new Promise((resolve) => { indexedDB.open("handoff").onsuccess = ({ target }) => { target.result.transaction("identities").objectStore("identities").getAll().onsuccess = (event) => resolve(JSON.stringify(event.target.result)); }; })`;

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
