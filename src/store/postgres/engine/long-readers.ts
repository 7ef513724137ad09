import type { DriverRow } from "./rows.ts";

/**
 * A transaction, slot or prepared transaction for which PostgreSQL keeps every row that was replaced or deleted since
 * it began.
 */
export interface LongReader {
  readonly kind: "connection" | "slot" | "prepared transaction";
  /** The process ID of a connection, or the name of a slot or prepared transaction. */
  readonly name: string;
  /** The application name of a connection; empty without one. */
  readonly application: string;
}

/**
 * The transactions of a busy minute. Each replaces the row of the clock, which is then found among a thousand pages.
 */
const MANY = 60_000;
const LONG = "interval '10 minutes'";

/**
 * A subquery for the reader that holds back most, as JSON. Without the role `pg_read_all_stats`, it can't see when
 * other users' transactions began, but it sees how many have begun since.
 */
export const LONGEST_READER = `(SELECT row_to_json(reader)::text FROM (
    SELECT 'connection' AS kind, pid::text AS name, application_name AS application, greatest(age(backend_xmin), age(backend_xid)) AS age
    FROM pg_stat_activity
    WHERE pid <> pg_backend_pid() AND backend_type IN ('client backend', 'walsender')
      AND (datname = current_database() OR datname IS NULL)
      AND (xact_start < clock_timestamp() - ${LONG} AND (backend_xmin IS NOT NULL OR backend_xid IS NOT NULL)
        OR greatest(age(backend_xmin), age(backend_xid)) > ${MANY})
    UNION ALL SELECT 'slot', slot_name, '', age(xmin) FROM pg_replication_slots WHERE age(xmin) > ${MANY}
    UNION ALL SELECT 'prepared transaction', gid, '', age(transaction) FROM pg_prepared_xacts
    WHERE database = current_database() AND prepared < clock_timestamp() - ${LONG}
    ORDER BY age DESC LIMIT 1
  ) AS reader) AS long_reader`;

/** The reader that `LONGEST_READER` has found; undefined when there is none. */
export function findLongReader(row: DriverRow | undefined): LongReader | undefined {
  const found = row?.["long_reader"];
  return typeof found === "string" ? (JSON.parse(found) as LongReader) : undefined;
}

/** Describes the effects of a long reader, and how to end it. */
export function describeLongReader({ kind, name, application }: LongReader): string {
  if (kind === "connection") {
    const by = application === "" ? "" : `, application '${shown(application)}'`;
    return `A transaction in PostgreSQL has been open for long (pid ${name}${by}). Calls get slower, and what was claimed stays in the files of the tables. If it isn't needed, end it: SELECT pg_terminate_backend(${name}).`;
  }
  return `A ${kind === "slot" ? "replication slot" : kind} in PostgreSQL holds rows back (name '${shown(name)}'). Calls get slower, and what was claimed stays in the files of the tables. If it isn't needed, drop it.`;
}

/** Sanitizes a name that any user of PostgreSQL may have chosen, and shortens it. */
function shown(name: string): string {
  return name.replaceAll(/[^\w .:/-]/g, "?").slice(0, 64);
}
