/** A call with an idempotency key, as it is remembered. Both are SHA-256: of credential, route and key; and of what was asked. */
export interface IdempotentCall {
  readonly digest: Uint8Array;
  readonly fingerprint: Uint8Array;
}
