import { sql } from "drizzle-orm";
import { blob, index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Scope } from "../../contract/scopes.ts";
import type { SessionWay } from "../../contract/states.ts";
import type { AttemptPurpose } from "../../domain/ports/attempts.ts";
import type { IdentityKind } from "../../domain/ports/identities.ts";
import type { LoginRecord } from "../../domain/ports/logins.ts";
import type { MailKind } from "../../domain/ports/mails.ts";
import type { TeamRules } from "../../domain/ports/teams.ts";

// Teams and who belongs to them, with their credentials. Times are epoch milliseconds; of tokens there is SHA-256 only.

export const teams = sqliteTable("teams", {
  id: text("id").primaryKey(),
  name: text("name").notNull().unique(),
  createdAt: integer("created_at").notNull(),
  storedBytes: integer("stored_bytes").notNull().default(0),
  // The team's own quota; null for the server's. The last column, where a migration can add it.
  quotaBytes: integer("quota_bytes"),
  // What its members must keep to; null for no rules.
  rules: text("rules", { mode: "json" }).$type<TeamRules>(),
});

export const identities = sqliteTable(
  "identities",
  {
    id: text("id").primaryKey(),
    teamId: text("team_id")
      .notNull()
      .references(() => teams.id),
    name: text("name").notNull(),
    // A person has no API keys, and signs in at the page.
    kind: text("kind").$type<IdentityKind>().notNull().default("automation"),
    scopes: text("scopes", { mode: "json" }).$type<Scope[]>().notNull(),
    createdAt: integer("created_at").notNull(),
    disabledAt: integer("disabled_at"),
    personName: text("person_name"),
  },
  (table) => [
    uniqueIndex("identities_team_name").on(table.teamId, table.name),
    index("identities_name").on(table.name),
    // Addresses that are typed, in whatever case.
    index("identities_lower_name").on(sql`lower(${table.name})`),
  ],
);

export const apiKeys = sqliteTable(
  "api_keys",
  {
    id: text("id").primaryKey(),
    identityId: text("identity_id")
      .notNull()
      .references(() => identities.id),
    tokenHash: blob("token_hash").$type<Uint8Array>().notNull().unique(),
    name: text("name"),
    hint: text("hint").notNull(),
    createdAt: integer("created_at").notNull(),
    expiresAt: integer("expires_at"),
    revokedAt: integer("revoked_at"),
    lastUsedAt: integer("last_used_at"),
    exposedAt: integer("exposed_at"),
    // The key that replaced it in a rotation.
    successorId: text("successor_id"),
    // The networks that it works from (CIDR), with a space between them; null for everywhere.
    networks: text("networks"),
  },
  (table) => [index("api_keys_identity").on(table.identityId)],
);

// The sign-in links of people. A row is deleted once it has been used, or is over.
export const signInLinks = sqliteTable(
  "human_tokens",
  {
    tokenHash: blob("token_hash").$type<Uint8Array>().primaryKey(),
    identityId: text("identity_id")
      .notNull()
      .references(() => identities.id),
    // From when sessions were here too.
    purpose: text("purpose").$type<"sign_in">().notNull(),
    createdAt: integer("created_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
  },
  (table) => [index("human_tokens_identity").on(table.identityId), index("human_tokens_expires").on(table.expiresAt)],
);

// The sessions of people, as their sign-in links. A row is deleted once its session has ended.
export const sessions = sqliteTable(
  "sessions",
  {
    id: text("id").primaryKey(),
    tokenHash: blob("token_hash").$type<Uint8Array>().notNull().unique(),
    identityId: text("identity_id")
      .notNull()
      .references(() => identities.id),
    way: text("way").$type<SessionWay>().notNull(),
    browser: text("browser"),
    system: text("system"),
    createdAt: integer("created_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
    lastUsedAt: integer("last_used_at").notNull(),
    // The session that let a terminal in, with which it ends; null for a browser's.
    parentId: text("parent_id"),
    // When its provider last confirmed the person, and the provider's name for its own session; null for other ways.
    confirmedAt: integer("confirmed_at"),
    providerSid: text("provider_sid"),
  },
  (table) => [
    index("sessions_identity").on(table.identityId),
    index("sessions_expires").on(table.expiresAt),
    index("sessions_parent")
      .on(table.parentId)
      .where(sql`parent_id IS NOT NULL`),
  ],
);

// The passkeys of people (WebAuthn Level 3). The public key is in COSE's form.
export const passkeys = sqliteTable(
  "passkeys",
  {
    id: text("id").primaryKey(),
    identityId: text("identity_id")
      .notNull()
      .references(() => identities.id),
    credentialId: text("credential_id").notNull().unique(),
    publicKey: blob("public_key").$type<Uint8Array>().notNull(),
    counter: integer("counter").notNull(),
    transports: text("transports", { mode: "json" }).$type<readonly string[]>().notNull(),
    browser: text("browser"),
    system: text("system"),
    createdAt: integer("created_at").notNull(),
    lastUsedAt: integer("last_used_at"),
  },
  (table) => [index("passkeys_identity").on(table.identityId)],
);

// Sign-ins and registrations of passkeys that have begun. A row is deleted once its browser has come back, or later.
export const attempts = sqliteTable(
  "attempts",
  {
    tokenHash: blob("token_hash").$type<Uint8Array>().primaryKey(),
    purpose: text("purpose").$type<AttemptPurpose>().notNull(),
    challenge: text("challenge").notNull(),
    expiresAt: integer("expires_at").notNull(),
    // Of codes: where the mail goes, and how many wrong ones were typed.
    address: text("address"),
    // Of proofs: the secret or the request.
    subjectId: text("subject_id"),
    tries: integer("tries").notNull().default(0),
  },
  (table) => [index("attempts_expires").on(table.expiresAt)],
);

// The accounts of people at a provider of single sign-on. A person has one at most.
export const providerAccounts = sqliteTable(
  "provider_accounts",
  {
    identityId: text("identity_id")
      .primaryKey()
      .references(() => identities.id),
    issuer: text("issuer").notNull(),
    subject: text("subject").notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [uniqueIndex("provider_accounts_subject").on(table.issuer, table.subject)],
);

// Mails that are to be sent. A row is deleted once its mail was sent or given up.
export const mails = sqliteTable(
  "mails",
  {
    id: text("id").primaryKey(),
    kind: text("kind").$type<MailKind>().notNull(),
    address: text("address").notNull(),
    // BCP 47.
    language: text("language").notNull(),
    // What the kind of mail needs.
    data: text("data", { mode: "json" }).$type<Readonly<Record<string, string>>>().notNull(),
    createdAt: integer("created_at").notNull(),
    // When it is tried next, and when it is given up.
    nextAt: integer("next_at").notNull(),
    endsAt: integer("ends_at").notNull(),
    tries: integer("tries").notNull().default(0),
  },
  (table) => [index("mails_next").on(table.nextAt)],
);

// The mails that people want, and what gathers those that come fast. Without a row, a person wants none.
export const noticeSwitches = sqliteTable("notice_switches", {
  identityId: text("identity_id")
    .primaryKey()
    .references(() => identities.id),
  opened: integer("opened", { mode: "boolean" }).notNull(),
  ending: integer("ending", { mode: "boolean" }).notNull(),
  handedIn: integer("handed_in", { mode: "boolean" }).notNull(),
  asked: integer("asked", { mode: "boolean" }).notNull().default(false),
  // BCP 47, and a name of the time zone database.
  language: text("language").notNull(),
  timeZone: text("time_zone").notNull(),
  // What the addresses that switch such mails off are derived from. Renewed when one is switched on.
  offSeed: text("off_seed").notNull(),
  // The beginning of the last minute with mails, and their number in it.
  burstAt: integer("burst_at").notNull(),
  burstCount: integer("burst_count").notNull(),
});

// How far a team with such people was read: its events, and the ends of its secrets.
export const noticePlaces = sqliteTable("notice_places", {
  teamId: text("team_id")
    .primaryKey()
    .references(() => teams.id),
  lastEventId: text("last_event_id").notNull(),
  endsUntil: integer("ends_until").notNull(),
});

// Terminals that wait for a person to let them in (RFC 8628). A row is deleted once its terminal knows, or it is over.
export const logins = sqliteTable(
  "logins",
  {
    deviceHash: blob("device_hash").$type<Uint8Array>().primaryKey(),
    userCode: text("user_code").notNull().unique(),
    machine: text("machine").notNull(),
    address: text("address"),
    state: text("state").$type<LoginRecord["state"]>().notNull(),
    sessionId: text("session_id"),
    createdAt: integer("created_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
  },
  (table) => [index("logins_expires").on(table.expiresAt)],
);
