CREATE TABLE "mails" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"address" text NOT NULL,
	"language" text NOT NULL,
	"data" jsonb NOT NULL,
	"created_at" bigint NOT NULL,
	"next_at" bigint NOT NULL,
	"ends_at" bigint NOT NULL,
	"tries" bigint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "provider_accounts" (
	"identity_id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"issuer" text NOT NULL,
	"subject" text NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "attempts" ADD COLUMN "address" text;--> statement-breakpoint
ALTER TABLE "attempts" ADD COLUMN "tries" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "confirmed_at" bigint;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "provider_sid" text;--> statement-breakpoint
ALTER TABLE "provider_accounts" ADD CONSTRAINT "provider_accounts_identity_id_identities_id_fk" FOREIGN KEY ("identity_id") REFERENCES "public"."identities"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "identities_lower_name" ON "identities" USING btree (lower("name"));--> statement-breakpoint
CREATE INDEX "mails_next" ON "mails" USING btree ("next_at");--> statement-breakpoint
CREATE UNIQUE INDEX "provider_accounts_subject" ON "provider_accounts" USING btree ("issuer","subject");--> statement-breakpoint
ALTER TABLE "mails" ALTER COLUMN "address" TYPE text, ALTER COLUMN "data" TYPE jsonb,
	ALTER COLUMN "address" SET STATISTICS 0, ALTER COLUMN "data" SET STATISTICS 0;
--> statement-breakpoint
ALTER TABLE "attempts" ALTER COLUMN "address" TYPE text, ALTER COLUMN "address" SET STATISTICS 0;
--> statement-breakpoint
ALTER TABLE "sessions" ALTER COLUMN "provider_sid" TYPE text, ALTER COLUMN "provider_sid" SET STATISTICS 0;
