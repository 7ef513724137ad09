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
  /** The columns that both engines keep, which are compared after a copy. */
  readonly shared: readonly { readonly key: string; readonly sqlite: Column }[];
  /** The owner of a ciphertext: SQLite stores its `seq`, PostgreSQL its id in the column `${owner}Id`. */
  readonly owner?: "secret" | "request";
}

function plain(
  postgresTable: PgTable,
  sqliteTable: SQLiteTable,
  key = "id",
  read = `SELECT * FROM ${getTableName(sqliteTable)} ORDER BY ${key}`,
): CopiedTable {
  const own: Readonly<Record<string, Column>> = getTableColumns(sqliteTable);
  const shared = Object.keys(getTableColumns(postgresTable)).flatMap((name) => {
    const column = own[name];
    return column ? [{ key: name, sqlite: column }] : [];
  });
  return { postgres: postgresTable, sqlite: sqliteTable, key, read, shared };
}

function sealed(postgresTable: PgTable, sqliteTable: SQLiteTable, owner: "secret" | "request"): CopiedTable {
  const read = `SELECT own.*, ${owner}s.id AS ${owner}Id FROM ${getTableName(sqliteTable)} AS own
    JOIN ${owner}s ON ${owner}s.seq = own.${owner}_seq ORDER BY ${owner}s.id`;
  return { ...plain(postgresTable, sqliteTable, `${owner}_id`, read), owner };
}

/**
 * The tables to copy, each after the tables that it refers to. The clock is copied apart. The installation id is not
 * copied, because a copy is another installation.
 */
export const COPIED_TABLES: readonly CopiedTable[] = [
  plain(postgres.teams, sqlite.teams),
  plain(postgres.identities, sqlite.identities),
  plain(postgres.apiKeys, sqlite.apiKeys),
  plain(postgres.requests, sqlite.requests),
  plain(postgres.secrets, sqlite.secrets),
  plain(postgres.webhooks, sqlite.webhooks),
  plain(postgres.webhookDeliveries, sqlite.webhookDeliveries),
  plain(postgres.adminLog, sqlite.adminLog),
  plain(postgres.serverSettings, sqlite.serverSettings),
  plain(
    postgres.events,
    sqlite.events,
    "place",
    "SELECT *, seq AS place, created_at AS keptAt FROM events ORDER BY seq",
  ),
  sealed(postgres.ciphertexts, sqlite.ciphertexts, "secret"),
  sealed(postgres.requestNotes, sqlite.requestNotes, "request"),
  plain(postgres.idempotentCalls, sqlite.idempotentCalls, "digest"),
  plain(postgres.personTokens, sqlite.personTokens, "token_hash"),
];
