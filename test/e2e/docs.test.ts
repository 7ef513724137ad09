import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import type { Page } from "playwright-core";
import { findViolations } from "../support/accessibility.ts";
import { PAGE_TEST_MS, startBrowser } from "../support/browsers.ts";
import { openPlace } from "../support/people.ts";

setDefaultTimeout(PAGE_TEST_MS);
const browser = await startBrowser();
afterAll(() => browser[Symbol.asyncDispose]());

/** The background color of the documentation, as the browser computes it. */
const groundOf = (page: Page) => page.evaluate("getComputedStyle(document.body).backgroundColor");

test("the documentation has the page's style in both themes, and axe finds nothing wrong", async () => {
  await using place = await openPlace(["--brand-name", "ACME", "--brand-color", "#4338a8"]);
  const grounds = [];
  for (const colorScheme of ["light", "dark"] as const) {
    const { page, complaints } = await browser.open({ colorScheme });
    await page.goto(`${place.server.url}/docs`);
    await page.locator(".opblock").first().waitFor();
    expect(await findViolations(page)).toEqual([]);
    grounds.push(await groundOf(page));
    await page.getByRole("banner").getByText("ACME").waitFor();

    await page
      .getByRole("button", { name: /POST \/api\S*\/secrets / })
      .first()
      .click();
    await page.getByRole("button", { name: "Try it out" }).first().click();
    await page.getByRole("button", { name: "Execute" }).first().waitFor();
    expect(await findViolations(page)).toEqual([]);
    // Answers appear in their own boxes.
    await page.getByRole("button", { name: "Execute" }).first().click();
    await page.locator(".live-responses-table").waitFor();
    expect(await findViolations(page)).toEqual([]);

    await page.getByRole("button", { name: "Authorize" }).first().click();
    await page.getByRole("dialog", { name: "Available authorizations" }).waitFor();
    expect(await findViolations(page)).toEqual([]);
    expect(complaints).toEqual([]);
  }
  expect(grounds).toEqual(["rgb(240, 243, 238)", "rgb(16, 20, 19)"]);
});

test("on a phone nothing of an operation lies on something else, and nothing is wider than the screen", async () => {
  await using place = await openPlace();
  const { page } = await browser.open({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });
  await page.goto(`${place.server.url}/docs`);
  const operation = page.locator(".opblock-summary").nth(1);
  await operation.waitFor();
  const boxes = await Promise.all(
    [".opblock-summary-control", ".copy-to-clipboard button", ".authorization__btn", ".opblock-control-arrow"].map(
      async (part) => (await operation.locator(part).boundingBox()) ?? { x: NaN, width: NaN },
    ),
  );
  for (const [at, { x, width }] of boxes.slice(0, -1).entries())
    expect(x + width).toBeLessThanOrEqual(boxes[at + 1]?.x ?? 0);
  expect(boxes[1]?.width).toBeGreaterThan(18);
  await page.locator(".opblock-summary").first().click();
  await page.getByRole("button", { name: "Try it out" }).first().waitFor();
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(360);
});

test("the documentation is readable when Swagger UI does not load", async () => {
  await using place = await openPlace();
  for (const colorScheme of ["light", "dark"] as const) {
    const { page } = await browser.open({ colorScheme });
    await page.route("**/swagger-ui.js", (route) => route.abort());
    await page.goto(`${place.server.url}/docs`);
    await page.getByText("/api/v1/secrets").first().waitFor();
    expect(await findViolations(page)).toEqual([]);
  }
});
