/**
 * The layout of a ciphertext in the database file, made so that erasing the ciphertext erases all of it.
 *
 * `secure_delete` overwrites a row in its place. But when SQLite balances the pages of a table, it moves rows and does
 * not always overwrite their old places, so that a copy of a row can outlive it. SQLite never moves overflow pages. So
 * every row of `ciphertexts` begins with a guard of zeros, which fills the part that SQLite keeps in the table's own
 * pages, and ends with a fill of zeros, which makes this part as small as it can be.
 *
 * The arithmetic is that of SQLite's file format, section 1.6, "B-tree Pages": of P bytes of a row that is too large
 * for its page, M + (P - M) mod (U - 4) stay in the page if that is at most X.
 */

/** The page size that this arithmetic is for. */
export const PAGE_BYTES = 4096;

const OVERFLOW_BYTES = PAGE_BYTES - 4;
const MIN_LOCAL_BYTES = Math.floor(((PAGE_BYTES - 12) * 32) / 255) - 23;
/** The maximum excess over the minimum that may stay in the page: the header of a row takes 6 to 10 bytes. */
const SLACK_BYTES = 8;
const HEADER_BYTES = 8;

/** Zeros before the ciphertext: more than ever stays in the page. */
export const GUARD_BYTES = 512;

/**
 * The bytes that a row with a ciphertext takes in the file: an eighth of a page of the table, and its own overflow
 * pages.
 */
export function ciphertextRowBytes(ciphertextBytes: number): number {
  const spilled = GUARD_BYTES + ciphertextBytes - MIN_LOCAL_BYTES;
  return PAGE_BYTES / 8 + PAGE_BYTES * Math.ceil(spilled / OVERFLOW_BYTES);
}

/** Zeros after a ciphertext of `ciphertextBytes`. */
export function fillBytes(ciphertextBytes: number): number {
  const spilled = HEADER_BYTES + GUARD_BYTES + ciphertextBytes - MIN_LOCAL_BYTES - SLACK_BYTES;
  return (OVERFLOW_BYTES - (spilled % OVERFLOW_BYTES)) % OVERFLOW_BYTES;
}
