// Strings, because schemas take patterns as strings.

/** The characters of a ciphertext: encoded bytes, never prose. Without groups, so that matching doesn't backtrack. */
export const CIPHERTEXT_PATTERN = "^[A-Za-z0-9+/_.=-]+$";

/** An age recipient in Bech32: X25519, or hybrid (`age1pq1`). Length and checksum are checked elsewhere. */
export const RECIPIENT_PATTERN = "^age1(pq1)?[02-9ac-hj-np-z]{58,1952}$";

/** SHA-256 in unpadded base64url. The last character has two unused bits. */
export const TOKEN_HASH_PATTERN = "^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$";

/** A ticket name, such as OPS-4711. No useful token, key or passphrase has this shape. */
export const REFERENCE_PATTERN = "^[A-Za-z][A-Za-z0-9]{0,15}-[0-9]{1,9}$";
/** An example for texts. */
export const REFERENCE_EXAMPLE = "OPS-4711";

/** An http URL. A pattern, because checking the format `uri` would take a twentieth of a creation's time. */
export const URL_PATTERN = "^https?://[^\\s]+$";

/** The pattern of enumerated values in answers, also of those of later versions. */
export const WORD_PATTERN = "^[a-z][a-z0-9_]{0,29}$";

/** Addresses of mail, or domains after an asterisk, with commas between them. The server looks closer. */
export const ADDRESSEES_PATTERN = String.raw`^[^@\s,]+@[^@\s,]+(,[^@\s,]+@[^@\s,]+){0,19}$`;
