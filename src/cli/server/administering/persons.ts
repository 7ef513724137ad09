import { toIsoTime } from "../../../contract/times.ts";
import type { IdentityRecord } from "../../../domain/ports/identities.ts";

/** A person, as admin commands print them in JSON. */
export function presentPerson(person: IdentityRecord) {
  return {
    id: person.id,
    address: person.name,
    name: person.personName,
    team: { id: person.teamId, name: person.teamName },
    created_at: toIsoTime(person.createdAt),
    removed_at: toIsoTime(person.disabledAt),
  };
}
