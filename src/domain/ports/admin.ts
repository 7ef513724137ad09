import type { Scope } from "../../contract/scopes.ts";
import type { RequestState, SecretState } from "../../contract/states.ts";
import type { AdminLogStore } from "./admin-log.ts";
import type { IdentityRecord, KeyRecord, TeamRecord } from "./identities.ts";

/** The numbers of what a team has. What is over by time alone counts as expired. */
export interface TeamCounts {
  readonly teamId: string;
  readonly automations: number;
  /** Without those who were removed. */
  readonly people: number;
  /** The keys that are valid now. */
  readonly keys: number;
  /** Without the states that none is in. */
  readonly secrets: Readonly<Partial<Record<SecretState, number>>>;
  readonly requests: Readonly<Partial<Record<RequestState, number>>>;
}

/**
 * Keeps teams, identities and keys, for the admin command. What an operator changes is in the admin log with the change, or
 * neither is.
 */
export interface AdminStore extends AdminLogStore {
  createTeam(team: TeamRecord): Promise<"created" | "name_taken">;
  /** Resolves what the team is then; undefined when there is none. */
  renameTeam(id: string, name: string): Promise<TeamRecord | "name_taken" | undefined>;
  /** Gives a team a quota of its own, in bytes, that counts at once; null for that of the server. Resolves as `renameTeam`. */
  setTeamQuota(id: string, quotaBytes: number | null): Promise<TeamRecord | undefined>;
  /**
   * Ends what lets anybody into a team, so that nothing more comes of it. Resolves "live", with nothing done, when something in it
   * is live and not `force`; undefined when there is no such team.
   */
  closeTeam(id: string, force: boolean): Promise<"closed" | "live" | undefined>;
  /** Erases some of the secrets and requests of a team, live or not. Resolves false when there were none left. */
  emptyTeam(id: string): Promise<boolean>;
  /** Erases a team with all that it has. Resolves false when there is none. */
  deleteTeam(id: string): Promise<boolean>;
  listTeams(): Promise<TeamRecord[]>;
  countTeams(): Promise<TeamCounts[]>;
  /** Resolves undefined when no team has this name or id. */
  findTeam(nameOrId: string): Promise<TeamRecord | undefined>;
  /** Stores the quota of each team, in bytes, that the running server goes by. */
  keepTeamQuota(bytes: number): Promise<void>;
  /** The quota that was kept last, in bytes; undefined when no server has kept any. */
  findTeamQuota(): Promise<number | undefined>;
  /**
   * The id of what is stored: random, public, the same for as long as it lives, and another one after a backup was restored.
   */
  findInstallation(): Promise<string>;
  createIdentity(identity: IdentityRecord): Promise<"created" | "name_taken">;
  listIdentities(teamId: string | undefined): Promise<IdentityRecord[]>;
  /** The identities with this name or id, of one team or of all. */
  findIdentities(nameOrId: string, teamId: string | undefined): Promise<IdentityRecord[]>;
  /** Resolves what the identity is then; undefined when there is none. */
  renameIdentity(id: string, name: string): Promise<IdentityRecord | "name_taken" | undefined>;
  /** Erases an identity with its keys; what it made stays. Resolves what it was; undefined when there is none. */
  deleteIdentity(id: string): Promise<IdentityRecord | undefined>;
  /** Resolves what the identity is then; undefined when there is none. So do the next two. */
  disableIdentity(id: string): Promise<IdentityRecord | undefined>;
  /** Undoes `disableIdentity`. Keys and sessions that ended stay ended. */
  enableIdentity(id: string): Promise<IdentityRecord | undefined>;
  setScopes(id: string, scopes: readonly Scope[]): Promise<IdentityRecord | undefined>;
  /**
   * Stores a key, and its identity where the team has none of that name or id; where it has one, the key belongs to that.
   * Resolves the key with the identity that it has. Rejects, with nothing stored, with the AdminError of `holderOf`.
   */
  createKey(key: KeyRecord, tokenHash: Uint8Array): Promise<KeyRecord>;
  /** Resolves undefined when there is no such key. */
  findKey(id: string): Promise<KeyRecord | undefined>;
  listKeys(teamId: string | undefined): Promise<KeyRecord[]>;
  /** Ends a key; a revoked one stays as it is. Resolves what it is then; undefined when there is none. */
  revokeKey(id: string): Promise<KeyRecord | undefined>;
  /**
   * Creates `key` as the successor of the key `replacedId`, and gives that one an end. Resolves false, with nothing
   * changed, when that one has been revoked or has a successor by now.
   */
  replaceKey(key: KeyRecord, tokenHash: Uint8Array, replacedId: string, replacedExpiresAt: number): Promise<boolean>;
  /** Undoes `replaceKey`: revokes `id`, and gives the key `replacedId` its earlier end back, without a successor. */
  restoreKey(id: string, replacedId: string, replacedExpiresAt: number | null): Promise<void>;
}
