import type { Operation } from "../contract/operations.ts";
import { authenticate, authorize } from "./callers.ts";
import type { Caller } from "./callers.ts";
import { authenticatePerson } from "./persons.ts";
import type { CredentialStore } from "./ports/credentials.ts";
import type { PersonStore } from "./ports/persons.ts";
import type { Clock } from "./ports/sources.ts";

/**
 * Checks again, after a wait, that the caller may have the answer: meanwhile a key can be revoked, a person removed, or
 * a scope taken away. `id` is the id in the path, if there is one. Throws a Refusal as for a new call.
 */
export async function reauthenticate(
  deps: { readonly store: CredentialStore & PersonStore; readonly clock: Clock },
  caller: Caller,
  operation: Operation,
  id: string | undefined,
): Promise<void> {
  if (caller.kind === "person") await authenticatePerson(deps, caller.token);
  else authorize(await authenticate(deps, caller.token, id), operation, id);
}
