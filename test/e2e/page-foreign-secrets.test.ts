import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { createAgeIdentity } from "../../src/crypto/age-identities.ts";
import { sealToRecipient, sealWithPassphrase } from "../../src/crypto/envelopes.ts";
import { secretPassphrase } from "../../src/crypto/secret-links.ts";
import { PAGE_TEST_MS, startBrowser } from "../support/browsers.ts";
import { sendForeign } from "../support/foreign-secrets.ts";
import { complaint, press, seeScreen } from "../support/page-visits.ts";
import { openPlace } from "../support/people.ts";
import { withWorkFactor } from "../support/work-factors.ts";

setDefaultTimeout(PAGE_TEST_MS);
const browser = await startBrowser();
afterAll(() => browser[Symbol.asyncDispose]());

const TEXT = new TextEncoder().encode("made elsewhere");

test("what was encrypted in a way that is never tried is said to be that, and not that link or passphrase are wrong", async () => {
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
    // Right or wrong, that makes no difference, and is not said.
    if (link === lockedLink) await page.getByLabel("Passphrase", { exact: true }).fill("wrong");
    await press(page, "Open secret");
    await complaint(page, said);
    expect(await page.getByText(/doesn't work|doesn't belong/).count()).toBe(0);
    await seeScreen(visit, "Someone sent you a secret");
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
    // To run it again would not help.
    expect(stderr).not.toContain("Run the same command");
  }
});
