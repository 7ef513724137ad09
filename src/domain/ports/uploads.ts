import type { ProofWay } from "../../contract/states.ts";

/** An upload of the ciphertext of a large secret. Its bytes are in the `BlobStore`. Times are epoch milliseconds. */
export interface UploadRecord {
  readonly id: string;
  readonly teamId: string;
  /** The identity that sends it, or the request that it is handed in for. */
  readonly createdBy: string;
  /** The address that was proven to hand it in, and how; null where nobody was asked for one. */
  readonly address: string | null;
  readonly proof: ProofWay | null;
  /** Its length, once it is complete. */
  readonly bytes: number;
  /** How many of its first bytes are on disk and checked. What is behind them doesn't count. */
  readonly offset: number;
  readonly createdAt: number;
  /** When it ends, unless somebody goes on with it or makes a secret of it. */
  readonly expiresAt: number;
  /** The secret that was made of it; null while it is an upload. */
  readonly secretId: string | null;
}

/** An object of the store of objects that has a part of an upload. */
export interface BlobPart {
  /** The offset of its first byte in the upload. */
  readonly start: number;
  readonly bytes: number;
  readonly key: string;
}

/** What is stored of an upload. */
export interface Stored {
  /** Where the parts begin: they count only while the upload ends there. Undefined for a file. */
  readonly from?: number;
  /** How many of its first bytes. */
  readonly end: number;
  /** Where those are that were stored last, in their order; none for a file, which is found by the id. */
  readonly parts: readonly BlobPart[];
}

/** How far an upload is. */
export interface Progress extends Stored {
  readonly expiresAt: number;
  /** The team of an upload for a request, and its quota. */
  readonly quota?: { readonly teamId: string; readonly bytes: number } | undefined;
}

/** What becomes of a note of progress, as `UploadStore` has it. */
export type Noted = "noted" | "offset_mismatch" | "upload_ended" | "quota_exceeded";

/** How many uploads there are, and large secrets whose ciphertext is kept. */
interface UploadCounts {
  readonly uploads: number;
  readonly secrets: number;
  /** The length of all of them together, uploads as they will be. */
  readonly bytes: number;
}

/** Stores what is known of uploads. As `SecretStore`, every method is atomic and durable. */
export interface UploadStore {
  /**
   * Adds an upload, whose whole length counts against the quota of its team from now on; of one for a request, what is
   * stored of it. Where the whole doesn't fit, those of `others` that are idle end, the longest idle first, as many as
   * it takes; none when all of them aren't enough.
   */
  createUpload(
    upload: UploadRecord,
    quotaBytes: number,
    others?: readonly string[],
  ): Promise<"created" | "quota_exceeded">;
  /** Finds an upload that is no secret; undefined when there is none. It may have expired. */
  findUpload(id: string): Promise<UploadRecord | undefined>;
  /** Finds the uploads of an identity or for a request that are no secrets, oldest first. They may have expired. */
  listUploads(createdBy: string): Promise<UploadRecord[]>;
  /**
   * Notes how far an upload is, and when it ends. Resolves with "offset_mismatch" when it doesn't end at `from`:
   * another server has gone on with it. Resolves with "upload_ended" when it has ended, or is a secret, and with
   * "quota_exceeded" when that much of it doesn't fit.
   */
  noteProgress(id: string, progress: Progress): Promise<Noted>;
  /** The parts of an upload, in their order; none for a file. */
  findParts(id: string): Promise<readonly BlobPart[]>;
  /** Finds the upload of a large secret; undefined when there is none. */
  findUploadOf(secretId: string): Promise<UploadRecord | undefined>;
  countUploads(): Promise<UploadCounts>;
  /** Ends an upload that is no secret. Resolves false when there is none. */
  endUpload(id: string): Promise<boolean>;
  /**
   * Moves the replay window of the claim of a large secret on to `until`. Resolves with the id of its upload; "over"
   * when the window has ended, and undefined when the call made no claim of this secret.
   */
  goOnDownloading(id: string, claimDigest: Uint8Array, until: number): Promise<string | undefined>;
  /**
   * Ends the uploads that have expired and those for requests that have ended, forgets those of secrets whose
   * ciphertext is erased, and resolves with the ids of all that are left: no other blob is needed. Rejects when they
   * can't be read.
   */
  keptUploads(): Promise<ReadonlySet<string>>;
}

/** How a piece is written. */
export interface Appending {
  /** True for a piece of which nothing counts before its end. */
  readonly isWhole: boolean;
  /** Returns false when nothing of a piece may be kept whose stream has failed with `error`. */
  readonly mayKeep: (error: unknown) => boolean;
  /** Notes what is stored, from time to time and at the end. When it rejects, that doesn't count. */
  readonly onStored: (stored: Stored) => Promise<void>;
}

/** The bytes of a blob that is no file of this machine. */
export interface RemoteBytes {
  /**
   * Opens the bytes from `start` up to `end`, which is behind the last. Rejects with a Refusal `storage_unavailable`
   * when they can't be read. The stream fails when that happens later.
   */
  open(start: number, end: number): Promise<ReadableStream<Uint8Array<ArrayBuffer>>>;
}

/**
 * Keeps ciphertexts that are too large for the database, each by the id of its upload. The row of the upload decides
 * whether a blob is needed. Rejects with a Refusal `storage_unavailable` when it can't read or write.
 */
export interface BlobStore {
  /** How many first bytes of an upload are stored for good, and can be gone on from. */
  size(upload: Pick<UploadRecord, "id" | "offset">): Promise<number>;
  /**
   * Writes `pieces` behind the first `offset` bytes of a blob, and makes it when there is none. What was behind them is
   * erased. Resolves once all is stored and `onStored` has noted it. When `pieces` throws, what came before is kept, if
   * it may be, and the error is thrown. Memory holds 8 MiB at most. A piece may be empty when the next is asked for.
   */
  append(id: string, offset: number, pieces: AsyncIterable<Uint8Array>, how: Appending): Promise<void>;
  /** Resolves when all `bytes` of a blob are there, and rejects otherwise. */
  check(id: string, bytes: number): Promise<void>;
  /** The first `bytes` of a blob, which has to have them all. They are read as they are used, not before. */
  read(id: string, bytes: number): Promise<Blob | RemoteBytes>;
  /**
   * Erases all blobs but those that `findKept` finds. Never touches one that is written, or that is made meanwhile.
   * Ends early when `signal` is aborted. After an error it goes on with the others, and throws it at the end.
   */
  eraseOthers(findKept: () => Promise<ReadonlySet<string>>, signal: AbortSignal): Promise<void>;
  /** Erases a blob whose upload has ended, unless it is written. Does nothing when there is none. */
  erase(id: string): Promise<void>;
}

/** The places of a server that keeps large secrets. */
export interface LargeStorage {
  readonly uploads: UploadStore;
  readonly blobs: BlobStore;
}
