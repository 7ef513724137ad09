import { expect, test } from "bun:test";
import { join } from "node:path";
import { Encrypter } from "age-encryption";
import * as fc from "fast-check";
import { createAgeIdentity, findRecipient } from "../../src/crypto/age-identities.ts";
import { encodeBase64url } from "../../src/crypto/base64url.ts";
import {
  DecryptionError,
  EnvelopeRefusedError,
  LINK_WORK_FACTOR,
  openWithAgeIdentity,
  openWithPassphrase,
  sealToRecipient,
  sealWithPassphrase,
} from "../../src/crypto/envelopes.ts";
import { secretPassphrase } from "../../src/crypto/secret-links.ts";
import { detectCiphertextFormat } from "../../src/domain/age-files.ts";
import { temporaryFolder } from "../support/temporary.ts";
import { withWorkFactor } from "../support/work-factors.ts";

const errorOf = (work: Promise<unknown>) => work.catch((error: unknown) => error);
const bytes = fc.uint8Array({ maxLength: 2000 });

test("a sealed envelope can be opened, and the server recognizes its format", async () => {
  await fc.assert(
    fc.asyncProperty(bytes, fc.string({ unit: "binary" }), async (payload, passphrase) => {
      const sealed = await sealWithPassphrase(payload, secretPassphrase("derived", passphrase), LINK_WORK_FACTOR);
      expect(detectCiphertextFormat(sealed.ciphertext)).toBe("age");
      expect(await openWithPassphrase(sealed, secretPassphrase("derived", passphrase))).toEqual(
        new Uint8Array(payload),
      );
    }),
    { numRuns: 25 },
  );
  for (const kind of ["x25519", "hybrid"] as const) {
    const { ageIdentity: identity, recipient } = await createAgeIdentity(kind);
    const sealed = await sealToRecipient(new TextEncoder().encode("text"), recipient);
    expect(detectCiphertextFormat(sealed.ciphertext)).toBe("age");
    expect(new TextDecoder().decode(await openWithAgeIdentity(sealed, identity))).toBe("text");
  }
});

test("a passphrase works however its characters are composed", () => {
  expect(secretPassphrase("d", "e\u0301")).toBe(secretPassphrase("d", "\u00e9"));
  expect(secretPassphrase("d", undefined)).toBe("d");
  expect(secretPassphrase("d", "")).toBe("d:");
});

test("every failure to decrypt has the same message", async () => {
  const sealed = await sealWithPassphrase(new Uint8Array(10), "right", LINK_WORK_FACTOR);
  const other = await createAgeIdentity("x25519");
  const toKey = await sealToRecipient(new Uint8Array(10), (await createAgeIdentity("x25519")).recipient);
  const ciphertext = sealed.ciphertext.replace(/.(?=.$)/, (each) => (each === "A" ? "B" : "A"));
  const changed = { ...sealed, ciphertext };
  const attempts = [
    openWithPassphrase(sealed, "wrong"),
    openWithPassphrase(changed, "right"),
    openWithPassphrase({ ...sealed, ciphertext: "fake-local-test-only" }, "right"),
    openWithPassphrase({ ...sealed, ciphertext: "not!base64" }, "right"),
    openWithAgeIdentity(toKey, other.ageIdentity),
    openWithAgeIdentity(toKey, "AGE-SECRET-KEY-1NOTONE"),
  ];
  const errors = await Promise.all(attempts.map((attempt) => attempt.catch((error: unknown) => error)));
  expect(errors).toEqual(attempts.map(() => new DecryptionError()));
});

test("a work factor above 17 is refused untried, and so are other headers that no key can open", async () => {
  const sealed = await sealWithPassphrase(new Uint8Array(10), "right", LINK_WORK_FACTOR);
  const { ageIdentity, recipient } = await createAgeIdentity("hybrid");
  const toKey = await sealToRecipient(new Uint8Array(10), recipient);
  const many = new Encrypter();
  for (let count = 0; count < 50; count++) many.addRecipient(recipient);
  const toMany = { version: 1, ciphertext: encodeBase64url(await many.encrypt("text")) } as const;
  const refusals = [
    [withWorkFactor(sealed, 18), "settings_refused"],
    [{ ...sealed, version: 2 as 1 }, "version_unknown"],
    [toKey, "encrypted_otherwise"],
    [toMany, "settings_refused"],
  ] as const;
  const started = performance.now();
  for (const [envelope, refusal] of refusals) {
    for (const passphrase of ["right", "wrong"]) {
      expect(await errorOf(openWithPassphrase(envelope, passphrase))).toEqual(new EnvelopeRefusedError(refusal));
    }
  }
  // At work factor 18 scrypt alone takes most of a second.
  expect(performance.now() - started).toBeLessThan(300);
  const other = await createAgeIdentity("x25519");
  for (const key of [ageIdentity, other.ageIdentity]) {
    expect(await errorOf(openWithAgeIdentity(sealed, key))).toEqual(new EnvelopeRefusedError("encrypted_otherwise"));
  }
  // A stanza of the right kind for another key isn't a fault of the header.
  expect(await errorOf(openWithAgeIdentity(toKey, other.ageIdentity))).toEqual(new DecryptionError());
});

test("Debian's age and handoff open each other's files for an X25519 recipient", async () => {
  using folder = temporaryFolder();
  const { ageIdentity: identity, recipient } = await createAgeIdentity("x25519");
  const key = join(folder.path, "key.txt");
  await Bun.write(key, `${identity}\n`);
  for (const size of [0, 1, 65_536, 200_000]) {
    const payload = crypto.getRandomValues(new Uint8Array(size % 65_536)).slice();
    const sealed = await sealToRecipient(payload, recipient);
    expect(await run(["age", "-d", "-i", key], Buffer.from(sealed.ciphertext, "base64url"))).toEqual(payload);
    const theirs = await run(["age", "-r", (await findRecipient(identity)) ?? ""], payload);
    expect(
      await openWithAgeIdentity({ version: 1, ciphertext: Buffer.from(theirs).toString("base64url") }, identity),
    ).toEqual(payload);
  }
});

async function run(command: string[], stdin: Uint8Array): Promise<Uint8Array> {
  const child = Bun.spawn(command, { stdin, stdout: "pipe", stderr: "inherit" });
  const [output, exitCode] = await Promise.all([child.stdout.bytes(), child.exited]);
  expect(exitCode).toBe(0);
  return new Uint8Array(output);
}
