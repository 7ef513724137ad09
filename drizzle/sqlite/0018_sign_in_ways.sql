CREATE TABLE `mails` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`address` text NOT NULL,
	`language` text NOT NULL,
	`data` text NOT NULL,
	`created_at` integer NOT NULL,
	`next_at` integer NOT NULL,
	`ends_at` integer NOT NULL,
	`tries` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `mails_next` ON `mails` (`next_at`);--> statement-breakpoint
CREATE TABLE `provider_accounts` (
	`identity_id` text PRIMARY KEY NOT NULL,
	`issuer` text NOT NULL,
	`subject` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`identity_id`) REFERENCES `identities`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `provider_accounts_subject` ON `provider_accounts` (`issuer`,`subject`);--> statement-breakpoint
ALTER TABLE `attempts` ADD `address` text;--> statement-breakpoint
ALTER TABLE `attempts` ADD `tries` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `sessions` ADD `confirmed_at` integer;--> statement-breakpoint
ALTER TABLE `sessions` ADD `provider_sid` text;--> statement-breakpoint
CREATE INDEX `identities_lower_name` ON `identities` (lower("name"));