import type { IdentityRecord } from "./identities.ts";
import type { TimeStore } from "./time.ts";

/** The purpose of a person token: the link is used once, and traded for a session. */
export type PersonTokenPurpose = "sign_in" | "session";

/** A token of a person, as it is stored; the token itself is not among what is known of it. */
export interface PersonTokenRecord {
  readonly identity: IdentityRecord;
  readonly purpose: PersonTokenPurpose;
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** Keeps the sign-in links and sessions of people. */
export interface PersonStore extends TimeStore {
  /**
   * Stores a token, and the person where the team has none of that address; one who was removed is back, and a new name is
   * theirs. Also forgets tokens
   * that are over, and the earlier links of whoever gets another. Resolves the token with the person whose it is. Rejects,
   * with nothing stored, with the AdminError of `guestOf`.
   */
  createPersonToken(token: PersonTokenRecord, tokenHash: Uint8Array): Promise<PersonTokenRecord>;
  /** The token with this hash and purpose; undefined when there is none. */
  findPersonToken(tokenHash: Uint8Array, purpose: PersonTokenPurpose): Promise<PersonTokenRecord | undefined>;
  /**
   * Uses up a sign-in link, stores the session that it is traded for, and ends the former one of the same browser. Resolves
   * undefined when there is no such link; "abandoned", with nothing done, when `signal` says that the caller is gone.
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
  /** Ends a sign-in link or a session; nothing happens when there is none. */
  deletePersonToken(tokenHash: Uint8Array): Promise<void>;
  /** The person with this id, removed or not; undefined when there is none. */
  findPerson(identityId: string): Promise<IdentityRecord | undefined>;
  /** Ends everything that a person holds. */
  deletePersonTokensOf(identityId: string): Promise<void>;
}
