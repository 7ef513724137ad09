/** What a browser has begun and has still to answer, and proofs that are complete. */
export const ATTEMPT_PURPOSES = [
  "passkey_registration",
  "passkey_sign_in",
  "oidc_sign_in",
  "mail_sign_in",
  "proof",
  "proven",
] as const;
export type AttemptPurpose = (typeof ATTEMPT_PURPOSES)[number];

/** Something that a browser has begun and has still to answer. */
export interface AttemptRecord {
  readonly purpose: AttemptPurpose;
  /** What the answer is checked against; for a passkey random bytes in base64url, which the authenticator signs. */
  readonly challenge: string;
  readonly expiresAt: number;
  /** The address that a code was asked for. */
  readonly address?: string | null;
  /** The secret or the request that an address is proven for. */
  readonly subjectId?: string | null;
}
