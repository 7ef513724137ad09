import type { KeyRecord } from "./identities.ts";
import type { RequestRecord } from "./requests.ts";
import type { SecretRecord } from "./secrets.ts";
import type { TimeStore } from "./sources.ts";
import type { TeamRules } from "./teams.ts";

/** Sizes in bytes. */
export interface TeamUsage {
  readonly storedBytes: number;
  readonly quotaBytes: number | null;
}

/** A key with the rules of its team; null without any. */
export interface FoundKey extends KeyRecord {
  readonly teamRules: TeamRules | null;
}

/** Finds credentials for the running service. */
export interface CredentialStore extends TimeStore {
  findKeyByHash(tokenHash: Uint8Array): Promise<FoundKey | undefined>;
  /**
   * Finds the secret of a claim token. Of several with the same token, the one with `secretId`, else the newest.
   * Undefined when there is none.
   */
  findSecretByClaimToken(tokenHash: Uint8Array, secretId: string | undefined): Promise<SecretRecord | undefined>;
  /**
   * Finds the request of a submit token. Of several with the same token, the one with `requestId`, else the newest.
   * Undefined when there is none.
   */
  findRequestBySubmitToken(tokenHash: Uint8Array, requestId: string | undefined): Promise<RequestRecord | undefined>;
  /** Records the use of a key, to the minute. Never fails its call. */
  recordKeyUse(keyId: string): void;
  /**
   * Writes an event `key.refused` with the identity of a key, and the address of the client where the server logs
   * addresses, once an hour for each key, as far as this process knows. Never fails its call.
   */
  recordKeyRefusal(keyId: string, network: string | null): void;
  /** The bytes that count against the team's quota, and the team's own quota; null where the server's counts. */
  findTeamUsage(teamId: string): Promise<TeamUsage>;
  /** Records that a key was sent in a query string. Returns its id; undefined when there is no such key. */
  markKeyExposed(tokenHash: Uint8Array): Promise<string | undefined>;
}
