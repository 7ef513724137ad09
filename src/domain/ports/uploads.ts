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

/** Stores what is known of uploads. As `SecretStore`, every method is atomic and durable. */
export interface UploadStore {
  /** Adds an upload, whose whole length counts against the quota of its team from now on. */
  createUpload(upload: UploadRecord, quotaBytes: number): Promise<"created" | "quota_exceeded">;
  /** Finds an upload that is no secret; undefined when there is none. It may have expired. */
  findUpload(id: string): Promise<UploadRecord | undefined>;
  /** Notes how far an upload is, and when it ends. Resolves false when it has ended, or is a secret. */
  noteProgress(id: string, progress: { readonly offset: number; readonly expiresAt: number }): Promise<boolean>;
  /** Finds the uploads of an identity or for a request that are no secrets, oldest first. They may have expired. */
  listUploads(createdBy: string): Promise<UploadRecord[]>;
  /** Finds the upload of a large secret; undefined when there is none. */
  findUploadOf(secretId: string): Promise<UploadRecord | undefined>;
  /** Ends an upload that is no secret. Resolves false when there is none. */
  endUpload(id: string): Promise<boolean>;
  /**
   * Moves the replay window of the claim of a large secret on to `until`. Resolves with the id of its upload; "over"
   * when the window has ended, and undefined when the call made no claim of this secret.
   */
  goOnDownloading(id: string, claimDigest: Uint8Array, until: number): Promise<string | undefined>;
  /**
   * Ends the uploads that have expired, forgets those of secrets whose ciphertext is erased, and resolves with the ids
   * of all that are left: no other blob is needed. Rejects when they can't be read.
   */
  keptUploads(): Promise<ReadonlySet<string>>;
}

/**
 * Keeps ciphertexts that are too large for the database, each by the id of its upload. The row of the upload decides
 * whether a blob is needed. Rejects with a Refusal `storage_unavailable` when it can't read or write.
 */
export interface BlobStore {
  /** The length of a blob, all of which is on disk; 0 when there is none. */
  size(id: string): Promise<number>;
  /**
   * Writes `pieces` at the end of a blob, which has `offset` bytes, and makes it when there is none. Resolves with its
   * length once all is on disk. When `pieces` throws, what came before is kept, and the error is thrown. Memory holds
   * one piece at a time, which may be empty when the next is asked for. While it goes on, `onFlushed` gets the length
   * that is on disk from time to time.
   */
  append(
    id: string,
    offset: number,
    pieces: AsyncIterable<Uint8Array>,
    onFlushed?: (bytes: number) => Promise<void>,
  ): Promise<number>;
  /** Cuts a blob to a length. */
  truncate(id: string, bytes: number): Promise<void>;
  /** The first `bytes` of a blob. They are read as they are used, not before. */
  read(id: string, bytes: number): Blob;
  /**
   * Erases all blobs but those that `findKept` finds: overwritten, flushed, removed. Never touches one that is written,
   * or that is made meanwhile. Ends early when `signal` is aborted. After an error of the file system it goes on with
   * the others, and throws it at the end.
   */
  eraseOthers(findKept: () => Promise<ReadonlySet<string>>, signal: AbortSignal): Promise<void>;
}

/** The places of a server that keeps large secrets. */
export interface LargeStorage {
  readonly uploads: UploadStore;
  readonly blobs: BlobStore;
}
