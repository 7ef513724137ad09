/** The limits of the contract, section 7. Sizes in bytes, durations in seconds. */

const MIB = 1024 * 1024;
const DAY_SECONDS = 24 * 60 * 60;

/** A limit that a sysadmin may set: its default and the range it may be set to, both ends included. */
export interface AdjustableLimit {
  readonly default: number;
  readonly min: number;
  readonly max: number;
}

export const CIPHERTEXT_BYTES: AdjustableLimit = { default: 10 * MIB, min: 1024, max: 100 * MIB };
/** The memory for bodies that are being read and large answers; without a setting a part of what there is. */
export const BODY_MEMORY_BYTES: Omit<AdjustableLimit, "default"> = { min: MIB, max: 1024 * 1024 * MIB };
/** The copies of a large ciphertext that there may be on its way from the database to the network, as measured. */
const ANSWER_COPIES = 3;
export const SECRET_TTL_SECONDS: AdjustableLimit = { default: 7 * DAY_SECONDS, min: 60, max: 90 * DAY_SECONDS };
/**
 * The longest time after a request was made for which something that was handed in for it can wait: the longest life of a
 * request, and then that of a submission.
 */
export const REQUEST_USE_SECONDS = 2 * SECRET_TTL_SECONDS.max;
export const MAX_CLAIMS: AdjustableLimit = { default: 1, min: 1, max: 100 };
export const TEAM_QUOTA_BYTES: AdjustableLimit = { default: 1024 * MIB, min: 1024, max: 1024 * 1024 * MIB };
export const CALLS_PER_SECOND: AdjustableLimit = { default: 100, min: 1, max: 1_000_000 };
export const CALL_BURST: AdjustableLimit = { default: 200, min: 1, max: 1_000_000 };
export const FAILED_AUTHENTICATIONS_PER_MINUTE: AdjustableLimit = { default: 20, min: 1, max: 1_000_000 };
export const WAITING_CALLS: AdjustableLimit = { default: 20, min: 0, max: 10_000 };
export const REPLAY_WINDOW_SECONDS: AdjustableLimit = { default: 300, min: 0, max: 3600 };
// Never below a day, so that a repeated Idempotency-Key (24 hours) still finds what it created.
export const TOMBSTONE_SECONDS: AdjustableLimit = {
  default: 30 * DAY_SECONDS,
  min: DAY_SECONDS,
  max: 365 * DAY_SECONDS,
};

/** The ciphertext of the note of a request. */
export const MAX_NOTE_BYTES = 16 * 1024;
/** The longest time that one `wait` may hold an answer back. */
export const MAX_WAIT_SECONDS = 60;
/** The time for which an `Idempotency-Key` answers with the first answer. */
export const IDEMPOTENCY_SECONDS = DAY_SECONDS;
/** Rows in one page of a list: at most, and when the caller does not say. */
export const MAX_PAGE_SIZE = 100;
export const DEFAULT_PAGE_SIZE = 20;

/** The memory that an answer with a large ciphertext takes until it is sent. */
export function answerBytes(ciphertextBytes: number): number {
  return ANSWER_COPIES * ciphertextBytes;
}

/** The least memory for bodies and large answers: the largest one of each passes at the same time. */
export function leastBodyMemoryBytes(maxCiphertextBytes: number): number {
  return answerBytes(maxCiphertextBytes) + maxCiphertextBytes;
}
