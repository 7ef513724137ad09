import { readKept, removeKept, writeKept } from "../browser/tab-storage.ts";

const PREFIX = "handoff-proof:";
/** How long a code works. */
const CODE_MS = 600_000;

/** The proof of an address that waits for its code. Its token is worth nothing without the code. */
export interface BegunProof {
  readonly address: string;
  readonly proofToken: string;
}

/** Keeps a begun proof for the secret or the request `id` in this tab: that of a phone may be reloaded meanwhile. */
export function keepBegunProof(id: string, { address, proofToken }: BegunProof): void {
  writeKept(PREFIX + id, { address, proofToken, until: Date.now() + CODE_MS });
}

/** Returns the proof that this tab has begun for `id`; undefined when there is none, or its code no longer works. */
export function findBegunProof(id: string): BegunProof | undefined {
  const kept = readKept(PREFIX + id) as (BegunProof & { readonly until: number }) | undefined;
  if (!kept || kept.until <= Date.now()) return undefined;
  const { address, proofToken } = kept;
  return { address, proofToken };
}

/** Forgets the proof that was begun for `id`. */
export function forgetBegunProof(id: string): void {
  removeKept(PREFIX + id);
}
