import { IDEMPOTENCY_SECONDS } from "../contract/limits.ts";
import type { Operation } from "../contract/operations.ts";
import { parseTokenKind } from "../contract/tokens.ts";
import { authenticate, authorize } from "./callers.ts";
import type { Caller, Origin, PersonCaller } from "./callers.ts";
import type { CredentialStore } from "./ports/credentials.ts";
import type { FoundSession, PersonStore, SessionRecord } from "./ports/persons.ts";
import type { Clock, Ids, Random } from "./ports/sources.ts";
import type { ServerPolicy } from "./server-policies.ts";
import { callerGone, Refusal } from "./values/errors.ts";
import { createToken, deriveToken, hashToken } from "./values/tokens.ts";

/** How long a sign-in can be repeated: like every other POST. */
const REPEAT_MS = IDEMPOTENCY_SECONDS * 1000;

interface SessionDeps {
  readonly store: PersonStore;
  readonly clock: Clock;
  readonly policy: Pick<ServerPolicy, "sessionLifetimeSeconds" | "sessionIdleSeconds" | "oidcRecheckSeconds">;
}

/** The browser of a session, as it called itself. */
export interface BrowserName {
  readonly browser: string | null;
  readonly system: string | null;
}

/** A sign-in. */
export interface SignInCall extends BrowserName {
  readonly signInToken: string;
  /** The same key for every attempt; undefined when the call isn't repeatable. */
  readonly idempotencyKey: string | undefined;
  /** The token of the browser's current session. */
  readonly former: string | undefined;
  /** Aborted when the caller is gone. */
  readonly signal?: AbortSignal;
}

/** A session that has begun, with its token. */
export interface SignedIn {
  readonly token: string;
  readonly session: SessionRecord;
  readonly isReplay: boolean;
}

/**
 * Trades a sign-in link for a session, once, unless the caller is gone. Ends the browser's former session. For 24
 * hours, the same call with the same idempotency key returns the same session while that lasts, with `isReplay`. Throws
 * a Refusal `credential_invalid` or `credential_expired`.
 */
export async function signIn(
  deps: SessionDeps & { readonly random: Random; readonly ids: Ids },
  call: SignInCall,
): Promise<SignedIn> {
  const { signInToken, idempotencyKey, former } = call;
  if (parseTokenKind(signInToken) !== "person") throw new Refusal("credential_invalid");
  // The link alone can't get the session again: that takes the idempotency key, which only the browser knows.
  const token =
    idempotencyKey === undefined
      ? createToken("person", deps.random)
      : deriveToken("person", "session", signInToken, idempotencyKey);
  const formerHash = former === undefined || former === token ? undefined : hashToken(former);
  const fresh = await trade(deps, call, { token, formerHash });
  const session = fresh ?? (idempotencyKey === undefined ? undefined : await findTraded(deps, token));
  if (!session) throw new Refusal("credential_invalid");
  if (!fresh && formerHash) await deps.store.deleteSession(formerHash);
  return { token, session, isReplay: !fresh };
}

/** Uses up a sign-in link and creates the session; undefined when the link has ended. */
async function trade(
  deps: SessionDeps & { readonly ids: Ids },
  { signInToken, browser, system, signal }: SignInCall,
  { token, formerHash }: { readonly token: string; readonly formerHash: Uint8Array | undefined },
): Promise<SessionRecord | undefined> {
  const hash = hashToken(signInToken);
  const link = await deps.store.findSignInLink(hash);
  if (!link) return undefined;
  if (link.identity.disabledAt !== null) throw new Refusal("credential_invalid");
  await checkTime(deps, link.expiresAt);
  const session = {
    id: deps.ids.next("session"),
    tokenHash: hashToken(token),
    expiresAt: deps.clock.now() + deps.policy.sessionLifetimeSeconds * 1000,
    browser,
    system,
    formerHash,
  };
  const traded = await deps.store.tradeSignIn(hash, session, signal);
  if (traded === "abandoned") throw callerGone();
  return traded;
}

/** The session that the same call created before; undefined for none, or after 24 hours. */
async function findTraded(deps: SessionDeps, token: string): Promise<SessionRecord | undefined> {
  const session = await deps.store.findSession(hashToken(token));
  if (!session || session.createdAt + REPEAT_MS <= deps.clock.now()) return undefined;
  return checkLive(deps, session);
}

/** Ends the session of this token, if there is one. Signing out without a session is no error. */
export async function signOut(deps: { readonly store: PersonStore }, token: string | undefined): Promise<void> {
  if (token !== undefined) await deps.store.deleteSession(hashToken(token));
}

/**
 * Finds the caller by a session's token. Throws a Refusal: `credential_missing`, `credential_invalid`,
 * `credential_expired`.
 */
export async function authenticatePerson(deps: SessionDeps, token: string | undefined): Promise<PersonCaller> {
  if (token === undefined) throw new Refusal("credential_missing", { detail: "Sign in first." });
  if (parseTokenKind(token) !== "person") throw new Refusal("credential_invalid");
  return toCaller(deps, token, await checkLive(deps, await deps.store.findSession(hashToken(token))));
}

/** Finds the caller as `authenticate` does, and the person whose terminal has the token. Throws the same Refusals. */
export async function authenticateToken(
  deps: SessionDeps & { readonly store: CredentialStore },
  token: string,
  id: string | undefined,
  origin?: Origin,
): Promise<Caller> {
  try {
    return await authenticate(deps, token, id, origin);
  } catch (error) {
    if (parseTokenKind(token) !== "apiKey" || !isUnknown(error)) throw error;
    const session = await deps.store.findSession(hashToken(token));
    if (session?.way !== "terminal") throw error;
    await checkParent(deps, session);
    return toCaller(deps, token, await checkLive(deps, session));
  }
}

/**
 * Throws a Refusal unless the session that let a terminal in is live. When that is deleted, its terminals are too, but
 * after too long without use it is still there.
 */
export async function checkParent(deps: SessionDeps, { parentId }: Pick<SessionRecord, "parentId">): Promise<void> {
  await checkLive(deps, parentId === null ? undefined : await deps.store.findSessionById(parentId));
}

const ANYWHERE: Origin = { isIn: () => true };

/**
 * Checks again, after a wait, that the caller may have the answer: meanwhile a key can be revoked, a person removed, or
 * a scope taken away. The address is the one that the call began with, and isn't checked again. `id` is the id in the
 * path, if there is one. Throws a Refusal as for a new call.
 */
export async function reauthenticate(
  deps: SessionDeps & { readonly store: CredentialStore },
  caller: Caller,
  operation: Operation,
  id: string | undefined,
): Promise<void> {
  const { token } = caller;
  const isOfPage = parseTokenKind(token) === "person";
  const now = isOfPage ? await authenticatePerson(deps, token) : await authenticateToken(deps, token, id, ANYWHERE);
  authorize(now, operation, id);
}

/** True for the refusal of a key that isn't there. */
function isUnknown(error: unknown): boolean {
  return error instanceof Refusal && error.code === "credential_invalid" && error.options.keyId === undefined;
}

function toCaller(deps: SessionDeps, token: string, session: FoundSession): PersonCaller {
  return {
    kind: "person",
    credentialId: `hut:${hashToken(token).toBase64()}`,
    token,
    teamId: session.identity.teamId,
    person: session.identity,
    session,
    teamRules: session.teamRules,
    expiresAt: endOf(deps, session),
  };
}

/** The caller after a call that uses their session. */
export function useSession(deps: SessionDeps, caller: PersonCaller): PersonCaller {
  deps.store.recordSessionUse(caller.session.id);
  // The record is written behind the call.
  const session = { ...caller.session, lastUsedAt: deps.clock.now() };
  return { ...caller, session, expiresAt: endOf(deps, session) };
}

/** The live sessions of the caller, the last used first. `expiresAt` is their end by the settings of today. */
export async function listSessions(
  deps: SessionDeps,
  { person, session: own }: PersonCaller,
): Promise<SessionRecord[]> {
  return (await liveSessionsOf(deps, person.id))
    .map((session) => (session.id === own.id ? { ...own, expiresAt: session.expiresAt } : session))
    .toSorted((one, other) => other.lastUsedAt - one.lastUsedAt);
}

/** The live sessions of a person, as `listSessions` has them. */
export async function liveSessionsOf(deps: SessionDeps, identityId: string): Promise<SessionRecord[]> {
  const sessions = await deps.store.listSessions(identityId);
  const live = sessions.filter((session) => endOf(deps, session) > deps.clock.now());
  return live
    .filter(({ parentId }) => parentId === null || live.some(({ id }) => id === parentId))
    .map((session) => ({ ...session, expiresAt: latestEndOf(deps, session) }));
}

/** Ends a session of the caller, also the one of the call. Throws a Refusal `not_found`. */
export async function endSession(deps: SessionDeps, { person }: PersonCaller, id: string): Promise<void> {
  if (!(await deps.store.endSessionOf(person.id, id))) throw new Refusal("not_found");
}

/** Ends every session of the caller but the one of the call. */
export async function endOtherSessions(deps: SessionDeps, { person, session }: PersonCaller): Promise<void> {
  await deps.store.endSessionsOf(person.id, session.id);
}

/** The end of a session that isn't used again, in epoch milliseconds, by the settings of today. */
export function endOf(deps: Pick<SessionDeps, "policy">, session: SessionRecord): number {
  return Math.min(latestEndOf(deps, session), session.lastUsedAt + deps.policy.sessionIdleSeconds * 1000);
}

/** The end of a session that is used until then, in epoch milliseconds. */
function latestEndOf({ policy }: Pick<SessionDeps, "policy">, session: SessionRecord): number {
  const { createdAt, expiresAt, confirmedAt } = session;
  const confirmed = confirmedAt === null ? Infinity : confirmedAt + policy.oidcRecheckSeconds * 1000;
  return Math.min(expiresAt, confirmed, createdAt + policy.sessionLifetimeSeconds * 1000);
}

async function checkLive<Found extends SessionRecord>(deps: SessionDeps, session: Found | undefined): Promise<Found> {
  if (!session || session.identity.disabledAt !== null) throw new Refusal("credential_invalid");
  await checkTime(deps, endOf(deps, session));
  return session;
}

/** Throws a Refusal `credential_expired` from `end` on. */
async function checkTime({ store, clock }: Pick<SessionDeps, "store" | "clock">, end: number): Promise<void> {
  if (end > clock.now()) return;
  await store.keepTime(end);
  throw new Refusal("credential_expired", { detail: "The session or sign-in link has expired. Sign in again." });
}
