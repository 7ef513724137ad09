import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { createHttpClient } from "../../src/client/http-client.ts";
import type { HttpClient } from "../../src/client/http-client.ts";
import { sealContent, storeLargeSecret } from "../../src/client/large/large-secrets.ts";
import { decideAsk, listAsks } from "../../src/client/signing-in/approvals.ts";
import type { SecretTerms } from "../../src/client/stored-secrets.ts";
import { encodeContent } from "../../src/crypto/contents.ts";
import { findViolationsInThemes } from "../support/accessibility.ts";
import { PAGE_TEST_MS, startBrowser } from "../support/browsers.ts";
import type { TestPage } from "../support/browsers.ts";
import { streamOf } from "../support/byte-streams.ts";
import { startCuttingProxy } from "../support/cutting-proxies.ts";
import { complaint, loseAnswers, press, readText, seeScreen, seeTitle } from "../support/page-visits.ts";
import { openPlace } from "../support/people.ts";
import type { Person, Place } from "../support/people.ts";
import { until } from "../support/polls.ts";

setDefaultTimeout(PAGE_TEST_MS);
const browser = await startBrowser();
const stack = new AsyncDisposableStack();
afterAll(() => stack.disposeAsync());
stack.use(browser);
/** A server for which more than 64 KiB are large. */
let place: Place;
let ann: Person;
beforeAll(async () => {
  place = stack.use(await openPlace(["--max-ciphertext=64KiB"]));
  ann = await place.member("ann");
});

const MB = 1_000_000;
const OPEN = "Open secret";
const READY = "Someone sent you a secret";

interface Sent {
  readonly link: string;
  readonly files: ReadonlyMap<string, Buffer>;
}

/** Sends files with bytes of no pattern by the command line. */
async function sendFiles(sizes: Readonly<Record<string, number>>, flags: readonly string[] = []): Promise<Sent> {
  const files = new Map<string, Buffer>();
  for (const [name, size] of Object.entries(sizes)) {
    const bytes = Buffer.alloc(size, crypto.getRandomValues(new Uint8Array(65_521)));
    files.set(name, bytes);
    await Bun.write(join(ann.home, name), bytes);
  }
  return { link: await ann.must(["send", ...flags, ...files.keys()]), files };
}

const DISK = { name: "disk.img", bytes: new Uint8Array(MB), isExecutable: false, isFolder: false };

const connect = async (scopes = ["secrets:create"]) =>
  createHttpClient({ baseUrl: place.server.url, credential: await place.mint(scopes) });

/** Sends content as it is, and returns the link. */
async function plant(client: HttpClient, content: Uint8Array, terms: Partial<SecretTerms> = {}): Promise<string> {
  const sealed = await sealContent(streamOf(content), undefined, undefined);
  const stream = { ciphertext: sealed.ciphertext, bytes: sealed.sizeOf(content.length) };
  const all = { ttlSeconds: undefined, maxClaims: undefined, ...terms };
  return (await storeLargeSecret(client, sealed, stream, all)).link;
}

/** Opens a link in a browser that knows nothing, which answers every question with yes. */
async function visit(link: string): Promise<TestPage> {
  const visited = await browser.open();
  visited.page.on("dialog", (dialog) => void dialog.accept());
  await visited.page.goto(link);
  await seeTitle(visited.page, READY);
  return visited;
}

/** Downloads each file, and compares its bytes. */
async function seeFiles(page: Page, { files }: Pick<Sent, "files">): Promise<void> {
  await seeTitle(page, files.size === 1 ? /^File$/ : `${files.size} files`);
  for (const [name, bytes] of files) {
    const [file] = await Promise.all([page.waitForEvent("download"), press(page, `Download ${name}`)]);
    expect(file.suggestedFilename()).toBe(name);
    expect(readFileSync(await file.path()).equals(bytes)).toBe(true);
  }
}

/** The folders of large secrets that the browser keeps, each with the names of what is in it. */
const keptFolders = (page: Page) =>
  page.evaluate<Record<string, string[]>>(`(async () => {
    const root = await navigator.storage.getDirectory();
    const found = {};
    for await (const folder of (await root.getDirectoryHandle("handoff-files", { create: true })).values()) {
      found[folder.name] = [];
      for await (const name of folder.keys()) found[folder.name].push(name);
    }
    return found;
  })()`);

/** The length of the ZIP that the browser keeps. */
const zipBytes = (page: Page) =>
  page.evaluate<number>(`(async () => {
    const root = await navigator.storage.getDirectory();
    for await (const folder of (await root.getDirectoryHandle("handoff-files")).values()) {
      return (await (await folder.getFileHandle("zip")).getFile()).size;
    }
  })()`);

/** From now on calls to `path` do not reach the server, until what is returned is called. */
async function holdBack(page: Page, path: string): Promise<() => Promise<void>> {
  const held = Promise.withResolvers<void>();
  await page.route(path, async (route) => {
    await held.promise;
    // A page that is gone takes its calls with it.
    await route.continue().catch(() => undefined);
  });
  return async () => {
    held.resolve();
    await page.unroute(path);
  };
}

/** Has the browser give the page this room, or what it gives others. */
async function limitRoom({ page, context }: TestPage, quotaSize?: number): Promise<void> {
  const devtools = await context.newCDPSession(page);
  const origin = place.server.url;
  await devtools.send("Storage.overrideQuotaForOrigin", quotaSize === undefined ? { origin } : { origin, quotaSize });
}

test("two files of 12 MB open only on the click, come byte for byte, and are erased", async () => {
  const sent = await sendFiles({ "dump.sql": 9 * MB, "notes.bin": 3 * MB });
  const visited = await visit(sent.link);
  const { page } = visited;
  await seeScreen(visited, READY);
  expect(await page.locator("main").innerText()).toContain("About 12.0 MB");
  await page.reload();
  await seeTitle(page, READY);
  expect(await ann.must(["status", sent.link])).toStartWith("waiting");
  await press(page, OPEN);
  await seeScreen(visited, "2 files");
  expect(Object.values(await keptFolders(page)).map((each) => each.toSorted())).toEqual([["0", "1"]]);
  expect(await ann.must(["status", sent.link])).toStartWith("opened");
  await seeFiles(page, sent);
  await press(page, "Done, erase now");
  await seeTitle(page, "Erased");
  expect(await keptFolders(page)).toEqual({});
  expect(visited.complaints).toEqual([]);
});

test("text beside files is shown, and is no file of its own", async () => {
  const content = await encodeContent({ kind: "both", text: "read me", files: [DISK] });
  const visited = await visit(await plant(await connect(), content));
  const { page } = visited;
  await press(page, OPEN);
  await seeScreen(visited, "Text and 1 file");
  expect(await readText(page)).toBe("read me");
  expect(await page.getByRole("main").getByRole("listitem").allInnerTexts()).toEqual([
    expect.stringContaining(DISK.name),
  ]);
  await press(page, `Download ${DISK.name}`);
});

test("a wrong passphrase is tried again, also after a reload, and the right one opens the secret", async () => {
  await Bun.write(join(ann.home, "passphrase"), "correct horse\n");
  const sent = await sendFiles({ "disk.img": MB }, ["--passphrase-file", "passphrase"]);
  const { page } = await visit(sent.link);
  const field = page.getByLabel("Passphrase", { exact: true });
  await field.fill("wrong");
  await press(page, OPEN);
  await complaint(page, "That passphrase doesn't work.");
  await page.getByText("The server has released the secret to this tab.").waitFor();
  await page.reload();
  await field.fill("wrong again");
  await press(page, OPEN);
  await complaint(page, "That passphrase doesn't work.");
  // As it is often copied.
  await field.fill("correct horse ");
  await press(page, OPEN);
  await seeFiles(page, sent);
});

test("an opening that is stopped or reloaded in the middle starts over, and uses up nothing more", async () => {
  const sent = await sendFiles({ "disk.img": 2 * MB });
  const visited = await visit(sent.link);
  const { page } = visited;
  const letClaim = await holdBack(page, "**/large-claim");
  await press(page, OPEN);
  await press(page, "Stop");
  await letClaim();
  await complaint(page, "Stopped.");
  const goOn = await holdBack(page, "**/ciphertext");
  await press(page, OPEN);
  await page.getByText("Keep this tab open until all of it is here.").waitFor();
  await page.getByText("0 bytes of 2.0 MB").waitFor();
  expect(await findViolationsInThemes(page)).toEqual([]);
  await press(page, "Stop");
  await complaint(page, /Stopped\. What had arrived was deleted\. You can open it again in this tab until \d/);
  expect(await keptFolders(page)).toEqual({});
  await press(page, OPEN);
  await page.getByRole("button", { name: "Stop" }).waitFor();
  await goOn();
  await page.reload();
  await seeFiles(page, sent);
  expect(await ann.must(["status", sent.link])).toStartWith("opened");
});

test("a cut connection is gone on with", async () => {
  await using proxy = await startCuttingProxy(place.server.url);
  const sent = await sendFiles({ "disk.img": 3 * MB });
  const { page } = await visit(sent.link.replace(place.server.url, proxy.url));
  proxy.lose({ afterDown: 700_000 }, { afterDown: 700_000 });
  await press(page, OPEN);
  await seeFiles(page, sent);
  expect(proxy.lost()).toBeGreaterThan(0);
});

test("a browser without the room says so before the claim; one that loses it later says what to do", async () => {
  const sent = await sendFiles({ "disk.img": 2 * MB });
  const visited = await visit(sent.link);
  const { page } = visited;
  await limitRoom(visited, MB);
  // At the click, too.
  await press(page, OPEN);
  await complaint(page, "This browser doesn't have room for 2.0 MB.");
  await page.reload();
  await page.getByText("open the link with the command “handoff open”. You haven't opened the secret yet.").waitFor();
  expect(await page.getByRole("button", { name: OPEN }).count()).toBe(0);
  expect(await findViolationsInThemes(page)).toEqual([]);
  expect(await ann.must(["status", sent.link])).toStartWith("waiting");

  await limitRoom(visited);
  await page.reload();
  await seeTitle(page, READY);
  await page.route("**/large-claim", async (route) => {
    const response = await route.fetch();
    await limitRoom(visited, MB);
    await route.fulfill({ response });
  });
  await press(page, OPEN);
  await complaint(
    page,
    /the disk may be full\. What had arrived was deleted\. You can open it again in this tab until/,
  );
  expect(await keptFolders(page)).toEqual({});
  await page.unroute("**/large-claim");
  await limitRoom(visited);
  await press(page, OPEN);
  await seeFiles(page, sent);
});

test("a secret that was cut off before it was sent is reported, and none of it is offered", async () => {
  const content = await encodeContent({ kind: "files", files: [DISK] });
  const visited = await visit(await plant(await connect(), content.slice(0, MB / 2)));
  await press(visited.page, OPEN);
  await seeScreen(visited, "This secret can't be opened");
  await visited.page.getByText("This secret was cut off or changed").waitFor();
  expect(await keptFolders(visited.page)).toEqual({});
});

test("a claim whose answer is lost is repeated, another tab takes it over, and the other opening is left", async () => {
  const sent = await sendFiles({ "disk.img": MB }, ["--claims", "2"]);
  const { page, context } = await visit(sent.link);
  await loseAnswers(page, "**/large-claim");
  await press(page, OPEN);
  await page.getByText("The server may have handed out the secret already. Try again right away").waitFor();
  await page.unroute("**/large-claim");
  await press(page, OPEN);
  await seeFiles(page, sent);
  await page.getByText("The link can be opened 1 more time.").waitFor();
  const other = await context.newPage();
  await other.goto(sent.link);
  await seeTitle(other, "You opened this secret");
  await press(other, "Show again");
  await seeFiles(other, sent);
  expect(JSON.parse(await ann.must(["status", "--json", sent.link]))).toMatchObject({ claims: 1 });
});

test("a large secret that has to be approved is opened as soon as it is", async () => {
  const client = await connect(["secrets:create", "secrets:read", "secrets:approve"]);
  const content = await encodeContent({ kind: "files", files: [DISK] });
  const { page } = await visit(await plant(client, content, { approver: "sender" }));
  await press(page, "Ask to open");
  await seeTitle(page, "Waiting to be let in");
  const [asked] = await listAsks(client);
  await decideAsk(client, asked?.secret_id ?? "", { id: asked?.id ?? "", state: "approved" });
  await seeFiles(page, { files: new Map([[DISK.name, Buffer.from(DISK.bytes)]]) });
});

test("many files come as a ZIP, each of them in its folder, when there is room for it", async () => {
  const names = Array.from({ length: 12 }, (_, index) => `logs/day-${index}/server.log`);
  for (const name of names) await Bun.write(join(ann.home, name), Buffer.alloc(20_000, name));
  const visited = await visit(await ann.must(["send", "logs"]));
  const { page } = visited;
  await press(page, OPEN);
  await seeTitle(page, "12 files");
  await press(page, "Show 2 more");
  await limitRoom(visited, 420_000);
  await press(page, "Download all as ZIP");
  await complaint(page, "The ZIP can't be made.");
  expect(await zipBytes(page)).toBe(0);
  await limitRoom(visited);
  const [file] = await Promise.all([page.waitForEvent("download"), press(page, "Download all as ZIP")]);
  expect(file.suggestedFilename()).toBe("secret.zip");
  const script = "import sys, zipfile; zipfile.ZipFile(sys.argv[1]).extractall(sys.argv[2])";
  await Bun.$`python3 -c ${script} ${await file.path()} ${join(ann.home, "unzipped")}`;
  for (const name of names) {
    expect(readFileSync(join(ann.home, "unzipped", name)).equals(Buffer.alloc(20_000, name))).toBe(true);
  }
  await press(page, "Done, erase now");
  await seeTitle(page, "Erased");
  expect(await keptFolders(page)).toEqual({});
});

test("files are removed with their page; what a crash left, by the next page that opens a link", async () => {
  const { page, context } = await visit((await sendFiles({ "a.bin": MB })).link);
  await press(page, OPEN);
  await seeTitle(page, /^File$/);
  const text = await ann.must(["send"], { stdin: "text" });
  const other = await context.newPage();
  await other.goto(text);
  await seeTitle(other, READY);
  // The page that holds them is open.
  expect(Object.values(await keptFolders(other))).toEqual([["0"]]);
  await page.close();
  await until(async () => Object.keys(await keptFolders(other)).length === 0);

  await other.evaluate(`(async () => {
    const root = await navigator.storage.getDirectory();
    const left = await (await root.getDirectoryHandle("handoff-files")).getDirectoryHandle("left", { create: true });
    await left.getFileHandle("0", { create: true });
    localStorage.setItem("handoff files", "1");
  })()`);
  await other.reload();
  await seeTitle(other, READY);
  await until(async () => Object.keys(await keptFolders(other)).length === 0);
});
