import type { LocalCode } from "../../../client/errors.ts";
import type { SecretTerms, SentSecret } from "../../../client/stored-secrets.ts";
import type { ErrorCode } from "../../../contract/error-codes.ts";
import type { SubmittedSecret } from "../../../contract/requests.ts";
import type { ErrorKind } from "../../../contract/user-errors.ts";

/** A file, whose bytes are read while it is sent. */
export interface LargeFile {
  readonly name: string;
  readonly blob: Blob;
}

/** What the worker is to send. */
export interface LargeOrder {
  readonly baseUrl: string;
  readonly text: string;
  readonly files: readonly LargeFile[];
  readonly to: NewSecret | ForRequest;
}

/** A secret of the person who is signed in. */
export interface NewSecret {
  readonly kind: "secret";
  /** The passphrase that the recipient also needs; undefined for none. */
  readonly passphrase: string | undefined;
  readonly terms: Omit<SecretTerms, "onProgress">;
}

/** What is handed in for a request, with the token of its link. */
export interface ForRequest {
  readonly kind: "request";
  readonly requestId: string;
  readonly recipient: string;
  readonly submitToken: string;
  /** The token of the proof of an address, where only chosen people may hand in. */
  readonly proofToken: string | undefined;
}

/** What the page says to the worker: `stop` ends the upload, and `wake` ends a pause between two attempts. */
export type PageMessage =
  { readonly kind: "send"; readonly order: LargeOrder } | { readonly kind: "stop" } | { readonly kind: "wake" };

/** What the worker says of its progress. */
export type LargeNews =
  /** The address of the upload, before the first piece of it is sent. */
  | { readonly kind: "begun"; readonly url: string }
  /** `sent` bytes of the ciphertext have left, and `stored` of them are on the server's disk. */
  | { readonly kind: "progress"; readonly sent: number; readonly stored: number; readonly total: number }
  /** An attempt failed, and another follows. */
  | { readonly kind: "setback"; readonly code: ErrorCode | LocalCode }
  /** The server answered, whatever it said. */
  | { readonly kind: "answered" };

/** What the worker says. After `sent` and `failed` it says no more. */
export type WorkerMessage =
  LargeNews | { readonly kind: "sent"; readonly sent: SentSecret | SubmittedSecret } | LargeFailure;

/** An unforeseen error has the code `internal`, and its trace is on the console. */
export interface LargeFailure {
  readonly kind: "failed";
  readonly code: ErrorCode | LocalCode;
  readonly errorKind: ErrorKind;
  /** The name of the file that can't be read; undefined for any other failure. */
  readonly file: string | undefined;
}
