ALTER TABLE `api_keys` ADD `networks` text;--> statement-breakpoint
ALTER TABLE `attempts` ADD `subject_id` text;--> statement-breakpoint
ALTER TABLE `events` ADD `address` text;--> statement-breakpoint
ALTER TABLE `requests` ADD `addressees` text;--> statement-breakpoint
ALTER TABLE `secrets` ADD `addressees` text;--> statement-breakpoint
ALTER TABLE `teams` ADD `rules` text;--> statement-breakpoint
-- What chosen people take up, none so far: see `stored-bytes.ts`. Counted anew, it is added to what was counted before.
UPDATE `teams` SET `stored_bytes` = `stored_bytes` + 2 * (
	(SELECT coalesce(sum(octet_length(`addressees`)), 0) FROM `secrets` WHERE `secrets`.`team_id` = `teams`.`id`) +
	(SELECT coalesce(sum(octet_length(`addressees`)), 0) FROM `requests` WHERE `requests`.`team_id` = `teams`.`id`)
);
