import { sealContent, storeLargeSecret } from "../src/client/large/large-secrets.ts";
import { toLargeContent } from "../src/client/large/sends.ts";
import { sealSecret } from "../src/client/sends.ts";
import { storeSecret } from "../src/client/stored-secrets.ts";
import { encodeContent } from "../src/crypto/contents.ts";
import type { Content } from "../src/crypto/contents.ts";
import { samplePdf, samplePng } from "../test/support/samples.ts";
import { withWorkFactor } from "../test/support/work-factors.ts";
import type { Stage } from "./screens.ts";

const fileOf = (name: string, bytes: Uint8Array | string) => ({
  name,
  bytes: Buffer.from(bytes),
  isExecutable: false,
  isFolder: false,
});
const PEM = `-----BEGIN PRIVATE KEY-----\n${`${"fakelocaltestonly".repeat(4).slice(0, 64)}\n`.repeat(8)}-----END PRIVATE KEY-----\n`;
const PARAGRAPHS =
  "Hello Mia,\n\nhere is what we talked about. The door of the server room opens with the blue card; the code changes on Monday.\n\nBest, Ann\n";
const ZIP = Buffer.from("PK\x03\x04 fake-local-test-only", "latin1");

/** Files of every kind, with names of every length. */
const KINDS: Content = {
  kind: "files",
  files: [
    fileOf("a-name-that-is-so-long-that-it-has-to-be-broken-somewhere-on-every-phone-there-is.txt", PARAGRAPHS),
    fileOf("server.key", PEM),
    fileOf("photos/2026/guest-wifi.png", samplePng(64)),
    fileOf("contract.pdf", samplePdf("Contract")),
    fileOf("backup.zip", ZIP),
    fileOf("empty", ""),
  ],
};

/** The screens of each kind of opened content, and of content that can't be shown. */
const CONTENTS: Readonly<Record<string, Content>> = {
  "opened-paragraphs": { kind: "text", text: PARAGRAPHS },
  "opened-key": { kind: "text", text: PEM },
  "opened-long": { kind: "text", text: PARAGRAPHS.repeat(500) },
  "opened-image": { kind: "files", files: [fileOf("guest-wifi.png", samplePng(400))] },
  "opened-pdf": { kind: "files", files: [fileOf("contract.pdf", samplePdf("Contract"))] },
  "opened-zip": { kind: "files", files: [fileOf("backup.zip", ZIP)] },
  "opened-binary": { kind: "binary", bytes: new Uint8Array(3000).fill(0xfe) },
  "opened-kinds": KINDS,
};

/** Sends what none of our clients would make: content changed by `change`, or an envelope made by `forge`. */
async function sendForeign(
  { client }: Stage,
  bytes: Uint8Array,
  forge: (sealed: Awaited<ReturnType<typeof sealSecret>>["envelope"]) => typeof sealed = (sealed) => sealed,
): Promise<string> {
  const sealed = await sealSecret(bytes, undefined);
  const envelope = forge(sealed.envelope);
  return (await storeSecret(client, { ...sealed, envelope }, { ttlSeconds: undefined, maxClaims: undefined })).link;
}

async function open({ page }: Stage, link: string): Promise<void> {
  await page.goto(link);
  await page.locator("main form button[type=submit]").click();
}

async function openContent(stage: Stage, content: Content): Promise<void> {
  await open(stage, await sendForeign(stage, await encodeContent(content)));
  await stage.page.locator("main .left").waitFor();
}

/** Sends the files of a kind of content in pieces, as what is too large for one envelope. */
async function sendLarge({ client }: Stage, content: Content): Promise<string> {
  const large = await toLargeContent(content);
  if (large?.bytes === undefined) throw new Error("this can't be sent in pieces");
  const sealed = await sealContent(await large.plaintext(), undefined, large.hint);
  const stream = { ciphertext: sealed.ciphertext, bytes: sealed.sizeOf(large.bytes) };
  return (await storeLargeSecret(client, sealed, stream, { ttlSeconds: undefined, maxClaims: undefined })).link;
}

async function showAll({ page }: Stage): Promise<void> {
  for (const eye of await page.locator("main li [aria-expanded=false]").all()) await eye.click();
  const eye = page.locator("main .secret-tools .only-icon").last();
  if (await eye.isVisible()) await eye.click();
  await page.waitForTimeout(500);
}

/** The way to each screen that shows opened content, or says why it isn't shown. */
export const CONTENT_SCREENS: Readonly<Record<string, (stage: Stage) => Promise<unknown>>> = {
  ...Object.fromEntries(
    Object.entries(CONTENTS).map(([name, content]) => [name, (stage: Stage) => openContent(stage, content)]),
  ),
  "opened-image-shown": async (stage) => {
    await openContent(stage, CONTENTS["opened-image"] ?? { kind: "text", text: "" });
    await showAll(stage);
  },
  "opened-key-shown": async (stage) => {
    await openContent(stage, CONTENTS["opened-key"] ?? { kind: "text", text: "" });
    await showAll(stage);
  },
  "open-large": async (stage) => {
    await stage.page.goto(await sendLarge(stage, KINDS));
    await stage.page.locator("main form").waitFor();
  },
  "open-large-progress": async (stage) => {
    await stage.page.route("**/ciphertext", () => undefined);
    await open(stage, await sendLarge(stage, KINDS));
    await stage.page.locator("main progress").waitFor();
  },
  "open-large-unable": async (stage) => {
    await stage.page.addInitScript("delete StorageManager.prototype.getDirectory");
    await stage.page.goto(await sendLarge(stage, KINDS));
  },
  "opened-large": async (stage) => {
    await open(stage, await sendLarge(stage, KINDS));
    await stage.page.locator("main .left").waitFor();
  },
  "opened-large-text": async (stage) => {
    const files = [fileOf("backup.zip", ZIP)];
    await open(
      stage,
      await sendLarge(stage, { kind: "both", text: "The password of the ZIP is beside the door.", files }),
    );
    await stage.page.locator("main .left").waitFor();
  },
  "opened-damaged": async (stage) => {
    const whole = await encodeContent({ kind: "files", files: [fileOf("a.txt", PARAGRAPHS)] });
    await open(stage, await sendForeign(stage, whole.slice(0, 600)));
    await stage.page.locator("main .left").waitFor();
  },
  "open-refused": async (stage) => {
    await open(stage, await sendForeign(stage, Buffer.from("text"), (sealed) => withWorkFactor(sealed, 18)));
    await stage.page.locator("main .seal.warn").waitFor();
  },
  "open-undecryptable": async (stage) => {
    const forge = ({ version, ciphertext }: { version: 1; ciphertext: string }) =>
      ({ version, ciphertext: `${ciphertext.slice(0, -4)}AAAA` }) as const;
    await open(stage, await sendForeign(stage, Buffer.from("text"), forge));
    await stage.page.locator("main .seal.warn").waitFor();
  },
  "open-offline": async (stage) => {
    await stage.page.goto(await sendForeign(stage, Buffer.from("text")));
    await stage.page.locator("main form button[type=submit]").waitFor();
    await stage.page.route("**/api/**", (route) => route.abort());
    await stage.page.locator("main form button[type=submit]").click();
    await stage.page.locator("main [role=alert]").filter({ hasText: /\S/ }).waitFor();
  },
};
