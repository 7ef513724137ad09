import { join } from "node:path";
import type { Appending, BlobPart, BlobStore, Stored } from "../../src/domain/ports/uploads.ts";
import { openFolderBlobs } from "../../src/store/blobs/folder-blobs.ts";
import { openObjectBlobs } from "../../src/store/blobs/object-blobs.ts";
import type { ObjectStore } from "../../src/store/blobs/object-store.ts";
import { temporaryFolder } from "./temporary.ts";

/** A place for blobs, with what a database notes of them. */
export interface BlobPlace extends Disposable {
  readonly blobs: BlobStore;
  /** What is noted: the parts of each blob. */
  readonly noted: Map<string, BlobPart[]>;
  /** The outcomes of the calls of a store: undefined, or its error. */
  readonly outcomes: unknown[];
  /**
   * Writes pieces at the end of a blob, notes where they are, and resolves with its length. What comes before they fail
   * is kept, unless `how` says otherwise.
   */
  append(
    id: string,
    offset: number,
    pieces: AsyncIterable<Uint8Array>,
    how?: Partial<Omit<Appending, "onStored">> & { readonly onStored?: (stored: Stored) => Promise<void> },
  ): Promise<number>;
  /** Erases all blobs but these. */
  eraseAllBut(...kept: readonly string[]): Promise<void>;
}

const never = new AbortController().signal;

function placeOf(
  blobs: BlobStore,
  noted: Map<string, BlobPart[]>,
  outcomes: unknown[],
  over: () => void = () => undefined,
): BlobPlace {
  return {
    blobs,
    noted,
    outcomes,
    async append(id, offset, pieces, { onStored, ...how } = {}) {
      let end = offset;
      await blobs.append(id, offset, pieces, {
        isWhole: false,
        mayKeep: () => true,
        ...how,
        async onStored(stored) {
          await onStored?.(stored);
          noted.set(id, [...(noted.get(id) ?? []), ...stored.parts]);
          end = stored.end;
        },
      });
      return end;
    },
    eraseAllBut: (...kept) => blobs.eraseOthers(async () => new Set(kept), never),
    [Symbol.dispose]: over,
  };
}

export function folderPlace(): BlobPlace {
  const folder = temporaryFolder();
  return placeOf(openFolderBlobs(join(folder.path, "blobs"), 0), new Map(), [], () => folder[Symbol.dispose]());
}

/** Blobs in `objects`, in parts of `partBytes`. */
export function objectPlace(objects: ObjectStore, folder: string = crypto.randomUUID(), partBytes = 10): BlobPlace {
  const noted = new Map<string, BlobPart[]>();
  const outcomes: unknown[] = [];
  const blobs = openObjectBlobs({
    objects,
    findParts: async (id) => noted.get(id) ?? [],
    folder: () => folder,
    onOutcome: (error) => void outcomes.push(error),
    partBytes,
  });
  return placeOf(blobs, noted, outcomes);
}

/** Each text as a piece. */
export async function* piecesOf(...texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield new TextEncoder().encode(text);
}

/** The same, and then the connection is lost. */
export async function* failing(...texts: readonly string[]): AsyncGenerator<Uint8Array> {
  yield* piecesOf(...texts);
  throw new Error("the connection is lost");
}

/** Ids of uploads. */
export const uploadIds = (count: number) =>
  Array.from({ length: count }, (_, n) => `upl_${String(n).padStart(26, "0")}`);
