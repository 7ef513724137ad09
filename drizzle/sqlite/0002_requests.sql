CREATE TABLE `request_notes` (
	`request_seq` integer PRIMARY KEY NOT NULL,
	`guard` blob NOT NULL,
	`ciphertext` text NOT NULL,
	`fill` blob NOT NULL,
	FOREIGN KEY (`request_seq`) REFERENCES `requests`(`seq`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `requests` (
	`seq` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`team_id` text NOT NULL,
	`state` text NOT NULL,
	`recipient` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`max_submissions` integer NOT NULL,
	`submissions` integer NOT NULL,
	`ended_at` integer,
	`created_by` text,
	`submit_token_hash` blob NOT NULL,
	`due_at` integer NOT NULL,
	FOREIGN KEY (`team_id`) REFERENCES `teams`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `requests_id_unique` ON `requests` (`id`);--> statement-breakpoint
CREATE INDEX `requests_team` ON `requests` (`team_id`,`id`);--> statement-breakpoint
CREATE INDEX `requests_submit_token` ON `requests` (`submit_token_hash`);--> statement-breakpoint
CREATE INDEX `requests_due` ON `requests` (`due_at`);--> statement-breakpoint
PRAGMA foreign_keys=OFF;--> statement-breakpoint
CREATE TABLE `__new_events` (
	`seq` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`team_id` text NOT NULL,
	`type` text NOT NULL,
	`created_at` integer NOT NULL,
	`secret_id` text,
	`request_id` text,
	`identity_id` text
);
--> statement-breakpoint
INSERT INTO `__new_events`("seq", "id", "team_id", "type", "created_at", "secret_id", "request_id", "identity_id") SELECT "seq", "id", "team_id", "type", "created_at", "secret_id", "request_id", "identity_id" FROM `events`;--> statement-breakpoint
DROP TABLE `events`;--> statement-breakpoint
ALTER TABLE `__new_events` RENAME TO `events`;--> statement-breakpoint
PRAGMA foreign_keys=ON;--> statement-breakpoint
CREATE UNIQUE INDEX `events_team` ON `events` (`team_id`,`id`);--> statement-breakpoint
CREATE INDEX `secrets_request` ON `secrets` (`request_id`) WHERE request_id IS NOT NULL;