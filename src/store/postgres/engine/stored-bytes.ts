import type { RequestRecord } from "../../../domain/ports/requests.ts";
import type { SecretRecord } from "../../../domain/ports/secrets.ts";
import type { RowCharges } from "../../../domain/transactions/transaction.ts";

/**
 * The bytes that a row is charged, its entries in every index included. Measured by the sizes of tables over 4,000 rows each: 557 bytes for a
 * secret, 422 for an event, 332 for an idempotent call, 507 for a request besides its recipient, 145 for a ciphertext of one character, 154 more
 * for a reference. The charge is about a quarter more: what was changed or deleted stays until it is vacuumed.
 */
export const ROW_BYTES = { secret: 800, request: 640, event: 528, call: 416, reference: 240, sealed: 192 } as const;

/** The longest that stays in its row. Beyond it there are pieces: their length, and what is counted for each and for what stays empty of a page. */
const LONGEST_INSIDE = 1900;
const PIECE_BYTES = 1996;
const PIECE_EXTRA_BYTES = 64;
const EMPTY_BYTES = 1792;

/** The bytes that a secret is charged besides its ciphertext. */
function secretBytes({ reference }: Pick<SecretRecord, "reference">): number {
  return ROW_BYTES.secret + referenceBytes(reference);
}

/** The bytes that a request is charged besides its note. */
function requestBytes({ recipient, reference }: Pick<RequestRecord, "recipient" | "reference">): number {
  return ROW_BYTES.request + Math.floor((recipient.length * 5) / 4) + referenceBytes(reference);
}

/** The bytes that a ciphertext of so many characters is charged. */
function sealedBytes(characters: number): number {
  const pieces = Math.floor(characters / PIECE_BYTES);
  return ROW_BYTES.sealed + characters + (characters > LONGEST_INSIDE ? EMPTY_BYTES + PIECE_EXTRA_BYTES * pieces : 0);
}

/** The charges of all rows. */
export const ROW_CHARGES: RowCharges = {
  secret: secretBytes,
  request: requestBytes,
  ciphertext: sealedBytes,
  event: ROW_BYTES.event,
  call: ROW_BYTES.call,
};

function referenceBytes(reference: string | null): number {
  return reference === null ? 0 : ROW_BYTES.reference;
}

const LENGTH = "octet_length(ciphertext)";

/** The same in SQL: an expression for the bytes that all rows of a table are charged. */
export const CHARGES = {
  secrets: `(count(*) * ${ROW_BYTES.secret} + count(reference) * ${ROW_BYTES.reference})`,
  requests: `(coalesce(sum(${ROW_BYTES.request} + octet_length(recipient) * 5 / 4), 0) + count(reference) * ${ROW_BYTES.reference})`,
  sealed: `coalesce(sum(${ROW_BYTES.sealed} + ${LENGTH} + CASE WHEN ${LENGTH} > ${LONGEST_INSIDE}
    THEN ${EMPTY_BYTES} + ${PIECE_EXTRA_BYTES} * (${LENGTH} / ${PIECE_BYTES}) ELSE 0 END), 0)`,
  events: `(count(*) * ${ROW_BYTES.event})`,
  calls: `(count(*) * ${ROW_BYTES.call})`,
} as const;
