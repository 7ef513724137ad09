import { textOf } from "../../contract/ciphertexts.ts";
import { LARGE_VERSION } from "../../contract/states.ts";
import type { IdempotentCall } from "../ports/calls.ts";
import type { NewRequest, Submission } from "../ports/requests.ts";
import type { AskInput, ClaimInput, NewSecret } from "../ports/secrets.ts";
import type { Progress } from "../ports/uploads.ts";
import { createRequest, expireRequest, revokeRequest, setRequestState, submitSecret } from "./requests.ts";
import type { StateChange } from "./requests.ts";
import {
  acknowledgeClaim,
  askApproval,
  claimSecret,
  createSecret,
  decideAsk,
  expireSecret,
  revokeSecret,
  setSecretTerms,
} from "./secrets.ts";
import type { TermsSetting } from "./secrets.ts";
import type { Needs, Transaction } from "./transaction.ts";
import { createUpload, endUpload, goOnDownloading, noteProgress } from "./uploads.ts";
import type { Download, NewUpload } from "./uploads.ts";

/**
 * A `creation` adds to the storage, and is refused on a full disk. An `essential` operation may use the reserved space.
 */
export type OperationKind = "creation" | "essential";

/** A change of the store, which runs as one transaction or in a batch. Its input and output are plain data. */
export interface Operation<Input, Output, Tx = Transaction> {
  readonly kind: OperationKind;
  /** The rows that the operation finds; absent where the engine finds rows while it runs. */
  readonly needs?: (input: Input) => Needs;
  /** The approximate number of bytes that it adds to the storage; 0 when absent. */
  readonly bytes?: (input: Input) => number;
  /** Decides and writes, synchronously. May be called again after a rollback. */
  readonly run: (tx: Tx, input: Input) => Output;
}

/** Operations by their names. */
export type OperationTable<Tx = never> = Readonly<Record<string, Operation<never, unknown, Tx>>>;

type InputOf<O> = O extends { readonly run: (tx: never, input: infer Input) => unknown } ? Input : never;
type OutputOf<O> = O extends { readonly run: (tx: never, input: never) => infer Output } ? Output : never;

/**
 * Runs operations by their names. Resolves with the output once it is durable. Rejects with an error of the operation,
 * or with a Refusal `storage_unavailable`; then nothing has changed, unless the outcome of the refusal is unknown.
 * Resolves with "abandoned", without any change, when `signal` was aborted before the operation began.
 */
export interface Run<Table extends OperationTable> {
  <Name extends keyof Table>(name: Name, input: InputOf<Table[Name]>): Promise<OutputOf<Table[Name]>>;
  <Name extends keyof Table>(
    name: Name,
    input: InputOf<Table[Name]>,
    signal: AbortSignal | undefined,
  ): Promise<OutputOf<Table[Name]> | "abandoned">;
}

const digestsOf = (call: IdempotentCall | undefined) => (call ? [call.digest] : []);
const needsOfCreation = ({ record, ciphertext, call }: NewSecret): Needs => ({
  teamIds: [record.teamId],
  digests: digestsOf(call),
  ...(record.envelopeVersion === LARGE_VERSION ? { uploadIds: [textOf(ciphertext)] } : {}),
});
const needsOfSecret = ({ id }: { readonly id: string }): Needs => ({ secretIds: [id] });
const needsOfRequest = ({ id }: { readonly id: string }): Needs => ({ requestIds: [id] });

/** The operations on secrets and requests, the same for every engine. */
export const OPERATIONS = {
  createSecret: {
    kind: "creation",
    needs: needsOfCreation,
    bytes: ({ ciphertext }: NewSecret) => ciphertext.length,
    run: (tx: Transaction, secret: NewSecret) => createSecret(tx, secret),
  },
  claimSecret: {
    kind: "essential",
    needs({ id, call, smallOnly }: Omit<ClaimInput, "signal">): Needs {
      const ciphertext = smallOnly ? { smallCiphertextIds: [id] } : { ciphertextIds: [id] };
      return { secretIds: [id], digests: digestsOf(call), ...ciphertext };
    },
    run: claimSecret,
  },
  acknowledgeClaim: {
    kind: "essential",
    needs: ({ id, claimDigest }: { readonly id: string; readonly claimDigest: Uint8Array }): Needs => ({
      secretIds: [id],
      digests: [claimDigest],
    }),
    run: acknowledgeClaim,
  },
  setSecretTerms: {
    kind: "creation",
    needs: ({ id, teamId }: TermsSetting): Needs => ({ secretIds: [id], teamIds: [teamId] }),
    run: setSecretTerms,
  },
  revokeSecret: { kind: "essential", needs: needsOfSecret, run: revokeSecret },
  expireSecret: { kind: "essential", needs: needsOfSecret, run: expireSecret },
  askApproval: {
    kind: "creation",
    needs: ({ id, teamId }: AskInput): Needs => ({ secretIds: [id], teamIds: [teamId] }),
    run: askApproval,
  },
  decideAsk: { kind: "essential", needs: needsOfSecret, run: decideAsk },
  createRequest: {
    kind: "creation",
    needs: ({ record, call }: NewRequest): Needs => ({ teamIds: [record.teamId], digests: digestsOf(call) }),
    bytes: ({ note }: NewRequest) => note?.ciphertext.length ?? 0,
    run: createRequest,
  },
  submitSecret: {
    kind: "creation",
    needs: (submission: Submission): Needs => ({ ...needsOfCreation(submission), requestIds: [submission.requestId] }),
    bytes: ({ ciphertext }: Submission) => ciphertext.length,
    run: submitSecret,
  },
  setRequestState: {
    kind: "essential",
    needs: ({ id, teamId }: StateChange): Needs => ({ requestIds: [id], teamIds: [teamId] }),
    run: setRequestState,
  },
  revokeRequest: { kind: "essential", needs: needsOfRequest, run: revokeRequest },
  expireRequest: { kind: "essential", needs: needsOfRequest, run: expireRequest },
} as const;

/** The operations on uploads and large secrets, for an engine that keeps them. */
export const UPLOAD_OPERATIONS = {
  createUpload: {
    kind: "creation",
    needs: ({ upload, others }: NewUpload): Needs => ({
      teamIds: [upload.teamId],
      uploadIds: [upload.id, ...others],
    }),
    run: createUpload,
  },
  noteProgress: {
    kind: "essential",
    needs: ({ id, quota }: Progress & { readonly id: string }): Needs => ({
      uploadIds: [id],
      ...(quota && { teamIds: [quota.teamId] }),
    }),
    run: noteProgress,
  },
  endUpload: {
    kind: "essential",
    needs: ({ id }: { readonly id: string }): Needs => ({ uploadIds: [id] }),
    run: endUpload,
  },
  goOnDownloading: {
    kind: "essential",
    needs: ({ id, claimDigest }: Download): Needs => ({
      secretIds: [id],
      ciphertextIds: [id],
      digests: [claimDigest],
    }),
    run: goOnDownloading,
  },
} as const;

/** Runs the operations on secrets and requests. */
export type RunOperation = Run<typeof OPERATIONS>;
