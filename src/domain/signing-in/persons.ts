import { MAX_PERSON_NAME_LENGTH, parsePersonName } from "../../contract/names.ts";
import { SCOPES } from "../../contract/scopes.ts";
import type { Scope } from "../../contract/scopes.ts";
import { AdminError, getTeam } from "../administration.ts";
import type { AdminDeps } from "../administration.ts";
import { newIdentity } from "../identities.ts";
import { checkAddress } from "../names.ts";
import type { IdentityRecord } from "../ports/identities.ts";
import type { PasskeyStore } from "../ports/passkeys.ts";
import type { PersonStore } from "../ports/persons.ts";
import type { ProviderStore } from "../ports/providers.ts";
import { toName } from "../values/name-forms.ts";
import { createToken, hashToken } from "../values/tokens.ts";

const SIGN_IN_MS = 24 * 60 * 60 * 1000;

export interface PersonAdminDeps extends AdminDeps {
  readonly store: AdminDeps["store"] & PasskeyStore & PersonStore & ProviderStore;
}

/** A person and the token of a new sign-in link, which is not stored. */
export interface InvitedPerson {
  readonly person: IdentityRecord;
  readonly token: string;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

/**
 * Creates a sign-in link for a person of a team. Creates the person if they are new, and restores a removed one. A
 * `name` replaces theirs, and so do `scopes`; a new person has all without them. Their earlier links end. Throws
 * AdminError for an unknown team, an invalid name, and as `guestOf` does.
 */
export async function invitePerson(
  deps: PersonAdminDeps,
  input: {
    readonly team: string;
    readonly address: string;
    readonly name?: string | undefined;
    readonly scopes?: readonly Scope[] | undefined;
  },
): Promise<InvitedPerson> {
  const team = await getTeam(deps, input.team);
  const personName = input.name === undefined ? null : checkedName(input.name);
  const wanted = newIdentity(deps, team, {
    kind: "person",
    name: input.address,
    personName,
    scopes: input.scopes ?? SCOPES,
  });
  const token = createToken("person", deps.random);
  const now = deps.clock.now();
  const expiresAt = now + SIGN_IN_MS;
  const link = { identity: wanted, createdAt: now, expiresAt };
  const { identity } = await deps.store.createSignInLink(link, hashToken(token));
  const scopes = input.scopes && [...new Set(input.scopes)];
  const isChanged = scopes && scopes.join() !== identity.scopes.join();
  const person = (isChanged && (await deps.store.setScopes(identity.id, scopes))) || identity;
  return { person, token, expiresAt };
}

/** Throws AdminError for an invalid address or name of a person. */
export function checkGuest({ address, name }: { readonly address: string; readonly name: string | undefined }): void {
  checkAddress(toName(address));
  if (name !== undefined) checkedName(name);
}

/** The name in its stored form. Throws AdminError for an invalid one. */
export function checkedName(text: string): string {
  const name = parsePersonName(text);
  if (name !== undefined) return name;
  throw new AdminError(
    `--name: not a name for a person: 1 to ${MAX_PERSON_NAME_LENGTH} characters, letters among them, and none that can't be seen`,
    "usage",
  );
}

/** Ends a link that couldn't be shown. The person's sessions go on. */
export async function withdrawInvitation(deps: PersonAdminDeps, { token }: InvitedPerson): Promise<void> {
  await deps.store.deleteSignInLink(hashToken(token));
}

/**
 * Decides which person gets a new link: `known`, whom the team has by the address of `wanted`, restored if they were
 * removed, and with the name of `wanted` if it has one; or without one `wanted`, who is then created. Throws AdminError
 * for an automation, and for an invalid name.
 */
export function guestOf(known: IdentityRecord | undefined, wanted: IdentityRecord): IdentityRecord {
  if (known?.kind === "automation") throw new AdminError(`'${known.name}' is an automation: name the person otherwise`);
  if (known) return { ...known, personName: wanted.personName ?? known.personName, disabledAt: null };
  checkAddress(wanted.name);
  return wanted;
}

/** Selects a person by address or id, and by team where several teams have one of that address. */
export interface PersonChoice {
  readonly nameOrId: string;
  readonly team: string | undefined;
}

/** A person before and after a change. */
export interface ChangedPerson {
  readonly before: IdentityRecord;
  readonly after: IdentityRecord;
}

/** Ends all sessions and links of a person. Throws AdminError when there is none, or in several teams. */
export async function signOutEverywhere(deps: PersonAdminDeps, choice: PersonChoice): Promise<ChangedPerson> {
  const person = await getPerson(deps, choice);
  await deps.store.signOutPerson(person.id);
  return { before: person, after: person };
}

/** Removes a passkey of a person. Their sessions go on. Throws AdminError when there is none, or no such person. */
export async function removePasskeyOf(
  deps: PersonAdminDeps,
  choice: PersonChoice,
  passkeyId: string,
): Promise<IdentityRecord> {
  const person = await getPerson(deps, choice);
  if (await deps.store.removePasskey(person.id, passkeyId)) return person;
  throw new AdminError(`${person.name} has no passkey '${passkeyId}'; 'handoff admin person show' lists them`);
}

/** Removes a person, and ends their sessions and links. Throws AdminError as `signOutEverywhere` does. */
export async function removePerson(deps: PersonAdminDeps, choice: PersonChoice): Promise<ChangedPerson> {
  const person = await getPerson(deps, choice);
  return { before: person, after: (await deps.store.disableIdentity(person.id)) ?? person };
}

/** Finds the selected person. Throws AdminError when there is none, or in several teams. */
export async function getPerson(deps: PersonAdminDeps, { nameOrId, team }: PersonChoice): Promise<IdentityRecord> {
  const teamId = team === undefined ? undefined : (await getTeam(deps, team)).id;
  const found = await deps.store.findPersons(toName(nameOrId), teamId);
  const [person, second] = found;
  if (!person) throw new AdminError(`there is no person '${nameOrId}'; 'handoff admin person list' lists them`);
  if (second && found.every((each) => each.teamId === person.teamId)) {
    throw new AdminError(
      `people of the team differ only in upper and lower case: name ${found.map(({ id }) => id).join(" or ")}`,
    );
  }
  if (second) throw new AdminError(`several teams have a person '${nameOrId}': say which with --team`);
  return person;
}
