ALTER TABLE "api_keys" ADD COLUMN "networks" text;--> statement-breakpoint
ALTER TABLE "attempts" ADD COLUMN "subject_id" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "events" ADD COLUMN "address" text;--> statement-breakpoint
ALTER TABLE "requests" ADD COLUMN "addressees" text;--> statement-breakpoint
ALTER TABLE "secrets" ADD COLUMN "addressees" text;--> statement-breakpoint
ALTER TABLE "teams" ADD COLUMN "rules" jsonb;
--> statement-breakpoint
ALTER TABLE "secrets" ALTER COLUMN "addressees" TYPE text, ALTER COLUMN "addressees" SET STATISTICS 0;
--> statement-breakpoint
ALTER TABLE "requests" ALTER COLUMN "addressees" TYPE text, ALTER COLUMN "addressees" SET STATISTICS 0;
--> statement-breakpoint
ALTER TABLE "events" ALTER COLUMN "address" TYPE text, ALTER COLUMN "address" SET STATISTICS 0;
