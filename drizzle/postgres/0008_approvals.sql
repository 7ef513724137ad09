CREATE TABLE "event_seals" (
	"id" bigint PRIMARY KEY NOT NULL,
	"last_place" bigint NOT NULL,
	"ends_at" bigint NOT NULL,
	"parts" text NOT NULL,
	"hash" "bytea" NOT NULL
);
--> statement-breakpoint
ALTER TABLE "events" ADD COLUMN "ask" text;--> statement-breakpoint
ALTER TABLE "events" ADD COLUMN "proof" text;--> statement-breakpoint
ALTER TABLE "events" ADD COLUMN "network" text;--> statement-breakpoint
ALTER TABLE "secrets" ADD COLUMN "approval" text;--> statement-breakpoint
ALTER TABLE "notice_switches" ADD COLUMN "asked" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "secrets_approval" ON "secrets" USING btree ("team_id","id") WHERE length(approval) > 6;
--> statement-breakpoint
-- People who could do everything still can.
UPDATE "identities" SET "scopes" = to_jsonb(replace("scopes" #>> '{}', '"secrets:revoke"', '"secrets:revoke","secrets:approve"'))
  WHERE "kind" = 'person' AND jsonb_array_length(("scopes" #>> '{}')::jsonb) = 8;
--> statement-breakpoint
ALTER TABLE "secrets" ALTER COLUMN "approval" TYPE text, ALTER COLUMN "approval" SET STATISTICS 0;
--> statement-breakpoint
ALTER TABLE "events" ALTER COLUMN "ask" TYPE text, ALTER COLUMN "ask" SET STATISTICS 0;
--> statement-breakpoint
ALTER TABLE "events" ALTER COLUMN "network" TYPE text, ALTER COLUMN "network" SET STATISTICS 0;
--> statement-breakpoint
ALTER TABLE "event_seals" ALTER COLUMN "parts" SET STATISTICS 0, ALTER COLUMN "hash" SET STATISTICS 0;
