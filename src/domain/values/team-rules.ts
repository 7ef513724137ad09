import type { Rules } from "../../contract/credentials.ts";
import type { Approver, TeamRule } from "../../contract/states.ts";
import type { RulesChange, TeamRules } from "../ports/teams.ts";
import { Refusal } from "./errors.ts";

/** The limits and defaults for terms, which the rules of a team may narrow. As in `ServerPolicy`. */
interface TermsPolicy {
  readonly defaultTtlSeconds: number;
  readonly maxTtlSeconds: number;
  readonly expiresChoices: readonly number[] | null;
  readonly defaultMaxClaims: number;
  readonly maxClaims: number;
  readonly maxSecretBytes: number;
}

/** What somebody creates or changes, as far as rules are about it. What is undefined stays as it is. */
interface Made {
  readonly ttlSeconds?: number | undefined;
  /** Claims of a secret, or submissions of a request. */
  readonly maxClaims?: number | undefined;
  /** The length of the ciphertext of a large secret. */
  readonly largeBytes?: number | undefined;
  readonly reference?: string | null;
  /** In their stored form. */
  readonly addressees?: string | null;
  /** Who approves claims; undefined for a request too. */
  readonly approver?: Approver | null;
}

/** The limits and defaults of `policy` for a team with these rules. */
export function termsWithin(policy: TermsPolicy, rules: TeamRules | null): TermsPolicy {
  if (rules === null) return policy;
  const maxTtlSeconds = Math.min(policy.maxTtlSeconds, rules.maxTtlSeconds ?? Infinity);
  const maxClaims = Math.min(policy.maxClaims, rules.maxClaims ?? Infinity);
  const choices = policy.expiresChoices?.filter((seconds) => seconds <= maxTtlSeconds) ?? null;
  return {
    maxTtlSeconds,
    defaultTtlSeconds: Math.min(policy.defaultTtlSeconds, maxTtlSeconds),
    expiresChoices: choices?.length === 0 ? [maxTtlSeconds] : choices,
    maxClaims,
    defaultMaxClaims: Math.min(policy.defaultMaxClaims, maxClaims),
    maxSecretBytes: Math.min(policy.maxSecretBytes, rules.maxSecretBytes ?? Infinity),
  };
}

/** The first rule that is broken; undefined for none. */
export function findBrokenRule(rules: TeamRules | null, made: Made): TeamRule | undefined {
  if (rules === null) return undefined;
  const { maxTtlSeconds = Infinity, maxClaims = Infinity, maxSecretBytes = Infinity, forDomains } = rules;
  const { ttlSeconds = 0, maxClaims: claims = 0, largeBytes = 0, reference, addressees, approver } = made;
  if (ttlSeconds > maxTtlSeconds) return "max_expires";
  if (claims > maxClaims) return "max_claims";
  if (largeBytes > maxSecretBytes) return "max_secret";
  if (rules.requireReference && reference === null) return "require_reference";
  if (rules.requireFor && addressees === null) return "require_for";
  if (forDomains && addressees && !addressees.split(" ").every((each) => isAtOneOf(forDomains, each))) {
    return "for_domain";
  }
  if (rules.approval && approver !== undefined && approver !== "team" && approver !== rules.approval) return "approval";
  return undefined;
}

/** Throws a Refusal `team_rule` when a rule is broken. */
export function checkRules(rules: TeamRules | null, made: Made): void {
  const rule = findBrokenRule(rules, made);
  if (rule !== undefined) throw new Refusal("team_rule", { rule, detail: DETAILS[rule] });
}

/** The rules after a change; null when none is left. */
export function afterChange(rules: TeamRules | null, change: RulesChange): TeamRules | null {
  const all = Object.entries({ ...rules, ...change }).filter(([, value]) => value !== null);
  return all.length === 0 ? null : Object.fromEntries(all);
}

/** The rules under their names on the wire, null for each that isn't set. */
export function listRules(rules: TeamRules | null): Rules {
  return {
    max_expires: rules?.maxTtlSeconds ?? null,
    max_claims: rules?.maxClaims ?? null,
    max_secret: rules?.maxSecretBytes ?? null,
    require_reference: rules?.requireReference ?? false,
    require_for: rules?.requireFor ?? false,
    for_domain: rules?.forDomains ? [...rules.forDomains] : null,
    approval: rules?.approval ?? null,
  };
}

const DETAILS: Readonly<Record<TeamRule, string>> = {
  max_expires: "The rules of the team allow a shorter lifetime at most. GET /credential has them.",
  max_claims: "The rules of the team allow fewer claims or submissions at most. GET /credential has them.",
  max_secret: "The rules of the team allow smaller secrets at most. GET /credential has them.",
  require_reference: "The rules of the team ask for a ticket. Send the parameter reference.",
  require_for: "The rules of the team ask for chosen people. Send the parameter for.",
  for_domain: "The rules of the team allow chosen people of certain domains alone. GET /credential has them.",
  approval: "The rules of the team ask for an approval of each claim. Send the parameter approval.",
};

function isAtOneOf(domains: readonly string[], addressee: string): boolean {
  return domains.includes(addressee.slice(addressee.lastIndexOf("@") + 1).toLowerCase());
}
