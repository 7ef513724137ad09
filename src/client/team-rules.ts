import type { Rules } from "../contract/credentials.ts";
import type { TeamRule } from "../contract/states.ts";
import { toClientError } from "./explanations.ts";
import type { LinkTerms } from "./link-bases.ts";

// The server checks the rules of a team too. Here they are checked before anything is encrypted and sent.

/**
 * Throws ClientError `team_rule` for a new link that the rules of the team don't allow, with so many claims or
 * submissions. Whether chosen people are at the right domains is left to the server.
 */
export function checkCreation(rules: Rules | null, terms: LinkTerms, count: number | undefined): void {
  checkRuledTerms(rules, terms.ttlSeconds, count);
  if (rules?.require_reference && terms.reference === undefined) throw broken("require_reference");
  if (rules?.require_for && terms.addressees === undefined) throw broken("require_for");
}

/** The same for terms alone; what is undefined is left to the server, or stays. */
export function checkRuledTerms(rules: Rules | null, ttlSeconds = 0, count = 0): void {
  if (ttlSeconds > (rules?.max_expires ?? Infinity)) throw broken("max_expires");
  if (count > (rules?.max_claims ?? Infinity)) throw broken("max_claims");
}

function broken(rule: TeamRule): Error {
  return toClientError("team_rule", { rule });
}
