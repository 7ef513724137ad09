import { startChromium } from "./chromium.ts";
import type { Engine } from "./drivers.ts";
import { startFirefox } from "./firefox.ts";
import { startWebKit } from "./webkit.ts";

/** The engines that the page has to work in, all of them Debian's. Each starts in an empty folder of its own. */
export const ENGINES: Readonly<Record<string, (folder: string) => Promise<Engine>>> = {
  Chromium: startChromium,
  Firefox: startFirefox,
  WebKit: startWebKit,
};
