import { afterAll, expect, test } from "bun:test";
import type { BlobPart, Stored } from "../../../src/domain/ports/uploads.ts";
import { outcomeUnknown } from "../../../src/domain/storage-refusals.ts";
import { Refusal } from "../../../src/domain/values/errors.ts";
import { openObjectStore } from "../../../src/store/blobs/object-store.ts";
import type { ObjectStore, ObjectStoreOptions } from "../../../src/store/blobs/object-store.ts";
import { failing, objectPlace, piecesOf, uploadIds } from "../../support/blob-places.ts";
import { readBlob } from "../../support/blobs.ts";
import { errorOf } from "../../support/clients.ts";
import { keysIn, memoryObjects, startFaultyStore, startObjectStore } from "../../support/object-stores.ts";
import { refusalOf } from "../../support/secrets.ts";

const moto = await startObjectStore();
afterAll(() => moto[Symbol.asyncDispose]());
const bucket = await moto.makeBucket("blobs");

const [ONE = "", TWO = ""] = uploadIds(2);
const TEXT = "a text in more than two parts";

/** Blobs in a store that can be made to fail, in a folder of their own. */
function setUp(partBytes = 10, options: Partial<ObjectStoreOptions> = {}) {
  const store = startFaultyStore(bucket);
  const folder = crypto.randomUUID();
  const place = objectPlace(openObjectStore({ ...store.options, ...options }), folder, partBytes);
  return {
    store,
    ...place,
    keys: () => keysIn(bucket, `${folder}/`),
    read: async (bytes: number, start = 0, end = bytes) =>
      new TextDecoder().decode(await readBlob(place.blobs, ONE, bytes, start, end)),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}

test("only the objects that are noted stay: a call that lost its race, or whose piece is refused, leaves none", async () => {
  await using place = setUp();
  await place.append(ONE, 0, piecesOf(TEXT));
  const kept = await place.keys();
  expect(kept.length).toBe(3);
  for (const code of ["offset_mismatch", "upload_ended"] as const) {
    const onStored = () => Promise.reject(new Refusal(code));
    expect(await refusalOf(place.append(ONE, TEXT.length, piecesOf(TEXT), { onStored }))).toBe(code);
  }
  const whole = { isWhole: true, mayKeep: () => false };
  expect(await errorOf(place.append(ONE, TEXT.length, failing(TEXT), whole))).toBeInstanceOf(Error);
  expect(await errorOf(place.append(ONE, TEXT.length, failing("short"), { mayKeep: () => false }))).toBeInstanceOf(
    Error,
  );
  expect(await place.keys()).toEqual(kept);
  // Where it isn't known whether they count, they may be needed.
  const unknown = async () => Promise.reject(outcomeUnknown(undefined));
  expect(await refusalOf(place.append(TWO, 0, piecesOf("x"), { onStored: unknown }))).toBe("storage_unavailable");
  expect((await place.keys()).length).toBe(4);
});

test("what others have left is erased at the next start, and what this server has seen as soon as its row is gone", async () => {
  const objects = memoryObjects();
  const before = objectPlace(objects, "here");
  await before.append(ONE, 0, piecesOf(TEXT));
  await objects.put("here/notes.txt", new Uint8Array(1));
  await objects.put("elsewhere/x", new Uint8Array(1));
  const place = objectPlace(objects, "here");
  await place.eraseAllBut();
  expect([...objects.kept.keys()]).toEqual(["here/notes.txt", "elsewhere/x"]);
  // Of another server, once its row was seen.
  await before.append(TWO, 0, piecesOf(TEXT));
  await place.eraseAllBut(TWO);
  expect(objects.kept.size).toBe(5);
  await place.eraseAllBut();
  expect(objects.kept.size).toBe(2);
});

test("a store that says that it has kept an object, and hasn't, is found out", async () => {
  await using place = setUp();
  let puts = 0;
  place.store.fault = (request) => {
    if (request.method !== "PUT" || (puts += 1) !== 2) return undefined;
    return Promise.resolve(new Response(null, { headers: { etag: '"0"' } }));
  };
  expect(await place.append(ONE, 0, piecesOf(TEXT))).toBe(TEXT.length);
  expect(await refusalOf(place.blobs.check(ONE, TEXT.length))).toBe("storage_unavailable");
});

test("an object that has another length is found out before anything is read", async () => {
  await using place = setUp();
  await place.append(ONE, 0, piecesOf(TEXT));
  const [key = ""] = await place.keys();
  await openObjectStore(bucket).put(key, new Uint8Array(9));
  expect(await refusalOf(place.blobs.check(ONE, TEXT.length))).toBe("storage_unavailable");
  expect(await refusalOf(place.read(TEXT.length))).toBe("storage_unavailable");
});

test("a store that fails for a moment is called again, for writing, reading, listing and erasing", async () => {
  await using place = setUp();
  const calls = new Map<string, number>();
  place.store.fault = ({ method, url }) => {
    const call = `${method} ${new URL(url).pathname}`;
    calls.set(call, (calls.get(call) ?? 0) + 1);
    return (calls.get(call) ?? 0) % 3 === 0 ? undefined : Promise.resolve(new Response("", { status: 503 }));
  };
  await place.append(ONE, 0, piecesOf(TEXT));
  await place.blobs.check(ONE, TEXT.length);
  expect(await place.read(TEXT.length)).toBe(TEXT);
  await place.eraseAllBut();
  expect(await place.keys()).toEqual([]);
  expect(place.outcomes).toEqual([undefined]);
});

test("a download goes on at the byte where the store has lost its connection, or sends too little", async () => {
  await using place = setUp(1000);
  const text = "0123456789".repeat(150);
  await place.append(ONE, 0, piecesOf(text));
  const ranges: (string | null)[] = [];
  place.store.fault = (request, forward) => {
    if (request.method !== "GET" || ranges.push(request.headers.get("range")) > 3) return undefined;
    return forward().then(async (answer) => {
      const bytes = (await answer.bytes()).slice(0, 250);
      const isCut = ranges.length % 2 === 1;
      const body = new ReadableStream({
        start(controller) {
          controller.enqueue(bytes);
          if (isCut) setTimeout(() => controller.error(new Error("cut")), 20);
          else controller.close();
        },
      });
      const { status, headers } = answer;
      return new Response(body, { status, headers: { "content-range": headers.get("content-range") ?? "" } });
    });
  };
  expect(await place.read(1500, 100, 1450)).toBe(text.slice(100, 1450));
  expect(ranges).toEqual(["bytes=100-999", "bytes=350-999", "bytes=600-999", "bytes=850-999", "bytes=0-449"]);
});

test("a store that doesn't answer is given up, and what it had answered before counts", async () => {
  await using place = setUp(10, { patienceMs: 400 });
  const ends: number[] = [];
  const onStored = async ({ end }: Stored) => void ends.push(end);
  const over = Promise.withResolvers<Response>();
  place.store.fault = () => (place.store.calls.length > 2 ? over.promise : undefined);
  expect(await refusalOf(place.append(ONE, 0, piecesOf(TEXT), { onStored }))).toBe("storage_unavailable");
  expect(ends).toEqual([10, 20]);
  for (const code of [place.blobs.check(ONE, 20), place.read(20)].map(refusalOf))
    expect(await code).toBe("storage_unavailable");
  over.resolve(new Response());
  expect(place.outcomes.length).toBe(3);
});

test("a store that refuses the key, or has no such bucket, isn't called again", async () => {
  await using place = setUp();
  for (const [status, code] of [
    [403, "AccessDenied"],
    [404, "NoSuchBucket"],
  ] as const) {
    const before = place.store.calls.length;
    place.store.fault = async () => new Response(`<Error><Code>${code}</Code></Error>`, { status });
    const refused = await errorOf(place.append(ONE, 0, piecesOf("x")));
    expect(refused).toMatchObject({ code: "storage_unavailable", options: { cause: { code } } });
    // The second one would remove what may have been stored all the same.
    expect(place.store.calls.slice(before)).toEqual(["PUT", "DELETE"]);
  }
});

test("a store that has failed is tried at the next sweep, until it can be used again", async () => {
  await using place = setUp();
  await place.eraseAllBut();
  place.store.fault = async (request) => new Response("", { status: request.method === "PUT" ? 403 : 200 });
  expect(await refusalOf(place.append(ONE, 0, piecesOf("x")))).toBe("storage_unavailable");
  expect(await refusalOf(place.eraseAllBut())).toBe("storage_unavailable");
  place.store.fault = undefined;
  await place.eraseAllBut();
  const { outcomes } = place;
  expect(outcomes.map((error) => error === undefined)).toEqual([true, false, false, true]);
  const before = place.store.calls.length;
  await place.eraseAllBut();
  expect(place.store.calls.length).toBe(before);
  expect(await place.keys()).toEqual([]);
});

test("one object that can't be erased keeps no others, and is tried again", async () => {
  await using place = setUp();
  for (const id of [ONE, TWO]) await place.append(id, 0, piecesOf("x"));
  await place.eraseAllBut(ONE, TWO);
  place.store.fault = (request) =>
    request.method === "DELETE" && request.url.includes(ONE)
      ? Promise.resolve(new Response("", { status: 403 }))
      : undefined;
  expect(await errorOf(place.eraseAllBut())).toMatchObject({ name: "ObjectStoreError" });
  expect((await place.keys()).map((key) => key.split("/")[1])).toEqual([ONE]);
  place.store.fault = undefined;
  await place.eraseAllBut();
  expect(await place.keys()).toEqual([]);
});

test("more objects are found than a store lists at once", async () => {
  await using place = setUp(1, { pageObjects: 4 });
  await place.append(ONE, 0, piecesOf("0123456789"));
  await place.blobs.check(ONE, 10);
  await place.eraseAllBut();
  expect(await place.keys()).toEqual([]);
});

test("uploads beyond what memory is meant for are refused for a moment", async () => {
  const place = objectPlace(memoryObjects());
  const over = Promise.withResolvers<void>();
  async function* held(): AsyncGenerator<Uint8Array> {
    yield new Uint8Array(1);
    await over.promise;
  }
  const writing = uploadIds(32).map((id) => place.append(id, 0, held()));
  expect(await refusalOf(place.append(uploadIds(33)[32] ?? "", 0, piecesOf("x")))).toBe("server_busy");
  over.resolve();
  await Promise.all(writing);
  expect(await place.append(uploadIds(33)[32] ?? "", 0, piecesOf("x"))).toBe(1);
});

/** The store as a server has it that is killed before or after its call with this number. */
function mortal(objects: ObjectStore, lastCall: number, isDone: boolean) {
  const killed = Promise.withResolvers<"killed">();
  let calls = 0;
  const step = async (work: () => Promise<void>): Promise<void> => {
    calls += 1;
    if (calls < lastCall) return work();
    if (calls === lastCall && isDone) await work();
    killed.resolve("killed");
    return new Promise(() => undefined);
  };
  const own: ObjectStore = {
    ...objects,
    put: (key, bytes) => step(() => objects.put(key, bytes)),
    remove: (key) => step(() => objects.remove(key)),
  };
  return { own, step, killed: killed.promise };
}

test("killed before or after any call, a server goes on with what was noted, and leaves nothing behind", async () => {
  const outcomes = new Set<string>();
  for (const isDone of [false, true]) {
    for (let last = 1, isOver = false; !isOver; last++) {
      const objects = memoryObjects();
      const { own, step, killed } = mortal(objects, last, isDone);
      const before = objectPlace(own, "here");
      // The row is written, or it isn't.
      const onStored = ({ parts }: Stored) => step(async () => void noted.push(...parts));
      const noted: BlobPart[] = [];
      const work = before.append(ONE, 0, piecesOf(TEXT), { onStored });
      const first = await Promise.race([killed, work.then(() => "stored")]);
      const size = noted.reduce((sum, { bytes }) => sum + bytes, 0);
      const after = objectPlace(objects, "here");
      after.noted.set(ONE, [...noted]);
      if (size < TEXT.length) await after.append(ONE, size, piecesOf(TEXT.slice(size)));
      await after.blobs.check(ONE, TEXT.length);
      expect(new TextDecoder().decode(await readBlob(after.blobs, ONE, TEXT.length))).toBe(TEXT);
      const erasing = mortal(objects, last, isDone);
      const erased = objectPlace(erasing.own, "here").eraseAllBut();
      const second = await Promise.race([erasing.killed, erased.then(() => "erased")]);
      await objectPlace(objects, "here").eraseAllBut();
      expect([...objects.kept.keys()].filter((key) => key.includes(ONE))).toEqual([]);
      outcomes.add(`${first} at ${size}`).add(second);
      isOver = first === "stored" && second === "erased";
    }
  }
  expect([...outcomes].toSorted()).toEqual([
    "erased",
    "killed",
    "killed at 0",
    "killed at 10",
    "killed at 20",
    "killed at 29",
    "stored at 29",
  ]);
});
