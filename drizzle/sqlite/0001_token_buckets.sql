DROP INDEX `secrets_claim_token`;--> statement-breakpoint
CREATE INDEX `secrets_claim_token` ON `secrets` ("seq" / 16384,`claim_token_hash`);