import { IDEMPOTENCY_SECONDS } from "../contract/limits.ts";
import { MAX_PERSON_NAME_LENGTH, parsePersonName } from "../contract/names.ts";
import { SCOPES } from "../contract/scopes.ts";
import { parseTokenKind } from "../contract/tokens.ts";
import { AdminError, getTeam } from "./administration.ts";
import type { AdminDeps } from "./administration.ts";
import type { PersonCaller } from "./callers.ts";
import { newIdentity } from "./identities.ts";
import { checkAddress } from "./names.ts";
import type { IdentityRecord } from "./ports/identities.ts";
import type { PersonStore, PersonTokenRecord } from "./ports/persons.ts";
import type { Clock, Random } from "./ports/sources.ts";
import { callerGone, Refusal } from "./values/errors.ts";
import { toName } from "./values/name-forms.ts";
import { createToken, deriveToken, hashToken } from "./values/tokens.ts";

/** How long a sign-in can be repeated: like every other POST. */
const REPEAT_MS = IDEMPOTENCY_SECONDS * 1000;
const SIGN_IN_MS = 24 * 60 * 60 * 1000;
export const SESSION_SECONDS = 30 * 24 * 60 * 60;

export interface PersonAdminDeps extends AdminDeps {
  readonly store: AdminDeps["store"] & PersonStore;
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
 * `name` replaces theirs. Their earlier links end. Throws AdminError for an unknown team, an invalid name, and as
 * `guestOf` does.
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

/** Throws AdminError for an invalid address or name of a person. */
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

/** Ends a link that couldn't be shown. The person's sessions go on. */
export async function withdrawInvitation(deps: PersonAdminDeps, { token }: InvitedPerson): Promise<void> {
  await deps.store.deletePersonToken(hashToken(token));
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
  await deps.store.deletePersonTokensOf(person.id);
  return { before: person, after: person };
}

/** Removes a person, and ends their sessions and links. Throws AdminError as `signOutEverywhere` does. */
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

interface SessionDeps {
  readonly store: PersonStore;
  readonly clock: Clock;
}

/** A sign-in. */
export interface SignInCall {
  readonly signInToken: string;
  /** The same key for every attempt; undefined when the call isn't repeatable. */
  readonly idempotencyKey: string | undefined;
  /** The token of the browser's current session. */
  readonly former: string | undefined;
  /** Aborted when the caller is gone. */
  readonly signal?: AbortSignal;
}

/**
 * Trades a sign-in link for a session, once, unless the caller is gone. Ends the browser's former session. For 24
 * hours, the same call with the same idempotency key returns the same session while that lasts, with `isReplay`. Throws
 * a Refusal `credential_invalid` or `credential_expired`.
 */
export async function signIn(
  deps: SessionDeps & { readonly random: Random },
  { signInToken, idempotencyKey, former, signal }: SignInCall,
): Promise<{ readonly token: string; readonly person: IdentityRecord; readonly isReplay: boolean }> {
  if (parseTokenKind(signInToken) !== "person") throw new Refusal("credential_invalid");
  // The link alone can't get the session again: that takes the idempotency key, which only the browser knows.
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

/** Uses up a sign-in link and creates the session; undefined when the link has ended. */
async function trade(
  deps: SessionDeps,
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

/** The session that the same call created before; undefined for none, or after 24 hours. */
async function findTraded(deps: SessionDeps, session: string): Promise<PersonTokenRecord | undefined> {
  const record = await deps.store.findPersonToken(hashToken(session), "session");
  if (!record || record.createdAt + REPEAT_MS <= deps.clock.now()) return undefined;
  return checkLive(deps, record);
}

/** Ends the session of this token, if there is one. Signing out without a session is no error. */
export async function signOut(deps: { readonly store: PersonStore }, token: string | undefined): Promise<void> {
  if (token !== undefined) await deps.store.deletePersonToken(hashToken(token));
}

/**
 * Finds the caller by a session's token. Throws a Refusal: `credential_missing`, `credential_invalid`,
 * `credential_expired`.
 */
export async function authenticatePerson(deps: SessionDeps, token: string | undefined): Promise<PersonCaller> {
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
  { store, clock }: SessionDeps,
  token: PersonTokenRecord | undefined,
): Promise<PersonTokenRecord> {
  if (!token || token.identity.disabledAt !== null) throw new Refusal("credential_invalid");
  if (token.expiresAt > clock.now()) return token;
  await store.keepTime(token.expiresAt);
  throw new Refusal("credential_expired");
}
