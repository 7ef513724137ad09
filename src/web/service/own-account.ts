import { ClientError } from "../../client/errors.ts";
import { createAccountClient } from "../../client/page/accounts.ts";
import type { AccountClient } from "../../client/page/accounts.ts";
import type { Notices } from "../../contract/persons.ts";
import { topUrl } from "../browser/places.ts";
import { loadPart } from "../parts/loaded-parts.ts";
import { LANGUAGE } from "../texts/page.ts";
import { requirePerson, sessionFetch } from "./clients.ts";
import type { Person } from "./clients.ts";
import { orSignInAgain } from "./fresh-sign-ins.ts";

/** What came of adding a passkey. "refused" is the server's answer to it, the last two are the browser's. */
export type AddedPasskey = "added" | "canceled" | "refused" | "known" | "unusable";

/** Runs `work` on the account of `person` if they are still signed in, and on no other's. Throws ClientError. */
export async function onAccountOf<T>(person: Person, work: (account: AccountClient) => Promise<T>): Promise<T> {
  await requirePerson(person);
  return work(createAccountClient(topUrl(), sessionFetch));
}

/** Removes a passkey of `person`. Throws ClientError. */
export function removePasskey(person: Person, id: string): Promise<void> {
  return orSignInAgain(
    "remove",
    onAccountOf(person, (account) => account.removePasskey(id)),
  );
}

/** Has the browser make a passkey, and adds it to those of `person`. Throws ClientError. */
export async function addPasskey(person: Person): Promise<AddedPasskey> {
  const { askForNewPasskey } = await loadPart(() => import("./passkey-dialogs.ts"));
  const options = await orSignInAgain(
    "add",
    onAccountOf(person, (account) => account.beginAddingPasskey()),
  );
  const result = await askForNewPasskey(options);
  if (result.kind !== "answered") return result.kind;
  try {
    // The dialog may have been open for long.
    await onAccountOf(person, (account) => account.addPasskey(result.answer, LANGUAGE));
    return "added";
  } catch (error) {
    if (error instanceof ClientError && error.code === "schema_mismatch") return "refused";
    throw error;
  }
}

/** Changes which mails `person` wants, in the language and time zone of the page. Throws ClientError. */
export async function setNotices(person: Person, change: Partial<Notices>): Promise<Notices> {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  const reader = { language: LANGUAGE, time_zone: timeZone };
  return onAccountOf(person, (account) => account.setNotices({ ...change, ...reader }));
}
