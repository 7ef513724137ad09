import { authenticate, type Caller } from "./callers.ts";
import type { Clock, CredentialStore, PersonStore } from "./ports.ts";
import { authenticatePerson } from "./persons.ts";

/**
 * Makes sure that whoever has waited for an answer may still have it: a key can be revoked meanwhile, a person removed.
 * `id` is what the path names, if it names something. Throws a Refusal as at arrival.
 */
export async function reauthenticate(
  deps: { readonly store: CredentialStore & PersonStore; readonly clock: Clock },
  caller: Caller,
  id: string | undefined,
): Promise<void> {
  if (caller.kind === "person") await authenticatePerson(deps, caller.token);
  else await authenticate(deps, caller.token, id);
}
