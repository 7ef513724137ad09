import { afterEach } from "bun:test";
import { existsSync } from "node:fs";
import { chromium } from "playwright-core";
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";

/** The time that a busy machine may take for one step of a test in the browser, and for all of them. */
const STEP_MS = 60_000;
export const PAGE_TEST_MS = 240_000;

const CHROMIUM = process.env["CHROMIUM"] ?? "/usr/bin/chromium-headless-shell";

/** Debian's Chromium, and what went wrong in its pages. */
export interface TestBrowser extends AsyncDisposable {
  /** A page in a context of its own, as on another machine. Whatever is not in order with it is in `complaints`. */
  open(options?: BrowserContextOptions): Promise<TestPage>;
}

export interface TestPage {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Errors on the console, violations of the policy, exceptions, and requests to another origin than the first. */
  readonly complaints: string[];
}

/**
 * Starts Chromium for the tests of a file, or for a script. What a test has opened is closed after it. Throws when
 * there is no Chromium: page tests are never skipped.
 */
export async function startBrowser(user: "tests" | "script" = "tests"): Promise<TestBrowser> {
  if (!existsSync(CHROMIUM))
    throw new Error(`there is no Chromium at ${CHROMIUM}: apt-get install chromium-headless-shell`);
  const browser: Browser = await chromium.launch({
    executablePath: CHROMIUM,
    // The tests may run as root, in a container with a small /dev/shm.
    // A name that is not loopback, to see what the page says over plain http.
    args: ["--no-sandbox", "--disable-dev-shm-usage", "--host-resolver-rules=MAP handoff.test 127.0.0.1"],
  });
  const closeAll = async () => {
    for (const context of browser.contexts()) await context.close();
  };
  // An open page goes on asking its server.
  if (user === "tests") afterEach(closeAll);
  return {
    async open(options = {}) {
      const context = await browser.newContext({ locale: "en-GB", reducedMotion: "reduce", ...options });
      context.setDefaultTimeout(STEP_MS);
      const page = await context.newPage();
      const complaints: string[] = [];
      let origin: string | undefined;
      page.on("console", (message) => {
        // What a server refuses, the browser logs as an error of its own.
        const isRefusal = /status of [45]\d\d/.test(message.text());
        // Over plain http this header counts for nothing, and the page says that it needs https.
        const isPlainHttp = message.text().startsWith("The Cross-Origin-Opener-Policy header has been ignored");
        if (["error", "warning"].includes(message.type()) && !isRefusal && !isPlainHttp)
          complaints.push(message.text());
      });
      page.on("pageerror", (error) => complaints.push(error.message));
      page.on("request", (request) => {
        const url = new URL(request.url());
        origin ??= url.origin;
        if (url.protocol.startsWith("http") && url.origin !== origin) complaints.push(`request to ${url.origin}`);
      });
      return { page, context, complaints };
    },
    [Symbol.asyncDispose]: () => browser.close(),
  };
}
