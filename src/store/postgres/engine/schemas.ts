import type { Database } from "./database.ts";
import { DatabaseError } from "./errors.ts";
import type { DriverRow } from "./rows.ts";
import { FUNCTIONS, TABLES } from "./tables.ts";

/**
 * The schemas of the search path in order, with the tables and functions of handoff's names that they have. The default
 * search path begins with the schema that has the user's name (`"$user"`); this one counts as configured only when the
 * path has its name.
 */
const SCHEMAS = `
  SELECT nspname AS name, pg_get_userbyid(nspowner) AS owner, quote_ident(current_user) AS "user", quote_ident(nspname) AS quoted_name,
    2 = (SELECT count(*) FROM pg_class WHERE relnamespace = schemas.oid AND relname IN ('migrations', 'installations')) AS is_ours,
    coalesce(
      (SELECT 'table ''' || min(relname) || '''' FROM pg_class WHERE relnamespace = schemas.oid AND relname = ANY (string_to_array($1, ' '))),
      (SELECT 'function ''' || min(proname) || '''' FROM pg_proc WHERE pronamespace = schemas.oid AND proname = ANY (string_to_array($2, ' ')))
    ) AS taken,
    nspname <> current_user OR nspname = ANY (regexp_split_to_array(replace(current_setting('search_path'), '"', ''), '\\s*,\\s*')) AS is_named,
    nspowner = users.oid OR owners.rolsuper OR nspowner = datdba OR NOT users.rolsuper AND pg_has_role(nspowner, 'MEMBER') AS is_trusted
  FROM unnest(current_schemas(false)) WITH ORDINALITY AS path (name, place)
    JOIN pg_namespace AS schemas ON nspname = path.name
    JOIN pg_roles AS owners ON owners.oid = nspowner
    JOIN pg_roles AS users ON users.rolname = current_user
    JOIN pg_database ON datname = current_database()
  WHERE nspname <> 'pg_catalog' ORDER BY place`;

/**
 * Finds the schema for handoff's tables: the first in the user's search path. From then on, every connection uses this
 * schema alone. Throws DatabaseError when the choice isn't certain, because another schema has tables or functions of
 * the same names.
 */
export async function settleSchema(database: Database): Promise<void> {
  const schema = await findSchema(database);
  await database.useSchema(schema);
  using connection = await database.hold();
  const [row] = await connection.run("SELECT current_schemas(false) = ARRAY[$1::name] AS is_used", [schema]);
  if (row?.["is_used"] === true) return;
  throw new DatabaseError(
    "the search_path of a connection isn't the one that was asked for. Connect to PostgreSQL itself, or by a pooler that hands out connections by session",
  );
}

async function findSchema(database: Database): Promise<string> {
  using connection = await database.hold();
  const schemas = await connection.run(SCHEMAS, [["migrations", ...TABLES].join(" "), FUNCTIONS.join(" ")]);
  const [first] = schemas;
  if (!first) {
    throw new DatabaseError(
      "the database has no schema for tables: the search_path names none that is there. Make one, such as with: CREATE SCHEMA public",
    );
  }
  const ours = schemas.filter((row) => row["is_ours"] === true);
  const [own = first, other] = ours;
  if (other) {
    const why = `the schemas '${nameOf(own)}' and '${nameOf(other)}' both have the tables of handoff`;
    throw uncertain(first, why, ours.find(isTrusted));
  }
  const before = schemas.slice(0, schemas.indexOf(own)).find((row) => row["taken"] !== null);
  if (before) {
    throw uncertain(
      first,
      `the schema '${nameOf(before)}' of the user '${String(before["owner"])}' comes before '${nameOf(own)}' in the search path, and has a ${String(before["taken"])} of its own`,
      own,
    );
  }
  if (own["is_named"] !== true && !isTrusted(own)) {
    throw uncertain(
      first,
      `the schema '${nameOf(own)}' belongs to the user '${String(own["owner"])}', and would be used only because it has the name of the user in the URL`,
      schemas.find(isTrusted),
    );
  }
  return nameOf(own);
}

/** True for a schema whose owner has at least the rights of the user. */
function isTrusted(row: DriverRow): boolean {
  return row["is_trusted"] === true;
}

function nameOf(row: DriverRow): string {
  return String(row["name"]);
}

/** The error for `why`, with the schema that is probably meant; undefined when no existing schema can be trusted. */
function uncertain(user: DriverRow, why: string, meant: DriverRow | undefined): DatabaseError {
  const name = meant ? String(meant["quoted_name"]) : "handoff_own";
  const make = meant ? "" : `CREATE SCHEMA ${name}; `;
  return new DatabaseError(
    `${why}. Nothing was changed. Find out who made what, and drop what isn't handoff's, or say which schema is meant, such as: ${make}ALTER ROLE ${String(user["user"])} SET search_path = ${name}`,
  );
}
