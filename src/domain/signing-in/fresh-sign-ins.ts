import type { SignInWay } from "../../contract/states.ts";
import type { PersonCaller } from "../callers.ts";
import type { PasskeyStore } from "../ports/passkeys.ts";
import type { Clock } from "../ports/sources.ts";
import { Refusal } from "../values/errors.ts";

/** How long after signing in a person may change what outlasts their session. */
const FRESH_SECONDS = 15 * 60;

interface FreshDeps {
  readonly store: Pick<PasskeyStore, "listPasskeys">;
  readonly clock: Clock;
}

/**
 * Throws a Refusal `sign_in_too_old` when the caller signed in too long ago, and can sign in again without an admin:
 * an open browser that somebody finds must not become lasting access. `ways` are those of the server.
 */
export async function requireFreshSignIn(
  deps: FreshDeps,
  caller: PersonCaller,
  ways: readonly SignInWay[],
): Promise<void> {
  if (deps.clock.now() < caller.session.createdAt + FRESH_SECONDS * 1000) return;
  if (await canSignInAgain(deps, caller, ways)) throw new Refusal("sign_in_too_old");
}

/** A person with links alone would need an admin for each of these calls. */
async function canSignInAgain(
  { store }: FreshDeps,
  { person, session }: PersonCaller,
  ways: readonly SignInWay[],
): Promise<boolean> {
  if (ways.includes("mail") && person.name.includes("@")) return true;
  if (ways.includes("oidc") && session.way === "oidc") return true;
  return ways.includes("passkey") && (await store.listPasskeys(person.id)).length > 0;
}
