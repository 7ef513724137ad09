ALTER TABLE `idempotent_calls` RENAME COLUMN "secret_id" TO "subject_id";--> statement-breakpoint
DROP INDEX `idempotent_calls_secret`;--> statement-breakpoint
CREATE INDEX `idempotent_calls_subject` ON `idempotent_calls` (`subject_id`);--> statement-breakpoint
ALTER TABLE `request_notes` ADD `envelope_version` integer DEFAULT 1 NOT NULL;