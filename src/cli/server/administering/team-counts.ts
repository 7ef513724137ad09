import { REQUEST_STATES, SECRET_STATES } from "../../../contract/states.ts";
import type { TeamCounts } from "../../../domain/ports/admin.ts";

/** The numbers of what a team has, as JSON shows them, with every state. */
export function presentCounts({ automations: identities, people, keys, secrets, requests }: TeamCounts) {
  return {
    identities,
    people,
    keys,
    secrets: Object.fromEntries(SECRET_STATES.map((state) => [state, secrets[state] ?? 0])),
    requests: Object.fromEntries(REQUEST_STATES.map((state) => [state, requests[state] ?? 0])),
  };
}
