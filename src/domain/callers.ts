import type { Callers, Operation } from "../contract/operations.ts";
import { parseTokenKind } from "../contract/tokens.ts";
import { isAddress } from "./names.ts";
import type { CredentialStore, FoundKey } from "./ports/credentials.ts";
import type { IdentityRecord, KeyRecord } from "./ports/identities.ts";
import type { PersonStore, SessionRecord } from "./ports/persons.ts";
import type { RequestRecord } from "./ports/requests.ts";
import type { SecretRecord } from "./ports/secrets.ts";
import type { Clock } from "./ports/sources.ts";
import type { TeamRules } from "./ports/teams.ts";
import { Refusal } from "./values/errors.ts";
import { hashToken } from "./values/tokens.ts";

interface CallerBase {
  /** The id for rate limits and idempotency: that of the key, or one derived from the token. */
  readonly credentialId: string;
  /** The presented token, from which link tokens are derived. Never stored, logged or returned. */
  readonly token: string;
  readonly teamId: string;
  /** The address of the client; absent unless the server logs addresses. */
  readonly network?: string;
}

/** An identity that uses one of its API keys. */
interface ApiKeyCaller extends CallerBase {
  readonly kind: "apiKey";
  readonly key: KeyRecord;
  readonly teamRules: TeamRules | null;
}

/** The holder of the claim token of one secret. */
interface ClaimTokenCaller extends CallerBase {
  readonly kind: "claim";
  readonly secret: SecretRecord;
}

/** The holder of the submit token of one request. */
export interface SubmitTokenCaller extends CallerBase {
  readonly kind: "submit";
  readonly request: RequestRecord;
}

/** A person in a session of the page. */
export interface PersonCaller extends CallerBase {
  readonly kind: "person";
  readonly person: IdentityRecord;
  readonly session: SessionRecord;
  readonly teamRules: TeamRules | null;
  /** The end of the session if it isn't used again, in epoch milliseconds. */
  readonly expiresAt: number;
}

export type Caller = ApiKeyCaller | ClaimTokenCaller | SubmitTokenCaller | PersonCaller;

/** Where a call comes from. */
export interface Origin {
  /** True when the address of the caller is in one of `networks`, which are those of a KeyRecord. */
  readonly isIn: (networks: string) => boolean;
  /** The address of the client, for events; undefined unless the server logs addresses. */
  readonly network?: string | undefined;
}

const NOWHERE: Origin = { isIn: () => false };

interface AuthenticationDeps {
  readonly store: CredentialStore;
  readonly clock: Clock;
}

/**
 * Finds the caller by `token`. `id` is the id in the path, if there is one. Without `origin`, keys that are bound to
 * networks are refused. Throws a Refusal: `credential_invalid`, `credential_expired` or `human_credential`.
 */
export async function authenticate(
  deps: AuthenticationDeps,
  token: string,
  id: string | undefined,
  origin = NOWHERE,
): Promise<Caller> {
  const kind = parseTokenKind(token);
  switch (kind) {
    case undefined:
      throw new Refusal("credential_invalid");
    case "person":
      throw new Refusal("human_credential");
    // They come beside a credential, and are none.
    case "proof":
    case "approval":
      throw new Refusal("credential_invalid");
    case "claim": {
      const hash = hashToken(token);
      const secret = await deps.store.findSecretByClaimToken(hash, id);
      if (!secret) throw new Refusal("credential_invalid");
      return { kind, credentialId: `hct:${hash.toBase64()}`, token, teamId: secret.teamId, secret };
    }
    case "submit": {
      const hash = hashToken(token);
      const request = await deps.store.findRequestBySubmitToken(hash, id);
      if (!request) throw new Refusal("credential_invalid");
      return { kind, credentialId: `hst:${hash.toBase64()}`, token, teamId: request.teamId, request };
    }
    case "apiKey": {
      const key = await getKey(deps, token, origin);
      return { kind, credentialId: key.id, token, teamId: key.identity.teamId, key, teamRules: key.teamRules };
    }
  }
}

/** Finds the key that a call uses, and records the use. Throws as `authenticate` does. */
async function getKey({ store, clock }: AuthenticationDeps, token: string, origin: Origin): Promise<FoundKey> {
  const key = await store.findKeyByHash(hashToken(token));
  if (!key) throw new Refusal("credential_invalid");
  const keyId = key.id;
  if (key.revokedAt !== null || key.identity.disabledAt !== null) throw new Refusal("credential_invalid", { keyId });
  // Before the expiry, whose answer would tell that the key is known.
  if (key.networks !== null && !origin.isIn(key.networks)) {
    store.recordKeyRefusal(keyId, origin.network ?? null);
    throw new Refusal("credential_invalid", { keyId, reason: "The key was used outside its networks." });
  }
  if (key.expiresAt !== null && key.expiresAt <= clock.now()) {
    await store.keepTime(key.expiresAt);
    throw new Refusal("credential_expired", { keyId });
  }
  store.recordKeyUse(keyId);
  return key;
}

/**
 * Throws a Refusal unless `caller` may use an operation: `insufficient_scope`, or `not_found` for a token of another
 * resource.
 */
export function authorize(caller: Caller, { callers }: Pick<Operation, "callers">, id: string | undefined): void {
  if (!isAmong(callers, caller)) {
    const scope = callers === "any" ? undefined : callers.scope;
    throw new Refusal("insufficient_scope", scope === undefined ? {} : { scope });
  }
  if (caller.kind === "apiKey" || caller.kind === "person") return;
  const own = caller.kind === "claim" ? caller.secret.id : caller.request.id;
  if (id !== undefined && id !== own) throw new Refusal("not_found");
}

/** The address of the person who calls, as their team has it; undefined without one, and for every other caller. */
export function addressOf(caller: Caller): string | undefined {
  return caller.kind === "person" && caller.person.name.includes("@") && isAddress(caller.person.name)
    ? caller.person.name
    : undefined;
}

/** The rules of the caller's team; null without any, and for the holder of a link. */
export function rulesOf(caller: Caller): TeamRules | null {
  return caller.kind === "apiKey" || caller.kind === "person" ? caller.teamRules : null;
}

/** Throws a Refusal `insufficient_scope` for a sender who could never approve what they send. */
export function checkDecider(caller: Caller): void {
  const scope = "secrets:approve";
  if (!isAmong({ scope }, caller)) throw new Refusal("insufficient_scope", { scope });
}

/** The id of the acting identity; null for the holder of a link. */
export function actorOf(caller: Caller): string | null {
  if (caller.kind === "person") return caller.person.id;
  return caller.kind === "apiKey" ? caller.key.identity.id : null;
}

/** The address of the client, for events; null unless the server logs addresses. */
export function networkOf({ network }: Caller): string | null {
  return network ?? null;
}

/** Who causes an event by a call, and from where. */
export function causeOf(caller: Caller): { readonly actorId: string | null; readonly network: string | null } {
  return { actorId: actorOf(caller), network: networkOf(caller) };
}

function isAmong(callers: Callers, caller: Caller): boolean {
  if (callers === "any") return true;
  const { scope, orScope, token } = callers;
  switch (caller.kind) {
    case "apiKey":
      return caller.key.identity.scopes.some((each) => each === scope || each === orScope);
    case "person":
      return caller.person.scopes.some((each) => each === scope || each === orScope);
    case "claim":
    case "submit":
      return caller.kind === token;
  }
}

/**
 * Records that an API key was sent in a query string, and returns its id; undefined when it isn't one of this server.
 * The login of a terminal ends at once: its person logs in again.
 */
export async function markExposed(
  { store }: { readonly store: CredentialStore & Pick<PersonStore, "deleteSession" | "findSession"> },
  token: string,
): Promise<string | undefined> {
  const hash = hashToken(token);
  if ((await store.findSession(hash))?.way === "terminal") await store.deleteSession(hash);
  return store.markKeyExposed(hash);
}
