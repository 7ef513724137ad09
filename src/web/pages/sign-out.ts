import { ClientError } from "../../client/errors.ts";
import { signOut } from "../../client/page/sessions.ts";
import { forgetAgeIdentities } from "../browser/age-identities.ts";
import { forgetAll } from "../browser/fragments.ts";
import { forgetLabels } from "../browser/labels.ts";
import { topUrl } from "../browser/places.ts";
import { announceSession, hasUnsavedElsewhere } from "../browser/session-news.ts";
import { askFirst } from "../frame/dialogs.tsx";
import { mayLose } from "../frame/leaving.ts";
import type { Notice } from "../frame/notices.ts";
import { describeSessionFailure } from "../parts/failures.ts";
import { countUsefulKeys } from "../service/asked.ts";
import { requirePerson } from "../service/clients.ts";
import type { Person } from "../service/clients.ts";
import { LANDING } from "../texts/landing.ts";

const { signOut: words } = LANDING;

/** The state after signing out. */
export interface SignedOut {
  readonly kind: "stranger";
}

/**
 * Asks for confirmation when signing out would lose something, such as keys to `toCollect` waiting secrets. Then signs
 * out, and deletes the keys of `person`. Returns undefined when the person stays.
 */
export async function leaveSession(person: Person, toCollect: number): Promise<SignedOut | Notice | undefined> {
  if (!(await mayLose())) return undefined;
  if ((await hasUnsavedElsewhere()) && !(await askFirst({ ...words.unsavedElsewhere, isDangerous: true })))
    return undefined;
  const keys = await countUsefulKeys(person);
  // Another person's session cannot see what the keys open.
  const problem = await findOtherPerson(person);
  if (problem) return problem;
  if (keys > 0) {
    if (!(await askFirst({ ...words.losesKeys(keys, toCollect), isDangerous: true }))) return undefined;
    // The question may have been open for long.
    const late = await findOtherPerson(person);
    if (late) return late;
  }
  if (!(await endSession())) return { ...words.stillSignedIn, icon: "offline", tone: "warn", canRetry: true };
  await forgetAll();
  await forgetLabels(person.id);
  const isForgotten = await forgetAgeIdentities(person.id);
  announceSession("signed-out");
  return isForgotten || keys === 0 ? { kind: "stranger" } : words.keysLeft;
}

/** Returns a notice when another person is signed in by now, whom this page must not sign out; otherwise undefined. */
async function findOtherPerson(person: Person): Promise<Notice | undefined> {
  try {
    await requirePerson(person);
    return undefined;
  } catch (error) {
    if (error instanceof ClientError && error.code === "other_person") return describeSessionFailure(error);
    // Signing out reports an unreachable server by itself, and an expired session can be left too.
    return undefined;
  }
}

/** Returns false when the server did not end the session, which then goes on. */
async function endSession(): Promise<boolean> {
  try {
    return await signOut(topUrl());
  } catch {
    return false;
  }
}
