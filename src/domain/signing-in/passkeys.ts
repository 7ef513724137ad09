import { MAX_PASSKEYS } from "../../contract/limits.ts";
import type { PersonCaller } from "../callers.ts";
import type { AttemptPurpose, AttemptRecord } from "../ports/attempts.ts";
import type { Authenticators, RelyingParty } from "../ports/authenticators.ts";
import type { MailRecord } from "../ports/mails.ts";
import type { PasskeyRecord, PasskeyStore } from "../ports/passkeys.ts";
import type { PersonStore } from "../ports/persons.ts";
import type { Clock, Ids, Random } from "../ports/sources.ts";
import { canBeMailed } from "../server-policies.ts";
import type { ServerPolicy } from "../server-policies.ts";
import type { BrowserName, SignedIn } from "../sessions.ts";
import { callerGone, Refusal } from "../values/errors.ts";
import { createToken, hashToken, sha256 } from "../values/tokens.ts";

/** How long a browser may take to answer: its person has to find their phone. */
export const ATTEMPT_SECONDS = 300;
/** The detail of the refusal of a late or repeated answer. */
export const LATE = "The sign-in has expired, or was used. Begin it again.";
const CHALLENGE_BYTES = 32;
const MAIL_ID_BYTES = 16;
/** How long the mail about a new passkey is tried. */
const MAIL_PATIENCE_MS = 86_400_000;

interface PasskeyDeps {
  readonly store: PasskeyStore & PersonStore;
  readonly clock: Clock;
  readonly random: Random;
  readonly ids: Ids;
  readonly policy: ServerPolicy;
}

/** What a call about passkeys goes by. */
interface Place {
  readonly party: RelyingParty;
  readonly authenticators: Authenticators;
}

/**
 * The relying party of the page at `baseUrl`; undefined where browsers have no passkeys: without TLS, unless at
 * `localhost`, and at an address in place of a name.
 */
export function relyingPartyOf(baseUrl: string, name: string): RelyingParty | undefined {
  const { hostname, origin, protocol } = new URL(baseUrl);
  const isLocal = hostname === "localhost" || hostname.endsWith(".localhost");
  const isAddress = /^\[|^[\d.]+$/.test(hostname);
  return (protocol === "https:" || isLocal) && !isAddress ? { id: hostname, origin, name } : undefined;
}

/** A call for a passkey. */
export interface BegunAttempt {
  /** The options for the browser, as JSON. */
  readonly options: object;
  /** The token that the browser has to bring back. It belongs into a cookie. */
  readonly token: string;
}

/** The answer of a browser, with the token of the attempt; undefined when it brought none. */
export interface AttemptAnswer extends BrowserName {
  readonly attempt: string | undefined;
  readonly answer: unknown;
}

/** Begins adding a passkey to the caller's. */
export async function beginAdding(deps: PasskeyDeps, place: Place, { person }: PersonCaller): Promise<BegunAttempt> {
  const known = await deps.store.listPasskeys(person.id);
  const { challenge, token } = await begin(deps, "passkey_registration", person.id);
  const { id, name, personName } = person;
  const user = { id, name, displayName: personName ?? name };
  return { options: await place.authenticators.creationOptions({ party: place.party, challenge, user, known }), token };
}

/**
 * Adds a passkey to the caller's. Throws a Refusal `schema_mismatch` with what was wrong: a late or repeated answer,
 * one that proves nothing, a passkey that is known, or one too many.
 */
export async function addPasskey(
  deps: PasskeyDeps,
  { party, authenticators }: Place,
  { person }: PersonCaller,
  { attempt, answer, browser, system, language }: AttemptAnswer & { readonly language: string },
): Promise<PasskeyRecord> {
  const begun = await take(deps, attempt, "passkey_registration", person.id);
  if (!begun) throw refused("This attempt is over. Begin again.");
  const credential = await authenticators.verifyCreation(answer, { party, challenge: begun.challenge });
  if (!credential) throw refused("The browser's answer is no new passkey of this server.");
  const times = { createdAt: deps.clock.now(), lastUsedAt: null };
  const passkey = { id: deps.ids.next("passkey"), identity: person, ...credential, browser, system, ...times };
  const mail = canBeMailed(deps.policy, person) ? mailAbout(passkey, language, deps) : undefined;
  switch (await deps.store.addPasskey(passkey, MAX_PASSKEYS, mail)) {
    case "added":
      return passkey;
    case "known":
      throw refused("This passkey is known already.");
    case "too_many":
      throw refused(`${MAX_PASSKEYS} passkeys are the most. Remove one first.`);
    case "removed":
      throw new Refusal("credential_invalid");
  }
}

/** The mail about a new passkey to its person: anybody with their session could have added it. */
function mailAbout(
  { identity, browser, system, createdAt }: PasskeyRecord,
  language: string,
  { random }: Pick<PasskeyDeps, "random">,
): MailRecord {
  const data = { ...(browser !== null && { browser }), ...(system !== null && { system }) };
  const times = { createdAt, nextAt: createdAt, endsAt: createdAt + MAIL_PATIENCE_MS, tries: 0 };
  const id = random.bytes(MAIL_ID_BYTES).toHex();
  return { id, kind: "passkey_added", address: identity.name, language, data, ...times };
}

/** Begins a sign-in with a passkey, of a person who is still unknown. */
export async function beginPasskeySignIn(deps: PasskeyDeps, { party, authenticators }: Place): Promise<BegunAttempt> {
  const { challenge, token } = await begin(deps, "passkey_sign_in");
  return { options: await authenticators.requestOptions({ party, challenge }), token };
}

/**
 * Begins a session of the passkey's person, unless the caller is gone. Ends the browser's former session. Throws a
 * Refusal: `credential_expired` for a late or repeated answer, `credential_invalid` for every other one. That is an
 * event of the team when the passkey is known.
 */
export async function signInWithPasskey(
  deps: PasskeyDeps,
  { party, authenticators }: Place,
  call: AttemptAnswer & { readonly former: string | undefined; readonly signal?: AbortSignal },
): Promise<SignedIn> {
  const { answer, browser, system, former, signal } = call;
  const begun = await take(deps, call.attempt, "passkey_sign_in");
  if (!begun) throw new Refusal("credential_expired", { detail: LATE });
  const credentialId = authenticators.credentialIdOf(answer);
  const passkey = credentialId === undefined ? undefined : await deps.store.findPasskey(credentialId);
  if (!passkey) throw new Refusal("credential_invalid");
  const { challenge } = begun;
  const userId = passkey.identity.id;
  const proof = await authenticators.verifyRequest(answer, { party, challenge, passkey, userId });
  if (!proof) {
    await deps.store.noteRefusal(userId);
    throw new Refusal("credential_invalid");
  }
  const token = createToken("person", deps.random);
  const session = {
    id: deps.ids.next("session"),
    tokenHash: hashToken(token),
    expiresAt: deps.clock.now() + deps.policy.sessionLifetimeSeconds * 1000,
    browser,
    system,
    formerHash: former === undefined ? undefined : hashToken(former),
  };
  const signedIn = await deps.store.signInWithPasskey({ passkeyId: passkey.id, ...proof }, session, signal);
  if (signedIn === "abandoned") throw callerGone();
  if (signedIn === undefined || signedIn === "copied") throw new Refusal("credential_invalid");
  return { token, session: signedIn, isReplay: false };
}

/** The passkeys of the caller, oldest first. */
export function listPasskeys(deps: PasskeyDeps, { person }: PersonCaller): Promise<PasskeyRecord[]> {
  return deps.store.listPasskeys(person.id);
}

/** Removes a passkey of the caller. Sessions go on. Throws a Refusal `not_found`. */
export async function removePasskey(deps: PasskeyDeps, { person }: PersonCaller, id: string): Promise<void> {
  if (!(await deps.store.removePasskey(person.id, id))) throw new Refusal("not_found");
}

/** Begins an attempt; with `personId`, one that only this person can go on with. */
async function begin(
  deps: PasskeyDeps,
  purpose: AttemptPurpose,
  personId?: string,
): Promise<{ challenge: string; token: string }> {
  const challenge = deps.random.bytes(CHALLENGE_BYTES).toBase64({ alphabet: "base64url", omitPadding: true });
  const token = createToken("person", deps.random);
  const expiresAt = deps.clock.now() + ATTEMPT_SECONDS * 1000;
  await deps.store.createAttempt({ purpose, challenge, expiresAt }, hashOf(token, personId));
  return { challenge, token };
}

/** Uses an attempt up; undefined when there is none, or when it is over. */
async function take(
  deps: PasskeyDeps,
  token: string | undefined,
  purpose: AttemptPurpose,
  personId?: string,
): Promise<AttemptRecord | undefined> {
  const attempt = token === undefined ? undefined : await deps.store.takeAttempt(hashOf(token, personId), purpose);
  return attempt && attempt.expiresAt > deps.clock.now() ? attempt : undefined;
}

/** The hash under which an attempt is stored. Another person's call with the same token doesn't find it. */
function hashOf(token: string, personId: string | undefined): Uint8Array {
  return personId === undefined ? hashToken(token) : sha256(token, personId);
}

function refused(detail: string): Refusal {
  return new Refusal("schema_mismatch", { detail });
}
