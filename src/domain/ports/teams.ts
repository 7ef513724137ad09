import type { Approver } from "../../contract/states.ts";

/** The rules for what members of a team create. An absent one allows everything. */
export interface TeamRules {
  /** The longest lifetime of a secret or a request. */
  readonly maxTtlSeconds?: number;
  /** The most claims of a secret, and submissions of a request. */
  readonly maxClaims?: number;
  /** The largest ciphertext of a large secret, in bytes; 0 for no large secrets. */
  readonly maxSecretBytes?: number;
  /** A ticket has to be named. */
  readonly requireReference?: true;
  /** People have to be chosen. */
  readonly requireFor?: true;
  /** The only domains of chosen people: at least one, in lower case and sorted. */
  readonly forDomains?: readonly string[];
  /** Who has to approve claims. `sender` allows `team` too. */
  readonly approval?: Approver;
}

/** New values of rules; null takes a rule back, and an absent one stays. */
export type RulesChange = { readonly [Name in keyof TeamRules]: TeamRules[Name] | null };
