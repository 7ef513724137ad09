import { UserError } from "../contract/user-errors.ts";
import type { AdminStore } from "./ports/admin.ts";
import type { TeamRecord } from "./ports/identities.ts";
import type { Clock, Ids, Random } from "./ports/sources.ts";
import { toName } from "./values/name-forms.ts";

export interface AdminDeps {
  readonly store: AdminStore;
  readonly clock: Clock;
  readonly random: Random;
  readonly ids: Ids;
}

/** An admin command is invalid; the message says what to do. */
export class AdminError extends UserError {
  override readonly name = "AdminError";

  /** The kind is `usage` for a value that is never valid. */
  constructor(message: string, kind: "failure" | "usage" = "failure") {
    super(kind, message);
  }
}

/** The team with this name or id. Throws AdminError when there is none. */
export async function getTeam(deps: AdminDeps, nameOrId: string): Promise<TeamRecord> {
  const team = await deps.store.findTeam(toName(nameOrId));
  if (!team) throw new AdminError(`there is no team '${nameOrId}'; 'handoff admin team list' lists them`);
  return team;
}
