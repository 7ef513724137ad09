import type { Credential } from "../../contract/credentials.ts";
import { toIsoTime } from "../../contract/times.ts";
import { rulesOf } from "../../domain/callers.ts";
import type { Caller } from "../../domain/callers.ts";
import type { TeamUsage } from "../../domain/ports/credentials.ts";
import type { IdentityRecord } from "../../domain/ports/identities.ts";
import { toPerson } from "../../domain/senders.ts";
import type { ServerPolicy } from "../../domain/server-policies.ts";
import type { Service } from "../../domain/service.ts";
import { listRules } from "../../domain/values/team-rules.ts";
import type { Handlers } from "./calls.ts";
import { toLimits } from "./limits.ts";

/** Answers calls about the credential that they carry. */
export function credentialHandlers(service: Service): Handlers<"getCredential"> {
  return {
    getCredential({ caller }) {
      return describeCredential(service, caller);
    },
  };
}

/** The credential that `caller` called with, on the wire. */
export async function describeCredential(service: Service, caller: Caller): Promise<Credential> {
  const isOfTeam = caller.kind === "apiKey" || caller.kind === "person";
  const usage = isOfTeam ? await service.store.findTeamUsage(caller.teamId) : null;
  return presentCredential(caller, service.policy, usage);
}

/** `usage` is the storage that the team uses; null for callers outside the team. */
function presentCredential(caller: Caller, policy: ServerPolicy, usage: TeamUsage | null): Credential {
  const nothing = { key_id: null, identity: null, team: null, person: null, scopes: [] };
  const teamRules = rulesOf(caller);
  const limits = toLimits(policy, teamRules, usage?.quotaBytes ?? undefined);
  const rules = teamRules && listRules(teamRules);
  const common = { ...nothing, team_stored_bytes: usage?.storedBytes ?? null, limits, rules };
  switch (caller.kind) {
    case "apiKey": {
      const { id, identity, expiresAt } = caller.key;
      return { ...common, ...ofTeam(identity), kind: "api_key", key_id: id, expires_at: toIsoTime(expiresAt) };
    }
    case "person": {
      const { person, expiresAt } = caller;
      return {
        ...common,
        ...ofTeam(person),
        kind: "person",
        person: toPerson(person),
        expires_at: toIsoTime(expiresAt),
      };
    }
    case "claim":
      return { ...common, kind: "claim_token", expires_at: toIsoTime(caller.secret.expiresAt) };
    case "submit":
      return { ...common, kind: "submit_token", expires_at: toIsoTime(caller.request.expiresAt) };
  }
}

function ofTeam({ id, name, teamId, teamName, scopes }: IdentityRecord) {
  return { identity: { id, name }, team: { id: teamId, name: teamName }, scopes: [...scopes] };
}
