import { getTableColumns, getTableName } from "drizzle-orm";
import type { Column } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import * as postgres from "../postgres/schema.ts";
import * as sqlite from "../sqlite/schema.ts";

/** A row by the column names that PostgreSQL's schema has in code. */
export type CopiedRow = Readonly<Record<string, unknown>>;

/** A table that both engines have. */
export interface CopiedTable {
  readonly postgres: PgTable;
  readonly sqlite: SQLiteTable;
  /** The primary key in PostgreSQL. Both engines are read in its order. */
  readonly key: string;
  /** Reads the whole table from SQLite in that order, with PostgreSQL's own columns under their names in code. */
  readonly read: string;
  /** The columns that both engines keep, by their names in code. */
  readonly shared: ReadonlyMap<string, Column>;
  /** The owner of a ciphertext: SQLite stores its `seq`, PostgreSQL its id in the column `${owner}Id`. */
  readonly owner: "secret" | "request" | undefined;
}

/** The names of the tables to copy, each after those that it refers to. */
const NAMES = [
  ...([
    "teams",
    "identities",
    "apiKeys",
    "requests",
    "secrets",
    "ciphertexts",
    "requestNotes",
    "events",
    "eventSeals",
  ] as const),
  ...(["idempotentCalls", "signInLinks", "sessions", "passkeys", "providerAccounts", "noticeSwitches"] as const),
  ...(["attempts", "mails", "logins", "noticePlaces"] as const),
  ...(["webhooks", "webhookDeliveries", "adminLog", "serverSettings"] as const),
];
const [inPostgres, inSqlite] = [{ ...postgres }, { ...sqlite }];

/**
 * All tables but the clock, which is copied separately, and the installation id: a copy is an installation of its own.
 */
export const COPIED_TABLES: readonly CopiedTable[] = NAMES.map((name) => toCopied(inPostgres[name], inSqlite[name]));

function toCopied(table: PgTable, target: SQLiteTable): CopiedTable {
  const [columns, own] = [getTableColumns(table), new Map(Object.entries<Column>(getTableColumns(target)))];
  const key = Object.values(columns).find(({ primary }) => primary)?.name ?? "id";
  const owner = key === "secret_id" ? "secret" : key === "request_id" ? "request" : undefined;
  const name = getTableName(target);
  const ofOwner = `SELECT own.*, ${owner}s.id AS ${owner}Id FROM ${name} AS own
    JOIN ${owner}s ON ${owner}s.seq = own.${owner}_seq ORDER BY ${owner}s.id`;
  const ofEvents = `SELECT *, seq AS place, created_at AS keptAt FROM ${name} ORDER BY seq`;
  const read = owner ? ofOwner : key === "place" ? ofEvents : `SELECT * FROM ${name} ORDER BY ${key}`;
  const shared = new Map([...own].filter(([each]) => each in columns));
  return { postgres: table, sqlite: target, key, read, shared, owner };
}
