import { expect, test } from "bun:test";
import type { ClientError } from "../../../src/client/errors.ts";
import { encodeContent } from "../../../src/crypto/contents.ts";
import { LINK_WORK_FACTOR } from "../../../src/crypto/envelopes.ts";
import { openHeader, sealStream } from "../../../src/crypto/sealed-streams.ts";
import { secretPassphrase } from "../../../src/crypto/secret-links.ts";
import type { FileWriter } from "../../../src/web/large/opened-files.ts";
import { receiveContent, unlockLarge } from "../../../src/web/large/received-contents.ts";
import { bytesOf, streamOf } from "../../support/byte-streams.ts";

const AGE_PASSPHRASE = "age-passphrase";
const CONTENT = new TextEncoder().encode("content");
const file = (name: string, bytes: Uint8Array) => ({ name, bytes, isExecutable: false, isFolder: false });

/** Files in memory, in place of those of a browser. Each can write `room` bytes. */
function openMemory(room = Infinity) {
  const files = new Map<number, Uint8Array>();
  let open = 0;
  return {
    files,
    /** The number of files that were not closed. */
    open: () => open,
    async create(index: number): Promise<FileWriter> {
      const pieces: Uint8Array[] = [];
      const length = () => pieces.reduce((sum, each) => sum + each.length, 0);
      open++;
      return {
        async write(bytes) {
          if (length() + bytes.length > room) throw new DOMException("full", "QuotaExceededError");
          pieces.push(bytes.slice());
        },
        async close() {
          open--;
          files.set(index, new Uint8Array(Buffer.concat(pieces)));
          return length();
        },
      };
    },
  };
}

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "none",
    ({ code }: ClientError) => code,
  );

async function seal(passphrase: string | undefined, workFactor: number) {
  const derived = secretPassphrase(AGE_PASSPHRASE, passphrase);
  return openHeader((await sealStream(streamOf(CONTENT), derived, workFactor)).ciphertext);
}

const keyOf = (...passphrases: readonly string[]) => ({ agePassphrase: AGE_PASSPHRASE, passphrases });

test("passphrases are tried one after another, and again after a wrong one", async () => {
  const header = await seal("right", LINK_WORK_FACTOR + 1);
  expect(await codeOf(unlockLarge(header, keyOf("wrong")))).toBe("decryption_failed");
  expect(await codeOf(unlockLarge(header, keyOf()))).toBe("passphrase_missing");
  expect(await bytesOf(await unlockLarge(header, keyOf("right ", "right")))).toEqual(CONTENT);
});

test("a passphrase that a secret doesn't need is left out, and a wrong link opens nothing", async () => {
  expect(await bytesOf(await unlockLarge(await seal(undefined, LINK_WORK_FACTOR), keyOf("none")))).toEqual(CONTENT);
  const header = await seal(undefined, LINK_WORK_FACTOR);
  const other = { agePassphrase: "another", passphrases: [] };
  expect(await codeOf(unlockLarge(header, other))).toBe("decryption_failed");
});

test("each file of an archive is stored under its number, with its safe name beside it", async () => {
  const memory = openMemory();
  const files = [
    file("folder/large.bin", crypto.getRandomValues(new Uint8Array(50_000))),
    { ...file("folder/empty", new Uint8Array()), isFolder: true },
    file("folder/.bashrc", CONTENT),
  ];
  const content = await encodeContent({ kind: "files", files });
  expect(await receiveContent(streamOf(content), memory.create)).toEqual([
    { name: "folder/large.bin", size: 50_000, isFolder: false },
    { name: "folder/empty", size: 0, isFolder: true },
    { name: "folder/_.bashrc", size: CONTENT.length, isFolder: false },
  ]);
  expect([...memory.files]).toEqual([
    [0, files[0]?.bytes ?? CONTENT],
    [2, CONTENT],
  ]);
  expect(memory.open()).toBe(0);
});

test("short text beside files comes with them, and a longer or another one is a file", async () => {
  const both = (text: string) => encodeContent({ kind: "both", text, files: [file("a", CONTENT)] });
  const textOf = async (content: Uint8Array) =>
    (await receiveContent(streamOf(content), openMemory().create)).find(({ name }) => name === "secret.txt");
  expect(await textOf(await both("read mé"))).toMatchObject({ size: 8, text: "read mé" });
  expect(await textOf(await both("x".repeat(65_536)))).toMatchObject({ text: "x".repeat(65_536) });
  expect((await textOf(await both("x".repeat(65_537))))?.text).toBeUndefined();
  const named = await encodeContent({ kind: "files", files: [file("secret.txt", CONTENT), file("a", CONTENT)] });
  expect((await textOf(named))?.text).toBeUndefined();
});

test("what has no name is a text file or a binary one", async () => {
  for (const [bytes, name] of [
    [CONTENT, "secret.txt"],
    [Uint8Array.of(0xff, 0xfe, 0), "secret.bin"],
  ] as const) {
    const memory = openMemory();
    expect(await receiveContent(streamOf(bytes), memory.create)).toEqual([
      { name, size: bytes.length, isFolder: false },
    ]);
    expect(memory.files.get(0)).toEqual(bytes);
  }
});

test("what is damaged, unsafe or can't be written is refused, and no file stays open", async () => {
  const content = await encodeContent({ kind: "files", files: [file("large.bin", new Uint8Array(50_000))] });
  const escaping = await encodeContent({ kind: "files", files: [file("../large.bin", CONTENT)] });
  for (const [bytes, room, code] of [
    [content.slice(0, 20_000), Infinity, "damaged_archive"],
    [new Uint8Array(Buffer.concat([content, CONTENT])), Infinity, "damaged_archive"],
    [escaping, Infinity, "unsafe_archive"],
    [content, 30_000, "file_unwritable"],
    [crypto.getRandomValues(new Uint8Array(40_000)), 30_000, "file_unwritable"],
  ] as const) {
    const memory = openMemory(room);
    expect(await codeOf(receiveContent(streamOf(bytes), memory.create))).toBe(code);
    expect(memory.open()).toBe(0);
  }
});

test("a file of which the browser stored less than was written is refused", async () => {
  const memory = openMemory();
  const create = async (index: number) => {
    const writer = await memory.create(index);
    return { ...writer, close: async () => (await writer.close()) - 1 };
  };
  expect(await codeOf(receiveContent(streamOf(CONTENT), create))).toBe("file_unwritable");
});
