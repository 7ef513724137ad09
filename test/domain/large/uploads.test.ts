import { expect, test } from "bun:test";
import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { authenticate } from "../../../src/domain/callers.ts";
import { appendPiece, createUpload, getUpload } from "../../../src/domain/large/uploads.ts";
import { openTestService } from "../../support/service.ts";
import { openSqliteStorage } from "../../support/sqlite-storage.ts";

const FILE = new TextEncoder().encode(`age-encryption.org/v1\n${"-".repeat(1000)}`);

const pieceOf = (offset: number, bytes: Uint8Array, sha256?: Uint8Array) => ({
  offset,
  // oxlint-disable-next-line require-await -- pieces are waited for
  pieces: (async function* () {
    yield bytes;
  })(),
  sha256,
  stop: () => undefined,
});

test("what a killed server has written behind the offset doesn't count, and is gone with the next piece", async () => {
  const storage = openSqliteStorage();
  await using backend = await openTestService({}, storage);
  const { token } = await backend.mint();
  const caller = await authenticate(backend.service, token, undefined);
  const { id } = await createUpload(backend.service, caller, { bytes: FILE.length });
  await appendPiece(backend.service, caller, id, pieceOf(0, FILE.slice(0, 100)));
  // As of a piece that was not flushed or whose checksum was not compared when the server was killed.
  await appendFile(join(storage.folder, "blobs", id), "x".repeat(200));
  const after = { ...backend.service, large: storage.large?.() };
  expect((await getUpload(after, caller, id)).offset).toBe(100);
  expect((await appendPiece(after, caller, id, pieceOf(100, FILE.slice(100)))).offset).toBe(FILE.length);
  expect(await Bun.file(join(storage.folder, "blobs", id)).bytes()).toEqual(FILE);
});
