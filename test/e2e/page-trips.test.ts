import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import type { Page, Request, Response } from "playwright-core";
import { PAGE_TEST_MS, startBrowser } from "../support/browsers.ts";
import { press, seeTitle } from "../support/page-visits.ts";
import { shareServer } from "../support/people.ts";
import { until } from "../support/polls.ts";

setDefaultTimeout(PAGE_TEST_MS);
const browser = await startBrowser();
afterAll(() => browser[Symbol.asyncDispose]());
const openPlace = shareServer();

/** The calls over the network from now on: method and name of each. */
function watchTrips(page: Page): string[] {
  const trips: string[] = [];
  page.on("request", (request: Request) => {
    trips.push(`${request.method()} ${new URL(request.url()).pathname.split("/").at(-1)}`);
  });
  return trips;
}

test("everything for opening a secret loads while the person reads, and the tap loads only the secret", async () => {
  await using place = await openPlace();
  const ann = await place.member("ann");
  const { page, complaints } = await browser.open();
  const trips = watchTrips(page);
  const ready = page.waitForEvent("requestfinished", (request) => request.url().endsWith("/opening-worker.js"));
  await page.goto(await ann.must(["send"], { stdin: "text" }));
  await seeTitle(page, "Someone sent you a secret");
  const script = await (await (await ready).response())?.text();
  const imported = [...(script ?? "").matchAll(/from"\.\/([^"]+)"/g)].map(([, name]) => `GET ${name}`);
  // The page has what the worker imports, too, and each of them asks for it once.
  await until(() => imported.every((trip) => trips.filter((each) => each === trip).length === 2));
  expect(imported).not.toEqual([]);
  expect(trips.filter((trip) => !trip.startsWith("GET "))).toEqual([]);
  trips.length = 0;
  await press(page, "Open secret");
  await seeTitle(page, /^Secret$/);
  expect(trips).toEqual(["POST claim"]);
  expect(complaints).toEqual([]);
});

test("the documentation loads compressed, each part once, and the document beside its script", async () => {
  await using place = await openPlace();
  const { page, complaints } = await browser.open();
  const answers: Response[] = [];
  page.on("response", (answer: Response) => void answers.push(answer));
  await page.goto(`${place.server.url}/docs`);
  await page.locator(".opblock").first().waitFor();
  expect(complaints).toEqual([]);
  // Without a window no icon is fetched.
  const names = answers.map((answer) => new URL(answer.url()).pathname).toSorted();
  const reader = ["init.js", "swagger-ui.css", "swagger-ui.js"].map((name) => `/docs/${name}`);
  expect(names).toEqual(["/docs", ...reader, "/openapi.json"]);
  const sizes = await Promise.all(answers.map(async (answer) => (await answer.request().sizes()).responseBodySize));
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(500_000);
});
