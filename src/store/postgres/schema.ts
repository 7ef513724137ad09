import { sql } from "drizzle-orm";
import { bigint, boolean, customType, index, integer, jsonb, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import type { Envelope } from "../../contract/envelopes.ts";
import type { Scope } from "../../contract/scopes.ts";
import type { CiphertextFormat, EventType, RequestState, SecretState } from "../../contract/states.ts";
import type { AdminAction, AdminDetails } from "../../domain/ports/admin-log.ts";
import type { IdentityKind } from "../../domain/ports/identities.ts";
import type { PersonTokenPurpose } from "../../domain/ports/persons.ts";
import type { WebhookDelivery, WebhookFormat, WebhookRecord } from "../../domain/ports/webhooks.ts";

// Times are epoch milliseconds. Tokens and idempotency keys are here as SHA-256 only.

/** An id: in the order of its bytes, whatever the language of the database. */
const id = customType<{ data: string }>({ dataType: () => 'text COLLATE "C"' });
const bytes = customType<{ data: Uint8Array }>({ dataType: () => "bytea" });
const number = (name: string) => bigint(name, { mode: "number" });

export const teams = pgTable("teams", {
  id: id("id").primaryKey(),
  name: text("name").notNull().unique(),
  createdAt: number("created_at").notNull(),
  storedBytes: number("stored_bytes").notNull().default(0),
  // The team's own quota; null where that of the server counts.
  quotaBytes: number("quota_bytes"),
});

export const identities = pgTable(
  "identities",
  {
    id: id("id").primaryKey(),
    teamId: id("team_id")
      .notNull()
      .references(() => teams.id),
    name: text("name").notNull(),
    // A person has no API keys, and signs in at the page.
    kind: text("kind").$type<IdentityKind>().notNull(),
    scopes: jsonb("scopes").$type<readonly Scope[]>().notNull(),
    createdAt: number("created_at").notNull(),
    disabledAt: number("disabled_at"),
    personName: text("person_name"),
  },
  (table) => [
    uniqueIndex("identities_team_name").on(table.teamId, table.name),
    index("identities_name").on(table.name),
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
    // The key that a rotation put in its place.
    successorId: id("successor_id"),
  },
  (table) => [index("api_keys_identity").on(table.identityId)],
);

export const secrets = pgTable(
  "secrets",
  {
    id: id("id").primaryKey(),
    teamId: id("team_id")
      .notNull()
      .references(() => teams.id),
    state: text("state").$type<SecretState>().notNull(),
    envelopeVersion: integer("envelope_version").$type<Envelope["version"]>().notNull(),
    ciphertextBytes: integer("ciphertext_bytes").notNull(),
    ciphertextFormat: text("ciphertext_format").$type<CiphertextFormat>().notNull(),
    createdAt: number("created_at").notNull(),
    expiresAt: number("expires_at").notNull(),
    maxClaims: integer("max_claims").notNull(),
    claims: integer("claims").notNull(),
    endedAt: number("ended_at"),
    createdBy: id("created_by"),
    requestId: id("request_id"),
    senderId: id("sender_id"),
    reference: id("reference"),
    claimTokenHash: bytes("claim_token_hash").notNull(),
    // No later than time alone changes something: the secret expires, its ciphertext or its tombstone is to be erased.
    dueAt: number("due_at").notNull(),
  },
  (table) => [
    index("secrets_team_state").on(table.teamId, table.state, table.id),
    index("secrets_due").on(table.dueAt),
    index("secrets_claim_token").using("hash", table.claimTokenHash),
    index("secrets_creator")
      .on(table.createdBy, table.id)
      .where(sql`created_by IS NOT NULL`),
    index("secrets_reference")
      .on(table.teamId, table.reference, table.id)
      .where(sql`reference IS NOT NULL`),
    // Most secrets belong to no request, and pay nothing for this.
    index("secrets_request")
      .on(table.requestId)
      .where(sql`request_id IS NOT NULL`),
  ],
);

// Apart from the metadata, so that counting a claim does not rewrite megabytes, and so that this table alone has to be
// rewritten for what was erased to be gone: its migration makes it of two halves. A row is gone once its secret has ended and no
// claim of it can be replayed.
export const ciphertexts = pgTable("ciphertexts", {
  secretId: id("secret_id").primaryKey(),
  ciphertext: text("ciphertext").notNull(),
});

// Sign-in links and sessions of people; the token is here as SHA-256 only. A row is gone once it has been used or is over.
export const personTokens = pgTable(
  "person_tokens",
  {
    tokenHash: bytes("token_hash").primaryKey(),
    identityId: id("identity_id")
      .notNull()
      .references(() => identities.id),
    purpose: text("purpose").$type<PersonTokenPurpose>().notNull(),
    createdAt: number("created_at").notNull(),
    expiresAt: number("expires_at").notNull(),
  },
  (table) => [index("person_tokens_identity").on(table.identityId), index("person_tokens_expires").on(table.expiresAt)],
);

export const requests = pgTable(
  "requests",
  {
    id: id("id").primaryKey(),
    teamId: id("team_id")
      .notNull()
      .references(() => teams.id),
    state: text("state").$type<RequestState>().notNull(),
    recipient: text("recipient").notNull(),
    createdAt: number("created_at").notNull(),
    expiresAt: number("expires_at").notNull(),
    maxSubmissions: integer("max_submissions").notNull(),
    submissionCount: integer("submission_count").notNull(),
    endedAt: number("ended_at"),
    createdBy: id("created_by"),
    askerId: id("asker_id"),
    reference: id("reference"),
    submitTokenHash: bytes("submit_token_hash").notNull(),
    // When time alone changes something: the request expires, or its tombstone is to be erased.
    dueAt: number("due_at").notNull(),
  },
  (table) => [
    index("requests_team_state").on(table.teamId, table.state, table.id),
    index("requests_creator").on(table.createdBy, table.id),
    index("requests_reference")
      .on(table.teamId, table.reference, table.id)
      .where(sql`reference IS NOT NULL`),
    index("requests_submit_token").using("hash", table.submitTokenHash),
    index("requests_due").on(table.dueAt),
  ],
);

// As the ciphertexts of secrets, and for the same reasons. A row is gone once its request has ended.
export const requestNotes = pgTable("request_notes", {
  requestId: id("request_id").primaryKey(),
  envelopeVersion: integer("envelope_version").$type<Envelope["version"]>().notNull(),
  ciphertext: text("ciphertext").notNull(),
});

export const idempotentCalls = pgTable(
  "idempotent_calls",
  {
    digest: bytes("digest").primaryKey(),
    fingerprint: bytes("fingerprint").notNull(),
    teamId: id("team_id").notNull(),
    // What the call made or claimed: a secret, or a request.
    subjectId: id("subject_id").notNull(),
    expiresAt: number("expires_at").notNull(),
    // For a claim: which one it was, when, and until when it may be replayed. Null for a creation.
    claimNumber: integer("claim_number"),
    claimedAt: number("claimed_at"),
    replayUntil: number("replay_until"),
  },
  (table) => [
    index("idempotent_calls_subject").on(table.subjectId),
    index("idempotent_calls_expires").on(table.expiresAt),
  ],
);

export const events = pgTable(
  "events",
  {
    // One order for all processes: that of the commits. Ids are made from it.
    place: number("place").primaryKey(),
    id: id("id").notNull(),
    // The time of the commit, by which an event is forgotten.
    keptAt: number("kept_at").notNull(),
    teamId: id("team_id").notNull(),
    type: text("type").$type<EventType>().notNull(),
    createdAt: number("created_at").notNull(),
    secretId: id("secret_id"),
    requestId: id("request_id"),
    actorId: id("actor_id"),
    reference: id("reference"),
  },
  (table) => [
    uniqueIndex("events_team").on(table.teamId, table.id),
    index("events_secret")
      .on(table.secretId, table.id)
      .where(sql`secret_id IS NOT NULL`),
  ],
);

// One row, which every transaction that changes something updates last: the latest time that the database has seen, and the place
// of the latest event. Whoever holds it commits next.
export const clocks = pgTable("clocks", {
  id: integer("id").primaryKey(),
  latestAt: number("latest_at").notNull(),
  lastPlace: number("last_place").notNull(),
  // The number of ciphertexts and notes that were ever erased.
  erasures: number("erasures").notNull().default(0),
});

// One row: the halves of the tables with ciphertexts that new rows go to, and the number of erasures of which nothing is left once the
// others are empty files.
export const halves = pgTable("halves", {
  id: integer("id").primaryKey(),
  filled: integer("filled").$type<0 | 1>().notNull(),
  erasures: number("erasures").notNull(),
  // The time of the first erasure in the halves that new rows go to, and of the first one in the others when these were filled.
  erasedAt: number("erased_at"),
  formerErasedAt: number("former_erased_at"),
});

// One row: what the server goes by that runs on this database, or that ran on it last.
export const serverSettings = pgTable("server_settings", {
  id: integer("id").primaryKey(),
  teamQuotaBytes: number("team_quota_bytes").notNull(),
});

// One row: what tells this database from every other. Its migration makes it.
export const installations = pgTable("installations", {
  id: integer("id").primaryKey(),
  publicId: text("public_id").notNull(),
  // The time of the last backup by `admin backup`.
  lastBackupAt: number("last_backup_at"),
});

// What admin commands changed. Triggers of its migration let nothing be changed in it, and nothing be deleted but the oldest.
export const adminLog = pgTable("admin_log", {
  id: number("id").primaryKey().generatedAlwaysAsIdentity(),
  at: number("at").notNull(),
  user: text("user").notNull(),
  sudoUser: text("sudo_user"),
  action: text("action").$type<AdminAction>().notNull(),
  subjectId: id("subject_id"),
  subjectName: text("subject_name"),
  teamId: id("team_id"),
  teamName: text("team_name"),
  details: jsonb("details").$type<AdminDetails>().notNull(),
});

// The secrets that sign are here as they are: the server needs them for every call.
export const webhooks = pgTable(
  "webhooks",
  {
    id: id("id").primaryKey(),
    teamId: id("team_id")
      .notNull()
      .references(() => teams.id),
    url: text("url").notNull(),
    format: text("format").$type<WebhookFormat>().notNull(),
    eventTypes: jsonb("event_types").$type<readonly EventType[]>(),
    allowHttp: boolean("allow_http").notNull(),
    secret: text("secret"),
    formerSecret: text("former_secret"),
    formerSecretUntil: number("former_secret_until"),
    createdAt: number("created_at").notNull(),
    pausedAt: number("paused_at"),
    pausedBy: text("paused_by").$type<NonNullable<WebhookRecord["pausedBy"]>>(),
    revision: integer("revision").notNull().default(0),
    // Its place in the log of its team, and how the calls about the next event went.
    lastEventId: id("last_event_id").notNull(),
    failures: integer("failures").notNull().default(0),
    rejections: integer("rejections").notNull().default(0),
    firstFailedAt: number("first_failed_at"),
    nextTryAt: number("next_try_at"),
  },
  (table) => [index("webhooks_team").on(table.teamId)],
);

// The last calls of each webhook. Neither what was sent nor what was answered.
export const webhookDeliveries = pgTable(
  "webhook_deliveries",
  {
    id: number("id").primaryKey().generatedAlwaysAsIdentity(),
    webhookId: id("webhook_id").notNull(),
    eventId: id("event_id").notNull(),
    eventType: text("event_type").$type<EventType>().notNull(),
    at: number("at").notNull(),
    durationMs: integer("duration_ms").notNull(),
    status: integer("status"),
    failure: text("failure").$type<NonNullable<WebhookDelivery["failure"]>>(),
    outcome: text("outcome").$type<WebhookDelivery["outcome"]>().notNull(),
    nextTryAt: number("next_try_at"),
  },
  (table) => [index("webhook_deliveries_webhook").on(table.webhookId, table.id)],
);
