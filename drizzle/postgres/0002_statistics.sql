-- ANALYZE copies values of every column, up to a hundred of up to 1 KB, into pg_statistic, which no DELETE, TRUNCATE or VACUUM of the table clears. To give
-- a column its own type once more drops what is there, and rewrites nothing; a target of 0 keeps it away. A partitioned table hands both down.
-- The storage is then that of the type, and is set as it was.
ALTER TABLE "ciphertexts" ALTER COLUMN "ciphertext" TYPE text, ALTER COLUMN "ciphertext" SET STATISTICS 0, ALTER COLUMN "ciphertext" SET STORAGE EXTERNAL;
--> statement-breakpoint
ALTER TABLE "request_notes" ALTER COLUMN "ciphertext" TYPE text, ALTER COLUMN "ciphertext" SET STATISTICS 0, ALTER COLUMN "ciphertext" SET STORAGE EXTERNAL;
--> statement-breakpoint
-- The URL of a webhook may have a token of its receiver in it.
ALTER TABLE "webhooks" ALTER COLUMN "url" TYPE text, ALTER COLUMN "secret" TYPE text, ALTER COLUMN "former_secret" TYPE text,
	ALTER COLUMN "url" SET STATISTICS 0, ALTER COLUMN "secret" SET STATISTICS 0, ALTER COLUMN "former_secret" SET STATISTICS 0;
--> statement-breakpoint
-- Hashes of tokens, of calls and of their content, which have a unique index, or are not searched for: PostgreSQL plans no worse.
ALTER TABLE "api_keys" ALTER COLUMN "token_hash" TYPE bytea, ALTER COLUMN "token_hash" SET STATISTICS 0;
--> statement-breakpoint
ALTER TABLE "person_tokens" ALTER COLUMN "token_hash" TYPE bytea, ALTER COLUMN "token_hash" SET STATISTICS 0;
--> statement-breakpoint
ALTER TABLE "idempotent_calls" ALTER COLUMN "digest" TYPE bytea, ALTER COLUMN "fingerprint" TYPE bytea,
	ALTER COLUMN "digest" SET STATISTICS 0, ALTER COLUMN "fingerprint" SET STATISTICS 0;
