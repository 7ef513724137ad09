import { describe, expect, test } from "bun:test";
import { inflateSync } from "node:zlib";
import { armor, Encrypter, generateHybridIdentity, generateX25519Identity, identityToRecipient } from "age-encryption";
import * as vectors from "cctv-age";
import * as fc from "fast-check";
import { detectCiphertextFormat, isAgeFile } from "../../src/domain/age-files.ts";

const VECTORS = Object.entries(vectors as Record<string, Uint8Array>).map(([name, bytes]) => {
  const split = Buffer.from(bytes).indexOf("\n\n");
  const head = Buffer.from(bytes.subarray(0, split)).toString().split("\n");
  const body = bytes.subarray(split + 2);
  const expected = head.find((line) => line.startsWith("expect: "))?.slice("expect: ".length);
  const file = head.includes("compressed: zlib") ? new Uint8Array(inflateSync(body)) : body;
  return { name, expected, file, armored: head.includes("armored: yes") };
});

/** Vectors whose fault only a key shows: they have the shape of an age file. */
const FAULTS_UNSEEN = `hmac_bad
  hybrid_bad_tag hybrid_currupted_enc_mlkem hybrid_currupted_enc_x25519 hybrid_no_match scrypt_bad_tag scrypt_no_match
  scrypt_uppercase scrypt_work_factor_wrong x25519_bad_tag x25519_lowercase x25519_no_match
  stream_bad_tag stream_bad_tag_second_chunk stream_bad_tag_second_chunk_full stream_no_final stream_no_final_full
  stream_no_final_two_chunks stream_no_final_two_chunks_full stream_trailing_garbage_long stream_two_final_chunks
  stream_two_final_chunks_full stream_two_final_chunks_second stream_two_final_chunks_short`.split(/\s+/);

/** Vectors with a good header whose fault shows without a key: a length, or an unknown stanza that is not small. */
const FAULTS_SEEN = `stream_last_chunk_empty stream_missing_tag stream_no_chunks stream_short_chunk
  stream_short_second_chunk stream_trailing_garbage_short hybrid_uppercase`.split(/\s+/);

const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64url");
const base64 = (length: number, fill = 0x5a) => Buffer.alloc(length, fill).toString("base64").replaceAll("=", "");
const wrap = (text: string) => `${text.replaceAll(/.{64}/g, "$&\n")}\n`;
const stanza = (line: string, bodyBytes = 32) => `-> ${line}\n${wrap(base64(bodyBytes))}`;

/** A file with these stanzas, an arbitrary MAC, and by default the shortest payload. */
function forge(stanzas: string, payload: Uint8Array = new Uint8Array(32).fill(0xff)): Uint8Array {
  return Buffer.concat([Buffer.from(`age-encryption.org/v1\n${stanzas}--- ${base64(32)}\n`), payload]);
}

const X25519 = stanza(`X25519 ${base64(32)}`);
const takes = (stanzas: string) => isAgeFile(forge(stanzas));

async function encrypt(kind: "x25519" | "hybrid" | "scrypt", bytes: number): Promise<Uint8Array> {
  const encrypter = new Encrypter();
  if (kind === "scrypt") {
    encrypter.setPassphrase("fake-local-test-only");
    encrypter.setScryptWorkFactor(10);
  } else {
    const identity = await (kind === "x25519" ? generateX25519Identity() : generateHybridIdentity());
    encrypter.addRecipient(await identityToRecipient(identity));
  }
  return await encrypter.encrypt(new Uint8Array(bytes));
}

describe("judged by the C2SP vectors", () => {
  const binary = VECTORS.filter(({ armored }) => !armored);
  const armored = VECTORS.filter((vector) => vector.armored);
  const names = (found: typeof VECTORS) => found.map(({ name }) => name).toSorted();

  test("every test vector is listed once", () => {
    expect([VECTORS.length, binary.length, armored.length]).toEqual([143, 110, 33]);
    expect([FAULTS_UNSEEN.length, FAULTS_SEEN.length]).toEqual([24, 7]);
    const others = binary.filter(({ expected }) => expected !== "success" && expected !== "header failure");
    expect(names(others)).toEqual([...FAULTS_UNSEEN, ...FAULTS_SEEN].toSorted());
  });

  test("a binary file is accepted if age opens it, or if only a key shows its fault", () => {
    const opened = binary.filter(({ expected }) => expected === "success");
    expect(opened).toHaveLength(19);
    expect(names(binary.filter(({ file }) => isAgeFile(file)))).toEqual(
      [...names(opened), ...FAULTS_UNSEEN].toSorted(),
    );
  });

  test("every file with a malformed header is refused", () => {
    const malformed = binary.filter(({ expected }) => expected === "header failure");
    expect(malformed).toHaveLength(60);
    expect(names(malformed.filter(({ file }) => isAgeFile(file)))).toEqual([]);
  });

  test("an armored file is refused; the file inside the armor is accepted", () => {
    expect(names(armored.filter(({ file }) => isAgeFile(file)))).toEqual([]);
    const opened = armored.filter(({ expected }) => expected === "success");
    expect(opened).toHaveLength(7);
    for (const { file } of opened) expect(isAgeFile(armor.decode(Buffer.from(file).toString()))).toBe(true);
  });

  test("the verdict is the same in base64url", () => {
    for (const { file } of VECTORS) expect(detectCiphertextFormat(base64url(file)) === "age").toBe(isAgeFile(file));
  });
});

describe("what clients make", () => {
  for (const kind of ["x25519", "hybrid", "scrypt"] as const) {
    test.each([0, 1, 65536, 65537, 200_000])(`a ${kind} file of %d bytes is recognised`, async (bytes) => {
      expect(detectCiphertextFormat(base64url(await encrypt(kind, bytes)))).toBe("age");
    });
  }

  test("a file without its last byte is refused exactly when no plaintext has that length", async () => {
    const files = await Promise.all([0, 65537, 1, 65536].map((bytes) => encrypt("x25519", bytes)));
    expect(files.map((file) => isAgeFile(file.subarray(0, -1)))).toEqual([false, false, true, true]);
  });
});

describe("the header", () => {
  const grease = stanza("grease", 0);

  test.each([
    ["ssh-ed25519", stanza(`ssh-ed25519 ${base64(4)} ${base64(32)}`)],
    ["ssh-rsa of 2,048 bits", stanza(`ssh-rsa ${base64(4)}`, 256)],
    ["p256tag", stanza(`p256tag ${base64(4)} ${base64(65)}`)],
    ["mlkem768p256tag", stanza(`mlkem768p256tag ${base64(4)} ${base64(1153)}`)],
    ["scrypt at work factor 17", stanza(`scrypt ${base64(16)} 17`)],
    ["three unknown stanzas beside a known one", `${grease}${X25519}${grease}${grease}`],
    ["a plugin's stanza alone", stanza(`piv-p256 ${base64(4)} ${base64(33)}`)],
    ["an unknown stanza as large as may be", stanza("a".repeat(256), 512)],
    ["4,096 bytes", `${X25519.repeat(41)}-> abc\n\n`],
  ])("%s is taken", (_, stanzas) => {
    expect(takes(stanzas)).toBe(true);
  });

  test.each([
    ["no stanza", ""],
    ["ssh-ed25519 without a share", stanza(`ssh-ed25519 ${base64(4)}`)],
    ["ssh-ed25519 with a share of low order", stanza(`ssh-ed25519 ${base64(4)} ${base64(32, 0)}`)],
    ["ssh-rsa of less than 2,048 bits", stanza(`ssh-rsa ${base64(4)}`, 255)],
    ["ssh-rsa of more than 8,192 bits", stanza(`ssh-rsa ${base64(4)}`, 1025)],
    ["p256tag with a compressed point", stanza(`p256tag ${base64(4)} ${base64(33)}`)],
    ["p256tag with a long file key", stanza(`p256tag ${base64(4)} ${base64(65)}`, 33)],
    ["mlkem768p256tag with a long tag", stanza(`mlkem768p256tag ${base64(5)} ${base64(1153)}`)],
    ["scrypt at work factor 18", stanza(`scrypt ${base64(16)} 18`)],
    ["scrypt beside an unknown stanza", `${stanza(`scrypt ${base64(16)} 10`)}${grease}`],
    ["four unknown stanzas", `${X25519}${grease.repeat(4)}`],
    ["an unknown stanza with a long line", stanza("a".repeat(257), 0)],
    ["an unknown stanza with a long body", stanza("grease", 513)],
    ["4,097 bytes", `${X25519.repeat(41)}-> abcd\n\n`],
    ["a character above ASCII", "-> gr\u00e9ase\n\n"],
    ["a tab between arguments", "-> grease\tgrease\n\n"],
  ])("%s is refused", (_, stanzas) => {
    expect(takes(stanzas)).toBe(false);
  });

  test("a byte order mark is refused", () => {
    expect(isAgeFile(Buffer.concat([Buffer.from("\ufeff"), forge(X25519)]))).toBe(false);
  });
});

describe("the payload", () => {
  const fake = "fake-local-test-only ";

  test.each([fake, "\u20ac", "x\u{1f600}", "xxx\u{1f600}", "\0"])("of nothing but %j is no ciphertext", (text) => {
    for (const times of [60, 2000, 70_000]) {
      const payload = new TextEncoder().encode(text.repeat(times));
      expect(isAgeFile(forge(X25519, payload))).toBe(false);
      // Without a key, a single byte that isn't text distinguishes a ciphertext, wherever it is.
      payload[payload.length - 1] = 0xc3;
      expect(isAgeFile(forge(X25519, payload))).toBe(true);
    }
  });

  test("prose is unrecognized, whatever it begins with", () => {
    const prose = fake.repeat(20);
    const wholeFile = forge(X25519, Buffer.from(prose));
    expect(detectCiphertextFormat("fake-local-test-only")).toBe("unrecognized");
    for (const text of [fake, prose, `age-encryption.org/v1\n${prose}`, wholeFile, ""]) {
      expect(detectCiphertextFormat(base64url(Buffer.from(text)))).toBe("unrecognized");
    }
  });
});

describe("the encoding", () => {
  const ciphertext = base64url(forge(X25519));

  test("only the canonical spelling is recognized", () => {
    expect([detectCiphertextFormat(ciphertext), ciphertext.length % 4]).toEqual(["age", 3]);
    const last = String.fromCharCode(ciphertext.charCodeAt(ciphertext.length - 1) + 1);
    const tail = `${ciphertext.slice(0, -1)}${last}`;
    const standard = Buffer.from(forge(X25519)).toString("base64").replaceAll("=", "");
    for (const text of [tail, standard, `${ciphertext}=`]) {
      expect(Buffer.from(text, "base64url").equals(forge(X25519))).toBe(true);
      expect(detectCiphertextFormat(text)).toBe("unrecognized");
    }
  });

  test("white space and padding are refused anywhere", () => {
    const foreign = fc.stringMatching(/^[ \t\r\n\f=]{1,8}$/);
    const property = fc.property(fc.nat(ciphertext.length), foreign, (at, text) => {
      expect(detectCiphertextFormat(ciphertext.slice(0, at) + text + ciphertext.slice(at))).toBe("unrecognized");
    });
    fc.assert(property, { numRuns: 500 });
  });

  // A payload of more than one piece, in a length that STREAM can produce.
  const large = (payload: Uint8Array) => forge(X25519, Buffer.concat([new Uint8Array(16).fill(0xff), payload]));
  const LARGE_BYTES = 3 * (65_536 + 16);

  test("a large ciphertext is checked to its end", () => {
    const spelled = base64url(large(new Uint8Array(LARGE_BYTES).fill(0xff)));
    expect(detectCiphertextFormat(spelled)).toBe("age");
    for (const foreign of [" ", "=", "+", "é", "\ud800"]) {
      for (const at of [65_535, 65_536, 100_000, spelled.length - 1]) {
        const text = spelled.slice(0, at) + foreign + spelled.slice(at + 1);
        expect({ foreign, at, format: detectCiphertextFormat(text) }).toEqual({ foreign, at, format: "unrecognized" });
      }
    }
    for (const length of [LARGE_BYTES + 1, LARGE_BYTES + 16, LARGE_BYTES - 65_536 - 1]) {
      expect(detectCiphertextFormat(base64url(large(new Uint8Array(length).fill(0xff))))).toBe("unrecognized");
    }
  });

  test("large plain text is refused wherever its characters are split; with a single other byte it is accepted", () => {
    for (const shift of [0, 1, 2, 3]) {
      const text = Buffer.from("x".repeat(shift) + "😀".repeat(LARGE_BYTES / 4)).subarray(0, LARGE_BYTES - 4 + shift);
      const nonce = Buffer.alloc(16, "n");
      const filled = Buffer.concat([text, Buffer.alloc(LARGE_BYTES - text.length, "x")]);
      const file = forge(X25519, Buffer.concat([nonce, filled]));
      expect(detectCiphertextFormat(base64url(file))).toBe("unrecognized");
      for (const at of [file.length - 1, 120_000]) {
        const foreign = Buffer.from(file);
        foreign[at] = 0xff;
        expect(detectCiphertextFormat(base64url(foreign))).toBe("age");
      }
    }
  });

  test("it throws for no string and no bytes", () => {
    const strings = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.string().map((text) => ciphertext + text),
    );
    fc.assert(fc.property(strings, (text) => ["age", "unrecognized"].includes(detectCiphertextFormat(text))));
    fc.assert(fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => !isAgeFile(bytes)));
    const property = fc.property(fc.nat(170), fc.uint8Array({ maxLength: 30 }), (at, bytes) => {
      const file = forge(X25519);
      file.set(bytes, at);
      expect(isAgeFile(file)).toBeBoolean();
    });
    fc.assert(property, { numRuns: 500 });
  });
});
