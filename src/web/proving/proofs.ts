import type { RefObject } from "preact";
import { useState } from "preact/hooks";
import { ClientError } from "../../client/errors.ts";
import type { HttpClient } from "../../client/http-client.ts";
import type { ProofSubject } from "../../client/signing-in/proofs.ts";

/** The proof of an address, for the link of this page. */
export interface HeldProof {
  readonly address: string;
  /** True for the address of the signed-in person, who may not be one of the chosen people. */
  readonly isOwn: boolean;
  /** Returns the token for one call. Throws ClientError; `proof_required` when the person has signed out since. */
  readonly getToken: () => Promise<string>;
}

/** What it takes to prove an address for a link. */
export interface ProveProps {
  /** Has the token of the link. */
  readonly client: HttpClient;
  readonly subject: ProofSubject;
  /** The chosen people, as the holder of a link sees them. */
  readonly addressees: readonly string[];
  /** The proof that was refused; undefined when there was none. */
  readonly refused: HeldProof | undefined;
  /** The label of the button that opens the secret; undefined when more is asked for after the proof. */
  readonly openLabel: string | undefined;
  /** True when somebody has to approve the opening after the proof. */
  readonly needsApproval?: boolean;
  readonly onProven: (proof: HeldProof) => void;
}

/** The proof that a screen asks for, where its link is for chosen people. */
export interface Proving {
  /** True while an address has to be proven first. */
  readonly isNeeded: boolean;
  /** The proof that is held, or the one that was refused; undefined when there was none. */
  readonly proof: HeldProof | undefined;
  readonly accept: (proof: HeldProof) => void;
  /** Returns the token of the held proof; undefined when there is none. Throws ClientError. */
  readonly getToken: () => Promise<string | undefined>;
  /** Asks for another proof if `error` says that one is needed. Returns true in that case. */
  readonly refuse: (error: unknown) => boolean;
}

/** Asks for a proof if `isFor`, until there is one. `held` keeps it, also for a later screen. */
export function useProving(isFor: boolean, held: RefObject<HeldProof | undefined>): Proving {
  const [isNeeded, setNeeded] = useState(isFor && held.current === undefined);
  return {
    isNeeded,
    proof: held.current,
    accept(proof) {
      held.current = proof;
      setNeeded(false);
    },
    getToken: async () => held.current?.getToken(),
    refuse(error) {
      if (!isProofRequired(error)) return false;
      setNeeded(true);
      return true;
    },
  };
}

/** True when a call certainly had no effect, and neither had an earlier one with its key, because a proof is needed. */
export function isProofRequired(error: unknown): boolean {
  return error instanceof ClientError && error.code === "proof_required";
}
