import type { AttemptPurpose, AttemptRecord } from "./attempts.ts";
import type { IdentityRecord } from "./identities.ts";
import type { MailRecord } from "./mails.ts";
import type { NewSession, SessionRecord } from "./persons.ts";

/** A stored passkey of a person. Times are epoch milliseconds. */
export interface PasskeyRecord {
  readonly id: string;
  readonly identity: IdentityRecord;
  /** The authenticator's name for it, in base64url. */
  readonly credentialId: string;
  /** In COSE's form (RFC 9052). */
  readonly publicKey: Uint8Array;
  /** The signature counter of the last use; 0 where the authenticator has none. */
  readonly counter: number;
  /** How browsers reach the authenticator, as WebAuthn names it. */
  readonly transports: readonly string[];
  /** The browser that added it, as it called itself; null when unknown. */
  readonly browser: string | null;
  readonly system: string | null;
  readonly createdAt: number;
  /** Null before it is first used. */
  readonly lastUsedAt: number | null;
}

/** Stores passkeys, and attempts to add or to use one. Adding and removing one is an event of the team. */
export interface PasskeyStore {
  /** Stores an attempt under the hash of its token, and deletes those that are over. */
  createAttempt(attempt: AttemptRecord, tokenHash: Uint8Array): Promise<void>;
  /** Deletes the attempt with this hash and purpose, and resolves with it; undefined when there is none. */
  takeAttempt(tokenHash: Uint8Array, purpose: AttemptPurpose): Promise<AttemptRecord | undefined>;
  /** Stores a passkey, with the mail about it, unless it is known, or its person has `most` or was removed. */
  addPasskey(
    passkey: PasskeyRecord,
    most: number,
    mail?: MailRecord,
  ): Promise<"added" | "known" | "too_many" | "removed">;
  /** The passkeys of a person, oldest first. */
  listPasskeys(identityId: string): Promise<PasskeyRecord[]>;
  /** The passkey of an authenticator's name for it; undefined when there is none. */
  findPasskey(credentialId: string): Promise<PasskeyRecord | undefined>;
  /** Removes the passkey `id` of a person. Resolves false when there is none. */
  removePasskey(identityId: string, id: string): Promise<boolean>;
  /**
   * Begins a session of the passkey's person, and keeps `counter`. Resolves "copied", with nothing changed but an event
   * `person.refused`, when the counter hasn't grown since its last use (WebAuthn, section 6.1.1). Undefined when the
   * passkey or the person was removed; "abandoned", with nothing changed, when `signal` is aborted before.
   */
  signInWithPasskey(
    use: { readonly passkeyId: string; readonly counter: number },
    session: NewSession,
    signal?: AbortSignal,
  ): Promise<SessionRecord | "copied" | "abandoned" | undefined>;
  /** Writes an event `person.refused`. Does nothing for a person who is unknown. */
  noteRefusal(identityId: string): Promise<void>;
}
