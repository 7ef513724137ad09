CREATE TABLE `attempts` (
	`token_hash` blob PRIMARY KEY NOT NULL,
	`purpose` text NOT NULL,
	`challenge` text NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `attempts_expires` ON `attempts` (`expires_at`);--> statement-breakpoint
CREATE TABLE `logins` (
	`device_hash` blob PRIMARY KEY NOT NULL,
	`user_code` text NOT NULL,
	`machine` text NOT NULL,
	`address` text,
	`state` text NOT NULL,
	`session_id` text,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `logins_user_code_unique` ON `logins` (`user_code`);--> statement-breakpoint
CREATE INDEX `logins_expires` ON `logins` (`expires_at`);--> statement-breakpoint
CREATE TABLE `passkeys` (
	`id` text PRIMARY KEY NOT NULL,
	`identity_id` text NOT NULL,
	`credential_id` text NOT NULL,
	`public_key` blob NOT NULL,
	`counter` integer NOT NULL,
	`transports` text NOT NULL,
	`browser` text,
	`system` text,
	`created_at` integer NOT NULL,
	`last_used_at` integer,
	FOREIGN KEY (`identity_id`) REFERENCES `identities`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `passkeys_credential_id_unique` ON `passkeys` (`credential_id`);--> statement-breakpoint
CREATE INDEX `passkeys_identity` ON `passkeys` (`identity_id`);--> statement-breakpoint
CREATE TABLE `sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`token_hash` blob NOT NULL,
	`identity_id` text NOT NULL,
	`way` text NOT NULL,
	`browser` text,
	`system` text,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`last_used_at` integer NOT NULL,
	`parent_id` text,
	FOREIGN KEY (`identity_id`) REFERENCES `identities`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `sessions_token_hash_unique` ON `sessions` (`token_hash`);--> statement-breakpoint
CREATE INDEX `sessions_identity` ON `sessions` (`identity_id`);--> statement-breakpoint
CREATE INDEX `sessions_expires` ON `sessions` (`expires_at`);--> statement-breakpoint
CREATE INDEX `sessions_parent` ON `sessions` (`parent_id`) WHERE parent_id IS NOT NULL;--> statement-breakpoint
-- Who is signed in stays so.
INSERT INTO `sessions` (`id`, `token_hash`, `identity_id`, `way`, `created_at`, `expires_at`, `last_used_at`)
	SELECT 'ses_' || substr(lower(hex(randomblob(16))), 1, 25) || '0', `token_hash`, `identity_id`, 'link', `created_at`, `expires_at`,
		max(`created_at`, (SELECT `latest_at` FROM `clocks`))
	FROM `human_tokens` WHERE `purpose` = 'session';
--> statement-breakpoint
DELETE FROM `human_tokens` WHERE `purpose` = 'session';
--> statement-breakpoint
-- Until now a person could do everything, whatever was here.
UPDATE `identities` SET `scopes` = '["secrets:create","secrets:read","secrets:claim","secrets:revoke","requests:create","requests:read","requests:revoke","events:read"]' WHERE `kind` = 'person';
