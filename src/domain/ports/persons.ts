import type { IdentityRecord } from "./identities.ts";
import type { TimeStore } from "./time.ts";

/** The purpose of a person token: a sign-in link is used once, and traded for a session. */
export type PersonTokenPurpose = "sign_in" | "session";

/** A stored token of a person, without the token itself. */
export interface PersonTokenRecord {
  readonly identity: IdentityRecord;
  readonly purpose: PersonTokenPurpose;
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** Stores the sign-in links and sessions of people. */
export interface PersonStore extends TimeStore {
  /**
   * Stores a token, and the person as `guestOf` says: created, or enabled and renamed. Also deletes expired tokens, and
   * with a sign-in link the person's earlier ones. Resolves the token with that person. Rejects, with nothing stored,
   * with the AdminError of `guestOf`.
   */
  createPersonToken(token: PersonTokenRecord, tokenHash: Uint8Array): Promise<PersonTokenRecord>;
  /** The token with this hash and purpose; undefined when there is none. */
  findPersonToken(tokenHash: Uint8Array, purpose: PersonTokenPurpose): Promise<PersonTokenRecord | undefined>;
  /**
   * Trades a sign-in link for a session, and ends the session with `formerHash`. Resolves undefined when there is no
   * such link; "abandoned", with nothing changed, when `signal` is aborted before.
   */
  tradeSignIn(
    signInHash: Uint8Array,
    session: {
      readonly tokenHash: Uint8Array;
      readonly expiresAt: number;
      readonly formerHash?: Uint8Array | undefined;
    },
    signal?: AbortSignal,
  ): Promise<PersonTokenRecord | "abandoned" | undefined>;
  /** Deletes a sign-in link or a session. Does nothing when there is none. */
  deletePersonToken(tokenHash: Uint8Array): Promise<void>;
  /** The person with this ID, also when removed; undefined when there is none. */
  findPerson(identityId: string): Promise<IdentityRecord | undefined>;
  /** Deletes all sign-in links and sessions of a person. */
  deletePersonTokensOf(identityId: string): Promise<void>;
}
