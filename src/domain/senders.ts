import type { Person } from "../contract/persons.ts";
import type { Caller } from "./callers.ts";
import type { IdentityRecord } from "./ports/identities.ts";
import type { PersonStore } from "./ports/persons.ts";
import type { ServerPolicy } from "./server-policies.ts";

interface SenderDeps {
  readonly store: Pick<PersonStore, "findPerson">;
  readonly policy: Pick<ServerPolicy, "showSenders">;
}

/** A person as answers name them. */
export function toPerson({ personName, name: address, teamName: team }: IdentityRecord): Person {
  return { name: personName, address, team };
}

/** The id of the person to name to others: a signed-in caller, unless anonymous; null for all others. */
export function namedPersonId(caller: Caller, isAnonymous: boolean | undefined): string | null {
  return caller.kind === "person" && !isAnonymous ? caller.person.id : null;
}

/**
 * The person to name to the holder of a link: the sender of its secret, or the asker of its request. Null for
 * automations and anonymous people, where the server names nobody, and for other callers: members of the team have
 * `created_by`.
 */
export async function findSender({ store, policy }: SenderDeps, caller: Caller): Promise<Person | null> {
  const id = policy.showSenders ? senderIdOf(caller) : null;
  const person = id === null ? undefined : await store.findPerson(id);
  return person ? toPerson(person) : null;
}

function senderIdOf(caller: Caller): string | null {
  switch (caller.kind) {
    case "claim":
      return caller.secret.senderId;
    case "submit":
      return caller.request.askerId;
    case "apiKey":
    case "person":
      return null;
  }
}
