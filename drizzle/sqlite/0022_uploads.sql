CREATE TABLE `uploads` (
	`id` text PRIMARY KEY NOT NULL,
	`team_id` text NOT NULL,
	`created_by` text NOT NULL,
	`bytes` integer NOT NULL,
	`offset` integer NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`secret_id` text,
	FOREIGN KEY (`team_id`) REFERENCES `teams`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `uploads_team` ON `uploads` (`team_id`);--> statement-breakpoint
CREATE INDEX `uploads_secret` ON `uploads` (`secret_id`);--> statement-breakpoint
-- What uploads take up, none so far: see `stored-bytes.ts`. Counted anew, it is added to what was counted before. What
-- has become a secret is counted with that.
UPDATE `teams` SET `stored_bytes` = `stored_bytes` + (
	SELECT coalesce(sum(512 + 4096 * ((`bytes` + 23 + 4091) / 4092)), 0) FROM `uploads`
	WHERE `uploads`.`team_id` = `teams`.`id` AND `secret_id` IS NULL
);
