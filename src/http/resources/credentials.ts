import { Elysia } from "elysia";
import { Credential } from "../../contract/credentials.ts";
import { NoQuery } from "../../contract/pages.ts";
import type { Caller } from "../../domain/callers.ts";
import type { ServerPolicy } from "../../domain/server-policies.ts";
import type { Service } from "../../domain/service.ts";
import { routeOf } from "../gate/routes.ts";
import type { Prefix } from "../gate/routes.ts";
import { callerOf } from "../gate/visits.ts";
import { describeOperation } from "./descriptions.ts";
import { toIsoTime } from "./times.ts";

/** What a credential is told about itself. */
export function credentialRoutes(service: () => Service, prefix: Prefix) {
  return new Elysia({ normalize: false }).get(
    routeOf("getCredential", prefix),
    async ({ request }) => {
      const caller = callerOf(request);
      const isOfTeam = caller.kind === "apiKey" || caller.kind === "person";
      const storedBytes = isOfTeam ? await service().store.findStoredBytes(caller.teamId) : null;
      return presentCredential(caller, service().policy, storedBytes);
    },
    { query: NoQuery, response: { 200: Credential }, detail: describeOperation("getCredential") },
  );
}

/** `storedBytes` is what the team takes up; null where that is not the caller's business. */
function presentCredential(caller: Caller, policy: ServerPolicy, storedBytes: number | null): Credential {
  const limits = {
    max_ciphertext_bytes: policy.maxCiphertextBytes,
    default_expires_in: policy.defaultTtlSeconds,
    max_expires_in: policy.maxTtlSeconds,
    default_max_claims: policy.defaultMaxClaims,
    max_claims: policy.maxClaims,
    calls_per_second: policy.callsPerSecond,
    call_burst: policy.callBurst,
    waiting_calls: policy.waitingCalls,
    team_quota_bytes: policy.teamQuotaBytes,
    require_encrypted: policy.requireEncrypted,
  };
  if (caller.kind === "person") {
    const { person } = caller;
    return {
      kind: "person",
      key_id: null,
      identity: { id: person.id, name: person.name },
      team: { id: person.teamId, name: person.teamName },
      scopes: [...person.scopes],
      expires_at: toIsoTime(caller.expiresAt),
      team_stored_bytes: storedBytes,
      limits,
    };
  }
  const ofLink = { key_id: null, identity: null, team: null, scopes: [], team_stored_bytes: storedBytes };
  switch (caller.kind) {
    case "apiKey": {
      const { key } = caller;
      return {
        kind: "api_key",
        key_id: key.id,
        identity: { id: key.identity.id, name: key.identity.name },
        team: { id: key.identity.teamId, name: key.identity.teamName },
        scopes: [...key.identity.scopes],
        expires_at: toIsoTime(key.expiresAt),
        team_stored_bytes: storedBytes,
        limits,
      };
    }
    case "claim":
      return { ...ofLink, kind: "claim_token", expires_at: toIsoTime(caller.secret.expiresAt), limits };
    case "submit":
      return { ...ofLink, kind: "submit_token", expires_at: toIsoTime(caller.request.expiresAt), limits };
  }
}
