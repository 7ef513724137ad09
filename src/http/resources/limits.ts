import type { CredentialLimits } from "../../contract/credentials.ts";
import { provesAddresses } from "../../domain/server-policies.ts";
import type { ServerPolicy } from "../../domain/server-policies.ts";

/** The limits of this server on the wire. `teamQuotaBytes` is the quota of a team that has its own. */
export function toLimits(policy: ServerPolicy, teamQuotaBytes = policy.teamQuotaBytes): CredentialLimits {
  return {
    max_ciphertext_bytes: policy.maxCiphertextBytes,
    default_expires_in: policy.defaultTtlSeconds,
    max_expires_in: policy.maxTtlSeconds,
    expires_choices: policy.expiresChoices && [...policy.expiresChoices],
    default_max_claims: policy.defaultMaxClaims,
    max_claims: policy.maxClaims,
    calls_per_second: policy.callsPerSecond,
    call_burst: policy.callBurst,
    waiting_calls: policy.waitingCalls,
    team_quota_bytes: teamQuotaBytes,
    require_encrypted: policy.requireEncrypted,
    show_senders: policy.showSenders,
    proves_addresses: provesAddresses(policy),
  };
}
