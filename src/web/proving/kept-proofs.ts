import { readKept, removeKept, writeKept } from "../browser/tab-storage.ts";
import type { HeldProof } from "./proofs.ts";

const PREFIX = "handoff-proof:";
/** How long a code works, and how long a proof counts. */
const LASTS_MS = 600_000;

/** The proof of an address. Its token is worth nothing before the code was entered, and nothing without the link. */
export interface BegunProof {
  readonly address: string;
  readonly proofToken: string;
}

interface Kept extends BegunProof {
  /** In epoch milliseconds. */
  readonly until: number;
  readonly isComplete?: boolean;
}

/** Keeps a begun proof for the secret or the request `id` in this tab: that of a phone may be reloaded meanwhile. */
export function keepBegunProof(id: string, { address, proofToken }: BegunProof): void {
  writeKept(PREFIX + id, { address, proofToken, until: Date.now() + LASTS_MS });
}

/** Returns the proof that this tab has begun for `id`; undefined when there is none, or its code no longer works. */
export function findBegunProof(id: string): BegunProof | undefined {
  return find(id, false);
}

/** Keeps a complete proof for `id` in this tab until it is used: what comes after it may be reloaded too. */
export function keepProof(id: string, { address, proofToken }: BegunProof): void {
  writeKept(PREFIX + id, { address, proofToken, until: Date.now() + LASTS_MS, isComplete: true });
}

/** Returns the complete proof that this tab keeps for `id`; undefined when there is none, or it has ended. */
export function findProof(id: string): BegunProof | undefined {
  return find(id, true);
}

/** The complete proof as it is used. This page has it from then on, and the tab no longer keeps it. */
export function toHeldProof(id: string, { address, proofToken }: BegunProof): HeldProof {
  return {
    address,
    isOwn: false,
    async getToken() {
      forgetProof(id);
      return proofToken;
    },
  };
}

function find(id: string, wantsComplete: boolean): BegunProof | undefined {
  const kept = readKept(PREFIX + id) as Kept | undefined;
  if (!kept) return undefined;
  const { address, proofToken, until, isComplete = false } = kept;
  if (until <= Date.now()) {
    forgetProof(id);
    return undefined;
  }
  return isComplete === wantsComplete ? { address, proofToken } : undefined;
}

/** Forgets the proof for `id`, begun or complete. */
export function forgetProof(id: string): void {
  removeKept(PREFIX + id);
}
