import { ClientError } from "../../client/errors.ts";
import { topUrl } from "../browser/places.ts";

/** The beginning of a fragment of `/account`, before what the person signs in again for. */
export const AGAIN = "#again-";

/** What a person signs in again for. */
export type FreshPurpose = "add" | "remove" | "terminal";

/**
 * Resolves as `work` does. Where the server wants a newer sign-in for it, leaves for the screen on which the person
 * signs in again, and never resolves.
 */
export async function orSignInAgain<T>(purpose: FreshPurpose, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof ClientError && error.code === "sign_in_too_old")) throw error;
    location.assign(`${topUrl()}/account${AGAIN}${purpose}`);
    return await new Promise(() => undefined);
  }
}
