import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { submit } from "../../src/client/package/handoff-client.ts";
import { PAGE_TEST_MS, startBrowser } from "../support/browsers.ts";
import { openAs, press, seeScreen, seeTitle } from "../support/page-visits.ts";
import { shareServer } from "../support/people.ts";

const browser = await startBrowser();
afterAll(() => browser[Symbol.asyncDispose]());
const openPlace = shareServer();
const SCOPES = ["secrets:create", "requests:create", "requests:read", "secrets:claim"];

test(
  "a form asks for names and values: each has its field, and collected they are shown, copied and named",
  async () => {
    await using place = await openPlace();
    const asking = await openAs(browser, place, "ann");
    const { page } = asking;
    await page.goto(`${place.server.url}/ask`);
    await page.getByText("User and password").click();
    await press(page, "Add a field");
    await press(page, "Create request link");
    await page.getByRole("alert").filter({ hasText: "Name this field, or remove it." }).waitFor();
    await page.getByLabel("Name of field 3").fill("user");
    await press(page, "Create request link");
    await page.getByRole("alert").filter({ hasText: "Another field has this name already." }).waitFor();
    await page.getByLabel("Name of field 3").fill("P\u0410SSWORD");
    await press(page, "Create request link");
    await page.getByRole("alert").filter({ hasText: "A word mixes letters of two alphabets." }).waitFor();
    await page.getByLabel("Name of field 3").fill("Notes");
    await page.getByLabel("Kind of field 3").selectOption({ label: "Several lines" });
    await press(page, "Create request link");
    await seeScreen(asking, "Your request link is ready");
    const link = (await page.getByLabel("The request link").textContent()) ?? "";

    const visit = await browser.open({ viewport: { width: 390, height: 800 }, isMobile: true, hasTouch: true });
    await visit.page.goto(link);
    await seeScreen(visit, "ann asks for a secret");
    await visit.page.getByLabel("User", { exact: true }).fill("app");
    await press(visit.page, "Hand in");
    await visit.page.getByRole("alert").filter({ hasText: "Fill this in." }).first().waitFor();
    expect(await visit.page.getByLabel("Password", { exact: true }).getAttribute("type")).toBe("password");
    await visit.page.getByLabel("Password", { exact: true }).fill("hunter2 for ann");
    await visit.page.getByLabel("Notes", { exact: true }).fill("first line\nsecond line");
    await press(visit.page, "Hand in");
    await seeScreen(visit, "Handed in");

    await page.getByRole("main").getByRole("link", { name: "Collect" }).first().click();
    await press(page, /^Open: Secret 1/);
    await seeScreen(asking, /^Secret$/);
    await page.getByText("3 fields").waitFor();
    const main = page.getByRole("main");
    expect(await main.innerText()).toContain("app");
    expect(await main.innerText()).not.toMatch(/hunter2|second line/);
    await press(page, "Show Password");
    await main.getByText("hunter2 for ann").waitFor();
    await press(page, "Show Notes");
    expect(await main.innerText()).toContain("first line\nsecond line");
    expect(place.server.stderr()).not.toMatch(/hunter2|Notes|second line/);
  },
  PAGE_TEST_MS,
);

test(
  "a form of the command line is handed in on the page, and its field is taken there",
  async () => {
    await using place = await openPlace();
    const ann = await place.member("ann", SCOPES);
    const link = await ann.must(["request", "--note", "the router", "--field", "USER", "--field", "PASSWORD"]);
    const visit = await browser.open();
    await visit.page.goto(link);
    await seeTitle(visit.page, "You've been asked for a secret");
    await visit.page.getByText("the router").waitFor();
    await visit.page.getByLabel("USER", { exact: true }).fill("admin");
    await visit.page.getByLabel("PASSWORD", { exact: true }).fill("pa:ss=word");
    await press(visit.page, "Hand in");
    await seeTitle(visit.page, "Handed in");
    const id = /req_\w+/.exec(link)?.[0] ?? "";
    expect(await ann.must(["collect", id, "--field", "PASSWORD"])).toBe("pa:ss=word");
  },
  PAGE_TEST_MS,
);

test(
  "what isn't as it was asked for is said above it, and a character that nobody sees has a mark that isn't copied",
  async () => {
    await using place = await openPlace();
    const asking = await openAs(browser, place, "ann");
    const { page } = asking;
    await asking.context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.goto(`${place.server.url}/ask`);
    await page.getByText("User and password").click();
    await page.getByText("Accepts 1 secret · 7 days").click();
    await page.getByRole("group", { name: "Secrets to hand in" }).getByText("3", { exact: true }).click();
    await press(page, "Create request link");
    await seeTitle(page, "Your request link is ready");
    const link = (await page.getByLabel("The request link").textContent()) ?? "";
    const user = "a\u202eb\u200bc";
    await submit(link, `handoff fields 1\nUser: ${user}\nPassword:\n  one\n  two\nHost: x\n`);
    await submit(link, "bare password");
    await submit(link, "handoff fields 1\nUser: me\nPassword: hunter2\n");

    const main = page.getByRole("main");
    await page.goto(`${place.server.url}/c/${/req_\w+/.exec(link)?.[0] ?? ""}`);
    const open = async (position: number) => {
      await press(page, new RegExp(`^Open: Secret ${position}`));
      await seeTitle(page, /^Secret$/);
    };
    await open(1);
    await page
      .getByText("This isn't exactly what you asked for: “Password” has several lines, “Host” wasn't asked for.")
      .waitFor();
    expect(await page.locator(".unprinted").allTextContents()).toEqual(["\u202e", "\u200b"]);
    const mark = `getComputedStyle(document.querySelector(".unprinted"), "::before").content`;
    expect(await page.evaluate<string>(mark)).toBe('"\ufffd"');
    const value = page.getByRole("listitem").filter({ hasText: "User" }).locator("bdi");
    await value.selectText();
    expect(await page.evaluate<string>("String(getSelection())")).toBe(user);
    await press(page, "Copy User");
    await page.getByRole("button", { name: "Copied User" }).waitFor();
    expect(await page.evaluate<string>("navigator.clipboard.readText()")).toBe(user);
    await press(page, "Copy all");
    await press(page, "Back to the request");
    await open(2);
    await page.getByText("You asked for fields, and something else was handed in.").waitFor();
    await press(page, "Copy");
    await press(page, "Back to the request");
    await open(3);
    await page.getByText("2 fields").waitFor();
    expect(await main.innerText()).not.toMatch(/asked for/);
  },
  PAGE_TEST_MS,
);

test(
  "the page says when a browser has made one line of several that were pasted",
  async () => {
    await using place = await openPlace();
    const ann = await place.member("ann", SCOPES);
    const link = await ann.must(["request", "--template", "login", "--field", "Notes:multiline"]);
    const { page } = await browser.open();
    await page.goto(link);
    await seeTitle(page, "You've been asked for a secret");
    const [notes, password] = [page.getByLabel("Notes"), page.getByLabel("password", { exact: true })];
    const joined = page.getByRole("alert").filter({ hasText: "You pasted several lines, and they became one." });
    const paste = async (text: string) => {
      await notes.fill(text);
      await notes.press("ControlOrMeta+a");
      await notes.press("ControlOrMeta+c");
      await password.fill("");
      await password.press("ControlOrMeta+v");
    };
    await paste("first\nsecond");
    await joined.waitFor();
    expect(await password.inputValue()).toMatch(/^first ?second$/);
    await password.press("End");
    await password.pressSequentially("x");
    await joined.waitFor({ state: "detached" });
    await paste("only one\n");
    expect(await password.inputValue()).toBe("only one");
    expect(await joined.count()).toBe(0);
    await notes.press("ControlOrMeta+v");
    expect(await joined.count()).toBe(0);
  },
  PAGE_TEST_MS,
);

test(
  "where the key is missing, the file that it was saved in opens the request",
  async () => {
    await using place = await openPlace();
    const { page } = await openAs(browser, place, "ann");
    await page.goto(`${place.server.url}/ask`);
    await press(page, "Create request link");
    await seeTitle(page, "Your request link is ready");
    const link = (await page.getByLabel("The request link").textContent()) ?? "";
    const id = /req_\w+/.exec(link)?.[0] ?? "";
    await page.getByText("Save a backup key").click();
    const [download] = await Promise.all([page.waitForEvent("download"), press(page, "Save key file")]);
    const file = join(place.folder, "backup.txt");
    await download.saveAs(file);
    await place.person("bob").must(["submit", link], { stdin: "hunter2 for ann" });

    const other = await openAs(browser, place, "ann");
    await other.page.goto(`${place.server.url}/c/${id}`);
    await seeScreen(other, "The key isn't in this browser");
    const choose = (buffer: Buffer) =>
      other.page.locator("input[type=file]").setInputFiles({ name: "key.txt", mimeType: "text/plain", buffer });
    await choose(Buffer.from("nothing"));
    await other.page
      .getByRole("alert")
      .filter({ hasText: /^There's no key in this file\./ })
      .waitFor();
    await choose(Buffer.from(`Here it is: ${link}`));
    await other.page
      .getByRole("alert")
      .filter({ hasText: /^This is a request link: .* There's no key in this file\. Choose the backup/ })
      .waitFor();
    const otherId = id.replace(/.$/, (last) => (last === "0" ? "4" : "0"));
    await choose(Buffer.from((await Bun.file(file).text()).replaceAll(id, otherId)));
    await other.page.getByRole("alert").filter({ hasText: "This key belongs to another request." }).waitFor();
    await other.page.locator("input[type=file]").setInputFiles(file);
    await press(other.page, /^Open: Secret 1/);
    await seeTitle(other.page, /^Secret$/);
  },
  PAGE_TEST_MS,
);
