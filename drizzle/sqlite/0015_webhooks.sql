CREATE TABLE `webhook_deliveries` (
	`id` integer PRIMARY KEY NOT NULL,
	`webhook_id` text NOT NULL,
	`event_id` text NOT NULL,
	`event_type` text NOT NULL,
	`at` integer NOT NULL,
	`duration_ms` integer NOT NULL,
	`status` integer,
	`failure` text,
	`outcome` text NOT NULL,
	`next_try_at` integer
);
--> statement-breakpoint
CREATE INDEX `webhook_deliveries_webhook` ON `webhook_deliveries` (`webhook_id`);--> statement-breakpoint
CREATE TABLE `webhooks` (
	`id` text PRIMARY KEY NOT NULL,
	`team_id` text NOT NULL,
	`url` text NOT NULL,
	`format` text NOT NULL,
	`event_types` text,
	`allow_http` integer NOT NULL,
	`secret` text,
	`former_secret` text,
	`former_secret_until` integer,
	`created_at` integer NOT NULL,
	`paused_at` integer,
	`paused_by` text,
	`revision` integer DEFAULT 0 NOT NULL,
	`last_event_id` text NOT NULL,
	`failures` integer DEFAULT 0 NOT NULL,
	`rejections` integer DEFAULT 0 NOT NULL,
	`first_failed_at` integer,
	`next_try_at` integer,
	FOREIGN KEY (`team_id`) REFERENCES `teams`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `webhooks_team` ON `webhooks` (`team_id`);