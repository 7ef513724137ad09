INSERT INTO "clocks" ("id", "latest_at", "last_place") VALUES (1, 0, 0);
--> statement-breakpoint
INSERT INTO "installations" ("id", "public_id") VALUES (1, replace(gen_random_uuid()::text, '-', ''));
--> statement-breakpoint
INSERT INTO "halves" ("id", "filled", "erasures") VALUES (1, 0, 0);
--> statement-breakpoint
-- A deleted row stays readable in the pages of its table until they are used again, and vacuuming does not change that. So a table with
-- ciphertexts has two halves: what is there moves to the other one from time to time, and the file of the first is given back.
DROP TABLE "ciphertexts";
--> statement-breakpoint
CREATE TABLE "ciphertexts" (
	"secret_id" text COLLATE "C" NOT NULL,
	"ciphertext" text NOT NULL,
	"half" integer NOT NULL DEFAULT 0,
	PRIMARY KEY ("secret_id", "half")
) PARTITION BY LIST ("half");
--> statement-breakpoint
-- What is encrypted does not become smaller.
ALTER TABLE "ciphertexts" ALTER COLUMN "ciphertext" SET STORAGE EXTERNAL;
--> statement-breakpoint
CREATE TABLE "ciphertexts_0" PARTITION OF "ciphertexts" FOR VALUES IN (0);
--> statement-breakpoint
CREATE TABLE "ciphertexts_1" PARTITION OF "ciphertexts" FOR VALUES IN (1);
--> statement-breakpoint
DROP TABLE "request_notes";
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
-- Ten digits of what ids are written in: base32hex. One expression, which is a part of the statement that calls it: a loop, or a query, takes ten times as long.
CREATE FUNCTION "handoff_digits"("value" bigint) RETURNS text LANGUAGE sql IMMUTABLE AS $$
	SELECT substr('0123456789abcdefghijklmnopqrstuv', ((value >> 45) & 31)::integer + 1, 1) ||
		substr('0123456789abcdefghijklmnopqrstuv', ((value >> 40) & 31)::integer + 1, 1) ||
		substr('0123456789abcdefghijklmnopqrstuv', ((value >> 35) & 31)::integer + 1, 1) ||
		substr('0123456789abcdefghijklmnopqrstuv', ((value >> 30) & 31)::integer + 1, 1) ||
		substr('0123456789abcdefghijklmnopqrstuv', ((value >> 25) & 31)::integer + 1, 1) ||
		substr('0123456789abcdefghijklmnopqrstuv', ((value >> 20) & 31)::integer + 1, 1) ||
		substr('0123456789abcdefghijklmnopqrstuv', ((value >> 15) & 31)::integer + 1, 1) ||
		substr('0123456789abcdefghijklmnopqrstuv', ((value >> 10) & 31)::integer + 1, 1) ||
		substr('0123456789abcdefghijklmnopqrstuv', ((value >> 5) & 31)::integer + 1, 1) ||
		substr('0123456789abcdefghijklmnopqrstuv', ((value >> 0) & 31)::integer + 1, 1)
$$;
--> statement-breakpoint
-- The id of the event at a place, which was committed at a time: neither ever goes back, and so ids ascend.
CREATE FUNCTION "handoff_event_id"("at" bigint, "place" bigint) RETURNS text LANGUAGE sql VOLATILE AS $$
	SELECT 'evt_' || handoff_digits(at * 4) || handoff_digits(place) || right(handoff_digits(floor(random() * 268435456)::bigint * 4), 6)
$$;
--> statement-breakpoint
-- The value, if it is below the bound; else what was decided before is no longer so, and is decided again.
CREATE FUNCTION "handoff_below"("value" bigint, "bound" bigint) RETURNS bigint LANGUAGE plpgsql STABLE AS $$
BEGIN
	IF value >= bound THEN
		RAISE EXCEPTION 'decided too late' USING ERRCODE = 'serialization_failure';
	END IF;
	RETURN value;
END;
$$;
--> statement-breakpoint
CREATE FUNCTION "handoff_keep_admin_log"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	-- The number is MAX_ADMIN_LOG_ENTRIES.
	IF TG_OP = 'DELETE' AND OLD.id <= (SELECT max(id) FROM admin_log) - 100000 THEN
		RETURN OLD;
	END IF;
	RAISE EXCEPTION 'the admin log is only added to';
END;
$$;
--> statement-breakpoint
CREATE TRIGGER "admin_log_kept" BEFORE UPDATE OR DELETE ON "admin_log" FOR EACH ROW EXECUTE FUNCTION "handoff_keep_admin_log"();
--> statement-breakpoint
CREATE TRIGGER "admin_log_not_emptied" BEFORE TRUNCATE ON "admin_log" FOR EACH STATEMENT EXECUTE FUNCTION "handoff_keep_admin_log"();
