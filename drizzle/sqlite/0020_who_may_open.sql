ALTER TABLE `api_keys` ADD `networks` text;--> statement-breakpoint
ALTER TABLE `attempts` ADD `subject_id` text;--> statement-breakpoint
ALTER TABLE `events` ADD `address` text;--> statement-breakpoint
ALTER TABLE `requests` ADD `addressees` text;--> statement-breakpoint
ALTER TABLE `secrets` ADD `addressees` text;--> statement-breakpoint
ALTER TABLE `teams` ADD `rules` text;