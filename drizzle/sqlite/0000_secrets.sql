CREATE TABLE `api_keys` (
	`id` text PRIMARY KEY NOT NULL,
	`identity_id` text NOT NULL,
	`token_hash` blob NOT NULL,
	`name` text,
	`hint` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer,
	`revoked_at` integer,
	`last_used_at` integer,
	`exposed_at` integer,
	FOREIGN KEY (`identity_id`) REFERENCES `identities`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_token_hash_unique` ON `api_keys` (`token_hash`);--> statement-breakpoint
CREATE TABLE `ciphertexts` (
	`secret_seq` integer PRIMARY KEY NOT NULL,
	`guard` blob NOT NULL,
	`ciphertext` text NOT NULL,
	`fill` blob NOT NULL,
	FOREIGN KEY (`secret_seq`) REFERENCES `secrets`(`seq`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `clocks` (
	`id` integer PRIMARY KEY NOT NULL,
	`latest_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `events` (
	`seq` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`team_id` text NOT NULL,
	`type` text NOT NULL,
	`created_at` integer NOT NULL,
	`secret_id` text NOT NULL,
	`request_id` text,
	`identity_id` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `events_team` ON `events` (`team_id`,`id`);--> statement-breakpoint
CREATE TABLE `idempotent_calls` (
	`digest` blob PRIMARY KEY NOT NULL,
	`fingerprint` blob NOT NULL,
	`team_id` text NOT NULL,
	`secret_id` text NOT NULL,
	`expires_at` integer NOT NULL,
	`claim_number` integer,
	`claimed_at` integer,
	`replay_until` integer
);
--> statement-breakpoint
CREATE INDEX `idempotent_calls_secret` ON `idempotent_calls` (`secret_id`);--> statement-breakpoint
CREATE INDEX `idempotent_calls_expires` ON `idempotent_calls` (`expires_at`);--> statement-breakpoint
CREATE TABLE `identities` (
	`id` text PRIMARY KEY NOT NULL,
	`team_id` text NOT NULL,
	`name` text NOT NULL,
	`scopes` text NOT NULL,
	`created_at` integer NOT NULL,
	`disabled_at` integer,
	FOREIGN KEY (`team_id`) REFERENCES `teams`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `identities_team_name` ON `identities` (`team_id`,`name`);--> statement-breakpoint
CREATE TABLE `secrets` (
	`seq` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`team_id` text NOT NULL,
	`state` text NOT NULL,
	`envelope_version` integer NOT NULL,
	`ciphertext_bytes` integer NOT NULL,
	`ciphertext_format` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`max_claims` integer NOT NULL,
	`claims` integer NOT NULL,
	`ended_at` integer,
	`created_by` text,
	`request_id` text,
	`claim_token_hash` blob NOT NULL,
	`due_at` integer NOT NULL,
	FOREIGN KEY (`team_id`) REFERENCES `teams`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `secrets_id_unique` ON `secrets` (`id`);--> statement-breakpoint
CREATE INDEX `secrets_team_state` ON `secrets` (`team_id`,`state`,`id`);--> statement-breakpoint
CREATE INDEX `secrets_team` ON `secrets` (`team_id`,`id`);--> statement-breakpoint
CREATE INDEX `secrets_claim_token` ON `secrets` (`claim_token_hash`);--> statement-breakpoint
CREATE INDEX `secrets_due` ON `secrets` (`due_at`);--> statement-breakpoint
CREATE TABLE `teams` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`created_at` integer NOT NULL,
	`stored_bytes` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `teams_name_unique` ON `teams` (`name`);