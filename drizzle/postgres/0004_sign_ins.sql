CREATE TABLE "attempts" (
	"token_hash" "bytea" PRIMARY KEY NOT NULL,
	"purpose" text NOT NULL,
	"challenge" text NOT NULL,
	"expires_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "logins" (
	"device_hash" "bytea" PRIMARY KEY NOT NULL,
	"user_code" text NOT NULL,
	"machine" text NOT NULL,
	"address" text,
	"state" text NOT NULL,
	"session_id" text COLLATE "C",
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	CONSTRAINT "logins_user_code_unique" UNIQUE("user_code")
);
--> statement-breakpoint
CREATE TABLE "passkeys" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"identity_id" text COLLATE "C" NOT NULL,
	"credential_id" text NOT NULL,
	"public_key" "bytea" NOT NULL,
	"counter" bigint NOT NULL,
	"transports" jsonb NOT NULL,
	"browser" text,
	"system" text,
	"created_at" bigint NOT NULL,
	"last_used_at" bigint,
	CONSTRAINT "passkeys_credential_id_unique" UNIQUE("credential_id")
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"identity_id" text COLLATE "C" NOT NULL,
	"way" text NOT NULL,
	"browser" text,
	"system" text,
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	"last_used_at" bigint NOT NULL,
	"parent_id" text COLLATE "C",
	CONSTRAINT "sessions_token_hash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
ALTER TABLE "passkeys" ADD CONSTRAINT "passkeys_identity_id_identities_id_fk" FOREIGN KEY ("identity_id") REFERENCES "public"."identities"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_identity_id_identities_id_fk" FOREIGN KEY ("identity_id") REFERENCES "public"."identities"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "attempts_expires" ON "attempts" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "logins_expires" ON "logins" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "passkeys_identity" ON "passkeys" USING btree ("identity_id");--> statement-breakpoint
CREATE INDEX "sessions_identity" ON "sessions" USING btree ("identity_id");--> statement-breakpoint
CREATE INDEX "sessions_expires" ON "sessions" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "sessions_parent" ON "sessions" USING btree ("parent_id") WHERE parent_id IS NOT NULL;--> statement-breakpoint
ALTER TABLE "sessions" ALTER COLUMN "token_hash" TYPE bytea, ALTER COLUMN "token_hash" SET STATISTICS 0;
--> statement-breakpoint
ALTER TABLE "attempts" ALTER COLUMN "token_hash" TYPE bytea, ALTER COLUMN "challenge" TYPE text,
	ALTER COLUMN "token_hash" SET STATISTICS 0, ALTER COLUMN "challenge" SET STATISTICS 0;
--> statement-breakpoint
ALTER TABLE "logins" ALTER COLUMN "device_hash" TYPE bytea, ALTER COLUMN "user_code" TYPE text,
	ALTER COLUMN "device_hash" SET STATISTICS 0, ALTER COLUMN "user_code" SET STATISTICS 0;
--> statement-breakpoint
-- Who is signed in stays so.
INSERT INTO "sessions" ("id", "token_hash", "identity_id", "way", "created_at", "expires_at", "last_used_at")
	SELECT 'ses_' || substr(replace(gen_random_uuid()::text, '-', ''), 1, 25) || '0', "token_hash", "identity_id", 'link', "created_at", "expires_at",
		greatest("created_at", (SELECT "latest_at" FROM "clocks"))
	FROM "person_tokens" WHERE "purpose" = 'session';
--> statement-breakpoint
DELETE FROM "person_tokens" WHERE "purpose" = 'session';
--> statement-breakpoint
-- Until now a person could do everything, whatever was here.
UPDATE "identities" SET "scopes" = '["secrets:create","secrets:read","secrets:claim","secrets:revoke","requests:create","requests:read","requests:revoke","events:read"]' WHERE "kind" = 'person';
