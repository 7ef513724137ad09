import { isCiphertext } from "../../../contract/ciphertexts.ts";
import { damagedOnDisk } from "./errors.ts";

/**
 * Throws a Refusal `storage_unavailable` when `ciphertext` is not what was stored: no characters that one can have, or not
 * `isAsLong`. What else can be wrong with it, the client finds when it decrypts.
 */
export function refuseDamaged(ciphertext: string, isAsLong: boolean): void {
  if (!isAsLong || !isCiphertext(ciphertext)) throw damagedOnDisk();
}
