import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { makeCertificate } from "../support/certificates.ts";
import { startChromium } from "../support/engines/chromium.ts";
import type { Engine } from "../support/engines/drivers.ts";
import { ENGINES } from "../support/engines/engines.ts";
import { visit } from "../support/engines/visits.ts";
import type { Visit } from "../support/engines/visits.ts";
import { loadStrings } from "../support/languages.ts";
import { openPerson, openPlace } from "../support/people.ts";
import type { Person, Place } from "../support/people.ts";
import { temporaryFolder } from "../support/temporary.ts";

setDefaultTimeout(120_000);

const SCOPES = ["requests:create", "requests:read"].concat(
  ["create", "read", "claim"].map((each) => `secrets:${each}`),
);
const TEXT = "pä55wörd <b>\n  second line";
const FILE_BYTES = 3_000_000;
const words = await loadStrings("en");

/** The steps of the flows, as the page names them. */
const NAMES = {
  signIn: words.signIn.button,
  // Opening a secret.
  sentToYou: words.open.title,
  sentByPerson: words.open.titleBy("bob@example.com"),
  open: words.open.button,
  passphrase: words.passphrase.label,
  wrongPassphrase: words.open.wrongPassphrase,
  opened: words.opened.text,
  show: words.opened.show,
  text: words.theText,
  openedFile: words.opened.file,
  download: words.opened.download,
  // Sending one.
  send: words.titles.send,
  content: words.content.label,
  createLink: words.send.button,
  sent: words.sent.title,
  link: words.sent.link,
  // Asking for one.
  ask: words.titles.ask,
  createRequest: words.ask.button,
  asked: words.asked.title,
  requestLink: words.asked.link,
  collect: words.collect.title,
  openThis: (idEnd: string) => words.collect.actionOn(words.collect.open, words.collect.secret(1), idEnd),
  // Handing it in.
  askedOfYou: words.submit.title,
  whatIsHandedIn: words.submit.label,
  handIn: words.submit.button,
  handedIn: words.submit.done.title,
} as const;

/** The text that a program has written. */
const utf8 = (output: string) => Buffer.from(output, "latin1").toString();

interface Scene {
  readonly page: Visit;
  readonly place: Place;
  /** Flows on the command line. */
  readonly ann: Person;
}

/** The engines that keep a session's cookie over HTTPS only, even on this machine. */
const NEED_HTTPS: ReadonlySet<string> = new Set(["WebKit"]);

/** A sign-in link for a person. */
const invite = (place: Place) =>
  place.admin("person", "add", "bob@example.com", "--team", place.team, "--base-url", place.server.url);

async function signInBy(page: Visit, link: string): Promise<void> {
  await page.goto(link);
  await page.see(words.signIn.title);
  await page.press(NAMES.signIn);
  await page.see(NAMES.send);
}

/** Signs a person in. */
async function signIn({ page, place }: Scene): Promise<void> {
  await signInBy(page, await invite(place));
}

const OPENING = "a link opens a secret once, only when it is told to, and a reload loses neither";
const SENDING = "somebody who is signed in sends a text, and a file of 3 MB that comes back byte for byte";

/** The flows, by the sentence that holds in each engine. */
const FLOWS: Readonly<Record<string, (scene: Scene) => Promise<void>>> = {
  [OPENING]: async ({ page, ann }) => {
    const link = await ann.must(["send"], { stdin: TEXT });
    await page.goto(link);
    await page.see(NAMES.sentToYou);
    await page.reload();
    await page.see(NAMES.sentToYou);
    expect(await ann.must(["status", link])).toStartWith("waiting");
    await page.press(NAMES.open);
    await page.see(NAMES.opened);
    await page.press(NAMES.show);
    expect(await page.text(NAMES.text)).toBe(TEXT);
    expect(await ann.must(["status", link])).toStartWith("opened");
    await page.reload();
    await page.see(NAMES.opened);
    await page.press(NAMES.show);
    expect(await page.text(NAMES.text)).toBe(TEXT);
  },

  "a wrong passphrase can be tried again, and the right one opens the secret": async ({ page, ann }) => {
    await Bun.write(join(ann.home, "passphrase"), "correct horse\n");
    await page.goto(await ann.must(["send", "--passphrase-file", "passphrase"], { stdin: TEXT }));
    await page.see(NAMES.sentToYou);
    await page.fill(NAMES.passphrase, "wrong");
    await page.press(NAMES.open);
    await page.read(NAMES.wrongPassphrase);
    await page.fill(NAMES.passphrase, "correct horse");
    await page.press(NAMES.open);
    await page.see(NAMES.opened);
    await page.press(NAMES.show);
    expect(await page.text(NAMES.text)).toBe(TEXT);
  },

  [SENDING]: async (scene) => {
    const { page, place, ann } = scene;
    await signIn(scene);
    await page.fill(NAMES.content, TEXT);
    await page.press(NAMES.createLink);
    await page.see(NAMES.sent);
    expect(utf8(await ann.must(["open", "--yes", await page.text(NAMES.link)]))).toBe(TEXT);

    const bytes = randomBytes(FILE_BYTES);
    const file = join(ann.home, "dump.sql");
    await Bun.write(file, bytes);
    await page.goto(place.server.url);
    await page.see(NAMES.send);
    await page.chooseFile(file);
    await page.press(NAMES.createLink);
    await page.see(NAMES.sent);
    await page.goto(await page.text(NAMES.link));
    await page.see(NAMES.sentByPerson);
    await page.press(NAMES.open);
    await page.see(NAMES.openedFile);
    const downloaded = await page.download(NAMES.download("dump.sql"), { name: "dump.sql", bytes: bytes.length });
    expect(downloaded.equals(bytes)).toBe(true);
  },

  "what was asked for is handed in": async ({ page, ann }) => {
    const link = await ann.must(["request", "--note", "The staging password"]);
    await page.goto(link);
    await page.see(NAMES.askedOfYou);
    await page.read("The staging password");
    await page.fill(NAMES.whatIsHandedIn, TEXT);
    await page.press(NAMES.handIn);
    await page.see(NAMES.handedIn);
    expect(utf8(await ann.must(["collect", /req_\w+/.exec(link)?.[0] ?? ""]))).toBe(TEXT);
  },

  "somebody who asked collects what is handed in, as soon as it is": async (scene) => {
    const { page, place, ann } = scene;
    await signIn(scene);
    await page.goto(`${place.server.url}/ask`);
    await page.see(NAMES.ask);
    await page.press(NAMES.createRequest);
    await page.see(NAMES.asked);
    const link = await page.text(NAMES.requestLink);
    await page.goto(`${place.server.url}/c/${/req_\w+/.exec(link)?.[0]}`);
    await page.see(NAMES.collect);
    const handedIn = await ann.must(["submit", "--json", link], { stdin: TEXT });
    await page.press(NAMES.openThis(`…${JSON.parse(handedIn).secret_id.slice(-6)}`));
    await page.see(NAMES.opened);
    await page.press(NAMES.show);
    expect(await page.text(NAMES.text)).toBe(TEXT);
  },
};

/** The engines that store no files, at least not while they are driven, as other browsers in private windows. */
const STORE_NOTHING: ReadonlySet<string> = new Set(["WebKit"]);

/** Sends files that are too large for one envelope. */
async function sendLarge(ann: Person): Promise<{ readonly link: string; readonly files: ReadonlyMap<string, Buffer> }> {
  const files = new Map(["disk.img", "dump.sql"].map((name) => [name, randomBytes(2 * FILE_BYTES)]));
  for (const [name, bytes] of files) await Bun.write(join(ann.home, name), bytes);
  return { link: await ann.must(["send", ...files.keys()]), files };
}

/** A server with a certificate that the command line trusts: without TLS, some engines keep no session. */
async function openTlsPlace(
  folder: string,
  flags: readonly string[] = [],
): Promise<{ readonly place: Place; readonly ann: Person }> {
  const { cert, key } = makeCertificate(folder);
  const place = await openPlace(["--tls-cert", cert, "--tls-key", key, ...flags]);
  const env = { HANDOFF_URL: place.server.url, HANDOFF_API_KEY: await place.mint(SCOPES), NODE_EXTRA_CA_CERTS: cert };
  const ann = openPerson(join(place.folder, "ann"), env);
  return { place, ann };
}

// Chromium goes all these ways in the tests of the page, over plain http; over TLS one is enough.
for (const [name, start] of Object.entries(ENGINES)) {
  describe(`in ${name}`, () => {
    const stack = new AsyncDisposableStack();
    afterAll(() => stack.disposeAsync());
    let engine: Engine;
    let tls: Awaited<ReturnType<typeof openTlsPlace>>;
    beforeAll(async () => {
      tls = await openTlsPlace(stack.use(temporaryFolder()).path);
      stack.use(tls.place);
      engine = stack.use(await start(stack.use(temporaryFolder()).path));
    });

    const isChromium = name === "Chromium";
    for (const [sentence, walk] of Object.entries(FLOWS)) {
      if (isChromium && sentence !== SENDING) continue;
      test(sentence, async () => {
        await using page = await visit(engine);
        await walk({ page, ...tls });
      });
    }
    if (isChromium) return;

    if (STORE_NOTHING.has(name)) {
      test("before a large secret is opened, it is said that this browser can't store it", async () => {
        const { link } = await sendLarge(tls.ann);
        await using page = await visit(engine);
        await page.goto(link);
        await page.see(NAMES.sentToYou);
        await page.read(words.largeOpening.unable);
        expect(await tls.ann.must(["status", link])).toStartWith("waiting");
      });
    } else {
      test("a large secret of two files, 12 MB together, is opened byte for byte", async () => {
        const { link, files } = await sendLarge(tls.ann);
        await using page = await visit(engine);
        await page.goto(link);
        await page.see(NAMES.sentToYou);
        await page.press(NAMES.open);
        await page.see(words.open.files(files.size));
        for (const [file, bytes] of files) {
          const downloaded = await page.download(NAMES.download(file), { name: file, bytes: bytes.length });
          expect(downloaded.equals(bytes)).toBe(true);
        }
      });
    }
    test("a file that is too large for one envelope is sent in pieces, and arrives byte for byte", async () => {
      const { place, ann } = await openTlsPlace(stack.use(temporaryFolder()).path, ["--max-ciphertext", "64KiB"]);
      stack.use(place);
      await using page = await visit(engine);
      await signIn({ page, place, ann });
      const bytes = randomBytes(FILE_BYTES);
      await Bun.write(join(ann.home, "dump.sql"), bytes);
      await page.chooseFile(join(ann.home, "dump.sql"));
      await page.press(NAMES.createLink);
      await page.see(NAMES.sent);
      await ann.must(["open", "--yes", await page.text(NAMES.link), "--output", "in"]);
      expect(Buffer.compare(await Bun.file(join(ann.home, "in/dump.sql")).bytes(), bytes)).toBe(0);
    });

    const isRefused = NEED_HTTPS.has(name);
    test(`over plain http a link is opened on this machine; ${isRefused ? "somebody is told that this browser needs HTTPS, and their sign-in link stays good" : "somebody signs in, too"}`, async () => {
      await using place = await openPlace();
      const ann = await place.member("ann", SCOPES);
      const link = await invite(place);
      await using page = await visit(engine);
      await FLOWS[OPENING]?.({ page, place, ann });
      if (!isRefused) {
        await signInBy(page, link);
        return;
      }
      await page.goto(link);
      await page.see(words.signIn.needsHttps.title);
      await page.read("Open the link in Chrome or Firefox, or ask your admin for an HTTPS address.");
      await using other = await startChromium();
      await using elsewhere = await visit(other);
      await signInBy(elsewhere, link);
    });
  });
}
