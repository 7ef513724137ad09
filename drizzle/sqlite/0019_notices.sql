CREATE TABLE `notice_places` (
	`team_id` text PRIMARY KEY NOT NULL,
	`last_event_id` text NOT NULL,
	`ends_until` integer NOT NULL,
	FOREIGN KEY (`team_id`) REFERENCES `teams`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `notice_switches` (
	`identity_id` text PRIMARY KEY NOT NULL,
	`opened` integer NOT NULL,
	`ending` integer NOT NULL,
	`handed_in` integer NOT NULL,
	`language` text NOT NULL,
	`time_zone` text NOT NULL,
	`off_seed` text NOT NULL,
	`burst_at` integer NOT NULL,
	`burst_count` integer NOT NULL,
	FOREIGN KEY (`identity_id`) REFERENCES `identities`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
ALTER TABLE `server_settings` ADD `key_ends_until` integer DEFAULT 0 NOT NULL;