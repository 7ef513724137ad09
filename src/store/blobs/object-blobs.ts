import { isId } from "../../contract/ids.ts";
import type { Appending, BlobPart, BlobStore, RemoteBytes, UploadStore } from "../../domain/ports/uploads.ts";
import { blobUnavailable, storageUnavailable } from "../../domain/storage-refusals.ts";
import { Refusal } from "../../domain/values/errors.ts";
import { ObjectStoreError } from "./object-store.ts";
import type { ObjectFacts, ObjectStore } from "./object-store.ts";

/** The largest object. One is in memory for each upload that is written. */
const PART_BYTES = 8 * 1024 * 1024;
/** The uploads that are written at once: 256 MiB of memory. */
const MAX_WRITING = 32;
const RETRY_SECONDS = 2;
/** How many objects are removed at once. */
const REMOVALS = 8;
/** How often all objects are listed, for those that a crash or another server has left. */
const LISTING_MS = 60 * 60_000;
const OFFSET_DIGITS = 14;
const PROBE = new TextEncoder().encode("probe\n");
const never = new AbortController().signal;

export interface ObjectBlobsOptions {
  readonly objects: ObjectStore;
  /** Which objects count. */
  readonly findParts: UploadStore["findParts"];
  /** What the keys of all objects begin with, without a slash at the end. No other installation may use it. */
  readonly folder: () => string;
  /** Called with the error when the store fails, and with undefined when it can be used again. */
  readonly onOutcome?: (error: unknown) => void;
  readonly partBytes?: number;
}

/**
 * The blobs in an object store, each in objects of up to 8 MiB: S3 has no upload that can be gone on with. Which
 * objects count is in the database, so that no late call of a client or server can change what was checked. Several
 * servers may use the same store and database.
 */
export function openObjectBlobs(options: ObjectBlobsOptions): BlobStore {
  const { objects, findParts, folder, onOutcome = () => undefined, partBytes = PART_BYTES } = options;
  /** The uploads that had a row, or were written here, and whose objects may be there. */
  const known = new Set<string>();
  const writing = new Set<string>();
  let listedAt = -Infinity;
  /** True until the store has shown that it can be used, and since it has failed. */
  let isSuspect = true;

  const folderOf = (id: string): string => {
    if (!isId(id, "upload")) throw new Error("that is no id of an upload");
    return `${folder()}/${id}/`;
  };

  /** Throws a Refusal `storage_unavailable` for an error of the store, and any other unchanged. */
  const orRefuse = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ObjectStoreError)) throw error;
      isSuspect = true;
      onOutcome(error);
      throw storageUnavailable(error);
    }
  };

  const probe = async (): Promise<void> => {
    await orRefuse(() => probeObjects(objects, folder()));
    isSuspect = false;
    onOutcome(undefined);
  };

  const removeAll = async (keys: readonly string[]): Promise<void> => {
    for (let at = 0; at < keys.length; at += REMOVALS) {
      await Promise.all(keys.slice(at, at + REMOVALS).map((key) => objects.remove(key)));
    }
  };

  const append = async (id: string, offset: number, pieces: AsyncIterable<Uint8Array>, how: Appending) => {
    const { isWhole, mayKeep, onStored } = how;
    const buffer = new Uint8Array(partBytes);
    let [start, filled, noted] = [offset, 0, offset];
    /** The objects that don't count yet. */
    let pending: BlobPart[] = [];
    let isOver = false;
    const note = async () => {
      try {
        await onStored({ from: noted, end: start, parts: pending });
      } catch (error) {
        isOver = true;
        // Where it isn't known whether they count, they have to stay.
        if (!isLost(error)) pending = [];
        throw error;
      }
      noted = start;
      pending = [];
    };
    const put = async () => {
      if (filled > 0) {
        const part = { start, bytes: filled, key: newKey(folderOf(id), start) };
        pending.push(part);
        await orRefuse(() => objects.put(part.key, buffer.subarray(0, filled)));
        start += filled;
        filled = 0;
      }
      if (isWhole) await onStored({ from: noted, end: noted, parts: [] });
      else await note();
    };
    try {
      for await (const piece of pieces) {
        for (let at = 0; at < piece.length;) {
          const some = piece.subarray(at, at + partBytes - filled);
          buffer.set(some, filled);
          filled += some.length;
          at += some.length;
          if (filled === partBytes) await put();
        }
      }
      if (filled > 0 || start === offset) await put();
      if (isWhole) await note();
    } catch (error) {
      try {
        if (pending.length === 0 && filled > 0 && mayKeep(error) && !isOver) await put();
      } finally {
        // The sweep removes what this can't.
        await removeAll(pending.map(({ key }) => key)).catch(() => undefined);
      }
      throw error;
    }
  };

  /** The parts of a blob. Throws a Refusal `storage_unavailable` unless they are `bytes` together. */
  const partsOf = async (id: string, bytes: number): Promise<readonly BlobPart[]> => {
    const parts = await findParts(id);
    let end = 0;
    for (const part of parts) end = part.start === end ? end + part.bytes : NaN;
    if (end !== bytes) throw blobUnavailable("BLOB_DAMAGED");
    return parts;
  };

  const remoteBytes = (parts: readonly BlobPart[]): RemoteBytes => ({
    async open(start, end) {
      const stop = new AbortController();
      const found = readParts(objects, parts, { start, end }, stop.signal);
      // What can't be read at all is refused, and not cut off.
      const first = await orRefuse(() => found.next());
      return streamOf(first, found, () => stop.abort());
    },
  });

  /** Removes all objects of an upload. */
  const erase = async (id: string): Promise<void> => {
    const keys: string[] = [];
    for await (const { key } of objects.list(folderOf(id))) keys.push(key);
    await removeAll(keys);
    known.delete(id);
  };

  /** The uploads that have objects. */
  const listAll = async (): Promise<Set<string>> => {
    const prefix = `${folder()}/`;
    const ids = new Set<string>();
    for await (const { key } of objects.list(prefix)) {
      const [id = ""] = key.slice(prefix.length).split("/");
      if (isId(id, "upload")) ids.add(id);
    }
    return ids;
  };

  return {
    size: async ({ offset }) => offset,
    erase: async (id) => {
      if (!writing.has(id)) await erase(id);
    },
    async append(id, offset, pieces, how) {
      if (writing.has(id)) throw new Error("a blob is written twice at once");
      if (writing.size >= MAX_WRITING) throw new Refusal("server_busy", { retryAfterSeconds: RETRY_SECONDS });
      writing.add(id);
      try {
        await append(id, offset, pieces, how);
      } finally {
        writing.delete(id);
        known.add(id);
      }
    },
    async check(id, bytes) {
      const parts = await partsOf(id, bytes);
      const found = new Map<string, number>();
      await orRefuse(async () => {
        for await (const object of objects.list(folderOf(id))) found.set(object.key, object.bytes);
      });
      if (parts.every((part) => found.get(part.key) === part.bytes)) return;
      throw blobUnavailable("BLOB_DAMAGED");
    },
    read: async (id, bytes) => remoteBytes(await partsOf(id, bytes)),
    async eraseOthers(findKept, signal) {
      if (isSuspect) await probe();
      const isListing = performance.now() - listedAt > LISTING_MS;
      // Before the rows are read: what is made from now on may have a row that is not among them.
      const found = new Set([...known, ...(isListing ? await listAll() : [])]);
      const kept = await findKept();
      for (const id of kept) known.add(id);
      const failures: unknown[] = [];
      for (const id of found) {
        if (signal.aborted) return;
        // The row of one that is written has ended just now. Its turn comes later.
        if (kept.has(id) || writing.has(id)) continue;
        known.add(id);
        await erase(id).catch((error: unknown) => void failures.push(error));
      }
      if (isListing) listedAt = performance.now();
      if (failures.length > 0) throw failures[0];
    },
  };
}

/**
 * Finds out whether objects can be written, found, read, listed and removed, with one that nobody else has. Returns
 * what the store says of it. Throws ObjectStoreError.
 */
export async function probeObjects(objects: ObjectStore, folder: string): Promise<ObjectFacts> {
  const key = `${folder}/probe-${crypto.randomUUID()}`;
  await objects.put(key, PROBE);
  const facts = await objects.find(key);
  let read = 0;
  for await (const bytes of objects.get(key, 0, PROBE.length, never)) read += bytes.length;
  let isListed = false;
  for await (const object of objects.list(key)) isListed ||= object.key === key && object.bytes === PROBE.length;
  await objects.remove(key);
  if (isListed && read === PROBE.length) return facts;
  throw new ObjectStoreError("ProbeNotKept", false);
}

/** True for the error of a note after which no new part counts. */
function isLost(error: unknown): boolean {
  return error instanceof Refusal && (error.code === "upload_ended" || error.code === "offset_mismatch");
}

/** A key that nobody else has. In the order of keys, the objects are in that of their bytes. */
function newKey(folder: string, start: number): string {
  return `${folder}${String(start).padStart(OFFSET_DIGITS, "0")}-${crypto.randomUUID()}`;
}

/** Reads a range of a blob, one part after another. */
async function* readParts(
  objects: ObjectStore,
  parts: readonly BlobPart[],
  { start, end }: { readonly start: number; readonly end: number },
  signal: AbortSignal,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for (const part of parts) {
    const from = Math.max(start, part.start) - part.start;
    const to = Math.min(end, part.start + part.bytes) - part.start;
    if (from < to) yield* objects.get(part.key, from, to, signal);
  }
}

/** A stream of what is found, which reads no further than it is read itself. */
function streamOf(
  first: IteratorResult<Uint8Array<ArrayBuffer>, unknown>,
  rest: AsyncGenerator<Uint8Array<ArrayBuffer>>,
  stop: () => void,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  let next: typeof first | undefined = first;
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = next ?? (await rest.next());
        next = undefined;
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        stop();
        await rest.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}
