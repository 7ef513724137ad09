ALTER TABLE `uploads` ADD `address` text;--> statement-breakpoint
ALTER TABLE `uploads` ADD `proof` text;