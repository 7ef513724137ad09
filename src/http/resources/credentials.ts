import type { Credential } from "../../contract/credentials.ts";
import { toIsoTime } from "../../contract/times.ts";
import type { Caller } from "../../domain/callers.ts";
import type { TeamUsage } from "../../domain/ports/credentials.ts";
import { toPerson } from "../../domain/senders.ts";
import type { ServerPolicy } from "../../domain/server-policies.ts";
import type { Service } from "../../domain/service.ts";
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
  const storedBytes = usage?.storedBytes ?? null;
  const limits = toLimits(policy, usage?.quotaBytes ?? undefined);
  if (caller.kind === "person") {
    const { person } = caller;
    return {
      kind: "person",
      key_id: null,
      identity: { id: person.id, name: person.name },
      team: { id: person.teamId, name: person.teamName },
      person: toPerson(person),
      scopes: [...person.scopes],
      expires_at: toIsoTime(caller.expiresAt),
      team_stored_bytes: storedBytes,
      limits,
    };
  }
  const ofLink = { key_id: null, identity: null, team: null, person: null, scopes: [], team_stored_bytes: storedBytes };
  switch (caller.kind) {
    case "apiKey": {
      const { key } = caller;
      return {
        kind: "api_key",
        key_id: key.id,
        identity: { id: key.identity.id, name: key.identity.name },
        team: { id: key.identity.teamId, name: key.identity.teamName },
        person: null,
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
