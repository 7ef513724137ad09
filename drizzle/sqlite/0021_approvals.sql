CREATE TABLE `event_seals` (
	`id` integer PRIMARY KEY NOT NULL,
	`last_place` integer NOT NULL,
	`ends_at` integer NOT NULL,
	`parts` text NOT NULL,
	`hash` blob NOT NULL
);
--> statement-breakpoint
ALTER TABLE `events` ADD `ask` text;--> statement-breakpoint
ALTER TABLE `events` ADD `proof` text;--> statement-breakpoint
ALTER TABLE `events` ADD `network` text;--> statement-breakpoint
ALTER TABLE `secrets` ADD `approval` text;--> statement-breakpoint
ALTER TABLE `notice_switches` ADD `asked` integer DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX `secrets_approval` ON `secrets` (`team_id`,`id`) WHERE length(approval) > 6;--> statement-breakpoint
-- People who could do everything still can.
UPDATE `identities` SET `scopes` = replace(`scopes`, '"secrets:revoke"', '"secrets:revoke","secrets:approve"')
	WHERE `kind` = 'person' AND json_array_length(`scopes`) = 8;--> statement-breakpoint
-- What approvals take up, none so far: see `stored-bytes.ts`. Counted anew, it is added to what was counted before.
UPDATE `teams` SET `stored_bytes` = `stored_bytes` + 4096 * (
	SELECT count(`approval`) FROM `secrets` WHERE `secrets`.`team_id` = `teams`.`id`
);
