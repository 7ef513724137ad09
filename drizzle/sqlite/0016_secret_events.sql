ALTER TABLE `events` ADD `history_of` text;--> statement-breakpoint
CREATE INDEX `events_history` ON `events` (`history_of`) WHERE history_of IS NOT NULL;--> statement-breakpoint
-- What is found by its secret and not by its time: see `secret-events.ts`.
UPDATE `events` SET `history_of` = `secret_id` WHERE `type` IN ('secret.expired', 'secret.revoked')
	OR (`type` = 'secret.claimed' AND (SELECT `max_claims` FROM `secrets` WHERE `secrets`.`id` = `events`.`secret_id`) > 1);
