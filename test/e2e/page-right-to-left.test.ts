import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { findViolationsInThemes } from "../support/accessibility.ts";
import { beginLogin } from "../support/browser-logins.ts";
import { PAGE_TEST_MS, startBrowser } from "../support/browsers.ts";
import type { TestPage } from "../support/browsers.ts";
import { loadStrings } from "../support/languages.ts";
import { seeTitle } from "../support/page-visits.ts";
import { openNamedPlace, shareServer } from "../support/people.ts";
import type { Place } from "../support/people.ts";
import { addAuthenticator } from "../support/virtual-authenticators.ts";

setDefaultTimeout(2 * PAGE_TEST_MS);
const browser = await startBrowser();
afterAll(() => browser[Symbol.asyncDispose]());
const openPlace = shareServer();

const words = await loadStrings("ar");
const { account, activity, asked, collect, login, menu, open, opened, send, sent, submit, titles } = words;

/** A browser of somebody who reads Arabic, in the narrowest window that the page is made for. */
const openArabic = () => browser.open({ locale: "ar", viewport: { width: 320, height: 700 } });

/** Presses the button of this name, and of no longer one. */
const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

/** The visible elements that reach beyond either side of the window, except those that scroll by themselves. */
const findOverflow = (page: Page): Promise<string[]> =>
  page.evaluate(`[...document.querySelectorAll("body *")]
    .filter((each) => each.getClientRects().length > 0 && !each.closest(".unseen, pre, .filter"))
    .map((each) => [each.tagName + "." + each.className, each.getBoundingClientRect()])
    .filter(([, { left, right }]) => left < -1 || right > document.documentElement.clientWidth + 1)
    .map(([name]) => name)`);

/** Checks the screen of this title: its direction, its width, and everything that axe looks at. */
async function check({ page, complaints }: TestPage, title: string): Promise<void> {
  await seeTitle(page, title);
  const seen = {
    title,
    root: await page.evaluate<string>(`document.documentElement.lang + " " + document.documentElement.dir`),
    direction: await directionOf(page.locator("h1")),
    overflow: await findOverflow(page),
    violations: await findViolationsInThemes(page),
    complaints,
  };
  const wanted = { root: "ar rtl", direction: "rtl", overflow: [], violations: [], complaints: [] };
  expect(seen).toEqual({ title, ...wanted });
}

/** The value of an expression about `element`, in the page. */
const valueOf = <T>(element: Locator, expression: string): Promise<T> =>
  // oxlint-disable-next-line typescript/no-implied-eval -- it runs in the page, whose globals have no types here
  element.evaluate(new Function("element", `return ${expression}`) as (element: unknown) => T);

/** True when an element is written from left to right, and its first six characters stand beside each other so. */
const readsFromLeft = (element: Locator): Promise<boolean> =>
  valueOf(
    element,
    `getComputedStyle(element).direction === "ltr" && [0, 1, 2, 3, 4, 5]
      .map((at) => {
        const range = document.createRange();
        const text = document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode();
        range.setStart(text, at);
        range.setEnd(text, at + 1);
        return range.getBoundingClientRect();
      })
      .every(({ left, top }, at, boxes) => at === 0 || (left > boxes[at - 1].left && top === boxes[0].top))`,
  );

/** The right end of the text of an element. */
const rightOf = (element: Locator): Promise<number> =>
  valueOf(
    element,
    `((range) => (range.selectNodeContents(element), range.getBoundingClientRect().right))(document.createRange())`,
  );

/** How an element is turned, in CSS's form; "none" when it isn't. */
const turnOf = (element: Locator) => valueOf<string>(element, "getComputedStyle(element).transform");

/** The direction in which the text of an element runs. */
const directionOf = (element: Locator) => valueOf<string>(element, "getComputedStyle(element).direction");

const MIRRORED = "matrix(-1, 0, 0, 1, 0, 0)";
/** A chevron that points to the right. */
const TO_THE_RIGHT = "matrix(0, -1, 1, 0, 0, 0)";

/** Lets Ann, who reads Arabic, sign in. */
async function signIn(place: Place): Promise<TestPage> {
  const visit = await openArabic();
  visit.page.on("dialog", (dialog) => void dialog.accept());
  const ann = ["ann@example.com", "--team", place.team, "--base-url", place.server.url];
  await visit.page.goto(await place.admin("person", "add", ...ann));
  await check(visit, words.signIn.title);
  await press(visit.page, words.signIn.button);
  await check(visit, titles.send);
  return visit;
}

test("a secret is sent and opened from right to left", async () => {
  await using place = await openPlace();
  const ann = await signIn(place);
  const { page } = ann;
  // The brand stands on the right and the account on the left, whose arrow leaves to the left.
  const bar = page.getByRole("banner");
  const [brand, face] = [await bar.locator(".brand").boundingBox(), await bar.locator("summary").boundingBox()];
  expect(brand && face && brand.x > face.x).toBe(true);
  await bar.locator("summary").click();
  expect(await turnOf(bar.getByRole("button", { name: menu.signOut }).locator("svg"))).toBe(MIRRORED);
  await page.keyboard.press("Escape");
  const secret = page.getByLabel(words.content.label, { exact: true });
  expect(await directionOf(secret)).toBe("rtl");
  await secret.fill("URL: https://cloud.example.com\nUser: mia@example.com\nPassword: fake-local-test-only");
  expect(await directionOf(secret)).toBe("ltr");
  await page.locator("form details summary").click();
  await press(page, send.suggest);
  const suggested = page.getByLabel(send.passphrase, { exact: true });
  await page.getByText(send.strength(55)).waitFor();
  expect(await directionOf(suggested)).toBe("ltr");
  const passphrase = await suggested.inputValue();
  await check(ann, titles.send);
  await press(page, send.button);

  await check(ann, sent.title);
  const link = page.getByLabel(sent.link, { exact: true });
  expect(await readsFromLeft(link)).toBe(true);
  const address = (await link.textContent()) ?? "";

  const recipient = await openArabic();
  await recipient.page.goto(address);
  await check(recipient, open.titleBy("ann@example.com"));
  expect(await recipient.page.locator("h1").textContent()).toContain("\u2068ann@example.com\u2069");
  await recipient.page.getByLabel(words.passphrase.label, { exact: true }).fill(passphrase);
  await press(recipient.page, open.button);
  await check(recipient, opened.text);
  const values = recipient.page.locator("bdi.pair-value");
  expect(await values.count()).toBe(2);
  for (const value of await values.all()) expect(await readsFromLeft(value)).toBe(true);
  // They stand on the right, below their names.
  const ends = [await rightOf(recipient.page.locator(".pair-name").first()), await rightOf(values.first())];
  expect(Math.abs((ends[0] ?? 0) - (ends[1] ?? Infinity))).toBeLessThan(2);
  await recipient.context.close();
});

test("a secret is asked for, handed in and collected from right to left", async () => {
  await using place = await openPlace();
  const ann = await signIn(place);
  const { page } = ann;
  await page.goto(`${place.server.url}/ask`);
  await check(ann, titles.ask);
  const note = page.getByLabel(words.ask.note, { exact: true });
  expect(await directionOf(note)).toBe("rtl");
  await note.fill("كلمة مرور الشبكة");
  await page.getByText(words.ask.form.templates.login, { exact: true }).click();
  await check(ann, titles.ask);
  await press(page, words.ask.button);
  await check(ann, asked.title);
  await page.goto(`${place.server.url}/activity`);
  await check(ann, menu.activity);
  // The lines of a form begin on the right.
  expect(await turnOf(page.locator("main a.row > svg").first())).toBe(MIRRORED);
  await page.goto(`${place.server.url}/ask`);
  await check(ann, titles.ask);
  await page.getByLabel(words.ask.note, { exact: true }).fill("كلمة مرور الشبكة");
  await page.getByText(words.ask.form.templates.login, { exact: true }).click();
  await press(page, words.ask.button);
  await check(ann, asked.title);
  const requestLink = page.getByLabel(asked.link, { exact: true });
  expect(await readsFromLeft(requestLink)).toBe(true);
  const request = (await requestLink.textContent()) ?? "";
  await page.getByText(asked.backup.title).click();
  await press(page, asked.backup.show);
  await press(page, asked.backup.showNow);
  const backup = page.getByLabel(asked.backup.link, { exact: true });
  expect(await readsFromLeft(backup)).toBe(true);
  await check(ann, asked.title);
  await press(page, asked.backup.save);

  // Handing in.
  const giver = await openArabic();
  await giver.page.goto(request);
  await check(giver, submit.titleBy("ann@example.com"));
  const { user, password } = words.ask.form.names;
  const field = giver.page.getByLabel(password, { exact: true });
  expect(await directionOf(field)).toBe("rtl");
  await giver.page.getByLabel(user, { exact: true }).fill("mia@example.com");
  await field.fill("fake-local-test-only");
  await press(giver.page, submit.showField(password));
  expect(await directionOf(field)).toBe("ltr");
  // The button beside it covers no text.
  const room = await valueOf<string>(field, "getComputedStyle(element).paddingLeft");
  const button = await giver.page.locator(".inside button").boundingBox();
  expect(Number.parseFloat(room)).toBeGreaterThan(button?.width ?? Infinity);
  await check(giver, submit.titleBy("ann@example.com"));
  await press(giver.page, submit.button);
  await check(giver, submit.done.title);
  expect(await readsFromLeft(giver.page.locator("main bdi.mono"))).toBe(true);
  await giver.context.close();

  // Collecting. The way back points to the right.
  await page.goto(`${place.server.url}/activity`);
  await check(ann, menu.activity);
  await page.getByRole("link", { name: activity.collectThis("كلمة مرور الشبكة") }).click();
  await check(ann, "كلمة مرور الشبكة");
  expect(await turnOf(page.locator("main .up svg"))).toBe(TO_THE_RIGHT);
  await page
    .getByRole("button", {
      name: collect.actionOn(collect.open, collect.secret(1), "").replace(/[\u2066-\u2069\s]+$/, ""),
    })
    .click();
  await check(ann, opened.text);
  expect(await readsFromLeft(page.locator("bdi.pair-value"))).toBe(true);

  await page.goto(`${place.server.url}/activity`);
  await check(ann, menu.activity);
  // What is typed from left to right begins on the left, and the icon on the right covers none of it.
  const search = page.getByRole("searchbox");
  expect(await directionOf(search)).toBe("rtl");
  await search.fill("vpn");
  expect(await directionOf(search)).toBe("ltr");
  expect(Number.parseFloat(await valueOf<string>(search, "getComputedStyle(element).paddingRight"))).toBe(44);
  await search.fill("");
  await page.locator("main a.row").first().click();
  const id = page.locator("main dd bdi.mono");
  await id.waitFor();
  expect(await readsFromLeft(id)).toBe(true);
  expect(await findOverflow(page)).toEqual([]);
  expect(await findViolationsInThemes(page)).toEqual([]);
});

test("a terminal is let in from right to left, by a code that reads from left to right", async () => {
  await using place = await openPlace();
  const { command, code, address } = await beginLogin(place);
  const stranger = await openArabic();
  await stranger.page.goto(`${address}#${code}`);
  await check(stranger, login.signIn.title);
  await stranger.context.close();
  const ann = await signIn(place);
  const { page } = ann;
  await page.goto(address);
  await check(ann, login.title);
  const field = page.getByLabel(login.code, { exact: true });
  expect(await directionOf(field)).toBe("ltr");
  await field.fill(code);
  await press(page, login.goOn);
  await check(ann, login.terminal.title);
  expect(await readsFromLeft(page.locator("main dd bdi").nth(1))).toBe(true);
  await press(page, login.terminal.allow);
  await check(ann, login.allowed.title);
  expect(await command.exited).toBe(0);
});

test("somebody adds a passkey, and sees their account, from right to left", async () => {
  await using place = await openNamedPlace();
  const ann = await signIn(place);
  const { page } = ann;
  await page.getByText(account.passkeys.offer).waitFor();
  await check(ann, titles.send);
  await addAuthenticator(page);
  await press(page, account.passkeys.add);
  await page.getByText(account.passkeys.isAdded).waitFor();
  await page.goto(`${place.server.url}/account`);
  await check(ann, menu.account);
  // The button stands on the left of what it removes.
  const name = await page.locator(".things b").first().boundingBox();
  const remove = await page.getByRole("button", { name: new RegExp(`^${account.passkeys.remove}`) }).boundingBox();
  expect(name && remove && remove.x < name.x + name.width).toBe(true);
  await page.goto(`${place.server.url}/about`);
  await check(ann, words.landing.title);
});
