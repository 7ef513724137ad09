/** The things that an admin command can have changed. */
export type AdminAction =
  | "team.created"
  | "team.renamed"
  | "team.quota_changed"
  | "team.closed"
  | "team.deleted"
  | "identity.created"
  | "identity.renamed"
  | "identity.scopes_changed"
  | "identity.disabled"
  | "identity.enabled"
  | "identity.deleted"
  | "key.created"
  | "key.rotated"
  | "key.rotation_undone"
  | "key.revoked"
  | "person.invited"
  | "person.invitation_withdrawn"
  | "person.signed_out"
  | "person.removed"
  | "secret.revoked"
  | "request.revoked"
  | "webhook.created"
  | "webhook.paused"
  | "webhook.resumed"
  | "webhook.secret_rotated"
  | "webhook.deleted"
  | "database.restored"
  | "database.moved"
  | "database.move_undone";

/** The user of the operating system who runs an admin command. */
export interface Operator {
  readonly user: string;
  /** The one who became that user through sudo; null for nobody. */
  readonly sudoUser: string | null;
}

/** The names, ids and numbers that say more of what was done. */
export type AdminDetails = Readonly<Record<string, string | number | null | readonly string[]>>;

/** Something that an admin command changed, as it is kept. Never a token, never a link. */
export interface AdminLogEntry extends Operator {
  /** Ascends with every entry. */
  readonly id: number;
  readonly at: number;
  readonly action: AdminAction;
  readonly subjectId: string | null;
  readonly subjectName: string | null;
  readonly teamId: string | null;
  readonly teamName: string | null;
  readonly details: AdminDetails;
}

/** The most entries that are kept: the oldest go when there are more. */
export const MAX_ADMIN_LOG_ENTRIES = 100_000;

/** The choice of entries. */
export interface AdminLogInput {
  /** Only those after the one with this id. */
  readonly afterId: number | undefined;
  /** Only those from this time on, in epoch milliseconds. */
  readonly since: number | undefined;
  /** As many of the newest of them at most. */
  readonly limit: number | undefined;
}

/** Reads what admin commands have changed. It is written down by the operations that do so, in their transactions. */
export interface AdminLogStore {
  /** Oldest first. */
  listAdminLog(input: AdminLogInput): Promise<AdminLogEntry[]>;
}
