import type { SessionWay } from "../../contract/states.ts";
import type { IdentityRecord } from "./identities.ts";
import type { TimeStore } from "./sources.ts";
import type { TeamRules } from "./teams.ts";

/** A stored sign-in link, without its token. It is used once, and traded for a session. */
export interface SignInLinkRecord {
  readonly identity: IdentityRecord;
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** A stored session of a person, without its token. */
export interface SessionRecord {
  readonly id: string;
  readonly identity: IdentityRecord;
  readonly way: SessionWay;
  /** The browser, as it called itself; null when unknown. */
  readonly browser: string | null;
  /** Its operating system; null when unknown. */
  readonly system: string | null;
  readonly createdAt: number;
  readonly expiresAt: number;
  /** To the minute, after the first use. */
  readonly lastUsedAt: number;
  /** The session of a browser with which that of a terminal ends; null for a browser's own. */
  readonly parentId: string | null;
  /** When a provider of single sign-on last confirmed the person; null for other ways. */
  readonly confirmedAt: number | null;
  /** The provider's name for its own session (`sid`); null for none. */
  readonly providerSid: string | null;
}

/** A session with the rules of its person's team; null without any. */
export interface FoundSession extends SessionRecord {
  readonly teamRules: TeamRules | null;
}

/** A session to be stored, and the browser's former one, which it ends. */
export interface NewSession {
  readonly id: string;
  readonly tokenHash: Uint8Array;
  readonly browser: string | null;
  readonly system: string | null;
  readonly expiresAt: number;
  readonly formerHash?: Uint8Array | undefined;
}

/** What an import did to a person. */
export type ImportChange = "added" | "restored" | "changed" | "unchanged";

/** Stores the sign-in links and sessions of people. Sessions that begin and end are events of the team. */
export interface PersonStore extends TimeStore {
  /**
   * Stores a sign-in link, and the person as `guestOf` says: created, or enabled and renamed. Also deletes expired
   * links and sessions, and the person's earlier links. Resolves the link with that person. Rejects, with nothing
   * stored, with the AdminError of `guestOf`.
   */
  createSignInLink(link: SignInLinkRecord, tokenHash: Uint8Array): Promise<SignInLinkRecord>;
  /**
   * Stores a person without a link, as `guestOf` says: created, or enabled and renamed. Sets their scopes, unless
   * `keepsScopes` and they were there before. Rejects, with nothing stored, with the AdminError of `guestOf`.
   */
  importPerson(
    wanted: IdentityRecord,
    keepsScopes: boolean,
  ): Promise<{ readonly person: IdentityRecord; readonly change: ImportChange }>;
  /** The link with this hash; undefined when there is none. */
  findSignInLink(tokenHash: Uint8Array): Promise<SignInLinkRecord | undefined>;
  /** Deletes a link. Does nothing when there is none. */
  deleteSignInLink(tokenHash: Uint8Array): Promise<void>;
  /**
   * Trades a sign-in link for a session. Resolves undefined when there is no such link; "abandoned", with nothing
   * changed, when `signal` is aborted before.
   */
  tradeSignIn(
    linkHash: Uint8Array,
    session: NewSession,
    signal?: AbortSignal,
  ): Promise<SessionRecord | "abandoned" | undefined>;
  /** The session with this hash; undefined when there is none. */
  findSession(tokenHash: Uint8Array): Promise<FoundSession | undefined>;
  /** The session with this ID; undefined when there is none. */
  findSessionById(id: string): Promise<SessionRecord | undefined>;
  /** The sessions of a person, the last used first. */
  listSessions(identityId: string): Promise<SessionRecord[]>;
  /** Records the use of a session, to the minute. Never fails its call. */
  recordSessionUse(sessionId: string): void;
  /** Ends a session. Does nothing when there is none. */
  deleteSession(tokenHash: Uint8Array): Promise<void>;
  /** Ends the session `sessionId` of a person. Resolves false when there is none. */
  endSessionOf(identityId: string, sessionId: string): Promise<boolean>;
  /** Ends the sessions of a person, but for `keptId`. Resolves their number. */
  endSessionsOf(identityId: string, keptId: string): Promise<number>;
  /** Deletes all sign-in links and sessions of a person. */
  signOutPerson(identityId: string): Promise<void>;
  /** The people with this ID or address, in upper or lower case, of one team or of all, also when removed. */
  findPersons(addressOrId: string, teamId: string | undefined): Promise<IdentityRecord[]>;
  /** The person with this ID, also when removed; undefined when there is none. */
  findPerson(identityId: string): Promise<IdentityRecord | undefined>;
}
