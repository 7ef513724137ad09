import type { LogReader, SealRecord } from "../../domain/ports/events.ts";
import type { ContentInspection, InspectedWebhook } from "../../domain/ports/inspections.ts";
import { checkLog } from "../../domain/values/log-checks.ts";
import type { LogState } from "../../domain/values/log-checks.ts";
import { connectTo } from "./engine/database.ts";
import type { Connection, ConnectionOptions, Database } from "./engine/database.ts";
import { readClock } from "./engine/finding.ts";
import { findLongReader, LONGEST_READER } from "./engine/long-readers.ts";
import type { LongReader } from "./engine/long-readers.ts";
import { migrate } from "./engine/migrations.ts";
import { toRow } from "./engine/rows.ts";
import { checkRights } from "./engine/tables.ts";
import { teams } from "./schema.ts";
import { createLogReader } from "./seals.ts";

/** The state of a database and its server, as far as it can be read without writing. */
export interface Inspection extends ContentInspection {
  /** The version of PostgreSQL, such as `15.14`. */
  readonly server: string;
  /** True when the database is read-only: a replica, or one that was configured so. */
  readonly isReadOnly: boolean;
  /** True when the connection is encrypted or local. */
  readonly isPrivate: boolean;
  /** The settings with which PostgreSQL may lose acknowledged writes, such as `fsync = off`. */
  readonly losing: readonly string[];
  /** The number of connections, handoff's included, and the limit for ordinary users. */
  readonly connections: { readonly used: number; readonly most: number };
  /** The names of settings that connections have asked for and don't have, as behind some poolers. */
  readonly unset: readonly string[];
  /** The transaction or slot that holds back the most dead rows; undefined without a long one. */
  readonly longReader: LongReader | undefined;
  /** The time of the last backup, in epoch milliseconds; null before the first. */
  readonly lastBackupAt: number | null;
  readonly log: LogState;
  /** The time of the database's machine, in epoch milliseconds. */
  readonly now: number;
}

/**
 * Inspects a database; servers may run on it. `endingKeys` has the keys that expire within `soonMs`. Throws
 * DatabaseError when the database isn't one of this version, and the driver's errors.
 */
export async function inspect(options: ConnectionOptions, soonMs: number): Promise<Inspection> {
  const database = connectTo({ ...options, max: 1 });
  try {
    await migrate(database, { mayCreate: false, mayUpgrade: false });
    using connection = await database.hold();
    await checkRights(connection);
    const server = await readServer(connection);
    const clock = await readClock((text, params) => connection.run(text, params));
    const now = Number(clock?.["machine_at"]);
    const [own] = await connection.run("SELECT public_id, last_backup_at FROM installations");
    return {
      ...server,
      now,
      latestAt: Number(clock?.["latest_at"]),
      endingKeys: await readEndingKeys(connection, now, now + soonMs),
      exposedKeys: await readExposedKeys(connection, now),
      installation: String(own?.["public_id"]),
      lastBackupAt: numberIn(own?.["last_backup_at"] ?? null),
      webhooks: await readWebhooks(connection),
      teams: await readTeams(connection, now),
      log: await checkLog(createLogReader(connection)),
      unset: await findUnset(connection, options.connection ?? {}),
    };
  } finally {
    await database.close();
  }
}

/** Compares the log with its seals, as `checkLog` does; servers may be running. Throws as `inspect` does. */
export async function inspectLog(options: ConnectionOptions, hash?: string): Promise<LogState> {
  return withLog(options, (reader) => checkLog(reader, hash));
}

/** The newest seal; undefined without one. Throws as `inspect` does. */
export async function findLastSeal(options: ConnectionOptions): Promise<SealRecord | undefined> {
  return withLog(options, (reader) => reader.lastSeal());
}

/** An object of a large secret that can be opened. */
export interface InspectedPart {
  readonly secretId: string;
  readonly key: string;
  readonly bytes: number;
}

/** The objects of all large secrets that have a ciphertext. Throws as `inspect` does. */
export async function inspectLargeParts(options: ConnectionOptions): Promise<InspectedPart[]> {
  return withDatabase(options, async (database) => {
    const rows = await database.read(
      `SELECT secret_id, key, upload_parts.bytes FROM ciphertexts JOIN uploads USING (secret_id)
       JOIN upload_parts ON upload_id = uploads.id ORDER BY secret_id, start`,
    );
    return rows.map((row) => ({
      secretId: String(row["secret_id"]),
      key: String(row["key"]),
      bytes: Number(row["bytes"]),
    }));
  });
}

function withLog<T>(options: ConnectionOptions, work: (reader: LogReader) => Promise<T>): Promise<T> {
  return withDatabase(options, (database) => work(createLogReader({ run: database.read })));
}

async function withDatabase<T>(options: ConnectionOptions, work: (database: Database) => Promise<T>): Promise<T> {
  const database = connectTo({ ...options, max: 1 });
  try {
    await migrate(database, { mayCreate: false, mayUpgrade: false });
    return await work(database);
  } finally {
    await database.close();
  }
}

async function readServer(
  connection: Connection,
): Promise<Pick<Inspection, "server" | "isReadOnly" | "isPrivate" | "losing" | "connections" | "longReader">> {
  const [row] = await connection.run(`
    SELECT current_setting('server_version') AS server, current_setting('transaction_read_only') = 'on' AS is_read_only,
      -- A Unix socket has no address.
      coalesce((SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()), false)
        OR inet_server_addr() IS NULL OR inet_server_addr() << inet '127.0.0.0/8' OR inet_server_addr() = inet '::1' AS is_private,
      (SELECT count(*)::int FROM pg_stat_activity WHERE backend_type = 'client backend') AS used,
      current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int AS most,
      ${LONGEST_READER}`);
  const losing = await connection.run(
    "SELECT name, setting FROM pg_settings WHERE name IN ('fsync', 'full_page_writes') AND setting = 'off' ORDER BY name",
  );
  return {
    server: String(row?.["server"]).split(" ")[0] ?? "",
    isReadOnly: row?.["is_read_only"] === true,
    isPrivate: row?.["is_private"] === true,
    losing: losing.map(({ name, setting }) => `${String(name)} = ${String(setting)}`),
    connections: { used: Number(row?.["used"]), most: Number(row?.["most"]) },
    longReader: findLongReader(row),
  };
}

async function findUnset(
  connection: Connection,
  settings: NonNullable<ConnectionOptions["connection"]>,
): Promise<readonly string[]> {
  const rows = await connection.run(
    `SELECT name FROM json_each_text($1::text::json) AS wanted (name, value) LEFT JOIN pg_settings USING (name)
     WHERE setting IS DISTINCT FROM value ORDER BY name`,
    [JSON.stringify(settings)],
  );
  return rows.map(({ name }) => String(name));
}

async function readEndingKeys(connection: Connection, from: number, until: number): Promise<Inspection["endingKeys"]> {
  const rows = await connection.run(
    `SELECT id, expires_at FROM api_keys
      WHERE revoked_at IS NULL AND successor_id IS NULL AND expires_at > $1 AND expires_at <= $2 ORDER BY expires_at`,
    [from, until],
  );
  return rows.map((row) => ({ id: String(row["id"]), expiresAt: Number(row["expires_at"]) }));
}

function numberIn(value: unknown): number | null {
  return value === null ? null : Number(value);
}

async function readExposedKeys(connection: Connection, now: number): Promise<Inspection["exposedKeys"]> {
  const rows = await connection.run(
    `SELECT api_keys.id, identities.name FROM api_keys JOIN identities ON identities.id = identity_id
      WHERE exposed_at IS NOT NULL AND revoked_at IS NULL AND successor_id IS NULL
        AND (expires_at IS NULL OR expires_at > $1) ORDER BY exposed_at`,
    [now],
  );
  return rows.map((row) => ({ id: String(row["id"]), identity: String(row["name"]) }));
}

// The driver stores the text of JSON as a string in JSON. `#>>` has that text of a string, and of a list.
async function readTeams(connection: Connection, now: number): Promise<Inspection["teams"]> {
  const rows = await connection.run(
    `SELECT id, name, rules, (
      SELECT count(*)::int FROM identities
      WHERE team_id = teams.id AND disabled_at IS NULL AND (scopes #>> '{}')::jsonb ? 'secrets:approve'
        AND (kind = 'person' OR EXISTS (
          SELECT 1 FROM api_keys WHERE identity_id = identities.id AND revoked_at IS NULL
            AND (expires_at IS NULL OR expires_at > $1)
        ))
    ) AS approvers FROM teams`,
    [now],
  );
  return rows.map((row) => {
    const { id, name, rules } = toRow(teams, row);
    const { requireFor = false, approval = null } = rules ?? {};
    return { id, name, requiresFor: requireFor, approval, approvers: Number(row["approvers"]) };
  });
}

async function readWebhooks(connection: Connection): Promise<InspectedWebhook[]> {
  const rows = await connection.run(`
    SELECT id, paused_at, paused_by, (
      SELECT created_at FROM events
      WHERE events.team_id = webhooks.team_id AND events.id > last_event_id
        AND (event_types IS NULL OR (event_types #>> '{}')::jsonb ? type)
      ORDER BY events.id LIMIT 1
    ) AS behind_since FROM webhooks ORDER BY id`);
  return rows.map((row) => ({
    id: String(row["id"]),
    pausedAt: numberIn(row["paused_at"]),
    pausedBy: row["paused_by"] as InspectedWebhook["pausedBy"],
    behindSince: numberIn(row["behind_since"]),
  }));
}
