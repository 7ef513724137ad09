/** What a team must keep to when it creates secrets and requests. A rule that is absent allows everything. */
export interface TeamRules {
  readonly maxTtlSeconds?: number;
  readonly maxClaims?: number;
  readonly requireReference?: boolean;
  /** Chosen people are required. */
  readonly requireFor?: boolean;
  /** The domains of chosen people, in lower case. */
  readonly forDomains?: readonly string[];
}
