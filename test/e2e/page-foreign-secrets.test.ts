import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { createAgeIdentity } from "../../src/crypto/age-identities.ts";
import { encodeContent } from "../../src/crypto/contents.ts";
import { sealToRecipient, sealWithPassphrase } from "../../src/crypto/envelopes.ts";
import { secretPassphrase } from "../../src/crypto/secret-links.ts";
import { PAGE_TEST_MS, startBrowser } from "../support/browsers.ts";
import { sendForeign } from "../support/foreign-secrets.ts";
import { press, seeScreen } from "../support/page-visits.ts";
import { shareServer } from "../support/people.ts";
import { withWorkFactor } from "../support/work-factors.ts";

setDefaultTimeout(PAGE_TEST_MS);
const browser = await startBrowser();
afterAll(() => browser[Symbol.asyncDispose]());
const openPlace = shareServer();

const TEXT = new TextEncoder().encode("made elsewhere");

test("a secret with unsupported encryption is reported as such, and not as a wrong link or passphrase", async () => {
  await using place = await openPlace();
  const bob = place.person("bob");
  const recipient = (await createAgeIdentity("x25519")).recipient;
  const slow = async (passphrase: string) => withWorkFactor(await sealWithPassphrase(TEXT, passphrase, 10), 18);
  const slowLink = await sendForeign(place, slow, { maxClaims: 2 });
  const lockedLink = await sendForeign(place, (derived) => slow(secretPassphrase(derived, "right")), {
    needsPassphrase: true,
    maxClaims: 2,
  });
  const keyLink = await sendForeign(place, () => sealToRecipient(TEXT, recipient), { maxClaims: 2 });
  const visit = await browser.open();
  const { page } = visit;
  for (const [link, said] of [
    [slowLink, "encrypted with settings that this page refuses"],
    [lockedLink, "encrypted with settings that this page refuses"],
    [keyLink, "encrypted for another key"],
  ] as const) {
    await page.goto(link);
    // The passphrase makes no difference, and is not blamed.
    if (link === lockedLink) await page.getByLabel("Passphrase", { exact: true }).fill("wrong");
    await press(page, "Open secret");
    await seeScreen(visit, "This secret can't be opened");
    await page.getByText(said).waitFor();
    expect(await page.getByText(/doesn't work|doesn't belong/).count()).toBe(0);
    // Trying again would not help.
    expect(await page.getByText(/again right away/).count()).toBe(0);
    expect(await page.locator("main").getByRole("button").count()).toBe(0);
  }
  await Bun.write(`${bob.home}/passphrase`, "wrong");
  for (const [link, said, code] of [
    [slowLink, "with settings that handoff refuses", "settings_refused"],
    [lockedLink, "with settings that handoff refuses", "settings_refused"],
    [keyLink, "to something else than this link", "encrypted_otherwise"],
  ] as const) {
    const args = ["open", "--yes", "--json", link, "--passphrase-file", "passphrase"];
    const { exitCode, stdout, stderr } = await bob.run(link === lockedLink ? args : args.slice(0, 4));
    expect({ exitCode, stdout }).toEqual({ exitCode: 5, stdout: "" });
    expect(stderr).toContain(said);
    expect(stderr).toContain(code);
    // Running it again would not help.
    expect(stderr).not.toContain("Run the same command");
  }
});

test("a damaged archive is reported and saved unchanged, and none of it is shown or printed", async () => {
  await using place = await openPlace();
  const bob = place.person("bob");
  const file = { name: "note.txt", bytes: TEXT, isExecutable: false, isFolder: false };
  const whole = await encodeContent({ kind: "files", files: [file] });
  const damaged = new Uint8Array(Buffer.concat([whole, Buffer.from("behind its end")]));
  const cut = whole.slice(0, 600);
  const visit = await browser.open();
  const { page } = visit;
  for (const bytes of [damaged, cut]) {
    const link = await sendForeign(place, (passphrase) => sealWithPassphrase(bytes, passphrase, 10), { maxClaims: 3 });
    await page.goto(link);
    await press(page, "Open secret");
    await page.getByText("This archive is damaged, so its files can't be shown.").waitFor();
    await seeScreen(visit, "File");
    expect(await page.locator("body").innerText()).not.toContain("made elsewhere");
    const saving = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download", exact: true }).click();
    const saved = await saving;
    expect(saved.suggestedFilename()).toBe("secret.tar");
    expect(new Uint8Array(readFileSync(await saved.path()))).toEqual(bytes);
    await page.goto("about:blank");

    const printed = await bob.run(["open", "--yes", link]);
    expect({ exitCode: printed.exitCode, stdout: printed.stdout }).toEqual({ exitCode: 5, stdout: "" });
    expect(printed.stderr).toContain("damaged");
    expect(printed.stderr).toContain("Run the same command with --output FILE to keep it as it is");
    const name = `${bytes.length}.tar`;
    const written = await bob.run(["open", "--yes", link, "--output", name]);
    expect(written).toMatchObject({ exitCode: 5, stdout: "" });
    expect(written.stderr).toContain("It was written as it came.");
    expect(new Uint8Array(readFileSync(`${bob.home}/${name}`))).toEqual(bytes);
  }
});
