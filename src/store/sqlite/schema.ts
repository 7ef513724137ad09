import { sql } from "drizzle-orm";
import { blob, index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
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
import { teams } from "./member-schema.ts";

// Times are epoch milliseconds. Tokens and idempotency keys are here as SHA-256 only.

export * from "./member-schema.ts";

export const secrets = sqliteTable(
  "secrets",
  {
    seq: integer("seq").primaryKey(),
    id: text("id").notNull().unique(),
    teamId: text("team_id")
      .notNull()
      .references(() => teams.id),
    state: text("state").$type<SecretState>().notNull(),
    envelopeVersion: integer("envelope_version").$type<EnvelopeVersion>().notNull(),
    ciphertextBytes: integer("ciphertext_bytes").notNull(),
    ciphertextFormat: text("ciphertext_format").$type<CiphertextFormat>().notNull(),
    createdAt: integer("created_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
    maxClaims: integer("max_claims").notNull(),
    claims: integer("claims").notNull(),
    endedAt: integer("ended_at"),
    createdBy: text("created_by"),
    requestId: text("request_id"),
    // In no index: hashes are random, so every creation would write another page of it. See `claim-tokens.ts`.
    claimTokenHash: blob("claim_token_hash").$type<Uint8Array>().notNull(),
    // The latest possible time of the next change by time alone: the secret expires, or its ciphertext or tombstone is
    // erased.
    dueAt: integer("due_at").notNull(),
    // The last column, where a migration can add it. Senders from before aren't named.
    senderId: text("sender_id"),
    reference: text("reference"),
    addressees: text("addressees"),
    // Who has to approve claims, and who has asked for it: see `approvals.ts`. Null for most.
    approval: text("approval"),
  },
  (table) => [
    index("secrets_team_state").on(table.teamId, table.state, table.id),
    index("secrets_due").on(table.dueAt),
    index("secrets_creator")
      .on(table.createdBy, table.id)
      .where(sql`created_by IS NOT NULL`),
    // Most secrets belong to no request, and cost nothing here.
    index("secrets_request")
      .on(table.requestId)
      .where(sql`request_id IS NOT NULL`),
    // The same for secrets without a ticket.
    // Longer than "sender": somebody has asked.
    index("secrets_approval")
      .on(table.teamId, table.id)
      .where(sql`length(approval) > 6`),
    index("secrets_reference")
      .on(table.teamId, table.reference, table.id)
      .where(sql`reference IS NOT NULL`),
  ],
);

// Separate from the metadata, so that counting a claim doesn't rewrite megabytes. A row is deleted once its secret has
// ended and none of its claims can be replayed.
export const ciphertexts = sqliteTable("ciphertexts", {
  secretSeq: integer("secret_seq")
    .primaryKey()
    .references(() => secrets.seq),
  // Zeros before and after, see `ciphertext-pages.ts`. The order of these columns matters.
  guard: blob("guard").$type<Uint8Array>().notNull(),
  // Of a large secret, the id of its upload.
  ciphertext: text("ciphertext").notNull(),
  fill: blob("fill").$type<Uint8Array>().notNull(),
});

// Uploads of large secrets, whose bytes are in files. The row stays when a secret is made of it, until the ciphertext
// of that is erased.
export const uploads = sqliteTable(
  "uploads",
  {
    id: text("id").primaryKey(),
    teamId: text("team_id")
      .notNull()
      .references(() => teams.id),
    createdBy: text("created_by").notNull(),
    address: text("address"),
    proof: text("proof").$type<ProofWay>(),
    bytes: integer("bytes").notNull(),
    offset: integer("offset").notNull(),
    createdAt: integer("created_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
    secretId: text("secret_id"),
  },
  (table) => [index("uploads_team").on(table.teamId), index("uploads_secret").on(table.secretId)],
);

export const requests = sqliteTable(
  "requests",
  {
    seq: integer("seq").primaryKey(),
    id: text("id").notNull().unique(),
    teamId: text("team_id")
      .notNull()
      .references(() => teams.id),
    state: text("state").$type<RequestState>().notNull(),
    recipient: text("recipient").notNull(),
    createdAt: integer("created_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
    maxSubmissions: integer("max_submissions").notNull(),
    submissionCount: integer("submissions").notNull(),
    endedAt: integer("ended_at"),
    createdBy: text("created_by"),
    submitTokenHash: blob("submit_token_hash").$type<Uint8Array>().notNull(),
    // The next change by time alone: the request expires, or its tombstone is erased.
    dueAt: integer("due_at").notNull(),
    askerId: text("asker_id"),
    reference: text("reference"),
    addressees: text("addressees"),
  },
  (table) => [
    index("requests_team_state").on(table.teamId, table.state, table.id),
    index("requests_creator").on(table.createdBy, table.id),
    index("requests_submit_token").on(table.submitTokenHash),
    index("requests_due").on(table.dueAt),
    index("requests_reference")
      .on(table.teamId, table.reference, table.id)
      .where(sql`reference IS NOT NULL`),
  ],
);

// Like the ciphertexts of secrets, and for the same reason. A row is deleted once its request has ended.
export const requestNotes = sqliteTable("request_notes", {
  requestSeq: integer("request_seq")
    .primaryKey()
    .references(() => requests.seq),
  guard: blob("guard").$type<Uint8Array>().notNull(),
  ciphertext: text("ciphertext").notNull(),
  fill: blob("fill").$type<Uint8Array>().notNull(),
  // The last column, where a migration can add it. Notes from before all have the first version.
  envelopeVersion: integer("envelope_version").$type<Envelope["version"]>().notNull().default(1),
});

export const idempotentCalls = sqliteTable(
  "idempotent_calls",
  {
    digest: blob("digest").$type<Uint8Array>().primaryKey(),
    fingerprint: blob("fingerprint").$type<Uint8Array>().notNull(),
    teamId: text("team_id").notNull(),
    // What the call made or claimed: a secret, or a request.
    subjectId: text("subject_id").notNull(),
    expiresAt: integer("expires_at").notNull(),
    // For a claim: its number, its time, and until when it can be replayed. Null for a creation.
    claimNumber: integer("claim_number"),
    claimedAt: integer("claimed_at"),
    replayUntil: integer("replay_until"),
  },
  (table) => [
    index("idempotent_calls_subject").on(table.subjectId),
    index("idempotent_calls_expires").on(table.expiresAt),
  ],
);

export const events = sqliteTable(
  "events",
  {
    // In the order of their ids, whatever the team: the oldest are the first.
    seq: integer("seq").primaryKey(),
    id: text("id").notNull(),
    teamId: text("team_id").notNull(),
    type: text("type").$type<EventType>().notNull(),
    createdAt: integer("created_at").notNull(),
    secretId: text("secret_id"),
    requestId: text("request_id"),
    actorId: text("identity_id"),
    // A copy from the secret or the request, so that a reader of many events needn't look each one up. In no index.
    reference: text("reference"),
    // The secret, if the event is found by it and not by its time; null for most. See `secret-events.ts`.
    historyOf: text("history_of"),
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
    index("events_history")
      .on(table.historyOf)
      .where(sql`history_of IS NOT NULL`),
  ],
);

// The chain of hashes over the log, see `seals.ts` in domain/. Each seal has the hash of the former one and of the
// events since. The events of the oldest seal are deleted.
export const eventSeals = sqliteTable("event_seals", {
  id: integer("id").primaryKey(),
  // The place of the last event, its `seq`, and its time.
  lastPlace: integer("last_place").notNull(),
  endsAt: integer("ends_at").notNull(),
  // The hash and the number of the events of each team.
  parts: text("parts").notNull(),
  hash: blob("hash").$type<Uint8Array>().notNull(),
});

// One row: the latest time that the database has seen.
export const clocks = sqliteTable("clocks", {
  id: integer("id").primaryKey(),
  latestAt: integer("latest_at").notNull(),
});

// One row: the settings of the server that runs on this database, or ran on it last.
export const serverSettings = sqliteTable("server_settings", {
  id: integer("id").primaryKey(),
  teamQuotaBytes: integer("team_quota_bytes").notNull(),
  // The ends of keys up to this time were mailed to the contact; 0 for none.
  keyEndsUntil: integer("key_ends_until").notNull().default(0),
});

// One row: the id that distinguishes this database from every other, even from one restored from its backup. Its
// migration makes it.
export const installations = sqliteTable("installations", {
  id: integer("id").primaryKey(),
  publicId: text("public_id").notNull(),
});

// Changes by admin commands. Its migration's triggers forbid changing rows, and deleting any but the oldest.
export const adminLog = sqliteTable("admin_log", {
  id: integer("id").primaryKey(),
  at: integer("at").notNull(),
  user: text("user").notNull(),
  sudoUser: text("sudo_user"),
  action: text("action").$type<AdminAction>().notNull(),
  subjectId: text("subject_id"),
  subjectName: text("subject_name"),
  teamId: text("team_id"),
  teamName: text("team_name"),
  details: text("details", { mode: "json" }).$type<AdminDetails>().notNull(),
});

// The signing secrets are stored unhashed: the server needs them for every call.
export const webhooks = sqliteTable(
  "webhooks",
  {
    id: text("id").primaryKey(),
    teamId: text("team_id")
      .notNull()
      .references(() => teams.id),
    url: text("url").notNull(),
    format: text("format").$type<WebhookFormat>().notNull(),
    eventTypes: text("event_types", { mode: "json" }).$type<readonly EventType[]>(),
    allowHttp: integer("allow_http", { mode: "boolean" }).notNull(),
    secret: text("secret"),
    formerSecret: text("former_secret"),
    formerSecretUntil: integer("former_secret_until"),
    createdAt: integer("created_at").notNull(),
    pausedAt: integer("paused_at"),
    pausedBy: text("paused_by").$type<NonNullable<WebhookRecord["pausedBy"]>>(),
    revision: integer("revision").notNull().default(0),
    // Its position in its team's log, and the outcomes of the calls about the next event.
    lastEventId: text("last_event_id").notNull(),
    failures: integer("failures").notNull().default(0),
    rejections: integer("rejections").notNull().default(0),
    firstFailedAt: integer("first_failed_at"),
    nextTryAt: integer("next_try_at"),
  },
  (table) => [index("webhooks_team").on(table.teamId)],
);

// The last calls of each webhook, without what was sent or answered.
export const webhookDeliveries = sqliteTable(
  "webhook_deliveries",
  {
    id: integer("id").primaryKey(),
    webhookId: text("webhook_id").notNull(),
    eventId: text("event_id").notNull(),
    eventType: text("event_type").$type<EventType>().notNull(),
    at: integer("at").notNull(),
    durationMs: integer("duration_ms").notNull(),
    status: integer("status"),
    failure: text("failure").$type<NonNullable<WebhookDelivery["failure"]>>(),
    outcome: text("outcome").$type<WebhookDelivery["outcome"]>().notNull(),
    nextTryAt: integer("next_try_at"),
  },
  (table) => [index("webhook_deliveries_webhook").on(table.webhookId)],
);
