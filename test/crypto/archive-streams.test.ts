import { expect, test } from "bun:test";
import { join } from "node:path";
import { packTar } from "modern-tar";
import type { TarHeader } from "modern-tar";
import {
  archiveBytesOf,
  DamagedArchiveError,
  packArchive,
  toTextBeside,
  unpackArchive,
} from "../../src/crypto/archive-streams.ts";
import type { ReadableFile } from "../../src/crypto/archive-streams.ts";
import { ContentError, decodeContent, encodeContent } from "../../src/crypto/contents.ts";
import type { ContentFile } from "../../src/crypto/contents.ts";
import { EntryNameError } from "../../src/crypto/entry-names.ts";
import type { NameStyle } from "../../src/crypto/entry-names.ts";
import { createKindScanner, hasUnknownKinds } from "../../src/crypto/tar-kinds.ts";
import { bytesOf, streamOf } from "../support/byte-streams.ts";
import { temporaryFolder } from "../support/temporary.ts";

const errorOf = (work: Promise<unknown>) => work.catch((error: unknown) => error);

const FILES: readonly ContentFile[] = [
  { name: "folder", bytes: new Uint8Array(), isExecutable: true, isFolder: true },
  { name: "folder/a.txt", bytes: new Uint8Array(700).fill(65), isExecutable: false, isFolder: false },
  { name: "folder/.empty", bytes: new Uint8Array(), isExecutable: false, isFolder: false },
  { name: `${"long/".repeat(60)}tool`, bytes: new Uint8Array(300_000).fill(1), isExecutable: true, isFolder: false },
  { name: "ümläut", bytes: new Uint8Array(512).fill(2), isExecutable: false, isFolder: false },
];

function toReadable({ bytes, ...facts }: ContentFile): ReadableFile {
  return { ...facts, size: bytes.length, read: () => streamOf(bytes, 100_000) };
}

async function unpack(archive: Uint8Array, style: NameStyle = "exact", pieceBytes = 5000): Promise<ContentFile[]> {
  const files: ContentFile[] = [];
  for await (const { pieces, size, isNameless: _isNameless, ...facts } of unpackArchive(
    streamOf(archive, pieceBytes),
    style,
  )) {
    const file = { ...facts, bytes: await bytesOf(pieces) };
    expect(file.bytes.length).toBe(size);
    files.push(file);
  }
  return files;
}

test("files are packed into the archive that small secrets have, of the length that was foretold", async () => {
  const files = FILES.map(toReadable);
  const archive = await bytesOf(await packArchive(files));
  expect(archive).toEqual(await encodeContent({ kind: "files", files: FILES }));
  expect(await archiveBytesOf(files)).toBe(archive.length);
});

test("a text beside files has the entry that small secrets have, under a name that no file has", async () => {
  const files = [...FILES, { ...FILES[1], name: "Secret.txt" } as ContentFile];
  const readable = files.map(toReadable);
  const archive = await bytesOf(await packArchive([toTextBeside("read me", readable), ...readable]));
  expect(archive).toEqual(await encodeContent({ kind: "both", text: "read me", files }));
  expect(await decodeContent(archive)).toMatchObject({ kind: "both", text: "read me" });
});

test("an archive is unpacked in pieces of any size as it is in one", async () => {
  const archive = await encodeContent({ kind: "files", files: FILES });
  for (const pieceBytes of [archive.length, 65_536, 4099]) {
    expect(await unpack(archive, "exact", pieceBytes)).toEqual([...FILES]);
    expect({ kind: "files", files: await unpack(archive, "safe", pieceBytes) }).toEqual(
      (await decodeContent(archive)) as { kind: "files"; files: ContentFile[] },
    );
  }
});

test("entries that nobody reads are passed over", async () => {
  const names: string[] = [];
  const archive = await encodeContent({ kind: "files", files: FILES });
  for await (const { name } of unpackArchive(streamOf(archive), "exact")) names.push(name);
  expect(names).toEqual(FILES.map(({ name }) => name));
});

test("a file that changes its size while it is read is an error of the archive", async () => {
  for (const size of [1000, 2000]) {
    const [file] = FILES.slice(1).map(toReadable);
    if (!file) throw new Error("no file");
    const read = () => streamOf(new Uint8Array(size));
    expect(await errorOf(bytesOf(await packArchive([{ ...file, size: 1500, read }])))).toBeInstanceOf(Error);
  }
  const lost = new Error("unreadable");
  const read = () => streamOf(new Uint8Array(500), 100, lost);
  const archive = await packArchive([{ name: "a", isFolder: false, isExecutable: false, size: 1500, read }]);
  expect(await errorOf(bytesOf(archive))).toBe(lost);
});

test("hostile archives are refused as those of small secrets are", async () => {
  const bad: (readonly [header: Partial<TarHeader>, error: typeof ContentError | typeof EntryNameError])[] = [
    [{ type: "symlink", linkname: "/etc/passwd" }, ContentError],
    [{ type: "link", linkname: "ok" }, ContentError],
    [{ type: "fifo" }, ContentError],
    [{ name: "../up" }, EntryNameError],
    [{ name: "/etc/cron.d/x" }, EntryNameError],
    [{ name: "a/".repeat(200) }, EntryNameError],
    [{ pax: { "GNU.sparse.major": "1" } }, ContentError],
  ];
  for (const [header, kind] of bad) {
    const archive = await packTar([
      { header: { name: "ok", size: 5000, type: "file" }, body: new Uint8Array(5000) },
      { header: { name: "bad", size: 0, type: "file", ...header } },
    ]);
    const error = await errorOf(unpack(archive, "safe"));
    expect(error, JSON.stringify(header)).toBeInstanceOf(kind);
    expect(error).toEqual(await errorOf(decodeContent(archive)));
  }
});

test("more than 10,000 files and folders are refused", async () => {
  const header = (at: number) => ({ header: { name: `d${at}/f`, size: 0, type: "file" as const } });
  const archive = await packTar(Array.from({ length: 5001 }, (_, at) => header(at)));
  expect(await errorOf(unpack(archive, "safe", 1_000_000))).toEqual(await errorOf(decodeContent(archive)));
  expect(await unpack(archive.subarray(0), "safe", 1_000_000).catch((error) => error.message)).toContain("10,000");
});

test("sparse files of GNU tar are refused in every format, wherever the pieces end", async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, "sparse");
  await Bun.$`truncate -s 1M ${path} && printf data >> ${path}`.quiet();
  for (const format of ["gnu", "pax", "oldgnu"]) {
    const archive = new Uint8Array(await Bun.$`tar -C ${folder.path} --format=${format} -S -c sparse`.arrayBuffer());
    for (const pieceBytes of [archive.length, 511, 100]) {
      expect(await errorOf(unpack(archive, "safe", pieceBytes))).toMatchObject({
        message: expect.stringContaining("sparse files"),
      });
    }
  }
});

test("an archive that was cut off, or has something behind its end, is damaged", async () => {
  const archive = await encodeContent({ kind: "files", files: FILES.slice(0, 3) });
  const bad = [
    ...[100, 512, 700, 1024, 1300, archive.length - 1024, archive.length - 512].map((cut) => archive.subarray(0, cut)),
    Buffer.concat([archive, Buffer.from("more")]),
  ];
  for (const each of bad) {
    expect(await errorOf(unpack(new Uint8Array(each))), `${each.length} bytes`).toBeInstanceOf(DamagedArchiveError);
  }
});

test("an error of the stream is thrown as it is, wherever it comes", async () => {
  const archive = await encodeContent({ kind: "files", files: FILES });
  const lost = new Error("connection lost");
  for (const cut of [0, 100, 600, 700, 40_000, 200_000, archive.length - 600, archive.length]) {
    const entries = unpackArchive(streamOf(archive.subarray(0, cut), 1000, lost), "safe");
    const all = (async () => {
      for await (const { pieces } of entries) await bytesOf(pieces);
    })();
    expect(await errorOf(all), `cut at ${cut}`).toBe(lost);
  }
});

test("a reader who stops ends the stream", async () => {
  const archive = await encodeContent({ kind: "files", files: FILES });
  let isCanceled = false;
  const source = streamOf(archive).getReader();
  const watched = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { value } = await source.read();
      if (value) controller.enqueue(value);
      else controller.close();
    },
    cancel: () => void (isCanceled = true),
  });
  for await (const { name } of unpackArchive(watched, "safe")) if (name !== "folder") break;
  expect(isCanceled).toBe(true);
});

test("nothing is waited for when reading ends before the archive, however much of it is on its way", async () => {
  const large = { header: { name: "large", size: 4_000_000 }, body: new Uint8Array(4_000_000) };
  const link = { header: { name: "link", size: 0, type: "symlink" as const, linkname: "/etc" } };
  const small = { header: { name: "small", size: 3 }, body: "abc" };
  const full = new Error("the disk is full");
  for (const [entries, thrown, error] of [
    [[small, link, large], undefined, expect.any(ContentError)],
    [[small, large], full, full],
    [[large, small], full, full],
  ] as const) {
    const archive = await packTar([...entries]);
    for (const isStuck of [false, true]) {
      let isCanceled = false;
      let at = 0;
      const stream = new ReadableStream<Uint8Array>({
        async pull(controller) {
          // A network on which nothing comes.
          if (isStuck && at > 1_500_000) await new Promise(() => undefined);
          const piece = archive.slice(at, (at += 450_000));
          if (piece.length > 0) controller.enqueue(piece);
          else controller.close();
        },
        cancel: () => void (isCanceled = true),
      });
      const all = (async () => {
        for await (const { pieces } of unpackArchive(stream, "safe")) {
          for await (const _ of pieces) if (thrown) throw thrown;
        }
      })();
      expect(await errorOf(all)).toEqual(error);
      expect(isCanceled).toBe(true);
    }
  }
}, 5000);

test("the kinds of entries are found behind a file that is too large for its header", async () => {
  const size = 9 * 1024 ** 3;
  // The header of the file, without its content.
  const { createTarPacker } = await import("modern-tar");
  const { readable, controller } = createTarPacker();
  void controller.add({ name: "large", size, type: "file" });
  const reader = readable.getReader();
  const blocks: Uint8Array[] = [];
  for (let n = 0; n < 4; n++) blocks.push((await reader.read()).value ?? new Uint8Array());
  const isUnknown = createKindScanner();
  expect(blocks.some(isUnknown)).toBe(false);
  const content = new Uint8Array(64 * 1024 ** 2).fill(0x53);
  for (let left = size; left > 0; left -= content.length) {
    expect(isUnknown(content.subarray(0, left))).toBe(false);
  }
  const sparse = (await packTar([{ header: { name: "a", size: 0, type: "file" } }])).slice(0, 512);
  expect(isUnknown(sparse)).toBe(false);
  sparse[156] = "S".charCodeAt(0);
  expect(hasUnknownKinds(sparse)).toBe(true);
  expect(isUnknown(sparse)).toBe(true);
});
