import { readFile } from "node:fs/promises";
import type { Locator, Page } from "playwright-core";
import { startBrowser } from "../browsers.ts";
import { FILE_FIELD } from "./drivers.ts";
import type { Engine, PartKind } from "./drivers.ts";

/** Starts Chromium, driven by Playwright. */
export async function startChromium(): Promise<Engine> {
  const browser = await startBrowser();
  return {
    async open() {
      // Whatever is not on this machine is behind a proxy that is not there.
      const proxy = { server: "http://127.0.0.1:9", bypass: "127.0.0.1" };
      const { page, context } = await browser.open({ locale: "en-US", ignoreHTTPSErrors: true, proxy });
      page.on("dialog", (dialog) => void dialog.accept());
      return {
        goto: async (url) => void (await page.goto(url)),
        reload: async () => void (await page.reload()),
        async find(kind, name) {
          const part = locate(page, kind, name).first();
          if (!(await part.isVisible())) return undefined;
          return {
            place: async () => JSON.stringify(await part.boundingBox()),
            press: () => part.click(),
            fill: (text) => part.fill(text),
            text: async () => (await part.textContent()) ?? "",
          };
        },
        chooseFile: (path) => page.locator(FILE_FIELD).first().setInputFiles(path),
        async download(act, { name }) {
          const [file] = await Promise.all([page.waitForEvent("download"), act()]);
          if (file.suggestedFilename() !== name) throw new Error(`the download is called ${file.suggestedFilename()}`);
          return readFile(await file.path());
        },
        words: () => page.locator("body").innerText(),
        [Symbol.asyncDispose]: () => context.close(),
      };
    },
    [Symbol.asyncDispose]: () => browser[Symbol.asyncDispose](),
  };
}

function locate(page: Page, kind: PartKind, name: string): Locator {
  switch (kind) {
    case "heading":
      return page.getByRole("heading", { name, exact: true, level: 1 });
    case "button":
      return page.getByRole("button", { name, exact: true }).or(page.getByRole("link", { name, exact: true }));
    case "field":
    case "text":
      return page.getByLabel(name, { exact: true });
  }
}
