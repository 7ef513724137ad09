import { getTableName } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import * as postgres from "../postgres/schema.ts";
import * as sqlite from "../sqlite/schema.ts";

/** A row by the names in code of PostgreSQL's schema, in which both engines' rows are compared. */
export type CopiedRow = Readonly<Record<string, unknown>>;

/** A table of both engines. */
export interface CopiedTable {
  readonly postgres: PgTable;
  readonly sqlite: SQLiteTable;
  /** The column of its primary key in PostgreSQL, by whose order both are compared. */
  readonly key: string;
  /** Reads all of it from SQLite, in that order; columns have their names there, or those in code. */
  readonly read: string;
  /** The thing that a ciphertext belongs to: by its number in SQLite, and by its id in PostgreSQL, in the column `ownerKey`. */
  readonly owner?: { readonly owner: "secret" | "request"; readonly ownerKey: string };
  /** The members of a row that SQLite has from others. */
  readonly derived?: readonly string[];
  /** True of what was encrypted, what repeats calls, and what lets people in. */
  readonly isSecret?: true;
}

function plain(postgresTable: PgTable, sqliteTable: SQLiteTable, key = "id"): CopiedTable {
  const read = `SELECT * FROM ${getTableName(sqliteTable)} ORDER BY ${key}`;
  return { postgres: postgresTable, sqlite: sqliteTable, key, read };
}

function sealed(postgresTable: PgTable, sqliteTable: SQLiteTable, owner: "secret" | "request"): CopiedTable {
  const ownerKey = `${owner}Id`;
  const read = `SELECT own.*, ${owner}s.id AS ${ownerKey} FROM ${getTableName(sqliteTable)} AS own
    JOIN ${owner}s ON ${owner}s.seq = own.${owner}_seq ORDER BY ${owner}s.id`;
  const key = `${owner}_id`;
  return { postgres: postgresTable, sqlite: sqliteTable, key, read, owner: { owner, ownerKey }, isSecret: true };
}

/**
 * The tables with what is kept, those that others refer to first. The clock is apart, and an installation's id is not copied: what was copied
 * is another one.
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
  {
    ...plain(postgres.events, sqlite.events, "place"),
    read: "SELECT *, seq AS place, created_at AS keptAt FROM events ORDER BY seq",
    derived: ["place", "keptAt"],
  },
  sealed(postgres.ciphertexts, sqlite.ciphertexts, "secret"),
  sealed(postgres.requestNotes, sqlite.requestNotes, "request"),
  { ...plain(postgres.idempotentCalls, sqlite.idempotentCalls, "digest"), isSecret: true },
  { ...plain(postgres.personTokens, sqlite.personTokens, "token_hash"), isSecret: true },
];
