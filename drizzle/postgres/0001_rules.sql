INSERT INTO "clocks" ("id", "latest_at", "last_place") VALUES (1, 0, 0);
--> statement-breakpoint
INSERT INTO "installations" ("id", "public_id") VALUES (1, replace(gen_random_uuid()::text, '-', ''));
--> statement-breakpoint
-- What is encrypted does not become smaller.
ALTER TABLE "ciphertexts" ALTER COLUMN "ciphertext" SET STORAGE EXTERNAL;
--> statement-breakpoint
ALTER TABLE "request_notes" ALTER COLUMN "ciphertext" SET STORAGE EXTERNAL;
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
