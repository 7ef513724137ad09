import { afterAll, expect, test } from "bun:test";
import { memoryObjects } from "../../support/object-stores.ts";
import { openLargePostgresStorage } from "../../support/postgres-storage.ts";
import { sharedPostgres } from "../../support/shared-postgres.ts";
import { DAY } from "../../support/stores.ts";
import { openUploadsIn, UPLOAD_BYTES } from "../../support/uploads.ts";
import { describeUploads } from "../conformance/uploads.ts";

const cluster = await sharedPostgres();
afterAll(() => cluster[Symbol.asyncDispose]());

const open = async () => openUploadsIn(await openLargePostgresStorage(cluster.socket, memoryObjects()));

describeUploads(open);

test("a part counts only where the upload ends, of several that are noted at once one", async () => {
  await using place = await open();
  const uploads = place.uploads();
  const { id } = await place.addUpload({ offset: 0 });
  const expiresAt = place.place.clock.now() + DAY;
  const note = (from: number, end: number, key: string) =>
    uploads.noteProgress(id, { from, end, parts: [{ start: from, bytes: end - from, key }], expiresAt });
  const both = await Promise.all([note(0, 5, "a"), note(0, 7, "b")]);
  expect(both).toEqual(["noted", "offset_mismatch"]);
  expect(await note(7, 9, "c")).toBe("offset_mismatch");
  expect(await note(5, 9, "d")).toBe("noted");
  // A call that has nothing to add yet doesn't take back what another has.
  expect(await uploads.noteProgress(id, { from: 5, end: 5, parts: [], expiresAt })).toBe("offset_mismatch");
  expect(await uploads.findUpload(id)).toMatchObject({ offset: 9 });
  const kept = [
    { start: 0, bytes: 5, key: "a" },
    { start: 5, bytes: 4, key: "d" },
  ];
  expect(await uploads.findParts(id)).toEqual(kept);
  await place.place.reopen();
  expect(await place.uploads().findParts(id)).toEqual(kept);
  expect(await place.uploads().endUpload(id)).toBe(true);
  expect(await place.uploads().findParts(id)).toEqual([]);
});

test("a large secret may be larger than what 32 bits count", async () => {
  await using place = await open();
  const bytes = 10 * 1024 * UPLOAD_BYTES;
  const { id } = await place.addLarge(await place.addUpload({ bytes }));
  expect(await place.place.store.findSecret(place.teamId, id)).toMatchObject({ ciphertextBytes: bytes });
  await place.usage();
});
