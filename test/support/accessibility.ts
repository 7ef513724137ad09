import axe from "axe-core";
import type { Page } from "playwright-core";

/** A rule that a page breaks, and the elements that do. */
export interface Violation {
  readonly id: string;
  readonly nodes: readonly string[];
}

const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** Everything that axe finds wrong with what `page` shows now. */
export async function findViolations(page: Page): Promise<readonly Violation[]> {
  // Its styles and scripts are injected past the policy of the page, as an extension's would be.
  const cdp = await page.context().newCDPSession(page);
  const { result } = await cdp.send("Runtime.evaluate", {
    // What is still fading in has the contrast of no theme.
    expression: `${axe.source}; Promise.all(document.getAnimations().map(({ finished }) => finished)).then(() => axe.run({ runOnly: ${JSON.stringify(RULES)} })).then((found) => JSON.stringify(found.violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => html) }))))`,
    awaitPromise: true,
    returnByValue: true,
  });
  return JSON.parse(String(result.value)) as readonly Violation[];
}
