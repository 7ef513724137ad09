CREATE TABLE `installations` (
	`id` integer PRIMARY KEY NOT NULL,
	`public_id` text NOT NULL
);
--> statement-breakpoint
INSERT INTO `installations` (`id`, `public_id`) VALUES (1, lower(hex(randomblob(16))));
