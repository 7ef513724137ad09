CREATE TABLE "notice_places" (
	"team_id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"last_event_id" text COLLATE "C" NOT NULL,
	"ends_until" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "notice_switches" (
	"identity_id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"opened" boolean NOT NULL,
	"ending" boolean NOT NULL,
	"handed_in" boolean NOT NULL,
	"language" text NOT NULL,
	"time_zone" text NOT NULL,
	"off_seed" text NOT NULL,
	"burst_at" bigint NOT NULL,
	"burst_count" bigint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "server_settings" ADD COLUMN "key_ends_until" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "notice_places" ADD CONSTRAINT "notice_places_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notice_switches" ADD CONSTRAINT "notice_switches_identity_id_identities_id_fk" FOREIGN KEY ("identity_id") REFERENCES "public"."identities"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "notice_switches" ALTER COLUMN "off_seed" TYPE text, ALTER COLUMN "off_seed" SET STATISTICS 0;
