DROP INDEX `requests_team`;--> statement-breakpoint
CREATE INDEX `requests_team_state` ON `requests` (`team_id`,`state`,`id`);--> statement-breakpoint
DROP INDEX `secrets_team`;--> statement-breakpoint
CREATE INDEX `api_keys_identity` ON `api_keys` (`identity_id`);--> statement-breakpoint
CREATE INDEX `identities_name` ON `identities` (`name`);--> statement-breakpoint
CREATE INDEX `human_tokens_expires` ON `human_tokens` (`expires_at`);