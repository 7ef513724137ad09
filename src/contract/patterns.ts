// As texts, because schemas take them so.

/**
 * The characters of a ciphertext: encoded bytes, never prose. One at a time, so that there is nothing to go back over.
 */
export const CIPHERTEXT_PATTERN = "^[A-Za-z0-9+/_.=-]+$";

/** An age recipient in Bech32: X25519, or hybrid with the prefix `age1pq1`. Its length and checksum say more. */
export const RECIPIENT_PATTERN = "^age1(pq1)?[02-9ac-hj-np-z]{58,1952}$";

/** SHA-256 in unpadded base64url; the last character has two bits. */
export const TOKEN_HASH_PATTERN = "^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$";

/** The name of a ticket, such as OPS-4711: a shape that no token, key or passphrase of any use has. */
export const REFERENCE_PATTERN = "^[A-Za-z][A-Za-z0-9]{0,15}-[0-9]{1,9}$";
/** One of them, for texts that show what it looks like. */
export const REFERENCE_EXAMPLE = "OPS-4711";

/** An http address. As a pattern: the check of the format `uri` would cost a creation a twentieth of its time. */
export const URL_PATTERN = "^https?://[^\\s]+$";
