import type { NewSession, SessionRecord } from "./persons.ts";

/** A terminal that waits for a person to let it in (RFC 8628). Times are epoch milliseconds. */
export interface LoginRecord {
  /** What the person types: eight letters. */
  readonly userCode: string;
  /** What the terminal calls itself. */
  readonly machine: string;
  /** The address that it called from; null when unknown. */
  readonly address: string | null;
  readonly state: "pending" | "approved" | "refused";
  /** The session of the person who approved; null before. */
  readonly sessionId: string | null;
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** The session of a terminal, to be stored. */
export type NewTerminalSession = Omit<NewSession, "browser" | "formerHash" | "system">;

/** Stores the terminals that wait. */
export interface LoginStore {
  /** Stores a login under the hash of its device code, and deletes those that are over. False if its code is taken. */
  createLogin(login: LoginRecord, deviceHash: Uint8Array): Promise<boolean>;
  /** The pending login with this code; undefined when there is none. */
  findLogin(userCode: string): Promise<LoginRecord | undefined>;
  /** Approves or refuses a pending login. Resolves false when there is none. */
  decideLogin(userCode: string, decision: Pick<LoginRecord, "state" | "sessionId">): Promise<boolean>;
  /**
   * Takes a decided login, once. Resolves the session of the terminal, which begins now and ends with that of the
   * person; "pending" for one that is undecided; undefined when there is none. "refused" also when the person's session
   * has ended.
   */
  takeLogin(
    deviceHash: Uint8Array,
    session: NewTerminalSession,
  ): Promise<SessionRecord | "pending" | "refused" | undefined>;
}
