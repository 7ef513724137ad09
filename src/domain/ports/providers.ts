import type { IdentityRecord } from "./identities.ts";
import type { NewSession, SessionRecord } from "./persons.ts";

/** What the answer of a provider is checked against. All of it is random, and stays with the server. */
export interface ProviderChallenge {
  readonly state: string;
  readonly nonce: string;
  /** The code verifier of PKCE (RFC 7636). */
  readonly verifier: string;
  /** True for a sign-in that shows nothing to the person. */
  readonly isSilent: boolean;
}

/** A person as their provider has confirmed them. */
export interface ProviderProof {
  readonly issuer: string;
  /** The provider's name for the account, which never changes (`sub`). */
  readonly subject: string;
  /** The provider's name for its own session; null for none. */
  readonly sid: string | null;
  readonly claims: Readonly<Record<string, unknown>>;
}

/** An answer that proves nothing. `doubt` is a sentence for the log, and has nothing of the answer in it. */
export interface ProviderDoubt {
  readonly doubt: string;
}

/** The fault of a provider. No member has anything of an answer in it. */
export interface ProviderFault extends Error {
  /** Such as `TIMEOUT`. */
  readonly code: string;
  /** A sentence for admins. */
  readonly reason: string;
}

/** What ends sessions: one of the provider's sessions, an account, or one session of an account. */
export interface ProviderLogout {
  readonly issuer: string;
  readonly subject: string | undefined;
  readonly sid: string | undefined;
}

/**
 * A provider of single sign-on (OpenID Connect Core 1.0). Rejects with a ProviderFault when it is away, slow, doesn't
 * do as its specification says, or refuses this server.
 */
export interface Provider {
  /**
   * The address that a browser is sent to. With `choosesAccount` its person is asked for an account there, as far as
   * the provider can, also when they are signed in with one.
   */
  begin(challenge: ProviderChallenge, redirectUri: string, choosesAccount: boolean): Promise<string>;
  /**
   * Verifies what the browser brought back, a query string. `wanted` names claims that the rules need. Resolves
   * a doubt when it proves nothing, as after a refusal at the provider.
   */
  redeem(
    query: string,
    challenge: ProviderChallenge,
    redirectUri: string,
    wanted: readonly string[],
  ): Promise<ProviderProof | ProviderDoubt>;
  /**
   * Verifies a logout token (Back-Channel Logout 1.0), and has `end` carry it out. Resolves false, with nothing done,
   * for one that isn't valid, or was carried out before. Rejects also as `end` does; the token can then be used again.
   */
  carryOutLogout(token: string, end: (logout: ProviderLogout) => Promise<unknown>): Promise<boolean>;
}

/** The account of a person at a provider. */
export interface ProviderAccount {
  readonly issuer: string;
  readonly subject: string;
  readonly createdAt: number;
}

/** A person who signs in at a provider, as the rules let them in. */
export interface ProviderGuest extends Pick<ProviderProof, "issuer" | "subject" | "sid"> {
  /** An address that certainly is theirs; undefined for none. */
  readonly address: string | undefined;
  /** The team that is asked when several have a person of that address; undefined for none. */
  readonly teamId: string | undefined;
  /** The person to create when nobody has the account or the address; undefined where nobody is created. */
  readonly newcomer: IdentityRecord | undefined;
  /** True to refuse another person than that of the browser's former session. */
  readonly isSilent: boolean;
}

/** Stores which account is whose. */
export interface ProviderStore {
  /**
   * Begins a session of the account's person, or renews the browser's former one when that is the same person's and
   * also came from the provider: it then has the new token, and its terminals go on. An account that is new belongs
   * from then on to the person with its address, or to the newcomer.
   *
   * Resolves "removed" for a person who was removed, and "bound" for one who has another account at this issuer, both
   * with nothing changed but an event `person.refused`; "unknown" when there is nobody; "several" when people of
   * several teams have the address; "another" when somebody else was to go on silently; "abandoned", with nothing
   * changed, when `signal` is aborted before.
   */
  signInWithProvider(
    guest: ProviderGuest,
    session: NewSession,
    signal?: AbortSignal,
  ): Promise<SessionRecord | "removed" | "bound" | "unknown" | "several" | "another" | "abandoned">;
  /** Ends the sessions that came from the provider. Resolves their number. */
  endProviderSessions(logout: ProviderLogout): Promise<number>;
  /** The account of a person; undefined for none. */
  findProviderAccount(identityId: string): Promise<ProviderAccount | undefined>;
}
