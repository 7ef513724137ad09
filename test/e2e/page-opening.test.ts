import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { sendSecret } from "../../src/client/sends.ts";
import { findViolationsInThemes } from "../support/accessibility.ts";
import { PAGE_TEST_MS, startBrowser } from "../support/browsers.ts";
import type { TestPage } from "../support/browsers.ts";
import { sendLocked } from "../support/foreign-secrets.ts";
import { complaint, installClock, openSignedIn, press, readText, seeTitle, untilTrue } from "../support/page-visits.ts";
import { shareServer } from "../support/people.ts";
import type { Person, Place } from "../support/people.ts";
import { samplePdf, samplePng } from "../support/samples.ts";
import { clientOf } from "../support/sessions.ts";

setDefaultTimeout(PAGE_TEST_MS);
const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
const browser = await startBrowser();
afterAll(() => browser[Symbol.asyncDispose]());
const openPlace = shareServer();

const text = (page: Page) => page.locator("main").innerText();
const clipboard = (page: Page) => page.evaluate<string>("navigator.clipboard.readText()");

/** Opens `link` in its own browser, which lets the page copy. */
async function openLink(link: string): Promise<TestPage> {
  const visit = await browser.open({ permissions: ["clipboard-read", "clipboard-write"] });
  await visit.page.goto(link);
  await press(visit.page, "Open secret");
  return visit;
}

/** From now on the browser refuses to copy. */
const refuseCopying = (page: Page) =>
  page.evaluate(`
    navigator.clipboard.writeText = () => new Promise((_, refuse) => setTimeout(refuse));
    selectedOnRefusal = undefined;
    const isSaid = () => [...document.querySelectorAll("[role=status]")].some((each) => each.textContent.includes("is selected"));
    // The message about an earlier refusal may still be there.
    let wasSaid = isSaid();
    new MutationObserver((_, observer) => {
      if (isSaid() && !wasSaid) {
        selectedOnRefusal = String(getSelection()).trim();
        observer.disconnect();
      }
      wasSaid = isSaid();
    }).observe(document.body, { subtree: true, childList: true, characterData: true });`);
/** The text that was selected when the page began to say that it is. */
async function selectedOnRefusal(page: Page): Promise<string> {
  await untilTrue(page, "selectedOnRefusal !== undefined");
  return page.evaluate<string>("selectedOnRefusal");
}

/** What is wrong with what the page shows, in both themes. */
const violationsOf = async ({ page, complaints }: TestPage) => [...(await findViolationsInThemes(page)), ...complaints];

async function sendFiles(ann: Person, files: Readonly<Record<string, string | Uint8Array>>): Promise<string> {
  for (const [name, content] of Object.entries(files)) await Bun.write(join(ann.home, name), content);
  return ann.must(["send", ...Object.keys(files)]);
}

test("before the click the page shows the known facts: sender, kind, and the consequences of opening", async () => {
  await using place = await openPlace();
  const { context } = await openSignedIn(browser, place, "ann@example.com");
  const client = await clientOf(context, place.server.url);
  const file = { name: "a.bin", bytes: new Uint8Array(3_000_000), isExecutable: false, isFolder: false };
  const sent = await sendSecret(client, {
    content: { kind: "both", text: "x", files: [file, { ...file, name: "b.bin", bytes: new Uint8Array(1) }] },
    passphrase: undefined,
    maxClaims: undefined,
    ttlSeconds: undefined,
  });
  const visit = await browser.open();
  await visit.page.goto(sent.link);
  await seeTitle(visit.page, "ann@example.com sent you a secret");
  expect(await text(visit.page)).toMatch(
    /team-\d+\n*according to this server\n+Text and 2 files\nAbout 3\.0 MB\nOpens once\nUntil \w{3} \d+ \w{3}\n/,
  );
  await visit.page.getByText("Not expecting this? Ask ann@example.com before you open it.").waitFor();
  expect(await violationsOf(visit)).toEqual([]);

  // An automation is not named, and a small text shows no size.
  const plain = await (await place.member("bob")).must(["send", "--claims", "3"], { stdin: "text" });
  await visit.page.goto(plain);
  await seeTitle(visit.page, "Someone sent you a secret");
  const seen = await text(visit.page);
  expect(seen).toMatch(/\nText\nOpens 3 times\nUntil \w{3} \d+ \w{3}\n/);
  expect(seen).not.toMatch(/according to|About|bytes|haven't/i);
});

test("a single line is hidden at first, copied without its line break, and shown when copying fails", async () => {
  await using place = await openPlace();
  const ann = await place.member("ann");
  const visit = await openLink(await ann.must(["send"], { stdin: "correct horse\n" }));
  const { page } = visit;
  await seeTitle(page, /^Secret$/);
  expect(await text(page)).not.toContain("correct");
  expect(await violationsOf(visit)).toEqual([]);
  // The mask in its place cannot be copied.
  await page
    .getByRole("group", { name: "The text is hidden" })
    .selectText()
    .catch(() => undefined);
  expect(await page.evaluate<string>("String(getSelection())")).not.toContain("•");
  await press(page, "Copy");
  await page.getByRole("button", { name: "Copied" }).waitFor();
  expect(await clipboard(page)).toBe("correct horse");
  expect(await text(page)).not.toContain("correct");
  const below = page.getByRole("button", { name: "Done, erase now" });
  const before = await below.boundingBox();
  expect(await readText(page)).toBe("correct horse");
  await press(page, "Hide");
  expect(await text(page)).not.toContain("correct");
  expect((await below.boundingBox())?.y).toBe(before?.y ?? 0);

  await refuseCopying(page);
  await page.getByRole("button", { name: "Copy", exact: true }).click();
  expect(await selectedOnRefusal(page)).toBe("correct horse");
  // Paper has all of it, including hidden parts.
  await press(page, "Hide");
  await page.evaluate("dispatchEvent(new Event('beforeprint'))");
  await page.getByText("correct horse").waitFor();
  await page.evaluate("dispatchEvent(new Event('afterprint'))");
  await page.getByText("correct horse").waitFor({ state: "detached" });
});

test("lines of names and values are copied one by one, and passwords stay hidden", async () => {
  await using place = await openPlace();
  const ann = await place.member("ann");
  const lines = "URL: https://cloud.example.com\nUser: mia\nPassword: hunter2\n";
  const visit = await openLink(await ann.must(["send"], { stdin: lines }));
  const { page } = visit;
  await page.getByRole("listitem").filter({ hasText: "mia" }).waitFor();
  expect(await text(page)).not.toContain("hunter2");
  expect(await violationsOf(visit)).toEqual([]);
  await press(page, "Copy User");
  expect(await clipboard(page)).toBe("mia");
  await press(page, "Copy Password");
  await page.getByRole("button", { name: "Copied Password" }).waitFor();
  expect(await clipboard(page)).toBe("hunter2");
  expect(await text(page)).not.toContain("hunter2");
  await press(page, "Show Password");
  await page.getByText("hunter2").waitFor();
  await press(page, "Hide all");
  await page.getByText("hunter2").waitFor({ state: "detached" });
  await press(page, "Copy all");
  await page.getByRole("button", { name: "Copied", exact: true }).waitFor();
  expect(await clipboard(page)).toBe(lines.trim());
  for (let time = 0; time < 2; time++) {
    await refuseCopying(page);
    await page.getByRole("button", { name: /^(Copy all|Copied)$/ }).click();
    expect(await selectedOnRefusal(page)).toContain("hunter2");
    await press(page, "Hide all");
    await page.getByText("hunter2").waitFor({ state: "detached" });
  }
  await press(page, "Copy Password");
  await page.getByText("hunter2").waitFor();
  expect(await page.evaluate<string>("String(getSelection())")).toBe("hunter2");
  // Also in a narrow window with large text.
  await page.setViewportSize({ width: 320, height: 640 });
  await page.evaluate("document.documentElement.style.fontSize = '200%'");
  expect(await page.evaluate<number>("document.documentElement.scrollWidth")).toBe(320);
});

test("a private key keeps its lines in any window width", async () => {
  await using place = await openPlace();
  const ann = await place.member("ann");
  const key = `-----BEGIN PRIVATE KEY-----\n${"A".repeat(64)}\n${"B".repeat(64)}\n-----END PRIVATE KEY-----\n`;
  const { page } = await openLink(await ann.must(["send"], { stdin: key }));
  await page.setViewportSize({ width: 320, height: 700 });
  expect(await readText(page)).toBe(key);
  const wide = await page.evaluate<boolean>(
    "(() => { const pre = document.querySelector('pre'); return pre.scrollWidth > pre.clientWidth && document.documentElement.scrollWidth <= innerWidth; })()",
  );
  expect(wide).toBeTrue();
});

test("pictures and text are previewed in the page, and all files come as one ZIP", async () => {
  await using place = await openPlace();
  const ann = await place.member("ann");
  const link = await sendFiles(ann, {
    "wifi.png": samplePng(40),
    "contract.pdf": samplePdf("Contract"),
    "notes.html": "<script>document.title = 'run'</script>",
    "data.bin": Uint8Array.of(0, 1, 2, 255),
  });
  const visit = await openLink(link);
  const { page } = visit;
  await seeTitle(page, "4 files");
  expect(await page.locator("img").count()).toBe(0);
  await press(page, "Show wifi.png");
  const picture = page.getByRole("img", { name: "Preview of wifi.png" });
  await picture.waitFor();
  const widthOfPicture =
    "(() => { const image = document.querySelector('main img'); return image.decode().then(() => image.naturalWidth); })()";
  expect(await page.evaluate<number>(widthOfPicture)).toBe(40);
  await press(page, "Show notes.html");
  expect(await page.getByRole("group", { name: "Preview of notes.html" }).textContent()).toContain("<script>");
  for (const name of ["contract.pdf", "data.bin"])
    expect(await page.getByRole("button", { name: `Show ${name}` }).count()).toBe(0);
  expect(await violationsOf(visit)).toEqual([]);
  await press(page, "Hide wifi.png");
  expect(await picture.count()).toBe(0);

  const [zip] = await Promise.all([page.waitForEvent("download"), press(page, "Download all as ZIP")]);
  expect(zip.suggestedFilename()).toBe("secret.zip");
  const path = join(ann.home, "secret.zip");
  await zip.saveAs(path);
  const listed = await Bun.$`python3 -m zipfile -l ${path}`.text();
  for (const name of ["wifi.png", "contract.pdf", "notes.html", "data.bin"]) expect(listed).toContain(name);
  await page.getByText("4 bytes · downloaded").waitFor();
});

test("text and files sent together are both shown, and one file is downloaded unchanged", async () => {
  await using place = await openPlace();
  const { context } = await openSignedIn(browser, place, "ann");
  const client = await clientOf(context, place.server.url);
  const file = { name: "a/b.txt", bytes: Buffer.from("in the file"), isExecutable: false, isFolder: false };
  const { link } = await sendSecret(client, {
    content: { kind: "both", text: "one\ntwo", files: [file] },
    passphrase: undefined,
    maxClaims: undefined,
    ttlSeconds: undefined,
  });
  const { page } = await openLink(link);
  expect(await readText(page)).toBe("one\ntwo");
  const [saved] = await Promise.all([page.waitForEvent("download"), press(page, "Download a/b.txt")]);
  expect([saved.suggestedFilename(), readFileSync(await saved.path(), "utf8")]).toEqual(["b.txt", "in the file"]);
});

test("erasing asks first while some of the secret was not saved, and then no tab shows it again", async () => {
  await using place = await openPlace();
  const ann = await place.member("ann");
  const link = await ann.must(["send"], { stdin: "text" });
  const visit = await openLink(link);
  const { page, context } = visit;
  await page.getByText(/You can show it again in this tab for [45]:\d\d\./).waitFor();
  const other = await context.newPage();
  await other.goto(link);
  await other.getByRole("button", { name: "Show again" }).waitFor();

  await press(page, "Done, erase now");
  const dialog = page.getByRole("dialog");
  await dialog.getByText("You haven't copied or saved all of it.").waitFor();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await press(page, "Copy");
  await page.getByRole("button", { name: "Copied" }).waitFor();
  const erasing = page.waitForResponse((answer) => answer.url().endsWith("/acknowledgement"));
  await press(page, "Done, erase now");
  expect((await erasing).status()).toBe(204);
  await seeTitle(page, "Erased");
  expect(await violationsOf(visit)).toEqual([]);
  expect(await page.evaluate<string>("JSON.stringify({ ...sessionStorage })")).not.toContain("fragment");
  for (const each of [page, other]) {
    await each.goto(link);
    await seeTitle(each, "You opened this secret");
    expect(await each.getByRole("button", { name: "Show again" }).count()).toBe(0);
  }
});

test("when the server cannot be reached the secret stays on the screen, and the page says so", async () => {
  await using place = await openPlace();
  const ann = await place.member("ann");
  const { page, context } = await openLink(await ann.must(["send"], { stdin: "text" }));
  await press(page, "Copy");
  await context.setOffline(true);
  await press(page, "Done, erase now");
  await page.getByRole("alert").filter({ hasText: "The server couldn't be told to erase it" }).waitFor();
  expect(await readText(page)).toBe("text");
});

test("a person's second click shows the secret again for a while, and never blames somebody else", async () => {
  await using place = await openPlace();
  const ann = await place.member("ann");
  const link = await ann.must(["send", "--claims", "2"], { stdin: "text" });
  const { page: first, context } = await openLink(link);
  expect(await readText(first)).toBe("text");
  const second = await context.newPage();
  await second.goto(link);
  await seeTitle(second, "You opened this secret");
  await second.getByText(/You opened it here at \d\d:\d\d, in another tab\./).waitFor();
  await second.getByText(/You can show it again for [45]:\d\d\./).waitFor();
  await press(second, "Show again");
  expect(await readText(second)).toBe("text");
  // It was no second claim.
  expect(await ann.must(["status", link])).toContain("(1 of 2 times)");
  await first.close();
  await second.close();
  // Without a tab that can repeat the claim, the browser still knows that it was opened here.
  const other = await place.member("bob");
  await other.must(["open", "--yes", link]);
  const third = await context.newPage();
  await third.goto(link);
  await seeTitle(third, "You opened this secret");
  const { page: stranger } = await browser.open();
  await stranger.goto(link);
  await seeTitle(stranger, "This secret has been opened");
  await stranger.getByText(/Opened 2 times, most recently .*/).waitFor();
  await stranger.getByText("If you don't know about that, tell the sender: someone else may have it.").waitFor();
});

/** Clicks the button of each page at the same moment. */
async function clickTogether(pages: readonly Page[]): Promise<void> {
  const buttons = pages.map((page) => page.getByRole("button", { name: "Open secret" }));
  await Promise.all(buttons.map((button) => button.waitFor()));
  const at = Date.now() + 100;
  const clickThen = (button: { click(): void }, when: number) =>
    void setTimeout(() => button.click(), when - Date.now());
  await Promise.all(buttons.map((button) => button.evaluate(clickThen, at)));
}

/** The title of the screen after pressing the button. */
async function titleOfOutcome(page: Page): Promise<string> {
  const title = page.getByRole("heading", { level: 1 });
  await title.filter({ hasText: /^Secret$|opened|opening|work/ }).waitFor();
  return title.innerText();
}

test("pressing the button in two tabs at the same moment opens the secret once, and both show it", async () => {
  await using place = await openPlace();
  const ann = await place.member("ann");
  const { page: first, context } = await browser.open();
  const tabs = [first, await context.newPage()];
  for (const tab of tabs) tab.on("dialog", (dialog) => void dialog.accept());
  for (const claims of [1, 2, 1, 2]) {
    const link = await ann.must(["send", "--claims", String(claims)], { stdin: "text" });
    await Promise.all(tabs.map((tab) => tab.goto(link)));
    await clickTogether(tabs);
    const titles = await Promise.all(tabs.map(titleOfOutcome));
    expect([claims, ...titles]).toEqual([claims, "Secret", "Secret"]);
    expect(await Promise.all(tabs.map(readText))).toEqual(["text", "text"]);
    expect(await ann.must(["status", link])).toContain(claims === 1 ? "opened" : "(1 of 2 times)");
  }
});

test("without locks between tabs, the later one says that it was opened here, and raises no alarm", async () => {
  await using place = await openPlace();
  const ann = await place.member("ann");
  const { page: first, context } = await browser.open();
  await context.addInitScript("Object.defineProperty(navigator, 'locks', { value: undefined })");
  const tabs = [first, await context.newPage()];
  const link = await ann.must(["send"], { stdin: "text" });
  await Promise.all(tabs.map((tab) => tab.goto(link)));
  await clickTogether(tabs);
  const titles = await Promise.all(tabs.map(titleOfOutcome));
  expect(titles).toContain("Secret");
  const [late] = tabs.filter((_, index) => titles[index] !== "Secret");
  if (late) {
    await seeTitle(late, /^You(?: opened|'re opening) this secret$/);
    await press(late, /^(?:Show again|Open secret)$/);
  }
  expect(await Promise.all(tabs.map(readText))).toEqual(["text", "text"]);
});

test("a tab loaded before another one opened the secret shows it too, without a claim of its own", async () => {
  await using place = await openPlace();
  const ann = await place.member("ann");
  const { page: first, context } = await browser.open();
  const second = await context.newPage();
  const link = await ann.must(["send", "--claims", "2"], { stdin: "text" });
  for (const tab of [first, second]) {
    await tab.goto(link);
    await seeTitle(tab, "Someone sent you a secret");
  }
  for (const tab of [first, second]) {
    await press(tab, "Open secret");
    expect(await readText(tab)).toBe("text");
  }
  expect(await ann.must(["status", link])).toContain("(1 of 2 times)");
  await press(second, "Done, erase now");
  const dialog = second.getByRole("dialog");
  const erasing = second.waitForResponse((answer) => answer.url().endsWith("/acknowledgement"));
  await dialog.getByRole("button", { name: "Erase" }).click();
  expect((await erasing).status()).toBe(204);
});

test("closing the page asks only while the secret was not copied or saved", async () => {
  await using place = await openPlace();
  const ann = await place.member("ann");
  const { page } = await openLink(await ann.must(["send"], { stdin: "text" }));
  await readText(page);
  const questions: string[] = [];
  page.on("dialog", (dialog) => {
    questions.push(dialog.type());
    void dialog.accept();
  });
  await page.reload();
  expect(questions).toEqual(["beforeunload"]);
  await press(page, "Copy");
  await page.getByRole("button", { name: "Copied" }).waitFor();
  await page.reload();
  expect(questions).toEqual(["beforeunload"]);
});

test("a link without its key, or with %23 in it, is reported, and the whole one can be pasted there", async () => {
  await using place = await openPlace();
  const ann = await place.member("ann");
  const link = await ann.must(["send"], { stdin: "text" });
  const faults = [
    [link.replace(/#.*/, ""), "The key is missing from this link"],
    [link.replace("#", "%23"), "This link was changed on the way"],
    [link.slice(0, -6), "This link is incomplete"],
    [`${link}AAA`, "This link has extra characters"],
  ] as const;
  for (const [faulty, title] of faults) {
    const visit = await browser.open();
    const { page } = visit;
    await page.goto(faulty);
    await seeTitle(page, title);
    expect(page.url()).not.toMatch(/#|%23/);
    expect(await violationsOf(visit)).toEqual([]);
    const field = page.getByLabel("Paste the whole link here");
    for (const [wrong, said] of [
      [" ", "Paste the link first."],
      ["hello", "This isn't a link from handoff."],
      [link.replace(/#.*/, ""), "The part from # on is missing."],
    ] as const) {
      await field.fill(wrong);
      await press(page, "Open");
      await page.getByRole("alert").filter({ hasText: said }).waitFor();
      await field.fill("");
      await page.getByText(said).waitFor({ state: "detached" });
    }
    await field.fill(`Here it is: <${link}>.`);
    await press(page, "Open");
    await seeTitle(page, "Someone sent you a secret");
    await visit.context.close();
  }
  const { page } = await browser.open();
  for (const end of [".", ")", " and thanks"]) {
    await page.goto("about:blank");
    await page.goto(link + end);
    await seeTitle(page, "Someone sent you a secret");
  }
});

test("a link of another kind than the page is for is named, and can still be opened", async () => {
  await using place = await openPlace();
  const ann = await place.member("ann", ["secrets:create", "requests:create"]);
  const secret = await ann.must(["send"], { stdin: "text" });
  const request = await ann.must(["request"]);
  for (const [address, pasted, said, title] of [
    [secret, request, "This is a request link: with it, a secret is handed in.", "You've been asked for a secret"],
    [request, secret, "This link opens a secret.", "Someone sent you a secret"],
  ] as const) {
    const { page, context } = await browser.open();
    await page.goto(address.replace(/#.*/, ""));
    await page.getByLabel("Paste the whole link here").fill(pasted);
    await press(page, "Open");
    await page.getByRole("status").filter({ hasText: said }).getByRole("link", { name: "Open" }).click();
    await seeTitle(page, title);
    await context.close();
  }
  const { page } = await browser.open();
  // The start page takes a link of any kind.
  await page.goto(place.server.url);
  await page.getByRole("textbox").fill(request);
  await press(page, "Open");
  await seeTitle(page, "You've been asked for a secret");
});

test("a passphrase with spaces around it is tried with them, and then without", async () => {
  await using place = await openPlace();
  const open = async (told: string, typed: string) => {
    const { page } = await browser.open();
    await page.goto(await sendLocked(place, { kind: "text", text: "text" }, told));
    const field = page.getByLabel("Passphrase", { exact: true });
    await field.fill(typed);
    await page.getByText("It starts or ends with a space.").waitFor();
    for (const [name, value] of [
      ["autocorrect", "off"],
      ["autocapitalize", "none"],
      ["autocomplete", "off"],
      ["spellcheck", "false"],
      ["data-1p-ignore", "true"],
    ] as const) {
      expect([name, await field.getAttribute(name)]).toEqual([name, value]);
    }
    await press(page, "Open secret");
    expect(await readText(page)).toBe("text");
  };
  await open("right", " right ");
  await open(" right ", " right ");
});

test("an empty passphrase gets a complaint at its field, and nothing is opened", async () => {
  await using place = await openPlace();
  const ann = await place.member("ann");
  const { page } = await browser.open();
  const link = await sendLocked(place, { kind: "text", text: "text" }, "right");
  await page.goto(link);
  await press(page, "Open secret");
  await complaint(page, "Enter the passphrase first.");
  expect(await ann.must(["status", link])).toStartWith("waiting");
  await page.getByLabel("Passphrase", { exact: true }).fill("right");
  await press(page, "Open secret");
  expect(await readText(page)).toBe("text");
});

test("after a wrong passphrase and a reload, the sender and the remaining claims are still shown", async () => {
  await using place = await openPlace();
  const { context } = await openSignedIn(browser, place, "ann");
  const client = await clientOf(context, place.server.url);
  const content = { kind: "text", text: "text" } as const;
  const { link } = await sendSecret(client, { content, passphrase: "right", maxClaims: 3, ttlSeconds: undefined });
  const { page } = await browser.open();
  await page.goto(link);
  const here = page.getByText("The secret is here, still locked by its passphrase. Keep this tab open");
  await page.getByLabel("Passphrase", { exact: true }).fill("wrong");
  await press(page, "Open secret");
  await complaint(page, "passphrase doesn't work");
  await here.waitFor();
  await page.reload();
  await seeTitle(page, "Enter the passphrase");
  await here.waitFor();
  await page.getByText("according to this server").waitFor();
  await page.getByLabel("Passphrase", { exact: true }).fill("right");
  await press(page, "Open secret");
  await page.getByText("From ann").waitFor();
  await page.getByText("The link can be opened 2 more times.").waitFor();

  // Erasing it here ends no other claim, not even one of the same person.
  await press(page, "Done, erase now");
  const dialog = page.getByRole("dialog");
  await dialog.getByText("The link can be opened 2 more times.").waitFor();
  await dialog.getByRole("button", { name: "Erase" }).click();
  await seeTitle(page, "Erased here");
  await page.reload();
  await seeTitle(page, "You opened this secret");
  await page.getByText("the link could be opened 2 more times. Open it from the message again.").waitFor();
});

test("while the right passphrase opens a secret, the page doesn't ask for one", async () => {
  await using place = await openPlace();
  const ann = await place.member("ann");
  await Bun.write(join(ann.home, "pass"), "right");
  const { page } = await browser.open();
  await page.goto(await ann.must(["send", "--passphrase-file", "pass"], { stdin: "text" }));
  await page.getByLabel("Passphrase", { exact: true }).fill("right");
  await page.evaluate(`{
    seen = [document.querySelector("main").innerText];
    new MutationObserver(() => seen.push(document.querySelector("main").innerText))
      .observe(document.body, { childList: true, subtree: true, characterData: true });
  }`);
  await press(page, "Open secret");
  await seeTitle(page, /^Secret$/);
  const seen = await page.evaluate<readonly string[]>("seen");
  expect(seen.some((each) => each.includes("Opening…"))).toBe(true);
  expect(seen.filter((each) => /Enter the passphrase|still locked/.test(each))).toEqual([]);
});

test("twelve files are listed at once by the numbers in their names, and of more the first ten", async () => {
  await using place = await openPlace();
  const ann = await place.member("ann");
  const numbers = (count: number) => Array.from({ length: count }, (_, at) => at + 1);
  const sendNumbered = (count: number) =>
    sendFiles(ann, Object.fromEntries(numbers(count).map((number) => [`a${number}.txt`, "text"])));
  const { page } = await openLink(await sendNumbered(12));
  const names = page.locator("main .file-name");
  await seeTitle(page, "12 files");
  expect(await names.allTextContents()).toEqual(numbers(12).map((number) => `a${number}.txt`));
  expect(await page.getByRole("button", { name: /^Show \d+ more$/ }).count()).toBe(0);
  const { page: other } = await openLink(await sendNumbered(13));
  await seeTitle(other, "13 files");
  expect(await other.locator("main .file-name").count()).toBe(10);
  await press(other, "Show 3 more");
  expect(await other.locator("main .file-name").last().textContent()).toBe("a13.txt");
});

test("an answer from a proxy is not blamed on the link, and the outcome is said once", async () => {
  await using place = await openPlace();
  const ann = await place.member("ann");
  const { page } = await browser.open();
  const portal = { status: 200, contentType: "text/html", body: "<h1>Sign in to the hotel</h1>" };
  const link = await ann.must(["send"], { stdin: "text" });
  await page.route("**/api/**", (route) => route.fulfill(portal));
  await page.goto(link);
  await seeTitle(page, "The server itself didn't answer");
  await page.getByText("You haven't opened the secret yet.").waitFor();
  await page.unroute("**/api/**");
  await press(page, "Try again");
  await page.route("**/claim", (route) => route.fulfill(portal));
  await press(page, "Open secret");
  await complaint(page, "Something between here and the server answered in its place.");
  expect((await text(page)).match(/may have handed out/g)).toHaveLength(1);
  await page.unroute("**/claim");
  await press(page, "Open secret");
  expect(await readText(page)).toBe("text");
});

test("an unavailable or busy server is reported as such, with whether the secret was opened", async () => {
  await using place: Place = await openPlace();
  const ann = await place.member("ann");
  const { page } = await browser.open();
  const passTimeUntil = await installClock(page);
  const link = await ann.must(["send"], { stdin: "text" });
  const screens = [
    [500, "That didn't work"],
    [503, "The server is unavailable"],
    [undefined, "Can't reach the server"],
  ] as const;
  for (const [status, title] of screens) {
    await page.route("**/api/**", (route) => {
      if (status === undefined) return route.abort();
      const code = status === 503 ? "storage_unavailable" : "internal";
      const problem = { type: "about:blank", title: "x", status, code, request_id: "x" };
      return route.fulfill({ status, contentType: "application/problem+json", json: problem });
    });
    await page.goto("about:blank");
    await page.goto(link);
    await passTimeUntil(page.getByRole("heading", { level: 1 }));
    await seeTitle(page, title);
    await page.getByText("You haven't opened the secret yet.").waitFor();
    await page.unroute("**/api/**");
    await press(page, "Try again");
    await seeTitle(page, "Someone sent you a secret");
  }
});

test("the expiry on an open page stays correct, and the page ends by itself", async () => {
  await using place = await openPlace();
  const link = await (await place.member("ann")).must(["send"], { stdin: "text" });
  const { page } = await browser.open();
  await page.clock.install();
  await page.goto(link);
  await page.getByText(/^Until \w{3} \d+ \w{3}/).waitFor();
  await page.clock.fastForward(6 * DAY_MS);
  await page.getByText("Until tomorrow").waitFor();
  await page.route(/\/api\/v1\/secrets\/\w+$/, async (route) => {
    const answer = await route.fetch();
    const secret = await answer.json();
    await route.fulfill({ response: answer, json: { ...secret, state: "expired", ended_at: secret.expires_at } });
  });
  await page.clock.fastForward(DAY_MS + HOUR_MS);
  await seeTitle(page, "This secret has expired");
});

test("a busy button is readable, even under the pointer that has pressed it", async () => {
  await using place = await openPlace();
  const visit = await browser.open();
  await visit.page.goto(await (await place.member("ann")).must(["send"], { stdin: "text" }));
  await visit.page.route(/\/claim$/, () => undefined);
  await press(visit.page, "Open secret");
  const button = visit.page.getByRole("button", { name: /Opening/ });
  await button.hover();
  expect(await button.getAttribute("aria-disabled")).toBe("true");
  const seen = () =>
    button.evaluate<string, object>(
      "async (each) => (await Promise.all(each.getAnimations().map((one) => one.finished)), getComputedStyle(each).backgroundColor)",
      {},
    );
  const under = await seen();
  await visit.page.mouse.move(0, 0);
  expect(under).toBe(await seen());
  expect(await violationsOf(visit)).toEqual([]);
});
