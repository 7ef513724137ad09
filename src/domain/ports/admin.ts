import type { Scope } from "../../contract/scopes.ts";
import type { IdentityRecord, KeyRecord, TeamRecord } from "./identities.ts";

/** Keeps teams, identities and keys, for the admin command. */
export interface AdminStore {
  createTeam(team: TeamRecord): Promise<"created" | "name_taken">;
  listTeams(): Promise<TeamRecord[]>;
  /** Resolves undefined when no team has this name or id. */
  findTeam(nameOrId: string): Promise<TeamRecord | undefined>;
  /** Stores the quota of each team, in bytes, that the running server goes by. */
  keepTeamQuota(bytes: number): Promise<void>;
  /** The quota that was kept last, in bytes; undefined when no server has kept any. */
  findTeamQuota(): Promise<number | undefined>;
  createIdentity(identity: IdentityRecord): Promise<"created" | "name_taken">;
  listIdentities(teamId: string | undefined): Promise<IdentityRecord[]>;
  /** The identities with this name or id, of one team or of all. */
  findIdentities(nameOrId: string, teamId: string | undefined): Promise<IdentityRecord[]>;
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
