import { isCiphertext } from "../../../contract/ciphertexts.ts";
import type { Characters } from "../../../contract/ciphertexts.ts";
import { storageUnavailable } from "../../../domain/storage-refusals.ts";

/**
 * Throws a Refusal `storage_unavailable` when a stored `ciphertext` contains characters that no ciphertext has, or when
 * `isAsLong` is false: its length has changed.
 */
export function refuseDamaged(ciphertext: Characters, isAsLong: boolean): void {
  if (typeof ciphertext !== "string" || (isAsLong && isCiphertext(ciphertext))) return;
  throw storageUnavailable(new Error("a ciphertext is damaged"));
}
