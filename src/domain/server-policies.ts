/** What the sysadmin decided about secrets and callers. Sizes in bytes, durations in seconds. */
export interface ServerPolicy {
  readonly maxCiphertextBytes: number;
  readonly defaultTtlSeconds: number;
  readonly maxTtlSeconds: number;
  readonly defaultMaxClaims: number;
  readonly maxClaims: number;
  readonly teamQuotaBytes: number;
  readonly replayWindowSeconds: number;
  readonly tombstoneSeconds: number;
  readonly callsPerSecond: number;
  readonly callBurst: number;
  readonly failedAuthenticationsPerMinute: number;
  readonly waitingCalls: number;
  /** Refuse what has not the shape of an age file. */
  readonly requireEncrypted: boolean;
}
