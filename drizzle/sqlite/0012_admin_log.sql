CREATE TABLE `admin_log` (
	`id` integer PRIMARY KEY NOT NULL,
	`at` integer NOT NULL,
	`user` text NOT NULL,
	`sudo_user` text,
	`action` text NOT NULL,
	`subject_id` text,
	`subject_name` text,
	`team_id` text,
	`team_name` text,
	`details` text NOT NULL
);
--> statement-breakpoint
ALTER TABLE `teams` ADD `quota_bytes` integer;--> statement-breakpoint
CREATE TRIGGER `admin_log_unchanged` BEFORE UPDATE ON `admin_log`
BEGIN
	SELECT raise(ABORT, 'the admin log is only added to');
END;
--> statement-breakpoint
-- The number is MAX_ADMIN_LOG_ENTRIES.
CREATE TRIGGER `admin_log_kept` BEFORE DELETE ON `admin_log`
WHEN `OLD`.`id` > (SELECT max(`id`) FROM `admin_log`) - 100000
BEGIN
	SELECT raise(ABORT, 'the admin log is only added to');
END;
