import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { CDPSession, Page } from "playwright-core";

/** A rule that a page breaks, and the elements that do. */
export interface Violation {
  readonly id: string;
  readonly nodes: readonly string[];
}

const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
/** A script of less than half the size of what `axe-core` exports. Each page that is looked at has to parse it. */
const AXE = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");
/** The rules that look at colors. */
const COLOR_RULES = ["color-contrast", "link-in-text-block"];

/** Everything that axe finds wrong with what `page` shows now. */
export function findViolations(page: Page): Promise<readonly Violation[]> {
  return withAxe(page, (cdp) => runAxe(cdp, { type: "tag", values: RULES }));
}

/** Everything that axe finds wrong with what `page` shows now, in both themes. The light one stays. */
export function findViolationsInThemes(page: Page): Promise<readonly Violation[]> {
  return withAxe(page, async (cdp) => {
    await page.emulateMedia({ colorScheme: "dark" });
    const found = await runAxe(cdp, { type: "tag", values: RULES });
    await page.emulateMedia({ colorScheme: "light" });
    return [...found, ...(await runAxe(cdp, { type: "rule", values: COLOR_RULES }))];
  });
}

async function withAxe<T>(page: Page, work: (cdp: CDPSession) => Promise<T>): Promise<T> {
  // Injected past the policy of the page, as an extension's scripts would be.
  const cdp = await page.context().newCDPSession(page);
  const { result } = await cdp.send("Runtime.evaluate", { expression: "typeof axe" });
  if (result.value === "undefined") await cdp.send("Runtime.evaluate", { expression: AXE });
  try {
    return await work(cdp);
  } finally {
    await cdp.detach();
  }
}

async function runAxe(cdp: CDPSession, runOnly: object): Promise<readonly Violation[]> {
  const { result, exceptionDetails } = await cdp.send("Runtime.evaluate", {
    // What is still fading in has the contrast of no theme.
    expression: `Promise.all(document.getAnimations().map(({ finished }) => finished)).then(() => axe.run({ runOnly: ${JSON.stringify(runOnly)}, resultTypes: ["violations"] })).then((found) => JSON.stringify(found.violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => html) }))))`,
    awaitPromise: true,
    returnByValue: true,
  });
  if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
  return JSON.parse(String(result.value)) as readonly Violation[];
}
