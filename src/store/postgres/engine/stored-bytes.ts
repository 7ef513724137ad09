import { LARGE_VERSION } from "../../../contract/states.ts";
import type { RequestRecord } from "../../../domain/ports/requests.ts";
import type { SecretRecord } from "../../../domain/ports/secrets.ts";
import type { RowCharges } from "../../../domain/transactions/transaction.ts";

/**
 * The bytes that a row is charged, its index entries included. Measured from the table sizes over 4,000 rows each: 557
 * bytes for a secret, 422 for an event, 332 for an idempotent call, 507 for a request without its recipient, 145 for a
 * ciphertext of one character, 154 more for a reference. The charge is about a quarter higher, because dead rows stay
 * until they are vacuumed.
 */
export const ROW_BYTES = {
  secret: 800,
  request: 640,
  event: 528,
  call: 416,
  reference: 240,
  approval: 4096,
  sealed: 192,
} as const;

/**
 * The maximum length of a ciphertext that PostgreSQL stores in its row. It splits a longer one into chunks (TOAST). The
 * other constants are the length of a chunk, its overhead, and the unused part of its last page.
 */
const MAX_INLINE_CHARACTERS = 1900;
const CHUNK_BYTES = 1996;
const CHUNK_EXTRA_BYTES = 64;
const UNUSED_BYTES = 1792;

/** The charge of a secret without its ciphertext. */
function secretBytes(record: Pick<SecretRecord, "reference" | "addressees" | "approval">): number {
  const { reference, addressees, approval } = record;
  const approvalBytes = approval === null ? 0 : ROW_BYTES.approval;
  return ROW_BYTES.secret + referenceBytes(reference) + addresseeBytes(addressees) + approvalBytes;
}

/** The charge of a request without its note. */
function requestBytes(record: Pick<RequestRecord, "recipient" | "reference" | "addressees">): number {
  const { recipient, reference, addressees } = record;
  return (
    ROW_BYTES.request + Math.floor((recipient.length * 5) / 4) + referenceBytes(reference) + addresseeBytes(addressees)
  );
}

/** The charge of a ciphertext with this many characters. */
function sealedBytes(characters: number): number {
  const chunks = Math.floor(characters / CHUNK_BYTES);
  return (
    ROW_BYTES.sealed + characters + (characters > MAX_INLINE_CHARACTERS ? UNUSED_BYTES + CHUNK_EXTRA_BYTES * chunks : 0)
  );
}

/** The charges of all kinds of rows. */
export const ROW_CHARGES: RowCharges = {
  secret: secretBytes,
  request: requestBytes,
  ciphertext: sealedBytes,
  event: ROW_BYTES.event,
  call: ROW_BYTES.call,
};

/** The bytes that addresses add: twice those of their text, with which a row may not fit into its page any more. */
function addresseeBytes(addressees: string | null): number {
  return addressees === null ? 0 : 2 * Buffer.byteLength(addressees);
}

function referenceBytes(reference: string | null): number {
  return reference === null ? 0 : ROW_BYTES.reference;
}

const LENGTH = "octet_length(ciphertext)";
const ADDRESSEE_BYTES = "coalesce(sum(2 * octet_length(addressees)), 0)";

/** The charge of rows with so many characters. */
const sealedOf = (
  length: string,
) => `coalesce(sum(${ROW_BYTES.sealed} + ${length} + CASE WHEN ${length} > ${MAX_INLINE_CHARACTERS}
    THEN ${UNUSED_BYTES} + ${CHUNK_EXTRA_BYTES} * (${length} / ${CHUNK_BYTES}) ELSE 0 END), 0)`;

/** The same charges in SQL: each is an expression for the total charge of all rows of a table. */
export const CHARGES = {
  secrets: `(count(*) * ${ROW_BYTES.secret} + count(reference) * ${ROW_BYTES.reference} + ${ADDRESSEE_BYTES} + count(approval) * ${ROW_BYTES.approval})`,
  requests: `(coalesce(sum(${ROW_BYTES.request} + octet_length(recipient) * 5 / 4), 0) + count(reference) * ${ROW_BYTES.reference} + ${ADDRESSEE_BYTES})`,
  sealed: sealedOf(LENGTH),
  /** Of ciphertexts, each beside its secret. A large one is charged for its bytes, and not for what leads to them. */
  ciphertexts: sealedOf(`CASE envelope_version WHEN ${LARGE_VERSION} THEN ciphertext_bytes ELSE ${LENGTH} END`),
  events: `(count(*) * ${ROW_BYTES.event})`,
  calls: `(count(*) * ${ROW_BYTES.call})`,
} as const;
