/** The decisions of the sysadmin about secrets and callers. Sizes in bytes, durations in seconds. */
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
  /** True when what has not the shape of an age file is refused. */
  readonly requireEncrypted: boolean;
  /** True when those who hold a link are told which person sent the secret, or asks for one. */
  readonly showSenders: boolean;
}
