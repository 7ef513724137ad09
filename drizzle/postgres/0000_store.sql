CREATE TABLE "admin_log" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "admin_log_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"at" bigint NOT NULL,
	"user" text NOT NULL,
	"sudo_user" text,
	"action" text NOT NULL,
	"subject_id" text COLLATE "C",
	"subject_name" text,
	"team_id" text COLLATE "C",
	"team_name" text,
	"details" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "api_keys" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"identity_id" text COLLATE "C" NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"name" text,
	"hint" text NOT NULL,
	"created_at" bigint NOT NULL,
	"expires_at" bigint,
	"revoked_at" bigint,
	"last_used_at" bigint,
	"exposed_at" bigint,
	"successor_id" text COLLATE "C",
	CONSTRAINT "api_keys_token_hash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
CREATE TABLE "ciphertexts" (
	"secret_id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"ciphertext" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "clocks" (
	"id" integer PRIMARY KEY NOT NULL,
	"latest_at" bigint NOT NULL,
	"last_place" bigint NOT NULL,
	"erasures" bigint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "events" (
	"place" bigint PRIMARY KEY NOT NULL,
	"id" text COLLATE "C" NOT NULL,
	"kept_at" bigint NOT NULL,
	"team_id" text COLLATE "C" NOT NULL,
	"type" text NOT NULL,
	"created_at" bigint NOT NULL,
	"secret_id" text COLLATE "C",
	"request_id" text COLLATE "C",
	"actor_id" text COLLATE "C",
	"reference" text COLLATE "C"
);
--> statement-breakpoint
CREATE TABLE "halves" (
	"id" integer PRIMARY KEY NOT NULL,
	"filled" integer NOT NULL,
	"erasures" bigint NOT NULL,
	"erased_at" bigint,
	"former_erased_at" bigint
);
--> statement-breakpoint
CREATE TABLE "idempotent_calls" (
	"digest" "bytea" PRIMARY KEY NOT NULL,
	"fingerprint" "bytea" NOT NULL,
	"team_id" text COLLATE "C" NOT NULL,
	"subject_id" text COLLATE "C" NOT NULL,
	"expires_at" bigint NOT NULL,
	"claim_number" integer,
	"claimed_at" bigint,
	"replay_until" bigint
);
--> statement-breakpoint
CREATE TABLE "identities" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"team_id" text COLLATE "C" NOT NULL,
	"name" text NOT NULL,
	"kind" text NOT NULL,
	"scopes" jsonb NOT NULL,
	"created_at" bigint NOT NULL,
	"disabled_at" bigint,
	"person_name" text
);
--> statement-breakpoint
CREATE TABLE "installations" (
	"id" integer PRIMARY KEY NOT NULL,
	"public_id" text NOT NULL,
	"last_backup_at" bigint
);
--> statement-breakpoint
CREATE TABLE "person_tokens" (
	"token_hash" "bytea" PRIMARY KEY NOT NULL,
	"identity_id" text COLLATE "C" NOT NULL,
	"purpose" text NOT NULL,
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "request_notes" (
	"request_id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"envelope_version" integer NOT NULL,
	"ciphertext" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "requests" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"team_id" text COLLATE "C" NOT NULL,
	"state" text NOT NULL,
	"recipient" text NOT NULL,
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	"max_submissions" integer NOT NULL,
	"submission_count" integer NOT NULL,
	"ended_at" bigint,
	"created_by" text COLLATE "C",
	"asker_id" text COLLATE "C",
	"reference" text COLLATE "C",
	"submit_token_hash" "bytea" NOT NULL,
	"due_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "secrets" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"team_id" text COLLATE "C" NOT NULL,
	"state" text NOT NULL,
	"envelope_version" integer NOT NULL,
	"ciphertext_bytes" integer NOT NULL,
	"ciphertext_format" text NOT NULL,
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	"max_claims" integer NOT NULL,
	"claims" integer NOT NULL,
	"ended_at" bigint,
	"created_by" text COLLATE "C",
	"request_id" text COLLATE "C",
	"sender_id" text COLLATE "C",
	"reference" text COLLATE "C",
	"claim_token_hash" "bytea" NOT NULL,
	"due_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "server_settings" (
	"id" integer PRIMARY KEY NOT NULL,
	"team_quota_bytes" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "teams" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"created_at" bigint NOT NULL,
	"stored_bytes" bigint DEFAULT 0 NOT NULL,
	"quota_bytes" bigint,
	CONSTRAINT "teams_name_unique" UNIQUE("name")
);
--> statement-breakpoint
CREATE TABLE "webhook_deliveries" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "webhook_deliveries_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"webhook_id" text COLLATE "C" NOT NULL,
	"event_id" text COLLATE "C" NOT NULL,
	"event_type" text NOT NULL,
	"at" bigint NOT NULL,
	"duration_ms" integer NOT NULL,
	"status" integer,
	"failure" text,
	"outcome" text NOT NULL,
	"next_try_at" bigint
);
--> statement-breakpoint
CREATE TABLE "webhooks" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"team_id" text COLLATE "C" NOT NULL,
	"url" text NOT NULL,
	"format" text NOT NULL,
	"event_types" jsonb,
	"allow_http" boolean NOT NULL,
	"secret" text,
	"former_secret" text,
	"former_secret_until" bigint,
	"created_at" bigint NOT NULL,
	"paused_at" bigint,
	"paused_by" text,
	"revision" integer DEFAULT 0 NOT NULL,
	"last_event_id" text COLLATE "C" NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	"rejections" integer DEFAULT 0 NOT NULL,
	"first_failed_at" bigint,
	"next_try_at" bigint
);
--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_identity_id_identities_id_fk" FOREIGN KEY ("identity_id") REFERENCES "public"."identities"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identities" ADD CONSTRAINT "identities_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "person_tokens" ADD CONSTRAINT "person_tokens_identity_id_identities_id_fk" FOREIGN KEY ("identity_id") REFERENCES "public"."identities"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "requests" ADD CONSTRAINT "requests_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "secrets" ADD CONSTRAINT "secrets_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhooks" ADD CONSTRAINT "webhooks_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "api_keys_identity" ON "api_keys" USING btree ("identity_id");--> statement-breakpoint
CREATE UNIQUE INDEX "events_team" ON "events" USING btree ("team_id","id");--> statement-breakpoint
CREATE INDEX "events_secret" ON "events" USING btree ("secret_id","id") WHERE secret_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX "idempotent_calls_subject" ON "idempotent_calls" USING btree ("subject_id");--> statement-breakpoint
CREATE INDEX "idempotent_calls_expires" ON "idempotent_calls" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "identities_team_name" ON "identities" USING btree ("team_id","name");--> statement-breakpoint
CREATE INDEX "identities_name" ON "identities" USING btree ("name");--> statement-breakpoint
CREATE INDEX "person_tokens_identity" ON "person_tokens" USING btree ("identity_id");--> statement-breakpoint
CREATE INDEX "person_tokens_expires" ON "person_tokens" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "requests_team_state" ON "requests" USING btree ("team_id","state","id");--> statement-breakpoint
CREATE INDEX "requests_creator" ON "requests" USING btree ("created_by","id");--> statement-breakpoint
CREATE INDEX "requests_reference" ON "requests" USING btree ("team_id","reference","id") WHERE reference IS NOT NULL;--> statement-breakpoint
CREATE INDEX "requests_submit_token" ON "requests" USING hash ("submit_token_hash");--> statement-breakpoint
CREATE INDEX "requests_due" ON "requests" USING btree ("due_at");--> statement-breakpoint
CREATE INDEX "secrets_team_state" ON "secrets" USING btree ("team_id","state","id");--> statement-breakpoint
CREATE INDEX "secrets_due" ON "secrets" USING btree ("due_at");--> statement-breakpoint
CREATE INDEX "secrets_claim_token" ON "secrets" USING hash ("claim_token_hash");--> statement-breakpoint
CREATE INDEX "secrets_creator" ON "secrets" USING btree ("created_by","id") WHERE created_by IS NOT NULL;--> statement-breakpoint
CREATE INDEX "secrets_reference" ON "secrets" USING btree ("team_id","reference","id") WHERE reference IS NOT NULL;--> statement-breakpoint
CREATE INDEX "secrets_request" ON "secrets" USING btree ("request_id") WHERE request_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_webhook" ON "webhook_deliveries" USING btree ("webhook_id","id");--> statement-breakpoint
CREATE INDEX "webhooks_team" ON "webhooks" USING btree ("team_id");