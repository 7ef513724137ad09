import { sql } from "drizzle-orm";
import { boolean, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex } from "drizzle-orm/pg-core";
import type { Envelope } from "../../contract/envelopes.ts";
import type {
  CiphertextFormat,
  EnvelopeVersion,
  EventType,
  ProofWay,
  RequestState,
  SecretState,
} from "../../contract/states.ts";
import type { AdminAction, AdminDetails } from "../../domain/ports/admin-log.ts";
import type { WebhookDelivery, WebhookFormat, WebhookRecord } from "../../domain/ports/webhooks.ts";
import { bytes, id, number } from "./columns.ts";
import { teams } from "./member-schema.ts";

// Times are epoch milliseconds. Tokens and idempotency keys are stored as SHA-256 only.

export * from "./member-schema.ts";

export const secrets = pgTable(
  "secrets",
  {
    id: id("id").primaryKey(),
    teamId: id("team_id")
      .notNull()
      .references(() => teams.id),
    state: text("state").$type<SecretState>().notNull(),
    envelopeVersion: integer("envelope_version").$type<EnvelopeVersion>().notNull(),
    ciphertextBytes: number("ciphertext_bytes").notNull(),
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
    addressees: text("addressees"),
    // Who has to approve claims, and who has asked for it: see `approvals.ts`. Null for most.
    approval: text("approval"),
    claimTokenHash: bytes("claim_token_hash").notNull(),
    // The sweeper looks at the row at this time or earlier than something is due: its expiry, or erasing its ciphertext
    // or tombstone.
    dueAt: number("due_at").notNull(),
  },
  (table) => [
    index("secrets_team_state").on(table.teamId, table.state, table.id),
    index("secrets_due").on(table.dueAt),
    index("secrets_claim_token").using("hash", table.claimTokenHash),
    index("secrets_creator")
      .on(table.createdBy, table.id)
      .where(sql`created_by IS NOT NULL`),
    // Longer than "sender": somebody has asked.
    index("secrets_approval")
      .on(table.teamId, table.id)
      .where(sql`length(approval) > 6`),
    index("secrets_reference")
      .on(table.teamId, table.reference, table.id)
      .where(sql`reference IS NOT NULL`),
    // Partial, because most secrets belong to no request.
    index("secrets_request")
      .on(table.requestId)
      .where(sql`request_id IS NOT NULL`),
  ],
);

// Apart from the metadata, so that counting a claim doesn't rewrite megabytes, and so that only this table has to be
// rewritten to remove erased ciphertexts from the disk. Its migration splits it into two halves. A row is deleted once
// its secret has ended and no claim of it can be replayed.
export const ciphertexts = pgTable("ciphertexts", {
  secretId: id("secret_id").primaryKey(),
  ciphertext: text("ciphertext").notNull(),
});

// Uploads of large secrets, whose bytes are in an object store. The row stays when a secret is made of it, until the
// ciphertext of that is erased.
export const uploads = pgTable(
  "uploads",
  {
    id: id("id").primaryKey(),
    teamId: id("team_id")
      .notNull()
      .references(() => teams.id),
    createdBy: id("created_by").notNull(),
    address: text("address"),
    proof: text("proof").$type<ProofWay>(),
    bytes: number("bytes").notNull(),
    offset: number("offset").notNull(),
    createdAt: number("created_at").notNull(),
    expiresAt: number("expires_at").notNull(),
    secretId: id("secret_id"),
  },
  (table) => [index("uploads_team").on(table.teamId), index("uploads_secret").on(table.secretId)],
);

// The objects that count, each with the offset of its first byte. They are as long together as the offset of the
// upload.
export const uploadParts = pgTable(
  "upload_parts",
  {
    uploadId: id("upload_id")
      .notNull()
      .references(() => uploads.id, { onDelete: "cascade" }),
    start: number("start").notNull(),
    bytes: integer("bytes").notNull(),
    key: text("key").notNull(),
  },
  (table) => [primaryKey({ columns: [table.uploadId, table.start] })],
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
    addressees: text("addressees"),
    submitTokenHash: bytes("submit_token_hash").notNull(),
    // The time of the next change without a call: the request expires, or its tombstone is erased.
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

// Split as `ciphertexts` is, for the same reasons. A row is deleted once its request has ended.
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
    // The secret or request that the call created, or the secret that it claimed.
    subjectId: id("subject_id").notNull(),
    expiresAt: number("expires_at").notNull(),
    // For a claim: its number, its time, and the end of its replay window. Null for a creation.
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
    // The order of commits, the same for all processes. IDs are derived from it.
    place: number("place").primaryKey(),
    id: id("id").notNull(),
    // The time of the commit.
    keptAt: number("kept_at").notNull(),
    teamId: id("team_id").notNull(),
    type: text("type").$type<EventType>().notNull(),
    createdAt: number("created_at").notNull(),
    secretId: id("secret_id"),
    requestId: id("request_id"),
    actorId: id("actor_id"),
    reference: id("reference"),
    // The proven address of an actor who has no account.
    address: text("address"),
    // The id and the three words of the ask for approval, with spaces between them; null for most.
    ask: text("ask"),
    // How the address was proven; null for most.
    proof: text("proof").$type<ProofWay>(),
    // The client's address, where the server logs addresses.
    network: text("network"),
  },
  (table) => [
    uniqueIndex("events_team").on(table.teamId, table.id),
    index("events_secret")
      .on(table.secretId, table.id)
      .where(sql`secret_id IS NOT NULL`),
  ],
);

// The chain of hashes over the log, see `seals.ts` in domain/. Each seal has the hash of the former one and of the
// events since. The events of the oldest seal are deleted.
export const eventSeals = pgTable("event_seals", {
  id: number("id").primaryKey(),
  // The place of the last event, and its time.
  lastPlace: number("last_place").notNull(),
  endsAt: number("ends_at").notNull(),
  // The hash and the number of the events of each team.
  parts: text("parts").notNull(),
  hash: bytes("hash").notNull(),
});

// One row, which every changing transaction updates last: the latest time that the database has seen, and the place of
// the latest event. The transaction that locks it commits next.
export const clocks = pgTable("clocks", {
  id: integer("id").primaryKey(),
  latestAt: number("latest_at").notNull(),
  lastPlace: number("last_place").notNull(),
  // The number of ciphertexts and notes that were ever erased.
  erasures: number("erasures").notNull().default(0),
});

// One row: the halves that new rows go to, and the number of erasures whose data is gone from disk once the other
// halves are empty files.
export const halves = pgTable("halves", {
  id: integer("id").primaryKey(),
  filled: integer("filled").$type<0 | 1>().notNull(),
  erasures: number("erasures").notNull(),
  // The time of the first erasure in the filled halves, and in the other halves before the last turn.
  erasedAt: number("erased_at"),
  formerErasedAt: number("former_erased_at"),
});

// One row: settings of the server that runs on this database, or ran on it last.
export const serverSettings = pgTable("server_settings", {
  id: integer("id").primaryKey(),
  teamQuotaBytes: number("team_quota_bytes").notNull(),
  // The ends of keys up to this time were mailed to the contact; 0 for none.
  keyEndsUntil: number("key_ends_until").notNull().default(0),
});

// One row: the identity of this database. Its migration creates it.
export const installations = pgTable("installations", {
  id: integer("id").primaryKey(),
  publicId: text("public_id").notNull(),
  // The time of the last backup by `admin backup`.
  lastBackupAt: number("last_backup_at"),
});

// The audit log of admin commands. Triggers in its migration prevent updates, and deletes of any but the oldest
// entries.
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

// Signing secrets are stored in plain text: the server needs them for every delivery.
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
    // Its position in the log of its team, and the failed deliveries of the next event.
    lastEventId: id("last_event_id").notNull(),
    failures: integer("failures").notNull().default(0),
    rejections: integer("rejections").notNull().default(0),
    firstFailedAt: number("first_failed_at"),
    nextTryAt: number("next_try_at"),
  },
  (table) => [index("webhooks_team").on(table.teamId)],
);

// The latest deliveries of each webhook, without request and response bodies.
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
