import { isCiphertext, LargeCiphertext } from "../../../contract/ciphertexts.ts";
import type { Characters } from "../../../contract/ciphertexts.ts";
import { damagedOnDisk } from "./errors.ts";

/**
 * Throws a Refusal `storage_unavailable` when `ciphertext` can't be what was stored: not `isAsLong`, or with characters
 * that no ciphertext has. The client detects any other damage when it decrypts.
 */
export function refuseDamaged(ciphertext: Characters, isAsLong: boolean): void {
  const isWhole = typeof ciphertext === "string" ? isCiphertext(ciphertext) : LargeCiphertext.from(ciphertext);
  if (!isAsLong || !isWhole) throw damagedOnDisk();
}
