import { sql } from "drizzle-orm";
import { boolean, index, jsonb, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import type { Scope } from "../../contract/scopes.ts";
import type { SessionWay } from "../../contract/states.ts";
import type { AttemptPurpose } from "../../domain/ports/attempts.ts";
import type { IdentityKind } from "../../domain/ports/identities.ts";
import type { LoginRecord } from "../../domain/ports/logins.ts";
import type { MailKind } from "../../domain/ports/mails.ts";
import type { TeamRules } from "../../domain/ports/teams.ts";
import { bytes, id, number } from "./columns.ts";

// Teams and who belongs to them, with their credentials. Times are epoch milliseconds; of tokens there is SHA-256 only.

export const teams = pgTable("teams", {
  id: id("id").primaryKey(),
  name: text("name").notNull().unique(),
  createdAt: number("created_at").notNull(),
  storedBytes: number("stored_bytes").notNull().default(0),
  // The team's own quota; null where the server's applies.
  quotaBytes: number("quota_bytes"),
  // What its members must keep to; null for no rules.
  rules: jsonb("rules").$type<TeamRules>(),
});

export const identities = pgTable(
  "identities",
  {
    id: id("id").primaryKey(),
    teamId: id("team_id")
      .notNull()
      .references(() => teams.id),
    name: text("name").notNull(),
    // A person has no API keys, and signs in on the page.
    kind: text("kind").$type<IdentityKind>().notNull(),
    scopes: jsonb("scopes").$type<readonly Scope[]>().notNull(),
    createdAt: number("created_at").notNull(),
    disabledAt: number("disabled_at"),
    personName: text("person_name"),
  },
  (table) => [
    uniqueIndex("identities_team_name").on(table.teamId, table.name),
    index("identities_name").on(table.name),
    // Addresses that are typed, in whatever case.
    index("identities_lower_name").on(sql`lower(${table.name})`),
  ],
);

export const apiKeys = pgTable(
  "api_keys",
  {
    id: id("id").primaryKey(),
    identityId: id("identity_id")
      .notNull()
      .references(() => identities.id),
    tokenHash: bytes("token_hash").notNull().unique(),
    name: text("name"),
    hint: text("hint").notNull(),
    createdAt: number("created_at").notNull(),
    expiresAt: number("expires_at"),
    revokedAt: number("revoked_at"),
    lastUsedAt: number("last_used_at"),
    exposedAt: number("exposed_at"),
    // The key that replaced this one in a rotation.
    successorId: id("successor_id"),
    // The networks that it works from (CIDR), with a space between them; null for everywhere.
    networks: text("networks"),
  },
  (table) => [index("api_keys_identity").on(table.identityId)],
);

// The sign-in links of people; the token is stored as SHA-256 only. A row is deleted once it was used or is over.
export const signInLinks = pgTable(
  "person_tokens",
  {
    tokenHash: bytes("token_hash").primaryKey(),
    identityId: id("identity_id")
      .notNull()
      .references(() => identities.id),
    // From when sessions were here too.
    purpose: text("purpose").$type<"sign_in">().notNull(),
    createdAt: number("created_at").notNull(),
    expiresAt: number("expires_at").notNull(),
  },
  (table) => [index("person_tokens_identity").on(table.identityId), index("person_tokens_expires").on(table.expiresAt)],
);

// The sessions of people, as their sign-in links. A row is deleted once its session has ended.
export const sessions = pgTable(
  "sessions",
  {
    id: id("id").primaryKey(),
    tokenHash: bytes("token_hash").notNull().unique(),
    identityId: id("identity_id")
      .notNull()
      .references(() => identities.id),
    way: text("way").$type<SessionWay>().notNull(),
    browser: text("browser"),
    system: text("system"),
    createdAt: number("created_at").notNull(),
    expiresAt: number("expires_at").notNull(),
    lastUsedAt: number("last_used_at").notNull(),
    // The session that let a terminal in, with which it ends; null for a browser's.
    parentId: id("parent_id"),
    // When its provider last confirmed the person, and the provider's name for its own session; null for other ways.
    confirmedAt: number("confirmed_at"),
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
export const passkeys = pgTable(
  "passkeys",
  {
    id: id("id").primaryKey(),
    identityId: id("identity_id")
      .notNull()
      .references(() => identities.id),
    credentialId: text("credential_id").notNull().unique(),
    publicKey: bytes("public_key").notNull(),
    counter: number("counter").notNull(),
    transports: jsonb("transports").$type<readonly string[]>().notNull(),
    browser: text("browser"),
    system: text("system"),
    createdAt: number("created_at").notNull(),
    lastUsedAt: number("last_used_at"),
  },
  (table) => [index("passkeys_identity").on(table.identityId)],
);

// Sign-ins and registrations of passkeys that have begun. A row is deleted once its browser has come back, or later.
export const attempts = pgTable(
  "attempts",
  {
    tokenHash: bytes("token_hash").primaryKey(),
    purpose: text("purpose").$type<AttemptPurpose>().notNull(),
    challenge: text("challenge").notNull(),
    expiresAt: number("expires_at").notNull(),
    // Of codes: where the mail goes, and how many wrong ones were typed.
    address: text("address"),
    // Of proofs: the secret or the request.
    subjectId: id("subject_id"),
    tries: number("tries").notNull().default(0),
  },
  (table) => [index("attempts_expires").on(table.expiresAt)],
);

// The accounts of people at a provider of single sign-on. A person has one at most.
export const providerAccounts = pgTable(
  "provider_accounts",
  {
    identityId: id("identity_id")
      .primaryKey()
      .references(() => identities.id),
    issuer: text("issuer").notNull(),
    subject: text("subject").notNull(),
    createdAt: number("created_at").notNull(),
  },
  (table) => [uniqueIndex("provider_accounts_subject").on(table.issuer, table.subject)],
);

// Mails that are to be sent. A row is deleted once its mail was sent or given up.
export const mails = pgTable(
  "mails",
  {
    id: id("id").primaryKey(),
    kind: text("kind").$type<MailKind>().notNull(),
    address: text("address").notNull(),
    // BCP 47.
    language: text("language").notNull(),
    // What the kind of mail needs.
    data: jsonb("data").$type<Readonly<Record<string, string>>>().notNull(),
    createdAt: number("created_at").notNull(),
    // When it is tried next, and when it is given up.
    nextAt: number("next_at").notNull(),
    endsAt: number("ends_at").notNull(),
    tries: number("tries").notNull().default(0),
  },
  (table) => [index("mails_next").on(table.nextAt)],
);

// The mails that people want, and what gathers those that come fast. Without a row, a person wants none.
export const noticeSwitches = pgTable("notice_switches", {
  identityId: id("identity_id")
    .primaryKey()
    .references(() => identities.id),
  opened: boolean("opened").notNull(),
  ending: boolean("ending").notNull(),
  handedIn: boolean("handed_in").notNull(),
  asked: boolean("asked").notNull().default(false),
  // BCP 47, and a name of the time zone database.
  language: text("language").notNull(),
  timeZone: text("time_zone").notNull(),
  // What the addresses that switch such mails off are derived from. Renewed when one is switched on.
  offSeed: text("off_seed").notNull(),
  // The beginning of the last minute with mails, and their number in it.
  burstAt: number("burst_at").notNull(),
  burstCount: number("burst_count").notNull(),
});

// How far a team with such people was read: its events, and the ends of its secrets.
export const noticePlaces = pgTable("notice_places", {
  teamId: id("team_id")
    .primaryKey()
    .references(() => teams.id),
  lastEventId: id("last_event_id").notNull(),
  endsUntil: number("ends_until").notNull(),
});

// Terminals that wait for a person to let them in (RFC 8628). A row is deleted once its terminal knows, or it is over.
export const logins = pgTable(
  "logins",
  {
    deviceHash: bytes("device_hash").primaryKey(),
    userCode: text("user_code").notNull().unique(),
    machine: text("machine").notNull(),
    address: text("address"),
    state: text("state").$type<LoginRecord["state"]>().notNull(),
    sessionId: id("session_id"),
    createdAt: number("created_at").notNull(),
    expiresAt: number("expires_at").notNull(),
  },
  (table) => [index("logins_expires").on(table.expiresAt)],
);
