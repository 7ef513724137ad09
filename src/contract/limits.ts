/** The limits of the contract, section 7. Sizes in bytes, durations in seconds. */

const MIB = 1024 * 1024;
const DAY_SECONDS = 24 * 60 * 60;

/** A limit that an admin may set: its default, and its inclusive range. */
export interface AdjustableLimit {
  readonly default: number;
  readonly min: number;
  readonly max: number;
}

export const CIPHERTEXT_BYTES: AdjustableLimit = { default: 10 * MIB, min: 1024, max: 100 * MIB };
const GIB = 1024 * MIB;
/** The largest ciphertext that is uploaded in pieces; 0 for none. */
export const SECRET_BYTES: AdjustableLimit = { default: 10 * GIB, min: 0, max: 1024 * GIB };
/** How long an upload lives that nobody goes on with. */
export const UPLOAD_SECONDS = DAY_SECONDS;
/** How long an upload has got nothing that gives way to another. The slowest sender has sent 8 MiB by then. */
export const IDLE_UPLOAD_SECONDS = 600;
/** The least replay window of a large secret, in which it is downloaded. */
export const LEAST_DOWNLOAD_SECONDS = 3600;
/** The longest time in which a large secret can be downloaded after its claim. */
export const MAX_DOWNLOAD_SECONDS = DAY_SECONDS;
/** The memory for request bodies and large answers. The default depends on the machine's memory. */
export const BODY_MEMORY_BYTES: Omit<AdjustableLimit, "default"> = { min: MIB, max: 1024 * 1024 * MIB };
/** The measured number of copies of a large ciphertext between database and network. */
const ANSWER_COPIES = 3;
export const SECRET_TTL_SECONDS: AdjustableLimit = { default: 7 * DAY_SECONDS, min: 60, max: 90 * DAY_SECONDS };
/** The longest time between a request's creation and the end of its last submission: the maximum lifetimes of both. */
export const REQUEST_USE_SECONDS = 2 * SECRET_TTL_SECONDS.max;
/** How many secrets can be handed in for a request that doesn't say. */
export const DEFAULT_SUBMISSIONS = 1;
export const MAX_CLAIMS: AdjustableLimit = { default: 1, min: 1, max: 100 };
export const TEAM_QUOTA_BYTES: AdjustableLimit = { default: 1024 * MIB, min: 1024, max: 1024 * 1024 * MIB };
export const CALLS_PER_SECOND: AdjustableLimit = { default: 100, min: 1, max: 1_000_000 };
export const CALL_BURST: AdjustableLimit = { default: 200, min: 1, max: 1_000_000 };
export const FAILED_AUTHENTICATIONS_PER_MINUTE: AdjustableLimit = { default: 20, min: 1, max: 1_000_000 };
export const WAITING_CALLS: AdjustableLimit = { default: 20, min: 0, max: 10_000 };
/** The life of a session of the page. */
export const SESSION_SECONDS: AdjustableLimit = { default: 30 * DAY_SECONDS, min: 3600, max: 365 * DAY_SECONDS };
/** The time after which an unused session ends. */
export const SESSION_IDLE_SECONDS: AdjustableLimit = { default: 7 * DAY_SECONDS, min: 300, max: 365 * DAY_SECONDS };
export const REPLAY_WINDOW_SECONDS: AdjustableLimit = { default: 300, min: 0, max: 3600 };
// At least a day, so that a repeated Idempotency-Key (24 hours) still finds what it created.
export const TOMBSTONE_SECONDS: AdjustableLimit = {
  default: 30 * DAY_SECONDS,
  min: DAY_SECONDS,
  max: 365 * DAY_SECONDS,
};

/** The maximum size of the ciphertext of a request's note. */
export const MAX_NOTE_BYTES = 16 * 1024;
/** The longest name of a machine that logs in, in characters. */
export const MAX_MACHINE_LENGTH = 64;
/** The longest `wait`. */
export const MAX_WAIT_SECONDS = 60;
/** How long an `Idempotency-Key` is remembered. */
export const IDEMPOTENCY_SECONDS = DAY_SECONDS;
/** The maximum and the default number of rows on a page. */
export const MAX_PAGE_SIZE = 100;
/** The most lines of the audit on a page, and as many as there are on one. */
export const AUDIT_PAGE_SIZE = 1000;
export const DEFAULT_PAGE_SIZE = 20;

/** The bytes of memory that an answer with a large ciphertext takes until it is sent. */
export function answerBytes(ciphertextBytes: number): number {
  return ANSWER_COPIES * ciphertextBytes;
}

/** The least memory for request bodies and large answers, in bytes: enough for the largest of each at the same time. */
export function leastBodyMemoryBytes(maxCiphertextBytes: number): number {
  return answerBytes(maxCiphertextBytes) + maxCiphertextBytes;
}

/** The most passkeys of a person. */
export const MAX_PASSKEYS = 20;

/** The most people whom a secret or a request is for. */
export const MAX_ADDRESSEES = 20;
/** The longest list of them: addresses of 64 characters, and what separates them. */
export const MAX_ADDRESSEES_LENGTH = MAX_ADDRESSEES * 65;
