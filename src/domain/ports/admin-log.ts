/** The kind of an entry. */
export type AdminAction =
  | "team.created"
  | "team.renamed"
  | "team.quota_changed"
  | "team.rules_changed"
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
  | "person.imported"
  | "person.invitation_withdrawn"
  | "person.signed_out"
  | "person.removed"
  | "person.passkey_removed"
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
  /** The user who ran sudo to become that user; null without sudo. */
  readonly sudoUser: string | null;
}

/** Further names, IDs and numbers of an entry. */
export type AdminDetails = Readonly<Record<string, string | number | boolean | null | readonly string[]>>;

/** An entry of the admin log: one change by an admin command. Never contains a token or a link. */
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

/** The maximum number of entries: beyond it, the oldest are deleted. */
export const MAX_ADMIN_LOG_ENTRIES = 100_000;

/** The filter of a list of entries. */
export interface AdminLogInput {
  /** Only entries after the one with this ID. */
  readonly afterId: number | undefined;
  /** Only entries from this time on, in epoch milliseconds. */
  readonly since: number | undefined;
  /** The maximum number; the newest are listed. */
  readonly limit: number | undefined;
}

/** Reads the admin log. Each change adds its entry in its own transaction. */
export interface AdminLogStore {
  /** Oldest first. */
  listAdminLog(input: AdminLogInput): Promise<AdminLogEntry[]>;
}
