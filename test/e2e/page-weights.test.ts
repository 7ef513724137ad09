import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import type { Page, Response } from "playwright-core";
import { PAGE_TEST_MS, startBrowser } from "../support/browsers.ts";
import { loadStrings, TAGS } from "../support/languages.ts";
import { manualText } from "../support/manual.ts";
import { press, seeTitle, sendText, signInOn } from "../support/page-visits.ts";
import { openNamedPlace, openPlace as openOwnPlace, shareServer } from "../support/people.ts";

setDefaultTimeout(PAGE_TEST_MS);
const browser = await startBrowser();
afterAll(() => browser[Symbol.asyncDispose]());
const openPlace = shareServer();

/** The most that a browser without a cache loads, in thousands of bytes. */
const MAX_KB = { opening: 60, start: 60, handingIn: 68, sending: 136 } as const;
/** The flags of a server that sends mail, whose page has more to load. None is sent. */
const POST = ["--smtp-url", "smtp://127.0.0.1:1", "--mail-from", "handoff@mail.test"];
/** The same, as the manual says it. */
const SENTENCE = `In each language a browser gets at most ${MAX_KB.opening} KB, compressed, to open a link, ${MAX_KB.start} KB to see the start page, ${MAX_KB.handingIn} KB to hand in, and ${MAX_KB.sending} KB to sign in and send.`;

/**
 * The bytes of all bodies that `page` and its worker load from now on, as transferred, with the icon of the page, which
 * a browser without a window doesn't load. A second load comes from the browser's cache.
 */
function weigh(page: Page): () => Promise<number> {
  const answers = new Map<string, Response>();
  page.on("response", (answer) => void answers.set(`${answer.request().method()} ${answer.url()}`, answer));
  return async () => {
    const bodies = await Promise.all([...answers.values()].map(bodyBytes));
    const icon = (await page.locator("link[rel=icon]").getAttribute("href")) ?? "";
    const headers = { "accept-encoding": "br" };
    const answer = await fetch(new URL(icon, page.url()), { headers, decompress: false });
    return bodies.reduce((sum, each) => sum + each, (await answer.bytes()).length);
  };
}

/**
 * The declared length of an answer, which is that of its compressed body. A stream declares none, and is no part of the
 * page.
 */
async function bodyBytes(answer: Response): Promise<number> {
  const { "content-length": length, "content-type": type } = await answer.allHeaders();
  if (type === "text/event-stream" || answer.status() === 204) return 0;
  if (length === undefined) throw new Error(`nothing says how long ${answer.url()} is`);
  return Number(length);
}

test("a stranger loads no more than the manual says to use a link or to see the start page, in each language", async () => {
  await using place = await openPlace();
  await using post = await openOwnPlace(POST);
  const ann = await place.member("ann", ["secrets:create", "requests:create"]);
  const request = await ann.must(["request", "--note", "The staging password", "--submissions", `${TAGS.length}`]);
  const tooHeavy: unknown[] = [];
  for (const tag of TAGS) {
    const { open, opened, submit, landing, mail } = await loadStrings(tag);
    const { page, context } = await browser.open({ locale: tag });
    // The length of an answer that comes from the cache is that with which it was kept.
    const weigher = async (work: () => Promise<unknown>) => {
      const weight = weigh(page);
      await work();
      return weight();
    };
    const secret = await ann.must(["send"], { stdin: "text" });
    const opening = await weigher(async () => {
      await page.goto(secret);
      await press(page, open.button);
      await page.getByRole("heading", { level: 1, name: opened.text, exact: true }).waitFor();
    });
    const handingIn = await weigher(async () => {
      await page.goto(request);
      await page.getByLabel(submit.label).fill("text");
      await press(page, submit.button);
      await seeTitle(page, submit.done.title);
    });
    const start = await weigher(async () => {
      await page.goto(post.server.url);
      await seeTitle(page, landing.title);
      await page.getByLabel(mail.address).waitFor();
    });
    await context.close();
    const weights = { opening, handingIn, start } as const;
    for (const use of ["opening", "handingIn", "start"] as const) {
      if (weights[use] > MAX_KB[use] * 1000) tooHeavy.push({ tag, use, bytes: weights[use] });
    }
  }
  expect(tooHeavy).toEqual([]);
});

test("somebody who signs in and sends loads no more than the manual says", async () => {
  await using place = await openNamedPlace(POST);
  const { page } = await browser.open({ locale: "en" });
  const weight = weigh(page);
  await signInOn(page, place, "bob@example.com");
  await sendText(page, "text");
  await page.getByLabel("Mail me when something I send is opened").waitFor();
  expect(await weight()).toBeLessThanOrEqual(MAX_KB.sending * 1000);
  expect(manualText("page").replaceAll(/\s+/g, " ")).toContain(SENTENCE);
});
