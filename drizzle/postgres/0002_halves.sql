CREATE TABLE "halves" (
	"id" integer PRIMARY KEY NOT NULL,
	"filled" integer NOT NULL,
	"erasures" bigint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "clocks" ADD COLUMN "erasures" bigint DEFAULT 0 NOT NULL;
--> statement-breakpoint
INSERT INTO "halves" ("id", "filled", "erasures") VALUES (1, 0, 0);
--> statement-breakpoint
-- A deleted row stays readable in the pages of its table until they are used again, and vacuuming does not change that. So the table has two
-- halves: what is there moves to the other one from time to time, and the file of the first is given back.
ALTER TABLE "ciphertexts" RENAME TO "former_ciphertexts";
--> statement-breakpoint
ALTER INDEX "ciphertexts_pkey" RENAME TO "former_ciphertexts_pkey";
--> statement-breakpoint
CREATE TABLE "ciphertexts" (
	"secret_id" text COLLATE "C" NOT NULL,
	"ciphertext" text NOT NULL,
	"half" integer NOT NULL DEFAULT 0,
	PRIMARY KEY ("secret_id", "half")
) PARTITION BY LIST ("half");
--> statement-breakpoint
ALTER TABLE "ciphertexts" ALTER COLUMN "ciphertext" SET STORAGE EXTERNAL;
--> statement-breakpoint
CREATE TABLE "ciphertexts_0" PARTITION OF "ciphertexts" FOR VALUES IN (0);
--> statement-breakpoint
CREATE TABLE "ciphertexts_1" PARTITION OF "ciphertexts" FOR VALUES IN (1);
--> statement-breakpoint
INSERT INTO "ciphertexts" ("secret_id", "ciphertext") SELECT "secret_id", "ciphertext" FROM "former_ciphertexts";
--> statement-breakpoint
DROP TABLE "former_ciphertexts";
--> statement-breakpoint
ALTER TABLE "request_notes" RENAME TO "former_notes";
--> statement-breakpoint
ALTER INDEX "request_notes_pkey" RENAME TO "former_notes_pkey";
--> statement-breakpoint
CREATE TABLE "request_notes" (
	"request_id" text COLLATE "C" NOT NULL,
	"envelope_version" integer NOT NULL,
	"ciphertext" text NOT NULL,
	"half" integer NOT NULL DEFAULT 0,
	PRIMARY KEY ("request_id", "half")
) PARTITION BY LIST ("half");
--> statement-breakpoint
ALTER TABLE "request_notes" ALTER COLUMN "ciphertext" SET STORAGE EXTERNAL;
--> statement-breakpoint
CREATE TABLE "request_notes_0" PARTITION OF "request_notes" FOR VALUES IN (0);
--> statement-breakpoint
CREATE TABLE "request_notes_1" PARTITION OF "request_notes" FOR VALUES IN (1);
--> statement-breakpoint
INSERT INTO "request_notes" ("request_id", "envelope_version", "ciphertext") SELECT "request_id", "envelope_version", "ciphertext" FROM "former_notes";
--> statement-breakpoint
DROP TABLE "former_notes";
