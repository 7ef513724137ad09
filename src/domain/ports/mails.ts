import type { AttemptRecord } from "./attempts.ts";
import type { IdentityRecord, TeamRecord } from "./identities.ts";
import type { EndingKey, Notice, NoticeSwitches } from "./notices.ts";
import type { NewSession, SessionRecord } from "./persons.ts";

/** The kinds of mails. */
export const MAIL_KINDS = ["sign_in_code", "proof_code", "notices", "key_ends", "passkey_added"] as const;
export type MailKind = (typeof MAIL_KINDS)[number];
/** The kinds that somebody waits for. */
export const CODE_KINDS = ["sign_in_code", "proof_code"] as const satisfies readonly MailKind[];

/** A mail that waits to be sent. Times are epoch milliseconds. */
export interface MailRecord {
  readonly id: string;
  readonly kind: MailKind;
  /** As it was typed, in the form of a name. */
  readonly address: string;
  /** The language of the reader (BCP 47); any text, because a browser says it. */
  readonly language: string;
  /**
   * What the kind needs: of a code its `seed`, of a proof its `subject` too, and the `browser` and `system` that asked;
   * of a passkey those that added it; of notices those of `mails/notices.ts`; of keys a list of them as JSON.
   */
  readonly data: Readonly<Record<string, string>>;
  readonly createdAt: number;
  readonly nextAt: number;
  /** When it is given up. */
  readonly endsAt: number;
  readonly tries: number;
}

/** A domain whose addresses are people of a team, by its name or id, once they sign in by mail. */
export interface SignInDomain {
  readonly domain: string;
  readonly team: string;
}

/** The people and teams that an address may sign in to. */
export interface MailAccount {
  /** Where codes are sent: the address as the teams have it. */
  readonly address: string;
  /** Its people who weren't removed. */
  readonly people: readonly IdentityRecord[];
  /** The teams that its domain lets it into; empty when it has people. */
  readonly teams: readonly TeamRecord[];
}

/** A typed code. */
export interface CodeUse {
  readonly attemptHash: Uint8Array;
  readonly code: string;
  readonly domains: readonly SignInDomain[];
  /** The ID of a person who is created. */
  readonly newId: string;
  /** The number of wrong codes that end an attempt. */
  readonly maxTries: number;
}

/** Stores mails until they are sent, and signs people in with the codes in them. */
export interface MailStore {
  /** Stores an attempt with its mail, both or neither, and deletes attempts that are over. */
  beginMailSignIn(attempt: AttemptRecord, tokenHash: Uint8Array, mail: MailRecord): Promise<void>;
  /** The people and teams of an address; undefined for none. */
  findMailAccount(address: string, domains: readonly SignInDomain[]): Promise<MailAccount | undefined>;
  /**
   * Begins a session of the person whose code it is, creates the person where a domain lets them in, and deletes the
   * attempt. Resolves "over" when there is no such attempt; "wrong", counted, for another code, which is an event
   * `person.refused` of the address's people when it ends the attempt; "abandoned", with nothing changed, when `signal`
   * is aborted before.
   */
  signInWithCode(
    use: CodeUse,
    session: NewSession,
    signal?: AbortSignal,
  ): Promise<SessionRecord | "over" | "wrong" | "abandoned">;
  /** The mails that are due, `most` at most: codes first, and of each the longest due first. */
  listDueMails(most: number): Promise<MailRecord[]>;
  /** Stores that a mail was tried in vain, and when it is tried next. */
  postponeMail(id: string, nextAt: number): Promise<void>;
  /** Deletes a mail that was sent or given up. */
  deleteMail(id: string): Promise<void>;
}

/** A team's code in a mail. */
export interface TeamCode {
  readonly team: string;
  /** Eight digits. */
  readonly code: string;
}

/** A mail with everything that it says. */
export type Letter = {
  /** The same for every try, so that a mail that was sent twice can be recognized. */
  readonly id: string;
  readonly address: string;
  readonly language: string;
} & (
  | {
      readonly kind: "sign_in_code";
      /** At least one, of different teams. */
      readonly codes: readonly TeamCode[];
      /** The browser that asked, as it called itself; undefined when unknown. */
      readonly browser: string | undefined;
      readonly system: string | undefined;
    }
  | {
      readonly kind: "proof_code";
      /** Eight digits. */
      readonly code: string;
      /** The browser that asked, as it called itself; undefined when unknown. */
      readonly browser: string | undefined;
      readonly system: string | undefined;
    }
  | ({
      readonly kind: "notices";
      /** At least one. */
      readonly notices: readonly Notice[];
      /** The number of those that the mail doesn't list. */
      readonly more: number;
    } & Pick<NoticeSwitches, "identityId" | "timeZone" | "offSeed">)
  | { readonly kind: "key_ends"; readonly keys: readonly EndingKey[] }
  | {
      readonly kind: "passkey_added";
      /** The browser that added it, as it called itself; undefined when unknown. */
      readonly browser: string | undefined;
      readonly system: string | undefined;
    }
  | { readonly kind: "test" }
);

/**
 * The outcome of sending a mail: `refused` for this recipient or content, so that trying again is useless, or `delayed`
 * for all other reasons. The `reason` is a sentence without an address of a person; the server's `reply` may have one.
 */
export type MailOutcome =
  | { readonly result: "sent" }
  | { readonly result: "refused" | "delayed"; readonly reason: string; readonly reply?: string };

/** Sends mails. */
export interface Mailer {
  /** Sends a mail. Never rejects. */
  send(letter: Letter, signal?: AbortSignal): Promise<MailOutcome>;
}
