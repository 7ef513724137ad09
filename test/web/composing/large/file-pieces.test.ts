import { expect, test } from "bun:test";
import { readPieces } from "../../../../src/web/composing/large/file-pieces.ts";
import { errorOf } from "../../../support/clients.ts";

const MIB = 1024 * 1024;

async function drain(file: Blob): Promise<number[]> {
  const lengths: number[] = [];
  for await (const piece of readPieces({ name: "dump.sql", blob: file })) lengths.push(piece.length);
  return lengths;
}

test("a file is read in pieces, each when it is asked for", async () => {
  const bytes = crypto.getRandomValues(new Uint8Array(65_536));
  const file = new Blob(Array.from({ length: 40 }, () => bytes));
  expect(await drain(file)).toEqual([MIB, MIB, MIB / 2]);
  expect(await drain(new Blob([]))).toEqual([]);
  const read: number[] = [];
  const watched = Object.assign(new Blob([file]), {
    slice(start: number, end: number) {
      read.push(start);
      return file.slice(start, end);
    },
  });
  const pieces = readPieces({ name: "dump.sql", blob: watched });
  expect(
    Buffer.compare((await pieces.next()).value as Uint8Array, new Uint8Array(await file.slice(0, MIB).arrayBuffer())),
  ).toBe(0);
  expect(read).toEqual([0]);
});

test("a file that is gone, or shorter than it was, can't be read, and is named", async () => {
  const gone = Object.assign(new Blob([new Uint8Array(1000)]), {
    slice: () =>
      Object.assign(new Blob([new Uint8Array(1000)]), { arrayBuffer: () => Promise.reject(new Error("no")) }),
  });
  const shorter = Object.assign(new Blob([new Uint8Array(1000)]), {
    slice: () => Object.assign(new Blob([new Uint8Array(1000)]), { arrayBuffer: async () => new ArrayBuffer(999) }),
  });
  for (const file of [gone, shorter]) {
    expect(await errorOf(drain(file))).toMatchObject({ code: "file_unreadable", file: "dump.sql" });
  }
});
