CREATE INDEX `requests_creator` ON `requests` (`created_by`,`id`);--> statement-breakpoint
CREATE INDEX `secrets_creator` ON `secrets` (`created_by`,`id`) WHERE created_by IS NOT NULL;