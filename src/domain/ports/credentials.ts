import type { KeyRecord } from "./identities.ts";
import type { RequestRecord } from "./requests.ts";
import type { SecretRecord } from "./secrets.ts";
import type { TimeStore } from "./time.ts";

/** In bytes. */
export interface TeamUsage {
  readonly storedBytes: number;
  readonly quotaBytes: number | null;
}

/** Finds credentials while the service runs. */
export interface CredentialStore extends TimeStore {
  findKeyByHash(tokenHash: Uint8Array): Promise<KeyRecord | undefined>;
  /**
   * The secret that a claim token opens; of several with the same token the one named, else the newest. Undefined when
   * there is none.
   */
  findSecretByClaimToken(tokenHash: Uint8Array, secretId: string | undefined): Promise<SecretRecord | undefined>;
  /**
   * The request that a submit token belongs to; of several with the same token the one named, else the newest.
   * Undefined when there is none.
   */
  findRequestBySubmitToken(tokenHash: Uint8Array, requestId: string | undefined): Promise<RequestRecord | undefined>;
  /** Notes the use of a key, to the minute. Never fails the call that it belongs to. */
  recordKeyUse(keyId: string): void;
  /**
   * The bytes that the team takes up in the database, as they count against its quota, and the quota of its own; that is
   * null where the server's counts.
   */
  findTeamUsage(teamId: string): Promise<TeamUsage>;
  /** Notes that a key was seen in a query string. */
  markKeyExposed(tokenHash: Uint8Array): Promise<void>;
}
