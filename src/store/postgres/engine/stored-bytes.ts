import type { RequestRecord } from "../../../domain/ports/requests.ts";
import type { SecretRecord } from "../../../domain/ports/secrets.ts";

/**
 * The bytes that a row is charged, its entries in every index included. Rows that come and go leave pages half full.
 */
export const ROW_BYTES = { secret: 608, request: 384, event: 320, call: 320, reference: 176, sealed: 128 } as const;

/** The bytes that a secret is charged besides its ciphertext. */
export function secretBytes({ reference }: Pick<SecretRecord, "reference">): number {
  return ROW_BYTES.secret + referenceBytes(reference);
}

/** The bytes that a request is charged besides its note. */
export function requestBytes({ recipient, reference }: Pick<RequestRecord, "recipient" | "reference">): number {
  return ROW_BYTES.request + recipient.length + referenceBytes(reference);
}

/** The bytes that a ciphertext of so many characters is charged. */
export function sealedBytes(characters: number): number {
  return ROW_BYTES.sealed + characters;
}

function referenceBytes(reference: string | null): number {
  return reference === null ? 0 : ROW_BYTES.reference;
}
