import { SQL } from "bun";
import { connectTo } from "../../src/store/postgres/engine/database.ts";
import type { ConnectionOptions } from "../../src/store/postgres/engine/database.ts";
import { migrate } from "../../src/store/postgres/engine/migrations.ts";

/** A database that one test has at a time, with tables in which nothing is. */
interface LeasedDatabase extends AsyncDisposable {
  readonly connection: ConnectionOptions;
  /** Connections beside those of the store. */
  readonly beside: SQL;
}

/** The databases of one server, which are used again: making one takes longer than most tests. */
export interface LeasedDatabases {
  lease(): Promise<LeasedDatabase>;
}

/**
 * Leases databases of the server at `socket`; what leases at the same time, in whichever process, gets different ones.
 */
export function createLeases(socket: string): LeasedDatabases {
  const server = { path: socket, username: "handoff" };
  const admin = new SQL({ ...server, adapter: "postgres", database: "postgres", max: 1 });
  const free: Omit<LeasedDatabase, keyof AsyncDisposable>[] = [];
  let lowest = 1;
  /** Takes one that is nobody's, for as long as this process runs. */
  const take = async () => {
    for (;;) {
      const database = `leased_${lowest}`;
      const [row] = await admin.unsafe(
        `SELECT pg_try_advisory_lock($1) AS locked, EXISTS (SELECT FROM pg_database WHERE datname = $2) AS found`,
        [lowest++, database],
      );
      if (row.locked !== true) continue;
      // All of them are opened at once: one for each of the two who work beside the calls, one that writes, and one
      // that reads.
      const connection = { ...server, database, max: 4 };
      const beside = new SQL({
        ...connection,
        adapter: "postgres",
        max: 2,
        connection: { application_name: "beside" },
      });
      if (row.found !== true) {
        await admin.unsafe(`CREATE DATABASE ${database}`);
        await prepare(connection, beside);
      }
      return { connection, beside };
    }
  };
  return {
    async lease() {
      const database = free.pop() ?? (await take());
      await emptyAll(database.beside);
      return { ...database, [Symbol.asyncDispose]: async () => void free.push(database) };
    },
  };
}

/** Runs the migrations, and keeps the rows that these make. */
async function prepare(connection: ConnectionOptions, beside: SQL): Promise<void> {
  const database = connectTo(connection);
  await migrate(database, { mayCreate: true, mayUpgrade: true });
  await database.close();
  await beside
    .unsafe(
      `
    CREATE SCHEMA initial;
    DO $$
    DECLARE
      relation record;
    BEGIN
      FOR relation IN SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace LOOP
        EXECUTE format('CREATE TABLE initial.%1$I AS TABLE %1$I', relation.relname);
      END LOOP;
    END $$`,
    )
    .simple();
}

/** Cuts off all connections but `beside`, and resets all tables to their state after the migrations. */
async function emptyAll(beside: SQL): Promise<void> {
  await beside.unsafe(`
    DO $$
    DECLARE
      relation record;
    BEGIN
      PERFORM pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND application_name <> 'beside' AND backend_type = 'client backend';
      -- Neither triggers nor foreign keys have a say.
      SET LOCAL session_replication_role = replica;
      FOR relation IN SELECT relname, relkind FROM pg_class WHERE relkind IN ('r', 'S') AND relnamespace = 'public'::regnamespace LOOP
        IF relation.relkind = 'S' THEN
          PERFORM setval(relation.relname::text, 1, false);
        ELSE
          EXECUTE format('DELETE FROM %I', relation.relname);
        END IF;
      END LOOP;
      FOR relation IN SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'initial'::regnamespace LOOP
        EXECUTE format('INSERT INTO %1$I OVERRIDING SYSTEM VALUE TABLE initial.%1$I', relation.relname);
      END LOOP;
    END $$`);
}
