import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { PAGE_TEST_MS, startBrowser } from "../support/browsers.ts";
import { ask, complaint, openAs, openSignedIn, press, seeScreen, seeTitle, untilTrue } from "../support/page-visits.ts";
import { shareServer } from "../support/people.ts";

setDefaultTimeout(PAGE_TEST_MS);
const browser = await startBrowser();
afterAll(() => browser[Symbol.asyncDispose]());
const openPlace = shareServer();

test("an invalid number gets a complaint at its field with the valid range, and nothing is sent", async () => {
  await using place = await openPlace();
  const bob = await place.member("bob");
  const { page } = await openAs(browser, place, "ann");
  await page.getByText("Opens once · 7 days · no passphrase").click();
  const times = page.getByRole("group", { name: "Times it can be opened" });
  await times.getByText("Other…").click();
  const field = times.getByRole("spinbutton");
  await page.getByLabel("Secret", { exact: true }).fill("text");
  for (const wrong of ["0", "101", "1.5", "-1", ""]) {
    await field.fill(wrong);
    await press(page, "Create link");
    await complaint(page, "Enter a whole number from 1 to 100.");
    expect(await field.getAttribute("aria-invalid")).toBe("true");
    await untilTrue(page, "document.activeElement?.type === 'number'");
    // The typed text stays to be corrected, and the complaint disappears with it.
    expect(await field.inputValue()).toBe(wrong);
    await field.fill("2");
    await page.getByText("Enter a whole number").waitFor({ state: "detached" });
  }
  // Text that the field itself rejects as a number.
  await field.press("e");
  await press(page, "Create link");
  await complaint(page, "Enter a whole number from 1 to 100.");
  expect(await bob.must(["list", "--json"])).toBe("[]");
  await field.fill("2");
  // Even when the field is closed.
  await page.getByText("Opens 2 times · 7 days · no passphrase").click();
  await press(page, "Create link");
  await seeTitle(page, "Your link is ready");
  await page.getByText("Anyone with it can open the secret 2 times,").waitFor();

  await page.goto(`${place.server.url}/ask`);
  await seeTitle(page, "Ask for a secret");
  await page.getByText("Accepts 1 secret · 7 days").click();
  const count = page.getByRole("group", { name: "Secrets to hand in" });
  await count.getByText("Other…").click();
  await count.getByRole("spinbutton").fill("1000");
  await press(page, "Create request link");
  await complaint(page, "Enter a whole number from 1 to 100.");
});

test("typing another time or number starts from the chosen one, selected", async () => {
  await using place = await openPlace();
  const { page } = await openAs(browser, place, "ann");
  await page.getByText("Opens once · 7 days · no passphrase").click();
  const times = page.getByRole("group", { name: "Times it can be opened" });
  await times.getByText("3 times", { exact: true }).click();
  await times.getByText("Other…").click();
  await untilTrue(page, `getSelection().toString() === "3"`);
  await page.getByText("Opens 3 times · 7 days · no passphrase").waitFor();
  await page.keyboard.type("25");
  await page.getByText("Opens 25 times · 7 days · no passphrase").waitFor();
  const lifetime = page.getByRole("group", { name: "Expires in" });
  await lifetime.getByText("Other…").click();
  await untilTrue(page, `getSelection().toString() === "7"`);
  await page.keyboard.type("2");
  await page.getByText("Opens 25 times · 2 days · no passphrase").waitFor();
  // Arrow keys pass it on the way to other choices.
  await lifetime.getByRole("radio", { name: "30 days" }).focus();
  await page.keyboard.press("ArrowRight");
  await lifetime.getByRole("spinbutton").waitFor();
  await page.keyboard.press("ArrowLeft");
  await page.getByText("Opens 25 times · 30 days · no passphrase").waitFor();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Tab");
  await untilTrue(page, `getSelection().toString() === "30"`);
});

test("an empty text and more files than can be unpacked are refused at the field", async () => {
  await using place = await openPlace();
  const { page: asking } = await openSignedIn(browser, place, "ann");
  const { link } = await ask(asking, place, "\n\n");
  const { page } = await browser.open();
  await page.goto(link);
  // An empty note counts as none.
  await seeTitle(page, "ann asks for a secret");
  expect(await page.locator("blockquote").count()).toBe(0);
  for (const empty of ["", "\n", "\n\n\n"]) {
    await page.getByLabel("What you hand in").fill(empty);
    await press(page, "Hand in");
    await complaint(page, "Type something, or add a file.");
    await page.getByLabel("What you hand in").fill("x");
    await page.getByLabel("What you hand in").fill("");
  }
  // 10,000 can be unpacked, one more cannot.
  const choose = (count: number, first = 0) =>
    page.evaluate(
      `{ const files = new DataTransfer(); for (let at = ${first}; at < ${first + count}; at++) files.items.add(new File(["x"], "f" + at)); const input = document.querySelector("input[type=file]"); input.files = files.files; input.dispatchEvent(new Event("change", { bubbles: true })); }`,
    );
  await choose(10_001);
  await complaint(page, "That's more than 10,000 files");
  expect(await page.locator("main").getByRole("listitem").count()).toBe(0);
  await choose(2);
  await page.getByText("That's more than 10,000 files").waitFor({ state: "detached" });
  await choose(9999, 2);
  await complaint(page, "That's more than 10,000 files");
  expect(await page.locator("main").getByRole("listitem").count()).toBe(2);
  await press(page, "Hand in");
  await seeTitle(page, "Handed in");
});

test("a guessable passphrase gets a warning at its field, and does not block sending", async () => {
  await using place = await openPlace();
  const visit = await openAs(browser, place, "ann");
  const { page } = visit;
  await page.getByLabel("Secret", { exact: true }).fill("text");
  await page.getByText("Opens once · 7 days · no passphrase").click();
  const field = page.getByLabel("Passphrase (optional)");
  const notice = page.getByRole("status").filter({ hasText: "might guess a passphrase this short or simple" });
  for (const [typed, isSaid] of [
    ["a", true],
    ["", false],
    ["aaaaaaaaaaaaaaaaaaaa", true],
    ["correct horse battery", false],
    ["summer24", true],
  ] as const) {
    await field.fill(typed);
    await notice.waitFor({ state: isSaid ? "visible" : "detached" });
  }
  await seeScreen(visit, "Send a secret");
  await press(page, "Suggest one");
  await page.getByText("55 bits").waitFor();
  await notice.waitFor({ state: "detached" });
  await field.fill("a");
  await press(page, "Create link");
  await seeTitle(page, "Your link is ready");
});

test("an empty field for a secret has the border of a complaint until something is typed", async () => {
  await using place = await openPlace();
  const { page } = await openAs(browser, place, "ann");
  // With the focus in it, its outline covers the border.
  const border = () =>
    page.evaluate<string>(
      "(({ borderTopColor, outlineColor }) => `${borderTopColor}, ${outlineColor}`)(getComputedStyle(document.querySelector('.composer')))",
    );
  await page.getByLabel("Secret", { exact: true }).focus();
  const calm = await border();
  await press(page, "Create link");
  await complaint(page, "Type something, or add a file.");
  await untilTrue(page, "document.activeElement.localName === 'textarea'");
  const alarm = await page.evaluate<string>("getComputedStyle(document.querySelector('.wrong')).color");
  expect([await border(), calm.includes(alarm)]).toEqual([`${alarm}, ${alarm}`, false]);
  await page.getByLabel("Secret", { exact: true }).fill("text");
  expect(await border()).toBe(calm);
});

test("a suggested passphrase is readable whole on a phone, and stays on one line", async () => {
  await using place = await openPlace();
  const { page } = await openAs(browser, place, "ann");
  await page.setViewportSize({ width: 360, height: 740 });
  await page.getByLabel("Secret", { exact: true }).fill("text");
  await page.getByText("Opens once · 7 days · no passphrase").click();
  const field = page.getByLabel("Passphrase (optional)");
  await field.fill("-");
  await press(page, "Show passphrase");
  // Longer than any five words of the list.
  const long = "abstract-category-disagree-envelope-industry";
  await field.fill(`${long}\n`);
  expect(await field.inputValue()).toBe(long);
  const hidden =
    "(({ scrollWidth, clientWidth, scrollHeight, clientHeight }) => [scrollWidth - clientWidth, scrollHeight - clientHeight])";
  expect(await page.evaluate<number[]>(`${hidden}(document.activeElement)`)).toEqual([0, 0]);
  // Enter sends, as in a field of one line.
  await field.press("Enter");
  await seeTitle(page, "Your link is ready");
});
