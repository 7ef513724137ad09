import { SQL } from "bun";
import type { ConnectionOptions } from "../../src/store/postgres/engine/database.ts";

/** A database that one test has; it is empty, or has tables with nothing in them. */
interface LeasedDatabase extends AsyncDisposable {
  readonly connection: ConnectionOptions;
  /** Connections beside those of the store. */
  readonly beside: SQL;
}

/** The databases of one server, which are used again: making one takes longer than most tests. */
export interface LeasedDatabases extends AsyncDisposable {
  lease(): Promise<LeasedDatabase>;
}

/** Leases databases of the server at `socket`; processes that do so at the same time get different ones. */
export function createLeases(socket: string): LeasedDatabases {
  const server = { path: socket, username: "handoff" };
  const admin = new SQL({ ...server, adapter: "postgres", database: "postgres", max: 1 });
  const taken = new Set<number>();
  /** Takes the first number that nobody has. A lock is asked for once: who has it gets it again. */
  const take = async () => {
    for (let number = 1; ; number += 1) {
      if (taken.has(number)) continue;
      taken.add(number);
      const [row] = await admin.unsafe("SELECT pg_try_advisory_lock($1) AS locked", [number]);
      if (row.locked === true) return number;
      taken.delete(number);
    }
  };
  return {
    async lease() {
      const number = await take();
      const database = `leased_${number}`;
      const connection = { ...server, database, max: 6 };
      const beside = new SQL({ ...connection, adapter: "postgres", max: 2 });
      const [found] = await admin.unsafe("SELECT FROM pg_database WHERE datname = $1", [database]);
      if (found) await emptyAll(beside);
      else await admin.unsafe(`CREATE DATABASE ${database}`);
      return {
        connection,
        beside,
        async [Symbol.asyncDispose]() {
          await beside.close({ timeout: 0 });
          await admin.unsafe("SELECT pg_advisory_unlock($1)", [number]);
          taken.delete(number);
        },
      };
    },
    [Symbol.asyncDispose]: () => admin.close({ timeout: 0 }),
  };
}

/** Empties all tables, as they are after the migrations, and cuts off whoever else is connected. */
async function emptyAll(beside: SQL): Promise<void> {
  const rows = (await beside.unsafe(
    `SELECT relname AS name, relkind AS kind,
       (SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid())
     FROM pg_class WHERE relkind IN ('r', 'S') AND relnamespace = 'public'::regnamespace`,
  )) as { name: string; kind: "r" | "S" }[];
  const statements = rows.map(({ name, kind }) => {
    if (kind === "S") return `SELECT setval('${name}', 1, false)`;
    if (name === "clocks") return "UPDATE clocks SET latest_at = 0, last_place = 0";
    return ["migrations", "installations"].includes(name) ? "" : `DELETE FROM ${name}`;
  });
  // Neither triggers nor foreign keys have a say.
  const words = ["BEGIN", "SET LOCAL session_replication_role = replica", ...statements.filter(Boolean), "COMMIT"];
  const connection = await beside.reserve();
  await connection.unsafe(words.join(";")).simple();
  await connection.release();
}
