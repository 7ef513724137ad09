import type { CDPSession, Page } from "playwright-core";
import { startBrowser } from "../../test/support/browsers.ts";
import type { TestBrowser } from "../../test/support/browsers.ts";
import { runWith, startExecutable } from "./executables.ts";
import type { ExecutableServer } from "./executables.ts";
import { benchFolder } from "./folders.ts";
import { median } from "./statistics.ts";
import { aim, milliseconds } from "./tables.ts";
import type { Row } from "./tables.ts";

const BYTES_PER_SECOND = 400_000 / 8;
/** A slow mobile connection: 400 ms for each request, and 400 kbit/s in each direction. */
const SLOW_LINE = {
  offline: false,
  latency: 400,
  downloadThroughput: BYTES_PER_SECOND,
  uploadThroughput: BYTES_PER_SECOND,
} as const;
/** Two lines: a single one is hidden until somebody asks to see it. */
const LINES = ["correct horse", "battery staple"] as const;

/** The phone that the browser emulates. */
interface Phone {
  /** The number of runs, of which the median counts. */
  readonly runs: number;
  /** How many times slower the phone's processor is than this machine's. */
  readonly slowdown: number;
  readonly line: typeof SLOW_LINE | undefined;
}

const SLOW_PHONE: Phone = { runs: 5, slowdown: 4, line: SLOW_LINE };

/** Measures how long people wait who open a link, or read `/docs`, on a phone with a slow connection, in Chromium. */
export async function measurePhone(phone: Phone = SLOW_PHONE): Promise<Row[]> {
  using folder = benchFolder();
  await using server = await startExecutable(folder.path);
  await using browser = await startBrowser("script");
  const times = { screen: [] as number[], secret: [] as number[], operations: [] as number[], reader: [] as number[] };
  for (let run = 0; run < phone.runs; run++) {
    const { screen, secret } = await timeLink(browser, phone, await sendSecret(server, folder.path));
    times.screen.push(screen);
    times.secret.push(secret);
    const { operations, reader } = await timeDocs(browser, phone, `http://127.0.0.1:${server.port}/docs`);
    times.operations.push(operations);
    times.reader.push(reader);
  }
  const row = (what: string, values: readonly number[], mostMs?: number): Row => ({
    measure: `${what} on a slow phone, median of ${phone.runs}`,
    value: milliseconds(median(values)),
    baseline: "",
    ratio: "",
    aim: mostMs === undefined ? "" : aim(`≤ ${mostMs} ms`, median(values) <= mostMs),
  });
  return [
    row("opening a link: navigation to the first screen", times.screen),
    row("opening a link: tap to the secret", times.secret, 3500),
    row("`/docs`: navigation to the list of operations", times.operations, 4000),
    row("`/docs`: navigation to all that Swagger UI shows", times.reader),
  ];
}

async function sendSecret({ port, token }: ExecutableServer, folder: string): Promise<string> {
  const url = `http://127.0.0.1:${port}`;
  const env = { HANDOFF_URL: url, HANDOFF_API_KEY: token, SECRET: LINES.join("\n"), XDG_STATE_HOME: folder };
  return (await runWith(env, "send", "--env", "SECRET")).trim();
}

async function timeLink(browser: TestBrowser, phone: Phone, link: string) {
  const { page, context } = await openPhone(browser, phone);
  const screen = await timed(async () => {
    await page.goto(link, { waitUntil: "commit" });
    await page.getByRole("button", { name: "Open" }).waitFor();
  });
  // A recipient reads what the link is before opening it.
  await page.waitForTimeout(2000);
  const secret = await timed(async () => {
    await page.getByRole("button", { name: "Open" }).click();
    await page.getByRole("button", { name: "Copy" }).waitFor();
  });
  await context.close();
  return { screen, secret };
}

async function timeDocs(browser: TestBrowser, phone: Phone, url: string) {
  const { page, context } = await openPhone(browser, phone);
  const start = performance.now();
  const operations = await timed(async () => {
    await page.goto(url, { waitUntil: "commit" });
    await page.getByText("/claim").first().waitFor();
  });
  await page.locator(".opblock").first().waitFor();
  const reader = performance.now() - start;
  await context.close();
  return { operations, reader };
}

/** A page of its own, with nothing in its cache. */
async function openPhone(browser: TestBrowser, { slowdown, line }: Phone) {
  const { page, context } = await browser.open({ viewport: { width: 390, height: 844 } });
  const cdp: CDPSession = await context.newCDPSession(page satisfies Page);
  await cdp.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
  await cdp.send("Network.enable");
  if (line) await cdp.send("Network.emulateNetworkConditions", line);
  return { page, context };
}

async function timed(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
