ALTER TABLE `events` ADD `reference` text;--> statement-breakpoint
ALTER TABLE `requests` ADD `reference` text;--> statement-breakpoint
CREATE INDEX `requests_reference` ON `requests` (`team_id`,`reference`,`id`) WHERE reference IS NOT NULL;--> statement-breakpoint
ALTER TABLE `secrets` ADD `reference` text;--> statement-breakpoint
CREATE INDEX `secrets_reference` ON `secrets` (`team_id`,`reference`,`id`) WHERE reference IS NOT NULL;--> statement-breakpoint
-- What references take up, none so far: see `stored-bytes.ts`. Counted anew, it is added to what was counted before there were any.
UPDATE `teams` SET `stored_bytes` = `stored_bytes` + 176 * (
	(SELECT count(*) FROM `secrets` WHERE `secrets`.`team_id` = `teams`.`id` AND `secrets`.`reference` IS NOT NULL) +
	(SELECT count(*) FROM `requests` WHERE `requests`.`team_id` = `teams`.`id` AND `requests`.`reference` IS NOT NULL)
);
