-- Bodies that PostgreSQL reads once, and not at each call: their names mean what they meant here, whatever the search path of a caller. They still become a part of
-- the statement that calls them.
CREATE OR REPLACE FUNCTION "handoff_digits"("value" bigint) RETURNS text LANGUAGE sql IMMUTABLE
	RETURN substr('0123456789abcdefghijklmnopqrstuv', ((value >> 45) & 31)::integer + 1, 1) ||
		substr('0123456789abcdefghijklmnopqrstuv', ((value >> 40) & 31)::integer + 1, 1) ||
		substr('0123456789abcdefghijklmnopqrstuv', ((value >> 35) & 31)::integer + 1, 1) ||
		substr('0123456789abcdefghijklmnopqrstuv', ((value >> 30) & 31)::integer + 1, 1) ||
		substr('0123456789abcdefghijklmnopqrstuv', ((value >> 25) & 31)::integer + 1, 1) ||
		substr('0123456789abcdefghijklmnopqrstuv', ((value >> 20) & 31)::integer + 1, 1) ||
		substr('0123456789abcdefghijklmnopqrstuv', ((value >> 15) & 31)::integer + 1, 1) ||
		substr('0123456789abcdefghijklmnopqrstuv', ((value >> 10) & 31)::integer + 1, 1) ||
		substr('0123456789abcdefghijklmnopqrstuv', ((value >> 5) & 31)::integer + 1, 1) ||
		substr('0123456789abcdefghijklmnopqrstuv', ((value >> 0) & 31)::integer + 1, 1);
--> statement-breakpoint
CREATE OR REPLACE FUNCTION "handoff_event_id"("at" bigint, "place" bigint) RETURNS text LANGUAGE sql VOLATILE
	RETURN 'evt_' || handoff_digits(at * 4) || handoff_digits(place) || right(handoff_digits(floor(random() * 268435456)::bigint * 4), 6);
--> statement-breakpoint
-- One of plpgsql is read at each call. This has a single name in it; a search path of its own would take three times as long.
CREATE OR REPLACE FUNCTION "handoff_below"("value" bigint, "bound" bigint) RETURNS bigint LANGUAGE plpgsql STABLE AS $$
BEGIN
	IF value OPERATOR(pg_catalog.>=) bound THEN
		RAISE EXCEPTION 'decided too late' USING ERRCODE = 'serialization_failure';
	END IF;
	RETURN value;
END;
$$;
--> statement-breakpoint
-- The schema that these tables are in.
ALTER FUNCTION "handoff_keep_admin_log"() SET search_path FROM CURRENT;
