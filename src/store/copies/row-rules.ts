import type { Database } from "bun:sqlite";
import { getTableName } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { CIPHERTEXT_BYTES, MAX_CLAIMS, SECRET_BYTES, SECRET_TTL_SECONDS } from "../../contract/limits.ts";
import type { AdjustableLimit } from "../../contract/limits.ts";
import {
  CIPHERTEXT_FORMATS,
  EVENT_TYPES,
  PROOF_WAYS,
  REQUEST_STATES,
  SECRET_STATES,
  SESSION_WAYS,
} from "../../contract/states.ts";
import { ATTEMPT_PURPOSES } from "../../domain/ports/attempts.ts";
import { MAIL_KINDS } from "../../domain/ports/mails.ts";
import { GUARD_BYTES, PAGE_BYTES } from "../sqlite/files/ciphertext-pages.ts";
import * as schema from "../sqlite/schema.ts";
import { ROW_BYTES } from "../sqlite/stored-bytes.ts";

/** The latest time that JavaScript can represent, in epoch milliseconds. */
export const LATEST_TIME = 8_640_000_000_000_000;

/** The names of columns with a time. */
const TIME = /(?:^|_)(?:at|until)$/;
/** The columns that a restore counts again. */
const RECOUNTED = "stored_bytes";

const sealed = {
  ciphertext: `octet_length(ciphertext) <= ${CIPHERTEXT_BYTES.max}`,
  // Erasing a ciphertext relies on them.
  guard: `length(guard) = ${GUARD_BYTES}`,
  fill: `length(fill) < ${PAGE_BYTES}`,
};

/** The condition for the rules of a team, as `TeamRules` has them: none that is unknown, and none without effect. */
const TEAM_RULES = `json_valid(rules) AND json_type(rules) = 'object' AND rules <> '{}'
  AND NOT EXISTS (SELECT 1 FROM json_each(rules) AS rule WHERE NOT CASE rule.key
    WHEN 'maxTtlSeconds' THEN ${within(SECRET_TTL_SECONDS)}
    WHEN 'maxClaims' THEN ${within(MAX_CLAIMS)}
    WHEN 'maxSecretBytes' THEN ${within(SECRET_BYTES)}
    WHEN 'requireReference' THEN rule.type = 'true'
    WHEN 'requireFor' THEN rule.type = 'true'
    WHEN 'forDomains' THEN CASE WHEN rule.type = 'array' THEN json_array_length(rule.value) > 0
      AND NOT EXISTS (SELECT 1 FROM json_each(rule.value) AS domain WHERE domain.type <> 'text') ELSE false END
    WHEN 'approval' THEN rule.value IN ('sender', 'team')
    ELSE false END)`;

/** The condition for an approval, as `approvals.ts` writes it. A member that isn't there has the type null. */
const APPROVAL = `CASE WHEN approval IN ('sender', 'team') THEN true
  WHEN NOT json_valid(approval) OR octet_length(approval) > ${ROW_BYTES.approval} THEN false
  ELSE coalesce(approval ->> 'by' IN ('sender', 'team') AND json_type(approval, '$.asks') = 'array', false)
    AND NOT EXISTS (SELECT 1 FROM json_each(approval, '$.asks') AS ask WHERE NOT CASE WHEN ask.type = 'object' THEN
      coalesce(json_type(ask.value, '$.id') = 'text' AND json_type(ask.value, '$.tokenHash') = 'text'
      AND json_type(ask.value, '$.words') = 'text' AND json_type(ask.value, '$.address') IN ('text', 'null')
      AND json_type(ask.value, '$.askerId') IN ('text', 'null') AND json_type(ask.value, '$.askedAt') = 'integer'
      AND json_type(ask.value, '$.until') = 'integer' AND ask.value ->> 'state' IN ('waiting', 'approved', 'refused'),
      false) ELSE false END) END`;

/** The columns that allow fewer values than their types, with the condition for valid ones. */
const RULES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  secrets: {
    state: oneOf("state", SECRET_STATES),
    ciphertext_format: oneOf("ciphertext_format", CIPHERTEXT_FORMATS),
    approval: APPROVAL,
  },
  requests: { state: oneOf("state", REQUEST_STATES) },
  teams: { rules: TEAM_RULES },
  events: { type: oneOf("type", EVENT_TYPES), ask: "ask GLOB 'ask_* * * *'", proof: oneOf("proof", PROOF_WAYS) },
  event_seals: { parts: listIn("parts"), hash: "octet_length(hash) = 32" },
  identities: { kind: oneOf("kind", ["automation", "person"]), scopes: listIn("scopes") },
  api_keys: { networks: "networks <> '' AND networks NOT GLOB '*[^0-9a-f.:/ ]*'" },
  human_tokens: { purpose: oneOf("purpose", ["sign_in"]) },
  attempts: { purpose: oneOf("purpose", ATTEMPT_PURPOSES) },
  mails: { kind: oneOf("kind", MAIL_KINDS), data: "json_valid(data) AND json_type(data) = 'object'" },
  logins: { state: oneOf("state", ["pending", "approved", "refused"]) },
  passkeys: { transports: listIn("transports") },
  sessions: { way: oneOf("way", SESSION_WAYS) },
  admin_log: { details: "json_valid(details)" },
  webhooks: { event_types: listIn("event_types"), format: oneOf("format", ["standard", "chat", "ntfy"]) },
  ciphertexts: sealed,
  request_notes: sealed,
};

/** The tables of `schema`. */
const TABLES: readonly SQLiteTable[] = Object.values(schema);

/**
 * Returns the position of the first value in an up-to-date `database` that handoff never writes; undefined for none.
 */
export function findWrongRow(database: Database): { readonly table: string; readonly column: string } | undefined {
  for (const table of TABLES.map((known) => getTableName(known))) {
    const columns = database
      .query<{ name: string; type: string }, [string]>("SELECT name, lower(type) AS type FROM pragma_table_info(?)")
      .all(table);
    const cases = columns.map(({ name, type }) => `WHEN NOT (${ruleOf(table, name, type)}) THEN '${name}'`).join(" ");
    const wrong = database
      .prepare<{ name: string }, []>(
        `SELECT name FROM (SELECT CASE ${cases} END AS name FROM "${table}") WHERE name IS NOT NULL LIMIT 1`,
      )
      .get();
    if (wrong) return { table, column: wrong.name };
  }
  return undefined;
}

/** The condition for valid values of a column. */
function ruleOf(table: string, name: string, type: string): string {
  const most = TIME.test(name) ? LATEST_TIME : Number.MAX_SAFE_INTEGER;
  const range = type === "integer" && name !== RECOUNTED ? ` AND "${name}" BETWEEN 0 AND ${most}` : "";
  const own = RULES[table]?.[name];
  return `"${name}" IS NULL OR (typeof("${name}") = '${type}'${range}${own ? ` AND ${own}` : ""})`;
}

function oneOf(column: string, values: readonly string[]): string {
  return `${column} IN (${values.map((value) => `'${value}'`).join(", ")})`;
}

function within({ min, max }: AdjustableLimit): string {
  return `rule.type = 'integer' AND rule.value BETWEEN ${min} AND ${max}`;
}

function listIn(column: string): string {
  return `json_valid(${column}) AND json_type(${column}) = 'array'`;
}
