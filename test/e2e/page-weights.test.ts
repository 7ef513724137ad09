import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import type { Page, Response } from "playwright-core";
import type { LanguageTag } from "../../src/web/languages/languages.ts";
import { PAGE_TEST_MS, startBrowser } from "../support/browsers.ts";
import { loadStrings, TAGS } from "../support/languages.ts";
import { manualText } from "../support/manual.ts";
import { press, seeTitle, sendText, signInOn } from "../support/page-visits.ts";
import { openPlace } from "../support/people.ts";

setDefaultTimeout(PAGE_TEST_MS);
const browser = await startBrowser();
afterAll(() => browser[Symbol.asyncDispose]());

/** The most that a browser without a cache loads, in KiB: in English, and for another language in addition. */
const MAX_KIB = { using: 95, sending: 115, language: 10 } as const;
/** The same, as the manual says it. */
const SENTENCE = `In English a browser gets less than ${MAX_KIB.using} KiB to open a link or to hand in, and less than ${MAX_KIB.sending} KiB to sign in and send, compressed; another language takes up to ${MAX_KIB.language} KiB more.`;

/**
 * The bytes of all bodies that `page` loads from now on, as transferred. A second load comes from the browser's cache.
 */
function weigh(page: Page): () => Promise<number> {
  const answers = new Map<string, Response>();
  page.on("response", (answer) => void answers.set(`${answer.request().method()} ${answer.url()}`, answer));
  return async () => {
    const bodies = await Promise.all([...answers.values()].map(bodyBytes));
    return bodies.reduce((sum, bytes) => sum + bytes, 0);
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

/** Resolves once `page` has loaded its worker's script, the last one that it loads by itself. */
const untilWorker = (page: Page) => page.waitForEvent("requestfinished", (each) => each.url().endsWith("/worker.js"));

test("the page weighs no more than the manual says, for each use and in each language", async () => {
  await using place = await openPlace();
  const ann = await place.member("ann", ["secrets:create", "requests:create"]);
  const kibOf = async (locale: string, work: (page: Page) => Promise<unknown>) => {
    const { page, context } = await browser.open({ locale });
    const weight = weigh(page);
    const worker = untilWorker(page);
    await work(page);
    await worker;
    const bytes = await weight();
    await context.close();
    return bytes / 1024;
  };
  const openIn = async (tag: LanguageTag) => {
    const { open, opened } = await loadStrings(tag);
    return kibOf(tag, async (page) => {
      await page.goto(await ann.must(["send"], { stdin: "text" }));
      await press(page, open.button);
      await page.getByRole("heading", { level: 1, name: opened.text, exact: true }).waitFor();
    });
  };
  const opening = await openIn("en");
  const handingIn = await kibOf("en", async (page) => {
    await page.goto(await ann.must(["request", "--note", "The staging password"]));
    await page.getByLabel("What you hand in").fill("text");
    await press(page, "Hand in");
    await seeTitle(page, "Handed in");
  });
  const sending = await kibOf("en", async (page) => {
    await signInOn(page, place, "bob");
    await sendText(page, "text");
  });
  const others = TAGS.filter((tag) => tag !== "en");
  const more: Partial<Record<LanguageTag, number>> = {};
  for (const tag of others) more[tag] = (await openIn(tag)) - opening;
  const tooHeavy = [
    ...Object.entries({ opening, handingIn }).filter(([, kib]) => kib >= MAX_KIB.using),
    ...Object.entries({ sending }).filter(([, kib]) => kib >= MAX_KIB.sending),
    ...Object.entries(more).filter(([, kib]) => kib > MAX_KIB.language),
  ];
  expect(tooHeavy).toEqual([]);
  expect(manualText("page").replaceAll(/\s+/g, " ")).toContain(SENTENCE);
});
