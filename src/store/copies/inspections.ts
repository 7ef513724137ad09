import type { Database } from "bun:sqlite";
import { LARGE_VERSION } from "../../contract/states.ts";
import type { SealRecord } from "../../domain/ports/events.ts";
import type { ContentInspection, InspectedTeam, InspectedWebhook } from "../../domain/ports/inspections.ts";
import { checkLog } from "../../domain/values/log-checks.ts";
import type { LogState } from "../../domain/values/log-checks.ts";
import { createLogReader } from "../sqlite/seals.ts";
import { findDamage, hasTable, numberIn, openReadOnly } from "./backup-files.ts";
import { entriesAt } from "./known-tables.ts";

/** The state of a database, as far as it can be seen without writing. */
export interface Inspection extends ContentInspection {
  /** The first damage in it; undefined when there is none. */
  readonly damage: string | undefined;
  /** Its tables, views and triggers that handoff hasn't made, such as `trigger 'x'`. */
  readonly foreign: readonly string[];
  /** The number of migrations that have run on it. */
  readonly version: number;
}

/**
 * Reads the whole database file `path`, even while a server runs. Reports keys that end between `from` and `until`, in
 * epoch milliseconds. Throws SQLiteError when it can't be read.
 */
export function inspect(path: string, from: number, until: number): Inspection {
  using database = openReadOnly(path);
  const version = numberIn(database, "PRAGMA user_version");
  return {
    damage: findDamage(database),
    foreign: findForeign(database, version),
    version,
    latestAt: numberIn(database, "SELECT latest_at FROM clocks"),
    endingKeys: database
      .query<{ id: string; expiresAt: number }, [number, number]>(
        "SELECT id, expires_at AS expiresAt FROM api_keys WHERE revoked_at IS NULL AND successor_id IS NULL AND expires_at > ? AND expires_at <= ? ORDER BY expires_at",
      )
      .all(from, until),
    exposedKeys: database
      .query<{ id: string; identity: string }, [number]>(
        `SELECT api_keys.id, identities.name AS identity FROM api_keys JOIN identities ON identities.id = identity_id
          WHERE exposed_at IS NOT NULL AND revoked_at IS NULL AND successor_id IS NULL
            AND (expires_at IS NULL OR expires_at > ?) ORDER BY exposed_at`,
      )
      .all(from),
    installation: installationIn(database),
    webhooks: readWebhooks(database),
    teams: readTeams(database, from),
  };
}

function findForeign(database: Database, version: number): string[] {
  const nameOf = ({ type, name }: { readonly type: string; readonly name: string }) => `${type} '${name}'`;
  const known = new Set(entriesAt(version).map(nameOf));
  return database
    .query<{ type: string; name: string }, []>(
      "SELECT type, name FROM sqlite_schema WHERE type <> 'index' AND name NOT LIKE 'sqlite_%'",
    )
    .all()
    .map(nameOf)
    .filter((each) => !known.has(each));
}

/**
 * Compares the log in the database file `path` with its seals, as `checkLog` does; undefined in a database of an
 * earlier version, which has none. Throws SQLiteError when it can't be read.
 */
export async function inspectLog(path: string, hash?: string): Promise<LogState | undefined> {
  using database = openReadOnly(path);
  // A server goes on meanwhile.
  database.run("BEGIN");
  return hasTable(database, "event_seals") ? await checkLog(createLogReader(database), hash) : undefined;
}

/** The newest seal in the database file `path`; undefined without one. Throws SQLiteError when it can't be read. */
export async function findLastSeal(path: string): Promise<SealRecord | undefined> {
  using database = openReadOnly(path);
  return hasTable(database, "event_seals") ? await createLogReader(database).lastSeal() : undefined;
}

/** A large secret that can be opened, and the length of its ciphertext. */
export interface InspectedLarge {
  readonly id: string;
  /** The name of its file. */
  readonly uploadId: string;
  readonly bytes: number;
}

/** The large secrets of the database file `path` that have a ciphertext. Throws SQLiteError when it can't be read. */
export function inspectLarge(path: string): InspectedLarge[] {
  using database = openReadOnly(path);
  return database
    .query<InspectedLarge, []>(
      `SELECT id, ciphertext AS uploadId, ciphertext_bytes AS bytes FROM ciphertexts JOIN secrets ON seq = secret_seq
        WHERE envelope_version = ${LARGE_VERSION} ORDER BY id`,
    )
    .all();
}

/** The id of the database file `path`, as `Inspection` has it. Throws SQLiteError when it can't be read. */
export function findInstallation(path: string): string | undefined {
  using database = openReadOnly(path);
  return installationIn(database);
}

function installationIn(database: Database): string | undefined {
  if (!hasTable(database, "installations")) return undefined;
  return database.query<{ id: string }, []>("SELECT public_id AS id FROM installations").get()?.id;
}

function readWebhooks(database: Database): InspectedWebhook[] {
  if (!hasTable(database, "webhooks")) return [];
  return database
    .query<InspectedWebhook, []>(
      `SELECT id, paused_at AS pausedAt, paused_by AS pausedBy, (
        SELECT created_at FROM events
        WHERE events.team_id = webhooks.team_id AND events.id > last_event_id
          AND (event_types IS NULL OR type IN (SELECT value FROM json_each(event_types)))
        ORDER BY events.id LIMIT 1
      ) AS behindSince FROM webhooks ORDER BY id`,
    )
    .all();
}

function readTeams(database: Database, now: number): InspectedTeam[] {
  // A database of an earlier version has no rules.
  const hasRules = numberIn(database, "SELECT count(*) FROM pragma_table_info('teams') WHERE name = 'rules'") > 0;
  if (!hasRules) {
    return database
      .query<{ id: string; name: string }, []>("SELECT id, name FROM teams")
      .all()
      .map((team) => ({ ...team, requiresFor: false, approval: null, approvers: 0 }));
  }
  return database
    .query<Omit<InspectedTeam, "requiresFor"> & { readonly required: number }, [number]>(
      `SELECT id, name, coalesce(json_extract(rules, '$.requireFor'), 0) AS required,
        json_extract(rules, '$.approval') AS approval, (
          SELECT count(*) FROM identities
          WHERE team_id = teams.id AND disabled_at IS NULL
            AND EXISTS (SELECT 1 FROM json_each(scopes) WHERE value = 'secrets:approve')
            AND (kind = 'person' OR EXISTS (
              SELECT 1 FROM api_keys WHERE identity_id = identities.id AND revoked_at IS NULL
                AND (expires_at IS NULL OR expires_at > ?)
            ))
        ) AS approvers FROM teams`,
    )
    .all(now)
    .map(({ required, ...team }) => ({ ...team, requiresFor: required === 1 }));
}
