import { closeSync, openSync, readdirSync, rmSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";
import type { BrowserContext, Page } from "playwright-core";
import { handoffCommand } from "../test/support/executable.ts";
import { UNLIMITED } from "../test/support/executions.ts";
import { openMemoryGroup } from "../test/support/memory-groups.ts";
import { linkOn, press, seeTitle, signInOn } from "../test/support/page-visits.ts";
import { openPlace } from "../test/support/people.ts";
import { freePort } from "../test/support/ports.ts";
import { startProgram } from "../test/support/running.ts";

// `bun scripts/large-drill.ts [GIB] [up | down]`, as root, after scripts/build: a large secret goes from a page of a
// phone's size to the command line, and another one back. The server is killed in the middle of each upload and of a
// download, each command once, the sending page sleeps for a while, and the opening one is loaded anew. The server and
// each command have 256 MiB. Needs four times the size on the disk of /tmp, and some two minutes for each GiB.

const MIB = 1024 * 1024;
const BYTES = Number(process.argv[2] ?? 10) * 1024 * MIB;
const LIMIT_BYTES = 256 * MIB;
const DIRECTIONS = process.argv[3] === undefined ? ["up", "down"] : [process.argv[3]];
const CHROMIUM = process.env["CHROMIUM"] ?? "/usr/bin/chromium-headless-shell";
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, locale: "en-GB" };
const PATIENCE_MS = 60 * 60 * 1000;
const PIECE = crypto.getRandomValues(new Uint8Array(MIB));

await using cleanup = new AsyncDisposableStack();
const newGroup = () => {
  const group = openMemoryGroup(LIMIT_BYTES);
  if (!group) throw new Error("no control group for memory can be made here");
  return cleanup.use(group);
};
const groups = { server: newGroup(), send: newGroup(), open: newGroup() };
const flags = ["--listen", `127.0.0.1:${freePort()}`, "--team-quota", "1000GiB", "--max-secret", "1000GiB"];
const place = cleanup.use(await openPlace(flags, groups.server.via));
const bob = await place.member("bob");
let { server } = place;
const pathOf = (name: string) => join(bob.home, name);
const blobs = join(place.folder, "data/blobs");
const profile = join(place.folder, "profile");
const downloadsPath = join(place.folder, "downloads");
writePlain(pathOf("plain"));

if (DIRECTIONS.includes("up")) {
  const link = await timed("the page sends", sendFromPage);
  await timed("open", () => openOnCommandLine(link));
  await untilErased([]);
  rmSync(pathOf("out"), { recursive: true });
}
if (DIRECTIONS.includes("down")) {
  const { link, left } = await timed("send", sendFromCommandLine);
  await timed("the page opens", () => openOnPage(link));
  await untilErased(left);
}
for (const [name, group] of Object.entries(groups)) {
  console.log(
    `peak of the group of ${name}: ${Math.round(group.peakBytes() / MIB)} MiB, with what the system takes back`,
  );
}
await cleanup.disposeAsync();
process.exit(0);

async function sendFromPage(): Promise<string> {
  const { page, context } = await openPhone();
  await signInOn(page, place, "ann");
  await page.locator("input[type=file]").first().setInputFiles(pathOf("plain"));
  await press(page, "Create link");
  const memory = watchRenderer();
  await untilStored(0.3);
  await restartServer();
  await untilStored(0.6);
  await freeze(page);
  await page.getByRole("heading", { level: 1, name: "Your link is ready" }).waitFor({ timeout: PATIENCE_MS });
  console.log(`peak of the page while it sends: ${memory()} MiB`);
  const link = await linkOn(page);
  await context.close();
  return link;
}

async function openOnCommandLine(link: string): Promise<void> {
  const open = () => startCommand(groups.open.via, ["open", "--yes", "--output", "out", link]);
  const first = open();
  await until(() => openedBytes() > 0.4 * BYTES);
  first.kill("SIGKILL");
  await first.exited;
  await ended(open());
  await expectSame(pathOf("out/plain"));
}

/** Returns the link, and the upload of the command that was killed, which stays for a day. */
async function sendFromCommandLine(): Promise<{ readonly link: string; readonly left: readonly string[] }> {
  const send = () => startCommand(groups.send.via, ["send", "--quiet", "plain"]);
  const first = send();
  await untilStored(0.4);
  first.kill("SIGKILL");
  await first.exited;
  const left = namesIn(blobs);
  const second = send();
  const link = new Response(second.stdout).text();
  await untilStored(0.3, left);
  await restartServer();
  await ended(second);
  return { link: (await link).trim(), left };
}

async function openOnPage(link: string): Promise<void> {
  const { page, context } = await openPhone();
  page.on("dialog", (dialog) => void dialog.accept());
  await page.goto(link);
  await press(page, "Open secret");
  await untilKept(page, 0.4);
  await page.reload();
  const memory = watchRenderer();
  await untilKept(page, 0.5);
  await restartServer();
  const save = page.getByRole("button", { name: "Download plain" });
  await save.waitFor({ timeout: PATIENCE_MS });
  console.log(`peak of the page while it opens: ${memory()} MiB`);
  const [file] = await Promise.all([page.waitForEvent("download", { timeout: PATIENCE_MS }), save.click()]);
  await expectSame(await file.path());
  await press(page, /erase now/i);
  await seeTitle(page, /./);
  await context.close();
}

function startCommand(via: readonly string[], args: readonly string[]) {
  return Bun.spawn([...via, ...handoffCommand(), ...args], {
    cwd: bob.home,
    env: bob.env,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "inherit",
  });
}

async function ended({ exited }: { readonly exited: Promise<number> }): Promise<void> {
  const exitCode = await exited;
  if (exitCode !== 0) throw new Error(`a command ended with ${exitCode}`);
}

async function restartServer(): Promise<void> {
  server.kill("SIGKILL");
  await server.exited;
  await Bun.sleep(3000);
  const args = ["serve", "--data-dir", join(place.folder, "data"), ...UNLIMITED, ...flags];
  server = cleanup.use(await startProgram(args, {}, "/", groups.server.via));
}

/** Lets a page sleep for a while, as a phone does. */
async function freeze(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Page.setWebLifecycleState", { state: "frozen" });
  await Bun.sleep(10_000);
  await devtools.send("Page.setWebLifecycleState", { state: "active" });
}

/** A browser with a profile on the disk: what it stores otherwise is in its memory. */
async function openPhone(): Promise<{ readonly page: Page; readonly context: BrowserContext }> {
  const options = { executablePath: CHROMIUM, args: ["--no-sandbox", "--disable-dev-shm-usage"], downloadsPath };
  const context = await chromium.launchPersistentContext(profile, { ...PHONE, ...options });
  return { page: await context.newPage(), context };
}

/** Returns a function that says the most MiB that the renderers of this script's browser had together since. */
function watchRenderer(): () => number {
  let most = 0;
  const look = () => {
    const { stdout } = Bun.spawnSync(["ps", "-eo", "pid=,ppid=,rss=,args="]);
    const all = stdout
      .toString()
      .split("\n")
      .map((line) => ({ line, numbers: line.trim().split(/ +/, 3).map(Number) }));
    const ours = new Set<number | undefined>();
    for (let size = -1; size < ours.size;) {
      size = ours.size;
      for (const { line, numbers } of all) if (line.includes(profile) || ours.has(numbers[1])) ours.add(numbers[0]);
    }
    const renderers = all.filter(({ line, numbers }) => ours.has(numbers[0]) && line.includes("--type=renderer"));
    most = Math.max(most, renderers.reduce((sum, { numbers }) => sum + (numbers[2] ?? 0), 0) / 1024);
  };
  const timer = setInterval(look, 1000);
  return () => {
    clearInterval(timer);
    return Math.round(most);
  };
}

/** Resolves once an upload that isn't one of `others` has this share of the secret. */
async function untilStored(share: number, others: readonly string[] = []): Promise<void> {
  const isSo = (name: string) => !others.includes(name) && sizeOf(join(blobs, name)) > share * BYTES;
  await until(() => namesIn(blobs).some(isSo));
}

/** Resolves once this share of the secret is in the browser's storage. */
async function untilKept(page: Page, share: number): Promise<void> {
  for (;;) {
    const bytes = await page.evaluate<number>("navigator.storage.estimate().then(({ usage }) => usage)");
    if (bytes > share * BYTES) return;
    await Bun.sleep(500);
  }
}

async function untilErased(others: readonly string[]): Promise<void> {
  const begin = performance.now();
  await until(() => namesIn(blobs).length <= others.length);
  console.log(`erased after ${((performance.now() - begin) / 1000).toFixed(0)} s`);
}

async function until(isSo: () => boolean): Promise<void> {
  for (const end = performance.now() + PATIENCE_MS; performance.now() < end; await Bun.sleep(200)) if (isSo()) return;
  throw new Error("that took too long");
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** The bytes of what was opened so far, in the folder that has another name until it is whole. */
function openedBytes(): number {
  const names = readdirSync(bob.home, { recursive: true }).map(String);
  const files = names.filter((name) => name !== "plain" && statSync(pathOf(name), { throwIfNoEntry: false })?.isFile());
  return files.reduce((sum, name) => sum + sizeOf(pathOf(name)), 0);
}

/** Writes bytes that repeat nowhere within what is encrypted at once. */
function writePlain(path: string): void {
  const file = openSync(path, "w");
  for (let at = 0; at < BYTES; at += PIECE.length) {
    new DataView(PIECE.buffer).setUint32(0, at / PIECE.length);
    writeSync(file, PIECE);
  }
  closeSync(file);
}

async function expectSame(path: string): Promise<void> {
  const { exitCode } = Bun.spawnSync(["cmp", path, pathOf("plain")]);
  if (exitCode !== 0) throw new Error(`${path} isn't what was sent`);
  console.log(`${(BYTES / MIB / 1024).toFixed(1)} GiB arrived byte for byte`);
}

async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
  const begin = performance.now();
  const result = await work();
  console.log(`${what}: ${((performance.now() - begin) / 1000).toFixed(0)} s`);
  return result;
}
