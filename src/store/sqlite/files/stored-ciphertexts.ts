import { isCiphertext, LargeCiphertext } from "../../../contract/ciphertexts.ts";
import type { Characters } from "../../../contract/ciphertexts.ts";
import { damagedOnDisk } from "./errors.ts";

/**
 * Throws a Refusal `storage_unavailable` when `ciphertext` is not what was stored: no characters that one can have, or not
 * `isAsLong`. What else can be wrong with it, the client finds when it decrypts.
 */
export function refuseDamaged(ciphertext: Characters, isAsLong: boolean): void {
  const isWhole = typeof ciphertext === "string" ? isCiphertext(ciphertext) : LargeCiphertext.from(ciphertext);
  if (!isAsLong || !isWhole) throw damagedOnDisk();
}
