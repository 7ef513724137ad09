import { ClientError } from "../../client/errors.ts";
import { revokeRequest } from "../../client/requests.ts";
import { revokeSecret } from "../../client/secrets.ts";
import { askFirst } from "../frame/dialogs.tsx";
import { ACTIVITY } from "../texts/activity.ts";
import { requirePerson } from "./clients.ts";
import type { Person } from "./clients.ts";

const { sureAsked: words } = ACTIVITY.activity;

/** Asks whether to revoke a request with `waiting` submissions to open. Resolves with true for yes. */
export function askToRevokeRequest(waiting: number): Promise<boolean> {
  const { title, confirm, text, textWaiting } = words;
  return askFirst({ title, confirm, text: waiting > 0 ? textWaiting : text, isDangerous: true });
}

/** Revokes a secret of `person`; one that has already ended stays as it is. Throws ClientError. */
export function revokeOwnSecret(person: Person, id: string): Promise<void> {
  return revokeUnlessOver(person, () => revokeSecret(person.client, id));
}

/** The same for a request. */
export function revokeOwnRequest(person: Person, id: string): Promise<void> {
  return revokeUnlessOver(person, () => revokeRequest(person.client, id));
}

async function revokeUnlessOver(person: Person, revoke: () => Promise<unknown>): Promise<void> {
  await requirePerson(person);
  try {
    await revoke();
  } catch (error) {
    // It ended first. The screen shows how.
    if (!(error instanceof ClientError) || error.kind !== "gone") throw error;
  }
}
