import { ClientError } from "../../client/errors.ts";
import { revokeRequest } from "../../client/requests.ts";
import { revokeSecret } from "../../client/secrets.ts";
import { askFirst } from "../frame/dialogs.tsx";
import { STRINGS } from "../strings.ts";
import { requirePerson } from "./clients.ts";
import type { Person } from "./clients.ts";

const { sureAsked: words } = STRINGS.activity;

/** Asks whether a request is to be revoked, of which `waiting` can be opened here. Resolves with whether the answer was yes. */
export function askToRevokeRequest(waiting: number): Promise<boolean> {
  const { title, confirm, text, textWaiting } = words;
  return askFirst({ title, confirm, text: waiting > 0 ? textWaiting : text, isDangerous: true });
}

/** Revokes a secret that `person` has sent; one that has ended meanwhile stays as it is. Throws ClientError. */
export function revokeOwnSecret(person: Person, id: string): Promise<void> {
  return revokeUnlessOver(person, () => revokeSecret(person.client, id));
}

/** The same of a request. */
export function revokeOwnRequest(person: Person, id: string): Promise<void> {
  return revokeUnlessOver(person, () => revokeRequest(person.client, id));
}

async function revokeUnlessOver(person: Person, revoke: () => Promise<unknown>): Promise<void> {
  await requirePerson(person);
  try {
    await revoke();
  } catch (error) {
    // Too late: the screen says then what became of it.
    if (!(error instanceof ClientError) || error.kind !== "gone") throw error;
  }
}
