/** The record of a call with an idempotency key: the SHA-256 of credential, route and key, and that of its content. */
export interface IdempotentCall {
  readonly digest: Uint8Array;
  readonly fingerprint: Uint8Array;
}
