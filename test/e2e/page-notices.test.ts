import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { findViolationsInThemes } from "../support/accessibility.ts";
import { PAGE_TEST_MS, startBrowser } from "../support/browsers.ts";
import { openMailServer } from "../support/mail-servers.ts";
import { press, seeScreen, seeTitle, sendText, signInOn } from "../support/page-visits.ts";
import { openNamedPlace } from "../support/people.ts";

setDefaultTimeout(PAGE_TEST_MS);
const browser = await startBrowser();
afterAll(() => browser[Symbol.asyncDispose]());

const ANN = "ann@example.com";
const WHERE_SENT = "Mail me when something I send is opened";

test("a person asks where they send to be mailed when it is opened, is, and switches it off by the mail", async () => {
  await using mailServer = await openMailServer();
  const post = ["--smtp-url", `smtp://127.0.0.1:${mailServer.port}`, "--mail-from", "handoff@mail.test"];
  await using place = await openNamedPlace(post);
  const visit = await browser.open({ timezoneId: "Asia/Tokyo" });
  const { page, complaints } = visit;
  await signInOn(page, place, ANN);
  const link = await sendText(page, "fake-for-the-notice");
  const check = page.getByLabel(WHERE_SENT);
  expect(await check.isChecked()).toBe(false);
  const stored = page.waitForResponse(/\/app\/notices$/);
  await check.check();
  expect((await stored).status()).toBe(200);
  expect(await findViolationsInThemes(page)).toEqual([]);
  await seeTitle(page, "Your link is ready");

  const recipient = await browser.open();
  await recipient.page.goto(link);
  await press(recipient.page, "Open secret");
  const [received] = await mailServer.untilMails(1);
  const { text = "", subject } = received?.mail ?? {};
  expect(subject).toBe("What you sent was opened");
  expect(text).toContain("GMT+9");
  expect(text).toContain(`${place.server.url}/activity`);

  const offUrl = /https?:\S+\/mail-off\/\S+/.exec(text)?.[0] ?? "";
  await recipient.page.goto(offUrl);
  await recipient.page.getByRole("heading", { name: "Switch these mails off?" }).waitFor();
  expect(await findViolationsInThemes(recipient.page)).toEqual([]);
  await press(recipient.page, "Switch off");
  await recipient.page.getByRole("heading", { name: "These mails are off" }).waitFor();
  expect(await findViolationsInThemes(recipient.page)).toEqual([]);

  await page.goto(`${place.server.url}/account`);
  await seeTitle(page, "Your account");
  const mails = page.getByRole("region", { name: "Mails" });
  expect(await mails.getByText(`These mails go to ${ANN}.`).isVisible()).toBe(true);
  const boxes = mails.getByRole("checkbox");
  expect(await Promise.all((await boxes.all()).map((box) => box.isChecked()))).toEqual([false, false, false, false]);
  const wanted = mails.getByLabel("When someone waits for your approval");
  await wanted.check();
  await mails.getByText("Saved.").waitFor();
  await seeScreen(visit, "Your account");
  await page.reload();
  await wanted.waitFor();
  expect(await Promise.all((await boxes.all()).map((box) => box.isChecked()))).toEqual([false, false, false, true]);
  expect([...complaints, ...recipient.complaints]).toEqual([]);
});

test("where no mails are sent, neither the page of the account nor a sent link speaks of them", async () => {
  await using place = await openNamedPlace();
  const { page } = await browser.open();
  await signInOn(page, place, ANN);
  const asked: string[] = [];
  page.on("request", (request) => void asked.push(request.url()));
  await sendText(page, "fake-without-notices");
  await page.getByText("Nobody has opened it yet").waitFor();
  expect(await page.getByLabel(WHERE_SENT).count()).toBe(0);
  await page.goto(`${place.server.url}/account`);
  await seeTitle(page, "Your account");
  expect(await page.getByRole("region", { name: "Mails" }).count()).toBe(0);
  expect(asked.filter((url) => url.includes("/notices"))).toEqual([]);
});
