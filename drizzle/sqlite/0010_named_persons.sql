ALTER TABLE `identities` ADD `person_name` text;--> statement-breakpoint
ALTER TABLE `requests` ADD `asker_id` text;--> statement-breakpoint
ALTER TABLE `secrets` ADD `sender_id` text;