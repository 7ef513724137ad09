import type { ProofWay } from "../../contract/states.ts";
import type { AttemptRecord } from "./attempts.ts";
import type { NewEvent } from "./events.ts";
import type { MailRecord } from "./mails.ts";

/** A proof of an address, for one secret or request. */
export interface ProofAttempt extends AttemptRecord {
  readonly purpose: "proof" | "proven";
  readonly address: string;
  readonly subjectId: string;
}

/** An address that somebody has proven, and how. */
export interface ProvenAddress {
  readonly address: string;
  readonly proof: ProofWay;
}

/** What follows from asking for a code: its mail, or an event that it was refused. */
export type ProofEffect = { readonly mail: MailRecord } | { readonly event: NewEvent };

/** A typed code. */
export interface ProofCodeUse {
  readonly tokenHash: Uint8Array;
  readonly subjectId: string;
  readonly code: string;
  /** The number of wrong codes that end a proof. */
  readonly maxTries: number;
  /** The end of the proof once it is complete. */
  readonly provenUntil: number;
  /** The event of a proof that ends so, but for the address. */
  readonly refusal: Omit<NewEvent, "address">;
}

/** Stores proofs of addresses. */
export interface ProofStore {
  /** Stores a proof under the hash of its token, with its effect, and deletes proofs that are over. */
  createProof(proof: ProofAttempt, tokenHash: Uint8Array, effect?: ProofEffect): Promise<void>;
  /**
   * Completes a proof, and resolves with its address. Resolves "over" when there is no such proof, and "wrong",
   * counted, for another code.
   */
  completeProof(use: ProofCodeUse): Promise<{ readonly address: string } | "over" | "wrong">;
  /** What a complete proof for this secret or request has proven; undefined when there is none. */
  findProof(tokenHash: Uint8Array, subjectId: string): Promise<ProvenAddress | undefined>;
}
