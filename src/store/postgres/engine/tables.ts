import { getTableName, isTable } from "drizzle-orm";
import * as schema from "../schema.ts";
import type { Connection } from "./database.ts";
import { DatabaseError } from "./errors.ts";

/** The partitions that are truncated, so that no erased ciphertext stays in their files. */
const HALVES = ["ciphertexts_0", "ciphertexts_1", "request_notes_0", "request_notes_1"];

/** The names of all tables except that of the migrations. */
export const TABLES: readonly string[] = [
  ...Object.values(schema)
    .filter((each) => isTable(each))
    .map((table) => getTableName(table)),
  ...HALVES,
];

/** The names of the functions that migrations create. */
export const FUNCTIONS: readonly string[] = [
  "handoff_below",
  "handoff_digits",
  "handoff_event_id",
  "handoff_keep_admin_log",
];

/** Without the row of each of these, a database counts as damaged. The admin log is only added to. */
const KEPT_TABLES = ["clocks", "halves", "installations", "admin_log"];

/** Deletes all that a database has stored, except for its ID and its admin log. Throws what the driver throws. */
export async function emptyTables(connection: Connection): Promise<void> {
  const emptied = TABLES.filter((name) => !KEPT_TABLES.includes(name));
  await connection.run(`TRUNCATE ${emptied.join(", ")}`);
}

/** Throws DatabaseError when a table is missing, or when one with a single row is empty. */
export async function checkTables(connection: Connection): Promise<void> {
  const [missing] = await connection.run(
    "SELECT name FROM unnest(string_to_array($1, ' ')) AS name WHERE to_regclass(name) IS NULL LIMIT 1",
    [TABLES.join(" ")],
  );
  if (missing) throw damaged(`the table '${String(missing["name"])}' is missing`);
  const [emptied] = await connection.run(
    `SELECT name FROM (VALUES ('clocks', EXISTS (SELECT FROM clocks)), ('halves', EXISTS (SELECT FROM halves)),
       ('installations', EXISTS (SELECT FROM installations))) AS counted (name, has_row) WHERE NOT has_row`,
  );
  if (emptied) throw damaged(`the table '${String(emptied["name"])}' is empty`);
}

/** Throws DatabaseError when the connected user lacks a right that a server needs. */
export async function checkRights(connection: Connection): Promise<void> {
  const [lacking] = await connection.run(
    `SELECT name, kind FROM unnest(string_to_array($1, ' ')) AS name, unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE']) AS kind
     WHERE NOT has_table_privilege(to_regclass(name), kind) AND (kind <> 'TRUNCATE' OR name = ANY (string_to_array($2, ' '))) LIMIT 1`,
    [TABLES.join(" "), HALVES.join(" ")],
  );
  if (!lacking) return;
  throw new DatabaseError(
    `the user in the URL lacks the right ${String(lacking["kind"])} on the table '${String(lacking["name"])}'. Grant it as 'handoff help postgresql' says, or let the server use the user whom the tables belong to`,
  );
}

function damaged(what: string): DatabaseError {
  return new DatabaseError(
    `${what}, so that this is no longer all of a database of handoff. Restore a backup into an empty database`,
  );
}
