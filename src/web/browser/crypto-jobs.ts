import type { OpeningKey } from "../../client/opened-secrets.ts";
import type { PreparedRequest } from "../../client/requests.ts";
import type { SealedSecret } from "../../client/stored-secrets.ts";
import type { Envelope } from "../../contract/envelopes.ts";
import type { Content, DecodedContent } from "../../crypto/contents.ts";

/** The name of a worker that will read archives. */
export const ARCHIVES = "archives";

/** A job for the worker: all work that would block the page. */
export type CryptoJob =
  | { readonly kind: "ping" }
  | { readonly kind: "open"; readonly envelope: Envelope; readonly key: OpeningKey }
  | { readonly kind: "note"; readonly envelope: Envelope; readonly passphrase: string }
  | { readonly kind: "send"; readonly content: Content; readonly passphrase: string | undefined }
  | {
      readonly kind: "notes";
      readonly items: readonly { readonly ageIdentity: string; readonly note: Envelope }[];
    }
  | { readonly kind: "ask"; readonly note: string | undefined }
  | { readonly kind: "recipient"; readonly ageIdentity: string }
  | { readonly kind: "seal"; readonly content: Content; readonly recipient: string };

/** The result of each kind of job. */
export interface CryptoValues {
  readonly ping: null;
  readonly open: DecodedContent;
  readonly note: string;
  readonly send: SealedSecret;
  /** Empty for notes that cannot be decrypted. */
  readonly notes: readonly string[];
  readonly ask: PreparedRequest;
  /** The recipient; undefined when the input is not an age identity. */
  readonly recipient: string | undefined;
  readonly seal: Envelope;
}

/** The worker's answer. An error has the code of an expected failure, or `internal` with a trace on the console. */
export type CryptoResult<Kind extends CryptoJob["kind"] = CryptoJob["kind"]> =
  { readonly ok: true; readonly value: CryptoValues[Kind] } | { readonly ok: false; readonly code: string };
