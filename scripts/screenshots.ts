import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { BrowserContextOptions } from "playwright-core";
import { bundlePage } from "../src/cli/server/page-bundle.ts";
import { createHttpClient } from "../src/client/http-client.ts";
import { isLanguageTag, LANGUAGES } from "../src/web/languages/languages.ts";
import type { TestBrowser } from "../test/support/browsers.ts";
import { startBrowser } from "../test/support/browsers.ts";
import { CONTENT_SCREENS } from "./content-screens.ts";
import { SCREENS, settle, startStageServer } from "./screens.ts";

const ALL = { ...SCREENS, ...CONTENT_SCREENS };
const ROOT = join(import.meta.dir, "../dist/screenshots");
const SCHEMES = ["light", "dark"] as const;
const DEVICES: Readonly<Record<string, BrowserContextOptions>> = {
  desktop: { viewport: { width: 1280, height: 800 } },
  phone: { viewport: { width: 390, height: 780 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 },
};
const STEP_MS = 10_000;

/** Ends the program with what is wrong with the arguments. */
function refuse(complaint: string): never {
  console.error(`scripts/screenshots: ${complaint}`);
  process.exit(2);
}

/** Makes the pictures of a screen on one device, each named by the screen, the device and the scheme. */
async function take(browser: TestBrowser, name: string, device: string, folder: string, locale: string): Promise<void> {
  await using server = await startStageServer(sources);
  const team = "team";
  const { token } = await server.backend.mint({ team });
  const { page, context } = await browser.open({ ...DEVICES[device], locale });
  await using stack = new AsyncDisposableStack();
  stack.defer(() => context.close());
  page.setDefaultTimeout(STEP_MS);
  await page.clock.setFixedTime(server.backend.clock.now());
  page.on("dialog", (dialog) => void dialog.accept());
  const client = createHttpClient({ baseUrl: server.url, credential: token });
  await ALL[name]?.({ server, team, client, page });
  await settle(page);
  for (const colorScheme of SCHEMES) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.screenshot({ path: join(folder, `${name}-${device}-${colorScheme}.png`), fullPage: true });
  }
}

/** Writes a page that shows all pictures of a folder side by side. */
function writeIndex(folder: string): string {
  const figures = readdirSync(folder)
    .filter((each) => each.endsWith(".png"))
    .toSorted()
    .map(
      (each) =>
        `<figure><a href="${each}"><img src="${each}" loading="lazy"></a><figcaption>${each}</figcaption></figure>`,
    );
  const style =
    "body{display:flex;flex-wrap:wrap;gap:1em;background:#888}figure{margin:0}img{max-width:20em;max-height:30em}";
  const index = join(folder, "index.html");
  writeFileSync(index, `<!doctype html><meta charset="utf-8"><style>${style}</style>\n${figures.join("\n")}\n`);
  return index;
}

const { values, positionals: wanted } = parseArgs({
  options: { language: { type: "string" } },
  allowPositionals: true,
});
const { language = "en" } = values;
if (!isLanguageTag(language)) refuse(`there is no language ${language}, but ${Object.keys(LANGUAGES).join(", ")}`);
const names = Object.keys(ALL).filter((name) => wanted.length === 0 || wanted.some((each) => name.startsWith(each)));
if (names.length === 0) refuse(`no screen's name begins so. There are ${Object.keys(ALL).join(", ")}`);
const folder = join(ROOT, language);
mkdirSync(folder, { recursive: true });
const sources = bundlePage();
await using browser = await startBrowser("script");
for (const name of names) {
  try {
    for (const device of Object.keys(DEVICES)) await take(browser, name, device, folder, language);
    console.log(`dist/screenshots/${language}/${name}-{${Object.keys(DEVICES).join(",")}}-{${SCHEMES.join(",")}}.png`);
  } catch (error) {
    process.exitCode = 1;
    console.error(
      `scripts/screenshots: ${name} was not reached: ${error instanceof Error ? error.message : "unknown reason"}`,
    );
  }
}
console.log(`All side by side: ${writeIndex(folder)}`);
// A store that was opened in this process keeps it alive.
process.exit();
