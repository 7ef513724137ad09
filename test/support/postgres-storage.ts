import { dirname } from "node:path";
import type { SQL } from "bun";
import type { LargeStorage, UploadStore } from "../../src/domain/ports/uploads.ts";
import { openObjectBlobs } from "../../src/store/blobs/object-blobs.ts";
import type { ObjectStore } from "../../src/store/blobs/object-store.ts";
import { CHARGES, ROW_BYTES, ROW_CHARGES } from "../../src/store/postgres/engine/stored-bytes.ts";
import { inspectLog } from "../../src/store/postgres/inspections.ts";
import { openPostgresStore } from "../../src/store/postgres/store.ts";
import type { PostgresStore } from "../../src/store/postgres/store.ts";
import { until } from "./polls.ts";
import { createLeases } from "./postgres-databases.ts";
import type { LeasedDatabases } from "./postgres-databases.ts";
import type { Kept, TestStorage, WriteLock } from "./storages.ts";

const servers = new Map<string, LeasedDatabases>();

/** A storage in PostgreSQL that keeps large secrets. */
export interface LargePostgresStorage extends TestStorage {
  readonly large: () => LargeStorage;
}

/**
 * Opens a storage in a database of the server at `socket` that nobody else uses. It keeps large secrets in `objects`,
 * in parts of `partBytes`.
 */
export async function openLargePostgresStorage(
  socket: string,
  objects: ObjectStore,
  partBytes?: number,
): Promise<LargePostgresStorage> {
  const storage = await openPostgresStorage(socket);
  let uploads: UploadStore | undefined;
  const folder = () => "test";
  return {
    ...storage,
    open: async (sources) => (uploads = await storage.open(sources)),
    large() {
      if (!uploads) throw new Error("no store is open");
      const { findParts } = uploads;
      return { uploads, blobs: openObjectBlobs({ objects, findParts, folder, ...(partBytes && { partBytes }) }) };
    },
  };
}

/** A storage, which opens stores of PostgreSQL. */
interface PostgresStorage extends TestStorage {
  open(sources: Parameters<TestStorage["open"]>[0]): Promise<PostgresStore>;
}

/** Opens a storage in a database of the server at `socket` that nobody else uses. */
export async function openPostgresStorage(socket: string): Promise<PostgresStorage> {
  const databases = servers.get(socket) ?? createLeases(socket);
  servers.set(socket, databases);
  const database = await databases.lease();
  const { connection, beside } = database;
  const url = `postgresql://handoff@/${connection.database}?host=${encodeURIComponent(dirname(socket))}`;
  return {
    env: { HANDOFF_DATABASE_URL: url },
    eventBytes: ROW_BYTES.event,
    open: (sources) => openPostgresStore({ ...sources, connection }),
    run: (sql) => rowsOf(beside, sql),
    checkLog: (hash) => inspectLog(connection, hash),
    look: () => look(beside),
    holds: (text) => holds(beside, text),
    lockWrites: () => lockWrites(beside),
    addEvents: async (teamId, count) => void (await beside.unsafe(EVENTS, [count, teamId])),
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  };
}

const EVENTS = `
  WITH log AS (UPDATE clocks SET last_place = last_place + $1::integer RETURNING last_place - $1 AS place),
  n(i) AS (SELECT generate_series(1, $1))
  INSERT INTO events (place, id, kept_at, team_id, type, created_at)
  SELECT place + i, 'evt_' || lpad(i::text, 26, '0'), 0, $2, 'request.paused', 0 FROM n, log`;

const rowsOf = async <T>(beside: SQL, sql: string) => (await beside.unsafe(sql)) as T[];

/** Looks past the store at what is kept in the database that `beside` is connected to. */
export async function look(beside: SQL): Promise<Kept> {
  const query = <T>(text: string) => rowsOf<T>(beside, text);
  const [ciphertexts, notes, uploads, [counted], [recounted], [clock]] = await Promise.all([
    query<{ id: string; bytes: number }>(
      "SELECT secret_id AS id, length(ciphertext) AS bytes FROM ciphertexts ORDER BY 1",
    ),
    query<{ id: string }>("SELECT request_id AS id FROM request_notes ORDER BY 1"),
    query<{ bytes: number; pointer: number }>(UPLOADS),
    query<{ bytes: number }>("SELECT coalesce(sum(stored_bytes), 0)::float8 AS bytes FROM teams"),
    query<{ bytes: number }>(RECOUNT),
    query<{ at: number }>("SELECT latest_at::float8 AS at FROM clocks"),
  ]);
  const { ciphertext } = ROW_CHARGES;
  // A large secret is charged for its bytes, and not for the id that leads to them.
  const large = uploads.map(({ bytes, pointer }) => ciphertext(bytes) - (pointer === 0 ? 0 : ciphertext(pointer)));
  return {
    ciphertexts: new Map(ciphertexts.map(({ id, bytes }) => [id, bytes])),
    notes: notes.map(({ id }) => id),
    storedBytes: counted?.bytes ?? NaN,
    recountedBytes: large.reduce((sum, bytes) => sum + bytes, recounted?.bytes ?? NaN),
    latestAt: clock?.at ?? 0,
  };
}

/** The uploads that are charged, and what is in the database in place of the ciphertext. */
const UPLOADS = `
  SELECT (CASE WHEN created_by LIKE 'req%' THEN "offset" ELSE bytes END)::float8 AS bytes,
    coalesce(length(ciphertext), 0) AS pointer FROM uploads LEFT JOIN ciphertexts USING (secret_id)
  WHERE secret_id IS NULL OR ciphertext IS NOT NULL`;

/** All that teams are charged for, counted anew. */
const RECOUNT = `
  SELECT ((SELECT ${CHARGES.secrets} FROM secrets) + (SELECT ${CHARGES.sealed} FROM ciphertexts) + (SELECT ${CHARGES.requests} FROM requests)
    + (SELECT ${CHARGES.sealed} FROM request_notes) + (SELECT ${CHARGES.events} FROM events) + (SELECT ${CHARGES.calls} FROM idempotent_calls))::float8 AS bytes`;

/**
 * Whether `text` is in a row of a table with ciphertexts, written out or as bytes. Throws when it is in one of another
 * table.
 */
async function holds(beside: SQL, text: string): Promise<boolean> {
  const tables = await rowsOf<{ name: string }>(
    beside,
    "SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace",
  );
  const hex = Buffer.from(text).toString("hex");
  const searches = tables.map(
    ({ name }) =>
      `SELECT '${name}' AS name WHERE EXISTS (SELECT FROM ${name} AS t WHERE strpos(t::text, $1) > 0 OR strpos(t::text, $2) > 0)`,
  );
  const found = (await beside.unsafe(searches.join(" UNION ALL "), [text, hex])) as { name: string }[];
  const elsewhere = found.filter(({ name }) => !/^(ciphertexts|request_notes)_\d$/.test(name));
  if (elsewhere.length > 0) throw new Error(`'${text}' is in ${elsewhere.map(({ name }) => name).join(", ")}`);
  return found.length > 0;
}

async function lockWrites(beside: SQL): Promise<WriteLock> {
  const holder = await beside.reserve();
  await holder.unsafe("BEGIN; LOCK TABLE clocks, teams, secrets, requests IN EXCLUSIVE MODE").simple();
  const isWaitedFor = async () => {
    const [row] = await holder.unsafe(
      "SELECT FROM pg_locks WHERE NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())",
    );
    return row !== undefined;
  };
  return {
    async waitedFor() {
      await until(isWaitedFor);
    },
    async [Symbol.asyncDispose]() {
      await holder.unsafe("ROLLBACK");
      await holder.release();
    },
  };
}
