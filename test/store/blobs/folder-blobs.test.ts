import { expect, test } from "bun:test";
import {
  chmodSync,
  closeSync,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { BlobStore, Stored } from "../../../src/domain/ports/uploads.ts";
import { openFolderBlobs } from "../../../src/store/blobs/folder-blobs.ts";
import { freeBytes } from "../../../src/store/sqlite/files/ballast.ts";
import { append, killAtWork, PIECE_BYTES, pieceAt, readBlob, sizeOf } from "../../support/blobs.ts";
import { errorOf } from "../../support/clients.ts";
import { mountTmpfs } from "../../support/mounts.ts";
import { refusalOf } from "../../support/secrets.ts";
import { temporaryFolder } from "../../support/temporary.ts";

const MIB = 1024 * 1024;
const GIB = 1024 * MIB;
const ids = (count: number) => Array.from({ length: count }, (_, n) => `upl_${String(n).padStart(26, "0")}`);
const [ONE = "", TWO = "", THREE = "", FOUR = "", FIVE = ""] = ids(5);
const never = new AbortController().signal;

/** Blobs in a folder that isn't there yet. */
function setUp() {
  const temporary = temporaryFolder();
  const folder = join(temporary.path, "blobs");
  return {
    folder,
    blobs: openFolderBlobs(folder, 0),
    pathOf: (id: string) => join(folder, id),
    [Symbol.dispose]: () => temporary[Symbol.dispose](),
  };
}

async function* piecesOf(...texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield new TextEncoder().encode(text);
}

async function* failing(...texts: readonly string[]): AsyncGenerator<Uint8Array> {
  yield* piecesOf(...texts);
  throw new Error("the connection is lost");
}

const readText = async (...of: Parameters<typeof readBlob>) => new TextDecoder().decode(await readBlob(...of));
const eraseAllBut = (blobs: BlobStore, ...kept: readonly string[]) =>
  blobs.eraseOthers(async () => new Set(kept), never);

test("of many that are written, one piece is written at a time, in the order in which they came", async () => {
  using place = setUp();
  const written: string[] = [];
  const hasBegun = Promise.withResolvers<void>();
  async function* noting(id: string, bytes: number): AsyncGenerator<Uint8Array> {
    hasBegun.resolve();
    yield new Uint8Array(bytes);
    written.push(id);
  }
  const large = append(place.blobs, ONE, 0, noting(ONE, 30 * MIB));
  await hasBegun.promise;
  await Promise.all([large, append(place.blobs, TWO, 0, noting(TWO, 10))]);
  expect(written).toEqual([ONE, TWO]);
});

test("a blob grows piece by piece, in a file for the owner alone, and can be read in parts", async () => {
  using place = setUp();
  const { blobs, pathOf } = place;
  expect(await sizeOf(blobs, ONE)).toBe(0);
  expect(existsSync(place.folder)).toBe(false);
  expect(await append(blobs, ONE, 0, piecesOf("one ", "two "))).toBe(8);
  expect(await append(blobs, ONE, 8, piecesOf("three"))).toBe(13);
  expect(await sizeOf(blobs, ONE)).toBe(13);
  expect(await readText(blobs, ONE, 13)).toBe("one two three");
  expect(await readText(blobs, ONE, 13, 0, 5)).toBe("one t");
  expect(await readText(blobs, ONE, 13, 4, 7)).toBe("two");
  expect(await refusalOf(blobs.read(ONE, 12))).toBe("storage_unavailable");
  expect([place.folder, pathOf(ONE)].map((path) => statSync(path).mode & 0o777)).toEqual([0o700, 0o600]);
  // As after a restart.
  const again = openFolderBlobs(place.folder, 0);
  expect(await sizeOf(again, ONE)).toBe(13);
  expect(await append(again, ONE, 13, piecesOf("!"))).toBe(14);
  expect(readFileSync(pathOf(ONE), "utf8")).toBe("one two three!");
});

test("a blob grows at its end only, one call at a time", async () => {
  using place = setUp();
  const { blobs } = place;
  await append(blobs, ONE, 0, piecesOf("1234"));
  for (const [id, offset] of [
    [ONE, 5],
    [TWO, 1],
  ] as const) {
    expect(await errorOf(append(blobs, id, offset, piecesOf("x")))).toMatchObject({
      message: "a blob is shorter than it was",
    });
  }
  const both = await Promise.allSettled([append(blobs, ONE, 4, piecesOf("x")), append(blobs, ONE, 4, piecesOf("y"))]);
  expect(both.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
  expect(await readText(blobs, ONE, 5)).toBe("1234x");
  expect(await errorOf(blobs.read("../handoff.db", 10))).toMatchObject({ message: "that is no id of an upload" });
});

test("what came before the pieces failed is kept", async () => {
  using place = setUp();
  const { blobs } = place;
  expect(await errorOf(append(blobs, ONE, 0, failing("one ", "two")))).toMatchObject({
    message: "the connection is lost",
  });
  expect(await sizeOf(blobs, ONE)).toBe(7);
  expect(await append(blobs, ONE, 7, piecesOf(" three"))).toBe(13);
  expect(await readText(blobs, ONE, 13)).toBe("one two three");
});

test("nothing is kept of a piece that may not be, and only its end counts of one that counts as a whole", async () => {
  using place = setUp();
  const { blobs } = place;
  const stored: number[] = [];
  const whole = { isWhole: true, mayKeep: () => false, onStored: async ({ end }: Stored) => void stored.push(end) };
  expect(await errorOf(append(blobs, ONE, 0, failing("one"), whole))).toMatchObject({
    message: "the connection is lost",
  });
  expect(await sizeOf(blobs, ONE)).toBe(0);
  async function* large(): AsyncGenerator<Uint8Array> {
    yield new Uint8Array(40 * MIB);
  }
  await append(blobs, ONE, 0, large(), whole);
  expect(stored).toEqual([0, 40 * MIB]);
});

test("a blob goes on before its end, as after a server was killed", async () => {
  using place = setUp();
  const { blobs } = place;
  await append(blobs, ONE, 0, piecesOf("one two"));
  expect(await append(blobs, ONE, 4, piecesOf("2"))).toBe(5);
  expect(readFileSync(place.pathOf(ONE), "utf8")).toBe("one 2");
  expect(await append(blobs, ONE, 0, piecesOf("again"))).toBe(5);
  expect(await readText(blobs, ONE, 5)).toBe("again");
});

test("a blob may be larger than what 32 bits count", async () => {
  using place = setUp();
  const { blobs, pathOf } = place;
  await append(blobs, ONE, 0, piecesOf("1"));
  const size = 5 * GIB;
  // Without its bytes: a file system keeps holes.
  truncateSync(pathOf(ONE), size);
  const again = openFolderBlobs(place.folder, 0);
  expect(await sizeOf(again, ONE)).toBe(size);
  expect(await append(again, ONE, size, piecesOf("end"))).toBe(size + 3);
  expect(await readText(again, ONE, size + 3, size - 1)).toBe("\0end");
});

test("a file that the server's user may not read is found out before anything is claimed", async () => {
  using place = setUp();
  await append(place.blobs, ONE, 0, piecesOf("one"));
  for (const path of [place.folder, dirname(place.folder)]) chmodSync(path, 0o755);
  try {
    process.seteuid?.(12_345);
    expect(await errorOf(place.blobs.check(ONE, 3))).toMatchObject({
      code: "storage_unavailable",
      options: { cause: { code: "EACCES" } },
    });
    expect(await refusalOf(place.blobs.read(ONE, 3))).toBe("storage_unavailable");
  } finally {
    process.seteuid?.(0);
  }
  expect(await readText(place.blobs, ONE, 3)).toBe("one");
});

test("what is no longer needed is overwritten before it is removed, and nothing else is touched", async () => {
  using place = setUp();
  const { blobs, pathOf } = place;
  const bytes = new Uint8Array(3 * MIB + 5).fill(0x5a);
  async function* some(): AsyncGenerator<Uint8Array> {
    yield bytes;
  }
  for (const id of [ONE, TWO, THREE]) await append(blobs, id, 0, some());
  // Another name for the same bytes shows what became of them.
  const [erased, kept] = [join(place.folder, "erased"), join(place.folder, "kept")];
  linkSync(pathOf(ONE), erased);
  linkSync(pathOf(TWO), kept);
  await eraseAllBut(blobs, TWO);
  expect(readdirSync(place.folder).toSorted()).toEqual(["erased", "kept", TWO].toSorted());
  expect(statSync(erased).size).toBe(bytes.length);
  expect(readFileSync(erased).equals(Buffer.alloc(bytes.length))).toBe(true);
  expect(readFileSync(kept).equals(bytes)).toBe(true);
  expect(await sizeOf(blobs, ONE)).toBe(0);
  // Nobody needs the id again, but it would be free.
  expect(await append(blobs, ONE, 0, piecesOf("x"))).toBe(1);
});

test("what is no file, and has the name of a blob, is left alone, and the others are erased", async () => {
  using place = setUp();
  const { blobs, pathOf } = place;
  await append(blobs, FIVE, 0, piecesOf("five"));
  const target = join(place.folder, "target");
  writeFileSync(target, "not ours");
  symlinkSync(target, pathOf(ONE));
  mkdirSync(pathOf(TWO));
  writeFileSync(join(pathOf(TWO), "inside"), "not ours");
  expect(Bun.spawnSync(["mkfifo", pathOf(THREE)]).success).toBe(true);
  symlinkSync(join(place.folder, "nowhere"), pathOf(FOUR));
  expect(await errorOf(eraseAllBut(blobs))).toMatchObject({ message: "a blob is no file, and is left alone" });
  expect(existsSync(pathOf(FIVE))).toBe(false);
  expect(readdirSync(place.folder).toSorted()).toEqual([ONE, TWO, THREE, FOUR, "target"].toSorted());
  expect(readFileSync(target, "utf8")).toBe("not ours");
  for (const id of [ONE, TWO, THREE, FOUR]) {
    expect(await errorOf(append(blobs, id, 0, piecesOf("x")))).toMatchObject({
      code: "storage_unavailable",
      options: { cause: { code: "BLOB_IS_NO_FILE" } },
    });
  }
  expect(existsSync(join(place.folder, "nowhere"))).toBe(false);
});

test("a blob that is written, or made while others are erased, is left until the next time", async () => {
  using place = setUp();
  const { blobs, pathOf } = place;
  const [started, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  async function* slow(): AsyncGenerator<Uint8Array> {
    yield* piecesOf("one ");
    started.resolve();
    await goOn.promise;
    yield* piecesOf("two");
  }
  const written = append(blobs, ONE, 0, slow());
  await started.promise;
  // Its row is there before the file, and after the rows were read.
  await blobs.eraseOthers(async () => {
    await append(blobs, TWO, 0, piecesOf("new"));
    return new Set();
  }, never);
  goOn.resolve();
  expect(await written).toBe(7);
  expect(await readText(blobs, ONE, 7)).toBe("one two");
  expect(await readText(blobs, TWO, 3)).toBe("new");
  await eraseAllBut(blobs, TWO);
  expect([ONE, TWO].map((id) => existsSync(pathOf(id)))).toEqual([false, true]);
});

test("erasing ends early when it is told to", async () => {
  using place = setUp();
  const { blobs, pathOf } = place;
  async function* large(): AsyncGenerator<Uint8Array> {
    yield new Uint8Array(5 * MIB).fill(0x5a);
  }
  await append(blobs, ONE, 0, large());
  let looks = 0;
  // Aborted while it is under way.
  const signal = {
    get aborted() {
      return (looks += 1) > 3;
    },
  } as AbortSignal;
  await blobs.eraseOthers(async () => new Set(), signal);
  const left = readFileSync(pathOf(ONE));
  expect([left.length, left[0], left.at(-1)]).toEqual([5 * MIB, 0, 0x5a]);
  await blobs.eraseOthers(async () => new Set(), AbortSignal.abort());
  expect(existsSync(pathOf(ONE))).toBe(true);
  await eraseAllBut(blobs);
  expect(existsSync(pathOf(ONE))).toBe(false);
});

test("nothing is erased when the rows can't be read", async () => {
  using place = setUp();
  const { blobs, pathOf } = place;
  await append(blobs, ONE, 0, piecesOf("one"));
  const unread = blobs.eraseOthers(() => Promise.reject(new Error("unread")), never);
  expect(await errorOf(unread)).toMatchObject({ message: "unread" });
  expect(readFileSync(pathOf(ONE), "utf8")).toBe("one");
});

test("uploads leave room for the database, and those before them stay", async () => {
  using place = setUp();
  await append(place.blobs, ONE, 0, piecesOf("one"));
  const careful = openFolderBlobs(place.folder, 1_000_000 * GIB);
  // The log has the code of the cause, as that of a file system.
  const full = { code: "storage_unavailable", options: { cause: { code: "ENOSPC" } } };
  expect(await errorOf(append(careful, ONE, 3, piecesOf("x")))).toMatchObject(full);
  expect(await refusalOf(append(careful, TWO, 0, piecesOf("x")))).toBe("storage_unavailable");
  expect(await sizeOf(careful, ONE)).toBe(3);
});

test("on a full disk, what came is kept, and erasing makes room", async () => {
  using disk = mountTmpfs("64m");
  const folder = join(disk.path, "blobs");
  const blobs = openFolderBlobs(folder, 0);
  async function* many(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < 1000; at += 1) yield pieceAt(at);
  }
  await append(blobs, ONE, 0, piecesOf("one"));
  expect(await refusalOf(append(blobs, TWO, 0, many()))).toBe("storage_unavailable");
  expect(await blobs.findTroubles()).toMatchObject([{ code: "no_room_for_large", isSerious: false }]);
  const size = await sizeOf(blobs, TWO);
  // It looks at the room after each of these.
  expect(size).toBeWithin(32 * MIB, 32 * MIB + PIECE_BYTES);
  const start = await readBlob(blobs, TWO, size);
  expect(Buffer.compare(start.subarray(PIECE_BYTES, 2 * PIECE_BYTES), pieceAt(1))).toBe(0);
  // As when others fill the disk meanwhile.
  const careless = openFolderBlobs(folder, -Infinity);
  expect(await refusalOf(append(careless, ONE, 3, many()))).toBe("storage_unavailable");
  expect(freeBytes(join(folder, ONE))).toBeLessThan(PIECE_BYTES);
  const kept = await sizeOf(careless, ONE);
  expect((kept - 3) % PIECE_BYTES).toBe(0);
  expect(await refusalOf(append(careless, ONE, kept, many()))).toBe("storage_unavailable");
  await eraseAllBut(blobs, ONE);
  expect(await blobs.findTroubles()).toEqual([]);
  expect(await append(careless, ONE, kept, piecesOf("two"))).toBe(kept + 3);
  expect(await readText(careless, ONE, kept + 3, kept)).toBe("two");
});

test("what a killed process has written is there up to a piece, and goes on", async () => {
  using place = setUp();
  await killAtWork(place.folder, ONE, "append", (pieces) => pieces > 50);
  const { blobs } = place;
  const size = await sizeOf(blobs, ONE);
  expect(size).toBeGreaterThan(50 * PIECE_BYTES);
  const found = await readBlob(blobs, ONE, size);
  for (let at = 0; at * PIECE_BYTES < size; at += 1) {
    const piece = found.subarray(at * PIECE_BYTES, (at + 1) * PIECE_BYTES);
    expect(Buffer.compare(piece, pieceAt(at).subarray(0, piece.length))).toBe(0);
  }
  expect(await append(blobs, ONE, size, piecesOf("more"))).toBe(size + 4);
});

test("erasing that a killed process has begun comes to its end at the next start", async () => {
  using place = setUp();
  const { blobs, folder, pathOf } = place;
  const bytes = 96 * MIB;
  const piece = new Uint8Array(MIB).fill(0x5a);
  async function* large(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < bytes; at += MIB) yield piece;
  }
  await append(blobs, ONE, 0, large());
  const file = openSync(pathOf(ONE), "r");
  const first = new Uint8Array(1);
  await killAtWork(folder, ONE, "erase", () => readSync(file, first, 0, 1, 0) === 1 && first[0] === 0);
  closeSync(file);
  expect(statSync(pathOf(ONE)).size).toBe(bytes);
  const other = join(folder, "erased");
  linkSync(pathOf(ONE), other);
  await eraseAllBut(openFolderBlobs(folder, 0));
  expect(existsSync(pathOf(ONE))).toBe(false);
  expect(readFileSync(other).equals(Buffer.alloc(bytes))).toBe(true);
});
