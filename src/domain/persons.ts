import { IDEMPOTENCY_SECONDS } from "../contract/limits.ts";
import { MAX_PERSON_NAME_LENGTH, parsePersonName } from "../contract/person-names.ts";
import { SCOPES } from "../contract/scopes.ts";
import { parseTokenKind } from "../contract/tokens.ts";
import { AdminError, getTeam } from "./administration.ts";
import type { AdminDeps } from "./administration.ts";
import type { PersonCaller } from "./callers.ts";
import { callerGone, Refusal } from "./errors.ts";
import { newIdentity } from "./identities.ts";
import { toName } from "./name-forms.ts";
import { checkAddress } from "./names.ts";
import type { IdentityRecord } from "./ports/identities.ts";
import type { PersonStore, PersonTokenRecord } from "./ports/persons.ts";
import type { Clock, Random } from "./ports/sources.ts";
import { createToken, deriveToken, hashToken } from "./tokens.ts";

/** The time for which the call that traded a sign-in link can be repeated, like every other POST. */
const REPEAT_MS = IDEMPOTENCY_SECONDS * 1000;
const SIGN_IN_MS = 24 * 60 * 60 * 1000;
export const SESSION_SECONDS = 30 * 24 * 60 * 60;

export interface PersonAdminDeps extends AdminDeps {
  readonly store: AdminDeps["store"] & PersonStore;
}

/** A person and the token of a new sign-in link, which is nowhere else and cannot be had again. */
export interface InvitedPerson {
  readonly person: IdentityRecord;
  readonly token: string;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

/**
 * Makes a sign-in link for a person of a team, and the person too if they are new; one who was removed is back. A `name` is
 * theirs from now on. Earlier links of theirs let nobody in any more. Throws AdminError when there is no such team, for
 * what is no name, and as `guestOf` does.
 */
export async function invitePerson(
  deps: PersonAdminDeps,
  input: { readonly team: string; readonly address: string; readonly name?: string | undefined },
): Promise<InvitedPerson> {
  const team = await getTeam(deps, input.team);
  const personName = input.name === undefined ? null : checkedName(input.name);
  const wanted = newIdentity(deps, team, { kind: "person", name: input.address, personName, scopes: SCOPES });
  const token = createToken("person", deps.random);
  const now = deps.clock.now();
  const expiresAt = now + SIGN_IN_MS;
  const record = { identity: wanted, purpose: "sign_in", createdAt: now, expiresAt } as const;
  const { identity } = await deps.store.createPersonToken(record, hashToken(token));
  return { person: identity, token, expiresAt };
}

/** Throws AdminError for what is no address to add a person by, or no name for one. */
export function checkGuest({ address, name }: { readonly address: string; readonly name: string | undefined }): void {
  checkAddress(toName(address));
  if (name !== undefined) checkedName(name);
}

function checkedName(text: string): string {
  const name = parsePersonName(text);
  if (name !== undefined) return name;
  throw new AdminError(
    `--name: not a name for a person: 1 to ${MAX_PERSON_NAME_LENGTH} characters, letters among them, and none that can't be seen`,
    "usage",
  );
}

/** Ends the link of an invitation that reached nobody. Sessions of the person go on. */
export async function withdrawInvitation(deps: PersonAdminDeps, { token }: InvitedPerson): Promise<void> {
  await deps.store.deletePersonToken(hashToken(token));
}

/**
 * The person who gets a new link: `known`, whom the team has by the address of the one who is `wanted`, who is back if
 * they were removed, and has the other's name if that has one; or else the latter, who is to be made. Throws AdminError for an automation, and for what is no name.
 */
export function guestOf(known: IdentityRecord | undefined, wanted: IdentityRecord): IdentityRecord {
  if (known?.kind === "automation") throw new AdminError(`'${known.name}' is an automation: name the person otherwise`);
  if (known) return { ...known, personName: wanted.personName ?? known.personName, disabledAt: null };
  checkAddress(wanted.name);
  return wanted;
}

/** The choice of a person: by name or id, and in which team where several have one of that name. */
export interface PersonChoice {
  readonly nameOrId: string;
  readonly team: string | undefined;
}

/** A person before and after what was done to them. */
export interface ChangedPerson {
  readonly before: IdentityRecord;
  readonly after: IdentityRecord;
}

/** Ends all sessions and links of a person. Throws AdminError when there is none, or several teams have one. */
export async function signOutEverywhere(deps: PersonAdminDeps, choice: PersonChoice): Promise<ChangedPerson> {
  const person = await getPerson(deps, choice);
  await deps.store.deletePersonTokensOf(person.id);
  return { before: person, after: person };
}

/** Lets a person in no more, and ends what they hold. Throws AdminError as `signOutEverywhere` does. */
export async function removePerson(deps: PersonAdminDeps, choice: PersonChoice): Promise<ChangedPerson> {
  const person = await getPerson(deps, choice);
  return { before: person, after: (await deps.store.disableIdentity(person.id)) ?? person };
}

async function getPerson(deps: PersonAdminDeps, { nameOrId, team }: PersonChoice): Promise<IdentityRecord> {
  const teamId = team === undefined ? undefined : (await getTeam(deps, team)).id;
  const found = await deps.store.findIdentities(toName(nameOrId), teamId);
  const [person, second] = found.filter(({ kind }) => kind === "person");
  if (!person) throw new AdminError(`there is no person '${nameOrId}'; 'handoff admin person list' lists them`);
  if (second) throw new AdminError(`several teams have a person '${nameOrId}': say which with --team`);
  return person;
}

/** The call of somebody who wants to be signed in. */
export interface SignInCall {
  readonly signInToken: string;
  /** The same for every try; undefined when there is to be one try alone. */
  readonly idempotencyKey: string | undefined;
  /** The session that the browser has already. */
  readonly former: string | undefined;
  /** Says when the caller is gone. */
  readonly signal?: AbortSignal;
}

/**
 * Trades a sign-in link for a session, once, and ends the former session of the same browser; not if the caller is gone.
 * The same call with the same idempotency key gets the same session within 24 hours, if that has not ended: `isReplay`.
 * Throws a Refusal `credential_invalid` or `credential_expired`.
 */
export async function signIn(
  deps: { readonly store: PersonStore; readonly clock: Clock; readonly random: Random },
  { signInToken, idempotencyKey, former, signal }: SignInCall,
): Promise<{ readonly token: string; readonly person: IdentityRecord; readonly isReplay: boolean }> {
  if (parseTokenKind(signInToken) !== "person") throw new Refusal("credential_invalid");
  // Nobody can have it again who has the link alone: it takes the key, which only the browser that made it knows.
  const token =
    idempotencyKey === undefined
      ? createToken("person", deps.random)
      : deriveToken("person", "session", signInToken, idempotencyKey);
  const formerHash = former === undefined || former === token ? undefined : hashToken(former);
  const fresh = await trade(deps, signInToken, { token, formerHash }, signal);
  const session = fresh ?? (idempotencyKey === undefined ? undefined : await findTraded(deps, token));
  if (!session) throw new Refusal("credential_invalid");
  if (!fresh && formerHash) await deps.store.deletePersonToken(formerHash);
  return { token, person: session.identity, isReplay: !fresh };
}

/** Uses up a sign-in link for a new session; undefined when there is no such link any more. */
async function trade(
  deps: { readonly store: PersonStore; readonly clock: Clock },
  signInToken: string,
  session: { readonly token: string; readonly formerHash: Uint8Array | undefined },
  signal: AbortSignal | undefined,
): Promise<PersonTokenRecord | undefined> {
  const hash = hashToken(signInToken);
  const link = await deps.store.findPersonToken(hash, "sign_in");
  if (!link) return undefined;
  await checkLive(deps, link);
  const expiresAt = deps.clock.now() + SESSION_SECONDS * 1000;
  const { token, formerHash } = session;
  const traded = await deps.store.tradeSignIn(hash, { tokenHash: hashToken(token), expiresAt, formerHash }, signal);
  if (traded === "abandoned") throw callerGone();
  return traded;
}

/** The session that the same call has got before; undefined when there is none, or that was long ago. */
async function findTraded(
  deps: { readonly store: PersonStore; readonly clock: Clock },
  session: string,
): Promise<PersonTokenRecord | undefined> {
  const record = await deps.store.findPersonToken(hashToken(session), "session");
  if (!record || record.createdAt + REPEAT_MS <= deps.clock.now()) return undefined;
  return checkLive(deps, record);
}

/** Ends the session of this token, if there is one: nobody has to be signed in to sign out. */
export async function signOut(deps: { readonly store: PersonStore }, token: string | undefined): Promise<void> {
  if (token !== undefined) await deps.store.deletePersonToken(hashToken(token));
}

/** Finds out whose session `token` is. Throws a Refusal: `credential_missing`, `credential_invalid`, `credential_expired`. */
export async function authenticatePerson(
  deps: { readonly store: PersonStore; readonly clock: Clock },
  token: string | undefined,
): Promise<PersonCaller> {
  if (token === undefined) throw new Refusal("credential_missing", { detail: "Sign in first." });
  if (parseTokenKind(token) !== "person") throw new Refusal("credential_invalid");
  const hash = hashToken(token);
  const session = await deps.store.findPersonToken(hash, "session");
  const { identity, expiresAt } = await checkLive(deps, session);
  return {
    kind: "person",
    credentialId: `hut:${hash.toBase64()}`,
    token,
    teamId: identity.teamId,
    person: identity,
    expiresAt,
  };
}

async function checkLive(
  { store, clock }: { readonly store: PersonStore; readonly clock: Clock },
  token: PersonTokenRecord | undefined,
): Promise<PersonTokenRecord> {
  if (!token || token.identity.disabledAt !== null) throw new Refusal("credential_invalid");
  if (token.expiresAt > clock.now()) return token;
  await store.keepTime(token.expiresAt);
  throw new Refusal("credential_expired");
}
