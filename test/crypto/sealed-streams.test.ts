import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createAgeIdentity } from "../../src/crypto/age-identities.ts";
import {
  DecryptionError,
  EnvelopeRefusedError,
  LINK_WORK_FACTOR,
  MAX_HEADER_BYTES,
  openWithPassphrase,
  sealToRecipient,
  sealWithPassphrase,
} from "../../src/crypto/envelopes.ts";
import { openHeader, sealStream } from "../../src/crypto/sealed-streams.ts";
import type { StreamKey } from "../../src/crypto/sealed-streams.ts";
import { bytesOf, streamOf } from "../support/byte-streams.ts";
import { temporaryFolder } from "../support/temporary.ts";
import { withWorkFactor } from "../support/work-factors.ts";

const CHUNK = 65_536;
const errorOf = (work: Promise<unknown>) => work.catch((error: unknown) => error);

async function seal(plaintext: Uint8Array, passphrase = "right"): Promise<Uint8Array> {
  return bytesOf((await sealStream(streamOf(plaintext), passphrase, LINK_WORK_FACTOR)).ciphertext);
}

async function open(file: Uint8Array, key: StreamKey = { passphrase: "right" }, pieceBytes?: number) {
  return bytesOf(await (await openHeader(streamOf(file, pieceBytes))).unlock(key));
}

test("a sealed stream has the length that was foretold, and opens in pieces of any size", async () => {
  for (const size of [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK]) {
    const plaintext = crypto.getRandomValues(Buffer.alloc(CHUNK)).subarray(0, size);
    const whole = new Uint8Array(size);
    for (let at = 0; at < size; at += CHUNK) whole.set(plaintext.subarray(0, size - at), at);
    const { ciphertext, sizeOf } = await sealStream(streamOf(whole), "right", LINK_WORK_FACTOR);
    const file = await bytesOf(ciphertext);
    expect(file.length).toBe(sizeOf(size));
    for (const pieceBytes of [file.length, 5003]) expect(await open(file, undefined, pieceBytes)).toEqual(whole);
    // It is the same file that an envelope has.
    const envelope = { version: 1 as const, ciphertext: Buffer.from(file).toString("base64url") };
    expect(await openWithPassphrase(envelope, "right")).toEqual(whole);
  }
});

test("a wrong passphrase is refused before anything is decrypted, and the right one works afterwards", async () => {
  const header = await openHeader(streamOf(await seal(new Uint8Array(200_000))));
  expect(await errorOf(header.unlock({ passphrase: "wrong" }))).toEqual(new DecryptionError());
  expect(await bytesOf(await header.unlock({ passphrase: "right" }))).toEqual(new Uint8Array(200_000));
});

test("what is sealed to an identity opens with it alone", async () => {
  const [mine, other] = [await createAgeIdentity("x25519"), await createAgeIdentity("hybrid")];
  const { ciphertext } = await sealToRecipient(new Uint8Array(100_000), mine.recipient);
  const file = new Uint8Array(Buffer.from(ciphertext, "base64url"));
  const both = { ageIdentities: [other.ageIdentity, mine.ageIdentity] };
  expect(await open(file, both)).toEqual(new Uint8Array(100_000));
  expect(await errorOf(open(file, { ageIdentities: [other.ageIdentity] }))).toEqual(new DecryptionError());
  expect(await errorOf(open(file))).toEqual(new EnvelopeRefusedError("encrypted_otherwise"));
});

test("a file that was cut off anywhere, lengthened or changed is refused", async () => {
  const file = await seal(crypto.getRandomValues(Buffer.alloc(CHUNK)));
  const headerBytes = file.length - CHUNK - 16;
  // Every place in the header, and around the ends of the chunks.
  const cuts = [...Array(headerBytes + 40).keys(), file.length - 17, file.length - 16, file.length - 1];
  for (const cut of cuts) {
    expect(await errorOf(open(file.subarray(0, cut))), `cut at ${cut}`).toEqual(new DecryptionError());
  }
  expect(await errorOf(open(Buffer.concat([file, Buffer.from([0])])))).toEqual(new DecryptionError());
  for (const at of [40, headerBytes - 1, headerBytes + 1, file.length - 1]) {
    const changed = new Uint8Array(file);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(await errorOf(open(changed)), `changed at ${at}`).toBeInstanceOf(DecryptionError);
  }
  // After whole chunks, too.
  const long = await seal(new Uint8Array(3 * CHUNK));
  const cutAfterChunk = long.subarray(0, long.length - CHUNK - 16);
  expect(await errorOf(open(cutAfterChunk))).toEqual(new DecryptionError());
});

test("a change is what is said of a file whose rest is still on its way to a slow reader", async () => {
  const file = await seal(crypto.getRandomValues(Buffer.alloc(4 * CHUNK)));
  const at = file.length - 3 * CHUNK;
  file[at] = (file[at] ?? 0) ^ 1;
  const pieces = [file.subarray(0, file.length - CHUNK), file.subarray(file.length - CHUNK)];
  const canceled = Promise.withResolvers<void>();
  const slow = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const piece = pieces.shift();
      if (pieces.length === 0) await canceled.promise;
      if (piece) controller.enqueue(piece);
    },
    // The decryption has given up.
    cancel: () => canceled.resolve(),
  });
  const reader = (await (await openHeader(slow)).unlock({ passphrase: "right" })).getReader();
  expect((await reader.read()).value).toHaveLength(CHUNK);
  await canceled.promise;
  await new Promise((resolve) => setTimeout(resolve));
  expect(await errorOf(reader.read())).toEqual(new DecryptionError());
});

test("a slow or endless header is refused without being tried", async () => {
  const { version, ciphertext } = await sealWithPassphrase(new Uint8Array(10), "right", LINK_WORK_FACTOR);
  const slow = withWorkFactor({ version, ciphertext }, 18).ciphertext;
  const endless = Buffer.from(`age-encryption.org/v1\n-> scrypt a 10\n${"A".repeat(MAX_HEADER_BYTES)}`);
  for (const file of [new Uint8Array(Buffer.from(slow, "base64url")), new Uint8Array(endless)]) {
    expect(await errorOf(open(file))).toEqual(new EnvelopeRefusedError("settings_refused"));
  }
});

test("an error of the stream is thrown as it is, wherever it comes", async () => {
  const file = await seal(new Uint8Array(4 * CHUNK));
  const lost = new Error("connection lost");
  for (const cut of [10, 100, CHUNK, file.length]) {
    const opened = openHeader(streamOf(file.subarray(0, cut), 5000, lost));
    expect(await errorOf(opened.then((each) => each.unlock({ passphrase: "right" })).then(bytesOf))).toBe(lost);
  }
  const broken = streamOf(new Uint8Array(100_000), 5000, lost);
  expect(await errorOf(bytesOf((await sealStream(broken, "right", LINK_WORK_FACTOR)).ciphertext))).toBe(lost);
});

test("stock age opens a sealed stream", async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, "secret.age");
  await Bun.write(path, await seal(new Uint8Array(200_000).fill(7), "a passphrase"));
  let isAsked = false;
  // age asks for passphrases on a terminal only.
  const child = Bun.spawn(["age", "-d", "-o", `${path}.bin`, path], {
    terminal: {
      data(terminal, bytes) {
        if (isAsked || !new TextDecoder().decode(bytes).includes("passphrase")) return;
        isAsked = true;
        terminal.write("a passphrase\n");
      },
    },
  });
  expect(await child.exited).toBe(0);
  expect(new Uint8Array(readFileSync(`${path}.bin`))).toEqual(new Uint8Array(200_000).fill(7));
});
