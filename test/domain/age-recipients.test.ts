import { describe, expect, test } from "bun:test";
import { bech32, bech32m, hex } from "@scure/base";
import { Encrypter, generateHybridIdentity, generateX25519Identity, identityToRecipient } from "age-encryption";
import * as fc from "fast-check";
import { parseRecipientKind } from "../../src/domain/age-recipients.ts";

/** The example of C2SP age.md. */
const X25519 = "age1zvkyg2lqzraa2lnjvqej32nkuu0ues2s82hzrye869xeexvn73equnujwj";
const X25519_IDENTITY = await generateX25519Identity();
const HYBRID_IDENTITY = await generateHybridIdentity();
const HYBRID = await identityToRecipient(HYBRID_IDENTITY);

const LOW_ORDER = [
  "0000000000000000000000000000000000000000000000000000000000000000",
  "0100000000000000000000000000000000000000000000000000000000000000",
  "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
  "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
  "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
];

const bytesOf = (recipient: string) => {
  const decoded = bech32.decodeUnsafe(recipient, false);
  return decoded ? bech32.fromWords(decoded.words) : new Uint8Array();
};
const encode = (prefix: string, bytes: Uint8Array) => bech32.encode(prefix, bech32.toWords(bytes), false);

/** The hybrid recipient with other bytes at this offset. */
function altered(at: number, bytes: Uint8Array): string {
  const key = bytesOf(HYBRID);
  key.set(bytes, at);
  return encode("age1pq", key);
}

async function ageTakes(recipient: string): Promise<boolean> {
  try {
    const encrypter = new Encrypter();
    encrypter.addRecipient(recipient);
    await encrypter.encrypt(new Uint8Array());
    return true;
  } catch {
    return false;
  }
}

describe("a recipient", () => {
  test("that age makes is recognised by its kind", async () => {
    expect([X25519.length, HYBRID.length]).toEqual([62, 1959]);
    expect(parseRecipientKind(X25519)).toBe("x25519");
    for (let i = 0; i < 20; i++) {
      expect(parseRecipientKind(await identityToRecipient(await generateX25519Identity()))).toBe("x25519");
      expect(parseRecipientKind(await identityToRecipient(await generateHybridIdentity()))).toBe("hybrid");
    }
  });

  test.each([
    ["nothing", ""],
    ["prose", "fake-local-test-only"],
    ["an identity", X25519_IDENTITY],
    ["a hybrid identity", HYBRID_IDENTITY],
    ["a tagged recipient", "age1tag1qt8lw0ual6avlwmwatk888yqnmdamm7xfd0wak53ut6elz5c4swx2yqdj4e"],
    ["a plugin's recipient", encode("age1yubikey", new Uint8Array(33).fill(2))],
    ["an SSH key", "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHsKLqeplhpW+uObz5dvMgjz1OxfM/XXUB+VHtZ6isGN"],
    ["capitals", X25519.toUpperCase()],
    ["a capital", X25519.replace("age1z", "age1Z")],
    ["capitals in a hybrid recipient", HYBRID.toUpperCase()],
    ["a line end", `${X25519}\n`],
    ["a space", ` ${X25519}`],
    ["two recipients", `${X25519}${X25519}`],
    ["31 bytes", encode("age", new Uint8Array(31).fill(9))],
    ["33 bytes", encode("age", new Uint8Array(33).fill(9))],
    ["the other checksum", bech32m.encode("age", bech32m.toWords(bytesOf(X25519)), false)],
    [
      "padding bits that are not zero",
      bech32.encode("age", [...bech32.toWords(bytesOf(X25519)).slice(0, -1), 1], false),
    ],
    ["a hybrid key under the classic prefix", encode("age", bytesOf(HYBRID))],
    ["a classic key under the hybrid prefix", encode("age1pq", bytesOf(X25519))],
    ["a short hybrid key", encode("age1pq", bytesOf(HYBRID).subarray(1))],
    ["an ML-KEM coefficient out of range", altered(0, Uint8Array.of(0x01, 0x0d))],
    ["the second coefficient out of range", altered(0, Uint8Array.of(0, 0x10, 0xd0))],
    ["the last coefficient out of range", altered(1150, Uint8Array.of(0xf0, 0xff))],
  ])("is not %s", (_, text) => {
    expect(parseRecipientKind(text)).toBeUndefined();
  });

  test("may hold the largest coefficient there is", async () => {
    const recipient = altered(0, Uint8Array.of(0x00, 0x0d, 0xd0));
    expect([parseRecipientKind(recipient), await ageTakes(recipient)]).toEqual(["hybrid", true]);
  });

  test.each(LOW_ORDER)("with the low-order point %s is refused, as age refuses it", async (point) => {
    const bytes = hex.decode(point);
    const masked = Uint8Array.from(bytes, (byte, i) => (i === 31 ? byte | 0x80 : byte));
    for (const recipient of [encode("age", bytes), encode("age", masked), altered(1184, bytes)]) {
      expect(parseRecipientKind(recipient)).toBeUndefined();
      expect(await ageTakes(recipient)).toBe(false);
    }
  });

  test("beside a point of low order is taken", async () => {
    for (const first of ["02", "ef"]) {
      const recipient = encode(
        "age",
        hex.decode(`${first}${first === "02" ? "00".repeat(31) : `${"ff".repeat(30)}7f`}`),
      );
      expect([parseRecipientKind(recipient), await ageTakes(recipient)]).toEqual(["x25519", true]);
    }
  });

  test("with any one character changed is refused", () => {
    const character = fc.constantFrom(..."qpzry9x8gf2tvdw0s3jn54khce6mua7l1bioAGE \n".split(""));
    for (const recipient of [X25519, HYBRID]) {
      const property = fc.property(fc.nat(recipient.length - 1), character, (at, other) => {
        fc.pre(recipient[at] !== other);
        expect(parseRecipientKind(recipient.slice(0, at) + other + recipient.slice(at + 1))).toBeUndefined();
      });
      fc.assert(property, { numRuns: 300 });
    }
  });

  test("of any bytes is taken only if age takes it", async () => {
    const bytes = fc.uint8Array({ minLength: 31, maxLength: 33 });
    const property = fc.asyncProperty(bytes, async (key) => {
      const recipient = encode("age", key);
      expect(parseRecipientKind(recipient) !== undefined).toBe(await ageTakes(recipient));
    });
    await fc.assert(property);
  });

  test("is never a reason to throw", () => {
    const tail = fc.string({ unit: "binary" });
    const texts = fc.oneof(
      tail,
      tail.map((text) => `age1${text}`),
      tail.map((text) => X25519 + text),
    );
    fc.assert(fc.property(texts, (text) => parseRecipientKind(text) === (text === X25519 ? "x25519" : undefined)));
  });
});
