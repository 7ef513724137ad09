import type { Person } from "../contract/persons.ts";
import type { Caller } from "./callers.ts";
import type { IdentityRecord } from "./ports/identities.ts";
import type { PersonStore } from "./ports/persons.ts";
import type { ServerPolicy } from "./server-policies.ts";

interface SenderDeps {
  readonly store: Pick<PersonStore, "findPerson">;
  readonly policy: Pick<ServerPolicy, "showSenders">;
}

/** A person as others are told of them. */
export function toPerson({ personName, name: address, teamName: team }: IdentityRecord): Person {
  return { name: personName, address, team };
}

/** The id of the person whom others may be told of: a caller who is signed in, and does not want to be left out. */
export function namedPersonId(caller: Caller, isAnonymous: boolean | undefined): string | null {
  return caller.kind === "person" && !isAnonymous ? caller.person.id : null;
}

/**
 * The person who sent the secret of a link, or asks by it, for the caller who holds that link; null for an automation, for
 * who wished to be left out, where the server tells nobody, and for any other caller: members have `created_by`.
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
