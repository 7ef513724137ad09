CREATE TABLE `server_settings` (
	`id` integer PRIMARY KEY NOT NULL,
	`team_quota_bytes` integer NOT NULL
);
