import { SCOPES } from "../../contract/scopes.ts";
import type { Scope } from "../../contract/scopes.ts";
import { AdminError, getTeam } from "../administration.ts";
import { newIdentity } from "../identities.ts";
import type { IdentityRecord } from "../ports/identities.ts";
import type { ImportChange } from "../ports/persons.ts";
import { toName } from "../values/name-forms.ts";
import { checkedName, checkGuest } from "./persons.ts";
import type { PersonAdminDeps } from "./persons.ts";

/** A person of a list. A name or scopes that are undefined stay as they are; a new person has all scopes. */
export interface ListedPerson {
  readonly address: string;
  readonly name: string | undefined;
  readonly scopes: readonly Scope[] | undefined;
}

/** A person after an import, and what it changed. */
export interface ImportedPerson {
  readonly person: IdentityRecord;
  readonly change: ImportChange | "removed";
}

/**
 * Adds the listed people to a team, restores those who were removed, and changes names and scopes. With
 * `removesOthers`, removes everybody else of the team. Nobody gets a sign-in link. Throws AdminError for an unknown
 * team, and before any change for an invalid or repeated person, an automation's name, or nobody in the list with
 * `removesOthers`.
 */
export async function importPersons(
  deps: PersonAdminDeps,
  { team: nameOrId, removesOthers }: { readonly team: string; readonly removesOthers: boolean },
  listed: readonly ListedPerson[],
): Promise<ImportedPerson[]> {
  if (removesOthers && listed.length === 0) throw new AdminError("the list is empty: that would remove everybody");
  const team = await getTeam(deps, nameOrId);
  const before = await deps.store.listIdentities(team.id);
  checkAll(listed, before);
  const wanted = listed.map(({ address, name, scopes }) => ({
    ...newIdentity(deps, team, {
      kind: "person",
      name: address,
      personName: name === undefined ? null : checkedName(name),
      scopes: scopes ?? SCOPES,
    }),
    keepsScopes: scopes === undefined,
  }));
  const imported: ImportedPerson[] = [];
  for (const { keepsScopes, ...person } of wanted) {
    imported.push(await deps.store.importPerson(person, keepsScopes));
  }
  const listedIds = new Set(imported.map(({ person }) => person.id));
  const others = before.filter(
    ({ id, kind, disabledAt }) => kind === "person" && disabledAt === null && !listedIds.has(id),
  );
  for (const { id } of removesOthers ? others : []) {
    const person = await deps.store.disableIdentity(id);
    if (person) imported.push({ person, change: "removed" });
  }
  return imported;
}

/** Throws AdminError, with the position in the list, for the first person who can't be imported. */
function checkAll(listed: readonly ListedPerson[], known: readonly IdentityRecord[]): void {
  const seen = new Set<string>();
  for (const [at, { address, name }] of listed.entries()) {
    const stored = toName(address);
    const place = `person ${at + 1} of the list`;
    try {
      checkGuest({ address, name });
    } catch (error) {
      if (!(error instanceof AdminError)) throw error;
      throw new AdminError(`${place} is ${error.message.replace(/^--name: /, "")}. Nobody was changed`, "usage");
    }
    const folded = stored.toLowerCase();
    if (seen.has(folded)) throw new AdminError(`${place} is in it twice: ${stored}. Nobody was changed`, "usage");
    seen.add(folded);
    if (known.some((each) => each.name === stored && each.kind === "automation")) {
      throw new AdminError(`${place} has the name of an automation: ${stored}. Nobody was changed`);
    }
  }
}
