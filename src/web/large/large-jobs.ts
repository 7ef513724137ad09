import { ClientError } from "../../client/errors.ts";
import type { ErrorKind } from "../../contract/user-errors.ts";
import type { Room } from "./opened-files.ts";

/** A claimed large secret, and what its download needs. */
export interface LargeSource {
  readonly baseUrl: string;
  /** The claim token of a link; undefined for the session of this browser. */
  readonly claimToken: string | undefined;
  readonly id: string;
  /** The key of the claim. */
  readonly idempotencyKey: string;
  /** The length of the ciphertext. */
  readonly bytes: number;
}

/** What a large secret is opened with. */
export type LargeKey = LinkKey | { readonly ageIdentities: readonly string[] };

/** What a link and its person have. */
interface LinkKey {
  readonly agePassphrase: string;
  /** The passphrases to try, in this order; none when the link asks for none. */
  readonly passphrases: readonly string[];
}

/** A job for the worker that opens large secrets. `folder` is one that the page holds. */
export type LargeJob =
  | { readonly kind: "check"; readonly folder: string; readonly bytes: number }
  | { readonly kind: "open"; readonly folder: string; readonly source: LargeSource; readonly key: LargeKey }
  | { readonly kind: "zip"; readonly folder: string; readonly files: readonly StoredFile[] }
  | { readonly kind: "stop" };

/** A file or folder of an opened secret. The file `index` of the folder has its bytes. */
export interface StoredFile {
  readonly name: string;
  readonly size: number;
  readonly isFolder: boolean;
  /** What it says, if it is text beside files that is short enough to be shown; otherwise undefined. */
  readonly text?: string | undefined;
}

/** An expected failure, or `internal`. */
export interface LargeFailure {
  readonly code: string;
  readonly kind: ErrorKind;
}

/** What the worker says. A job ends with `checked`, `opened`, `zipped` or `failed`. */
export type LargeNews =
  | { readonly kind: "checked"; readonly room: Room }
  | { readonly kind: "received"; readonly bytes: number }
  /** `askedAt` is the time of a call that moved the end of the claim's window on. */
  | { readonly kind: "renewed"; readonly askedAt: number }
  | { readonly kind: "retrying"; readonly failure: LargeFailure; readonly pauseMs: number }
  | { readonly kind: "opened"; readonly files: readonly StoredFile[] }
  | { readonly kind: "zipped" }
  | { readonly kind: "failed"; readonly failure: LargeFailure };

/** True for the error of a key after which another one may open the secret. */
export function isStillLocked(error: unknown, key: LargeKey): boolean {
  if (!(error instanceof ClientError) || "ageIdentities" in key) return false;
  return error.code === "passphrase_missing" || (error.code === "decryption_failed" && key.passphrases.length > 0);
}
