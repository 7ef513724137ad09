CREATE TABLE `human_tokens` (
	`token_hash` blob PRIMARY KEY NOT NULL,
	`identity_id` text NOT NULL,
	`purpose` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`identity_id`) REFERENCES `identities`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `human_tokens_identity` ON `human_tokens` (`identity_id`);--> statement-breakpoint
ALTER TABLE `identities` ADD `kind` text DEFAULT 'automation' NOT NULL;