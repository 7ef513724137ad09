import type { Operation } from "../contract/operations.ts";
import { parseTokenKind } from "../contract/tokens.ts";
import { authorize } from "./callers.ts";
import type { Caller } from "./callers.ts";
import type { CredentialStore } from "./ports/credentials.ts";
import type { PersonStore } from "./ports/persons.ts";
import type { Clock } from "./ports/sources.ts";
import type { ServerPolicy } from "./server-policies.ts";
import { authenticatePerson, authenticateToken } from "./sessions.ts";

/**
 * Checks again, after a wait, that the caller may have the answer: meanwhile a key can be revoked, a person removed, or
 * a scope taken away. `id` is the id in the path, if there is one. Throws a Refusal as for a new call.
 */
export async function reauthenticate(
  deps: { readonly store: CredentialStore & PersonStore; readonly clock: Clock; readonly policy: ServerPolicy },
  caller: Caller,
  operation: Operation,
  id: string | undefined,
): Promise<void> {
  const { token } = caller;
  const isOfPage = parseTokenKind(token) === "person";
  const now = isOfPage ? await authenticatePerson(deps, token) : await authenticateToken(deps, token, id);
  authorize(now, operation, id);
}
