import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { connect } from "puppeteer-core";
import type { ElementHandle, Page } from "puppeteer-core";
import { FILE_FIELD, SELECTORS } from "./drivers.ts";
import type { Driver, Engine, Part } from "./drivers.ts";
import { startBrowserProgram, waitFor } from "./programs.ts";

const FIREFOX = process.env["FIREFOX"] ?? "/usr/bin/firefox-esr";

/**
 * Beside those that Firefox chooses for automation: whatever is not on this machine is behind a proxy that is not
 * there.
 */
const PREFERENCES = {
  "network.proxy.type": 1,
  "network.proxy.http": "127.0.0.1",
  "network.proxy.http_port": 9,
  "network.proxy.ssl": "127.0.0.1",
  "network.proxy.ssl_port": 9,
  "intl.accept_languages": "en-US",
  // Without a graphics card, what moves takes a third of all the work.
  "ui.prefersReducedMotion": 1,
};

/** Starts Firefox with a profile in `folder`, driven by Puppeteer over WebDriver BiDi. */
export async function startFirefox(folder: string): Promise<Engine> {
  if (!existsSync(FIREFOX)) throw new Error(`there is no Firefox at ${FIREFOX}: run scripts/test-tools`);
  const [profile, downloads] = [join(folder, "profile"), join(folder, "downloads")];
  for (const each of [profile, downloads]) mkdirSync(each);
  // By preferences: the command of WebDriver BiDi for it is newer than the Firefox of some Debian releases.
  const preferences = { ...PREFERENCES, "browser.download.folderList": 2, "browser.download.dir": downloads };
  const lines = Object.entries(preferences).map(([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});\n`);
  writeFileSync(join(profile, "user.js"), lines.join(""));
  await using stack = new AsyncDisposableStack();
  const firefox = stack.use(
    startBrowserProgram([FIREFOX, "--headless", "--remote-debugging-port", "0", "--profile", profile], {
      HOME: folder,
      TMPDIR: folder,
      LC_ALL: "C.UTF-8",
      MOZ_CRASHREPORTER_DISABLE: "1",
    }),
  );
  const [, address] = await waitFor(
    () => /WebDriver BiDi listening on (ws:\S+)/.exec(firefox.output()) ?? undefined,
    () => `Firefox does not listen: ${firefox.output()}`,
  );
  const browser = await connect({
    browserWSEndpoint: `${address}/session`,
    protocol: "webDriverBiDi",
    acceptInsecureCerts: true,
    defaultViewport: { width: 1000, height: 760 },
  });
  stack.defer(() => void browser.disconnect());
  const running = stack.move();
  return {
    async open() {
      const context = await browser.createBrowserContext();
      return drive(await context.newPage(), downloads);
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

function drive(page: Page, downloads: string): Driver {
  page.on("dialog", (dialog) => void dialog.accept());
  return {
    goto: async (url) => void (await page.goto(url)),
    reload: async () => void (await page.reload()),
    async find(kind, name) {
      for (const handle of await page.$$(`aria/[name=${JSON.stringify(name)}]`)) {
        if (await handle.evaluate(isMatch, SELECTORS[kind])) return partOf(handle);
      }
      return undefined;
    },
    async chooseFile(path) {
      const field = await page.waitForSelector(FILE_FIELD);
      await (field as ElementHandle<never> | null)?.uploadFile(path);
    },
    async download(act, file) {
      const path = join(downloads, file.name);
      rmSync(path, { force: true });
      await act();
      const read = () => readFileSync(path);
      await waitFor(
        () => read().length === file.bytes,
        () => `no download '${file.name}' of ${file.bytes} bytes has come`,
      );
      return read();
    },
    words: () => page.evaluate("document.body.innerText") as Promise<string>,
    [Symbol.asyncDispose]: () => page.browserContext().close(),
  };
}

/** Runs in the page. */
function isMatch(element: { matches(selector: string): boolean }, selector: string): boolean {
  return element.matches(selector);
}

function partOf(handle: ElementHandle): Part {
  return {
    place: async () => JSON.stringify(await handle.boundingBox()),
    press: () => handle.click(),
    async fill(text) {
      await handle.evaluate((element: { select(): void }) => element.select());
      await handle.type(text);
    },
    text: async () => String(await (await handle.getProperty("textContent")).jsonValue()),
  };
}
