import type { Operation } from "../contract/operations.ts";
import { authenticate, authorize } from "./callers.ts";
import type { Caller } from "./callers.ts";
import { authenticatePerson } from "./persons.ts";
import type { CredentialStore } from "./ports/credentials.ts";
import type { PersonStore } from "./ports/persons.ts";
import type { Clock } from "./ports/sources.ts";

/**
 * Makes sure that whoever has waited for an answer may still have it: a key can be revoked meanwhile, a person removed,
 * an identity can lose the scope. `id` is what the path names, if it names something. Throws a Refusal as at arrival.
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
