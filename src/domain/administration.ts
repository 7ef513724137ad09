import { isId } from "../contract/ids.ts";
import { UserError } from "../contract/user-errors.ts";
import type { AdminStore } from "./ports/admin.ts";
import type { TeamRecord } from "./ports/identities.ts";
import type { Clock, Ids, Random } from "./ports/sources.ts";

export interface AdminDeps {
  readonly store: AdminStore;
  readonly clock: Clock;
  readonly random: Random;
  readonly ids: Ids;
}

/** An admin asked for what cannot be; the message says what to do. */
export class AdminError extends UserError {
  override readonly name = "AdminError";

  constructor(message: string) {
    super("failure", message);
  }
}

const NAME_PATTERN = /^[A-Za-z0-9][A-Za-z0-9._@ -]{0,63}$/;

/** Makes a team. Throws AdminError when the name is malformed or taken. */
export async function createTeam(deps: AdminDeps, name: string): Promise<TeamRecord> {
  checkName("team", name);
  const team = { id: deps.ids.next("team"), name, createdAt: deps.clock.now(), storedBytes: 0, quotaBytes: null };
  if ((await deps.store.createTeam(team)) === "name_taken") throw new AdminError(`there is already a team '${name}'`);
  return team;
}

/** The team with this name or id. Throws AdminError when there is none. */
export async function getTeam(deps: AdminDeps, nameOrId: string): Promise<TeamRecord> {
  const team = await deps.store.findTeam(nameOrId);
  if (!team) throw new AdminError(`there is no team '${nameOrId}'; 'handoff admin team list' lists them`);
  return team;
}

/** Throws AdminError for what is no name, or looks like an id. */
export function checkName(kind: string, name: string): void {
  if (isId(name, "any")) throw new AdminError(`not a name for ${article(kind)} ${kind}: it looks like an id`);
  if (NAME_PATTERN.test(name)) return;
  throw new AdminError(
    `not a name for ${article(kind)} ${kind}: 1 to 64 letters, digits, spaces and . _ @ -, beginning with a letter or digit`,
  );
}

function article(noun: string): string {
  return /^[aeiou]/.test(noun) ? "an" : "a";
}
