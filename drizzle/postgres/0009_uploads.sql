CREATE TABLE "upload_parts" (
	"upload_id" text COLLATE "C" NOT NULL,
	"start" bigint NOT NULL,
	"bytes" integer NOT NULL,
	"key" text NOT NULL,
	CONSTRAINT "upload_parts_upload_id_start_pk" PRIMARY KEY("upload_id","start")
);
--> statement-breakpoint
CREATE TABLE "uploads" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"team_id" text COLLATE "C" NOT NULL,
	"created_by" text COLLATE "C" NOT NULL,
	"address" text,
	"proof" text,
	"bytes" bigint NOT NULL,
	"offset" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	"secret_id" text COLLATE "C"
);
--> statement-breakpoint
ALTER TABLE "secrets" ALTER COLUMN "ciphertext_bytes" SET DATA TYPE bigint;--> statement-breakpoint
ALTER TABLE "upload_parts" ADD CONSTRAINT "upload_parts_upload_id_uploads_id_fk" FOREIGN KEY ("upload_id") REFERENCES "public"."uploads"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "uploads" ADD CONSTRAINT "uploads_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "uploads_team" ON "uploads" USING btree ("team_id");--> statement-breakpoint
CREATE INDEX "uploads_secret" ON "uploads" USING btree ("secret_id");--> statement-breakpoint
-- The address that somebody has proven is in no statistics.
ALTER TABLE "uploads" ALTER COLUMN "address" SET STATISTICS 0;
