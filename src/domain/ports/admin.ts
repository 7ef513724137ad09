import type { Scope } from "../../contract/scopes.ts";
import type { RequestState, SecretState } from "../../contract/states.ts";
import type { AdminLogStore } from "./admin-log.ts";
import type { IdentityRecord, KeyRecord, TeamRecord } from "./identities.ts";
import type { RulesChange } from "./teams.ts";

/** The size of a team. A live secret or request whose time is over counts as expired. */
export interface TeamCounts {
  readonly teamId: string;
  readonly automations: number;
  /** Without removed people. */
  readonly people: number;
  /** Keys that are valid now. */
  readonly keys: number;
  /** The number in each state; a state with none is absent. */
  readonly secrets: Readonly<Partial<Record<SecretState, number>>>;
  readonly requests: Readonly<Partial<Record<RequestState, number>>>;
}

/**
 * Teams, identities and keys, for the admin commands. A change by an operator is committed together with its entry in
 * the admin log.
 */
export interface AdminStore extends AdminLogStore {
  createTeam(team: TeamRecord): Promise<"created" | "name_taken">;
  /** Resolves the renamed team; undefined when there is none. */
  renameTeam(id: string, name: string): Promise<TeamRecord | "name_taken" | undefined>;
  /** Sets the quota of a team, in bytes, at once; null for the default of the server. Resolves as `renameTeam`. */
  setTeamQuota(id: string, quotaBytes: number | null): Promise<TeamRecord | undefined>;
  /** Changes rules of a team, at once; the others stay. Resolves as `renameTeam`. */
  setTeamRules(id: string, change: RulesChange): Promise<TeamRecord | undefined>;
  /**
   * Disables all identities of a team and ends its sessions. Resolves "live", with nothing changed, when a secret or
   * request is live and `force` is false; undefined when there is no such team.
   */
  closeTeam(id: string, force: boolean): Promise<"closed" | "live" | undefined>;
  /** Erases some of the secrets and requests of a team, live or not. Resolves false when there were none left. */
  emptyTeam(id: string): Promise<boolean>;
  /** Erases a team with everything in it. Resolves false when there is none. */
  deleteTeam(id: string): Promise<boolean>;
  listTeams(): Promise<TeamRecord[]>;
  countTeams(): Promise<TeamCounts[]>;
  /** Resolves undefined when no team has this name or id. */
  findTeam(nameOrId: string): Promise<TeamRecord | undefined>;
  /** Stores the default quota of a team, in bytes, that the running server uses. */
  keepTeamQuota(bytes: number): Promise<void>;
  /** The quota that was stored last, in bytes; undefined when no server has stored one. */
  findTeamQuota(): Promise<number | undefined>;
  /**
   * The ID of this installation: random, public, and constant until a backup is restored.
   */
  findInstallation(): Promise<string>;
  createIdentity(identity: IdentityRecord): Promise<"created" | "name_taken">;
  listIdentities(teamId: string | undefined): Promise<IdentityRecord[]>;
  /** The identities with this name or id, of one team or of all. */
  findIdentities(nameOrId: string, teamId: string | undefined): Promise<IdentityRecord[]>;
  /** Resolves the renamed identity; undefined when there is none. */
  renameIdentity(id: string, name: string): Promise<IdentityRecord | "name_taken" | undefined>;
  /** Erases an identity with its keys, but not what it created. Resolves the identity; undefined when there is none. */
  deleteIdentity(id: string): Promise<IdentityRecord | undefined>;
  /**
   * Disables an identity and ends its sessions. Resolves it as it is then; undefined when there is none. So do the next
   * two.
   */
  disableIdentity(id: string): Promise<IdentityRecord | undefined>;
  /** Undoes `disableIdentity`. Sessions that ended stay ended. */
  enableIdentity(id: string): Promise<IdentityRecord | undefined>;
  setScopes(id: string, scopes: readonly Scope[]): Promise<IdentityRecord | undefined>;
  /**
   * Stores a key for the identity of its team with the same name or ID, which is created when there is none. Resolves
   * the key with that identity. Rejects, with nothing stored, with the AdminError of `holderOf`.
   */
  createKey(key: KeyRecord, tokenHash: Uint8Array): Promise<KeyRecord>;
  /** Resolves undefined when there is no such key. */
  findKey(id: string): Promise<KeyRecord | undefined>;
  listKeys(teamId: string | undefined): Promise<KeyRecord[]>;
  /** Revokes a key, unless it is revoked. Resolves the key; undefined when there is none. */
  revokeKey(id: string): Promise<KeyRecord | undefined>;
  /**
   * Creates `key` as the successor of the key `replacedId`, which expires at `replacedExpiresAt`. Resolves false, with
   * nothing changed, when the latter is revoked or has a successor.
   */
  replaceKey(key: KeyRecord, tokenHash: Uint8Array, replacedId: string, replacedExpiresAt: number): Promise<boolean>;
  /** Undoes `replaceKey`: revokes `id`, and restores the expiry of `replacedId`, which has no successor any more. */
  restoreKey(id: string, replacedId: string, replacedExpiresAt: number | null): Promise<void>;
}
