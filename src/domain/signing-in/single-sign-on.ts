import { parsePersonName } from "../../contract/names.ts";
import { SCOPES } from "../../contract/scopes.ts";
import { newIdentity } from "../identities.ts";
import { isAddress } from "../names.ts";
import type { AdminStore } from "../ports/admin.ts";
import type { IdentityRecord, TeamRecord } from "../ports/identities.ts";
import type { PasskeyStore } from "../ports/passkeys.ts";
import type { Provider, ProviderChallenge, ProviderLogout, ProviderProof, ProviderStore } from "../ports/providers.ts";
import type { Clock, Ids, Random } from "../ports/sources.ts";
import type { ServerPolicy } from "../server-policies.ts";
import type { SignedIn } from "../sessions.ts";
import { callerGone, Refusal } from "../values/errors.ts";
import { toName } from "../values/name-forms.ts";
import { createToken, hashToken, sha256 } from "../values/tokens.ts";
import type { AttemptAnswer } from "./passkeys.ts";
import { ATTEMPT_SECONDS, LATE } from "./passkeys.ts";

const RANDOM_BYTES = 32;
const UNVERIFIED = "The address of this account isn't verified.";
const OTHER_PERSON = "This person was removed, or has another account at the provider.";

/** Who may sign in with an account at a provider. */
export interface AdmissionRules {
  /** Claims of which one suffices. Nobody gets in without any. */
  readonly allow: readonly ClaimRule[];
  /** The claim that is a person's address. `email` counts only when the provider has verified it. */
  readonly addressClaim: string;
  /** The team of people who are new, by name or id; undefined: admins add everybody. */
  readonly team: string | undefined;
}

/** A claim and the value that it must have, or contain. */
interface ClaimRule {
  readonly claim: string;
  readonly value: string;
}

interface SingleSignOnDeps {
  readonly store: PasskeyStore & ProviderStore & Pick<AdminStore, "findTeam">;
  readonly clock: Clock;
  readonly random: Random;
  readonly ids: Ids;
  readonly policy: ServerPolicy;
}

/** What single sign-on goes by. */
export interface ProviderPlace {
  readonly provider: Provider;
  readonly rules: AdmissionRules;
  /** The address of our page that the provider sends browsers back to. */
  readonly redirectUri: string;
}

/** A sign-in that has begun: where the browser goes, and the token that it has to bring back, for a cookie. */
interface BegunSignIn {
  readonly url: string;
  readonly token: string;
}

/**
 * Begins a sign-in at the provider, for any account of the person with `choosesAccount`. Throws a Refusal
 * `provider_unavailable`.
 */
export async function beginProviderSignIn(
  deps: SingleSignOnDeps,
  { provider, redirectUri }: ProviderPlace,
  { isSilent, choosesAccount }: { readonly isSilent: boolean; readonly choosesAccount: boolean },
): Promise<BegunSignIn> {
  const text = () => deps.random.bytes(RANDOM_BYTES).toBase64({ alphabet: "base64url", omitPadding: true });
  const challenge: ProviderChallenge = { state: text(), nonce: text(), verifier: text(), isSilent };
  const url = await orUnavailable(provider.begin(challenge, redirectUri, choosesAccount));
  const token = createToken("person", deps.random);
  const expiresAt = deps.clock.now() + ATTEMPT_SECONDS * 1000;
  const attempt = { purpose: "oidc_sign_in", challenge: JSON.stringify(challenge), expiresAt } as const;
  await deps.store.createAttempt(attempt, hashOf(token, challenge.state));
  return { url, token };
}

/**
 * Begins or renews a session of the person whom the provider confirms, unless the caller is gone. `answer` is the query
 * that the provider sent the browser back with. Throws a Refusal: `credential_expired` for a late or repeated answer,
 * `provider_unavailable`, and `credential_invalid` for an answer that proves nothing, and a person who isn't let in.
 */
export async function signInWithProvider(
  deps: SingleSignOnDeps,
  { provider, rules, redirectUri }: ProviderPlace,
  call: AttemptAnswer & {
    readonly answer: string;
    readonly former: string | undefined;
    readonly signal?: AbortSignal;
  },
): Promise<SignedIn> {
  const { answer, browser, system, former, signal } = call;
  const state = new URLSearchParams(answer).get("state");
  const begun =
    call.attempt === undefined || state === null
      ? undefined
      : await deps.store.takeAttempt(hashOf(call.attempt, state), "oidc_sign_in");
  if (!begun || begun.expiresAt <= deps.clock.now()) throw new Refusal("credential_expired", { detail: LATE });
  const challenge = JSON.parse(begun.challenge) as ProviderChallenge;
  const proof = await orUnavailable(provider.redeem(answer, challenge, redirectUri, neededClaims(rules)));
  if ("doubt" in proof) throw refused("The provider's answer proves nothing.", proof.doubt);
  const failures = findFailures(rules, proof.claims);
  if (failures) throw refused("No rule of this server lets this account in.", failures);
  const team = rules.team === undefined ? undefined : await deps.store.findTeam(rules.team);
  const address = addressOf(rules, proof.claims);
  const token = createToken("person", deps.random);
  const session = {
    id: deps.ids.next("session"),
    tokenHash: hashToken(token),
    expiresAt: deps.clock.now() + deps.policy.sessionLifetimeSeconds * 1000,
    browser,
    system,
    formerHash: former === undefined ? undefined : hashToken(former),
  };
  const { issuer, subject, sid } = proof;
  const newcomer = newcomerOf(deps, team, address, proof);
  const guest = { issuer, subject, sid, address, teamId: team?.id, newcomer, isSilent: challenge.isSilent };
  const signedIn = await deps.store.signInWithProvider(guest, session, signal);
  switch (signedIn) {
    case "abandoned":
      throw callerGone();
    case "removed":
      throw refused(OTHER_PERSON, "The person of this account was removed.");
    case "bound":
      throw refused(OTHER_PERSON, "The person with the address of this account has another account at the provider.");
    case "another":
      throw refused("Another person is signed in at the provider.");
    case "unknown":
      throw refused(...strangenessOf(rules, team, proof.claims));
    case "several":
      throw refused("Several teams have a person with the address of this account.");
    default:
      return { token, session: signedIn, isReplay: false };
  }
}

/** The hash under which an attempt is stored. An answer that isn't to it, such as a stranger's, doesn't use it up. */
function hashOf(token: string, state: string): Uint8Array {
  return sha256(token, state);
}

/** Ends the sessions that a logout token names. Resolves false for a token that isn't valid. Rejects as `redeem`. */
export async function endByProvider(
  deps: { readonly store: ProviderStore },
  { provider }: Pick<ProviderPlace, "provider">,
  token: string,
): Promise<boolean> {
  let failure: { readonly error: unknown } | undefined;
  const end = (logout: ProviderLogout) =>
    deps.store.endProviderSessions(logout).catch((error: unknown) => {
      failure = { error };
      throw error;
    });
  return orUnavailable(provider.carryOutLogout(token, end)).catch((error: unknown) => {
    throw failure ? failure.error : error;
  });
}

/** The claims that decide, which a provider may keep out of its first answer. */
function neededClaims({ allow, addressClaim }: AdmissionRules): string[] {
  const named = [...allow.map(({ claim }) => claim), addressClaim];
  const plain = named.map((claim) => (claim === "email_domain" ? "email" : claim));
  return [...new Set([...plain, ...(plain.includes("email") ? ["email_verified"] : [])])];
}

/** Why none of the rules lets these claims in, without a value of them; undefined when one does. */
function findFailures({ allow }: Pick<AdmissionRules, "allow">, claims: ProviderProof["claims"]): string | undefined {
  const failures = allow.map((rule) => findFailure(rule, claims));
  if (failures.includes(undefined)) return undefined;
  return `No rule of --oidc-allow lets this account in: ${[...new Set(failures)].join(", ")}.`;
}

/** Why the rule doesn't let these claims in; undefined when it does. */
function findFailure({ claim, value }: ClaimRule, claims: ProviderProof["claims"]): string | undefined {
  if (claim === "email" || claim === "email_domain") {
    const email = verifiedEmail(claims);
    if (email === undefined) return isText(claims["email"]) ? "its address isn't verified" : "it has no claim email";
    const found = claim === "email" ? email.toLowerCase() : domainOf(email);
    return found === value.toLowerCase() ? undefined : `its ${claim} is another one`;
  }
  if (!Object.hasOwn(claims, claim)) return `it has no claim ${claim}`;
  const found = claims[claim];
  const values = Array.isArray(found) ? found : [found];
  return values.some((each) => isPlain(each) && String(each) === value)
    ? undefined
    : `its claim ${claim} has other values`;
}

/** Why nobody has the account: for the person, and for the log. */
function strangenessOf(
  rules: AdmissionRules,
  team: TeamRecord | undefined,
  claims: ProviderProof["claims"],
): readonly [detail: string, reason: string] {
  const { addressClaim } = rules;
  const address = addressOf(rules, claims);
  if (address === undefined) {
    const isUnverified = addressClaim === "email" && isText(claims["email"]);
    if (isUnverified) return [UNVERIFIED, "The provider doesn't say that the address of this account is verified."];
    return ["This account has no address.", `This account has no claim ${addressClaim}, its address.`];
  }
  const unknown = "Nobody with the address of this account was added here";
  const detail = `${unknown}.`;
  if (rules.team === undefined) return [detail, `${unknown}, and without --oidc-team nobody is new.`];
  if (!team) return [detail, `${unknown}, and the team of --oidc-team doesn't exist.`];
  if (!isAddress(address)) return [detail, "The address of this account can't be that of a person here."];
  return [detail, "The team has an automation with the address of this account."];
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isPlain(value: unknown): value is string | number | boolean {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

function addressOf({ addressClaim }: AdmissionRules, claims: ProviderProof["claims"]): string | undefined {
  if (addressClaim === "email") return verifiedEmail(claims);
  const found = Object.hasOwn(claims, addressClaim) ? claims[addressClaim] : undefined;
  return typeof found === "string" ? toName(found) : undefined;
}

function verifiedEmail({ email, email_verified: isVerified }: ProviderProof["claims"]): string | undefined {
  return typeof email === "string" && isVerified === true ? toName(email) : undefined;
}

function domainOf(address: string | undefined): string | undefined {
  return address?.slice(address.lastIndexOf("@") + 1).toLowerCase();
}

/** The person to create; undefined without a team, or an address that a person can have. */
function newcomerOf(
  deps: Pick<SingleSignOnDeps, "ids" | "clock">,
  team: TeamRecord | undefined,
  address: string | undefined,
  { claims }: ProviderProof,
): IdentityRecord | undefined {
  if (!team || address === undefined || !isAddress(address)) return undefined;
  const { name } = claims;
  const personName = typeof name === "string" ? (parsePersonName(name) ?? null) : null;
  return newIdentity(deps, team, { kind: "person", name: address, personName, scopes: SCOPES });
}

/** Rejects with a Refusal `provider_unavailable` where the provider rejects. */
async function orUnavailable<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (cause) {
    const reason = cause instanceof Error && "reason" in cause && isText(cause.reason) ? { reason: cause.reason } : {};
    throw new Refusal("provider_unavailable", { cause, ...reason });
  }
}

function refused(detail: string, reason = detail): Refusal {
  return new Refusal("credential_invalid", { detail, reason });
}
