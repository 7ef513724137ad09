import { afterAll, describe, expect, test } from "bun:test";
import type { Stored } from "../../../src/domain/ports/uploads.ts";
import { openObjectStore } from "../../../src/store/blobs/object-store.ts";
import { failing, folderPlace, objectPlace, piecesOf, uploadIds } from "../../support/blob-places.ts";
import { readBlob } from "../../support/blobs.ts";
import { errorOf } from "../../support/clients.ts";
import { memoryObjects, startObjectStore } from "../../support/object-stores.ts";
import { refusalOf } from "../../support/secrets.ts";

const moto = await startObjectStore();
afterAll(() => moto[Symbol.asyncDispose]());
const bucket = await moto.makeBucket("blobs");

const [ONE = "", TWO = "", THREE = ""] = uploadIds(3);
const PLACES = {
  files: folderPlace,
  "an object store": () => objectPlace(openObjectStore(bucket)),
  "objects in memory": () => objectPlace(memoryObjects()),
};

const textOf = async (...of: Parameters<typeof readBlob>) => new TextDecoder().decode(await readBlob(...of));

describe.each(Object.entries(PLACES))("blobs in %s", (_name, open) => {
  test("grow piece by piece, and are read in parts", async () => {
    using place = open();
    const { blobs } = place;
    expect(await place.append(ONE, 0, piecesOf("one ", "two and a half "))).toBe(19);
    expect(await place.append(ONE, 19, piecesOf("three"))).toBe(24);
    expect(await place.append(ONE, 24, piecesOf())).toBe(24);
    await blobs.check(ONE, 24);
    expect(await textOf(blobs, ONE, 24)).toBe("one two and a half three");
    for (const [start, end] of [
      [0, 1],
      [4, 9],
      [5, 24],
      [10, 20],
      [23, 24],
    ] as const) {
      expect(await textOf(blobs, ONE, 24, start, end)).toBe("one two and a half three".slice(start, end));
    }
  });

  test("of another length than they had are refused", async () => {
    using place = open();
    await place.append(ONE, 0, piecesOf("a longer text"));
    for (const bytes of [12, 14]) {
      expect(await refusalOf(place.blobs.check(ONE, bytes))).toBe("storage_unavailable");
      expect(await refusalOf(place.blobs.read(ONE, bytes))).toBe("storage_unavailable");
    }
    expect(await refusalOf(place.blobs.check(TWO, 1))).toBe("storage_unavailable");
    expect(await errorOf(place.blobs.check("../handoff.db", 1))).toBeInstanceOf(Error);
  });

  test("keep what came before the pieces failed", async () => {
    using place = open();
    let end = 0;
    const onStored = async (stored: Stored) => void (end = stored.end);
    const failed = place.append(ONE, 0, failing("one ", "two, and more"), { onStored });
    expect(await errorOf(failed)).toMatchObject({ message: "the connection is lost" });
    expect(end).toBe(17);
    expect(await place.append(ONE, 17, piecesOf(" three"))).toBe(23);
    expect(await textOf(place.blobs, ONE, 23)).toBe("one two, and more three");
  });

  test("keep nothing of a piece that counts as a whole, unless all of it comes", async () => {
    using place = open();
    const whole = { isWhole: true, mayKeep: () => false };
    const ends: number[] = [];
    const onStored = async ({ end }: Stored) => void ends.push(end);
    await place.append(ONE, 0, piecesOf("before "), { onStored });
    const failed = place.append(ONE, 7, failing("a text that is long enough"), { ...whole, onStored });
    expect(await errorOf(failed)).toMatchObject({ message: "the connection is lost" });
    expect(Math.max(...ends)).toBe(7);
    expect(await place.append(ONE, 7, piecesOf("a text ", "of another kind"), whole)).toBe(29);
    expect(await textOf(place.blobs, ONE, 29)).toBe("before a text of another kind");
  });

  test("are written by one call at a time", async () => {
    using place = open();
    const both = await Promise.allSettled([place.append(ONE, 0, piecesOf("x")), place.append(ONE, 0, piecesOf("y"))]);
    expect(both.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
    expect(await textOf(place.blobs, ONE, 1)).toBe("x");
  });

  test("are erased when they aren't needed, and no others", async () => {
    using place = open();
    for (const id of [ONE, TWO, THREE]) await place.append(id, 0, piecesOf("a text in several parts"));
    await place.eraseAllBut(TWO);
    await place.blobs.check(TWO, 23);
    for (const id of [ONE, THREE]) expect(await refusalOf(place.blobs.check(id, 23))).toBe("storage_unavailable");
    expect(await textOf(place.blobs, TWO, 23)).toBe("a text in several parts");
  });

  test("are erased one by one, also twice at once, and none that is written", async () => {
    using place = open();
    const { blobs } = place;
    for (const id of [ONE, TWO]) await place.append(id, 0, piecesOf("a text in several parts"));
    await Promise.all([blobs.erase(ONE), place.eraseAllBut(TWO), blobs.erase(ONE), blobs.erase(THREE)]);
    expect(await refusalOf(blobs.check(ONE, 23))).toBe("storage_unavailable");
    await blobs.check(TWO, 23);
    async function* erased(): AsyncGenerator<Uint8Array> {
      yield* piecesOf("written");
      await blobs.erase(THREE);
    }
    expect(await place.append(THREE, 0, erased())).toBe(7);
    await blobs.check(THREE, 7);
  });

  test("that are written, or made while others are erased, are left until the next time", async () => {
    using place = open();
    const { blobs } = place;
    const [started, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    async function* slow(): AsyncGenerator<Uint8Array> {
      yield* piecesOf("a first part, ");
      started.resolve();
      await goOn.promise;
      yield* piecesOf("and a second");
    }
    const written = place.append(ONE, 0, slow());
    await started.promise;
    await blobs.eraseOthers(async () => {
      await place.append(TWO, 0, piecesOf("new"));
      return new Set();
    }, new AbortController().signal);
    goOn.resolve();
    expect(await written).toBe(26);
    await blobs.check(ONE, 26);
    await blobs.check(TWO, 3);
    await place.eraseAllBut(TWO);
    expect(await refusalOf(blobs.check(ONE, 26))).toBe("storage_unavailable");
    await blobs.check(TWO, 3);
  });

  test("stay when the rows can't be read, or the server is to stop", async () => {
    using place = open();
    await place.append(ONE, 0, piecesOf("one"));
    const unread = place.blobs.eraseOthers(() => Promise.reject(new Error("unread")), new AbortController().signal);
    expect(await errorOf(unread)).toMatchObject({ message: "unread" });
    await place.blobs.eraseOthers(async () => new Set(), AbortSignal.abort());
    await place.blobs.check(ONE, 3);
  });
});
