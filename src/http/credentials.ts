import { Elysia } from "elysia";
import { Credential } from "../contract/credentials.ts";
import { NoQuery } from "../contract/pages.ts";
import type { Caller } from "../domain/callers.ts";
import type { Policy } from "../domain/policies.ts";
import type { Service } from "../domain/service.ts";
import { describeOperation } from "./descriptions.ts";
import { type Prefix, routeOf } from "./routes.ts";
import { formatTime } from "./times.ts";
import { callerOf } from "./visits.ts";

/** What a credential is told about itself. */
export function credentialRoutes(service: () => Service, prefix: Prefix) {
  return new Elysia({ normalize: false }).get(
    routeOf("getCredential", prefix),
    ({ request }) => presentCredential(callerOf(request), service().policy),
    { query: NoQuery, response: { 200: Credential }, detail: describeOperation("getCredential") },
  );
}

function presentCredential(caller: Caller, policy: Policy): Credential {
  const limits = {
    max_ciphertext_bytes: policy.maxCiphertextBytes,
    default_expires_in: policy.defaultTtlSeconds,
    max_expires_in: policy.maxTtlSeconds,
    default_max_claims: policy.defaultMaxClaims,
    max_claims: policy.maxClaims,
    calls_per_second: policy.callsPerSecond,
    call_burst: policy.callBurst,
    waiting_calls: policy.waitingCalls,
    encrypted_only: policy.requireEncrypted,
  };
  if (caller.kind === "person") {
    const { person } = caller;
    return {
      kind: "person",
      key_id: null,
      identity: { id: person.id, name: person.name },
      team: { id: person.teamId, name: person.teamName },
      scopes: [...person.scopes],
      expires_at: formatTime(caller.expiresAt),
      limits,
    };
  }
  const ofLink = { key_id: null, identity: null, team: null, scopes: [] };
  switch (caller.kind) {
    case "apiKey": {
      const { key } = caller;
      return {
        kind: "api_key",
        key_id: key.id,
        identity: { id: key.identity.id, name: key.identity.name },
        team: { id: key.identity.teamId, name: key.identity.teamName },
        scopes: [...key.identity.scopes],
        expires_at: formatTime(key.expiresAt),
        limits,
      };
    }
    case "claim":
      return { ...ofLink, kind: "claim_token", expires_at: formatTime(caller.secret.expiresAt), limits };
    case "submit":
      return { ...ofLink, kind: "submit_token", expires_at: formatTime(caller.request.expiresAt), limits };
  }
}
