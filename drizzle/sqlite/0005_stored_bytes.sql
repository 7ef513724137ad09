-- What a team takes up counts from now on, and not its ciphertexts alone: see `stored-bytes.ts`.
UPDATE `teams` SET `stored_bytes` = 0;
--> statement-breakpoint
UPDATE `teams` SET `stored_bytes` = `counted`.`bytes`
FROM (
	SELECT `team_id`, sum(`bytes`) AS `bytes`
	FROM (
		SELECT `team_id`, 768 * count(*) AS `bytes` FROM `secrets` GROUP BY `team_id`
		UNION ALL
		SELECT `team_id`, sum(512 + 4096 * ((`ciphertext_bytes` + 23 + 4091) / 4092))
		FROM `ciphertexts` JOIN `secrets` ON `seq` = `secret_seq` GROUP BY `team_id`
		UNION ALL
		SELECT `team_id`, sum(384 + 4096 / max(1, 4000 / (length(`recipient`) + 170)))
		FROM `requests` GROUP BY `team_id`
		UNION ALL
		SELECT `team_id`, sum(512 + 4096 * ((length(`ciphertext`) + 23 + 4091) / 4092))
		FROM `request_notes` JOIN `requests` ON `seq` = `request_seq` GROUP BY `team_id`
		UNION ALL
		SELECT `team_id`, 320 * count(*) FROM `events` GROUP BY `team_id`
		UNION ALL
		SELECT `team_id`, 320 * count(*) FROM `idempotent_calls` GROUP BY `team_id`
	)
	GROUP BY `team_id`
) AS `counted`
WHERE `counted`.`team_id` = `teams`.`id`;
