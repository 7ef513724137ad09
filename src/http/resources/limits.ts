import type { CredentialLimits } from "../../contract/credentials.ts";
import type { TeamRules } from "../../domain/ports/teams.ts";
import { provesAddresses } from "../../domain/server-policies.ts";
import type { ServerPolicy } from "../../domain/server-policies.ts";
import { termsWithin } from "../../domain/values/team-rules.ts";

/**
 * The limits of this server on the wire, for a team with these rules. `teamQuotaBytes` is the quota of a team that has
 * its own.
 */
export function toLimits(
  policy: ServerPolicy,
  rules: TeamRules | null,
  teamQuotaBytes = policy.teamQuotaBytes,
): CredentialLimits {
  const terms = termsWithin(policy, rules);
  return {
    max_ciphertext_bytes: policy.maxCiphertextBytes,
    max_secret_bytes: terms.maxSecretBytes === 0 ? null : terms.maxSecretBytes,
    default_expires_in: terms.defaultTtlSeconds,
    max_expires_in: terms.maxTtlSeconds,
    expires_choices: terms.expiresChoices && [...terms.expiresChoices],
    default_max_claims: terms.defaultMaxClaims,
    max_claims: terms.maxClaims,
    calls_per_second: policy.callsPerSecond,
    call_burst: policy.callBurst,
    waiting_calls: policy.waitingCalls,
    team_quota_bytes: teamQuotaBytes,
    require_encrypted: policy.requireEncrypted,
    show_senders: policy.showSenders,
    proves_addresses: provesAddresses(policy),
  };
}
